"""What may go into an index: notes that a scrubber made, or a frame of de-identified texts, with their identifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from notesieve._core import ScrubbedBatch, ScrubbedNote
from notesieve.errors import SearchIndexError

__all__ = ["Row", "from_frame", "from_notes", "is_frame", "portions"]

# Notes that are written at once.
_AHEAD = 1024

Item = TypeVar("Item")


class Row(NamedTuple):
    """What is known of a note beside its text: identifiers or pseudonyms of note and patient, type and year."""

    note: str
    patient: str
    note_type: str | None
    year: int | None


def portions(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Give some items at a time. Where the next cannot be had, those before it come first, and then the error.

    Examples
    --------
    >>> list(portions("abc"))
    [['a', 'b', 'c']]
    """
    ahead: list[Item] = []
    try:
        for item in items:
            ahead.append(item)
            if len(ahead) == _AHEAD:
                yield ahead
                ahead = []
    except Exception:
        if ahead:
            yield ahead
        raise
    if ahead:
        yield ahead


def is_frame(notes: object) -> bool:
    """Tell a frame (pandas, polars, Arrow, a dict of columns) from a sequence of notes."""
    return isinstance(notes, Mapping) or hasattr(notes, "__arrow_c_stream__") or hasattr(notes, "columns")


def from_notes(
    notes: Iterable[object],
    note_id: Iterable[object] | str | None,
    patient_id: Iterable[object] | str | None,
    note_type: Iterable[object] | str | None,
    year: Iterable[object] | str | None,
    provenance: Mapping[str, str | None],
) -> Iterator[tuple[ScrubbedNote, Row]]:
    """Give the notes that came out of a scrubber, each with its values from the other arguments."""
    if note_id is None or patient_id is None:
        raise SearchIndexError("notes need `note_id` and `patient_id`, one value a note")
    columns = [
        _values(name, column)
        for name, column in (("note_id", note_id), ("patient_id", patient_id), ("note_type", note_type), ("year", year))
    ]
    whole = isinstance(notes, ScrubbedBatch)
    if isinstance(notes, ScrubbedBatch) and notes.provenance != provenance:
        _foreign(0)
    ended = object()
    rows = [iter(column) if column is not None else None for column in columns]
    at = -1
    for at, note in enumerate(notes):
        if not isinstance(note, ScrubbedNote):
            message = f"item {at} is of type {type(note).__name__}, no ScrubbedNote; texts of a frame go in as a frame"
            raise SearchIndexError(message)
        if not whole and note.provenance != provenance:
            _foreign(at)
        values = [None if row is None else next(row, ended) for row in rows]
        if ended in values:
            message = f"there are fewer identifiers, types or years than notes: {at} values for note {at}"
            raise SearchIndexError(message)
        yield note, _row(at, *values)
    if any(row is not None and next(row, ended) is not ended for row in rows):
        message = f"there are more identifiers, types or years than the {at + 1} notes"
        raise SearchIndexError(message)


def from_frame(frame: Any, names: Mapping[str, object]) -> Iterator[tuple[str, Row]]:
    """Give the de-identified texts of a frame, each with its values from the other columns.

    `names` tells the columns of ``text``, ``note_id``, ``patient_id``, ``note_type`` and ``year``.
    """
    text = names["text"]
    columns = []
    for name in (text, names["note_id"], names["patient_id"], names["note_type"], names["year"]):
        if name is not None and not isinstance(name, str):
            raise SearchIndexError("of a frame, note_id, patient_id, note_type and year are names of columns")
        columns.append(None if name is None else _column(frame, name))
    rows = zip(*(column if column is not None else _nothing() for column in columns), strict=False)
    for at, (written, *values) in enumerate(rows):
        if not isinstance(written, str):
            message = f"row {at} has no text but {type(written).__name__} in the column {text!r}"
            raise SearchIndexError(message)
        yield written, _row(at, *values)


def _nothing() -> Iterator[None]:
    while True:
        yield None


def _values(name: str, column: Iterable[object] | str | None) -> Iterable[object] | None:
    if isinstance(column, str):
        message = f"`{name}` names a column, but the notes are no frame; give one value a note"
        raise SearchIndexError(message)
    return column


def _column(frame: Any, name: str) -> Sequence[object]:
    known = list(frame) if isinstance(frame, Mapping) else list(getattr(frame, "column_names", None) or frame.columns)
    if name not in known:
        message = f"there is no column {name!r}; the frame has: {', '.join(map(str, known))}"
        raise SearchIndexError(message)
    column = frame[name]
    for method in ("to_pylist", "to_list"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _foreign(at: int) -> None:
    message = (
        f"the note at index {at} was made by another version, vocabulary, policy or key than that of the index; "
        "scrub it with the index's scrubber, or open the index with that other scrubber and mix=True"
    )
    raise SearchIndexError(message)


def _row(at: int, note: object, patient: object, kind: object, year: object) -> Row:
    for name, value in (("note_id", note), ("patient_id", patient)):
        # A missing value in pandas is a float that differs from itself.
        if value is None or value == "" or value != value:
            message = f"the note at index {at} has no {name}; without it patients cannot be counted"
            raise SearchIndexError(message)
    missing_type = kind is None or kind != kind or kind == ""
    missing_year = year is None or year != year
    try:
        number = None if missing_year else int(year)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        number = -1
    if number is not None and not 1000 <= number <= 9999:
        message = f"the note at index {at} has a year that is none: it needs a number of four digits"
        raise SearchIndexError(message) from None
    return Row(str(note), str(patient), None if missing_type else str(kind), number)
