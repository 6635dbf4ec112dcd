"""What the learning systems see of a note: tokens, parts of speech, lemmas, lists, concepts and headings.

Every note is read once; the time it takes is kept, and counted for each system that uses it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import simplemma
from textblob.en import parser

import notesieve as ns
from published.notes import Note

# Mail addresses, words and numbers with the marks inside them (3/4/06, 128/72, d/w), single marks.
TOKEN = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\w+(?:[-/'’]\w+|(?<=\d)[.,:]\d+)*|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s$")
_HEADING = re.compile(r"[ \t]*([A-Za-z][A-Za-z /&.-]{1,30}):")

# What a word may stand on, of the lists of the package's vocabulary.
LISTS = {
    "name": ("first-name", "surname"),
    "place": ("city", "county", "place-part", "state"),
    "hospital": ("facility", "ward-noun"),
    "month": ("month",),
}


@dataclass(frozen=True, repr=False)
class Reading:
    """A note as tokens. All lists have one item a token."""

    words: list[str]
    spans: list[tuple[int, int]]
    tags: list[str]
    lemmas: list[str]
    concepts: list[tuple[str, ...]]
    mesh: list[str]
    headings: list[str]
    seconds: float


@cache
def _scrubber() -> ns.Scrubber:
    return ns.Scrubber("readable")


def listed(word: str) -> frozenset[str]:
    """Name the lists of the vocabulary on which a word stands, and remember nothing."""
    return frozenset(_scrubber().vocabulary.lists(word))


lists_of = cache(listed)


@cache
def kinds_of(word: str) -> tuple[str, ...]:
    """Name the kinds of lists (name, place, hospital, month) on which a word stands."""
    found = lists_of(word)
    return tuple(kind for kind, names in LISTS.items() if not found.isdisjoint(names))


@cache
def lemma_of(word: str) -> str:
    """Give the lemma of a word in small letters; of numbers only the form, so that 3/4/06 and 7/8/11 are alike."""
    if any(letter.isdigit() for letter in word):
        return re.sub(r"\d", "0", word.lower())
    return simplemma.lemmatize(word.lower(), lang="en")


@cache
def _mesh_category(code: str) -> str:
    concept = _scrubber().vocabulary.concept(code)
    return concept.types[0].split(".")[0] if concept and concept.types else ""


def tokens_of(text: str) -> list[tuple[int, int]]:
    """Cut a text into tokens; a possessive is no part of its word."""
    spans = []
    for found in TOKEN.finditer(text):
        ending = _POSSESSIVE.search(found[0])
        spans.append((found.start(), found.end() - (len(ending[0]) if ending else 0)))
    return spans


def _headings(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Give for each token the heading before it: a label at the start of a line, until an empty line."""
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


def concepts_of(text: str, spans: Sequence[tuple[int, int]]) -> tuple[list[tuple[str, ...]], list[str]]:
    """Give for each token the codes of the term in which it stands, and the MeSH category of that term."""
    codes: list[tuple[str, ...]] = [()] * len(spans)
    mesh = [""] * len(spans)
    at = 0
    for mention in _scrubber().autocode(text, identifying=True):
        category = next((_mesh_category(code) for code in mention.codes if code.startswith("mesh:")), "")
        while at < len(spans) and spans[at][1] <= mention.source_start:
            at += 1
        inside = at
        while inside < len(spans) and spans[inside][0] < mention.source_end:
            codes[inside], mesh[inside] = tuple(mention.codes), category
            inside += 1
    return codes, mesh


def _tags(text: str, words: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[str]:
    """Tag a note line by line, as sentences seldom cross a line of a record."""
    tags: list[str] = []
    first = 0
    for at in range(1, len(words) + 1):
        if at == len(words) or "\n" in text[spans[at - 1][1] : spans[at][0]]:
            tags += [tag for _, tag in parser.find_tags(list(words[first:at]))]
            first = at
    return tags


_READ: dict[tuple[str, str], Reading] = {}


def forget() -> None:
    """Let the readings of notes go, before other notes are read."""
    _READ.clear()


def read_note(note: Note) -> Reading:
    """Read a note, or give what was read before."""
    known = _READ.get((note.doc, note.text))
    if known is None:
        began = time.process_time()
        spans = tokens_of(note.text)
        words = [note.text[start:end] for start, end in spans]
        codes, mesh = concepts_of(note.text, spans)
        known = _READ[note.doc, note.text] = Reading(
            words,
            spans,
            _tags(note.text, words, spans),
            [lemma_of(word) for word in words],
            codes,
            mesh,
            _headings(note.text, spans),
            time.process_time() - began,
        )
    return known


def labels_of(note: Note, spans: Iterable[tuple[int, int]]) -> list[str | None]:
    """Give the category of each token: "" where it identifies nobody, None where it may stay or go."""
    category: list[str | None] = [""] * len(note.text)
    for mark in note.marks:
        category[mark.start : mark.end] = [mark.category if mark.required else None] * (mark.end - mark.start)
    labels = []
    for start, end in spans:
        inside = category[start:end]
        labels.append(next((one for one in inside if one), None if None in inside else ""))
    return labels
