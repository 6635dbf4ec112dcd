"""Columns of dates: shifted like the notes of their patient, and left unshifted only with permission."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from notesieve.errors import FrameError

if TYPE_CHECKING:
    from notesieve._core import Scrubber
    from notesieve.frames.column_plan import Plan
    from notesieve.frames.patients import RowPatient

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
_DATE_START = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)\b|(?:19|20)\d{6}\b")

# The number of values inspected to find out whether a column of strings contains dates.
_INSPECTED_VALUES = 1000


def refuse_unshifted_dates(scrubber: Scrubber, plan: Plan, values: Callable[[str], Sequence[Any]]) -> None:
    """Raise if a column of dates would be kept unshifted next to shifted notes: one such date reveals the shift.

    Raises
    ------
    FrameError
        If there is a column that `plan` does not allow, or if columns are to be shifted and the notes are not.
    """
    shifts = scrubber.policy.dates == "shift"
    if plan.dates and not (shifts and plan.patient is not None):
        message = "dates= moves columns by the shift of the notes: it needs the policy's dates='shift', and patient="
        raise FrameError(message)
    if not shifts:
        return
    for name in plan.kept:
        if name not in (*plan.dates, *plan.unshifted_dates) and _holds_dates(values(name)):
            raise FrameError(
                f"the column {name!r} holds dates, and beside shifted notes it tells their shift: move it with "
                f"dates=[{name!r}], or allow it with unshifted_dates=[{name!r}]"
            )


def _holds_dates(values: Sequence[Any]) -> bool:
    known = islice((value for value in values if value is not None), _INSPECTED_VALUES)
    return any(isinstance(value, dt.date) or (isinstance(value, str) and _DATE_START.match(value)) for value in known)


def shift_dates(
    scrubber: Scrubber, values: Sequence[Any], patients: Sequence[RowPatient] | None, column: str
) -> list[Any]:
    """Shift the dates of a column, each by the shift of its patient. Dates without a patient become None.

    Raises
    ------
    FrameError
        If a value is neither a date nor a string that begins with one in ISO form, such as ``2021-03-01 07:16``.
    """
    days: dict[str, dt.timedelta] = {}
    result: list[Any] = []
    for value, patient in zip(values, patients or [None] * len(values), strict=True):
        identifier = getattr(patient, "id", None)
        if value is None or value != value or identifier is None:
            result.append(None)
            continue
        if identifier not in days:
            days[identifier] = dt.timedelta(days=scrubber._shift_days(identifier) or 0)
        result.append(_shift_value(value, days[identifier], column))
    return result


def _shift_value(value: Any, by: dt.timedelta, column: str) -> Any:
    """Shift a date, or the ISO date at the start of a string; None if the date is invalid or out of range."""
    try:
        if isinstance(value, dt.date):
            return value + by
        found = _ISO.match(value) if isinstance(value, str) else None
        if found is not None:
            return (dt.date(*map(int, found.groups())) + by).isoformat() + value[found.end() :]
    except (ValueError, OverflowError):
        return None  # an invalid date, or out of range
    message = f"the column {column!r} has values that are no dates: take a column of dates, or texts like 2021-03-01"
    raise FrameError(message)
