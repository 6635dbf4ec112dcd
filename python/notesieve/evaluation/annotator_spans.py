"""Spans of several annotators in the same notes: agreed, disputed and adjudicated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from notesieve.display.note_views import category_colour
from notesieve.errors import NotesieveError
from notesieve.evaluation.annotation_tools.annotations import Rows, label_of
from notesieve.evaluation.gold import Gold, as_gold
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

_DISPUTED = "#ffd400"


@keep_texts_out_of_tracebacks
class AnnotatorSpans:
    """The spans of several annotators, without duplicates, each with the annotators who marked it.

    Parameters
    ----------
    annotators : dict of str to Gold or path
        The marks of each annotator.

    Attributes
    ----------
    docs : list of str
        The notes that all annotators read.
    texts : HiddenRepr
        Their texts.

    Raises
    ------
    NotesieveError
        If there are fewer than two annotators, no note that all of them read, or a note has two texts.

    Examples
    --------
    >>> import notesieve as ns
    >>> span = {"start": 0, "end": 5, "category": "NAME"}
    >>> spans = AnnotatorSpans({"anna": ns.Gold({"a": "Quill"}, {"a": [span]}), "ben": ns.Gold({"a": "Quill"})})
    >>> [dispute["annotators"] for dispute in spans.disputed_spans(0, [])]
    [['anna']]
    >>> spans.adjudicated_spans(0, [{**span, "kind": "needless"}])
    []
    """

    def __init__(self, annotators: Mapping[str, Gold | str | os.PathLike[str]]) -> None:
        marked = {name: as_gold(gold) for name, gold in annotators.items()}
        if len(marked) < 2:
            raise NotesieveError("an adjudication needs two annotators or more")
        self.docs = sorted(set.intersection(*(set(gold.notes) for gold in marked.values())))
        if not self.docs:
            raise NotesieveError("there is no note that all annotators read")
        first = next(iter(marked.values()))
        for at, doc in enumerate(self.docs):
            if any(gold.notes[doc] != first.notes[doc] for gold in marked.values()):
                raise NotesieveError(f"the note at index {at} has not the same text for all annotators")
        self.texts = HiddenRepr([first.notes[doc] for doc in self.docs])
        self._annotators = sorted(marked)
        self._spans = [_merged_spans(doc, marked) for doc in self.docs]

    def coloured_pieces(self, at: int) -> list[dict[str, str]]:
        """Return a note split at span boundaries; each piece has a colour, and a tooltip that says who marked it."""
        text, spans = self.texts.reveal()[at], self._spans[at]
        cuts = sorted({0, len(text), *(span[place] for span in spans for place in ("start", "end"))})
        pieces = []
        for begin, end in pairwise(cuts):
            over = [span for span in spans if span["start"] <= begin and end <= span["end"]]
            agreed = next((span for span in over if self._is_agreed(span)), None)
            colour = category_colour(agreed["category"]) if agreed else _DISPUTED * bool(over)
            title = "; ".join(f"{label_of(span)}: {', '.join(span['annotators'])}" for span in over)
            shown = text[begin:end].encode("utf-8", "replace").decode("utf-8")
            pieces.append({"text": shown, "colour": colour, "title": title})
        return pieces

    def disputed_spans(self, at: int, marks: Sequence[Mapping[str, Any]]) -> Rows:
        """Return the spans of a note that not all annotators marked and that overlap no mark."""
        names = ("start", "end", "category", "subtype", "annotators")
        left = (span for span in self._spans[at] if not self._is_agreed(span) and not _is_touched(span, marks))
        return [{"doc": self.docs[at], **{name: span[name] for name in names if name in span}} for span in left]

    def adjudicated_spans(self, at: int, marks: Sequence[Mapping[str, Any]]) -> Rows:
        """Return the spans of a note after adjudication: a mark removes all spans that it overlaps, a leak adds one."""
        made = [span for span in self._spans[at] if not _is_touched(span, marks)]
        for mark in (mark for mark in marks if mark["kind"] == "leak"):
            place = {name: mark[name] for name in ("start", "end", "category")}
            # An identical span of an annotator keeps its other fields, such as the subtype.
            same = [span for span in self._spans[at] if place.items() <= span.items()]
            made.append(same[0] if same else place)
        plain = [{name: value for name, value in span.items() if name != "annotators"} for span in made]
        return sorted(plain, key=lambda span: (span["start"], span["end"]))

    def _is_agreed(self, span: Mapping[str, Any]) -> bool:
        return bool(span["annotators"] == self._annotators)


def _is_touched(span: Mapping[str, Any], marks: Sequence[Mapping[str, Any]]) -> bool:
    return any(mark["start"] < span["end"] and span["start"] < mark["end"] for mark in marks)


def _merged_spans(doc: str, marked: Mapping[str, Gold]) -> Rows:
    """Return the distinct spans that any annotator marked in a note, each with the annotators who marked it."""
    spans: dict[tuple[int, int, str], dict[str, Any]] = {}
    for name, gold in sorted(marked.items()):
        for span in gold.spans.get(doc, []):
            joined = spans.setdefault((span["start"], span["end"], label_of(span)), {**span, "annotators": []})
            if name not in joined["annotators"]:
                joined["annotators"].append(name)
    return [spans[key] for key in sorted(spans)]
