"""Rows of NOTE: check that required fields are present and of the right type, and that note ids are unique."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from notesieve.errors import FrameError
from notesieve.files.row_files import is_utf8
from notesieve.hidden_repr import HiddenRepr
from notesieve.omop.cdm import NOTE

_REQUIRED = ("note_id", "person_id", "note_date", "note_text")
_TEXTS = ("note_text", "note_title", "note_source_value")
# The model's convention for an unknown concept.
_UNKNOWN = {field.name: 0 for field in NOTE if field.required and field.name.endswith("_concept_id")}


@dataclass(repr=False)
class NoteRow:
    """A row that can be scrubbed: its index in the input, its fields, and its texts, hidden from every repr."""

    at: int
    fields: dict[str, Any]
    text: HiddenRepr
    short: dict[str, HiddenRepr]


class Problem(NamedTuple):
    """A row that is not in the output.

    Attributes
    ----------
    row : int
        The index of the row in the input, from 0.
    code : str
        The reason; `notesieve.errors.EXPLAINED` explains it.
    """

    row: int
    code: str


class _Unusable(Exception):
    """Signals, with a code, why a row cannot be written."""


def read_rows(
    names: Iterable[str], values: Callable[[str], Sequence[Any]], first: int, seen: set[int]
) -> tuple[list[NoteRow], list[Problem], int]:
    """Parse and check rows.

    Parameters
    ----------
    names : iterable of str
        The columns of the input.
    values : callable
        Returns a column as a sequence.
    first : int
        The index of the first row.
    seen : set of int
        The note ids of earlier rows; the ids of these rows are added.

    Returns
    -------
    tuple of (list of NoteRow, list of Problem, int)
        The rows that can be scrubbed, the problems of the others, and the number of rows.

    Raises
    ------
    FrameError
        If a required column without a default is missing, or two columns have the same name.
    """
    lower: dict[str, str] = {}
    for name in names:
        if str(name).lower() in lower:
            raise FrameError(f"the table has two columns {str(name).lower()!r}")
        lower[str(name).lower()] = name
    missing = [name for name in _REQUIRED if name not in lower]
    if missing:
        raise FrameError(f"the table has no column {missing[0]!r}, which NOTE requires")
    columns = {field.name: HiddenRepr(values(lower[field.name])) for field in NOTE if field.name in lower}
    ready: list[NoteRow] = []
    problems: list[Problem] = []
    count = len(columns["note_id"].reveal())
    for place in range(count):
        try:
            row = _parse_row(
                first + place, {name: HiddenRepr(column.reveal()[place]) for name, column in columns.items()}
            )
        except _Unusable as problem:
            problems.append(Problem(first + place, str(problem)))
            continue
        if row.fields["note_id"] in seen:
            problems.append(Problem(row.at, "duplicate"))
            continue
        seen.add(row.fields["note_id"])
        ready.append(row)
    return ready, problems, count


def _parse_row(at: int, given: dict[str, HiddenRepr]) -> NoteRow:
    """Parse and check one row; raise `_Unusable` if it cannot be written."""
    nothing = HiddenRepr(None)
    texts = {name: HiddenRepr(_parse_text_value(given.get(name, nothing))) for name in _TEXTS}
    fields: dict[str, Any] = {}
    for field in NOTE:
        value = given.get(field.name, nothing)
        if field.type == "integer":
            fields[field.name] = _parse_integer(value, 31 if field.name.endswith("_concept_id") else 63)
        elif field.type in ("date", "datetime"):
            fields[field.name] = _parse_date(value, with_time=field.type == "datetime")
    for name in ("note_id", "person_id", "note_date"):
        if fields[name] is None:
            raise _Unusable(name)
    if texts["note_text"].reveal() is None:
        raise _Unusable("null")
    fields |= {name: unknown for name, unknown in _UNKNOWN.items() if fields[name] is None}
    return NoteRow(at, fields, texts.pop("note_text"), texts)


def _is_null(value: Any) -> bool:
    """Return whether a value is missing: None, nan, NaT or a missing value of pandas."""
    # nan and NaT differ from themselves; a comparison with a missing value of pandas has no truth value.
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def _parse_text_value(given: HiddenRepr) -> str | None:
    """Return a text; None if it is missing."""
    if isinstance(given.reveal(), str):
        if not is_utf8(given.reveal()):
            raise _Unusable("utf-8")
        return str(given.reveal())
    if _is_null(given.reveal()):
        return None
    raise _Unusable("type")


def _parse_integer(given: HiddenRepr, bits: int) -> int | None:
    """Return an integer of at most `bits` bits; None if it is missing."""
    if _is_null(given.reveal()):
        return None
    try:
        whole = int(given.reveal()) if not isinstance(given.reveal(), (str, bytes, bool)) else None
    except (TypeError, ValueError, ArithmeticError):
        whole = None
    if whole is None or whole != given.reveal() or not 0 <= whole < 1 << bits:
        raise _Unusable("integer")
    return whole


def _parse_date(given: HiddenRepr, *, with_time: bool) -> dt.date | None:
    """Return a date, or a date with time; None if it is missing."""
    value = given.reveal()
    if _is_null(value):
        return None
    try:
        found = dt.datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        found = None
    if isinstance(found, dt.datetime):
        # Also for pandas, whose timestamps have nanoseconds: keep microseconds only.
        plain = dt.datetime(*found.timetuple()[:6], microsecond=found.microsecond)
        return plain if with_time else plain.date()
    if isinstance(found, dt.date):
        return dt.datetime.combine(found, dt.time()) if with_time else found
    raise _Unusable("note_date")
