"""Prodigy and doccano: JSON Lines, one note per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from notesieve.errors import GoldError
from notesieve.evaluation.annotation_tools.marked import (
    OPTIONAL,
    Marked,
    MarkedNote,
    ReadNotes,
    Tool,
    is_optional,
    label_of,
    overruled,
    private,
    span_of_label,
)
from notesieve.files.reading_errors import reading

__all__ = ["DOCCANO", "PRODIGY"]

_NOISE = "noise and clean (the damage of deliberately damaged spans)"


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


def _objects(file: Path) -> Iterator[tuple[int, Any]]:
    """Give each line with its number; None for one that is no object."""
    with reading(file):
        lines = file.read_bytes().decode("utf-8-sig").split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                made = json.loads(line)
            except ValueError:
                made = None
            yield number, made if isinstance(made, dict) else None


def _matcher(keys: tuple[str, ...]) -> Callable[[Path], bool]:
    def matches(path: Path) -> bool:
        if path.is_dir() and ((path / "gold.jsonl").exists() or (path / "notes").is_dir()):
            return False
        if not path.is_dir() and (path.suffix != ".jsonl" or not path.is_file()):
            return False
        first = next((made for file in _files(path) for _, made in _objects(file)), None)
        return first is not None and "text" in first and any(key in first for key in keys)

    return matches


def _reader_of(read_line: Callable[[ReadNotes, dict[str, Any], str, int, str], None]) -> Callable[[Path], ReadNotes]:
    def read(path: Path) -> ReadNotes:
        notes = ReadNotes()
        files = _files(path)
        if not files:
            raise GoldError(f"{path}: has no .jsonl file")
        for file in files:
            # doccano exports one file for each member of a project.
            reader = file.stem if len(files) > 1 else ""
            for number, made in _objects(file):
                if made is None or not isinstance(made.get("text"), str):
                    notes.leave_out(str(file), number, "is no object with a `text`")
                    continue
                try:
                    read_line(notes, made, str(file), number, reader)
                except (KeyError, TypeError, ValueError, AttributeError):
                    notes.leave_out(str(file), number, "has annotations that are none")
        return notes

    return read


def _file_for(path: Path, name: str) -> Path:
    return path if path.suffix == ".jsonl" else path / name


# ---- Prodigy


def _prodigy_line(notes: ReadNotes, made: dict[str, Any], file: str, line: int, reader: str) -> None:
    if made.get("answer", "accept") != "accept":
        notes.leave_out(file, line, "was not accepted")
        return
    meta = made.get("meta") or {}
    spans = []
    for span in made.get("spans") or []:
        start, end, text = span["start"], span["end"], span.get("text")
        if text is not None and made["text"][start:end] != text:
            notes.leave_out(file, line, "an annotation holds another text in its place")
            return
        spans.append(span_of_label(start, end, str(span["label"]), hipaa=span.get("hipaa")))
    who = made.get("_annotator_id") or made.get("_session_id") or reader
    notes.add(MarkedNote(str(meta.get("doc") or line), made["text"], str(who), spans, file, line))


def _write_prodigy(gold: Marked, path: Path) -> list[str]:
    lines = []
    for doc, text in gold.notes.items():
        spans = []
        for span in gold.spans.get(doc, []):
            made = {"start": span["start"], "end": span["end"], "label": label_of(span)}
            if is_optional(span) != (made["label"] in OPTIONAL):
                made["hipaa"] = not is_optional(span)
            spans.append(made)
        lines.append({"text": text, "spans": spans, "meta": {"doc": doc}, "answer": "accept"})
    private(_file_for(path, "prodigy.jsonl"), "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return [_NOISE]


PRODIGY = Tool(_matcher(("spans", "answer", "_task_hash")), _reader_of(_prodigy_line), _write_prodigy)
"""Prodigy's JSON Lines, as ``prodigy db-out`` writes and ``prodigy db-in`` reads them."""


# ---- doccano


def _doccano_line(notes: ReadNotes, made: dict[str, Any], file: str, line: int, reader: str) -> None:
    places = [(each["start_offset"], each["end_offset"], each["label"]) for each in made.get("entities") or []]
    places += made.get("label") or made.get("labels") or []
    spans = [span_of_label(start, end, str(label)) for start, end, label in places]
    doc = str(made.get("doc") or made.get("id") or line)
    notes.add(MarkedNote(doc, made["text"], reader, spans, file, line))


def _write_doccano(gold: Marked, path: Path) -> list[str]:
    lines = []
    for doc, text in gold.notes.items():
        labels = [[span["start"], span["end"], label_of(span)] for span in gold.spans.get(doc, [])]
        lines.append({"text": text, "label": labels, "doc": doc})
    private(_file_for(path, "doccano.jsonl"), "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return [_NOISE, *(["optional spans (`hipaa`) whose label does not say so"] if overruled(gold) else [])]


DOCCANO = Tool(_matcher(("label", "labels", "entities")), _reader_of(_doccano_line), _write_doccano)
"""doccano's JSON Lines of sequence labelling."""
