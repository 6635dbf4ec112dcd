"""One note against one query: where the words and codes of the query stand.

It marks what was found in a text, counts occurrences, and decides what the index alone cannot: phrases near something,
and how often something occurs.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from notesieve.index.note_attributes import NOTHING_KNOWN, Attributes
from notesieve.index.query import (
    All,
    And,
    AtLeast,
    Code,
    Near,
    Not,
    Or,
    Phrase,
    Prefix,
    Range,
    Sex,
    Type,
    Value,
    Word,
    Year,
)
from notesieve.index.words import words_with_offsets

if TYPE_CHECKING:
    from collections.abc import Callable

    from notesieve.index.query import Node

__all__ = ["IndexedNote", "matches", "occurrences", "spans"]


@dataclass(frozen=True)
class IndexedNote:
    """A note as the index holds it.

    Attributes
    ----------
    text : str
        The de-identified text.
    mentions : list of tuple of (int, int, int)
        Start and end of each term in code points, and the number of its set of codes.
    note_type : str or None
        The type of note.
    year : int or None
        The year of the note.
    attributes : Attributes, optional
        Date, age and sex. Default: nothing is known.
    mention_values : dict
        Value, dose and the like of some mentions, by their places among the mentions.
    """

    text: str
    mentions: list[tuple[int, int, int]]
    note_type: str | None
    year: int | None
    attributes: Attributes = NOTHING_KNOWN
    mention_values: dict[int, dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def words(self) -> list[tuple[str, int, int]]:
        """The words with start and end in code points."""
        return words_with_offsets(self.text)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The places of each word, counted in words."""
        found: dict[str, list[int]] = {}
        for place, (word, _, _) in enumerate(self.words):
            found.setdefault(word, []).append(place)
        return found

    @cached_property
    def term_places(self) -> list[int]:
        """The place of the first word of each mention."""
        ends = [end for _, _, end in self.words]
        return [bisect_right(ends, start) for start, _, _ in self.mentions]


def occurrences(node: Node, note: IndexedNote, numbers: Callable[[Code], list[int]]) -> list[tuple[int, int, int]]:
    """Give where something stands: the place of its first word, start and end in code points, in order.

    Parameters
    ----------
    node : Word, Prefix, Phrase, Code, or an Or of them
        What to look for.
    note : IndexedNote
        The note.
    numbers : callable
        Gives the numbers of the sets of codes for which a code stands.
    """
    match node:
        case Word(word):
            return [(place, *note.words[place][1:]) for place in note.places.get(word, ())]
        case Prefix(start):
            return [(place, low, high) for place, (word, low, high) in enumerate(note.words) if word.startswith(start)]
        case Phrase(parts):
            return [
                (place, note.words[place][1], note.words[place + len(parts) - 1][2])
                for place in note.places.get(parts[0], ())
                if place + len(parts) <= len(note.words)
                and all(note.words[place + i][0] == part for i, part in enumerate(parts))
            ]
        case Code():
            wanted = set(numbers(node))
            return [
                (place, start, end)
                for place, (start, end, number) in zip(note.term_places, note.mentions, strict=True)
                if number in wanted
            ]
        case Value(concept):
            of_concept = {(start, end) for _, start, end in occurrences(concept, note, numbers)}
            return [
                (place, start, end)
                for at, (place, (start, end, _)) in enumerate(zip(note.term_places, note.mentions, strict=True))
                if (start, end) in of_concept and _fits(node, note.mention_values.get(at, {}))
            ]
        case Or(operands):
            found = sorted(found for operand in operands for found in occurrences(operand, note, numbers))
            # What several find at one place is one occurrence, the longest.
            return list({place: (place, start, end) for place, start, end in found}.values())
        case _:
            return []


def _fits(value: Value, said: dict[str, Any]) -> bool:
    """Tell whether a value of a note is in the range of its unit."""
    number, comparator = said.get("number"), said.get("comparator")
    least, most = value.ranges.get(said.get("unit") or said.get("assumed_unit") or "", (math.inf, -math.inf))
    if number is None:
        return False
    if comparator in {"<", ">"}:
        number = math.nextafter(number, -math.inf if comparator == "<" else math.inf)
    return (least is None or least <= number) and (most is None or number <= most)


def _pairs(node: Near, note: IndexedNote, numbers: Callable[[Code], list[int]]) -> list[tuple[int, int, int]]:
    left, right = occurrences(node.left, note, numbers), occurrences(node.right, note, numbers)
    found = []
    for these, those in ((left, right), (right, left)):
        places = [place for place, _, _ in those]
        for this in these:
            nearest = bisect_left(places, this[0] - node.distance)
            if nearest < len(places) and places[nearest] <= this[0] + node.distance:
                found.append(this)
    return found


def matches(node: Node, note: IndexedNote, numbers: Callable[[Code], list[int]]) -> bool:
    """Tell whether a note is what a query asks for."""
    match node:
        case All():
            return True
        case And(operands):
            return all(matches(operand, note, numbers) for operand in operands)
        case Or(operands):
            return any(matches(operand, note, numbers) for operand in operands)
        case Not(operand):
            return not matches(operand, note, numbers)
        case Near():
            return bool(_pairs(node, note, numbers))
        case AtLeast(times, operand):
            return len(occurrences(operand, note, numbers)) >= times
        case Type(name):
            return note.note_type is not None and note.note_type.casefold() == name
        case Year(first, last):
            return note.year is not None and (first or 0) <= note.year and (last is None or note.year <= last)
        case Range() | Sex():
            return note.attributes.fit(node)
        case _:
            return bool(occurrences(node, note, numbers))


def spans(node: Node, note: IndexedNote, numbers: Callable[[Code], list[int]]) -> list[tuple[int, int]]:
    """Give the stretches of a text that a query speaks of, in code points, in order and apart from each other."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(_mentioned(node, note, numbers)):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _mentioned(node: Node, note: IndexedNote, numbers: Callable[[Code], list[int]]) -> set[tuple[int, int]]:
    match node:
        case And(operands) | Or(operands):
            return {span for operand in operands for span in _mentioned(operand, note, numbers)}
        case Near():
            return {(start, end) for _, start, end in _pairs(node, note, numbers)}
        case AtLeast(_, operand):
            return _mentioned(operand, note, numbers)
        case Code():
            wanted = set(numbers(node))
            return {(start, end) for start, end, number in note.mentions if number in wanted}
        case _:
            return {(start, end) for _, start, end in occurrences(node, note, numbers)}
