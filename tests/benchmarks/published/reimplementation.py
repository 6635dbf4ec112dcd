"""The re-implementation of the local-context SVM (2010): classes of features, kernels, training sizes, speed.

python -m published.reimplementation                    # from tests/benchmarks; a sample of corpus/train
python -m published.reimplementation GOLD --notes 300   # a gold set, by documents
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.svm import SVC

from published.comparison import measure_system
from published.local_context import CLASSES, LINKS, LinkedContext, LocalContext, feature_matrix, spans_above
from published.notes import Note, draw_notes, parse_note_arguments, split_by_batch
from published.systems import Spans
from published.tokens import SUBSETS, measure_tokens, token_targets

Result = dict[str, Any]
# Precision and recall on 50 documents, as published.
PUBLISHED_KERNELS = {"linear": (0.891, 0.797), "quadratic": (0.987, 0.593), "gaussian": (0.950, 0.742)}


def _precision_recall_f(what: str, notes: Sequence[Note], predicted: Sequence[Spans], **more: Any) -> Result:
    """Return precision, recall and F of identifiers and of the rest."""
    figures = measure_tokens(notes, predicted)[SUBSETS[0]]
    names = ("precision", "recall", "F1", "rest_precision", "rest_recall", "rest_F1")
    return {"what": what, **dict(zip(names, figures, strict=True)), **more}


def feature_classes(train: Sequence[Note], test: Sequence[Note], *, links: bool = False) -> list[Result]:
    """Measure without each class of features, and with each alone; with links, also those of the link parser."""
    results = []
    classes = [*CLASSES, *(LINKS if links else ())]
    for without, only in [(None, None), *((name, None) for name in classes), *((None, name) for name in classes)]:
        system = (LinkedContext if links else LocalContext)(without, only)
        system.fit(train)
        what = f"without {without}" if without else f"{only} alone" if only else "all"
        results.append(_precision_recall_f(what, test, system.predict(test)))
    return results


def compare_kernels(train: Sequence[Note], test: Sequence[Note]) -> list[Result]:
    """Compare kernels; feature vectors are scaled to unit length."""
    results = []
    rows, wanted, unseen = feature_matrix(train), token_targets(train), feature_matrix(test)
    for name, options in {
        "linear": {"kernel": "linear"},
        "quadratic": {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
        "gaussian": {"kernel": "rbf", "gamma": 1.0},
    }.items():
        lengths = [np.sqrt(part.multiply(part).sum(axis=1)).reshape(-1, 1) for part in (rows, unseen)]
        learner = SVC(C=1.0, cache_size=500, **options)
        learner.fit((rows / lengths[0]).tocsr()[wanted >= 0], wanted[wanted >= 0])
        found = spans_above(test, learner.decision_function((unseen / lengths[1]).tocsr()), 0.0)
        published = PUBLISHED_KERNELS[name]
        results.append(
            _precision_recall_f(name, test, found, published_precision=published[0], published_recall=published[1])
        )
    return results


def training_sizes(train: Sequence[Note], test: Sequence[Note], sizes: Sequence[int]) -> list[Result]:
    """Measure with increasing numbers of training documents."""
    results = []
    for size in (*(size for size in sizes if size < len(train)), len(train)):
        system = LocalContext()
        system.fit(draw_notes(train, size))
        results.append(_precision_recall_f(str(size), test, system.predict(test), documents=size))
    return results


def print_table(title: str, results: Sequence[Result]) -> None:
    """Print results as a Markdown table."""
    print(f"\n| {title} | identifiers: P | R | F | rest: P | R | F |\n|---|--:|--:|--:|--:|--:|--:|")
    for one in results:
        names = ("precision", "recall", "F1", "rest_precision", "rest_recall", "rest_F1")
        print(f"| {one['what']} | " + " | ".join(f"{one[name]:.3f}" for name in names) + " |")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(prog="published.reimplementation", description=__doc__)
    parser.add_argument("--links", action="store_true", help="add the features that need the program link-parser")
    asked, notes = parse_note_arguments(parser, 900)
    divided = split_by_batch(notes, 3)
    train, test = divided[0]
    print(f"{len(train)} notes to train, {len(test)} of other batches to measure")
    print_table("features", feature_classes(train, test, links=asked.links))
    print_table("kernel, 50 documents", compare_kernels(draw_notes(train, 50), draw_notes(test, 100)))
    print_table("training documents", training_sizes(train, test, (25, 50, 100, 200, 400)))
    row, _, _ = measure_system(lambda _: LocalContext(), divided[:1])
    print(f"\n{row.notes_per_second:,.0f} documents a second (published: 1)")


if __name__ == "__main__":
    main()
