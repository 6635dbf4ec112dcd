"""Relations over SVM scores by constraint inference (after SNoW, as used in 2006).

Two consecutive tokens of a line that may be entities stand in a relation: a first and a last name, a person of a
hospital, a town of a state, a person seen on a date. A classifier of relations uses the words between them and compares
their spellings. A relation holds only between entities of its two categories, and any two may have none. The inference
finds the assignment of categories to the tokens of a line with the largest sum of entity and relation scores; it is
exact, as the line is a chain (Viterbi).
The relations are learned from the marked categories of both ends, since the notes have no marks of relations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import FeatureHasher
from sklearn.svm import LinearSVC

from published.hmm import shape_of
from published.notes import Note
from published.reading import Reading, kinds_of, labels_of, read_note
from published.systems import Spans
from published.typed import TypedSVM

_REACH = 8
_MIN_PAIRS = 30
_PAIRS = 80_000
_WEIGHT = 0.5
_NONE = "none"


def is_entity_candidate(word: str) -> bool:
    """Return whether a token has the form of an entity: a capital first letter or a digit."""
    return word[0].isupper() or any(letter.isdigit() for letter in word)


def candidates_by_line(note: Note, reading: Reading) -> Iterator[list[int]]:
    """Yield the tokens of each line that may be entities."""
    line: list[int] = []
    for at, (word, (start, _)) in enumerate(zip(reading.words, reading.spans, strict=True)):
        if at and "\n" in note.text[reading.spans[at - 1][1] : start]:
            yield line
            line = []
        if is_entity_candidate(word):
            line.append(at)
    yield line


def spelling_features(one: str, other: str) -> list[str]:
    """Return features that compare the spellings of two tokens."""
    small, large = sorted((one.lower(), other.lower()), key=len)
    found = []
    if small == large:
        found.append("s=same")
    elif len(small) == 1 and large.startswith(small):
        found.append("s=initial")
    elif len(small) > 2 and small in large:
        found.append("s=inside")
    if one[0] == other[0]:
        found.append("s=first letter")
    return [*found, f"s={shape_of(one, False)} {shape_of(other, False)}"]


def pair_features(reading: Reading, one: int, other: int) -> list[str]:
    """Return the features of a pair of tokens: the words between them, their spellings, lists and neighbours."""
    lemmas = reading.lemmas
    between = lemmas[one + 1 : other]
    found = [f"gap={len(between)}", *(f"between={lemma}" for lemma in between)]
    if len(between) < 4:
        found.append("all between=" + " ".join(between))
    found += spelling_features(reading.words[one], reading.words[other])
    found.append(f"before={lemmas[one - 1] if one else ''}")
    found.append(f"after={lemmas[other + 1] if other + 1 < len(lemmas) else ''}")
    for sign, at in (("1", one), ("2", other)):
        found += [f"kind{sign}={kind}" for kind in kinds_of(reading.words[at].lower())]
        found.append(f"tag{sign}={reading.tags[at]}")
    return found


def _token_pairs(line: Sequence[int]) -> Iterator[tuple[int, int]]:
    return ((one, other) for one, other in pairwise(line) if other - one <= _REACH + 1)


class Relations:
    """The typed SVM, with its scores combined with those of relations."""

    name: ClassVar[str] = "relations over SVM (SNoW, 2006)"
    published: ClassVar[str] = "F .962 (names and places), .94 all"
    reads: ClassVar[bool] = True

    def __init__(self) -> None:
        """Create both learners."""
        self._entities = TypedSVM()
        self._hasher = FeatureHasher(2**18, input_type="string", alternate_sign=False)
        self._relations = LinearSVC(C=0.2, tol=1e-2, random_state=1)

    def fit(self, notes: Sequence[Note]) -> None:
        """Learn entities from tokens, and relations from pairs of tokens."""
        self._entities.fit(notes)
        rows, names = [], []
        for note in notes:
            reading = read_note(note)
            labels = labels_of(note, reading.spans)
            for line in candidates_by_line(note, reading):
                for one, other in _token_pairs(line):
                    first, second = labels[one], labels[other]
                    if first is not None and second is not None:
                        rows.append((reading, one, other))
                        names.append(f"{first}>{second}" if first and second else _NONE)
        counts = Counter(names)
        names = [name if counts[name] >= _MIN_PAIRS else _NONE for name in names]
        chosen = np.sort(np.random.default_rng(1).permutation(len(rows))[:_PAIRS])
        self._tables: NDArray[np.int64] | None = None
        if len({names[at] for at in chosen}) < 2:
            return
        self._relations.fit(
            self._hasher.transform(pair_features(*rows[at]) for at in chosen), [names[at] for at in chosen]
        )
        # The relation that each pair of categories allows in addition to none.
        relations = [str(one) for one in self._relations.classes_]
        self._none = none = relations.index(_NONE) if _NONE in relations else 0
        kinds = self._entities.categories
        self._tables = np.array(
            [
                [relations.index(f"{first}>{second}") if f"{first}>{second}" in relations else none for second in kinds]
                for first in kinds
            ]
        )

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the tokens with a category in the best assignment."""
        distances = self._entities.distances(notes)
        found, at = [], 0
        for note in notes:
            reading = read_note(note)
            count = len(reading.words)
            found.append(self._assign_categories(note, reading, distances[at : at + count]))
            at += count
        return found

    def _assign_categories(self, note: Note, reading: Reading, distances: NDArray[np.float64]) -> Spans:
        best = distances.argmax(axis=1) if len(distances) else np.zeros(0, dtype=np.int64)
        lines = list(candidates_by_line(note, reading))
        pairs = [pair for line in lines for pair in _token_pairs(line)]
        if pairs and self._tables is not None:
            scores = self._relations.decision_function(
                self._hasher.transform(pair_features(reading, *one) for one in pairs)
            )
            if scores.ndim == 1:
                scores = np.column_stack([-scores, scores])
            of_pair = {
                pair: _WEIGHT * np.maximum(row[self._tables], row[self._none])
                for pair, row in zip(pairs, scores, strict=True)
            }
            for line in lines:
                best[line] = viterbi(distances[line], [of_pair.get(pair) for pair in pairwise(line)])
        rest = self._entities.categories.index("")
        return [span for span, kind in zip(reading.spans, best, strict=True) if kind != rest]


def viterbi(entities: NDArray[np.float64], relations: Sequence[NDArray[np.float64] | None]) -> NDArray[np.int64]:
    """Return the categories with the largest sum of scores; `relations` has a table or None for each pair."""
    if not len(entities):
        return np.zeros(0, dtype=np.int64)
    score, origins = entities[0], []
    for own, table in zip(entities[1:], relations, strict=True):
        ways = score[:, None] + (table if table is not None else 0.0) + np.zeros((1, len(own)))
        origins.append(ways.argmax(axis=0))
        score = ways.max(axis=0) + own
    states = [int(score.argmax())]
    for origin in reversed(origins):
        states.append(int(origin[states[-1]]))
    return np.array(states[::-1])
