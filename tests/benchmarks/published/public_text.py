"""Public against private text (McMurry 2013): what is common in publications and vocabularies identifies nobody.

A token has features in four groups (28 in the publication, 35 here). Training uses all identifiers and an equal sample
of the rest, with ten rounds of AdaBoost on decision trees (entropy, as C4.5). A filter follows: if the 100 nearest
training tokens all have one label, the token takes it. Ten features are vocabularies, one each; each kind of identifier
has its expressions; frequencies are with and without part of speech, and of pairs of words where `published.counts`
counted public text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier
from sklearn.neighbors import NearestNeighbors
from sklearn.tree import DecisionTreeClassifier

from published.counts import WordCounts, literature_counts
from published.expressions import EXPRESSIONS, expression_matches
from published.local_context import spans_above
from published.notes import Note
from published.reading import lists_of, read_note
from published.systems import Spans
from published.tokens import token_targets

# One feature per vocabulary: six of concepts, and the four lists of medical words.
_SYSTEMS = ("mesh", "icd10cm", "hp", "doid", "mondo", "drugbank")
_WORD_LISTS = ("clinical", "brand", "term-part", "term")
_KNOWN = ("first-name", "surname", "city")
FEATURE_GROUPS = {"lexical": range(7), "frequency": range(7, 13), "vocabularies": range(13, 23), "known": range(23, 35)}
NAMES = (
    *("tag", "noun or number", "capital", "capitals", "length", "digits", "marks"),
    *("word", "word with tag", "lemma", "lemma with tag", "pair before", "pair after"),
    *_SYSTEMS,
    *_WORD_LISTS,
    *_KNOWN,
    *EXPRESSIONS,
)
_NEIGHBOURS = 100


@cache
def _tag_number(tag: str) -> int:
    return sum(ord(letter) * 31**place for place, letter in enumerate(tag)) % 997


@cache
def _word_features(word: str) -> tuple[float, ...]:
    """Return the context-free features of a token: five of the seven lexical features, and those of known lists."""
    known = lists_of(word.lower())
    return (
        float(word[0].isupper()),
        float(word.isupper()),
        float(len(word)),
        float(sum(letter.isdigit() for letter in word)),
        float(sum(not letter.isalnum() for letter in word)),
        *(float(name in known) for name in _KNOWN),
    )


def _expression_features(note: Note, spans: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
    """Return for each token the kinds of identifiers whose expressions match there."""
    kinds = list(EXPRESSIONS)
    inside = np.zeros((len(note.text) + 1, len(kinds)), dtype=np.float32)
    for kind, start, end in expression_matches(note.text):
        inside[start:end, kinds.index(kind)] = 1.0
    return inside[[start for start, _ in spans]]


@cache
def _vocabulary_features(word: str, codes: tuple[str, ...]) -> tuple[float, ...]:
    known = lists_of(word.lower())
    systems = [code.split(":")[0] for code in codes]
    return (*(float(systems.count(name)) for name in _SYSTEMS), *(float(name in known) for name in _WORD_LISTS))


def features(notes: Sequence[Note], counts: WordCounts | None = None) -> NDArray[np.float32]:
    """Return the features of all tokens, named in `NAMES`; counts default to those of the literature."""
    counts = counts or literature_counts()
    rows = [np.zeros((0, len(NAMES)), dtype=np.float32)]
    for note in notes:
        reading = read_note(note)
        before, after = ["", *reading.words[:-1]], [*reading.words[1:], ""]
        own = []
        for at, (word, tag) in enumerate(zip(reading.words, reading.tags, strict=True)):
            alone = _word_features(word)
            kind = 1.0 if tag.startswith("NN") else 2.0 if tag == "CD" else 0.0
            common = counts.frequencies(word, tag, before[at], after[at])
            vocabularies = _vocabulary_features(word, reading.concepts[at])
            own.append((float(_tag_number(tag)), kind, *alone[:5], *common, *vocabularies, *alone[5:]))
        if own:
            rows.append(np.hstack([np.array(own, dtype=np.float32), _expression_features(note, reading.spans)]))
    return np.concatenate(rows)


class PublicText:
    """The boosted trees of 2013 with their filter."""

    name: ClassVar[str] = "public against private text (2013)"
    published: ClassVar[str] = "R .98, P .62, F10 .98"
    reads: ClassVar[bool] = True

    def __init__(
        self,
        groups: Sequence[str] = tuple(FEATURE_GROUPS),
        *,
        rounds: int = 10,
        neighbours: bool = True,
        counts: WordCounts | None = None,
        seed: int = 1,
    ) -> None:
        """Create the learner, with some feature groups or all, with or without the filter, with counts of public text.

        With one round it is a single tree.
        """
        self._counts = counts
        self._columns = [column for group in groups for column in FEATURE_GROUPS[group]]
        self._with_filter, self._seed = neighbours, seed
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, max_depth=25, random_state=seed)
        self._learner = AdaBoostClassifier(tree, n_estimators=rounds, random_state=seed) if rounds > 1 else tree

    def fit(self, notes: Sequence[Note]) -> None:
        """Train on all identifiers and as many of the other tokens."""
        rows, wanted = features(notes, self._counts)[:, self._columns], token_targets(notes)
        private, public = np.flatnonzero(wanted == 1), np.flatnonzero(wanted == 0)
        chance = np.random.default_rng(self._seed)
        sample = np.concatenate([private, chance.choice(public, min(len(private), len(public)), replace=False)])
        # Of more than 100 tokens with equal features the filter gets 100 by position: shuffle, so it sees both labels.
        sample = chance.permutation(sample)
        rows, self._labels = rows[sample], wanted[sample]
        self._learner.fit(rows, self._labels)
        if self._with_filter:
            self._mean, self._spread = rows.mean(axis=0), rows.std(axis=0) + 1e-6
            self._neighbours = NearestNeighbors(n_neighbors=min(_NEIGHBOURS, len(rows)), algorithm="kd_tree")
            self._neighbours.fit((rows - self._mean) / self._spread)

    def scores(self, notes: Sequence[Note]) -> NDArray[np.float64]:
        """Return the probability that each token identifies, less one half; the filter overrides it.

        Many tokens have the same features: each distinct row is scored once.
        """
        return self.scores_of(features(notes, self._counts))

    def scores_of(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the scores of rows with all features."""
        if not len(rows):
            return np.zeros(0)
        rows, back = np.unique(rows[:, self._columns], axis=0, return_inverse=True)
        scores = self._learner.predict_proba(rows)[:, 1] - 0.5
        if self._with_filter:
            near = self._neighbours.kneighbors((rows - self._mean) / self._spread, return_distance=False)
            private = self._labels[near].mean(axis=1)
            scores[private == 0.0] = -0.5
            scores[private == 1.0] = 0.5
        return scores[back.reshape(-1)]

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the tokens that are more likely to identify than not."""
        return spans_above(notes, self.scores(notes), 0.0)
