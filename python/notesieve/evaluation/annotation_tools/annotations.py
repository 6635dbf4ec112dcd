"""Common types and helpers of the annotation tool formats: a note with the annotations of one person."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from notesieve.files.reading_errors import as_file_errors

Rows: TypeAlias = list[dict[str, Any]]


class AnnotatedNotes(Protocol):
    """Texts by document, and the annotated spans in them: a `Gold`."""

    @property
    def notes(self) -> dict[str, str]:
        """The texts by document."""

    @property
    def spans(self) -> dict[str, Rows]:
        """The annotated spans by document."""


NOISE_LOSS = "noise and clean (the damage of deliberately damaged spans)"
"""What no format of a tool can hold."""

OPTIONAL_LABELS = frozenset(
    {
        "DATE/YEAR", "DATE/DAYOFWEEK", "DATE/SEASON", "LOCATION/STATE", "LOCATION/COUNTRY",
        "LOCATION/HOSPITAL_GENERIC", "PROFESSION/PROFESSION", "AGE/AGE",
    }
)  # fmt: skip
"""The labels of what may stay; those of ``crates/evaluation/src/label_maps.toml``."""


@dataclass(frozen=True, repr=False)
class AnnotatedNote:
    """A note with the annotations of one person.

    Attributes
    ----------
    doc : str
        The name of the note.
    text : str
        The original text.
    annotator : str
        Who annotated it; empty if the format does not say.
    spans : list of dict
        The annotated spans, as in `Gold`.
    file : str
        Where it was read.
    line : int
        The line or task in the file, from 1; 0 if the note is the whole file.
    """

    doc: str
    text: str
    annotator: str
    spans: Rows
    file: str
    line: int = 0


@dataclass(repr=False)
class LoadedNotes:
    """The notes of an export that could be read, and what was skipped.

    Attributes
    ----------
    notes : list of AnnotatedNote
        One for each note and annotator.
    problems : list of dict
        What was skipped: ``file``, ``line`` and ``problem``, which contains no note text.
    """

    notes: list[AnnotatedNote] = field(default_factory=list)
    problems: Rows = field(default_factory=list)

    def skip(self, file: str, line: int, problem: str) -> None:
        """Record in `problems` that a file or a part of it is skipped, with the reason."""
        self.problems.append({"file": file, "line": line, "problem": problem})

    def add(self, note: AnnotatedNote) -> None:
        """Add a note; skip it if a span is outside its text or has no label."""
        problem = check_spans(note)
        if problem:
            self.skip(note.file, note.line, problem)
        else:
            self.notes.append(note)


@dataclass(frozen=True)
class Tool:
    """The format of an annotation tool.

    Attributes
    ----------
    matches : callable
        Returns whether a file or folder is of this format.
    read : callable
        Loads the notes of a file or folder. A malformed file, line or task is skipped and listed in `problems`. Raises
        `GoldError` if there is no file of the format, and `FileError` if a file cannot be read.
    write : callable
        Writes annotated notes to a path, readable by their owner only; returns what the format cannot represent.
    """

    matches: Callable[[Path], bool]
    read: Callable[[Path], LoadedNotes]
    write: Callable[[AnnotatedNotes, Path], list[str]]


def is_optional(span: Mapping[str, Any]) -> bool:
    """Return whether this span may stay in the output without counting as a leak."""
    return span.get("hipaa") is False


def label_of(span: Mapping[str, Any]) -> str:
    """Return the label of a span, ``CATEGORY/SUBTYPE``.

    Examples
    --------
    >>> label_of({"category": "NAME", "subtype": "PATIENT"}), label_of({"category": "DATE"})
    ('NAME/PATIENT', 'DATE')
    """
    subtype = span.get("subtype") or ""
    return f"{span['category']}/{subtype}" if subtype else str(span["category"])


def span_of_label(start: int, end: int, label: str, *, hipaa: bool | None = None) -> dict[str, Any]:
    """Return a span with a label. If `hipaa` is None, the label decides whether it is optional (``hipaa`` false).

    Examples
    --------
    >>> span_of_label(0, 4, "DATE/YEAR")
    {'start': 0, 'end': 4, 'category': 'DATE', 'subtype': 'YEAR', 'hipaa': False}
    """
    category, _, subtype = label.partition("/")
    required = label not in OPTIONAL_LABELS if hipaa is None else hipaa
    return {"start": start, "end": end, "category": category, "subtype": subtype, "hipaa": required}


def losses_with_labels_alone(gold: AnnotatedNotes) -> list[str]:
    """Return what a format with only a label per span cannot represent."""
    spans = (span for found in gold.spans.values() for span in found)
    differs = any(is_optional(span) != (label_of(span) in OPTIONAL_LABELS) for span in spans)
    return [NOISE_LOSS, *["optional spans (`hipaa`) whose label does not say so"] * differs]


def check_spans(note: AnnotatedNote) -> str | None:
    """Return the problem with the spans of a note, without any of its text, or None; sort the spans by position."""
    for at, span in enumerate(note.spans, 1):
        start, end = span["start"], span["end"]
        whole = all(isinstance(place, int) and not isinstance(place, bool) for place in (start, end))
        if not whole or not 0 <= start < end <= len(note.text):
            return f"annotation {at} of the note does not lie in its text"
        if not span["category"]:
            return f"annotation {at} of the note has no label"
    note.spans.sort(key=lambda span: (span["start"], span["end"]))
    return None


def code_point_offsets(text: str, units: Iterable[int]) -> dict[int, int]:
    r"""Return offsets in UTF-16 code units, as Java and JavaScript count, mapped to code points.

    Offsets inside a code point or beyond the text are not in the result.

    Examples
    --------
    >>> code_point_offsets("a\U0001f600b", [0, 1, 2, 3, 4])
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


def count_utf16_units(text: str) -> int:
    """Count the UTF-16 code units of a text."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def utf16_offsets(text: str) -> list[int]:
    """Return the offset of each code point, and of the end, in UTF-16 code units."""
    return list(accumulate(map(count_utf16_units, text), initial=0))


def write_private(path: Path, content: str) -> None:
    """Write a file of original notes, readable by its owner only (mode 600)."""
    with as_file_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content.encode("utf-8", "surrogatepass"))
