"""Counts of patients and nothing else: no texts, no notes, no patients, no counts of small groups.

This guards against curiosity and mistakes of the people who use this handle. It is **not a security boundary against
anybody who can read the files of the index**, or run Python where they are stored: for that, put a service in front.
"""

from __future__ import annotations

import hashlib
import math
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from notesieve.errors import DisclosureError, QueryError, SearchIndexError
from notesieve.index.audit_log import AuditLog
from notesieve.index.disclosed_counts import DisclosedCounts
from notesieve.index.index import Index
from notesieve.index.language import MAX_QUERY_LENGTH
from notesieve.index.normal_form import normal_form
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from notesieve._core import Key, Vocabulary

#: The lowest floor that may be set: five patients.
MIN_FLOOR = 5


@dataclass(frozen=True)
class SafeCount:
    """A number of patients, or a mark that it is too small to disclose.

    Attributes
    ----------
    patients : int or None
        The number of distinct patients; None if it is below the floor. In a table also None where the count would
        reveal another count below the floor.
    floor : int
        The smallest count that is disclosed.
    """

    patients: int | None
    floor: int

    def __str__(self) -> str:
        return f"fewer than {self.floor}" if self.patients is None else f"{self.patients:,}"


@dataclass(frozen=True)
class CountsTable:
    """Counts of patients by a facet.

    Attributes
    ----------
    rows : list of tuple of (str, SafeCount)
        Value and count. A patient counts in each row in which they have a note.
    total : SafeCount
        The number of distinct patients of the query.
    """

    rows: list[tuple[str, SafeCount]]
    total: SafeCount

    def __str__(self) -> str:
        width = max(len("total"), *(len(value) for value, _ in self.rows)) if self.rows else len("total")
        rows = [*self.rows, ("total", self.total)]
        return "\n".join(f"{value:<{width}}  {'not told' if n.patients is None else n}" for value, n in rows)


