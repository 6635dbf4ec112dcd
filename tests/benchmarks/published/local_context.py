"""Local-context SVM (Sibanda and Uzuner 2006): classifies one word at a time by its context.

Parts of speech come from TextBlob's pattern tagger, lemmas from simplemma, MeSH categories from the noun phrase of a
word, at all levels of the tree. The bigrams of a link parser are optional (`LinkedContext`), as the parser is not a
Python package. This learner separates identifiers from the rest; `published.typed` separates the categories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.feature_extraction import FeatureHasher
from sklearn.svm import LinearSVC

from published.links import link_bigrams, parse_links
from published.notes import Note
from published.reading import Reading, kinds_of, read_note
from published.systems import Spans
from published.tokens import token_targets

# The feature classes that can be switched off, by the prefixes of their features.
CLASSES = {
    "word": ("w=", "l="),
    "words around": ("w-", "w+"),
    "bigrams": ("b-", "b+"),
    "parts of speech": ("p",),
    "form": ("c=", "n=", "m=", "d="),
    "MeSH category": ("t=",),
    "lists": ("i",),
    "heading": ("h=",),
}
# Features of the optional link parser.
LINKS = {"link bigrams": ("s",)}
_EDGE = "\n"


def _shape_features(word: str) -> Iterator[str]:
    """Yield the features of capital letters, length, inner marks, digits."""
    if word.isupper():
        yield "c=all"
    elif word[0].isupper():
        yield "c=first"
    elif word.islower():
        yield "c=none"
    else:
        yield "c=mixed"
    yield f"n={len(word)}"
    yield from (f"m={mark}" for mark in "-/.:,'@" if mark in word)
    digits = sum(letter.isdigit() for letter in word)
    if digits:
        yield "d=all" if digits == len(word) else "d=some"
        yield f"d={min(digits, 8)}"


def token_features(reading: Reading) -> list[list[str]]:
    """Return the features of every token of a note."""
    lemmas, tags = reading.lemmas, reading.tags
    count = len(lemmas)
    kinds = [kinds_of(word.lower()) for word in reading.words]
    rows = []
    for at, word in enumerate(reading.words):
        two_before = lemmas[at - 2] if at > 1 else _EDGE
        before = lemmas[at - 1] if at else _EDGE
        after = lemmas[at + 1] if at + 1 < count else _EDGE
        two_after = lemmas[at + 2] if at + 2 < count else _EDGE
        row = [f"w={word}", f"l={lemmas[at]}", f"w-{before}", f"w+{after}"]
        row += [f"b-{two_before} {before}", f"b+{after} {two_after}"]
        row += [f"p={tags[at]}", f"p-{tags[at - 1] if at else _EDGE}", f"p+{tags[at + 1] if at + 1 < count else _EDGE}"]
        row += _shape_features(word)
        row += [f"t={category}" for category in reading.mesh[at]]
        for place, sign in ((at - 1, "-"), (at, "="), (at + 1, "+")):
            if 0 <= place < count:
                row += [f"i{sign}{kind}" for kind in kinds[place]]
        row.append(f"h={reading.headings[at]}")
        rows.append(row)
    return rows


def linked_features(note: Note) -> list[list[str]]:
    """Return the features of every token of a note, with the bigrams of the link parser."""
    reading = read_note(note)
    more = link_bigrams(parse_links(note).links, reading.lemmas)
    return [row + links for row, links in zip(token_features(reading), more, strict=True)]


def feature_matrix(
    notes: Sequence[Note], without: str | None = None, only: str | None = None, *, links: bool = False
) -> csr_array:
    """Return the features of all tokens of the notes as a sparse matrix, without one class or with only one."""
    classes = CLASSES | LINKS
    read = (linked_features(note) if links else token_features(read_note(note)) for note in notes)
    rows: Iterable[list[str]] = (row for note in read for row in note)
    if without:
        rows = ([name for name in row if not name.startswith(classes[without])] for row in rows)
    if only:
        rows = ([name for name in row if name.startswith(classes[only])] for row in rows)
    rows = list(rows)
    hasher = FeatureHasher(2**20, input_type="string", alternate_sign=False, dtype=np.float64)
    return csr_array(hasher.transform(rows)) if rows else csr_array((0, 2**20))


def spans_above(notes: Sequence[Note], scores: NDArray[Any], threshold: float) -> list[Spans]:
    """Return the tokens of each note with a score above the threshold."""
    spans, at = [], 0
    for note in notes:
        reading = read_note(note)
        chosen = scores[at : at + len(reading.spans)] > threshold
        spans.append([span for span, one in zip(reading.spans, chosen, strict=True) if one])
        at += len(reading.spans)
    return spans


class LocalContext:
    """The linear support vector machine of 2006."""

    name: ClassVar[str] = "local-context SVM (2006)"
    published: ClassVar[str] = "F .972 re-identified, .962 authentic"
    reads: ClassVar[bool] = True
    links: ClassVar[bool] = False

    def __init__(self, without: str | None = None, only: str | None = None) -> None:
        """Create the learner, without one class of features or with only one."""
        self._without, self._only = without, only
        self._learner = LinearSVC(C=0.2, tol=1e-2, random_state=1)

    def fit(self, notes: Sequence[Note]) -> None:
        """Train on all tokens except those with optional marks."""
        rows, wanted = feature_matrix(notes, self._without, self._only, links=self.links), token_targets(notes)
        self._learner.fit(rows[wanted >= 0], wanted[wanted >= 0])

    def scores(self, notes: Sequence[Note]) -> NDArray[np.float64]:
        """Return the distance of each token from the hyperplane."""
        return self.scores_of(feature_matrix(notes, self._without, self._only, links=self.links))

    def scores_of(self, rows: csr_array) -> NDArray[np.float64]:
        """Return the distance of each row of features from the hyperplane."""
        return self._learner.decision_function(rows) if rows.shape[0] else np.zeros(0)

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the tokens classified as identifiers."""
        return spans_above(notes, self.scores(notes), 0.0)


class LinkedContext(LocalContext):
    """The same SVM with the bigrams of the Link Grammar Parser, as published; the program must be on `PATH`."""

    name: ClassVar[str] = "local-context SVM with a link parser (2006)"
    links: ClassVar[bool] = True
