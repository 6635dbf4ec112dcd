"""Known data of a site's patients, read from a table, to be removed from their notes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from notesieve._core import Patient
from notesieve.errors import FileError, FrameError, PatientError
from notesieve.files.reading_errors import explain_file_error, is_file_error
from notesieve.frames.columns import import_pyarrow
from notesieve.frames.libraries import open_frame
from notesieve.frames.patients import known_fields, patients_of_rows
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

_LISTS = ("names", "phones", "addresses", "other")


def columns_of(table: HiddenRepr) -> dict[str, HiddenRepr]:
    """Return the columns of a frame of any library as lists."""
    opened = open_frame(table, "drop")
    return {str(name): HiddenRepr(opened.column_values(name)) for name in opened.names}


@keep_texts_out_of_tracebacks
def known_persons(
    table: Any, known: Sequence[str] | Mapping[str, str] | None = None, *, person: str = "person_id"
) -> dict[int, Patient]:
    """Read the known data of persons from a table: names, birth dates, phones, addresses, record numbers.

    Parameters
    ----------
    table : DataFrame, Table, relation, or path-like
        One or several rows per person; a path refers to a Parquet file.
    known : sequence of str, or mapping of str to str, optional
        The columns, as for `Scrubber.scrub_frame`: a mapping assigns each column to a field of `Patient`; otherwise
        the column's name determines the field. Default: all columns but `person`.
    person : str, optional
        The column with the ``person_id``.

    Returns
    -------
    dict of int to Patient
        Patients by ``person_id``, as `scrub_notes` takes them in `patients`.

    Raises
    ------
    FileError
        If the file cannot be read.
    FrameError
        If a column is missing, or a row cannot be used; the message says which.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = {"person_id": [7, 7], "name": ["Rose Winters", "Rose Brown"], "dob": ["1950-02-03", None]}
    >>> known_persons(pd.DataFrame(rows))
    {7: Patient(id, birth_date, 2 names)}
    """
    hidden, table = HiddenRepr(table), None
    if isinstance(hidden.reveal(), str | os.PathLike):
        hidden = _read_parquet(Path(hidden.reveal()))
    columns = columns_of(hidden)
    fields = known_fields([name for name in columns if name != person] if known is None else known)
    missing = [name for name in (person, *fields) if name not in columns]
    if missing:
        raise FrameError(f"the table of persons has no column {missing[0]!r}")
    values = {name: columns[name].reveal() for name in fields}
    found: dict[int, Patient] = {}
    rows = patients_of_rows(columns[person].reveal(), values, fields)
    for at, (identifier, row) in enumerate(zip(columns[person].reveal(), rows, strict=True)):
        try:
            number = int(identifier)
            if not isinstance(row, Patient) or number != identifier:
                raise ValueError
            found[number] = _merge_persons(found[number], row) if number in found else row
        except (TypeError, ValueError, OverflowError, PatientError):
            raise FrameError(
                f"row {at} of the table of persons cannot be used: no person_id, or a value that cannot be looked for"
            ) from None
    return found


def _read_parquet(path: Path) -> HiddenRepr:
    """Read a Parquet table; errors do not quote its contents."""
    import_pyarrow("OMOP")
    from pyarrow import parquet

    try:
        return HiddenRepr(parquet.read_table(path))
    except Exception as problem:
        if not is_file_error(problem):
            raise
        raise FileError(f"{path}: {explain_file_error(problem)}") from None


def _merge_persons(first: Patient, second: Patient) -> Patient:
    """Merge two rows of a person; a second record number is searched for like the first."""
    lists = {name: [*getattr(first, name), *getattr(second, name)] for name in _LISTS}
    lists["other"] += [second.mrn] if second.mrn and second.mrn != first.mrn else []
    return Patient(first.id, mrn=first.mrn or second.mrn, birth_date=first.birth_date or second.birth_date, **lists)
