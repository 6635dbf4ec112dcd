"""Corpora under licence: how to read each, and the results published on it."""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from notesieve.errors import GoldError
from notesieve.evaluation.gold import FormatName, Gold
from notesieve.files.reading_errors import as_file_errors

_PLACEHOLDER = re.compile(r"\[\*\*.*?\*\*\]|_{3,}", re.DOTALL)
#: Parts of a report that contain words, names of documents or paths.
_WITH_TEXT = frozenset({"leaks", "leak_forms", "over_scrubbed", "per_document", "problems"})


@dataclass(frozen=True)
class Published:
    """A published result, in per cent; None for what was not reported."""

    system: str
    measure: str
    recall: float | None
    precision: float | None
    f1: float | None
    source: str


@dataclass(frozen=True)
class Corpus:
    """A corpus: its format (None for MIMIC's tables) and the results published on it."""

    format: FormatName | None
    published: tuple[Published, ...]


_STANFORD = "StanfordAIMI 2022"
_PHYSIONET = Published("deid (Perl) 2008", "instances", 96.7, 74.9, None, "doi:10.1186/1472-6947-8-32")
CORPORA: dict[str, Corpus] = {
    "i2b2-2006": Corpus(
        "i2b2-2006",
        (
            Published("Szarvas 2007, best run of the challenge", "tokens", None, None, 99.75, "PMC1975791"),
            Published(_STANFORD, "tokens", None, None, 99.5, "doi:10.1093/jamia/ocac219"),
        ),
    ),
    "i2b2-2014": Corpus(
        "i2b2-2014",
        (
            Published("Dernoncourt 2016, networks", "tokens, HIPAA, no types", 97.38, 98.32, 97.85, "PMC7787254"),
            Published("nference 2021, ensemble", "tokens", 99.2, 97.9, None, "PMC8212138"),
            Published(_STANFORD, "tokens", None, None, 98.9, "doi:10.1093/jamia/ocac219"),
        ),
    ),
    "n2c2-2016": Corpus(
        "i2b2-2014",
        (
            Published("best of track 1.A, not trained on it", "entities, strict", None, None, 79.9, "PMC5705537"),
            Published("best of track 1.B, trained on it", "entities, strict", None, None, 91.4, "PMC5705537"),
            Published("Jiang 2017, LSTM", "entities, strict", None, None, 89.86, "PMC5890009"),
        ),
    ),
    "physionet": Corpus("physionet", (_PHYSIONET,)),
    "mimic": Corpus(None, ()),
}
"""The corpora by name."""


def read_corpus(name: str, path: str | PathLike[str], notes: int | None = None) -> Gold:
    """Read a corpus.

    Parameters
    ----------
    name : {"i2b2-2006", "i2b2-2014", "n2c2-2016", "physionet", "mimic"}
    path : path
        The file or folder as distributed. For MIMIC, ``NOTEEVENTS.csv`` or ``discharge.csv``, also with ``.gz``.
    notes : int, optional
        The maximum number of notes to read.

    Returns
    -------
    Gold
        For MIMIC no span is required: its placeholders are optional, and the rest is text that was kept.

    Raises
    ------
    GoldError
        If the corpus is unknown, or the path contains none of its notes.
    """
    if name not in CORPORA:
        message = f"there is no corpus `{name}`: it is one of {', '.join(CORPORA)}"
        raise GoldError(message)
    format = CORPORA[name].format  # noqa: A001
    gold = _read_mimic(Path(path), notes) if format is None else Gold.read(path, format)
    docs = list(gold.notes)[:notes]
    return Gold({doc: gold.notes[doc] for doc in docs}, {doc: gold.spans.get(doc, []) for doc in docs}, gold.problems)


def _read_mimic(path: Path, notes: int | None) -> Gold:
    limit = csv.field_size_limit(1 << 30)
    found: dict[str, str] = {}
    try:
        with (
            as_file_errors(path),
            gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream,
            io.TextIOWrapper(stream, encoding="utf-8", newline="") as lines,
        ):
            for row in csv.DictReader(lines):
                # MIMIC-III has upper-case column names, MIMIC-IV lower-case ones.
                low = {str(column).lower(): value for column, value in row.items()}
                doc, text = low.get("note_id") or low.get("row_id"), low.get("text")
                if doc is None or text is None:
                    break
                found[doc] = text
                if len(found) == notes:
                    break
    except csv.Error:
        found = {}
    finally:
        csv.field_size_limit(limit)
    if not found:
        message = f"{path}: is no table of MIMIC with `note_id` or `ROW_ID`, and `text`"
        raise GoldError(message)
    spans = {
        doc: [
            {"start": match.start(), "end": match.end(), "category": "ID", "hipaa": False}
            for match in _PLACEHOLDER.finditer(text)
        ]
        for doc, text in found.items()
    }
    return Gold(found, spans)


def plain_figures(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a report without words, names of documents and paths.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> "leaks" in ns.evaluate(gold, {}).report, "leaks" in plain_figures(ns.evaluate(gold, {}).report)
    (True, False)
    """
    return {name: value for name, value in report.items() if name not in _WITH_TEXT}
