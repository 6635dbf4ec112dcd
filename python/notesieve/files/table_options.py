"""Options for reading files of rows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from notesieve.errors import SettingError
from notesieve.files.reading_errors import as_file_errors
from notesieve.frames.column_plan import OUTPUTS, Plan
from notesieve.frames.excluded import ExcludedPatients


@dataclass(frozen=True)
class TableOptions:
    """Options for reading files of rows.

    Parameters
    ----------
    text : str
        The column or field with the note.
    id : str, optional
        A column that identifies the note; it is written unchanged.
    keep : tuple of str
        Further columns to write unchanged.
    patient : str, optional
        A column that distinguishes patients.
    known : tuple of str
        Columns with known data of the patient.
    outputs : tuple of str
        The outputs to write; see `Scrubber.scrub_frame`.
    separator : str, optional
        The field separator of a CSV: one character. Default: a tab in ``.tsv``; otherwise the comma, semicolon, tab or
        bar that yields the column with the note in the header.
    dates, unshifted_dates : tuple of str
        Columns of dates to shift with the notes, or to write unchanged; see `Scrubber.scrub_frame`.
    findings : str, optional
        A column with the findings of other systems in the note, a list in JSON; see `Scrubber.scrub_frame`.
    exclude_patients : ExcludedPatients, optional
        Patients whose rows are left out, identified by the column `patient`.
    """

    text: str = "text"
    id: str | None = None
    keep: tuple[str, ...] = ()
    patient: str | None = None
    known: tuple[str, ...] = ()
    outputs: tuple[str, ...] = OUTPUTS
    separator: str | None = None
    dates: tuple[str, ...] = ()
    unshifted_dates: tuple[str, ...] = ()
    findings: str | None = None
    exclude_patients: ExcludedPatients | None = None

    def __post_init__(self) -> None:
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '\r\n"'):
            raise SettingError("a separator is one character, such as ; or a tab, and no quotation mark")
        if self.exclude_patients is not None and self.patient is None:
            raise SettingError("to leave out patients, name the column that tells patients apart (--patient)")

    def check_notes(self, single: int) -> None:
        """Raise if patients are to be left out and some inputs have no patient column.

        Parameters
        ----------
        single : int
            The number of inputs that are a single note or message.

        Raises
        ------
        SettingError
            If there are such inputs.
        """
        if single and self.exclude_patients is not None:
            raise SettingError(
                f"patients are left out of files of rows alone: {single} inputs are notes without a patient column"
            )

    def plan(self, names: Sequence[str] | None) -> Plan:
        """Return which columns of a file are read and which are written."""
        if names is None:
            asked = [self.id, *self.keep, *self.dates, *self.unshifted_dates, self.text, self.patient, *self.known]
            asked.append(self.findings)
            names = list(dict.fromkeys(name for name in asked if name is not None))
        columns: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        del columns["separator"]
        return Plan(names, **columns)


def read_excluded(path: str | os.PathLike[str]) -> ExcludedPatients:
    r"""Read a file with the patients whose rows are to be left out, one identifier per line.

    Raises
    ------
    FileError
        If the file cannot be read.
    FrameError
        If it contains no identifiers.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "refused.txt").write_text("17\n23\n")
    ...     read_excluded(Path(folder, "refused.txt"))
    ExcludedPatients(2 patients)
    """
    with as_file_errors(Path(path)):
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    return ExcludedPatients(line for line in lines if line.strip())
