"""What the features tell: information gain and permutation importance, by class of the SVM and by feature of 2013.

python -m published.importance                    # from tests/benchmarks; a sample of corpus/train

*Gain*: bits that the feature tells of whether a token identifies; the best feature of a class, and the sum of all. *Fall*: by
how much F of identifiers falls when the tokens of other notes exchange what they have of the class, the learner unchanged.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from notesieve.learning.gain import information_gain
from published.counts import WordCounts, count_words, read_public_texts
from published.local_context import CLASSES, LocalContext, feature_matrix
from published.notes import Note, parse_note_arguments, split_by_batch
from published.public_text import NAMES, PublicText, features
from published.tokens import precision_recall_f, token_targets

_BINS = 10


def information_gains_by_class(notes: Sequence[Note]) -> dict[str, tuple[float, float]]:
    """Return the gain of the best feature and the sum of gains for each feature class of the SVM."""
    wanted = token_targets(notes)
    found = {}
    for name in CLASSES:
        rows = feature_matrix(notes, only=name)[wanted >= 0]
        rows.data[:] = 1.0
        positive = wanted[wanted >= 0] == 1
        having = np.asarray(rows.sum(axis=0)).reshape(-1).astype(np.int64)
        right = np.asarray(rows[positive].sum(axis=0)).reshape(-1).astype(np.int64)
        gains = information_gain(having, right, len(positive), int(positive.sum()))
        found[name] = (float(gains.max()), float(gains.sum()))
    return found


def information_gain_of_column(values: NDArray[Any], positive: NDArray[np.bool_]) -> float:
    """Return the gain of a numeric feature, binned at its deciles."""
    cuts = np.unique(np.quantile(values, np.linspace(0, 1, _BINS + 1)[1:-1]))
    bins = np.searchsorted(cuts, values, side="left")
    counts = np.array(
        [[int(((bins == one) & (positive == label)).sum()) for label in (False, True)] for one in set(bins)]
    )
    joint = counts / counts.sum()
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    some = joint > 0
    return float((joint[some] * np.log2(joint[some] / apart[some])).sum())


def permutation_importance_by_class(train: Sequence[Note], test: Sequence[Note], seed: int = 1) -> dict[str, float]:
    """Return the decrease in F of the SVM when each feature class is permuted."""
    system = LocalContext()
    system.fit(train)
    wanted, before = token_targets(test), system.scores(test)
    order = np.random.default_rng(seed).permutation(len(wanted))
    whole = precision_recall_f(wanted, before > 0)[2]
    found = {}
    for name in CLASSES:
        rows = feature_matrix(test, without=name) + feature_matrix(test, only=name)[order]
        found[name] = whole - precision_recall_f(wanted, system.scores_of(rows) > 0)[2]
    return found


def permutation_importance_by_feature(
    train: Sequence[Note], test: Sequence[Note], counts: WordCounts | None = None, seed: int = 1
) -> dict[str, float]:
    """Return the decrease in F of the boosted trees, without their filter, when each feature is permuted."""
    system = PublicText(neighbours=False, counts=counts)
    system.fit(train)
    wanted, rows = token_targets(test), features(test, counts)
    order = np.random.default_rng(seed).permutation(len(wanted))
    whole = precision_recall_f(wanted, system.scores_of(rows) > 0)[2]
    found = {}
    for column, name in enumerate(NAMES):
        changed = rows.copy()
        changed[:, column] = rows[order, column]
        found[name] = whole - precision_recall_f(wanted, system.scores_of(changed) > 0)[2]
    return found


def importance_tables(train: Sequence[Note], test: Sequence[Note], counts: WordCounts | None = None) -> list[str]:
    """Return both tables in Markdown."""
    lines = ["| class of the SVM | best gain | sum of gains | fall of F |", "|---|--:|--:|--:|"]
    falls = permutation_importance_by_class(train, test)
    for name, (best, total) in information_gains_by_class(train).items():
        lines.append(f"| {name} | {best:.4f} | {total:.3f} | {falls[name]:.3f} |")
    lines += ["", "| feature of 2013 | gain | fall of F |", "|---|--:|--:|"]
    wanted, rows = token_targets(train), features(train, counts)
    falls = permutation_importance_by_feature(train, test, counts)
    gains = {
        name: information_gain_of_column(rows[wanted >= 0, column], wanted[wanted >= 0] == 1)
        for column, name in enumerate(NAMES)
    }
    lines += [
        f"| {name} | {gains[name]:.4f} | {falls[name]:.3f} |" for name in sorted(NAMES, key=lambda one: -gains[one])
    ]
    return lines


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="published.importance", description=__doc__)
    parser.add_argument("--public", type=Path, help="folder of public text to count words and pairs in")
    asked, notes = parse_note_arguments(parser, 900)
    train, test = split_by_batch(notes, 3)[0]
    counts = count_words(read_public_texts(asked.public)) if asked.public else None
    print("\n".join(importance_tables(train, test, counts)))


if __name__ == "__main__":
    main()
