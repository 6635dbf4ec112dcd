"""A hidden Markov tagger of names (as IdentiFinder, 1999): categories are states, words and shapes are observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from published.notes import Note
from published.reading import labels_of, tokens_of
from published.systems import Spans

STATES = ["", "NAME", "LOCATION", "DATE", "ID", "CONTACT", "AGE"]


def shape_of(word: str, first: bool) -> str:
    """Return the shape of a word, the only feature of an unseen word."""
    if word.isdigit():
        return f"digits {min(len(word), 5)}"
    if any(letter.isdigit() for letter in word):
        return (
            "number with "
            + "".join(sorted({letter for letter in word if not letter.isalnum()}))
            + ("letters" if any(letter.isalpha() for letter in word) else "")
        )
    if not word[0].isalpha():
        return word
    if len(word) > 1 and word.isupper():
        return "capitals"
    if word[0].isupper():
        return "first capital" if first else "capital"
    return "small"


class HiddenMarkov:
    """Bigrams of states, words given states, and shapes given states for words seen fewer than three times."""

    name: ClassVar[str] = "HMM tagger (1999)"
    published: ClassVar[str] = "F .674 / .323 (trained on news, 2006)"
    reads: ClassVar[bool] = False

    def fit(self, notes: Sequence[Note]) -> None:
        """Estimate the probabilities from counts."""
        size = len(STATES)
        moves = np.ones((size, size))
        states = np.ones(size)
        words: Counter[str] = Counter()
        seen: dict[str, NDArray[np.float64]] = {}
        shapes: dict[str, NDArray[np.float64]] = {}
        tokens = []
        for note in notes:
            spans = tokens_of(note.text)
            labels = labels_of(note, spans)
            before = 0
            for at, ((start, end), label) in enumerate(zip(spans, labels, strict=True)):
                word = note.text[start:end]
                now = STATES.index(label or "")
                moves[before, now] += 1
                states[now] += 1
                words[word.lower()] += 1
                first = at == 0 or note.text[spans[at - 1][0]] == "."
                tokens.append((word.lower(), shape_of(word, first), now))
                before = now
        for word, shape, now in tokens:
            seen.setdefault(word, np.zeros(size))[now] += 1
            if words[word] < 3:
                shapes.setdefault(shape, np.zeros(size))[now] += 1
            shapes.setdefault(f"seen {shape}", np.zeros(size))[now] += 1
        self._moves = np.log(moves / moves.sum(axis=1, keepdims=True))
        share = states / states.sum()
        # P(word | state) up to a factor per word: P(state | word) / P(state), smoothed towards the prior.
        self._words = {
            word: np.log((counts + 2.0 * share) / (counts.sum() + 2.0) / share)
            for word, counts in seen.items()
            if words[word] >= 3
        }
        self._shapes = {
            shape: np.log((counts + 2.0 * share) / (counts.sum() + 2.0) / share) for shape, counts in shapes.items()
        }
        self._nothing = np.zeros(size)

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the spans of the most likely states of each note."""
        return [self._tag_text(note.text) for note in notes]

    def _emission_log_probabilities(self, word: str, first: bool) -> NDArray[np.float64]:
        known = self._words.get(word.lower())
        shape = shape_of(word, first)
        if known is not None:
            return known + 0.5 * self._shapes.get(f"seen {shape}", self._nothing)
        return self._shapes.get(shape, self._nothing)

    def _tag_text(self, text: str) -> Spans:
        spans = tokens_of(text)
        score = np.full(len(STATES), -np.inf)
        score[0] = 0.0
        origins = []
        for at, (start, end) in enumerate(spans):
            first = at == 0 or text[spans[at - 1][0]] == "."
            ways = score[:, None] + self._moves
            origin = ways.argmax(axis=0)
            origins.append(origin)
            score = ways[origin, np.arange(len(STATES))] + self._emission_log_probabilities(text[start:end], first)
        state = int(score.argmax())
        removed = []
        for at in range(len(spans) - 1, -1, -1):
            if state:
                removed.append(spans[at])
            state = int(origins[at][state])
        return removed[::-1]
