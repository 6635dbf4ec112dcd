"""The concepts of an index: sets of codes that share a term, and the hierarchy of the codes.

A term of a vocabulary has the codes of several sources (*pneumonia*: ``mesh:D011014``, ``hp:0002090`` ...). Such a set
of codes has a number in the index, and the number is indexed at the first word of the term. Broader and equivalent
codes are stored here once, not in each note: a query for a code looks for the numbers of all sets that contain it or a
narrower code.

The file is append-only, one JSON object per line, and is written to disk before the notes that use it are committed.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from notesieve.errors import SearchIndexError
from notesieve.files.output_folder import replace_tail
from notesieve.statuses import has_status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from notesieve._core import Vocabulary


class Concepts:
    """Numbered sets of codes, and the names and relations of the codes.

    Parameters
    ----------
    path : pathlib.Path
        The file; it need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sets: list[tuple[str, ...]] = []
        # Statuses of the terms of each set, as a bitmask: see `notesieve.statuses`.
        self.said: list[int] = []
        self.groups: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.parents: dict[str, list[str]] = {}
        self.same_as: dict[str, list[str]] = {}
        # Codes of other vocabularies that declare equivalence to a code that does not declare it itself.
        self.named_by: dict[str, list[str]] = {}
        self._unwritten: list[dict[str, Any]] = []
        self.length = self._lines = 0
        self._broader: dict[str, frozenset[str]] = {}
        self._narrower: dict[str, list[int]] | None = None
        self._exact: dict[str, list[int]] | None = None
        self.refresh()

    # ---- the file

    def refresh(self) -> None:
        """Read the records that a writer has added since the last read."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(self.length)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self._lines += 1
            try:
                self._add_record(json.loads(line))
            except (ValueError, KeyError, TypeError) as problem:
                message = f"{self.path}: line {self._lines} is damaged; build the index again"
                raise SearchIndexError(message) from problem
        self.length += len(whole)

    def _add_record(self, record: dict[str, Any]) -> None:
        """Add a record of the file: a set of codes, or a concept."""
        if "codes" in record:
            self.sets.append(tuple(record["codes"]))
            self.said.append(record.get("said", 0))
        else:
            code = record["code"]
            self.names[code] = record["name"]
            self.parents[code] = record["parents"]
            self.same_as[code] = record["same_as"]
            self.named_by[code] = record.get("named_by", [])
            self.groups[code] = record["group"]
        self._narrower = self._exact = None

    def write(self) -> None:
        """Append the new records, and sync them to disk."""
        if not self._unwritten:
            return
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self._unwritten).encode()
        replace_tail(self.path, self.length, lines)
        self.length += len(lines)
        self._lines += len(self._unwritten)
        self._unwritten.clear()

    def digest_of_beginning(self, length: int) -> str:
        """Return the SHA-256 of the first `length` bytes of the file."""
        sha256 = hashlib.sha256()
        if length:
            with self.path.open("rb") as file:
                sha256.update(file.read(length))
        return sha256.hexdigest()

    # ---- while notes are added

    def sets_and_statuses(self) -> list[tuple[Sequence[str], int]]:
        """Return all sets with the statuses of their terms, from which a writer continues."""
        return list(zip(self.sets, self.said, strict=True))

    def add(self, sets: Iterable[tuple[Sequence[str], int]], vocabulary: Vocabulary) -> None:
        """Add new sets of codes with the statuses of their terms; each gets the next number."""
        for codes, said in sets:
            self._add_concepts(codes, vocabulary)
            record: dict[str, Any] = {"codes": list(codes)} | ({"said": said} if said else {})
            self._unwritten.append(record)
            self._add_record(record)

    def _add_concepts(self, of_term: Sequence[str], vocabulary: Vocabulary) -> None:
        """Add the codes of a term and all broader codes, from the vocabulary."""
        waiting = list(of_term)
        while waiting:
            code = waiting.pop()
            if code in self.names:
                continue
            concept = vocabulary.concept(code)
            if concept is None:
                continue
            record = {"code": code, "name": concept.name, "parents": concept.parents, "same_as": concept.same_as}
            record["group"] = vocabulary.group(code) or "other"
            named_by = {other.code for other in vocabulary.cross_references(code)} - {*concept.same_as}
            if named_by:
                record["named_by"] = sorted(named_by)
            self._unwritten.append(record)
            self._add_record(record)
            waiting += concept.parents
            waiting += concept.same_as
            waiting += named_by if code in of_term else ()

    # ---- while queries are answered

    def broader(self, code: str) -> frozenset[str]:
        """Return a code, its equivalents and all broader codes.

        Codes that declare equivalence to the code are included too, so that a MeSH term is found by the ICD-10-CM code
        when another ontology links both. Such declarations are followed for the code itself only: otherwise links would
        join whole vocabularies.
        """
        found = self._broader.get(code)
        if found is None:
            waiting = [code, *self.named_by.get(code, ())]
            seen = {*waiting}
            while waiting:
                at = waiting.pop()
                for near in (*self.parents.get(at, ()), *self.same_as.get(at, ())):
                    if near not in seen:
                        seen.add(near)
                        waiting.append(near)
            found = self._broader[code] = frozenset(seen)
        return found

    def _equivalents(self, code: str) -> set[str]:
        """Return a code and its equivalents in other vocabularies."""
        named_by = self.named_by.get(code, ())
        others = (other for by in named_by for other in self.same_as.get(by, ()))
        return {code, *self.same_as.get(code, ()), *named_by, *others}

    def set_numbers_with_codes(
        self, codes: Iterable[str], *, exact: bool = False, asked: str = "affirmed"
    ) -> list[int]:
        """Return the numbers of the sets that contain one of the codes or, unless `exact`, a narrower code.

        `asked` is the required status of their terms, one of `notesieve.statuses.ASKED`.
        """
        if self._narrower is None or self._exact is None:
            self._narrower, self._exact = {}, {}
            for number, members in enumerate(self.sets):
                for code in {code for member in members for code in self.broader(member)}:
                    self._narrower.setdefault(code, []).append(number)
                for code in {code for member in members for code in self._equivalents(member)}:
                    self._exact.setdefault(code, []).append(number)
        table = self._exact if exact else self._narrower
        numbers = {number for code in codes for number in table.get(code, ())}
        return sorted(number for number in numbers if has_status(self.said[number], asked))

    def children(self, code: str | None) -> Iterator[str]:
        """Yield the direct children of a code, or the codes without a parent if `code` is None."""
        for child, parents in self.parents.items():
            if (code in parents) if code else not parents:
                yield child