@keep_texts_out_of_tracebacks
class CountsOnly:
    """A handle that counts patients by query, and suppresses small counts.

    Parameters
    ----------
    path : path-like
        The index.
    log : path-like
        The audit log; created if it does not exist, and append-only. One line per question: time, user, query in
        canonical form, outcome. It never contains note text. Each line has the digest of the line before, so that a
        change to any but the last is detected.
    user : str
        The user who asks; recorded in the log.
    floor : int, optional
        The smallest number of patients that is disclosed. Default 11, as for Medicare data; not below 5.
    noise : float, optional
        Scale of the added noise (a rounded Laplace distribution; its mean absolute deviation is about this many
        patients). The noise depends on the key and on the normal form of the query, so that an equivalent query gets
        the same noise. Default: none.
    key : Key, optional
        The key of the noise.
    per_hour : int, optional
        The number of counts that a user may ask for in an hour.
    most : int, optional
        The number of different counts that are ever disclosed with this log, to all users together; `left` is how many
        remain.
    vocabulary : Vocabulary, optional
        The vocabulary in which names in queries are looked up.

    Raises
    ------
    SearchIndexError
        If the floor is below 5, there is noise without a key, or the log was altered.
    DisclosureError
        If the index has changed since answers of this log were given: old and new answers together would reveal who was
        added. The person responsible for the data decides whether a new log may begin.

    Notes
    -----
    A count is disclosed if it is not below the floor, and if no sum or difference of all counts disclosed to any user
    of this log then describes only groups below the floor; see `notesieve.index.disclosed_counts`. An empty group
    cannot be distinguished from a small one: 0 is suppressed like 10, and whether a count is refused does not depend on
    it. The floor of 11 comes from the cell size suppression policy of the Centers for Medicare & Medicaid Services.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        log: str | os.PathLike[str],
        user: str,
        floor: int = 11,
        noise: float = 0.0,
        key: Key | None = None,
        per_hour: int = 100,
        most: int = 100,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        if floor < MIN_FLOOR:
            raise SearchIndexError(f"the floor is {floor}; fewer than {MIN_FLOOR} patients are never told")
        if noise < 0 or (noise and key is None):
            raise SearchIndexError("noise needs a key and a scale above zero")
        self.__index = Index.open(path, vocabulary=vocabulary)
        self.__everybody = self.__index.cohort("*").numbers
        self.__told: set[str] = set()
        self.__audit = DisclosedCounts(self.__everybody, floor)
        self.__asked: deque[datetime] = deque()
        self.__log = AuditLog(Path(log), user)
        self._user, self._floor, self._most = user, floor, most
        self._noise, self._key, self._per_hour = noise, key, per_hour
        self._generation = self.__index._manifest.generation
        with self.__log.locked():
            self._read_new_disclosures()

    def __repr__(self) -> str:
        return f"CountsOnly(floor={self._floor}, user={self._user!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a CountsOnly handle is not pickled: open one where it is used")

    # ---- questions

    def count(self, query: str) -> SafeCount:
        """Count the distinct patients with a matching note.

        Parameters
        ----------
        query : str
            As for `Index.search`.

        Returns
        -------
        SafeCount
            Their number, or a mark that it is too small.

        Raises
        ------
        DisclosureError
            If this count and earlier ones would together reveal a small group, or too many questions were asked.
        QueryError
            If the query cannot be understood.
        """
        canonical = self._normal_form(query)
        with self.__log.locked():
            self._read_new_disclosures()
            self._check_rate(1)
            patients = self.__index.cohort(canonical).numbers
            if self._is_small(len(patients)):
                self._append_to_log("count", canonical, "suppressed")
                return SafeCount(None, self._floor)
            if canonical not in self.__told and not self.left:
                self._append_to_log("count", canonical, "refused")
                message = f"the {self._most} different numbers of this log are given; those may be asked for again"
                raise DisclosureError(message)
            if self._reveals_small_group(self.__audit, canonical, patients):
                self._append_to_log("count", canonical, "refused")
                raise DisclosureError(
                    "this number and those told before would reveal a group of patients below the floor, or it is one "
                    "of them in other words; ask for something that differs by more"
                )
            return self._disclose("count", canonical, patients)

    def table(self, query: str = "*", by: str = "type", *, below: str | None = None) -> CountsTable:
        """Count the distinct patients by type, year or branch.

        Parameters
        ----------
        query : str, optional
            The notes to count. Default: all.
        by : {"type", "year", "branch"}, optional
            What the rows stand for.
        below : str, optional
            The parent code of the branches.

        Returns
        -------
        CountsTable
            Counts that are too small are suppressed, and further counts with them, until neither the total nor earlier
            counts reveal one. The values of the rows themselves are those of the whole index, not of the query.
        """
        if by not in {"type", "year", "branch"}:
            raise SearchIndexError(f"there is no table by {by!r}: type, year, branch")
        total = self._normal_form(query)
        field = {"type": 'type:"{}"', "year": "year:{}", "branch": "code:{}"}[by]
        values = sorted(facet.value for facet in self.__index.facets("*", by, below=below, limit=200))
        cells = [self._normal_form(f"({query}) AND {field.format(value)}") for value in values]
        with self.__log.locked():
            self._read_new_disclosures()
            self._check_rate(len(cells) + 1)
            sets = {canonical: self.__index.cohort(canonical).numbers for canonical in [total, *cells]}
            told = self._choose_disclosed(total, cells, sets)
            answers = {}
            for canonical in dict.fromkeys([total, *cells]):
                if canonical in told:
                    answers[canonical] = self._disclose("table", canonical, sets[canonical])
                else:
                    self._append_to_log("table", canonical, "suppressed")
                    answers[canonical] = SafeCount(None, self._floor)
        return CountsTable([(v, answers[c]) for v, c in zip(values, cells, strict=True)], answers[total])

    def _choose_disclosed(self, total: str, cells: list[str], sets: dict[str, NDArray[np.uint64]]) -> set[str]:
        """Choose the counts of a table to disclose: the total, then the cells in descending order."""
        told: list[str] = []
        audit = self.__audit.copy()
        left = self.left
        for canonical in sorted({total, *cells}, key=lambda name: (name != total, -len(sets[name]), name)):
            patients = sets[canonical]
            known = canonical in self.__told
            if (
                self._is_small(len(patients))
                or self._reveals_small_group(audit, canonical, patients)
                or not (known or left)
            ):
                continue
            told.append(canonical)
            if not known:
                left -= 1
                if canonical != "*":
                    audit.add(patients)
        hidden = [cell for cell in cells if cell not in told]
        shown = sorted((cell for cell in cells if cell in told), key=lambda cell: len(sets[cell]))
        # Otherwise the total minus the shown cells would reveal a single hidden cell, or hidden cells of too few
        # patients.
        while (
            total in told
            and hidden
            and (len(hidden) == 1 or self._count_in_suppressed_cells(total, hidden, sets) < self._floor)
        ):
            if not shown:
                told.remove(total)
                break
            hidden.append(shown.pop(0))
            told.remove(hidden[-1])
        return set(told)

    def _count_in_suppressed_cells(self, total: str, hidden: list[str], sets: dict[str, NDArray[np.uint64]]) -> int:
        """Count the patients of a total who are in suppressed cells."""
        left = np.unique(np.concatenate([sets[cell] for cell in hidden]))
        return len(np.intersect1d(left, sets[total], assume_unique=True))

    # ---- what may be disclosed

    def _is_small(self, patients: int) -> bool:
        return patients < self._floor

    def _reveals_small_group(self, audit: DisclosedCounts, canonical: str, patients: NDArray[np.uint64]) -> bool:
        """Return whether an undisclosed count would reveal a small group. The count of all patients is known."""
        return canonical not in self.__told and canonical != "*" and audit.reveals(patients)

    def _record_disclosed(self, canonical: str, patients: NDArray[np.uint64]) -> None:
        """Record that the count of a query was disclosed."""
        if canonical not in self.__told:
            self.__told.add(canonical)
            if canonical != "*":
                self.__audit.add(patients)

    def _normal_form(self, query: str) -> str:
        """Return the normal form of a query as text."""
        written = str(normal_form(self.__index.parse(query)))
        if len(written) > MAX_QUERY_LENGTH:
            raise QueryError("is too long to be counted", query, 0)
        return written

    def _disclose(self, kind: str, canonical: str, patients: NDArray[np.uint64]) -> SafeCount:
        """Record a count as disclosed and return it, with its noise."""
        self._record_disclosed(canonical, patients)
        number = len(patients) + self._noise_of(canonical)
        answer = SafeCount(None if self._is_small(number) else number, self._floor)
        self._append_to_log(kind, canonical, "told")
        return answer

    def _noise_of(self, canonical: str) -> int:
        """Return the noise of a query, derived from the key: the same for the same query."""
        if not self._noise or self._key is None:
            return 0
        drawn = hashlib.blake2b(self._key.pseudonym("counts-noise", canonical).encode(), digest_size=8).digest()
        uniform = (int.from_bytes(drawn, "little") + 0.5) / 2**64 - 0.5
        # The inverse Laplace distribution function, rounded.
        return round(-self._noise * math.copysign(math.log(1 - 2 * abs(uniform)), uniform))

    # ---- the log

    def _check_rate(self, numbers: int) -> None:
        """Raise if the user asks for more counts than are allowed in an hour."""
        now = datetime.now(UTC)
        while self.__asked and self.__asked[0] < now - timedelta(hours=1):
            self.__asked.popleft()
        if len(self.__asked) + numbers > self._per_hour:
            raise DisclosureError(f"more than {self._per_hour} numbers in an hour; ask again later")

    def _append_to_log(self, kind: str, canonical: str, outcome: str) -> None:
        """Log a question and its outcome."""
        self.__asked.append(datetime.now(UTC))
        self.__log.append(kind=kind, query=canonical, outcome=outcome, generation=self._generation)

    def _read_new_disclosures(self) -> None:
        """Record what other handles with this log have disclosed."""
        for entry in self.__log.read_new_entries():
            if entry["user"] == self._user:
                self.__asked.append(datetime.fromisoformat(entry["time"]))
            if entry["outcome"] != "told":
                continue
            if entry["generation"] != self._generation:
                raise DisclosureError(
                    "the index has changed since answers of this log were given; old and new answers together would "
                    "tell about those who were added. Whoever answers for the data may begin a new log"
                )
            if entry["query"] not in self.__told:
                self._record_disclosed(entry["query"], self.__index.cohort(entry["query"]).numbers)

    @property
    def left(self) -> int:
        """The number of different counts that this log may still disclose."""
        return max(0, self._most - len(self.__told))

    @property
    def log(self) -> Path:
        """The audit log."""
        return self.__log.path
