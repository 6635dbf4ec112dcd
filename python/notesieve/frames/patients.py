"""Patients of rows, made from the columns of a frame."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from notesieve._core import Patient
from notesieve.errors import FrameError, PatientError

if TYPE_CHECKING:
    from notesieve._core import Key

RowPatient: TypeAlias = Patient | bool | None
"""The patient of a row; None if nothing is known; False if a value cannot be used, so that the row is masked."""

_FIELDS = ("names", "mrn", "birth_date", "phones", "addresses", "other")

# Parts of column names and the fields they indicate; the first match wins.
_COLUMN_NAME_HINTS = (
    ("birth", "birth_date"), ("dob", "birth_date"), ("name", "names"), ("phone", "phones"), ("fax", "phones"),
    ("mobile", "phones"), ("address", "addresses"), ("street", "addresses"), ("mrn", "mrn"), ("record", "mrn"),
)  # fmt: skip


def known_fields(known: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    """Return the field of `Patient` for each column, from the mapping or from the column's name.

    Examples
    --------
    >>> known_fields(["last_name", "dob", "home_phone", "employer"])
    {'last_name': 'names', 'dob': 'birth_date', 'home_phone': 'phones', 'employer': 'other'}
    """
    if isinstance(known, str):
        raise FrameError("known must be a list of columns, not one text")
    if isinstance(known, Mapping):
        wrong = [field for field in known.values() if field not in _FIELDS]
        if wrong:
            raise FrameError(f"a patient has no field {wrong[0]!r}: take one of {', '.join(_FIELDS)}")
        return dict(known)
    return {
        name: next(
            (field for sign, field in _COLUMN_NAME_HINTS if sign in name.lower()), name if name in _FIELDS else "other"
        )
        for name in known
    }


def patients_of_rows(
    patient: Sequence[Any] | None, known: Mapping[str, Sequence[Any]], fields: Mapping[str, str]
) -> list[RowPatient]:
    """Make the patient of each row; equal rows share one.

    Parameters
    ----------
    patient : sequence, optional
        The patient identifier of each row.
    known : mapping of str to sequence
        The known data, by column.
    fields : mapping of str to str
        The field of `Patient` for each column.

    Returns
    -------
    list of RowPatient
        A patient; ``None`` if nothing is known; ``False`` if a value cannot be used, in which case the row must be
        masked.
    """
    columns = [patient or [], *known.values()]
    rows = max(len(column) for column in columns)
    made: dict[Any, RowPatient] = {}
    result = []
    for row in range(rows):
        values = tuple(comparable_value(column[row]) if row < len(column) else None for column in columns)
        if values not in made:
            made[values] = _row_patient(values[0], zip(known, values[1:], strict=True), fields)
        result.append(made[values])
    return result


def _row_patient(identifier: Any, known: Iterable[tuple[str, Any]], fields: Mapping[str, str]) -> RowPatient:
    """Make the patient of one row from its identifier and the values of its columns."""
    given: dict[str, Any] = {}
    for name, value in known:
        field = fields[name]
        if value is None:
            continue
        if field in ("mrn", "birth_date"):
            given[field] = value
            continue
        values = [item for item in (value if isinstance(value, tuple) else (value,)) if item is not None]
        if not all(isinstance(item, (str, int, dt.date)) for item in values):
            return False
        given.setdefault(field, []).extend(map(str, values))
    if identifier is None and not given:
        return None
    try:
        return Patient(identifier, **given)
    except (PatientError, TypeError):
        return False


def comparable_value(value: Any) -> Any:
    """Normalise a value of any library for comparison: missing values become None, integral numbers int.

    Values that are neither text, number, date nor a list of them cannot describe a patient and become their class.

    Examples
    --------
    >>> comparable_value(17.0), comparable_value(float("nan")), comparable_value(b"17")
    (17, None, <class 'bytes'>)
    """
    if isinstance(value, str):
        return value or None
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        return tuple(comparable_value(item) for item in value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return value.__class__
    try:
        if value is None or value != value:  # nan, NaT
            return None
        if isinstance(value, dt.datetime):
            return value.date()
        if isinstance(value, (int, dt.date)):
            return value
        whole = int(value)
    except (TypeError, ValueError, ArithmeticError):
        return value.__class__
    return whole if whole == value else str(value)


def pseudonyms_of_rows(key: Key, patient: Sequence[Any]) -> list[str | None]:
    """Return the pseudonym of each row's patient, equal for all rows of a patient; None for a row without one."""
    made: dict[Any, str | None] = {None: None}
    result = []
    for value in patient:
        identifier = comparable_value(value)
        if identifier not in made:
            # An unusable identifier masks the whole row, so that it needs no pseudonym.
            usable = isinstance(identifier, (str, int))
            made[identifier] = key.pseudonym("patient", str(identifier)) if usable else None
        result.append(made[identifier])
    return result
