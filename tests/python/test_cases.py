"""A dozen cases of tests/cases, run through the binding. The core runs all of them (tests/rust/cases.rs)."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns

FOLDER = Path(__file__).parents[1] / "cases"
FILES = "age date disguise identifier name phone place title unicode zip kept clinical-vital".split()


def first_holding_case(name: str) -> Any:
    """Return the first case of a file that holds with the default scrubber."""
    cases = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["case"]
    return next(case for case in cases if case.get("model", True))


@pytest.mark.parametrize("case", [first_holding_case(name) for name in FILES], ids=FILES)
def test_a_case_holds(case: dict[str, Any]) -> None:
    text = case["text"]
    note = ns.Scrubber(case.get("policy", "safe")).scrub(text)
    removed = {at for span in note.removed for at in range(span.start, span.end)}
    for check, outcome in (("removed", True), ("kept", False)):
        for piece in case.get(check, []):
            before, target, _ = piece.split("|") if piece.count("|") == 2 else ("", piece, "")
            start = text.index(before + target) + len(before)
            letters = {at for at in range(start, start + len(target)) if text[at].isalnum()}
            assert (letters <= removed) if outcome else not letters & removed, f"{piece!r} in {note.text!r}"
    assert note.text == case.get("expect", note.text)
    assert {*case.get("codes", [])} <= {code for concept in note.concepts for code in concept.codes}
