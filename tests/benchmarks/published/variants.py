"""Every system on variants of the names, by folds: all tokens, ambiguous words, words on no list, and names alone.

python -m published.variants                                         # from tests/benchmarks; corpus/train redrawn
python -m published.variants REIDENTIFIED AMBIGUOUS UNKNOWN_NAMES    # folders of gold, as they are

A word is ambiguous that the set marks in one place and not in another, whatever its capital letters.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from published.__main__ import SYSTEMS
from published.comparison import Row, measure
from published.notes import Note, folds, read, sample
from published.reading import forget
from published.redraw import WAYS, redrawn
from published.systems import System
from published.tokens import token_table

_BATCHES = Path(__file__).parents[3] / "corpus" / "train"


def sets(paths: Sequence[Path], count: int) -> Iterator[tuple[str, list[Note]]]:
    """Give the folders of gold; without any, a sample of the batches with each kind of names."""
    for path in paths:
        yield path.name, sample(read([path]), count)
    if not paths:
        notes = sample(read(sorted(_BATCHES.glob("*.txt"))), count)
        for way in WAYS:
            yield way, redrawn(notes, way)


def run(notes: Sequence[Note], count: int, systems: Sequence[type[System]] = SYSTEMS) -> list[Row]:
    """Measure the systems by folds."""
    divided = folds(notes, count)
    return [measure(lambda _, kind=kind: kind(), divided)[0] for kind in systems]


def main() -> None:
    """Print a table a set."""
    parser = argparse.ArgumentParser(prog="published.variants", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--notes", type=int, default=600, help="how many notes are drawn of each set")
    parser.add_argument("--only", default="", help="part of the name of the systems to run")
    asked = parser.parse_args()
    for name, notes in sets(asked.folders, asked.notes):
        rows = run(notes, asked.folds, [kind for kind in SYSTEMS if asked.only in kind.name])
        print(f"\n### {name}: {len(notes)} notes\n")
        print(token_table((row.system, row.tokens) for row in rows), flush=True)
        forget()


if __name__ == "__main__":
    main()
