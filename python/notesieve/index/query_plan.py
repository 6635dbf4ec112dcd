"""How a query is asked of the index: the tree as a question to the segments, and whether each hit must be looked at."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from notesieve._core import SegmentQuery
from notesieve.index import query as nodes
from notesieve.index.segments import format_slot

if TYPE_CHECKING:
    from collections.abc import Callable

# Pairs of words and codes that a NEAR may stand for before the notes themselves are asked.
_PAIRS = 64


class QueryPlan:
    """A query, ready to be asked.

    Parameters
    ----------
    node : Node
        What the query says.
    numbers : callable
        Gives the numbers of the sets of codes for which a code stands.
    types : callable
        Gives the types of note that the index has.
    with_attribute : callable
        Gives the question for the notes with a date, an age or a sex.

    Attributes
    ----------
    query : SegmentQuery
        Finds all notes that the query asks for.
    exact : bool
        Whether it finds no others. If not, each must be looked at.
    """

    def __init__(
        self,
        node: nodes.Node,
        numbers: Callable[[nodes.Code], list[int]],
        types: Callable[[], list[str]],
        with_attribute: Callable[[nodes.Range | nodes.Sex], SegmentQuery],
    ) -> None:
        self._numbers, self._types, self._with_attribute = numbers, types, with_attribute
        self.query, self.exact = self._plan(node)

    def _plan(self, node: nodes.Node) -> tuple[SegmentQuery, bool]:
        match node:
            case nodes.All():
                return SegmentQuery.everything(), True
            case nodes.Word(word):
                return SegmentQuery.word(word), True
            case nodes.Prefix(start):
                return SegmentQuery.prefix(start), True
            case nodes.Phrase(parts):
                # Between two words is a slot.
                return SegmentQuery.phrase([(2 * place, part) for place, part in enumerate(parts)]), True
            case nodes.Code():
                return SegmentQuery.codes(self._numbers(node)), True
            case nodes.Value(concept, ranges=ranges):
                numbers = self._numbers(concept)
                of_units = [SegmentQuery.values(numbers, unit, *bounds) for unit, bounds in ranges.items()]
                return self._join_by_or(of_units), True
            case nodes.Type(name):
                known = [kind for kind in self._types() if kind.casefold() == name]
                return self._join_by_or([SegmentQuery.of_type(kind) for kind in known]), True
            case nodes.Range("year", first, last):
                return SegmentQuery.years(first, last), True
            case nodes.Range() | nodes.Sex():
                return self._with_attribute(node), True
            case nodes.Near():
                return self._plan_near(node)
            case nodes.AtLeast(times, operand):
                query, exact = self._plan(operand)
                return query, exact and times == 1
            case nodes.Not(operand):
                query, exact = self._plan(operand)
                return (SegmentQuery.without(query), True) if exact else (SegmentQuery.everything(), False)
            case nodes.And(operands) | nodes.Or(operands):
                plans = [self._plan(operand) for operand in operands]
                queries = [query for query, _ in plans]
                exact = all(exact for _, exact in plans)
                return (
                    self._join_by_or(queries) if isinstance(node, nodes.Or) else SegmentQuery.all_of(queries)
                ), exact

    @staticmethod
    def _join_by_or(queries: list[SegmentQuery]) -> SegmentQuery:
        """Join queries by OR; nothing fits none."""
        return SegmentQuery.any_of(queries) if queries else SegmentQuery.nothing()

    def _plan_near(self, node: nodes.Near) -> tuple[SegmentQuery, bool]:
        """Find two terms of one field within a distance: a phrase of both at the same place, with that much slop."""
        left, right = self._single_terms(node.left), self._single_terms(node.right)
        if left is not None and right is not None and len(left) * len(right) <= _PAIRS:
            # Words stand at odd places, codes in the slot before their first word.
            pairs = [
                SegmentQuery.word(low)
                if (low, is_code) == (high, high_is_code)
                else SegmentQuery.phrase([(int(not is_code), low), (int(not high_is_code), high)], 2 * node.distance)
                for (low, is_code), (high, high_is_code) in product(left, right)
            ]
            return self._join_by_or(pairs), True
        return SegmentQuery.all_of([self._plan(operand)[0] for operand in (node.left, node.right)]), False

    def _single_terms(self, node: nodes.Node) -> list[tuple[str, bool]] | None:
        """Give the words and slots for which something stands, or nothing if some of it is longer than one word."""
        match node:
            case nodes.Word(word):
                return [(word, False)]
            case nodes.Code():
                return [(format_slot(number), True) for number in self._numbers(node)]
            case nodes.Or(operands):
                parts = [self._single_terms(operand) for operand in operands]
                return None if None in parts else [term for part in parts if part is not None for term in part]
            case _:
                return None
