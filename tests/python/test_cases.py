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


def read() -> list[Any]:
    """Read every case, refusing what the README of the folder does not allow."""
    params = []
    for file in sorted(FOLDER.glob("*.toml")):
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
    assert params, f"no case in {FOLDER}"
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


@pytest.mark.parametrize("case", read())
def test_case(case: dict[str, Any], scrubbers: dict[str, ns.Scrubber]) -> None:
    policy = case.get("policy", "safe")
    scrubber = scrubbers.setdefault(policy, ns.Scrubber(policy=policy))
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
