"""Queries of the segments: which notes match, their patients, and their codes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from notesieve._core import SegmentQuery
from notesieve.errors import QueryError
from notesieve.index.matching import matches
from notesieve.index.note_attributes import UNKNOWN_ATTRIBUTES
from notesieve.index.query import And, Not, Or, Type, Value
from notesieve.index.query_plan import QueryPlan
from notesieve.index.segments import read_stored_note
from notesieve.index.units import value_ranges_by_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from notesieve._core import Segments
    from notesieve.index.concepts import Concepts
    from notesieve.index.note_attributes import Attributes
    from notesieve.index.query import Code, Node, Range, Sex


class SegmentQueries:
    """Planner and runner of queries that need both the concepts and the segments.

    Parameters
    ----------
    segments : Segments
        The segments with the notes.
    concepts : Concepts
        The sets of codes and their hierarchy.
    attributes : callable
        Returns patient and attributes of each note.
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
        """Load what was committed since the last refresh."""
        self._segments.refresh()
        self.searcher = self._segments.searcher()

    def numbers_of_sets(self, code: Code) -> list[int]:
        """Return the numbers of the sets of codes that match a code node."""
        return self._concepts.set_numbers_with_codes(code.codes, exact=code.exact, asked=code.asked)

    def resolve_values(self, node: Node, query: str) -> Node:
        """Return a query with the ranges of its values in the units of the index.

        Raises
        ------
        QueryError
            If units cannot be converted, or no note has a type.
        """
        match node:
            case Value(concept):
                return replace(
                    node,
                    ranges=value_ranges_by_unit(
                        node, self.searcher.count_by_unit(self.numbers_of_sets(concept)), query
                    ),
                )
            case Type(name):
                types = self.types()
                if name not in {kind.casefold() for kind in types}:
                    known = ", ".join(types) or "none"
                    message = f"asks for a type that no note has; there are: {known}"
                    raise QueryError(message, query, 0)
                return node
            case And(operands):
                return And(tuple(self.resolve_values(operand, query) for operand in operands))
            case Or(operands):
                return Or(tuple(self.resolve_values(operand, query) for operand in operands))
            case Not(operand):
                return Not(self.resolve_values(operand, query))
            case _:
                return node

    def types(self) -> list[str]:
        """Return the types of note in the index."""
        return sorted(self.searcher.count_by_type(SegmentQuery.everything()))

    def query_for_attribute(self, node: Range | Sex) -> SegmentQuery:
        """Return the query for a date, an age or a sex: it lists the matching notes, or excludes the rest if fewer."""
        known = self._attributes()
        fitting = {note for note, (_, attributes) in known.items() if attributes.matches(node)}
        if 2 * len(fitting) <= len(known):
            return SegmentQuery.notes(sorted(fitting))
        return SegmentQuery.without(SegmentQuery.notes(sorted(known.keys() - fitting)))

    def plan(self, node: Node) -> SegmentQuery:
        """Return the query that finds exactly the matching notes."""
        plan = QueryPlan(node, self.numbers_of_sets, self.types, self.query_for_attribute)
        if plan.exact:
            return plan.query
        # The plan is inexact: check each hit once, and query for the matching notes by name.
        known = self._attributes()
        found = (
            read_stored_note(self.searcher, address)
            for address in self.searcher.matching_addresses(plan.query).tolist()
        )
        nothing = ("", UNKNOWN_ATTRIBUTES)
        contents = ((one.note, replace(one.content, attributes=known.get(one.note, nothing)[1])) for one in found)
        return SegmentQuery.notes([note for note, content in contents if matches(node, content, self.numbers_of_sets)])

    def count_by_field(self, query: SegmentQuery, field: str) -> list[tuple[str, int]]:
        """Count the matching notes by type or year."""
        if field == "type":
            return list(self.searcher.count_by_type(query).items())
        return [(str(year), notes) for year, notes in self.searcher.count_by_year(query).items()]

    def frequent_codes(self, query: SegmentQuery, limit: int, groups: Container[str] | None) -> list[str]:
        """Return candidates for the most frequent codes of some groups: a superset of the `limit` most frequent."""
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
        # The largest set of a code is a lower bound of its notes and the sum of its sets an upper bound: drop codes
        # whose upper bound is below the last lower bound.
        floor = sorted(most.values(), reverse=True)[:limit][-1:] or [0]
        return [code for code, notes in total.items() if notes >= floor[0]]

    def count_with_code(self, query: SegmentQuery, code: str, *, exact: bool) -> int:
        """Count the matching notes with a code or a narrower one; if `exact`, as first code of an affirmed term."""
        numbers = (
            [at for at, codes in enumerate(self._concepts.sets) if codes[:1] == (code,) and not self._concepts.said[at]]
            if exact
            else self._concepts.set_numbers_with_codes([code])
        )
        return self.searcher.count_notes(SegmentQuery.all_of([query, SegmentQuery.codes(numbers)]))
