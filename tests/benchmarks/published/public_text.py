"""Public against private text (McMurry 2013): what is common in publications and vocabularies identifies nobody.

28 features of a token in four groups, all that identifies and an equal sample of the rest to learn from, ten rounds of
AdaBoost on decision trees (entropy, as C4.5), and a filter: where the 100 nearest training tokens all have one label, the
token takes it. Counts of publications hold no parts of speech: a word counts for a tag where the tagger gives it that tag
when it stands alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier
from sklearn.neighbors import NearestNeighbors
from sklearn.tree import DecisionTreeClassifier
from textblob.en import parser

from published.local_context import spans_above
from published.notes import Note
from published.reading import lemma_of, lists_of, read_note
from published.systems import Spans
from published.tokens import targets

_COUNTS = Path(__file__).parents[3] / "vocabularies" / "literature"
# Six vocabularies of concepts, and the four lists of medical words.
_SYSTEMS = ("mesh", "icd10cm", "hp", "doid", "mondo", "drugbank")
_WORD_LISTS = ("clinical", "brand", "term-part", "term")
_KNOWN = ("first-name", "surname", "city")
_FORMS = [
    re.compile(form)
    for form in (
        r"(?i)\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{2,4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*",
        r"\d{3}[-.]\d{3}[-.]\d{4}|\d{3}[-.]\d{4}|\S+@\S+",
        r"(?=\w*\d)[A-Za-z]{0,3}-?\d[\w-]{3,}",
        r"(?:9\d|1[01]\d)",
    )
]
GROUPS = {"lexical": range(7), "frequency": range(7, 11), "vocabularies": range(11, 21), "known": range(21, 28)}
_NEIGHBOURS = 100


@cache
def _publications() -> dict[str, int]:
    counts: dict[str, int] = {}
    for path in (_COUNTS / "counts.tsv", _COUNTS / "words.tsv"):
        for line in path.read_text(encoding="utf-8").splitlines():
            word, count = line.split("\t")[:2]
            counts[word] = max(counts.get(word, 0), int(count))
    return counts


@cache
def _tag_alone(word: str) -> str:
    return str(parser.find_tags([word])[0][1])


@cache
def _tag_number(tag: str) -> int:
    return sum(ord(letter) * 31**place for place, letter in enumerate(tag)) % 997


@cache
def _of_word(word: str) -> tuple[float, ...]:
    """What a token has without its surroundings: six of the seven lexical features, and those of known lists and forms."""
    known = lists_of(word.lower())
    return (
        float(word[0].isupper()),
        float(word.isupper()),
        float(len(word)),
        float(sum(letter.isdigit() for letter in word)),
        float(sum(not letter.isalnum() for letter in word)),
        *(float(name in known) for name in _KNOWN),
        *(float(bool(form.fullmatch(word))) for form in _FORMS),
    )


@cache
def _frequencies(word: str, tag: str) -> tuple[float, ...]:
    """Counts of the word and of its lemma in publications, of any part of speech and of this one."""
    found = []
    for form in (word.lower(), lemma_of(word)):
        count = math.log1p(_publications().get(form, 0))
        found += [count, count if _tag_alone(form)[:2] == tag[:2] else 0.0]
    return tuple(found)


@cache
def _matches(word: str, codes: tuple[str, ...]) -> tuple[float, ...]:
    known = lists_of(word.lower())
    systems = [code.split(":")[0] for code in codes]
    return (*(float(systems.count(name)) for name in _SYSTEMS), *(float(name in known) for name in _WORD_LISTS))


def features(notes: Sequence[Note]) -> NDArray[np.float32]:
    """Give the 28 features of all tokens of the notes."""
    rows = []
    for note in notes:
        reading = read_note(note)
        for word, tag, codes in zip(reading.words, reading.tags, reading.concepts, strict=True):
            alone = _of_word(word)
            kind = 1.0 if tag.startswith("NN") else 2.0 if tag == "CD" else 0.0
            lexical = (float(_tag_number(tag)), kind, *alone[:5])
            rows.append((*lexical, *_frequencies(word, tag), *_matches(word, codes), *alone[5:]))
    return np.array(rows, dtype=np.float32).reshape(-1, 28)


class PublicText:
    """The boosted trees of 2013 with their filter."""

    name: ClassVar[str] = "public against private text (2013)"
    published: ClassVar[str] = "R .98, P .62, F10 .98"
    reads: ClassVar[bool] = True

    def __init__(
        self, groups: Sequence[str] = tuple(GROUPS), *, rounds: int = 10, neighbours: bool = True, seed: int = 1
    ) -> None:
        """Make the learner, with all features or those of some groups, with or without the filter; one round is one tree."""
        self._columns = [column for group in groups for column in GROUPS[group]]
        self._with_filter, self._seed = neighbours, seed
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, max_depth=25, random_state=seed)
        self._learner = AdaBoostClassifier(tree, n_estimators=rounds, random_state=seed) if rounds > 1 else tree

    def fit(self, notes: Sequence[Note]) -> None:
        """Learn from all that identifies and as many of the other tokens."""
        rows, wanted = features(notes)[:, self._columns], targets(notes)
        private, public = np.flatnonzero(wanted == 1), np.flatnonzero(wanted == 0)
        chance = np.random.default_rng(self._seed)
        sample = np.concatenate([private, chance.choice(public, min(len(private), len(public)), replace=False)])
        rows, self._labels = rows[sample], wanted[sample]
        self._learner.fit(rows, self._labels)
        if self._with_filter:
            self._mean, self._spread = rows.mean(axis=0), rows.std(axis=0) + 1e-6
            self._neighbours = NearestNeighbors(n_neighbors=min(_NEIGHBOURS, len(rows)), algorithm="kd_tree")
            self._neighbours.fit((rows - self._mean) / self._spread)

    def scores(self, notes: Sequence[Note]) -> NDArray[np.float64]:
        """Give how likely each token identifies, less a half; the filter has the last word.

        Many tokens have the same features: each set of features is looked at once.
        """
        if not any(read_note(note).words for note in notes):
            return np.zeros(0)
        rows, back = np.unique(features(notes)[:, self._columns], axis=0, return_inverse=True)
        scores = self._learner.predict_proba(rows)[:, 1] - 0.5
        if self._with_filter:
            near = self._neighbours.kneighbors((rows - self._mean) / self._spread, return_distance=False)
            private = self._labels[near].mean(axis=1)
            scores[private == 0.0] = -0.5
            scores[private == 1.0] = 0.5
        return scores[back.reshape(-1)]

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Give the tokens that more likely identify than not."""
        return spans_above(notes, self.scores(notes), 0.0)
