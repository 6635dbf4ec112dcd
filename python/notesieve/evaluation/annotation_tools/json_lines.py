"""Prodigy and doccano: JSON Lines, one note per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from notesieve.errors import GoldError
from notesieve.evaluation.annotation_tools.annotations import (
    NOISE_LOSS,
    OPTIONAL_LABELS,
    AnnotatedNote,
    AnnotatedNotes,
    LoadedNotes,
    Tool,
    is_optional,
    label_of,
    losses_with_labels_alone,
    span_of_label,
    write_private,
)
from notesieve.files.reading_errors import as_file_errors


def _jsonl_files(path: Path) -> list[Path]:
    return sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


def _numbered_objects(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield the number and the object of each line that is not blank; None for a line that is not an object."""
    with as_file_errors(file):
        lines = file.read_bytes().decode("utf-8-sig").split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                made = json.loads(line)
            except ValueError:
                made = None
            yield number, made if isinstance(made, dict) else None


def _format_detector(keys: tuple[str, ...]) -> Callable[[Path], bool]:
    def matches(path: Path) -> bool:
        if path.is_dir() and ((path / "gold.jsonl").exists() or (path / "notes").is_dir()):
            return False
        if not path.is_dir() and (path.suffix != ".jsonl" or not path.is_file()):
            return False
        first = next((made for file in _jsonl_files(path) for _, made in _numbered_objects(file)), None)
        return first is not None and "text" in first and any(key in first for key in keys)

    return matches


_LoadLine = Callable[[LoadedNotes, dict[str, Any], str, int, str], None]
"""Adds the note of a line, given its JSON, file, line number and annotator, to the loaded notes."""


def _loader_of(load_line: _LoadLine) -> Callable[[Path], LoadedNotes]:
    """Return a loader of files from a function that loads one line."""

    def load_notes(path: Path) -> LoadedNotes:
        """Load the annotated notes of a file, or of the files of a folder.

        A malformed line is skipped and listed in `problems`.

        Raises
        ------
        GoldError
            If a folder has no ``.jsonl`` file.
        FileError
            If a file cannot be read or is not UTF-8.
        """
        notes = LoadedNotes()
        files = _jsonl_files(path)
        if not files:
            raise GoldError(f"{path}: has no .jsonl file")
        for file in files:
            # doccano exports one file per project member.
            annotator = file.stem if len(files) > 1 else ""
            for number, made in _numbered_objects(file):
                if made is None or not isinstance(made.get("text"), str):
                    notes.skip(str(file), number, "is no object with a `text`")
                    continue
                try:
                    load_line(notes, made, str(file), number, annotator)
                except (KeyError, TypeError, ValueError, AttributeError):
                    notes.skip(str(file), number, "has annotations that are none")
        return notes

    return load_notes


def _output_file(path: Path, name: str) -> Path:
    return path if path.suffix == ".jsonl" else path / name


def _to_json_lines(objects: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)


# ---- Prodigy


def _load_prodigy_line(notes: LoadedNotes, made: dict[str, Any], file: str, line: int, annotator: str) -> None:
    if made.get("answer", "accept") != "accept":
        notes.skip(file, line, "was not accepted")
        return
    meta = made.get("meta") or {}
    spans = []
    for span in made.get("spans") or []:
        start, end, text = span["start"], span["end"], span.get("text")
        if text is not None and made["text"][start:end] != text:
            notes.skip(file, line, "an annotation holds another text in its place")
            return
        spans.append(span_of_label(start, end, str(span["label"]), hipaa=span.get("hipaa")))
    who = made.get("_annotator_id") or made.get("_session_id") or annotator
    notes.add(AnnotatedNote(str(meta.get("doc") or line), made["text"], str(who), spans, file, line))


def _write_prodigy(gold: AnnotatedNotes, path: Path) -> list[str]:
    lines = []
    for doc, text in gold.notes.items():
        spans = []
        for span in gold.spans.get(doc, []):
            made = {"start": span["start"], "end": span["end"], "label": label_of(span)}
            if is_optional(span) != (made["label"] in OPTIONAL_LABELS):
                made["hipaa"] = not is_optional(span)
            spans.append(made)
        lines.append({"text": text, "spans": spans, "meta": {"doc": doc}, "answer": "accept"})
    write_private(_output_file(path, "prodigy.jsonl"), _to_json_lines(lines))
    return [NOISE_LOSS]


PRODIGY = Tool(_format_detector(("spans", "answer", "_task_hash")), _loader_of(_load_prodigy_line), _write_prodigy)
"""Prodigy's JSON Lines, as ``prodigy db-out`` writes and ``prodigy db-in`` reads them."""


# ---- doccano


def _load_doccano_line(notes: LoadedNotes, made: dict[str, Any], file: str, line: int, annotator: str) -> None:
    places = [(each["start_offset"], each["end_offset"], each["label"]) for each in made.get("entities") or []]
    places += made.get("label") or made.get("labels") or []
    spans = [span_of_label(start, end, str(label)) for start, end, label in places]
    doc = str(made.get("doc") or made.get("id") or line)
    notes.add(AnnotatedNote(doc, made["text"], annotator, spans, file, line))


def _write_doccano(gold: AnnotatedNotes, path: Path) -> list[str]:
    lines = []
    for doc, text in gold.notes.items():
        labels = [[span["start"], span["end"], label_of(span)] for span in gold.spans.get(doc, [])]
        lines.append({"text": text, "label": labels, "doc": doc})
    write_private(_output_file(path, "doccano.jsonl"), _to_json_lines(lines))
    return losses_with_labels_alone(gold)


DOCCANO = Tool(_format_detector(("label", "labels", "entities")), _loader_of(_load_doccano_line), _write_doccano)
"""doccano's JSON Lines of sequence labelling."""
