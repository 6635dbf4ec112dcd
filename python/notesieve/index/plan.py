"""How a query is asked of the index: the tree as a tantivy query, and whether each hit must be looked at once more."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from notesieve.index.query import All, And, AtLeast, Code, Near, Not, Or, Phrase, Prefix, Type, Word, Year
from notesieve.index.segments import slot, tantivy

if TYPE_CHECKING:
    from collections.abc import Callable

    from notesieve.index.query import Node

__all__ = ["Plan"]

# Pairs of words and codes that a NEAR may stand for before the notes themselves are asked.
_PAIRS = 64
_NO_YEAR = 2**63 - 1

_MUST, _SHOULD, _MUST_NOT = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot


class Plan:
    """A query, ready to be asked.

    Parameters
    ----------
    node : Node
        What the query says.
    schema : tantivy.Schema
        The fields of the index.
    numbers : callable
        Gives the numbers of the sets of codes for which a code stands.
    types : callable
        Gives the types of note that the index has.

    Attributes
    ----------
    query : tantivy.Query
        Finds all notes that the query asks for.
    exact : bool
        Whether it finds no others. If not, each must be looked at.
    """

    def __init__(
        self,
        node: Node,
        schema: tantivy.Schema,
        numbers: Callable[[Code], list[int]],
        types: Callable[[], list[str]],
    ) -> None:
        self._schema, self._numbers, self._types = schema, numbers, types
        self.query, self.exact = self._plan(node)

    def _plan(self, node: Node) -> tuple[tantivy.Query, bool]:
        match node:
            case All():
                return tantivy.Query.all_query(), True
            case Word(word):
                return self._term(word), True
            case Prefix(start):
                return tantivy.Query.regex_query(self._schema, "words", f"{start}.*"), True
            case Phrase(parts):
                # Between two words is a slot.
                places: list[str | tuple[int, str]] = [(2 * place, part) for place, part in enumerate(parts)]
                return tantivy.Query.phrase_query(self._schema, "words", places), True
            case Code():
                return self._terms([slot(number) for number in self._numbers(node)]), True
            case Type(name):
                known = [kind for kind in self._types() if kind.casefold() == name]
                return self._any([tantivy.Query.term_query(self._schema, "type", kind) for kind in known]), True
            case Year(first, last):
                return self._years(first, last), True
            case Near():
                return self._near(node)
            case AtLeast(times, operand):
                query, exact = self._plan(operand)
                return query, exact and times == 1
            case Not(operand):
                query, exact = self._plan(operand)
                everything = tantivy.Query.all_query()
                if not exact:
                    return everything, False
                return tantivy.Query.boolean_query([(_MUST, everything), (_MUST_NOT, query)]), True
            case And(operands) | Or(operands):
                plans = [self._plan(operand) for operand in operands]
                exact = all(exact for _, exact in plans)
                if isinstance(node, Or):
                    return self._any([query for query, _ in plans]), exact
                return tantivy.Query.boolean_query([(_MUST, query) for query, _ in plans]), exact

    def _term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "words", term)

    def _terms(self, terms: list[str]) -> tantivy.Query:
        if len(terms) == 1:
            return self._term(terms[0])
        return tantivy.Query.term_set_query(self._schema, "words", terms) if terms else tantivy.Query.empty_query()

    @staticmethod
    def _any(queries: list[tantivy.Query]) -> tantivy.Query:
        return tantivy.Query.boolean_query([(_SHOULD, q) for q in queries]) if queries else tantivy.Query.empty_query()

    def _years(self, first: int | None, last: int | None) -> tantivy.Query:
        low, high = first or 0, _NO_YEAR if last is None else last
        return tantivy.Query.range_query(self._schema, "year", tantivy.FieldType.Unsigned, low, high)

    def _near(self, node: Near) -> tuple[tantivy.Query, bool]:
        """Find two terms of one field within a distance: a phrase of both at the same place, with that much slop."""
        left, right = self._single(node.left), self._single(node.right)
        if left is not None and right is not None and len(left) * len(right) <= _PAIRS:
            # Words stand at odd places, codes in the slot before their first word.
            pairs = [
                self._term(low)
                if (low, is_code) == (high, high_is_code)
                else tantivy.Query.phrase_query(
                    self._schema,
                    "words",
                    [(int(not is_code), low), (int(not high_is_code), high)],
                    slop=2 * node.distance,
                )
                for (low, is_code), (high, high_is_code) in product(left, right)
            ]
            return self._any(pairs), True
        queries = [(_MUST, self._plan(operand)[0]) for operand in (node.left, node.right)]
        return tantivy.Query.boolean_query(queries), False

    def _single(self, node: Node) -> list[tuple[str, bool]] | None:
        """Give the words and slots for which something stands, or nothing if some of it is longer than one word."""
        match node:
            case Word(word):
                return [(word, False)]
            case Code():
                return [(slot(number), True) for number in self._numbers(node)]
            case Or(operands):
                parts = [self._single(operand) for operand in operands]
                return None if None in parts else [term for part in parts if part is not None for term in part]
            case _:
                return None
