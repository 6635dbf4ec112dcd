"""Asking the segments: which notes fit a query, whose they are, and which codes they have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from notesieve._core import SegmentQuery
from notesieve.errors import QueryError
from notesieve.index.matching import matches
from notesieve.index.note_attributes import NOTHING_KNOWN
from notesieve.index.query import And, Not, Or, Type, Value
from notesieve.index.query_plan import QueryPlan
from notesieve.index.segments import read_stored_note
from notesieve.index.units import ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from notesieve._core import Segments
    from notesieve.index.concepts import Concepts
    from notesieve.index.note_attributes import Attributes
    from notesieve.index.query import Code, Node, Range, Sex

__all__ = ["SegmentQuestions"]


class SegmentQuestions:
    """Plans queries, and answers what needs the codes beside the segments.

    Parameters
    ----------
    segments : Segments
        Where the notes are.
    concepts : Concepts
        The sets of codes, and what is narrower than what.
    attributes : callable
        Gives patient and attributes of each note.
    """

    def __init__(
        self,
        segments: Segments,
        concepts: Concepts,
        attributes: Callable[[], dict[str, tuple[str, Attributes]]],
    ) -> None:
        self._segments, self._concepts, self._attributes = segments, concepts, attributes
        self.searcher = segments.searcher()

    def refresh(self) -> None:
        """See what was committed since."""
        self._segments.refresh()
        self.searcher = self._segments.searcher()

    def numbers(self, code: Code) -> list[int]:
        """Give the numbers of the sets of codes for which a code stands."""
        return self._concepts.with_code(code.codes, exact=code.exact, asked=code.asked)

    def resolved(self, node: Node, query: str) -> Node:
        """Give a query with the ranges of its values, as the units of the index are.

        Raises
        ------
        QueryError
            If units differ, or there is no note of a type.
        """
        match node:
            case Value(concept):
                return replace(node, ranges=ranges_of(node, self.searcher.count_by_unit(self.numbers(concept)), query))
            case Type(name):
                types = self.types()
                if name not in {kind.casefold() for kind in types}:
                    known = ", ".join(types) or "none"
                    message = f"asks for a type that no note has; there are: {known}"
                    raise QueryError(message, query, 0)
                return node
            case And(operands):
                return And(tuple(self.resolved(operand, query) for operand in operands))
            case Or(operands):
                return Or(tuple(self.resolved(operand, query) for operand in operands))
            case Not(operand):
                return Not(self.resolved(operand, query))
            case _:
                return node

    def types(self) -> list[str]:
        """Give the types of note that there are."""
        return sorted(self.searcher.count_by_type(SegmentQuery.everything()))

    def with_attribute(self, node: Range | Sex) -> SegmentQuery:
        """Give the question for the notes with a date, an age or a sex: it names them, or the others if fewer."""
        known = self._attributes()
        fitting = {note for note, (_, attributes) in known.items() if attributes.matches(node)}
        if 2 * len(fitting) <= len(known):
            return SegmentQuery.notes(sorted(fitting))
        return SegmentQuery.without(SegmentQuery.notes(sorted(known.keys() - fitting)))

    def plan(self, node: Node) -> SegmentQuery:
        """Give the query that finds all notes that fit and no others."""
        plan = QueryPlan(node, self.numbers, self.types, self.with_attribute)
        if plan.exact:
            return plan.query
        # Whatever needs a second look is looked at once, and named by its notes.
        known = self._attributes()
        found = (
            read_stored_note(self.searcher, address)
            for address in self.searcher.matching_addresses(plan.query).tolist()
        )
        nothing = ("", NOTHING_KNOWN)
        contents = ((one.note, replace(one.content, attributes=known.get(one.note, nothing)[1])) for one in found)
        return SegmentQuery.notes([note for note, content in contents if matches(node, content, self.numbers)])

    def by_value(self, query: SegmentQuery, field: str) -> list[tuple[str, int]]:
        """Count the notes that fit by their type or year."""
        if field == "type":
            return list(self.searcher.count_by_type(query).items())
        return [(str(year), notes) for year, notes in self.searcher.count_by_year(query).items()]

    def frequent(self, query: SegmentQuery, limit: int, groups: Container[str] | None) -> list[str]:
        """Give the codes of some groups that may be the most frequent: each at least as often as its commonest set."""
        concepts = self._concepts
        most: dict[str, int] = {}
        total: dict[str, int] = {}
        for number, notes in self.searcher.count_by_codes(query).items():
            if concepts.said[number]:
                continue
            for code in concepts.sets[number][:1]:
                if groups is not None and concepts.groups.get(code) not in groups:
                    continue
                most[code] = max(most.get(code, 0), notes)
                total[code] = total.get(code, 0) + notes
        # What all its sets together cannot lift above the last sure one is out.
        floor = sorted(most.values(), reverse=True)[:limit][-1:] or [0]
        return [code for code, notes in total.items() if notes >= floor[0]]

    def with_code(self, query: SegmentQuery, code: str, *, exact: bool) -> int:
        """Count the notes that fit and have a code, as the first of a term if `exact`; else also something narrower."""
        numbers = (
            [at for at, codes in enumerate(self._concepts.sets) if codes[:1] == (code,) and not self._concepts.said[at]]
            if exact
            else self._concepts.with_code([code])
        )
        return self.searcher.count_notes(SegmentQuery.all_of([query, SegmentQuery.codes(numbers)]))
