"""Results of a search: notes with their matches, facets, and tables for other tools."""

from __future__ import annotations

import csv
import html
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from notesieve.errors import SearchIndexError
from notesieve.files.output_folder import atomic_write
from notesieve.index.matching import IndexedNote, highlighted_spans
from notesieve.statuses import ATTRIBUTES, STATUSES, has_status, status_names

if TYPE_CHECKING:
    import os
    from typing import TextIO

    from notesieve.index.concepts import Concepts
    from notesieve.index.query import Code, Node

_COLUMNS = ["note", "patient", "type", "year", "text", "codes", *STATUSES, "mentions", "snippet"]


@dataclass(frozen=True)
class Facet:
    """The number of notes that have a value.

    Attributes
    ----------
    value : str
        A code, a type or a year.
    name : str
        The name of the value.
    notes : int
        The number of notes that have it.
    """

    value: str
    name: str
    notes: int


class Hit:
    """A note that a query found. It contains only de-identified text.

    Attributes
    ----------
    note, patient : str
        Pseudonyms.
    score : float or None
        The relevance of the note to the query; None if notes were not ranked.
    provenance : dict of str
        Provenance of the note: version, vocabulary, policy, fingerprint of the key.
    """

    def __init__(
        self,
        note: str,
        patient: str,
        content: IndexedNote,
        score: float | None,
        node: Node,
        numbers: Callable[[Code], list[int]],
        concepts: Concepts,
        provenance: dict[str, str | None],
    ) -> None:
        self.note, self.patient, self.score, self.provenance = note, patient, score, provenance
        self._content, self._node, self._numbers, self._concepts = content, node, numbers, concepts

    @property
    def text(self) -> str:
        """The de-identified text."""
        return self._content.text

    @property
    def note_type(self) -> str | None:
        """The type of note."""
        return self._content.note_type

    @property
    def year(self) -> int | None:
        """The year of the note, if the index has years."""
        return self._content.year

    @cached_property
    def highlights(self) -> list[tuple[int, int]]:
        """Start and end (exclusive) of the matches, in code points of the text, in order."""
        return highlighted_spans(self._node, self._content, self._numbers)

    @property
    def concepts(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """Start, end and codes of each term of the note, whatever its status; see `said`."""
        return [(start, end, self._concepts.sets[number]) for start, end, number in self._content.mentions]

    @property
    def said(self) -> list[list[str]]:
        """The statuses of each of `concepts`: empty if affirmed, else ``negated``, ``family`` and so on."""
        return [status_names(self._concepts.said[number]) for _, _, number in self._content.mentions]

    @property
    def mentions(self) -> list[dict[str, Any]]:
        """Each term of the note with ``start``, ``end``, ``code``, ``group``, ``said`` and its attributes.

        The attributes are ``value``, ``number``, ``unit``, ``comparator``, ``flag``, ``dose``, ``route`` and
        ``frequency``, as far as the note has them, and ``further``: the same attributes of its other values or doses.
        """
        found = []
        for at, (start, end, number) in enumerate(self._content.mentions):
            code = next(iter(self._concepts.sets[number]), "")
            said = self._content.mention_values.get(at, {})
            mention: dict[str, Any] = {"start": start, "end": end, "code": code}
            mention["group"] = said.get("group") or self._concepts.groups.get(code, "other")
            mention["said"] = status_names(self._concepts.said[number])
            mention |= _value_attributes(said)
            if "further" in said:
                mention["further"] = [_value_attributes(other) for other in said["further"]]
            found.append(mention)
        return found

    def codes(self, asked: str = "affirmed") -> list[str]:
        """Return the best code of each term with a status, without duplicates.

        Parameters
        ----------
        asked : str, optional
            The required status: ``affirmed``, ``any``, ``negated``, ``hypothetical``, ``historical``, ``possible`` or
            ``family``.
        """
        mentions = [number for _, _, number in self._content.mentions if has_status(self._concepts.said[number], asked)]
        return list(dict.fromkeys(code for number in mentions for code in self._concepts.sets[number][:1]))

    def snippets(self, width: int = 60, most: int = 3) -> list[tuple[str, list[tuple[int, int]]]]:
        """Return the context of each match; the beginning of the note if only its type, year or the like matched.

        Parameters
        ----------
        width : int, optional
            Characters before and after.
        most : int, optional
            The maximum number of snippets.

        Returns
        -------
        list of tuple of (str, list of tuple of (int, int))
            Text on one line, and the spans of the matches in it.
        """
        windows: list[list[int]] = []
        for start, end in self.highlights:
            if windows and start - width <= windows[-1][1]:
                windows[-1][1] = end + width
            else:
                windows.append([start - width, end + width])
        if not windows:
            windows = [[0, 2 * width]]
        found = []
        for low, high in windows[:most]:
            low, high = self._extend_to_words(max(low, 0), min(high, len(self.text)))
            # One character for one, so that offsets do not change.
            line = "".join(" " if letter.isspace() else letter for letter in self.text[low:high])
            inside = [(s - low, e - low) for s, e in self.highlights if s >= low and e <= high]
            found.append((line, inside))
        return found

    def _extend_to_words(self, low: int, high: int) -> tuple[int, int]:
        while 0 < low < len(self.text) and not self.text[low - 1].isspace():
            low -= 1
        while high < len(self.text) and not self.text[high].isspace():
            high += 1
        return low, high

    def snippet(self, width: int = 60, most: int = 3, marks: tuple[str, str] = ("«", "»")) -> str:
        """Return the snippets as one line, with marks around the matches.

        Parameters
        ----------
        width, most : int, optional
            As for `snippets`.
        marks : tuple of (str, str), optional
            Text before and after each match.
        """
        return " … ".join(_insert_marks(line, inside, marks, str) for line, inside in self.snippets(width, most))

    def _snippet_html(self) -> str:
        marks = ('<mark style="background:#ffe58f;color:#111">', "</mark>")
        return " … ".join(_insert_marks(line, inside, marks, html.escape) for line, inside in self.snippets())

    def to_dict(self) -> dict[str, Any]:
        """Return the note as plain values, for JSON and data frames."""
        return {
            "note": self.note,
            "patient": self.patient,
            "type": self.note_type,
            "year": self.year,
            "text": self.text,
            "codes": self.codes(),
            **{status: self.codes(status) for status in STATUSES},
            "mentions": self.mentions,
            "snippet": self.snippet(),
        }

    def _repr_html_(self) -> str:
        facts = " · ".join(html.escape(str(fact)) for fact in (self.note_type, self.year) if fact is not None)
        inside = [(start, end) for start, end in self.highlights]
        marks = ('<mark style="background:#ffe58f;color:#111">', "</mark>")
        body = _insert_marks(self.text, inside, marks, html.escape)
        return (
            '<div style="border:1px solid #ccc;border-radius:.4em;padding:.8em;background:#fff;color:#111">'
            f'<div style="color:#555;font-size:85%">{html.escape(self.note)} {facts}</div>'
            f'<div style="white-space:pre-wrap;line-height:1.6">{body}</div></div>'
        )

    def __repr__(self) -> str:
        return f"Hit({self.note!r}, {len(self.highlights)} found)"


def _value_attributes(said: dict[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in ATTRIBUTES if name in said}


def _insert_marks(text: str, inside: list[tuple[int, int]], marks: tuple[str, str], write: Callable[[str], str]) -> str:
    parts = []
    at = 0
    for start, end in inside:
        parts += [write(text[at:start]), marks[0], write(text[start:end]), marks[1]]
        at = end
    return "".join([*parts, write(text[at:])])


def write_csv(hits: Iterable[Hit], file: TextIO, *, line_end: str = "\r\n") -> None:
    """Write notes as a table with a header; codes are separated by spaces, `mentions` are JSON."""
    writer = csv.DictWriter(file, _COLUMNS, lineterminator=line_end)
    writer.writeheader()
    for hit in hits:
        row = hit.to_dict()
        codes = {name: " ".join(row[name]) for name in ("codes", *STATUSES)}
        writer.writerow(row | codes | {"mentions": json.dumps(row["mentions"], ensure_ascii=False)})


class Results:
    """The notes that a search found: a sequence of `Hit`, with counts and exports of all matches.

    Attributes
    ----------
    query : str
        The query.
    notes : int
        The number of matching notes, whatever the limit.
    """

    def __init__(
        self,
        query: str,
        notes: int,
        hits: list[Hit],
        *,
        patients: Callable[[], int],
        every: Callable[[], Iterator[Hit]],
    ) -> None:
        self.query, self.notes = query, notes
        self._hits, self._count_patients, self._every = hits, patients, every

    @cached_property
    def patients(self) -> int:
        """The number of distinct patients with a matching note."""
        return self._count_patients()

    def __len__(self) -> int:
        return len(self._hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self._hits)

    @overload
    def __getitem__(self, at: int) -> Hit: ...
    @overload
    def __getitem__(self, at: slice) -> list[Hit]: ...
    def __getitem__(self, at: int | slice) -> Hit | list[Hit]:
        return self._hits[at]

    def all(self) -> Iterator[Hit]:
        """Return an iterator over all matching notes, in no particular order."""
        return self._every()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the notes of this page as plain values."""
        return [hit.to_dict() for hit in self]

    def to_frame(self) -> Any:
        """Return all matching notes as a data frame: pandas, or polars if pandas is not installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns ``note``, ``patient``, ``type``, ``year``, ``text``, ``codes`` (affirmed), a column of codes for
            each status (``negated`` and so on), ``mentions`` (as `Hit.mentions`) and ``snippet``.
        """
        rows = [hit.to_dict() for hit in self.all()]
        try:
            import pandas as pd  # type: ignore[import-untyped, unused-ignore]
        except ModuleNotFoundError:
            try:
                import polars as pl
            except ModuleNotFoundError as problem:
                raise SearchIndexError("to_frame needs pandas or polars: pip install 'notesieve[frames]'") from problem
            return pl.DataFrame(rows, schema_overrides={"year": pl.Int64}, infer_schema_length=None)
        frame = pd.DataFrame(rows, columns=_COLUMNS)
        return frame.astype({"year": "Int64"})

    def to_ndjson(self, path: str | os.PathLike[str]) -> int:
        """Write all matching notes, one JSON object per line.

        Returns
        -------
        int
            How many notes were written.
        """
        with atomic_write(Path(path)) as partial, partial.open("w", encoding="utf-8") as file:
            for hit in self.all():
                file.write(json.dumps(hit.to_dict(), ensure_ascii=False) + "\n")
        return self.notes

    def to_csv(self, path: str | os.PathLike[str]) -> int:
        """Write all matching notes as a table with a header; codes are separated by spaces, `mentions` are JSON.

        Returns
        -------
        int
            How many notes were written.
        """
        with atomic_write(Path(path)) as partial, partial.open("w", encoding="utf-8", newline="") as file:
            write_csv(self.all(), file)
        return self.notes

    def __repr__(self) -> str:
        return f"Results({self.query!r}, {self.notes} notes, {len(self)} of them here)"

    def _repr_html_(self) -> str:
        cell = '<td style="text-align:left;vertical-align:top;padding:.3em .6em">'
        rows = "".join(
            f"<tr>{cell}{html.escape(hit.note)}</td>{cell}{html.escape(hit.note_type or '')}</td>"
            f"{cell}{hit.year or ''}</td>{cell}{hit._snippet_html()}</td></tr>"
            for hit in self
        )
        head = "".join(f'<th style="text-align:left;padding:.3em .6em">{name}</th>' for name in _COLUMNS[0:1])
        head += "".join(f'<th style="text-align:left;padding:.3em .6em">{n}</th>' for n in ("type", "year", "found"))
        return (
            f"<div><p><code>{html.escape(self.query)}</code>: {self.notes:,} notes of {self.patients:,} patients</p>"
            f"<table><tr>{head}</tr>{rows}</table></div>"
        )
