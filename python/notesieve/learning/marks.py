"""Marked spans as columns for training in the core; unusable marks are reported."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from notesieve.evaluation.annotation_tools.annotations import Rows
from notesieve.evaluation.gold import Gold

# Token labels by number; 255 is ignored (may be left or removed).
LABELS = ("none", "NAME", "LOCATION", "DATE", "OTHER")
IGNORED = 255
_LABEL_BY_CATEGORY = {"NAME": 1, "LOCATION": 2, "DATE": 3, "AGE": 4, "CONTACT": 4, "ID": 4}

# The note, start, end (exclusive, in code points) and label of each mark.
Marks: TypeAlias = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint8]]


def training_label(span: Mapping[str, Any]) -> int:
    """Return the training label of a mark: ignored if it is optional or its category is unknown."""
    return (
        _LABEL_BY_CATEGORY.get(str(span.get("category", "")).split("/")[0], IGNORED)
        if span.get("hipaa", True)
        else IGNORED
    )


def usable_documents(gold: Gold) -> tuple[Gold, Rows]:
    """Drop the documents whose marks cannot be used.

    Parameters
    ----------
    gold : Gold
        The gold standard.

    Returns
    -------
    Gold
        The remaining documents.
    list of dict
        ``doc`` and ``problem`` of each unusable mark or document.

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
    """Return whether a mark is required but its category is unknown."""
    return bool(span.get("hipaa", True)) and str(span.get("category", "")).split("/")[0] not in _LABEL_BY_CATEGORY


def _find_mark_outside_text(marks: Rows, length: int) -> str | None:
    """Return a message for the first mark outside a text of this length, or None."""
    bad = next((at for at, span in enumerate(marks, 1) if not 0 <= span["start"] < span["end"] <= length), None)
    return None if bad is None else f"mark {bad} does not lie in the text"


def _find_contradictory_overlap(marks: Rows) -> str | None:
    """Return a message for the first overlapping marks with different labels, or None."""
    for one, two in pairwise(marks):
        if two["start"] < one["end"] and training_label(one) != training_label(two):
            return f"the marks at {one['start']} and {two['start']} overlap and say different things"
    return None


def mark_columns(gold: Gold) -> Marks:
    """Return the marks of a gold standard as columns; notes are numbered in their order."""
    rows = [
        (at, span["start"], span["end"], training_label(span))
        for at, doc in enumerate(gold.notes)
        for span in gold.spans.get(doc, [])
    ]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    note, start, end = (np.ascontiguousarray(table[:, at], dtype=np.uint32) for at in range(3))
    return note, start, end, np.ascontiguousarray(table[:, 3], dtype=np.uint8)


def empty_mark_columns() -> Marks:
    """Return the columns of notes without marks."""
    return mark_columns(Gold({}))
