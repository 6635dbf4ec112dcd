"""Importance of each kind of feature for finding identifiers, by information gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from notesieve.errors import NotesieveError
from notesieve.learning.arrays import Features
from notesieve.tracebacks import keep_texts_out_of_tracebacks

_IGNORED = 255


@dataclass(frozen=True)
class KindImportance:
    """The importance of a kind of feature for the labels.

    Attributes
    ----------
    kind : str
        The kind of feature: one of ``Features.kind_names``.
    features : int
        The number of features of this kind.
    gain : float
        The largest information gain of a feature of this kind, in bits.
    total : float
        The sum of the gains of all features of this kind, in bits. Redundant features are counted separately.
    """

    kind: str
    features: int
    gain: float
    total: float


@keep_texts_out_of_tracebacks
def importance(features: Features) -> list[KindImportance]:
    """Return the importance of each kind of feature for finding identifiers.

    The information gain of a feature is the entropy of *identifier or not* over all tokens, minus the conditional
    entropy given whether a token has the feature. Tokens that may be left or removed are ignored.

    Parameters
    ----------
    features : Features
        Features of tokens with labels: those of a gold standard.

    Returns
    -------
    list of KindImportance
        Sorted by the largest gain, descending.

    Raises
    ------
    NotesieveError
        If all tokens have the same label, for example because there is no gold standard.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> first, *_ = ns.learning.importance(ns.learning.features(ns.Scrubber(), gold))
    >>> round(first.gain, 2)  # four tokens, one of which identifies
    0.81
    """
    counted = features.label != _IGNORED
    identifies = (features.label > 0) & counted
    if identifies.sum() in (0, counted.sum()):
        raise NotesieveError(
            "importance needs tokens that identify and tokens that do not: give features of a gold standard"
        )
    rows = np.repeat(np.arange(len(features.label)), np.diff(features.indptr))
    present = counted[rows] & (features.data != 0)
    size = features.shape[1]
    having = np.bincount(features.indices[present], minlength=size)
    right = np.bincount(features.indices[present & identifies[rows]], minlength=size)
    gains = information_gain(having, right, int(counted.sum()), int(identifies.sum()))
    found = []
    for kind, name in enumerate(features.kind_names):
        own = gains[features.kinds == kind]
        if len(own):
            found.append(KindImportance(name, len(own), float(own.max()), float(own.sum())))
    return sorted(found, key=lambda one: (-one.gain, one.kind))


def information_gain(
    having: npt.NDArray[np.int64], right: npt.NDArray[np.int64], tokens: int, identifying: int
) -> npt.NDArray[np.float64]:
    """Return the gain of each feature in bits, from the tokens that have it and how many of these are identifiers."""
    without = tokens - having
    left = _entropy(right, having) * having + _entropy(identifying - right, without) * without
    whole = _entropy(np.array([identifying]), np.array([tokens]))[0]
    return np.asarray(np.maximum(whole - left / tokens, 0.0), dtype=np.float64)


def _entropy(positive: npt.NDArray[np.int64], count: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    share = np.clip(positive / np.maximum(count, 1), 0.0, 1.0)
    parts = [np.where(one > 0, -one * np.log2(np.where(one > 0, one, 1.0)), 0.0) for one in (share, 1.0 - share)]
    return np.asarray(parts[0] + parts[1], dtype=np.float64)
