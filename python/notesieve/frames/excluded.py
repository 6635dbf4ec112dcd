"""Patients whose notes are left out of a run: those who refused, or whom readers of the data would recognise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from notesieve.errors import FrameError
from notesieve.frames.patients import comparable_value
from notesieve.tracebacks import without_texts


@without_texts
class ExcludedPatients:
    """Patients whose notes are left out.

    A row that does not say whose it is could be one of theirs: it is left out too. `repr` tells how many patients there
    are, never which.

    Parameters
    ----------
    patients : iterable of str or int
        Their identifiers, as the column of patients has them.

    Attributes
    ----------
    rows : int
        How many rows were left out so far.

    Raises
    ------
    FrameError
        If there is none, or one that is neither a text nor a whole number.

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
        """How many patients there are."""
        return len(self._identifiers)

    def kept_rows(self, column: Sequence[Any]) -> list[bool]:
        """Say of each row whether it stays, and count those that do not.

        Parameters
        ----------
        column : sequence
            The identifier of the patient of each row.
        """
        known = [_comparable_identifier(value) for value in column]
        stays = [value is not None and value not in self._identifiers for value in known]
        self._met.update(value for value in known if value in self._identifiers and value is not None)
        self.rows += stays.count(False)
        return stays

    def unmet_warnings(self) -> list[str]:
        """Say how many of the patients had no row: their identifiers may be written in another way."""
        unmet = len(self._identifiers - self._met)
        return [f"{unmet} of {len(self._identifiers)} patients to exclude have no row"] * bool(unmet)

    def __repr__(self) -> str:
        """Tell how many there are."""
        return f"ExcludedPatients({len(self._identifiers)} patients)"


def _comparable_identifier(value: object) -> str | None:
    found = comparable_value(value)
    return str(found).strip() or None if isinstance(found, (str, int)) else None
