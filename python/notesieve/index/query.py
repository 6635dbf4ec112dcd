"""Syntax tree of queries: `language` parses it, `query_plan` runs it on the index, `matching` on one note.

``str`` of a node is its canonical form, which parses to an equivalent node.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class All:
    """Every note: ``*``."""

    def __str__(self) -> str:
        return "*"


@dataclass(frozen=True)
class Word:
    """Notes with a word."""

    word: str

    def __str__(self) -> str:
        # Unquoted, these would be rejected as lower-case operators.
        return f'"{self.word}"' if self.word in {"and", "or", "not"} else self.word


@dataclass(frozen=True)
class Prefix:
    """Notes with a word that has a prefix: ``cardio*``."""

    start: str

    def __str__(self) -> str:
        return f"{self.start}*"


@dataclass(frozen=True)
class Phrase:
    """Notes with consecutive words."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return f'"{" ".join(self.words)}"'


@dataclass(frozen=True)
class Code:
    """Notes with a term that has one of the codes or, unless `exact`, a narrower one.

    `asked` is the required status of the term, one of `notesieve.statuses.ASKED`; by default the term is affirmed.
    """

    codes: tuple[str, ...]
    exact: bool = False
    asked: str = "affirmed"

    def __str__(self) -> str:
        mark = "!" if self.exact else ""
        field = "code" if self.asked == "affirmed" else self.asked
        return " OR ".join(f"{field}:{code}{mark}" for code in sorted(set(self.codes)))


# The smallest and the largest number; None leaves an end open.
ValueRange = tuple[float | None, float | None]


@dataclass(frozen=True)
class Value:
    """Notes with a value of a measurement: ``creatinine>2``, ``hba1c>=8.0 %``.

    `concept` is what is measured, with its status. `ranges` has the smallest and the largest matching number for each
    unit of the queried index; see `notesieve.index.units`.
    """

    concept: Code
    sign: str
    number: float
    unit: str = ""
    ranges: Mapping[str, ValueRange] = field(default_factory=dict, compare=False, repr=False, hash=False)

    def __str__(self) -> str:
        field = "" if self.concept.asked == "affirmed" else f"{self.concept.asked}:"
        names = sorted(set(self.concept.codes))
        mark = "!" if self.concept.exact else ""
        unit = f" {self.unit}" if self.unit else ""
        return " OR ".join(f"{field}{name}{mark}{self.sign}{self.number:g}{unit}" for name in names)

    @property
    def bounds(self) -> ValueRange:
        """The smallest and the largest matching number; None leaves an end open."""
        match self.sign:
            case ">":
                return math.nextafter(self.number, math.inf), None
            case ">=":
                return self.number, None
            case "<":
                return None, math.nextafter(self.number, -math.inf)
            case "<=":
                return None, self.number
            case _:
                return self.number, self.number


@dataclass(frozen=True)
class Type:
    """Notes of a type, ignoring case."""

    name: str

    def __str__(self) -> str:
        return f'type:"{self.name}"'


@dataclass(frozen=True)
class Range:
    """Notes by ``year``, ``date`` (days as ordinals) or ``age``, both ends included; None leaves an end open."""

    field: str
    first: int | None
    last: int | None

    def __str__(self) -> str:
        first, last = ("" if end is None else self._format_end(end) for end in (self.first, self.last))
        return f"{self.field}:{first}" if self.first == self.last else f"{self.field}:{first}..{last}"

    def _format_end(self, end: int) -> str:
        return dt.date.fromordinal(end).isoformat() if self.field == "date" else str(end)


@dataclass(frozen=True)
class Sex:
    """Notes of patients of a sex."""

    sex: str

    def __str__(self) -> str:
        return f"sex:{self.sex}"


@dataclass(frozen=True)
class Near:
    """Notes with two items at most `distance` words apart, in either order, measured between their first words."""

    left: Node
    right: Node
    distance: int

    def __str__(self) -> str:
        low, high = sorted((_parenthesized(self.left), _parenthesized(self.right)))
        return f"{low} NEAR/{self.distance} {high}"


@dataclass(frozen=True)
class AtLeast:
    """Notes in which the operand occurs at least `times` times."""

    times: int
    operand: Node

    def __str__(self) -> str:
        return f"ATLEAST/{self.times} {_parenthesized(self.operand)}"


@dataclass(frozen=True)
class Not:
    """Notes that do not match the operand."""

    operand: Node

    def __str__(self) -> str:
        return f"NOT {_parenthesized(self.operand)}"


@dataclass(frozen=True)
class And:
    """Notes that match all operands."""

    operands: tuple[Node, ...]

    def __str__(self) -> str:
        return " AND ".join(sorted(map(_parenthesized, self.operands)))


@dataclass(frozen=True)
class Or:
    """Notes that match any operand."""

    operands: tuple[Node, ...]

    def __str__(self) -> str:
        return " OR ".join(sorted(map(_parenthesized, self.operands)))


Node = All | Word | Prefix | Phrase | Code | Value | Type | Range | Sex | Near | AtLeast | Not | And | Or


def _parenthesized(node: Node) -> str:
    several = isinstance(node, And | Or | Not | Near | AtLeast) or (
        isinstance(node, Code | Value) and len(set((node.concept if isinstance(node, Value) else node).codes)) > 1
    )
    return f"({node})" if several else str(node)


def join_operands(kind: type[And | Or], operands: list[Node]) -> Node:
    """Join operands by AND or OR, flattened and without duplicates; a single operand is returned as it is."""
    flat: dict[str, Node] = {}
    for operand in operands:
        for node in operand.operands if isinstance(operand, kind) else (operand,):
            flat.setdefault(str(node), node)
    return next(iter(flat.values())) if len(flat) == 1 else kind(tuple(flat.values()))
