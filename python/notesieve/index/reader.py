"""Asking the segments: which notes fit a query, whose they are, and which codes they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from notesieve.index.evaluate import matches
from notesieve.index.plan import Plan
from notesieve.index.query import Code
from notesieve.index.segments import SLOT, restore, tantivy

if TYPE_CHECKING:
    from notesieve.index.concepts import Concepts
    from notesieve.index.query import Node

__all__ = ["Reader"]

_FEW = 1_000_000


class Reader:
    """Answers by number: notes are told by their addresses, patients by the digests of their pseudonyms.

    Parameters
    ----------
    segments : tantivy.Index
        Where the notes are.
    concepts : Concepts
        The sets of codes, and what is narrower than what.
    """

    def __init__(self, segments: tantivy.Index, concepts: Concepts) -> None:
        self._segments, self._concepts = segments, concepts
        self._schema = segments.schema
        self.searcher = segments.searcher()

    def refresh(self) -> None:
        """See what was committed since."""
        self._segments.reload()
        self.searcher = self._segments.searcher()

    def numbers(self, code: Code) -> list[int]:
        """Give the numbers of the sets of codes for which a code stands."""
        return self._concepts.with_code(code.codes, exact=code.exact)

    def types(self) -> list[str]:
        """Give the types of note that there are."""
        return sorted(kind for kind, count in self.searcher.terms_with_prefix("type", "") if count)

    def plan(self, node: Node) -> tantivy.Query:
        """Give the query that finds all notes that fit and no others."""
        plan = Plan(node, self._schema, self.numbers, self.types)
        if plan.exact:
            return plan.query
        # Whatever needs a second look is looked at once, and named by its notes.
        stored = (self.stored(address) for address in self.addresses(plan.query))
        fitting = [one["note"][0] for one in stored if matches(node, restore(one), self.numbers)]
        return tantivy.Query.term_set_query(self._schema, "note", fitting)

    def stored(self, address: tantivy.DocAddress) -> dict[str, list[Any]]:
        """Give what is stored of a note."""
        return self.searcher.doc(address).to_dict()

    def how_many(self, query: tantivy.Query) -> int:
        """Count the notes that fit."""
        return _total(self.searcher.search(_unranked(query), limit=1))

    def addresses(self, query: tantivy.Query) -> list[tantivy.DocAddress]:
        """Give all notes that fit, in no order."""
        # tantivy sets aside room for as many as are asked for. Where that is little it costs less than to count first.
        few = self.searcher.num_docs <= _FEW
        most = self.searcher.num_docs if few else self.how_many(query)
        hits = self.searcher.search(_unranked(query), limit=most, count=False).hits if most else []
        return [address for _, address in hits]

    def best(self, query: tantivy.Query, limit: int, offset: int) -> tuple[int, list[tuple[Any, tantivy.DocAddress]]]:
        """Count the notes that fit, and give some with their scores, the best first."""
        found = self.searcher.search(query, limit=max(limit, 1), offset=offset)
        return _total(found), found.hits[:limit]

    def patients(self, query: tantivy.Query) -> list[int]:
        """Give the patient of each note that fits."""
        # An aggregation by patient gives the same as JSON, which takes longer to read than this list.
        numbers: list[Any] = self.searcher.fast_field_values("patient_number", self.addresses(query))
        return numbers

    def by_value(self, query: tantivy.Query, field: str) -> list[tuple[str, int]]:
        """Count the notes that fit by the values of a field."""
        found = self.searcher.aggregate(query, {"by": {"terms": {"field": field, "size": 10_000}}})
        return [(str(bucket["key"]), int(bucket["doc_count"])) for bucket in found["by"]["buckets"]]

    def frequent(self, query: tantivy.Query, limit: int) -> list[str]:
        """Give the codes that may be among the most frequent: each code at least as often as its commonest set."""
        most: dict[str, int] = {}
        total: dict[str, int] = {}
        for term, notes in self.searcher.terms_with_prefix("words", SLOT, filter_query=query):
            for code in self._concepts.sets[int(term.removeprefix(SLOT))][:1]:
                most[code] = max(most.get(code, 0), notes)
                total[code] = total.get(code, 0) + notes
        # What all its sets together cannot lift above the last sure one is out.
        floor = sorted(most.values(), reverse=True)[:limit][-1:] or [0]
        return [code for code, notes in total.items() if notes >= floor[0]]

    def with_code(self, query: tantivy.Query, code: str, *, exact: bool) -> int:
        """Count the notes that fit and have a code, as the first of a term if `exact`; else also something narrower."""
        numbers = (
            [number for number, codes in enumerate(self._concepts.sets) if codes[:1] == (code,)]
            if exact
            else self._concepts.with_code([code])
        )
        plan = Plan(Code((code,)), self._schema, lambda _: numbers, self.types)
        must = tantivy.Occur.Must
        return self.how_many(tantivy.Query.boolean_query([(must, query), (must, plan.query)]))


def _total(found: Any) -> int:
    # tantivy's stubs do not know the attribute.
    return int(found.count)


def _unranked(query: tantivy.Query) -> tantivy.Query:
    """Give the same query without the work of ranking what it finds."""
    return tantivy.Query.const_score_query(query, 1.0)
