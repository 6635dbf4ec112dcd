"""An open index: search, counts, facets and cohorts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve._core import Segments, Vocabulary
from notesieve.errors import QueryError, SearchIndexError
from notesieve.index.cohort import AttritionTable, Cohort, attrition
from notesieve.index.concepts import Concepts
from notesieve.index.index_manifest import IndexManifest
from notesieve.index.language import parse
from notesieve.index.matching import occurrences
from notesieve.index.names import check_code, digest_without_site_lists, resolve_name
from notesieve.index.note_attributes import AttributesFile
from notesieve.index.query import And, Code, Not, Or, Phrase, Prefix, Range, Sex, Word
from notesieve.index.results import Facet, Hit, Results
from notesieve.index.segment_queries import SegmentQueries
from notesieve.index.segments import read_stored_note
from notesieve.statuses import GROUPS
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import SegmentQuery, SegmentSearcher
    from notesieve.index.audit_log import AuditLog
    from notesieve.index.note_attributes import Attributes
    from notesieve.index.query import Node

MANIFEST, CONCEPTS, SEGMENTS = "notesieve-index.json", "concepts.jsonl", "segments"
ATTRIBUTES_FILE = "attributes.jsonl"


@dataclass(frozen=True)
class Count:
    """The number of patients and of notes.

    Attributes
    ----------
    patients : int
        The number of distinct patients.
    notes : int
        The number of notes.
    """

    patients: int
    notes: int


@keep_texts_out_of_tracebacks
class OpenIndex:
    """An index that can be searched and counted; `Index` adds creation and writing."""

    def __init__(
        self, path: Path, manifest: IndexManifest, vocabulary: Vocabulary | None, reads: AuditLog | None = None
    ) -> None:
        self._path = path
        self._reads = reads
        self._manifest = manifest
        self._vocabulary = vocabulary
        self._concepts = Concepts(path / CONCEPTS)
        self._segments = Segments(path / SEGMENTS)
        self._attributes = AttributesFile(path / ATTRIBUTES_FILE)
        self._queries = SegmentQueries(self._segments, self._concepts, self._known_attributes)

    def _known_attributes(self) -> dict[str, tuple[str, Attributes]]:
        """Return patient and attributes of each note; empty if the index has no attributes."""
        manifest = self._manifest
        if not manifest.attributes:
            return {}
        return self._attributes.attributes_by_note(manifest.attributes_length, manifest.attributes_digest)

    @property
    def path(self) -> Path:
        """The folder."""
        return self._path

    def __len__(self) -> int:
        return len(self._queries.searcher)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._path)!r}, {len(self)} notes)"

    def info(self) -> dict[str, Any]:
        """Describe the contents and the provenance of the index.

        Returns
        -------
        dict
            ``notes``, ``patients``, ``types``, ``years`` (whether the index has years), ``attributes`` (which of
            ``date``, ``age`` and ``sex``), ``sets`` (the number of distinct sets of codes), ``provenance`` and saved
            ``queries``.
        """
        counted = self.count("*")
        return {
            "notes": counted.notes,
            "patients": counted.patients,
            "types": self._queries.types(),
            "years": self._manifest.years,
            "attributes": list(self._manifest.attributes),
            "sets": len(self._concepts.sets),
            "provenance": [dict(source) for source in self._manifest.provenance],
            "queries": dict(self._manifest.queries),
        }

    def parse(self, query: str) -> Node:
        """Parse a query; ``str`` of the result is its canonical form.

        Raises
        ------
        QueryError
            If it cannot be understood; the message has the position.
        AmbiguousNameError
            If a name has several meanings; the message lists them.
        """
        node = parse(query, self._resolve_name, self._manifest.queries, self._check_code)
        have = {*self._manifest.attributes, *(["year"] if self._manifest.years else [])}
        for field in sorted(_asked_fields(node) - have):
            reason = f"asks for {'the sex' if field == 'sex' else field + 's'}, and this index has none"
            raise QueryError(reason, query, max(query.find(f"{field}:"), 0))
        return self._queries.resolve_values(node, query)

    def _vocabulary_for_names(self) -> Vocabulary:
        """Return the vocabulary in which names are looked up."""
        if self._vocabulary is None:
            self._vocabulary = Vocabulary.default()
        return self._vocabulary

    def _resolve_name(self, name: str, query: str, at: int) -> tuple[str, ...]:
        return resolve_name(self._vocabulary_for_names(), name, query, at)

    def _check_code(self, code: str, query: str, at: int) -> None:
        # If another vocabulary coded the notes, the current one does not know which codes they can have.
        known = self._manifest.vocabularies
        digests = {str(source.get("vocabulary_digest")) for source in self._manifest.provenance}
        if {known.get(digest) for digest in digests} == {digest_without_site_lists(self._vocabulary_for_names())}:
            check_code(self._vocabulary_for_names(), code, query, at)

    def count(self, query: str) -> Count:
        """Count patients and notes.

        Parameters
        ----------
        query : str
            See `search`.

        Returns
        -------
        Count
            ``patients`` and ``notes``.
        """
        return self._count_query(self._queries.plan(self.parse(query)))

    def _count_query(self, query: SegmentQuery) -> Count:
        """Count the patients and notes of a planned query."""
        notes, patients = self._queries.searcher.count_notes_and_patients(query)
        return Count(patients, notes)

    def occurrences(self, query: str) -> int:
        """Count the occurrences of a word, a phrase or a code in all notes.

        Parameters
        ----------
        query : str
            A word, ``word*``, ``"phrase"``, ``code:``, or several joined by OR. Each matching note is read.

        Raises
        ------
        QueryError
            If the query cannot be understood, or is anything else.
        """
        node = self.parse(query)
        operands = node.operands if isinstance(node, Or) else (node,)
        if not all(isinstance(operand, Word | Prefix | Phrase | Code) for operand in operands):
            raise QueryError("counts occurrences of something that is no word, phrase or code", query, 0)
        chosen, searcher = self._queries.plan(node), self._queries.searcher
        return sum(
            len(occurrences(node, read_stored_note(searcher, address).content, self._queries.numbers_of_sets))
            for address in searcher.matching_addresses(chosen).tolist()
        )

    def search(self, query: str, *, limit: int = 20, offset: int = 0) -> Results:
        """Find notes, ranked by relevance to the query.

        Parameters
        ----------
        query : str
            Words (all must occur), ``"phrases"``, ``word*``, AND, OR, NOT, parentheses, ``a NEAR/5 b``,
            ``ATLEAST/3 word``, ``code:mesh:D003920`` with narrower codes, ``code:mesh:D003920!`` without them,
            ``code:"heart attack"``. ``code:`` finds affirmed mentions; ``negated:``, ``hypothetical:``,
            ``historical:``, ``possible:``, ``family:`` and ``any:`` find mentions with another status, or all;
            ``creatinine>2``, ``hba1c>=8.0 %``, ``historical:"heart rate">120`` find values of measurements, in units
            that can be converted. ``type:letter``, ``year:2004..2008``, ``date:2004-03..2004-05``, ``age:>=65``,
            ``sex:female``, ``saved:name``, ``*``.
        limit : int, optional
            The maximum number of notes to return.
        offset : int, optional
            The number of notes to skip before them.

        Returns
        -------
        Results
            The notes with their matches; ``results.notes`` and ``results.patients`` count all matches.

        Raises
        ------
        QueryError
            If the query cannot be understood; the message has the position.
        SearchIndexError
            If limit or offset is below 0.
        """
        node = self.parse(query)
        chosen, searcher = self._queries.plan(node), self._queries.searcher
        if limit < 0 or offset < 0:
            raise SearchIndexError("limit and offset must be 0 or more")
        notes, best = searcher.best_notes(chosen, limit, offset)
        self._log_read("search", node, notes=notes, shown=len(best))
        hits = [self._make_hit(node, searcher, address, score) for score, address in best]
        return Results(
            query,
            notes,
            hits,
            patients=lambda: self._count_query(chosen).patients,
            every=lambda: self._export_hits(node, chosen, notes),
        )

    def _log_read(self, action: str, node: Node, **counts: int) -> None:
        """Log a read before its results are returned."""
        if self._reads is not None:
            self._reads.write(action, query=str(node), **counts)

    def _export_hits(self, node: Node, chosen: SegmentQuery, notes: int) -> Iterator[Hit]:
        self._log_read("export", node, notes=notes)
        return self._every_hit(node, chosen)

    def _make_hit(self, node: Node, searcher: SegmentSearcher, address: int, score: float | None) -> Hit:
        """Read the note at an address of the index."""
        note, patient, source, content = read_stored_note(searcher, address)
        made_by = self._manifest.provenance[source]
        return Hit(note, patient, content, score, node, self._queries.numbers_of_sets, self._concepts, made_by)

    def _every_hit(self, node: Node, query: SegmentQuery) -> Iterator[Hit]:
        # Addresses are valid only for this searcher.
        searcher = self._queries.searcher
        for address in searcher.matching_addresses(query).tolist():
            yield self._make_hit(node, searcher, address, None)

    def facets(
        self,
        query: str = "*",
        by: str = "concept",
        *,
        below: str | None = None,
        limit: int = 20,
        groups: Container[str] | None = GROUPS,
    ) -> list[Facet]:
        """Count the notes of a query by concept, branch, type or year.

        Parameters
        ----------
        query : str, optional
            The notes to count. Default: all.
        by : {"concept", "branch", "type", "year"}, optional
            ``concept``: the codes of terms. ``branch``: codes with all narrower ones; the children of `below`, or the
            top-level codes.
        below : str, optional
            The parent code of the branches.
        limit : int, optional
            The maximum number of facets, most frequent first.
        groups : container of str or None, optional
            The semantic groups of concepts; None for all. Default: disorders, findings, procedures and drugs. Only
            affirmed terms count.

        Returns
        -------
        list of Facet
            Each with ``value``, ``name`` and ``notes``. A note counts once for each value that it has.
        """
        chosen = self._queries.plan(self.parse(query))
        if by in {"type", "year"}:
            values = [Facet(value, value, notes) for value, notes in self._queries.count_by_field(chosen, by)]
        elif by in {"concept", "branch"}:
            exact = by == "concept"
            codes: Iterable[str]
            if exact:
                codes = self._queries.frequent_codes(chosen, limit, groups)
            else:
                # With an explicit parent code, all its children are wanted, whatever their group.
                known = self._concepts.groups
                codes = [
                    code
                    for code in self._concepts.children(below)
                    if below is not None or groups is None or known.get(code) in groups
                ]
            values = [
                Facet(
                    code,
                    self._concepts.names.get(code, code),
                    self._queries.count_with_code(chosen, code, exact=exact),
                )
                for code in codes
            ]
        else:
            raise SearchIndexError(f"there is no facet {by!r}: concept, branch, type, year")
        kept = [value for value in values if value.notes]
        return sorted(kept, key=lambda value: (-value.notes, value.value))[:limit]

    # ---- queries and cohorts

    def save_query(self, name: str, query: str) -> None:
        """Save a query under a name; ``saved:name`` stands for it.

        Parameters
        ----------
        name : str
            Letters, digits, ``-`` and ``_``.
        query : str
            The query; it is parsed once to validate it.
        """
        if not name.replace("-", "").replace("_", "").isalnum():
            raise SearchIndexError("the name of a saved query has letters, digits, - and _ only")
        parse(query, self._resolve_name, self._manifest.queries | {name: "*"}, self._check_code)
        self._manifest.queries[name] = query
        self._manifest.write(self._path / MANIFEST)

    def cohort(self, query: str) -> Cohort:
        """Return the patients who have a matching note.

        Parameters
        ----------
        query : str
            See `search`.

        Returns
        -------
        Cohort
            A set of patients: ``a & b`` (and), ``a | b`` (or), ``a - b`` (without).
        """
        node = self.parse(query)
        return Cohort(self._queries.searcher.matching_patients(self._queries.plan(node)), str(node))

    def attrition(self, steps: Iterable[tuple[str, str]]) -> AttritionTable:
        """Count the patients who remain after each step.

        Parameters
        ----------
        steps : iterable of tuple of (str, str)
            Pairs of label and query. A query that begins with ``WITHOUT`` excludes the patients who have a matching
            note; any other keeps only those who have one. Different steps may match different notes of a patient.

        Returns
        -------
        AttritionTable
            One row per step: label, patients left, patients lost.
        """
        return attrition(self.cohort, steps)


def _asked_fields(node: Node) -> set[str]:
    """Return the fields in a query that only some indexes have."""
    match node:
        case Range(field):
            return {field}
        case Sex():
            return {"sex"}
        case And(operands) | Or(operands):
            return set().union(*map(_asked_fields, operands))
        case Not(operand):
            return _asked_fields(operand)
        case _:
            return set()
