"""Settling what several readers marked differently: a review whose marks decide."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from notesieve.display.note_views import category_colour
from notesieve.errors import NotesieveError
from notesieve.evaluation.annotation_tools.marked import label_of
from notesieve.evaluation.gold import Gold, gold_of
from notesieve.redacted import Redacted
from notesieve.review import Review
from notesieve.tracebacks import without_texts

__all__ = ["Adjudication"]

_DISPUTED = "#ffd400"


@without_texts
class Adjudication(Review):
    """A review of what several readers marked; `Review.adjudicate` makes one.

    What all readers marked is in the colour of its category, what some of them marked is yellow. A mark decides for all
    spans that it touches: ``leak`` makes the selected text a span of the chosen category, ``needless`` makes it none.

    Parameters
    ----------
    readers : dict of str to Gold or path
        The marks of each reader.
    folder : path-like, optional
        Where each decision is kept as soon as it is made.

    Raises
    ------
    NotesieveError
        If there are fewer than two readers, no note that all of them read, or a note has two texts.
    """

    def __init__(
        self, readers: Mapping[str, Gold | str | os.PathLike[str]], *, folder: str | os.PathLike[str] | None = None
    ) -> None:
        marked = {name: gold_of(gold) for name, gold in readers.items()}
        if len(marked) < 2:
            raise NotesieveError("an adjudication needs two readers or more")
        docs = sorted(set.intersection(*(set(gold.notes) for gold in marked.values())))
        if not docs:
            raise NotesieveError("there is no note that all readers read")
        first = next(iter(marked.values()))
        for doc in docs:
            if any(gold.notes[doc] != first.notes[doc] for gold in marked.values()):
                message = f"the note at index {docs.index(doc)} has not the same text for all readers"
                raise NotesieveError(message)
        self.readers = sorted(marked)
        self._spans = [_joined(doc, marked) for doc in docs]
        # No note was scrubbed: `_pieces` and `gold` are made of the readers' spans.
        scrubbed: list[Any] = [None] * len(docs)
        super().__init__(scrubbed, Redacted([first.notes[doc] for doc in docs]), docs, folder=folder)
        self.observe(lambda _: self._turn(), "marks")

    def _turn(self) -> None:
        with self.hold_sync():
            here = [span for span in self.disputes() if span["doc"] == self._ids[self.at]]
            self.title = f"{self._ids[self.at]}: {len(here)} disputes to settle"
            self.pieces = self._pieces(self.at)

    def _pieces(self, at: int) -> list[dict[str, str]]:
        """Cut a note where spans begin and end."""
        text, spans = self._redacted.get()[at], self._spans[at]
        cuts = sorted({0, len(text), *(span[place] for span in spans for place in ("start", "end"))})
        pieces = []
        for begin, end in pairwise(cuts):
            over = [span for span in spans if span["start"] <= begin and end <= span["end"]]
            agreed = next((span for span in over if span["readers"] == self.readers), None)
            colour = category_colour(agreed["category"]) if agreed else _DISPUTED * bool(over)
            title = "; ".join(f"{label_of(span)}: {', '.join(span['readers'])}" for span in over)
            shown = text[begin:end].encode("utf-8", "replace").decode("utf-8")
            pieces.append({"text": shown, "colour": colour, "title": title})
        return pieces

    def disputes(self) -> list[dict[str, Any]]:
        """Give the spans that some readers marked and others did not, and that no mark touches yet.

        Returns
        -------
        list of dict
            ``doc``, ``start``, ``end``, ``category``, ``subtype`` and ``readers``.
        """
        names = ("start", "end", "category", "subtype", "readers")
        return [
            {"doc": self._ids[at], **{name: span[name] for name in names if name in span}}
            for at, spans in enumerate(self._spans)
            for span in spans
            if span["readers"] != self.readers and not self._touched(at, span)
        ]

    def _touched(self, at: int, span: Mapping[str, Any]) -> bool:
        marks = self.marks.get(str(at), [])
        return any(mark["start"] < span["end"] and span["start"] < mark["end"] for mark in marks)

    def gold(self) -> Gold:
        """Give the adjudicated gold standard.

        It has what all readers marked and what was decided. A dispute that nobody settled counts as marked: a word
        that is wrongly required costs less than a name that nobody asks for. `disputes` lists these.
        """
        notes = dict(zip(self._ids, self._redacted.get(), strict=True))
        return Gold(notes, {doc: self._settled(at) for at, doc in enumerate(self._ids)})

    def _settled(self, at: int) -> list[dict[str, Any]]:
        made = [span for span in self._spans[at] if not self._touched(at, span)]
        for mark in self._of(at, "leak"):
            place = {name: mark[name] for name in ("start", "end", "category")}
            # One that a reader marked so keeps what else the reader said of it.
            same = [span for span in self._spans[at] if place.items() <= span.items()]
            made.append(same[0] if same else place)
        plain = [{name: value for name, value in span.items() if name != "readers"} for span in made]
        return sorted(plain, key=lambda span: (span["start"], span["end"]))


def _joined(doc: str, marked: Mapping[str, Gold]) -> list[dict[str, Any]]:
    """Give each span that any reader marked in a note once, with the readers that marked it."""
    spans: dict[tuple[int, int, str], dict[str, Any]] = {}
    for name, gold in sorted(marked.items()):
        for span in gold.spans.get(doc, []):
            joined = spans.setdefault((span["start"], span["end"], label_of(span)), {**span, "readers": []})
            if name not in joined["readers"]:
                joined["readers"].append(name)
    return [spans[key] for key in sorted(spans)]
