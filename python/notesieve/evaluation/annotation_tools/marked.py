"""What the formats of annotation tools have in common: one reader's marks of one note."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from notesieve.files.reading_errors import reading

__all__ = [
    "LABEL_FEATURES",
    "OPTIONAL",
    "Marked",
    "MarkedNote",
    "ReadNotes",
    "Rows",
    "Tool",
    "check_spans",
    "code_points",
    "is_optional",
    "label_of",
    "overruled",
    "private",
    "span_of_label",
    "utf16_units",
]

Rows: TypeAlias = list[dict[str, Any]]


class Marked(Protocol):
    """Texts by document, and what was marked in them: a `Gold`."""

    @property
    def notes(self) -> dict[str, str]:
        """The texts."""

    @property
    def spans(self) -> dict[str, Rows]:
        """The marked spans."""


LABEL_FEATURES = ("value", "label", "category", "kind")
"""What the feature of a layer that holds the label is called, the likeliest first."""

OPTIONAL = frozenset(
    {
        "DATE/YEAR", "DATE/DAYOFWEEK", "DATE/SEASON", "LOCATION/STATE", "LOCATION/COUNTRY",
        "LOCATION/HOSPITAL_GENERIC", "PROFESSION/PROFESSION", "AGE/AGE",
    }
)  # fmt: skip
"""The labels of what may stay; those of ``crates/evaluation/src/label_maps.toml``."""


@dataclass(frozen=True, repr=False)
class MarkedNote:
    """A note with the marks of one reader; the name of the reader is empty where a format has none."""

    doc: str
    text: str
    reader: str
    spans: Rows
    file: str
    line: int = 0


@dataclass(repr=False)
class ReadNotes:
    """What was read of a file or folder, and what was left out."""

    notes: list[MarkedNote] = field(default_factory=list)
    problems: Rows = field(default_factory=list)

    def leave_out(self, file: str, line: int, problem: str) -> None:
        """Note what was left out, and why."""
        self.problems.append({"file": file, "line": line, "problem": problem})

    def add(self, note: MarkedNote) -> None:
        """Add a note if its spans lie in its text."""
        problem = check_spans(note)
        if problem:
            self.leave_out(note.file, note.line, problem)
        else:
            self.notes.append(note)


@dataclass(frozen=True)
class Tool:
    """A format: how it is told, read and written. `write` gives what the format cannot hold."""

    matches: Callable[[Path], bool]
    read: Callable[[Path], ReadNotes]
    write: Callable[[Marked, Path], list[str]]


def is_optional(span: Mapping[str, Any]) -> bool:
    """Return whether a span may stay."""
    return span.get("hipaa") is False


def label_of(span: Mapping[str, Any]) -> str:
    """Give the label of a span, ``CATEGORY/SUBTYPE``.

    Examples
    --------
    >>> label_of({"category": "NAME", "subtype": "PATIENT"}), label_of({"category": "DATE"})
    ('NAME/PATIENT', 'DATE')
    """
    subtype = span.get("subtype") or ""
    return f"{span['category']}/{subtype}" if subtype else str(span["category"])


def span_of_label(start: int, end: int, label: str, *, hipaa: bool | None = None) -> dict[str, Any]:
    """Make a span of a label; whether it may stay is what its label says, if nothing else does.

    Examples
    --------
    >>> span_of_label(0, 4, "DATE/YEAR")
    {'start': 0, 'end': 4, 'category': 'DATE', 'subtype': 'YEAR', 'hipaa': False}
    """
    category, _, subtype = label.partition("/")
    required = label not in OPTIONAL if hipaa is None else hipaa
    return {"start": start, "end": end, "category": category, "subtype": subtype, "hipaa": required}


def overruled(gold: Marked) -> bool:
    """Return whether a span may stay or must go against what its label says."""
    spans = (span for found in gold.spans.values() for span in found)
    return any(is_optional(span) != (label_of(span) in OPTIONAL) for span in spans)


def check_spans(note: MarkedNote) -> str | None:
    """Say what is wrong with the spans of a note, without a word of it."""
    for at, span in enumerate(note.spans, 1):
        start, end = span["start"], span["end"]
        whole = all(isinstance(place, int) and not isinstance(place, bool) for place in (start, end))
        if not whole or not 0 <= start < end <= len(note.text):
            return f"annotation {at} of the note does not lie in its text"
        if not span["category"]:
            return f"annotation {at} of the note has no label"
    note.spans.sort(key=lambda span: (span["start"], span["end"]))
    return None


def code_points(text: str, units: Iterable[int]) -> dict[int, int]:
    r"""Turn offsets in UTF-16 code units, as Java and JavaScript count, into code points.

    Offsets inside a code point or beyond the text are missing in the result.

    Examples
    --------
    >>> code_points("a\U0001f600b", [0, 1, 2, 3, 4])
    {0: 0, 1: 1, 3: 2, 4: 3}
    """
    wanted = set(units)
    found, at = {}, 0
    for place, letter in enumerate(text):
        if at in wanted:
            found[at] = place
        at += 2 if ord(letter) > 0xFFFF else 1
    if at in wanted:
        found[at] = len(text)
    return found


def utf16_units(text: str) -> int:
    """Count the UTF-16 code units of a text."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def private(path: Path, content: str) -> None:
    """Write a file that holds originals: it is its owner's alone."""
    with reading(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content.encode("utf-8", "surrogatepass"))
