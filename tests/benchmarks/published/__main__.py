"""Prints one table of all systems: ``python -m published [BATCHES or GOLD...] [--models FOLDER] [--learn PROGRAM]``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from published.comparison import Folds, Row, markdown_table, measure_system, recall_at
from published.detectors import Detectors
from published.dictionary import Dictionary
from published.hmm import HiddenMarkov
from published.links import parser_path
from published.local_context import LinkedContext, LocalContext
from published.name_search import NameSearch
from published.notes import draw_notes, read_notes, split_by_batch
from published.pathology import Pathology, ProperLessCommon, ProperNames
from published.policies import ConceptMatch, Lists, Rules
from published.public_text import PublicText
from published.relations import Relations
from published.selectional import Selectional
from published.sieve import Notesieve, train_model
from published.systems import System
from published.tokens import token_table
from published.typed import TypedSVM

_BATCHES = Path(__file__).parents[3] / "corpus" / "train"
SYSTEMS: list[type[System]] = [
    Lists,
    Rules,
    Dictionary,
    Detectors,
    HiddenMarkov,
    ProperNames,
    NameSearch,
    ProperLessCommon,
    Selectional,
    ConceptMatch,
    Pathology,
    LocalContext,
    Relations,
    TypedSVM,
    PublicText,
]


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="published", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="batches, or one folder of gold (default: corpus/train)")
    parser.add_argument(
        "--folds", type=int, default=4, help="batches, or documents of a gold folder, are dealt to folds"
    )
    parser.add_argument("--models", type=Path, help="folder of the models of notesieve, one a fold; made by --learn")
    parser.add_argument("--learn", type=Path, help="program that learns them: target/learn/learn")
    parser.add_argument("--notes", type=int, help="how many notes are drawn (default: all)")
    parser.add_argument("--only", help="part of the name of the systems to run")
    parser.add_argument("--links", action="store_true", help="add the system that needs the program link-parser")
    parser.add_argument("-o", "--output", type=Path, help="write the figures as JSON")
    return parser.parse_args()


def models_by_fold(asked: argparse.Namespace, paths: list[Path], divided: Folds) -> list[Path]:
    """Return a model for each fold that was not trained on its batches, as the built-in one was."""
    if asked.models is None:
        return []
    files = [asked.models / f"fold-{fold}.model" for fold in range(asked.folds)]
    for (train, _), file in zip(divided, files, strict=True):
        if asked.learn:
            seen = {note.batch for note in train}
            train_model(asked.learn, [path for path in paths if path.stem in seen], file)
        elif not file.exists():
            raise SystemExit(f"{file} is not there: name the program that learns it with --learn")
    return files


def main() -> None:
    """Run the systems and print the table."""
    asked = parse_arguments()
    if asked.links:
        parser_path()
    paths = asked.paths or sorted(_BATCHES.glob("*.txt"))
    notes = read_notes(paths)
    divided = split_by_batch(notes, asked.folds)
    files = models_by_fold(asked, paths, divided)
    if asked.notes:
        # After the split: the model of a fold must not have been trained on a measured note, whatever is drawn.
        notes = draw_notes(notes, asked.notes)
        drawn = {note.doc for note in notes}
        divided = [tuple([note for note in side if note.doc in drawn] for side in both) for both in divided]
    makers: list[Callable[[int], System]] = [
        lambda _, kind=kind: kind() for kind in SYSTEMS + [LinkedContext] * asked.links
    ]
    if files:
        makers.insert(0, lambda fold: Notesieve(files[fold]))
    rows: list[Row] = []
    for make in makers:
        name = make(0).name
        if asked.only and asked.only not in name:
            continue
        print(name, file=sys.stderr, flush=True)
        row, measured, scores = measure_system(make, divided, with_scores=bool(files) and not asked.only)
        if scores is not None:
            row.recall_at_kept = recall_at(measured, scores, rows[0].kept)
        rows.append(row)
        if asked.output:
            asked.output.parent.mkdir(parents=True, exist_ok=True)
            asked.output.write_text(json.dumps([one.to_dict() for one in rows], indent=1), encoding="utf-8")
    print(f"{len(notes)} notes, {asked.folds} folds of {'documents' if paths[0].is_dir() else 'batches'}\n")
    print(markdown_table(rows))
    print(f"\n{token_table((row.system, row.tokens) for row in rows)}")


if __name__ == "__main__":
    main()
