"""Findings from elsewhere: spans of other detectors, patterns of the user's own."""

import pickle
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.errors import BatchError, FindingError

TEXT = "The kidney stone passed in Kiwi wing."


def words(texts: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """Find the word stone."""
    return [[(found.start(), found.end(), "name") for found in re.finditer("stone", text)] for text in texts]


def test_findings_are_weighed_with_those_of_the_rules() -> None:
    note = ns.Scrubber().scrub("The kidney moved.", findings=[{"start": 4, "end": 10, "kind": "city", "source": "gazetteer"}])
    assert note.text == "The [LOCATION] moved."
    (finding,) = [finding for finding in note.findings if finding.rule == "detector:gazetteer"]
    assert (finding.start, finding.end, finding.kind) == (4, 10, "city")
    assert note.removed[0].kind == "city"
    assert pickle.loads(pickle.dumps(note)) == note


def test_offsets_are_code_points() -> None:
    text = "\N{GREEK SMALL LETTER ALPHA}\N{GRINNING FACE} the kidney moved."
    start = text.index("kidney")
    assert ns.Scrubber().scrub(text, findings=[(start, start + 6, "NAME")]).text.endswith("the [NAME] moved.")


@pytest.mark.parametrize(
    ("finding", "says"),
    [
        ((5, 99, "name"), "5..99 is no span of a note of 12 characters"),
        ((5, 5, "name"), "is no span"),
        ((-3, 5, "name"), "is no span"),
        ((0, 5, "person"), "no such kind"),
        ((0, 5, "name", "certain"), "certainty"),
        ((0, 5, "name", "sure", "two words"), "source"),
        ((0, 5), "a finding is"),
        (("0", "5", "name"), "whole start and end"),
    ],
)
def test_what_is_no_finding_is_refused(finding: tuple[object, ...], says: str) -> None:
    with pytest.raises(FindingError, match=says) as problem:
        ns.Scrubber().scrub("Zwilbruck x.", findings=[finding])
    assert "Zwilbruck" not in str(problem.value)


def test_wrong_findings_are_an_error_of_their_note_and_the_others_count() -> None:
    texts = ["The kidney moved.", "The kidney moved.", "No fever."]
    findings = [[(4, 10, "name")], [(4, 10, "name"), (4, 99, "name")], None]
    with pytest.raises(BatchError) as problem:
        ns.Scrubber().scrub_many(texts, findings=findings)
    assert [index for index, _ in problem.value.errors] == [1]
    assert problem.value.batch.texts == ["The [NAME] moved.", "The [NAME] moved.", "No fever."]


def test_detectors_are_asked_by_every_way_of_scrubbing() -> None:
    scrubber = ns.Scrubber(detectors=[words])
    wanted = "The kidney [NAME] passed."
    text = "The kidney stone passed."
    assert scrubber.scrub(text).text == wanted
    assert scrubber.scrub_many([text, ""]).texts == [wanted, ""]
    assert next(scrubber.scrub_iter([text])).text == wanted
    assert pickle.loads(pickle.dumps(scrubber)).scrub(text).text == wanted


def test_a_detector_that_fails_shows_no_text() -> None:
    def broken(texts: Sequence[str]) -> list[list[object]]:
        raise ValueError(texts[0])

    with pytest.raises(FindingError, match="the detector broken failed with ValueError") as problem:
        ns.Scrubber(detectors=[broken]).scrub("Zwilbruck.")
    assert "Zwilbruck" not in str(problem.value)
    assert problem.value.__cause__ is None
    with pytest.raises(FindingError, match="findings for 0 of 1 texts"):
        ns.Scrubber(detectors=[lambda _: []]).scrub("Zwilbruck.")


def test_patterns_of_the_policy(tmp_path: Path) -> None:
    study = {"name": "study", "regex": r"\bST-\d{3}\b", "kind": "other-id", "examples": ["in ST-123"]}
    brand = {"name": "brand", "regex": "(?i)zorblax", "action": "keep", "certainty": "sure"}
    policy = ns.Policy(patterns=[study, brand])
    note = ns.Scrubber(policy).scrub("Zorblax in ST-123.")
    assert note.text == "Zorblax in [ID]."
    assert ns.verify(note.text, ns.Scrubber(policy))[0].allowed_by == "pattern"
    assert pickle.loads(pickle.dumps(policy)) == policy
    file = tmp_path / "patterns.toml"
    file.write_text("[[pattern]]\nname = 'study'\nregex = 'ST-\\d{3}'\nkind = 'other-id'\n", encoding="utf-8")
    assert ns.Scrubber(ns.Policy(patterns=file)).scrub("In ST-123.").text == "In [ID]."
    with pytest.raises(ns.PolicyError, match="there is no kind"):
        ns.Policy(patterns=[{**study, "kind": "person"}])
