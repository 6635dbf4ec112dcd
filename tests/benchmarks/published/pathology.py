"""Scrubbers of pathology reports with concept output (Miller 2001, Thomas 2002, Gupta 2004): lists in three variants.

All use the expressions of each kind, then lists of words:

- *Miller*: words on a list of people, places and institutions, even if they are on others, except stop words;
- *Thomas*: words on a list of proper names that are neither clinical nor common, and words next to an affix;
- *Gupta* (De-ID): first the names in the header, wherever they recur; then the lists of names; terms of a nomenclature
  stay. Its output has typed tags in place of identifiers, and the codes of the terms that stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from published.expressions import expression_matches
from published.name_search import find_names
from published.notes import Note
from published.reading import concepts_of, lists_of, tokens_of
from published.systems import Spans, Untrained

_HEADER = re.compile(
    r"(?im)^[ \t]*(?:patient(?: name)?|name|pt|physician|surgeon|pathologist|attending|provider|referred by)[ \t]*:[ \t]*(?P<names>[^\n|]{2,60})"
)
_NAMES, _PLACES = ("first-name", "surname"), ("city", "county", "state")
_COMMON = ("english", "clinical", "term", "literature")
_STOP = ("stop", "unit", "month")


def _is_on_lists(word: str, lists: Sequence[str]) -> bool:
    return not lists_of(word.lower()).isdisjoint(lists)


@dataclass(frozen=True, repr=False)
class Coded:
    """A report with tags in place of identifiers, and the codes of its terms with their spans in `text`."""

    text: str
    concepts: list[tuple[int, int, tuple[str, ...]]]


class Pathology(Untrained):
    """De-ID: header, expressions, lists; terms stay."""

    name: ClassVar[str] = "De-ID, header and lists (2004)"
    published: ClassVar[str] = "misses of three trials: 103 accessions, 7 dates, 9 names, 25 initials, 46 institutions"

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the tagged spans of each note."""
        return [[(start, end) for start, end, _ in self.tag_tokens(note.text)] for note in notes]

    def tag_tokens(self, text: str) -> list[tuple[int, int, str]]:
        """Return the removed tokens with their tags."""
        spans = tokens_of(text)
        tags = [""] * len(text)
        for kind, start, end in expression_matches(text):
            tags[start:end] = [tags[at] or kind for at in range(start, end)]
        for (start, end), kind in zip(spans, self._tags_of_listed(text, spans), strict=True):
            if kind:
                tags[start:end] = [tags[at] or kind for at in range(start, end)]
        return [(start, end, next(filter(None, tags[start:end]))) for start, end in spans if any(tags[start:end])]

    def code(self, text: str) -> Coded:
        """Return the report with tags and codes."""
        spans = tokens_of(text)
        tags = {start: f"**{tag.upper()}" for start, _, tag in self.tag_tokens(text)}
        out, at, last = "", 0, ""
        concepts = []
        for (start, end), codes in zip(spans, concepts_of(text, spans), strict=True):
            between, tag = text[at:start], tags.get(start, "")
            if not tag or tag != last or between.strip():
                out += between + (tag or text[start:end])
            if codes and not tag:
                concepts.append((len(out) - (end - start), len(out), codes))
            at, last = end, tag
        return Coded(out + text[at:], concepts)

    def _tags_of_listed(self, text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
        stated = {
            word.lower()
            for found in _HEADER.finditer(text)
            for word in re.findall(r"[^\W\d_]{2,}", found["names"])
            if _is_on_lists(word, (*_NAMES, *_PLACES)) or not lists_of(word.lower())
        }
        codes = concepts_of(text, spans)
        kinds = []
        for (start, end), code in zip(spans, codes, strict=True):
            word = text[start:end]
            capital = word[0].isupper() and len(word) > 1
            if word.lower() in stated and capital:
                kinds.append("name")
            elif not capital or code or _is_on_lists(word, (*_STOP, *_COMMON)):
                kinds.append("")
            else:
                kinds.append("name" if _is_on_lists(word, _NAMES) else "place" if _is_on_lists(word, _PLACES) else "")
        return kinds


class ProperNames(Pathology):
    """The variant of Miller: lists of people, places and institutions."""

    name: ClassVar[str] = "lists of proper names (2001)"
    published: ClassVar[str] = "-"

    def _tags_of_listed(self, text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
        words = [text[start:end] for start, end in spans]
        return [
            "name"
            if word[0].isupper() and _is_on_lists(word, (*_NAMES, *_PLACES)) and not _is_on_lists(word, _STOP)
            else ""
            for word in words
        ]


class ProperLessCommon(Pathology):
    """The variant of Thomas: proper names except clinical and common words; affixes and pairs."""

    name: ClassVar[str] = "proper names less common words (2002)"
    published: ClassVar[str] = "names R .987"

    def _tags_of_listed(self, text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
        beside = set(find_names(text))
        words = [text[start:end] for start, end in spans]
        return [
            "name"
            if span in beside
            or (word[0].isupper() and _is_on_lists(word, _NAMES) and not _is_on_lists(word, (*_STOP, *_COMMON)))
            else ""
            for span, word in zip(spans, words, strict=True)
        ]
