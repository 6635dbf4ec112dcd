"""The generator of synthetic notes: the same seed gives the same notes, and its gold spans are right."""

from __future__ import annotations

import itertools
import json
import re
from typing import TYPE_CHECKING

import pytest

import generate_notes
from note_slots import KINDS, MAKERS

if TYPE_CHECKING:
    from pathlib import Path

POOL = 12


@pytest.fixture(scope="module")
def notes() -> list[generate_notes.Note]:
    return list(generate_notes.generate(400, seed=7, gold=True, pool=POOL))


def test_a_seed_gives_the_same_notes_with_and_without_gold(notes: list[generate_notes.Note]) -> None:
    plain = list(generate_notes.generate(120, seed=7, pool=POOL))
    assert [n.to_row() for n in plain] == [n.to_row() for n in notes[:120]]
    assert [n.text for n in generate_notes.generate(5, seed=8, pool=POOL)] != [n.text for n in notes[:5]]


def test_no_slot_or_escape_is_left(notes: list[generate_notes.Note]) -> None:
    for note in notes:
        assert not re.search(r"%\(|%%|[{}\[\]]|<<|>>", note.text), note.note_id


def test_every_slot_of_the_templates_has_a_maker_and_a_kind() -> None:
    neutral = {"He", "he", "His", "his", "him", "man", "Mr", "sex", "relation", "Relation"}
    for path in (generate_notes.TEMPLATES / "notes").glob("*.txt"):
        for slot in re.findall(r"%\((\w+)\)s", path.read_text(encoding="utf-8")):
            names = {slot, slot.rstrip("0123456789")}
            assert names & (KINDS.keys() | neutral), slot
            assert names & (MAKERS.keys() | neutral | {"patient_first", "patient_last", "mrn"}), slot


def test_spans_hold_what_they_say(notes: list[generate_notes.Note]) -> None:
    forms = {
        "EMAIL": r"[a-z.]+@[a-z.]+",
        "ZIP": r"\d{5}(-\d{4})?",
        "AGE90": r"9\d",
        "YEAR": r"(19|20)\d\d",
        "SSN": r"9[\d -]{8,10}",
        "PHONE": r"[\d() .+x-]*555[-. ]\d{4}( ext\. \d+)?|(extension |x)\d{4}",
    }
    seen = set()
    for note in notes:
        ends = 0
        for gold, (start, end, *_) in zip(note.gold_rows(), note.spans, strict=True):
            assert ends <= start < end <= len(note.text)
            ends = end
            assert gold["text"] == gold["text"].strip() != ""
            seen.add(gold["subtype"])
            if form := forms.get(gold["subtype"]):
                assert re.fullmatch(form, gold["text"]), gold
    assert forms.keys() < seen


def test_a_patient_keeps_name_and_number(notes: list[generate_notes.Note]) -> None:
    names: dict[str, set[str]] = {}
    for note in notes:
        for gold in note.gold_rows():
            if gold["subtype"] == "MRN":
                assert gold["text"] == note.mrn
            if gold["subtype"] == "PATIENT" and ", " in gold["text"]:
                names.setdefault(note.mrn, set()).add(gold["text"].upper())
    assert len(names) > 50
    assert all(len(forms) == 1 for forms in names.values())
    assert len({n.mrn for n in notes}) < len(notes)


def test_notes_look_like_notes(notes: list[generate_notes.Note]) -> None:
    sizes = sorted(len(n.text) for n in notes)
    assert 1000 < sizes[len(sizes) // 2] < 4000
    assert {n.note_type for n in notes} == {
        "clinic_note", "discharge_summary", "letter", "nursing_note", "operative_note", "pathology_report",
        "radiology_report",
    }  # fmt: skip
    assert len({n.text for n in notes}) == len(notes)


def test_files_are_what_scorer_and_benchmarks_read(tmp_path: Path) -> None:
    generate_notes.main(["--notes", "6", "--seed", "3", "-o", str(tmp_path / "gold")])
    texts = {f.stem: f.read_text(encoding="utf-8") for f in (tmp_path / "gold" / "notes").glob("*.txt")}
    gold = [json.loads(line) for line in (tmp_path / "gold" / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(texts) == 6
    assert all(texts[g["doc"]][g["start"] : g["end"]] == g["text"] for g in gold)

    generate_notes.main(
        ["--notes", "6", "--seed", "3", "-o", str(tmp_path / "n.jsonl"), "--gold", str(tmp_path / "g.jsonl")]
    )
    rows = [json.loads(line) for line in (tmp_path / "n.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {r["note_id"]: r["text"] for r in rows} == texts
    assert (tmp_path / "g.jsonl").read_bytes() == (tmp_path / "gold" / "gold.jsonl").read_bytes()

    generate_notes.main(["--megabytes", "0.05", "--seed", "3", "-o", str(tmp_path / "n.txt")])
    plain = (tmp_path / "n.txt").read_text(encoding="utf-8")
    assert 50_000 <= len(plain.encode()) < 60_000
    assert list(itertools.islice(plain.split("\f"), 6)) == [r["text"] for r in rows]
