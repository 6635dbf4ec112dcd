"""The local-context SVM of 2006 on gold sets, by folds of documents: all tokens, and ambiguous words alone.

python -m published.variants REIDENTIFIED AMBIGUOUS UNKNOWN_NAMES    # from tests/benchmarks; folders of gold

A word is ambiguous that the set marks in one place and not in another, whatever its capital letters.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from published.local_context import LocalContext, targets
from published.notes import Note, folds, read
from published.reading import read_note

_HEAD = "| set | tokens | precision | recall | F |\n|---|--:|--:|--:|--:|"


def words_of(notes: Sequence[Note]) -> list[str]:
    """Give every token of the notes in small letters."""
    return [word.lower() for note in notes for word in read_note(note).words]


def ambiguous(words: Sequence[str], wanted: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell of which tokens the word is marked in one place and not in another."""
    marked = {word for word, one in zip(words, wanted, strict=True) if one == 1}
    others = {word for word, one in zip(words, wanted, strict=True) if one == 0}
    both = marked & others
    return np.array([word in both for word in words])


def shares(wanted: NDArray[Any], found: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Give precision, recall and F of tokens."""
    right = int(((wanted == 1) & found).sum())
    precision = right / max(int(((wanted >= 0) & found).sum()), 1)
    recall = right / max(int((wanted == 1).sum()), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def judged(notes: Sequence[Note], count: int) -> tuple[list[str], NDArray[Any], NDArray[np.bool_]]:
    """Judge every token by a learner that did not see its document: words, what is marked, what was found."""
    words: list[str] = []
    wanted, found = [], []
    for train, test in folds(notes, count):
        system = LocalContext()
        system.fit(train)
        words += words_of(test)
        wanted.append(targets(test))
        found.append(system.scores(test) > 0)
    return words, np.concatenate(wanted), np.concatenate(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="published.variants", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--folds", type=int, default=4)
    asked = parser.parse_args()
    print(_HEAD)
    for folder in asked.folders:
        words, wanted, found = judged(read([folder]), asked.folds)
        chosen = ambiguous(words, wanted)
        for name, some in ((folder.name, np.ones_like(chosen)), (f"{folder.name}, ambiguous words", chosen)):
            row = " | ".join(f"{share:.3f}" for share in shares(wanted[some], found[some]))
            print(f"| {name} | {int(some.sum()):,} | {row} |", flush=True)


if __name__ == "__main__":
    main()
