"""Date, age and sex of notes, stored by pseudonym in a file next to the segments.

Dates are those of the scrubbed notes: shifted, or kept by the policy. Ages over 89 are stored as 90.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from notesieve.errors import SearchIndexError
from notesieve.files.output_folder import atomic_write, replace_tail
from notesieve.index.query import Range, Sex

if TYPE_CHECKING:
    from pathlib import Path

ATTRIBUTES = ("date", "age", "sex")
"""What an index may know of a note beside type and year."""

MAX_AGE = 90
"""The age of everybody over 89."""

SEX_BY_SPELLING = {
    "f": "female",
    "female": "female",
    "m": "male",
    "male": "male",
    "other": "other",
    "unknown": "unknown",
}
"""What sexes may be written as, and what they are in an index."""


class Attributes(NamedTuple):
    """The attributes of a note: its day as an ordinal, the age in years, the sex; None if unknown."""

    date: int | None = None
    age: int | None = None
    sex: str | None = None

    def matches(self, node: Range | Sex) -> bool:
        """Return whether a note matches a query; an unknown attribute never matches."""
        if isinstance(node, Sex):
            return self.sex == node.sex
        value = self.date if node.field == "date" else self.age
        if value is None:
            return False
        return (node.first is None or node.first <= value) and (node.last is None or value <= node.last)


UNKNOWN_ATTRIBUTES = Attributes()
"""The attributes of a note of which nobody said any."""


class AttributeColumns:
    """Values of attributes, one per note, consumed in step with the notes.

    Parameters
    ----------
    columns : mapping of str to iterable
        The values by attribute.
    shift : callable or None
        Returns the days by which the dates of a patient are shifted. None leaves them unchanged.
    """

    def __init__(self, columns: Mapping[str, Iterable[Any]], shift: Callable[[str], int] | None) -> None:
        self._columns = {name: iter(values) for name, values in columns.items()}
        self._shift = shift
        self.names = tuple(self._columns)

    def next_attributes(self, patients: list[str | None]) -> list[Attributes | str]:
        """Return the attributes or a problem code for each of the next notes; a patient of None is a rejected note."""
        taken = {name: list(islice(values, len(patients))) for name, values in self._columns.items()}
        for name, values in taken.items():
            if len(values) < len(patients):
                raise SearchIndexError(f"there are fewer values of `{name}` than notes")
        return [
            self._attributes_of_note({name: values[at] for name, values in taken.items()}, patient)
            for at, patient in enumerate(patients)
        ]

    def _attributes_of_note(self, given: Mapping[str, Any], patient: str | None) -> Attributes | str:
        try:
            day, years, sex = (None if is_missing(given.get(name)) else given[name] for name in ATTRIBUTES)
            day = None if day is None else _ordinal_of_date(day)
        except (TypeError, ValueError):
            return "date"
        if day is not None and self._shift is not None and patient is not None:
            day += self._shift(patient)
        try:
            years = None if years is None else int(years)
        except (TypeError, ValueError, OverflowError):
            return "age"
        if years is not None and not 0 <= years <= 150:
            return "age"
        if sex is not None and (not isinstance(sex, str) or sex.casefold() not in SEX_BY_SPELLING):
            return "sex"
        return Attributes(
            day,
            None if years is None else min(years, MAX_AGE),
            None if sex is None else SEX_BY_SPELLING[sex.casefold()],
        )


def is_missing(value: object) -> bool:
    """Return whether a value is missing or empty; pandas uses NaN, which differs from itself."""
    return value is None or value == "" or value != value


def _ordinal_of_date(value: Any) -> int:
    """Return the ordinal of a date or of its ISO text."""
    if isinstance(value, str):
        value = dt.datetime.fromisoformat(value)
    if not isinstance(value, dt.date):
        raise TypeError
    return value.toordinal()


class AttributesFile:
    """The attributes of all notes: one JSON line per added note; the last line of a note counts.

    Parameters
    ----------
    path : pathlib.Path
        The file; it need not exist. It is read at the first query.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: tuple[str, dict[str, tuple[str, Attributes]]] | None = None
        self._unwritten: list[tuple[str, str, Attributes]] = []
        self._removed: set[str] = set()

    # ---- while queries are answered

    def attributes_by_note(self, length: int, digest: str) -> dict[str, tuple[str, Attributes]]:
        """Return patient and attributes by note, from the committed part of the file.

        Raises
        ------
        SearchIndexError
            If the file differs from the manifest.
        """
        if self._read is None or self._read[0] != digest:
            whole = self.path.read_bytes()[:length] if self.path.exists() else b""
            if len(whole) < length or hashlib.sha256(whole).hexdigest() != digest:
                raise SearchIndexError(f"{self.path}: is damaged; copy it again, or build the index again")
            records = (json.loads(line) for line in whole.splitlines())
            self._read = digest, {note: (patient, Attributes(*known)) for note, patient, *known in records}
        return self._read[1]

    # ---- while notes are added

    def add(self, note: str, patient: str, known: Attributes) -> None:
        """Add the attributes of a note."""
        self._unwritten.append((note, patient, known))

    def remove(self, patient: str) -> None:
        """Remove all notes of a patient at the next `write`."""
        self._removed.add(patient)
        self._unwritten = [row for row in self._unwritten if row[1] != patient]

    def write(self, length: int, digest: str) -> tuple[int, str]:
        """Write the changes to disk; return the new length and digest of the file."""
        if not self._unwritten and not self._removed:
            return length, digest
        if self._removed:
            kept = [
                (note, *row)
                for note, row in self.attributes_by_note(length, digest).items()
                if row[0] not in self._removed
            ]
            # Rewrite the file as a whole, so that removed patients are in no part of it.
            with atomic_write(self.path, sync=True) as partial:
                partial.write_bytes(_json_lines(kept + self._unwritten))
        else:
            replace_tail(self.path, length, _json_lines(self._unwritten))
        self._unwritten, self._removed = [], set()
        whole = self.path.read_bytes()
        return len(whole), hashlib.sha256(whole).hexdigest()


def _json_lines(rows: Iterable[tuple[str, str, Attributes]]) -> bytes:
    return "".join(
        json.dumps([note, patient, *known], ensure_ascii=False) + "\n" for note, patient, known in rows
    ).encode()
