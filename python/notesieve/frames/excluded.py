"""Patients to leave out of a run: those who refused, or whom readers of the data would recognise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from notesieve.errors import FrameError
from notesieve.frames.patients import comparable_value
from notesieve.tracebacks import keep_texts_out_of_tracebacks


@keep_texts_out_of_tracebacks
class ExcludedPatients:
    """Patients whose notes are left out.

    A row without a patient could be one of theirs and is left out too. `repr` shows the number of patients, never their
    identifiers.

    Parameters
    ----------
    patients : iterable of str or int
        Their identifiers, as in the column of patients.

    Attributes
    ----------
    rows : int
        The number of rows left out so far.

    Raises
    ------
    FrameError
        If there are none, or one is neither a string nor an integer.

    Examples
    --------
    >>> excluded = ExcludedPatients(["17", "23"])
    >>> excluded.kept_rows([17, "18", None])
    [False, True, False]
    >>> excluded.rows, excluded
    (2, ExcludedPatients(2 patients))
    """

    def __init__(self, patients: Iterable[object]) -> None:
        named = [] if isinstance(patients, (str, bytes)) else [_comparable_identifier(value) for value in patients]
        self._identifiers = {value for value in named if value is not None}
        if not named or None in named:
            message = "exclude_patients: must be a list of identifiers, each a text or a whole number, and not empty"
            raise FrameError(message)
        self._met: set[str] = set()
        self.rows = 0

    def __len__(self) -> int:
        """Return the number of patients."""
        return len(self._identifiers)

    def kept_rows(self, column: Sequence[Any]) -> list[bool]:
        """Return for each row whether it stays, and count those that do not.

        Parameters
        ----------
        column : sequence
            The patient identifier of each row.
        """
        known = [_comparable_identifier(value) for value in column]
        stays = [value is not None and value not in self._identifiers for value in known]
        self._met.update(value for value in known if value in self._identifiers and value is not None)
        self.rows += stays.count(False)
        return stays

    def unmet_warnings(self) -> list[str]:
        """Return a warning with the number of patients without a row, whose identifiers may be written differently."""
        unmet = len(self._identifiers - self._met)
        return [f"{unmet} of {len(self._identifiers)} patients to exclude have no row"] * bool(unmet)

    def __repr__(self) -> str:
        """Return a repr with the number of patients."""
        return f"ExcludedPatients({len(self._identifiers)} patients)"


def _comparable_identifier(value: object) -> str | None:
    found = comparable_value(value)
    return str(found).strip() or None if isinstance(found, (str, int)) else None
