"""Marked notes: batches of ``corpus/`` or gold folders, and how they are split into folds."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import numpy as np

import notesieve as ns
from marked_text import replace_matches

_HEAD = re.compile(r"^=== (.*)\n", re.MULTILINE)
_MARK = re.compile(r"\[\[(\??[A-Z]+(?:/[A-Z]+)?):(.*?)\]\]", re.DOTALL)


@dataclass(frozen=True)
class Mark:
    """A marked span of a note; removing or keeping it is right if it is not `required`."""

    start: int
    end: int
    category: str
    required: bool


@dataclass(frozen=True, repr=False)
class Note:
    """A note, its marks, and its batch. No `repr`: a traceback must not show text."""

    doc: str
    batch: str
    text: str
    marks: tuple[Mark, ...]


def parse_marked_note(doc: str, batch: str, body: str) -> Note:
    """Parse a note with inline marks, ``Seen by [[NAME/S:Lena Brook]]``."""
    text, found = replace_matches(_MARK, body, itemgetter(2))
    marks = []
    for start, end, mark in found:
        kind = mark[1].lstrip("?").split("/")[0]
        marks.append(Mark(start, end, "LOCATION" if kind == "LOC" else kind, not mark[1].startswith("?")))
    return Note(doc, batch, text, tuple(marks))


def _read_batch(path: Path) -> list[Note]:
    pieces = _HEAD.split(path.read_text(encoding="utf-8"))
    heads, bodies = pieces[1::2], pieces[2::2]
    return [
        parse_marked_note(head.split("|")[0].strip(), path.stem, body.strip("\n") + "\n")
        for head, body in zip(heads, bodies, strict=True)
    ]


def _read_gold(folder: Path) -> list[Note]:
    marks: dict[str, list[Mark]] = {}
    for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        marks.setdefault(row["doc"], []).append(Mark(row["start"], row["end"], row["category"], row.get("hipaa", True)))
    return [
        Note(path.stem, path.stem, path.read_bytes().decode(), tuple(marks.get(path.stem, ())))
        for path in sorted((folder / "notes").glob("*.txt"))
    ]


def read_notes(paths: Iterable[Path]) -> list[Note]:
    """Read batches (``T1.txt``) and gold folders (``notes/*.txt``, ``gold.jsonl``)."""
    notes = []
    for path in paths:
        notes += _read_gold(path) if path.is_dir() else _read_batch(path)
    if len({note.doc for note in notes}) < len(notes):
        raise SystemExit("two notes have the same name: give each batch or folder once")
    return notes


def draw_notes(notes: Sequence[Note], count: int, seed: int = 1) -> list[Note]:
    """Draw notes at random and return them in their original order."""
    chosen = np.random.default_rng(seed).permutation(len(notes))[:count]
    return [notes[at] for at in sorted(chosen)]


def _batch_order(batch: str) -> tuple[int, str]:
    number = re.search(r"\d+$", batch)
    return (int(number[0]) if number else 0, batch)


def split_by_batch(notes: Sequence[Note], count: int) -> list[tuple[list[Note], list[Note]]]:
    """Split notes by batch into training and test notes of each fold. With four folds every fourth batch is tested."""
    batches = sorted({note.batch for note in notes}, key=_batch_order)
    if len(batches) < count:
        raise SystemExit(f"{count} folds need as many batches, and there are {len(batches)}")
    place = {batch: number % count for number, batch in enumerate(batches)}
    return [
        ([note for note in notes if place[note.batch] != fold], [note for note in notes if place[note.batch] == fold])
        for fold in range(count)
    ]


def parse_note_arguments(parser: argparse.ArgumentParser, count: int) -> tuple[argparse.Namespace, list[Note]]:
    """Parse the command line of an experiment, with the arguments that choose notes, and draw the notes."""
    batches = Path(__file__).parents[3] / "corpus" / "train"
    parser.add_argument("paths", nargs="*", type=Path, default=sorted(batches.glob("*.txt")))
    parser.add_argument("--notes", type=int, default=count, help="how many notes are drawn")
    asked = parser.parse_args()
    return asked, draw_notes(read_notes(asked.paths), asked.notes)


def gold_of(notes: Iterable[Note]) -> ns.Gold:
    """Return the notes in the form that notesieve's own scorer takes."""
    notes = list(notes)
    return ns.Gold(
        {note.doc: note.text for note in notes},
        {
            note.doc: [
                {"start": mark.start, "end": mark.end, "category": mark.category, "hipaa": mark.required}
                for mark in note.marks
            ]
            for note in notes
        },
    )
