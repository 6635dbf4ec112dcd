"""The measure on unseen forms: forms are made the same way each time, and the counts are right by hand."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import unseen_forms
from unseen_forms import Case
from unseen_sources import Form, Span


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return unseen_forms.make_cases(seed=5, most=30)


def test_a_seed_gives_the_same_cases(cases: list[Case]) -> None:
    # In another process, whose sets are ordered in another way.
    program = "import unseen_forms; print([(c.doc, c.text) for c in unseen_forms.make_cases(seed=5, most=30)])"
    path = str(Path(unseen_forms.__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8"},
    )
    assert done.stdout == f"{[(c.doc, c.text) for c in cases]}\n"
    assert unseen_forms.make_cases(seed=6, most=1) != unseen_forms.make_cases(seed=5, most=1)


def test_every_source_gives_forms(cases: list[Case]) -> None:
    families = {case.form.family for case in cases}
    assert {f.split(".")[0] for f in families} == {"age", "contact", "date", "id", "keep", "name", "phone", "place"}
    assert len(families) > 35


def test_forms_stand_in_their_sentences_and_spans_in_their_forms(cases: list[Case]) -> None:
    for case in cases:
        assert case.text[case.at : case.at + len(case.form.text)] == case.form.text
        assert "{x}" not in case.text
        ends = case.at
        for start, end, *_ in case.spans:
            assert ends <= start < end <= case.at + len(case.form.text)
            ends = end
        assert bool(case.spans) != case.form.family.startswith("keep.")


def test_there_are_200_sentences_and_they_say_nothing_of_the_form() -> None:
    lines = (unseen_forms.TEMPLATES / "carriers.txt").read_text(encoding="utf-8").splitlines()
    carriers = [line for line in lines if not line.startswith("#")]
    assert len(set(carriers)) == 200
    for carrier in carriers:
        assert carrier.count("{x}") == 1
        assert not re.search(r"\d|\b(date|born|phone|call him|name|mrn|number|lives|aged?|code)\b", carrier.lower()), (
            carrier
        )


def make_case(text: str, at: int, form: str, *spans: Span) -> Case:
    return Case("d", Form("f", "s", form, spans), text, at)


def test_the_counts_by_hand() -> None:
    # "Seen on" and "again" are the sentence; "Mon" and "st" may stay, "May", "1" and "2004" must go.
    date = make_case("Seen on Mon, May 1st again", 8, "Mon, May 1st", (0, 12, "DATE", "DATE", True))
    assert unseen_forms.count_right_tokens(date, [(8, 20)]) == (2, 2, 3, 3)
    assert unseen_forms.count_right_tokens(date, [(13, 16)]) == (2, 1, 3, 3)
    assert unseen_forms.count_right_tokens(date, []) == (2, 0, 3, 3)
    assert unseen_forms.count_right_tokens(date, [(0, 25)]) == (2, 2, 3, 0)

    # Half a word removed is a leak.
    user = make_case("User fsmith04.", 5, "fsmith04", (0, 8, "ID", "OTHER", True))
    assert unseen_forms.count_right_tokens(user, [(11, 13)]) == (1, 0, 1, 1)

    # What must stay is lost by one character.
    code = make_case("Entered as CPT 99213.", 11, "CPT 99213")
    assert unseen_forms.count_right_tokens(code, []) == (2, 2, 2, 2)
    assert unseen_forms.count_right_tokens(code, [(15, 16)]) == (2, 1, 2, 2)

    # Optional words count on no side.
    city = make_case("Ames, IA", 0, "Ames, IA", (0, 4, "LOCATION", "CITY", True), (6, 8, "LOCATION", "STATE", False))
    assert unseen_forms.count_right_tokens(city, [(0, 4)]) == (1, 1, 0, 0)


def test_removing_everything_and_nothing(cases: list[Case]) -> None:
    everything = unseen_forms.tally_by_family(cases, ([(0, len(c.text))] for c in cases))
    nothing = unseen_forms.tally_by_family(cases, ([] for _ in cases))
    for tallies, caught, kept in ((everything, 1.0, 0.0), (nothing, 0.0, 1.0)):
        assert unseen_forms.total_of_families(tallies, keep=False).share() == caught
        assert unseen_forms.total_of_families(tallies, keep=True).share() == kept
        assert tallies["sentences"].share() == kept


def test_gold_files_of_unseen_forms(tmp_path: Path, cases: list[Case]) -> None:
    made = [c for c in cases if c.form.family in {"id.plate", "keep.cpt"}]
    unseen_forms.write_gold(made, tmp_path)
    for line in (tmp_path / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        text = (tmp_path / "notes" / f"{gold['doc']}.txt").read_text(encoding="utf-8")
        assert text[gold["start"] : gold["end"]] == gold["text"]

    found = tmp_path / "found.jsonl"
    found.write_text(json.dumps({"doc": made[0].doc, "spans": [[s, e] for s, e, *_ in made[0].spans]}) + "\n")
    tallies = unseen_forms.tally_by_family(made, unseen_forms.read_predictions(found, made))
    unseen_forms.write_report(tallies, tmp_path)
    counts = json.loads((tmp_path / "unseen.json").read_text(encoding="utf-8"))
    assert (counts["id.plate"]["forms"], counts["id.plate"]["forms_right"]) == (30, 1)
    assert counts["stay"]["share"] == 1.0
    assert "| id.plate | 30 |" in (tmp_path / "unseen.md").read_text(encoding="utf-8")
    assert len((tmp_path / "failures.tsv").read_text(encoding="utf-8").splitlines()) == 1 + 29
