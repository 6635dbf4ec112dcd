"""The input of the learning systems: tokens, parts of speech, lemmas, lists, concepts and headings of a note.

Every note is read once; the time this takes is stored, and counted for each system that uses the result.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import simplemma
from textblob.en import parser

import notesieve as ns
from published.notes import Note

# E-mail addresses, words and numbers with inner marks (3/4/06, 128/72, d/w), single marks.
TOKEN = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\w+(?:[-/'’]\w+|(?<=\d)[.,:]\d+)*|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s$")
# Participles may begin a noun phrase, other verb forms do not.
_VERBS = frozenset(("VB", "VBD", "VBP", "VBZ"))
_HEADING = re.compile(r"[ \t]*([A-Za-z][A-Za-z /&.-]{1,30}):")

# The kinds of words, by the lists of the package's vocabulary.
LISTS = {
    "name": ("first-name", "surname"),
    "place": ("city", "county", "place-part", "state"),
    "hospital": ("facility", "ward-noun"),
    "month": ("month",),
}


@dataclass(frozen=True, repr=False)
class Reading:
    """A note as tokens. All lists have one item per token."""

    words: list[str]
    spans: list[tuple[int, int]]
    tags: list[str]
    lemmas: list[str]
    concepts: list[tuple[str, ...]]
    mesh: list[tuple[str, ...]]
    headings: list[str]
    seconds: float


@cache
def _scrubber() -> ns.Scrubber:
    return ns.Scrubber("readable")


def uncached_lists_of(word: str) -> frozenset[str]:
    """Return the lists of the vocabulary that contain a word, without caching."""
    return frozenset(_scrubber().vocabulary.lists(word))


lists_of = cache(uncached_lists_of)


@cache
def kinds_of(word: str) -> tuple[str, ...]:
    """Return the kinds of lists (name, place, hospital, month) that contain a word."""
    found = lists_of(word)
    return tuple(kind for kind, names in LISTS.items() if not found.isdisjoint(names))


@cache
def lemma_of(word: str) -> str:
    """Return the lemma of a word in lower case, or the shape of a number, so that 3/4/06 and 7/8/11 are equal."""
    if any(letter.isdigit() for letter in word):
        return re.sub(r"\d", "0", word.lower())
    return simplemma.lemmatize(word.lower(), lang="en")


@cache
def mesh_levels(codes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the MeSH categories of codes at all levels of the tree: C08, C08.381, C08.381.495 ..."""
    concepts = (_scrubber().vocabulary.concept(code) for code in codes if code.startswith("mesh:"))
    numbers = [number.split(".") for concept in concepts if concept for number in concept.types]
    return tuple(sorted({".".join(parts[:depth]) for parts in numbers for depth in range(1, len(parts) + 1)}))


def tokens_of(text: str) -> list[tuple[int, int]]:
    """Split a text into tokens; a possessive ending is not part of its word."""
    spans = []
    for found in TOKEN.finditer(text):
        ending = _POSSESSIVE.search(found[0])
        spans.append((found.start(), found.end() - (len(ending[0]) if ending else 0)))
    return spans


def _headings(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return for each token the heading before it: a label at the start of a line, until an empty line."""
    starts, at = [], 0
    for line in text.splitlines(keepends=True):
        label = _HEADING.match(line)
        if label:
            starts.append((at, label[1].strip().lower()))
        elif not line.strip():
            starts.append((at, ""))
        at += len(line)
    headings, current, following = [], "", iter([*starts, (len(text) + 1, "")])
    after = next(following)
    for start, _ in spans:
        while after[0] <= start:
            current = after[1]
            after = next(following)
        headings.append(current)
    return headings


def concepts_of(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, ...]]:
    """Return for each token the codes of the term that contains it."""
    codes: list[tuple[str, ...]] = [()] * len(spans)
    at = 0
    for mention in _scrubber().autocode(text, identifying=True):
        while at < len(spans) and spans[at][1] <= mention.source_start:
            at += 1
        inside = at
        while inside < len(spans) and spans[inside][0] < mention.source_end:
            codes[inside] = tuple(mention.codes)
            inside += 1
    return codes


def noun_phrases(tags: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield each noun phrase (start, head, end exclusive): determiners and adjectives, then nouns."""
    first: int | None = None
    head: int | None = None
    for at, tag in enumerate([*tags, "."]):
        inside = tag.startswith("NN") or (
            head is None and tag[:2] in ("DT", "JJ", "PR", "CD", "VB") and tag not in _VERBS
        )
        if not inside:
            if first is not None and head is not None:
                yield first, head, at
            first = head = None
            continue
        first = at if first is None else first
        head = at if tag.startswith("NN") else head


def _mesh_of_phrases(tags: Sequence[str], codes: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return for each token the categories of its noun phrase: those of the head, or else of the last term in it."""
    mesh = [mesh_levels(own) for own in codes]
    for first, head, after in noun_phrases(tags):
        found = mesh[head] or next((mesh[at] for at in range(after - 1, first - 1, -1) if mesh[at]), ())
        mesh[first:after] = [found] * (after - first)
    return mesh


def tags_of(text: str, words: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[str]:
    """Tag a text line by line, since sentences of a record seldom cross lines."""
    tags: list[str] = []
    first = 0
    for at in range(1, len(words) + 1):
        if at == len(words) or "\n" in text[spans[at - 1][1] : spans[at][0]]:
            tags += [tag for _, tag in parser.find_tags(list(words[first:at]))]
            first = at
    return tags


_READINGS: dict[tuple[str, str], Reading] = {}


def clear_cache() -> None:
    """Clear the cache of readings before other notes are read."""
    _READINGS.clear()


def read_note(note: Note) -> Reading:
    """Read a note, or return its cached reading."""
    known = _READINGS.get((note.doc, note.text))
    if known is None:
        began = time.process_time()
        spans = tokens_of(note.text)
        words = [note.text[start:end] for start, end in spans]
        codes, tags = concepts_of(note.text, spans), tags_of(note.text, words, spans)
        known = _READINGS[note.doc, note.text] = Reading(
            words,
            spans,
            tags,
            [lemma_of(word) for word in words],
            codes,
            _mesh_of_phrases(tags, codes),
            _headings(note.text, spans),
            time.process_time() - began,
        )
    return known


def labels_of(note: Note, spans: Iterable[tuple[int, int]]) -> list[str | None]:
    """Return the category of each token: "" if it does not identify, None if it may stay or go."""
    category: list[str | None] = [""] * len(note.text)
    for mark in note.marks:
        category[mark.start : mark.end] = [mark.category if mark.required else None] * (mark.end - mark.start)
    labels = []
    for start, end in spans:
        inside = category[start:end]
        labels.append(next((one for one in inside if one), None if None in inside else ""))
    return labels
