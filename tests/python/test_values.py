"""Values of measurements, and dose, route and frequency of drugs."""

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import notesieve as ns
from notesieve.statuses import ATTRIBUTES

CASES = Path(__file__).parents[1] / "values"
MARK = re.compile(r"\{([^|}]+)\|([^}]*)\}")


def cases(name: str) -> list[tuple[str, list[tuple[int, str]]]]:
    """Give the texts of a file, each with the places of its marks and what they say."""
    found = []
    for kind in tomllib.loads((CASES / name).read_text(encoding="utf-8")).values():
        for marked in kind["notes"]:
            text, marks = "", []
            at = 0
            for mark in MARK.finditer(marked):
                text += marked[at : mark.start()]
                marks.append((len(text), mark[2]))
                text += mark[1]
                at = mark.end()
            found.append((text + marked[at:], marks))
    return found


@pytest.fixture(scope="module")
def scrubber() -> ns.Scrubber:
    return ns.Scrubber()


def measured(scrubber: ns.Scrubber, text: str) -> list[tuple[int, str]]:
    said = []
    for one in scrubber.autocode(text, identifying=True):
        if one.value is not None:
            value = " ".join(filter(None, (one.value, one.unit, one.flag)))
            said.append((one.start, (one.comparator or "") + value))
    return said


def dosed(scrubber: ns.Scrubber, text: str) -> list[tuple[int, str]]:
    said = []
    for one in scrubber.autocode(text, identifying=True):
        if one.dose or one.route or one.frequency:
            said.append((one.start, "; ".join(part or "-" for part in (one.dose, one.route, one.frequency))))
    return said


@pytest.mark.parametrize(("text", "marks"), cases("measured.toml"))
def test_measurements_have_values(scrubber: ns.Scrubber, text: str, marks: list[tuple[int, str]]) -> None:
    assert measured(scrubber, text) == marks


@pytest.mark.parametrize(("text", "marks"), cases("dosing.toml"))
def test_drugs_have_doses(scrubber: ns.Scrubber, text: str, marks: list[tuple[int, str]]) -> None:
    assert dosed(scrubber, text) == marks
