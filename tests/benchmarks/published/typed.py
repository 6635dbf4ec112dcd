"""One-vs-rest typed SVM (Stat De-id 2008): the features of the local-context SVM, one hyperplane per category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import LinearSVC

from published.local_context import feature_matrix, spans_above
from published.notes import Note
from published.systems import Spans
from published.tokens import token_labels


class TypedSVM:
    """The linear support vector machines of the categories; the largest distance wins."""

    name: ClassVar[str] = "typed SVM, one-vs-rest (2008)"
    published: ClassVar[str] = "F .97 re-identified"
    reads: ClassVar[bool] = True

    def __init__(self) -> None:
        """Create the learner."""
        self._learner = LinearSVC(C=0.2, tol=1e-2, random_state=1)

    def fit(self, notes: Sequence[Note]) -> None:
        """Train every category against all others; optional marks are left out."""
        named = token_labels(notes)
        chosen = np.array([at for at, label in enumerate(named) if label is not None])
        self._learner.fit(feature_matrix(notes)[chosen], [named[at] or "" for at in chosen])

    @property
    def categories(self) -> list[str]:
        """The categories, in the order of the distances; "" is the rest."""
        return [str(one) for one in self._learner.classes_]

    def distances(self, notes: Sequence[Note]) -> NDArray[np.float64]:
        """Return the distance of each token from the hyperplane of each category."""
        rows = feature_matrix(notes)
        if not rows.shape[0]:
            return np.zeros((0, len(self.categories)))
        found = self._learner.decision_function(rows)
        return np.column_stack([-found, found]) if found.ndim == 1 else found

    def scores(self, notes: Sequence[Note]) -> NDArray[np.float64]:
        """Return the margin of the best category over the rest."""
        found, rest = self.distances(notes), self.categories.index("")
        return np.delete(found, rest, axis=1).max(axis=1) - found[:, rest]

    def kinds(self, notes: Sequence[Note]) -> list[str]:
        """Return the category of each token."""
        return [self.categories[at] for at in self.distances(notes).argmax(axis=1)]

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the tokens for which a category scores above the rest."""
        return spans_above(notes, self.scores(notes), 0.0)
