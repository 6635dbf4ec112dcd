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
from published.comparison import Row, measure_system
from published.notes import Note, draw_notes, read_notes, split_by_batch
from published.reading import clear_cache
from published.redraw import NAME_SOURCES, redraw_notes
from published.systems import System
from published.tokens import token_table

_BATCHES = Path(__file__).parents[3] / "corpus" / "train"


def gold_folders(paths: Sequence[Path], count: int) -> Iterator[tuple[str, list[Note]]]:
    """Yield the gold folders; without any, a sample of the batches with each kind of names."""
    for path in paths:
        yield path.name, draw_notes(read_notes([path]), count)
    if not paths:
        notes = draw_notes(read_notes(sorted(_BATCHES.glob("*.txt"))), count)
        for way in NAME_SOURCES:
            yield way, redraw_notes(notes, way)


def measure_systems(notes: Sequence[Note], count: int, systems: Sequence[type[System]] = SYSTEMS) -> list[Row]:
    """Measure the systems by cross-validation."""
    divided = split_by_batch(notes, count)
    return [measure_system(lambda _, kind=kind: kind(), divided)[0] for kind in systems]


def main() -> None:
    """Print one table per set."""
    parser = argparse.ArgumentParser(prog="published.variants", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--notes", type=int, default=600, help="how many notes are drawn of each set")
    parser.add_argument("--only", default="", help="part of the name of the systems to run")
    asked = parser.parse_args()
    for name, notes in gold_folders(asked.folders, asked.notes):
        rows = measure_systems(notes, asked.folds, [kind for kind in SYSTEMS if asked.only in kind.name])
        print(f"\n### {name}: {len(notes)} notes\n")
        print(token_table((row.system, row.tokens) for row in rows), flush=True)
        clear_cache()


if __name__ == "__main__":
    main()
