"""Runs systems by cross-validation and scores them with notesieve's own scorer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import notesieve as ns
from published.links import parse_links
from published.local_context import spans_above
from published.notes import Note, gold_of
from published.reading import read_note
from published.systems import Spans, System
from published.tokens import Shares, measure_tokens

Folds = Sequence[tuple[Sequence[Note], Sequence[Note]]]


@dataclass
class Row:
    """A row of the table: shares, and notes per second on one core."""

    system: str
    precision: float
    recall: float
    f1: float
    names: float
    no_leak: float
    exact_match: float
    labelling_f: float
    hamming_loss: float
    one_error: float
    kept: float
    notes_per_second: float
    published: str
    recall_at_kept: float | None = None
    tokens: dict[str, Shares] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the row for JSON."""
        return asdict(self)


def score_removed(notes: Sequence[Note], predicted: Sequence[Spans]) -> ns.Evaluation:
    """Score the removed spans; categories do not count, since some systems have none."""
    spans = {note.doc: found for note, found in zip(notes, predicted, strict=True)}
    return ns.evaluate(gold_of(notes), spans, draws=0)


def measures_of(system: System, result: ns.Evaluation, seconds: float) -> Row:
    """Return the measures of a row. Those of 2011 follow their authors: a label is output where something leaks."""
    token, leaked = result["token"], result["sokolova_leaked"]
    return Row(
        system.name,
        token["precision"],
        token["recall"],
        token["F1"],
        result["category"].get("NAME", {}).get("token_recall", 1.0),
        result["document"]["zero_leak"]["value"],
        leaked["EMR"],
        leaked["LF"],
        leaked["HL"],
        leaked["OE"],
        result["retained_nonphi"]["value"],
        result["documents"] / max(seconds, 1e-9),
        system.published,
    )


def reading_seconds(system: System, note: Note) -> float:
    """Read a note as a system does, and return the processor time of its first reading."""
    seconds = read_note(note).seconds if system.reads else 0.0
    return seconds + (parse_links(note).seconds if getattr(system, "links", False) else 0.0)


def measure_system(
    make: Callable[[int], System], folds: Folds, *, with_scores: bool = False
) -> tuple[Row, list[Note], NDArray[np.float64] | None]:
    """Fit and predict a system fold by fold, and score all folds together."""
    notes: list[Note] = []
    predicted: list[Spans] = []
    scores = []
    seconds = 0.0
    for fold, (train, test) in enumerate(folds):
        system = make(fold)
        system.fit(train)
        seconds += sum(reading_seconds(system, note) for note in test)
        began = time.process_time()
        found = system.predict(test)
        seconds += time.process_time() - began
        notes += test
        predicted += found
        if with_scores and hasattr(system, "scores"):
            scores.append(system.scores(test))
    row = measures_of(system, score_removed(notes, predicted), seconds)
    row.tokens = measure_tokens(notes, predicted)
    return row, notes, np.concatenate(scores) if scores else None


def recall_at(notes: Sequence[Note], scores: NDArray[np.float64], kept: float) -> float:
    """Return the recall at the threshold at which a system keeps at least a given share of the other tokens."""
    ordered = np.unique(scores)
    low, high = 0, len(ordered) - 1
    while low < high:
        middle = (low + high) // 2
        result = score_removed(notes, spans_above(notes, scores, ordered[middle]))
        if result["retained_nonphi"]["value"] >= kept:
            high = middle
        else:
            low = middle + 1
        if high - low <= len(ordered) // 2000:
            break
    return float(score_removed(notes, spans_above(notes, scores, ordered[high]))["token"]["recall"])


def markdown_table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    head = (
        "| system | precision | recall | F | recall of names | notes without a leak | EMR ↓ | LF ↓ | HL ↑ | OE ↑ | kept "
        "| recall where as much is kept as by notesieve | notes/s | its authors' figures |\n|---|"
        + "--:|" * 12
        + "---|"
    )
    lines = []
    for row in rows:
        shares = (row.precision, row.recall, row.f1, row.names, row.no_leak, row.exact_match, row.labelling_f)
        shares += (row.hamming_loss, row.one_error, row.kept)
        figures = " | ".join(f"{share:.3f}" for share in shares)
        moved = "-" if not row.recall_at_kept else f"{row.recall_at_kept:.3f}"
        lines.append(f"| {row.system} | {figures} | {moved} | {row.notes_per_second:,.0f} | {row.published} |")
    return "\n".join([head, *lines])
