"""The cases of tests/cases, run through the Python package. tests/rust/cases.rs runs the same through the core."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns

FOLDER = Path(__file__).parents[1] / "cases"
NEEDED = {"name", "text", "why"}
CHECKS = {"removed", "kept", "expect", "codes"}


def read(folder: Path) -> list[Any]:
    """Read every case of a folder, refusing what the README of the folder does not allow."""
    params = []
    for file in sorted(folder.glob("*.toml")):
        names = set()
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            label = f"{file.stem}: {case.get('name')}"
            assert case.keys() >= NEEDED, f"{label}: needs {sorted(NEEDED - case.keys())}"
            assert case.keys() <= NEEDED | CHECKS | {"policy", "any_case"}, f"{label}: unknown field"
            assert case.keys() & CHECKS, f"{label}: checks nothing"
            assert case["name"] not in names, f"{label}: name given twice"
            names.add(case["name"])
            params.append(pytest.param(case, id=label))
            if case.get("any_case"):
                params += [
                    pytest.param(written(case, form), id=f"{label}, {form.__name__}") for form in (str.lower, str.upper)
                ]
    assert params, f"no case in {folder}"
    return params


def written(case: dict[str, Any], form: Callable[[str], str]) -> dict[str, Any]:
    """Write the texts of a case in lower case or in capitals."""
    pieces = {check: [form(piece) for piece in case[check]] for check in ("removed", "kept") if check in case}
    whole = {check: form(case[check]) for check in ("text", "expect") if check in case}
    return case | pieces | whole


def places(text: str, piece: str) -> Iterator[range]:
    """Give each place of a piece in the text; of `before|piece|after` only the middle."""
    before, target, after = piece.split("|") if piece.count("|") == 2 else ("", piece, "")
    whole = before + target + after
    start = text.find(whole)
    assert target and start >= 0, f"{piece!r} is not in the text"
    while start >= 0:
        yield range(start + len(before), start + len(before) + len(target))
        start = text.find(whole, start + 1)


@pytest.fixture(scope="session")
def scrubbers() -> dict[str, ns.Scrubber]:
    return {}


@pytest.mark.parametrize("case", read(FOLDER))
def test_case(case: dict[str, Any], scrubbers: dict[str, ns.Scrubber]) -> None:
    """What has a form holds by lists and rules alone."""
    policy = case.get("policy", "safe")
    if policy not in scrubbers:
        scrubbers[policy] = ns.Scrubber(ns.Policy(policy, ambiguous="never"))
    check(case, scrubbers[policy])


@pytest.mark.parametrize("case", read(FOLDER / "judgement"))
def test_case_of_judgement(case: dict[str, Any], scrubbers: dict[str, ns.Scrubber]) -> None:
    """What has only its surroundings holds with the built-in model."""
    policy = case.get("policy", "safe")
    check(case, scrubbers.setdefault(f"{policy}, judged", ns.Scrubber(policy)))


def test_at_least_two_in_five_of_all_cases_of_judgement_hold() -> None:
    """Those that the model missed are executed too, see the README of their folder."""
    scrubber = ns.Scrubber()
    held = failed = 0
    for folder in (FOLDER / "judgement", FOLDER / "judgement" / "missed"):
        for param in read(folder):
            try:
                check(param.values[0], scrubber)
                held += 1
            except AssertionError:
                failed += 1
    assert 3 * held > 2 * failed > 0, f"{held} hold, {failed} do not"


def check(case: dict[str, Any], scrubber: ns.Scrubber) -> None:
    text = case["text"]
    note = scrubber.scrub(text)
    gone = {i for span in note.removed for i in range(span.start, span.end)}

    def letters(piece: str) -> list[int]:
        return [i for place in places(text, piece) for i in place if text[i].isalnum()]

    for piece in case.get("removed", []):
        left = "".join(text[i] for i in letters(piece) if i not in gone)
        assert not left, f"{left!r} of {piece!r} came out in {note.text!r}: {case['why']}"
    for piece in case.get("kept", []):
        lost = "".join(text[i] for i in letters(piece) if i in gone)
        assert not lost, f"{lost!r} of {piece!r} is gone from {note.text!r}: {case['why']}"
    if "expect" in case:
        assert note.text == case["expect"], case["why"]
    found = {code for concept in note.concepts for code in concept.codes}
    assert set(case.get("codes", [])) <= found, case["why"]
