"""Counts of patients and nothing else: no texts, no notes, no patients, no number that speaks of few people.

It is a guard against curiosity and mistakes of people who are given this handle. It is **no boundary for somebody who
can read the files of the index**, or who can run Python where they lie: for that, put a service between.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from notesieve.errors import DisclosureError, SearchIndexError
from notesieve.index.index import Index
from notesieve.reading import reading

try:
    import fcntl
except ModuleNotFoundError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from notesieve._core import Key, Vocabulary

__all__ = ["CountsOnly", "CountsTable", "SafeCount"]

#: The floor below which nobody may set it: five people.
LOWEST_FLOOR = 5
_GENESIS = "0" * 64


@dataclass(frozen=True)
class SafeCount:
    """A number of patients, or that it is too small to tell.

    Attributes
    ----------
    patients : int or None
        Different patients; None if they are fewer than the floor.
    floor : int
        The smallest number that is told.
    """

    patients: int | None
    floor: int

    def __str__(self) -> str:
        return f"fewer than {self.floor}" if self.patients is None else f"{self.patients:,}"


@dataclass(frozen=True)
class CountsTable:
    """Patients by a facet.

    Attributes
    ----------
    rows : list of tuple of (str, SafeCount)
        Value and patients. A patient counts in each row in which there is a note of them.
    total : SafeCount
        Different patients in all.
    """

    rows: list[tuple[str, SafeCount]]
    total: SafeCount

    def __str__(self) -> str:
        width = max(len("total"), *(len(value) for value, _ in self.rows)) if self.rows else len("total")
        return "\n".join(f"{value:<{width}}  {count}" for value, count in [*self.rows, ("total", self.total)])


class CountsOnly:
    """Answers how many patients fit a query, if they are many enough.

    Parameters
    ----------
    path : path-like
        The index.
    log : path-like
        The audit log; it is made if it is not there, and only ever grows. One line a question: time, user, query in
        canonical form, what came of it. It never has text of a note. Each line has the digest of the line before, so
        that a change of any but the last shows.
    user : str
        Who asks; stands in the log.
    floor : int, optional
        The smallest number of patients that is told. Default 11, as for data of Medicare; not below 5.
    show_zero : bool, optional
        Whether 0 is told. Default: it is suppressed like other small numbers.
    noise : float, optional
        Scale of the noise that is added (two-sided geometric; its mean deviation is about this many patients). It hangs
        on the key and on the query in canonical form, so that asking again gives the same. Default: none.
    key : Key, optional
        The key of the noise.
    per_hour : int, optional
        How many numbers a user may ask for in an hour.
    vocabulary : Vocabulary, optional
        Where names in queries are looked up.

    Raises
    ------
    SearchIndexError
        If the floor is below 5, there is noise without a key, or the log was altered.
    DisclosureError
        If the index has changed since answers of this log were given: old and new answers together would tell about
        those who were added. Whoever answers for the data decides whether a new log may begin.

    Notes
    -----
    A number is told if it is not below the floor, and if for it and each number told before to anyone in this log,
    all four groups of patients (in both, in the first alone, in the second alone, in neither) are empty or not below
    the floor. So no two answers, together with the number of all patients, reveal a smaller group by subtraction. It
    does not hold for three and more; the rate limit, the log and noise are there for them. The floor of 11 is that of
    the cell size suppression policy of the Centers for Medicare & Medicaid Services.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        log: str | os.PathLike[str],
        user: str,
        floor: int = 11,
        show_zero: bool = False,
        noise: float = 0.0,
        key: Key | None = None,
        per_hour: int = 100,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        if floor < LOWEST_FLOOR:
            message = f"the floor is {floor}; fewer than {LOWEST_FLOOR} patients are never told"
            raise SearchIndexError(message)
        if noise < 0 or (noise and key is None):
            raise SearchIndexError("noise needs a key and a scale above zero")
        self.__index = Index.open(path, vocabulary=vocabulary)
        self.__everybody = self.__index.cohort("*").numbers
        self.__told: dict[str, NDArray[np.uint64]] = {}
        self.__asked: deque[datetime] = deque()
        self.__log = _Log(Path(log))
        self._user, self._floor, self._show_zero = user, floor, show_zero
        self._noise, self._key, self._per_hour = noise, key, per_hour
        self._state = self.__index._manifest.generation
        with self.__log.locked():
            self._catch_up()

    def __repr__(self) -> str:
        return f"CountsOnly(floor={self._floor}, user={self._user!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a CountsOnly handle is not pickled: open one where it is used")

    # ---- questions

    def count(self, query: str) -> SafeCount:
        """Count the different patients with a note that fits.

        Parameters
        ----------
        query : str
            As for `Index.search`.

        Returns
        -------
        SafeCount
            Their number, or that they are too few.

        Raises
        ------
        DisclosureError
            If the number and one told before would reveal a small group, or too many questions were asked.
        QueryError
            If the query cannot be understood.
        """
        canonical = str(self.__index.parse(query))
        with self.__log.locked():
            self._catch_up()
            self._allow(1)
            patients = self.__index.cohort(canonical).numbers
            if self._is_small(len(patients)):
                self._write("count", canonical, "suppressed")
                return SafeCount(None, self._floor)
            if self._reveals(canonical, patients):
                self._write("count", canonical, "refused")
                raise DisclosureError(
                    "this number and one told before would reveal a group of patients below the floor; ask for "
                    "something that differs by more"
                )
            return self._tell("count", canonical, patients)

    def table(self, query: str = "*", by: str = "type", *, below: str | None = None) -> CountsTable:
        """Count the different patients by type, year or branch.

        Parameters
        ----------
        query : str, optional
            Which notes. Default: all.
        by : {"type", "year", "branch"}, optional
            What the rows are.
        below : str, optional
            The code above the branches.

        Returns
        -------
        CountsTable
            Numbers that are too small are suppressed, and others with them, until neither the total nor numbers
            told before reveal one. The values of the rows themselves are those of the whole index, not of the query.
        """
        if by not in {"type", "year", "branch"}:
            message = f"there is no table by {by!r}: type, year, branch"
            raise SearchIndexError(message)
        node = self.__index.parse(query)
        field = {"type": 'type:"{}"', "year": "year:{}", "branch": "code:{}"}[by]
        values = sorted(facet.value for facet in self.__index.facets("*", by, below=below, limit=200))
        total = str(node)
        cells = [str(self.__index.parse(f"({total}) AND {field.format(value)}")) for value in values]
        with self.__log.locked():
            self._catch_up()
            self._allow(len(cells) + 1)
            sets = {canonical: self.__index.cohort(canonical).numbers for canonical in [total, *cells]}
            told = self._choose(total, cells, sets)
            answers = {}
            for canonical in dict.fromkeys([total, *cells]):
                if canonical in told:
                    answers[canonical] = self._tell("table", canonical, sets[canonical])
                else:
                    self._write("table", canonical, "suppressed")
                    answers[canonical] = SafeCount(None, self._floor)
        return CountsTable([(v, answers[c]) for v, c in zip(values, cells, strict=True)], answers[total])

    def _choose(self, total: str, cells: list[str], sets: dict[str, NDArray[np.uint64]]) -> set[str]:
        """Choose the numbers of a table that are told: first each with each, then all cells against the total."""
        before = dict(self.__told)
        try:
            told: list[str] = []
            for canonical in sorted({total, *cells}, key=lambda name: (name != total, -len(sets[name]), name)):
                patients = sets[canonical]
                if not self._is_small(len(patients)) and not self._reveals(canonical, patients):
                    told.append(canonical)
                    self.__told[canonical] = patients
        finally:
            self.__told = before
        hidden = [cell for cell in cells if cell not in told]
        shown = sorted((cell for cell in cells if cell in told), key=lambda cell: len(sets[cell]))
        # What the total and the shown cells leave over is one hidden cell, or hidden cells of too few.
        while total in told and hidden and (len(hidden) == 1 or self._left_over(total, hidden, sets) < self._floor):
            if not shown:
                told.remove(total)
                break
            hidden.append(shown.pop(0))
            told.remove(hidden[-1])
        return set(told)

    def _left_over(self, total: str, hidden: list[str], sets: dict[str, NDArray[np.uint64]]) -> int:
        left = np.unique(np.concatenate([sets[cell] for cell in hidden]))
        return len(np.intersect1d(left, sets[total], assume_unique=True))

    # ---- what may be told

    def _is_small(self, patients: int) -> bool:
        return patients < self._floor and not (patients == 0 and self._show_zero)

    def _reveals(self, canonical: str, patients: NDArray[np.uint64]) -> bool:
        """Tell whether a number, with the number of all patients and each number told before, reveals a small group."""
        everybody = len(self.__everybody)
        rest = everybody - len(patients)
        if canonical != "*" and self._is_small(rest):
            return True
        for other, known in self.__told.items():
            if other in {canonical, "*"} or canonical == "*":
                continue
            both = len(np.intersect1d(patients, known, assume_unique=True))
            groups = (both, len(patients) - both, len(known) - both, everybody - len(patients) - len(known) + both)
            if any(0 < group < self._floor for group in groups):
                return True
            # Two empty groups: one may be known to be empty from the queries, and then the other is told.
            if groups.count(0) > 1 and not self._show_zero:
                return True
        return False

    def _tell(self, kind: str, canonical: str, patients: NDArray[np.uint64]) -> SafeCount:
        self.__told[canonical] = patients
        number = len(patients) + self._noise_of(canonical)
        answer = SafeCount(None if self._is_small(number) else number, self._floor)
        self._write(kind, canonical, "told")
        return answer

    def _noise_of(self, canonical: str) -> int:
        if not self._noise or self._key is None:
            return 0
        drawn = hashlib.blake2b(self._key.pseudonym("counts-noise", canonical).encode(), digest_size=8).digest()
        uniform = (int.from_bytes(drawn, "little") + 0.5) / 2**64 - 0.5
        # The inverse of the distribution function of the Laplace distribution, rounded.
        return round(-self._noise * math.copysign(math.log(1 - 2 * abs(uniform)), uniform))

    # ---- the log

    def _allow(self, numbers: int) -> None:
        now = datetime.now(UTC)
        while self.__asked and self.__asked[0] < now - timedelta(hours=1):
            self.__asked.popleft()
        if len(self.__asked) + numbers > self._per_hour:
            message = f"more than {self._per_hour} numbers in an hour; ask again later"
            raise DisclosureError(message)

    def _write(self, kind: str, canonical: str, outcome: str) -> None:
        now = datetime.now(UTC)
        self.__asked.append(now)
        entry = {"time": now.isoformat(timespec="seconds"), "user": self._user, "kind": kind, "query": canonical}
        self.__log.append(entry | {"outcome": outcome, "generation": self._state})

    def _catch_up(self) -> None:
        """Take in what other handles with this log have told."""
        for entry in self.__log.new():
            if entry["user"] == self._user:
                self.__asked.append(datetime.fromisoformat(entry["time"]))
            if entry["outcome"] != "told":
                continue
            if entry["generation"] != self._state:
                raise DisclosureError(
                    "the index has changed since answers of this log were given; old and new answers together would "
                    "tell about those who were added. Whoever answers for the data may begin a new log"
                )
            if entry["query"] not in self.__told:
                self.__told[entry["query"]] = self.__index.cohort(entry["query"]).numbers

    @property
    def log(self) -> Path:
        """The audit log."""
        return self.__log.path


class _Log:
    """Lines that are only ever added, each with the digest of the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = _GENESIS
        self._length = 0
        with reading(path):
            path.touch(mode=0o600, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[Self]:
        """Keep other processes away between what is read and what is written."""
        with self.path.with_name(self.path.name + ".lock").open("w") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            yield self

    def new(self) -> Iterator[dict[str, Any]]:
        """Give the lines that were not read yet, and check that each follows the one before."""
        with self.path.open("rb") as file:
            file.seek(self._length)
            for line in file:
                try:
                    entry = json.loads(line)
                    follows = entry["previous"] == self._last and line.endswith(b"\n")
                except (ValueError, KeyError, TypeError):
                    follows = False
                if not follows:
                    message = f"{self.path}: the audit log was altered at byte {self._length}"
                    raise SearchIndexError(message)
                self._last = hashlib.sha256(line).hexdigest()
                self._length += len(line)
                yield entry

    def append(self, entry: dict[str, Any]) -> None:
        """Write one line and wait until the disk has it."""
        line = (json.dumps(entry | {"previous": self._last}, ensure_ascii=False) + "\n").encode()
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        self._last = hashlib.sha256(line).hexdigest()
        self._length += len(line)
