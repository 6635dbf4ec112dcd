"""Query planning: translates the tree to a query of the segments, and decides whether each hit must be checked."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from notesieve._core import SegmentQuery
from notesieve.index import query as nodes
from notesieve.index.segments import format_slot

if TYPE_CHECKING:
    from collections.abc import Callable

# The most pairs of words and codes to which a NEAR is expanded; beyond it, the notes themselves are checked.
_MAX_PAIRS = 64


class QueryPlan:
    """A query, ready to run.

    Parameters
    ----------
    node : Node
        The parsed query.
    numbers : callable
        Returns the numbers of the sets of codes that match a code node.
    types : callable
        Returns the types of note in the index.
    with_attribute : callable
        Returns the query for the notes with a date, an age or a sex.

    Attributes
    ----------
    query : SegmentQuery
        Finds all matching notes.
    exact : bool
        Whether it finds no others. If not, each hit must be checked.
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
                # Positions of words are two apart, with a slot for codes between them.
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
        """Join queries by OR; without queries, nothing matches."""
        return SegmentQuery.any_of(queries) if queries else SegmentQuery.nothing()

    def _plan_near(self, node: nodes.Near) -> tuple[SegmentQuery, bool]:
        """Plan NEAR as phrases of both terms with the distance as slop, or as AND of both sides, which is inexact."""
        left, right = self._single_terms(node.left), self._single_terms(node.right)
        if left is not None and right is not None and len(left) * len(right) <= _MAX_PAIRS:
            # Words have odd positions; codes are in the slot before their first word.
            pairs = [
                SegmentQuery.word(low)
                if (low, is_code) == (high, high_is_code)
                else SegmentQuery.phrase([(int(not is_code), low), (int(not high_is_code), high)], 2 * node.distance)
                for (low, is_code), (high, high_is_code) in product(left, right)
            ]
            return self._join_by_or(pairs), True
        return SegmentQuery.all_of([self._plan(operand)[0] for operand in (node.left, node.right)]), False

    def _single_terms(self, node: nodes.Node) -> list[tuple[str, bool]] | None:
        """Return the words and slots that a node stands for, or None if any part is longer than one word."""
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
