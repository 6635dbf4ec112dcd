"""The same notes with other names: from the census, ordinary words of the notes, or in no dictionary (2006, 2013).

Only the words of people and places change; equal words of a note stay equal, and capitalisation stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from published.notes import Mark, Note
from published.reading import lists_of
from published.tokens import folded_words, token_labels

_CENSUS = Path(__file__).parents[3] / "vocabularies" / "census"
_WORD = re.compile(r"[^\W\d_]{2,}")
_TITLES = frozenset("dr mr mrs ms miss prof md rn do np pa phd jr sr the of and st".split())
NAME_SOURCES = ("as written", "census names", "ambiguous names", "names in no dictionary")
Draw = Callable[[str, np.random.Generator], str]


@cache
def _draw_by_frequency(file: str) -> Draw:
    """Return a function that draws names in proportion to their bearers."""
    rows = [line.split("\t") for line in (_CENSUS / file).read_text(encoding="utf-8").splitlines()]
    names, bearers = [row[0] for row in rows], np.cumsum([float(row[1]) for row in rows])
    return lambda _, rng: names[int(np.searchsorted(bearers, rng.random() * bearers[-1]))]


def _census_names() -> Draw:
    first, last = _draw_by_frequency("first-names.tsv"), _draw_by_frequency("surnames.tsv")

    def draw_by_list(word: str, rng: np.random.Generator) -> str:
        known = lists_of(word)
        return (first if "first-name" in known and "surname" not in known else last)(word, rng)

    return draw_by_list


def _draw_ordinary_word(notes: Sequence[Note]) -> Draw:
    """Return a function that draws words which the notes also use without identifying: ambiguous names."""
    pairs = zip(folded_words(notes), token_labels(notes), strict=True)
    words = sorted({word for word, label in pairs if label == "" and word.isalpha() and len(word) > 3})
    return lambda _, rng: words[int(rng.integers(len(words)))]


def _permute_letters(word: str, rng: np.random.Generator) -> str:
    """Permute the letters until the word is on no list."""
    for _ in range(20):
        letters = "".join(rng.permutation(list(word)))
        if not lists_of(letters):
            return letters
    return word[::-1] + "q"


def _match_case(new: str, old: str) -> str:
    return new.upper() if old.isupper() else new.capitalize() if old[0].isupper() else new


def _redraw_note(note: Note, draw: Draw, categories: Sequence[str], rng: np.random.Generator) -> Note:
    drawn: dict[str, str] = {}

    def draw_replacement(found: re.Match[str]) -> str:
        word = found[0].lower()
        if word in _TITLES or "facility" in lists_of(word):
            return found[0]
        if word not in drawn:
            drawn[word] = draw(word, rng)
        return _match_case(drawn[word], found[0])

    text, marks, at = "", [], 0
    for mark in sorted(note.marks, key=lambda one: one.start):
        if mark.start < at:
            continue
        old = note.text[mark.start : mark.end]
        new = _WORD.sub(draw_replacement, old) if mark.required and mark.category in categories else old
        text += note.text[at : mark.start]
        marks.append(Mark(len(text), len(text) + len(new), mark.category, mark.required))
        text += new
        at = mark.end
    return Note(note.doc, note.batch, text + note.text[at:], tuple(marks))


def redraw_notes(notes: Sequence[Note], way: str, seed: int = 1) -> list[Note]:
    """Return the notes with other names; `way` is one of `NAME_SOURCES`."""
    if way == NAME_SOURCES[0]:
        return list(notes)
    rng = np.random.default_rng(seed)
    draw = {
        NAME_SOURCES[1]: _census_names,
        NAME_SOURCES[2]: lambda: _draw_ordinary_word(notes),
        NAME_SOURCES[3]: lambda: _permute_letters,
    }[way]()
    categories = ("NAME",) if way == NAME_SOURCES[1] else ("NAME", "LOCATION")
    return [_redraw_note(note, draw, categories, rng) for note in notes]
