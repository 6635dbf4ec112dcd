"""The marked notes: they parse, training and test are apart, and no code knows a test note."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
sys.path.insert(0, str(CORPUS))

import check  # noqa: E402
import public  # noqa: E402

BATCHES = sorted(CORPUS.glob("t*/*.txt"))
WORDS = 6


@pytest.mark.parametrize("path", BATCHES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_marks_of_the_corpus_can_be_parsed(path: Path) -> None:
    notes = list(check.read_notes(path))
    assert notes
    for nth, (head, body) in enumerate(notes):
        assert check.HEAD.fullmatch(head), f"note {nth}: a malformed head"
        text, spans = check.parse_marks(body)
        assert "[[" not in text and "]]" not in text, f"note {nth}: marks that do not parse"
        for start, end, kind in spans:
            assert kind in check.OK, f"note {nth}: unknown mark"
            assert text[start:end] == text[start:end].strip(), f"note {nth}: blank at the border of a mark"


def test_no_note_is_there_twice() -> None:
    heads = [head.split("|")[0].strip() for path in BATCHES for head, _ in check.read_notes(path)]
    assert len(heads) == len(set(heads))
    assert len(heads) >= 3000


def test_held_out_batches_are_those_that_nobody_read() -> None:
    lines = (CORPUS / "test" / "SHA256").read_text(encoding="utf-8").split("\n")
    digests = dict(reversed(line.split()) for line in lines if line)
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (CORPUS / "test").glob("*.txt")}
    assert found == digests


def test_no_name_is_in_both_pools() -> None:
    for name in ("words", "names", "cities"):
        train, measure = (
            set((CORPUS / "pools" / pool / f"{name}.txt").read_text(encoding="utf-8").split("\n")) - {""}
            for pool in ("train", "measure")
        )
        assert train and measure and not train & measure


def rows_of_words(text: str) -> set[tuple[str, ...]]:
    """Every row of so many words."""
    words = re.findall(r"[a-z]+", text.lower())
    return {tuple(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1)}


def test_no_code_and_no_list_knows_a_test_note() -> None:
    known = {
        row
        for path in (CORPUS / "test").glob("*.txt")
        for _, body in check.read_notes(path)
        for row in rows_of_words(check.parse_marks(body)[0])
    }
    folders = [ROOT / "src", ROOT / "vocabularies" / "lexicon"]
    for path in (path for folder in folders for path in folder.rglob("*") if path.suffix in {".rs", ".txt", ".toml"}):
        text = path.read_text(encoding="utf-8")
        assert rows_of_words(text).isdisjoint(known), (
            f"{path.relative_to(ROOT)} holds {WORDS} words in a row of a test note"
        )
        assert "corpus/test" not in text, f"{path.relative_to(ROOT)} names the test batches"


def test_check_tells_what_is_wrong_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "batch.txt"
    path.write_text("=== x-1 | note | US\nSeen by [[NAM:Quill]] and [[NAME/S: Orlo]] [[NAME/S:B\n", encoding="utf-8")
    assert check.main(["--errors", str(path)]) == 1
    told = capsys.readouterr().out
    assert "unknown mark NAM" in told and "marks that do not parse" in told and "blank at the border" in told
    assert "Quill" not in told and "Orlo" not in told


def test_the_audit_of_third_party_text_marks_sources_that_are_learned_from() -> None:
    listed = tomllib.loads((ROOT / "models" / "source.toml").read_text(encoding="utf-8"))["public"]
    learned = {source["name"] for source in listed if source["learned"]}
    before = ("", "", 0, 0)
    for line in (ROOT / "models" / "public-audit.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        source, digest, start, end = line.split("\t")
        assert source in learned and re.fullmatch("[0-9a-f]{16}", digest) and int(start) < int(end)
        assert (source, digest) != before[:2] or int(start) >= before[3]
        before = (source, digest, int(start), int(end))


def test_paragraphs_of_a_decision_are_its_sentences_on_the_evidence(tmp_path: Path) -> None:
    roles = [{"rhetRole": ["EvidenceSentence"]}, {"rhetRole": ["CitationSentence"]}, {"rhetClass": "FindingSentence"}]
    sentences = [
        {"sentID": f"7P3S{number}", "text": f"Sentence {number}. "} | role for number, role in enumerate(roles)
    ]
    folder = tmp_path / "BVA Decisions JSON Format +25"
    folder.mkdir()
    (folder / "7.json").write_text(json.dumps({"sentences": sentences}), encoding="utf-8")
    assert list(public.bva(tmp_path)) == [("7P3", "Sentence 0. Sentence 2.")]


def test_what_two_labels_share_is_taken_once(tmp_path: Path) -> None:
    folder = tmp_path / "openfda/spl/tests/data"
    folder.mkdir(parents=True)
    for name in ("one", "two"):
        section = f"<text>Take <i>one</i> , daily .</text><text>Of {name} only.</text>"
        (folder / f"{name}.xml").write_text(f'<document xmlns="urn:hl7-org:v3">{section}</document>', encoding="utf-8")
    assert dict(public.labels(tmp_path)) == {
        "one/0": "Take one, daily.",
        "one/1": "Of one only.",
        "two/1": "Of two only.",
    }
