"""Input of an index: notes that a scrubber made, or a frame of de-identified texts, with their identifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import Any

from notesieve._core import ScrubbedBatch, ScrubbedNote
from notesieve.batches import batches
from notesieve.errors import SearchIndexError
from notesieve.files.row_files import is_utf8
from notesieve.index.note_attributes import is_missing

# The number of notes written at once.
_BATCH_SIZE = 1024

Notes = ScrubbedBatch | list[ScrubbedNote]

# The metadata of a note: identifiers or pseudonyms of note and patient, type and year.
NoteRow = tuple[str, str, str | None, int | None]

# A row, or the code of the problem with it.
RowOrProblem = NoteRow | str


def is_frame(notes: object) -> bool:
    """Return whether this is a frame (pandas, polars, Arrow, a dict of columns), not a sequence of notes."""
    return isinstance(notes, Mapping) or hasattr(notes, "__arrow_c_stream__") or hasattr(notes, "columns")


def batches_from_notes(
    notes: Iterable[object],
    note_id: Iterable[object] | str | None,
    patient_id: Iterable[object] | str | None,
    note_type: Iterable[object] | str | None,
    year: Iterable[object] | str | None,
    provenance: Mapping[str, str | None],
) -> Iterator[tuple[Notes, list[RowOrProblem]]]:
    """Yield scrubbed notes in batches, with their values from the other arguments."""
    if note_id is None or patient_id is None:
        raise SearchIndexError("notes need `note_id` and `patient_id`, one value a note")
    named = (("note_id", note_id), ("patient_id", patient_id), ("note_type", note_type), ("year", year))
    columns = [None if column is None else iter(reject_column_name(name, column)) for name, column in named]
    at = 0
    for some in _note_batches(notes, provenance):
        values = [None if column is None else list[Any]() for column in columns]
        broken: Exception | None = None
        for column, taken in zip(columns, values, strict=True):
            if column is None or taken is None:
                continue
            try:
                taken.extend(islice(column, len(some)))
            except Exception as problem:  # noqa: BLE001 - raised where the notes before it are through
                broken = broken or problem
        # If values end early or cannot be read, the notes before that are still added.
        have = min([len(some), *(len(taken) for taken in values if taken is not None)])
        values = [None if taken is None else taken[:have] for taken in values]
        rows = _rows_if_all_valid(values, have)
        if rows is None:
            rows = [
                _checked_row(*(None if taken is None else taken[place] for taken in values)) for place in range(have)
            ]
        if have == len(some):
            yield some, rows
        elif have:
            yield some[:have], rows
        if broken is not None:
            raise broken
        if have < len(some):
            _raise_too_few_values(at + have)
        at += have
    ended = object()
    if any(column is not None and next(column, ended) is not ended for column in columns):
        raise SearchIndexError(f"there are more identifiers, types or years than the {at} notes")


def _note_batches(notes: Iterable[object], provenance: Mapping[str, str | None]) -> Iterator[Notes]:
    """Yield notes in batches. Notes of a `ScrubbedBatch` are not turned into Python objects."""
    if not isinstance(notes, ScrubbedBatch):
        yield from batches(_checked_notes(notes, provenance), _BATCH_SIZE)
        return
    if notes.provenance != provenance:
        _raise_foreign_note(0)
    for at in range(0, len(notes), _BATCH_SIZE):
        yield notes[at : at + _BATCH_SIZE]


def _checked_notes(notes: Iterable[object], provenance: Mapping[str, str | None]) -> Iterator[ScrubbedNote]:
    """Yield the notes; raise for anything but a note of the scrubber of the index."""
    for at, note in enumerate(notes):
        if not isinstance(note, ScrubbedNote):
            message = f"item {at} is of type {type(note).__name__}, no ScrubbedNote; texts of a frame go in as a frame"
            raise SearchIndexError(message)
        if note.provenance != provenance:
            _raise_foreign_note(at)
        yield note


def _rows_if_all_valid(columns: Sequence[list[Any] | None], count: int) -> list[RowOrProblem] | None:
    """Return rows of columns that need no conversion, as nearly all do; None if one needs conversion or is invalid.

    This checks whole columns, because checking each value would cost as much as indexing.
    """
    if any(column is not None and len(column) < count for column in columns):
        return None
    notes, patients, types, years = columns
    for names in (notes, patients):
        if names is None or set(map(type, names)) != {str} or "" in names or not "".join(names).isascii():
            return None
    if types is not None and (not set(map(type, types)) <= {str, type(None)} or "" in types):
        return None
    if types is not None and not "".join(set(filter(None, types))).isascii():
        return None
    if years is not None:
        if not set(map(type, years)) <= {int, type(None)}:
            return None
        if not all(year is None or 1000 <= year <= 9999 for year in set(years)):
            return None
    if notes is None or patients is None:
        return None
    return list(zip(notes, patients, types or [None] * count, years or [None] * count, strict=True))


def batches_from_frame(frame: Any, names: Mapping[str, object]) -> Iterator[tuple[Sequence[str], list[RowOrProblem]]]:
    """Yield the de-identified texts of a frame in batches, with their values from the other columns.

    `names` maps ``text``, ``note_id``, ``patient_id``, ``note_type`` and ``year`` to columns.
    """
    text = names["text"]
    columns = []
    for name in (text, names["note_id"], names["patient_id"], names["note_type"], names["year"]):
        if name is not None and not isinstance(name, str):
            raise SearchIndexError("of a frame, note_id, patient_id, note_type and year are names of columns")
        columns.append(None if name is None else column_of_frame(frame, name))
    for some in batches(_texts_and_rows(columns), _BATCH_SIZE):
        yield [written for written, _ in some], [row for _, row in some]


def _texts_and_rows(columns: Iterable[Iterable[object] | None]) -> Iterator[tuple[str, RowOrProblem]]:
    """Yield each text with its row, or an empty text and the problem code if the value is not a text."""
    for written, *values in zip(*(column if column is not None else repeat(None) for column in columns), strict=False):
        yield (written, _checked_row(*values)) if isinstance(written, str) else ("", "type")


def reject_column_name(name: str, column: Iterable[object] | str) -> Iterable[object]:
    """Return a column unchanged; raise if it is a name although the notes are not a frame."""
    if isinstance(column, str):
        raise SearchIndexError(f"`{name}` names a column, but the notes are no frame; give one value a note")
    return column


def column_of_frame(frame: Any, name: object) -> Sequence[object]:
    """Return a column of a frame as a list."""
    if not isinstance(name, str):
        raise SearchIndexError("of a frame, columns are given by their names")
    known = list(frame) if isinstance(frame, Mapping) else list(getattr(frame, "column_names", None) or frame.columns)
    if name not in known:
        raise SearchIndexError(f"there is no column {name!r}; the frame has: {', '.join(map(str, known))}")
    column = frame[name]
    for method in ("to_pylist", "to_list"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _raise_too_few_values(at: int) -> None:
    """Raise the error for a column that ends before the notes do."""
    raise SearchIndexError(f"there are fewer identifiers, types or years than notes: {at} values for note {at}")


def _raise_foreign_note(at: int) -> None:
    raise SearchIndexError(
        f"the note at index {at} was made by another version, vocabulary, policy or key than that of the index; "
        "scrub it with the index's scrubber, or open the index with that other scrubber and mix=True"
    )


def _checked_row(note: object, patient: object, kind: object, year: object) -> RowOrProblem:
    """Return the row of a note, or the code of the problem with one of its values."""
    for name, value in (("note_id", note), ("patient_id", patient)):
        if is_missing(value):
            return name
    try:
        number = None if is_missing(year) else int(year)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return "year"
    if number is not None and not 1000 <= number <= 9999:
        return "year"
    made = (str(note), str(patient), None if is_missing(kind) else str(kind))
    # A lone surrogate, which JSON allows, cannot be encoded as UTF-8.
    return (*made, number) if all(one is None or is_utf8(one) for one in made) else "utf-8"
