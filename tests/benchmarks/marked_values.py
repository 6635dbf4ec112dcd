"""Measure precision and recall of measurement values and of drug doses, routes and frequencies, on marked notes.

    python tests/benchmarks/marked_values.py [--errors] [FILE.toml ...]

A file holds either notes with marks in the text, as in ``tests/values/notes.toml``, or tables of notes with ``text``,
``values`` and ``drugs`` (lists of ``mention``, ``value``, ``unit``, ``comparator``, ``flag``; ``mention``, ``dose``,
``route``, ``frequency``, as the note writes them); notes with ``doubt`` are left out. A value is right if mention,
number and comparator agree. Units, flags, doses, routes and frequencies are counted separately, in normalised form.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import notesieve as ns
from notesieve._core import unit_name

HELD_OUT = Path(__file__).resolve().parents[1] / "values/held-out.toml"
MARK = re.compile(r"\{([^|{}]+)\|([^{}]*)\}")
#: The kinds of marks, in the order of the output.
KINDS = ("value", "unit", "flag", "dose", "route", "frequency")
LEVELS = ("level", "trough", "peak")
NAMED_FLAGS = ("high", "low", "abnormal", "critical", "current", "former", "never")
FLAGS = {
    "h": "high",
    "l": "low",
    "hh": "critical",
    "ll": "critical",
    "*": "abnormal",
    "↑": "high",
    "↓": "low",
    "+": "high",
    "-": "low",
}

Fact = tuple[str, str]


@dataclass
class AnnotatedNote:
    """A note and the facts of its marks: by kind, pairs of mention and fact, one per occurrence."""

    text: str
    facts: dict[str, list[Fact]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def add(self, mention: str, **said: str) -> None:
        """Add the facts of a mention; empty strings are ignored."""
        for kind, fact in said.items():
            if fact:
                self.facts[kind].append((mention.lower(), fact))


def strip_marks(marked: str) -> AnnotatedNote:
    """Return a note without the marks in its text.

    Commas separate several values or doses of a mention, semicolons the parts of a dose.

    Several values or doses of a mention are apart by commas, parts of a dose by semicolons.

    >>> strip_marks("{K|<3.1 mmol/L low} <3.1 (L), {aspirin|81 mg; -; daily} 81 mg qd").facts["value"]
    [('k', '<3.1')]
    """
    note = AnnotatedNote(MARK.sub(lambda mark: mark[1], marked))
    for mention, marks in MARK.findall(marked):
        for mark in marks.split(", "):
            if ";" in mark:
                dose, route, frequency = (part.strip().strip("-") for part in mark.split(";"))
                note.add(mention, dose=dose, route=route, frequency=frequency)
            else:
                value, *rest = mark.split(" ")
                flag = rest.pop() if rest and rest[-1] in NAMED_FLAGS else ""
                note.add(mention, value=normalize_number(value), unit=" ".join(rest), flag=flag)
    return note


@cache
def normalize_spelling(kind: str, written: str) -> str:
    """Normalise part of a prescription or a unit as results do; return it unchanged if results do not know it."""
    if kind == "unit":
        return unit_name(written) or written
    template = {"dose": "aspirin {}.", "route": "aspirin 2 mg {}.", "frequency": "aspirin 2 mg {}."}
    for found in scrubber().autocode(template[kind].format(written), identifying=True)[:1]:
        said = getattr(found, kind)
        if said:
            return str(said)
    return written


@cache
def scrubber() -> ns.Scrubber:
    """Return the scrubber that reads the notes."""
    return ns.Scrubber()


def normalize_number(written: object) -> str:
    """Return a value without spaces and with a decimal point."""
    return re.sub(r"(?<=\d),(?=\d)", ".", re.sub(r"\s", "", str(written))).removesuffix(".0")


def note_from_tables(note: dict[str, Any]) -> AnnotatedNote:
    """Return a note whose marks are in separate tables."""
    made = AnnotatedNote(note["text"])
    for row in note["values"]:
        if re.search(r"\d", str(row["value"])):
            signs = str.maketrans({"≥": ">=", "≤": "<="})
            value = row["comparator"].translate(signs) + normalize_number(row["value"])
            made.add(
                row["mention"], value=value, unit=row["unit"], flag=FLAGS.get(row["flag"].lower(), row["flag"].lower())
            )
    for row in note["drugs"]:
        made.add(row["mention"], **{kind: row[kind] for kind in ("dose", "route", "frequency")})
    return made


def read_notes(path: Path) -> list[AnnotatedNote]:
    """Return the notes of a file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    if "note" in content:
        return [note_from_tables(note) for note in content["note"] if not note.get("doubt")]
    return [strip_marks(note) for kind in content.values() for note in kind["notes"]]


def read_mentions(text: str) -> AnnotatedNote:
    """Return the facts that the scrubber reads from a note."""
    made = AnnotatedNote(text)
    for one in scrubber().autocode(text, identifying=True):
        mention = text[one.start : one.end]
        for said in ({kind: getattr(one, kind) for kind in (*KINDS, "comparator")}, *one.further):
            value = (said["comparator"] or "") + normalize_number(said["value"]) if said["value"] else ""
            made.add(mention, **{kind: str(said[kind] or "") for kind in KINDS if kind != "value"}, value=value)
    return made


def is_match(kind: str, marked: Fact, read: Fact) -> bool:
    """Return whether a mark and a result agree: one name contains the other, and the facts are equal."""
    # A level belongs to its drug, and a mark may name either of them.
    names = marked[0] in read[0] or read[0] in marked[0] or marked[0] in LEVELS
    if kind in ("value", "flag"):
        return names and marked[1] == read[1]
    return names and (marked[1] == read[1] or normalize_spelling(kind, marked[1]) == read[1])


def count_results(marked: list[AnnotatedNote], *, errors: bool = False) -> dict[str, Counter[str]]:
    """Count right, false and missed facts, by kind."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for note in marked:
        read = read_mentions(note.text)
        for kind in KINDS:
            left = list(read.facts[kind])
            for fact in note.facts[kind]:
                match = next((one for one in left if is_match(kind, fact, one)), None)
                counts[kind]["right" if match else "missed"] += 1
                if match:
                    left.remove(match)
                elif errors:
                    print(f"missed {kind}: {fact}   {note.text!r}")
            counts[kind]["false"] += len(left)
            if errors:
                for fact in left:
                    print(f"false {kind}: {fact}   {note.text!r}")
    return counts


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure values and doses on marked notes.")
    parser.add_argument("files", nargs="*", type=Path, default=[HELD_OUT])
    parser.add_argument("--errors", action="store_true", help="print what was missed and what is false")
    options = parser.parse_args(arguments)
    for path in options.files:
        print(f"\n{path.name}\n\n| | marks | precision | recall |\n|---|--:|--:|--:|")
        for kind, count in count_results(read_notes(path), errors=options.errors).items():
            right, false, missed = count["right"], count["false"], count["missed"]
            precision, recall = right / max(1, right + false), right / max(1, right + missed)
            print(f"| {kind} | {right + missed} | {precision:.3f} | {recall:.3f} |")


if __name__ == "__main__":
    main()
