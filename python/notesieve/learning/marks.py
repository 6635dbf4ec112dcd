"""What people marked, as columns that the core learns from; marks of which nothing can be learned are told."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from notesieve.evaluation.annotation_tools.annotations import Rows
from notesieve.evaluation.gold import Gold

# What a token can be, by its number; 255 is what may stay or go.
LABELS = ("none", "NAME", "LOCATION", "DATE", "OTHER")
EITHER = 255
_OF = {"NAME": 1, "LOCATION": 2, "DATE": 3, "AGE": 4, "CONTACT": 4, "ID": 4}

# The note of each mark, its first code point, one past its last, its label.
Marks: TypeAlias = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint8]]


def label_of(span: Mapping[str, Any]) -> int:
    """Give what is learned of a mark: of an unknown category, or of what may stay, nothing."""
    return _OF.get(str(span.get("category", "")).split("/")[0], EITHER) if span.get("hipaa", True) else EITHER


def usable_documents(gold: Gold) -> tuple[Gold, Rows]:
    """Leave out the documents whose marks cannot be used.

    Parameters
    ----------
    gold : Gold
        The gold standard.

    Returns
    -------
    Gold
        The documents that are left.
    list of dict
        ``doc`` and ``problem`` of each mark or document that teaches nothing.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Dr. Quill"}, {"a": [{"start": 4, "end": 12, "category": "NAME"}]})
    >>> usable_documents(gold)[1]
    [{'doc': 'a', 'problem': 'mark 1 does not lie in the text: the document is left out'}]
    """
    problems: Rows = [{"doc": row["file"], "problem": row["problem"]} for row in gold.problems]
    notes, spans = {}, {}
    for doc in gold.spans:
        if doc not in gold.notes:
            problems.append({"doc": doc, "problem": "has marks and no text: it is left out"})
    for doc, text in gold.notes.items():
        marks = sorted(gold.spans.get(doc, []), key=lambda span: (span["start"], span["end"]))
        problem = _find_mark_outside_text(gold.spans.get(doc, []), len(text)) or _find_contradictory_overlap(marks)
        if problem is not None:
            problems.append({"doc": doc, "problem": f"{problem}: the document is left out"})
            continue
        unknown = sorted({str(span.get("category", "")) for span in marks if _has_unknown_category(span)})
        problems.extend(
            {"doc": doc, "problem": f"the category {name!r} is not known: nothing is learned of its marks"}
            for name in unknown
        )
        notes[doc], spans[doc] = text, marks
    return Gold(notes, spans), problems


def _has_unknown_category(span: Mapping[str, Any]) -> bool:
    """Whether a mark must be removed but its category is not known."""
    return bool(span.get("hipaa", True)) and str(span.get("category", "")).split("/")[0] not in _OF


def _find_mark_outside_text(marks: Rows, length: int) -> str | None:
    """Say which mark does not lie in a text of this length; None if all do."""
    bad = next((at for at, span in enumerate(marks, 1) if not 0 <= span["start"] < span["end"] <= length), None)
    return None if bad is None else f"mark {bad} does not lie in the text"


def _find_contradictory_overlap(marks: Rows) -> str | None:
    """Say which marks overlap with different labels; None if none do."""
    for one, two in pairwise(marks):
        if two["start"] < one["end"] and label_of(one) != label_of(two):
            return f"the marks at {one['start']} and {two['start']} overlap and say different things"
    return None


def mark_columns(gold: Gold) -> Marks:
    """Give the marks of a gold standard as columns; the notes count in their order."""
    rows = [
        (at, span["start"], span["end"], label_of(span))
        for at, doc in enumerate(gold.notes)
        for span in gold.spans.get(doc, [])
    ]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    note, start, end = (np.ascontiguousarray(table[:, at], dtype=np.uint32) for at in range(3))
    return note, start, end, np.ascontiguousarray(table[:, 3], dtype=np.uint8)


def empty_mark_columns() -> Marks:
    """Give the marks of notes in which nothing is marked."""
    return mark_columns(Gold({}))
