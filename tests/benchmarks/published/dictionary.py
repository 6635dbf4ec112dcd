"""Heuristic and dictionary baseline with edit distance (as in 2005 and 2006): lists, context words, near misses.

A capitalised word of a list of names or places is removed if it is not a common word, or if it is next to a context
word. An unlisted word takes the lists of words one typing error away (``Chicage``); a word near a common word is a
misspelling and stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from string import ascii_lowercase
from typing import ClassVar

from published.expressions import expression_matches
from published.notes import Note
from published.reading import lists_of, tokens_of, uncached_lists_of
from published.systems import Spans, Untrained

_NAMES, _PLACES = frozenset(("first-name", "surname")), frozenset(("city", "county", "state", "place-part"))
_COMMON = frozenset(("english", "stop", "clinical", "term", "literature", "brand"))
_BEFORE_NAME = frozenset(
    "dr mr mrs ms miss prof doctor nurse sister by with attending resident surgeon patient name signed daughter son wife husband mother father brother cc".split()
)
_AFTER_NAME = frozenset("md do rn np pa lpn phd jr sr".split())
_BEFORE_PLACE = frozenset(
    "in from near cape fort lake mount los san santa north south east west new port lives to".split()
)
_AFTER_PLACE = frozenset("street st avenue road town ville harbor county city beach island drive parkway".split())
_SHORTEST = 5


def words_one_edit_away(word: str) -> set[str]:
    """Return the words one typing error away: a letter lost, added, changed, or two exchanged."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {left + right[1:] for left, right in cuts if right}
    found |= {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    found |= {left + letter + right[1:] for left, right in cuts if right for letter in ascii_lowercase}
    return (found | {left + letter + right for left, right in cuts for letter in ascii_lowercase}) - {word}


@cache
def lists_of_near_words(word: str) -> frozenset[str]:
    """Return the lists of the words near an unlisted one; only those of common words, if there are any."""
    if len(word) < _SHORTEST or not word.isascii() or not word.isalpha():
        return frozenset()
    near: frozenset[str] = frozenset().union(*(uncached_lists_of(other) for other in words_one_edit_away(word)))
    return near & _COMMON or near


def _is_identifier(words: Sequence[str], at: int) -> bool:
    word = words[at].lower()
    if not words[at][0].isupper() or len(word) < 2:
        return False
    known = lists_of(word) or lists_of_near_words(word)
    before = next((words[one].lower() for one in (at - 1, at - 2) if one >= 0 and words[one] not in ".:,"), "")
    after = words[at + 1].lower() if at + 1 < len(words) else ""
    common = not known.isdisjoint(_COMMON)
    if before in _BEFORE_NAME or after in _AFTER_NAME:
        return not known.isdisjoint(_NAMES) or not known
    if before in _BEFORE_PLACE or after in _AFTER_PLACE:
        return not known.isdisjoint(_PLACES) and not (common and before in ("to", "in", "from"))
    return not common and not known.isdisjoint(_NAMES | _PLACES)


class Dictionary(Untrained):
    """Regular expressions, lists, context words and near misses."""

    name: ClassVar[str] = "heuristics and dictionaries (2006)"
    published: ClassVar[str] = "F .768 re-identified, .847 authentic"

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the spans found in each note."""
        return [self._find(note.text) for note in notes]

    def _find(self, text: str) -> Spans:
        spans = tokens_of(text)
        words = [text[start:end] for start, end in spans]
        chosen = [span for at, span in enumerate(spans) if _is_identifier(words, at)]
        return sorted({*chosen, *((start, end) for _, start, end in expression_matches(text))})
