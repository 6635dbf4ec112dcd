"""Match one note against one query: the positions of its words and codes.

Used to highlight matches, to count occurrences, and to decide what the index alone cannot: phrases in NEAR, and the
number of occurrences.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from notesieve._core import index_words
from notesieve.index import query as nodes
from notesieve.index.note_attributes import UNKNOWN_ATTRIBUTES, Attributes

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class IndexedNote:
    """A note as the index stores it.

    Attributes
    ----------
    text : str
        The de-identified text.
    mentions : list of tuple of (int, int, int)
        Start and end (exclusive) of each term in code points, and the number of its set of codes.
    note_type : str or None
        The type of note.
    year : int or None
        The year of the note.
    attributes : Attributes, optional
        Date, age and sex. Default: all unknown.
    mention_values : dict
        Value, dose and similar attributes of mentions that have any, by the index of the mention.
    """

    text: str
    mentions: list[tuple[int, int, int]]
    note_type: str | None
    year: int | None
    attributes: Attributes = UNKNOWN_ATTRIBUTES
    mention_values: dict[int, dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def words(self) -> list[tuple[str, int, int]]:
        """The words with start and end (exclusive) in code points."""
        return index_words(self.text)

    @cached_property
    def positions_by_word(self) -> dict[str, list[int]]:
        """The positions of each word, counted in words."""
        found: dict[str, list[int]] = {}
        for place, (word, _, _) in enumerate(self.words):
            found.setdefault(word, []).append(place)
        return found

    @cached_property
    def positions_of_terms(self) -> list[int]:
        """The position of the first word of each mention."""
        ends = [end for _, _, end in self.words]
        return [bisect_right(ends, start) for start, _, _ in self.mentions]


def occurrences(
    node: nodes.Node, note: IndexedNote, numbers: Callable[[nodes.Code], list[int]]
) -> list[tuple[int, int, int]]:
    """Return the occurrences of a node: position of the first word, start and end in code points, in order.

    Parameters
    ----------
    node : Word, Prefix, Phrase, Code, or an Or of them
        What to look for.
    note : IndexedNote
        The note.
    numbers : callable
        Returns the numbers of the sets of codes that match a code node.
    """
    match node:
        case nodes.Word(word):
            return [(place, *note.words[place][1:]) for place in note.positions_by_word.get(word, ())]
        case nodes.Prefix(start):
            return [(place, low, high) for place, (word, low, high) in enumerate(note.words) if word.startswith(start)]
        case nodes.Phrase(parts):
            return [
                (place, note.words[place][1], note.words[place + len(parts) - 1][2])
                for place in note.positions_by_word.get(parts[0], ())
                if place + len(parts) <= len(note.words)
                and all(note.words[place + i][0] == part for i, part in enumerate(parts))
            ]
        case nodes.Code():
            wanted = set(numbers(node))
            return [
                (place, start, end)
                for place, (start, end, number) in zip(note.positions_of_terms, note.mentions, strict=True)
                if number in wanted
            ]
        case nodes.Value(concept):
            of_concept = {(start, end) for _, start, end in occurrences(concept, note, numbers)}
            return [
                (place, start, end)
                for at, (place, (start, end, _)) in enumerate(zip(note.positions_of_terms, note.mentions, strict=True))
                if (start, end) in of_concept and _is_value_in_range(node, note.mention_values.get(at, {}))
            ]
        case nodes.Or(operands):
            found = sorted(found for operand in operands for found in occurrences(operand, note, numbers))
            # Several matches at one position are one occurrence, the longest.
            return list({place: (place, start, end) for place, start, end in found}.values())
        case _:
            return []


def _is_value_in_range(value: nodes.Value, said: dict[str, Any]) -> bool:
    """Return whether any value of a mention is in the range for its unit."""
    return any(_is_number_in_range(value, one) for one in (said, *said.get("further", ())))


def _is_number_in_range(value: nodes.Value, said: dict[str, Any]) -> bool:
    number, comparator = said.get("number"), said.get("comparator")
    least, most = value.ranges.get(said.get("unit") or said.get("assumed_unit") or "", (math.inf, -math.inf))
    if number is None:
        return False
    if comparator in {"<", ">"}:
        number = math.nextafter(number, -math.inf if comparator == "<" else math.inf)
    return (least is None or least <= number) and (most is None or number <= most)


def _near_pairs(
    node: nodes.Near, note: IndexedNote, numbers: Callable[[nodes.Code], list[int]]
) -> list[tuple[int, int, int]]:
    left, right = occurrences(node.left, note, numbers), occurrences(node.right, note, numbers)
    found = []
    for these, those in ((left, right), (right, left)):
        places = [place for place, _, _ in those]
        for this in these:
            nearest = bisect_left(places, this[0] - node.distance)
            if nearest < len(places) and places[nearest] <= this[0] + node.distance:
                found.append(this)
    return found


def matches(node: nodes.Node, note: IndexedNote, numbers: Callable[[nodes.Code], list[int]]) -> bool:
    """Return whether a note matches a query."""
    match node:
        case nodes.All():
            return True
        case nodes.And(operands):
            return all(matches(operand, note, numbers) for operand in operands)
        case nodes.Or(operands):
            return any(matches(operand, note, numbers) for operand in operands)
        case nodes.Not(operand):
            return not matches(operand, note, numbers)
        case nodes.Near():
            return bool(_near_pairs(node, note, numbers))
        case nodes.AtLeast(times, operand):
            return len(occurrences(operand, note, numbers)) >= times
        case nodes.Type(name):
            return note.note_type is not None and note.note_type.casefold() == name
        case nodes.Range("year", first, last):
            return note.year is not None and (first or 0) <= note.year and (last is None or note.year <= last)
        case nodes.Range() | nodes.Sex():
            return note.attributes.matches(node)
        case _:
            return bool(occurrences(node, note, numbers))


def highlighted_spans(
    node: nodes.Node, note: IndexedNote, numbers: Callable[[nodes.Code], list[int]]
) -> list[tuple[int, int]]:
    """Return the spans of a text that a query matches, in code points, sorted and disjoint."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(_matched_spans(node, note, numbers)):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _matched_spans(
    node: nodes.Node, note: IndexedNote, numbers: Callable[[nodes.Code], list[int]]
) -> set[tuple[int, int]]:
    match node:
        case nodes.And(operands) | nodes.Or(operands):
            return {span for operand in operands for span in _matched_spans(operand, note, numbers)}
        case nodes.Near():
            return {(start, end) for _, start, end in _near_pairs(node, note, numbers)}
        case nodes.AtLeast(_, operand):
            return _matched_spans(operand, note, numbers)
        case nodes.Code():
            wanted = set(numbers(node))
            return {(start, end) for start, end, number in note.mentions if number in wanted}
        case _:
            return {(start, end) for _, start, end in occurrences(node, note, numbers)}
