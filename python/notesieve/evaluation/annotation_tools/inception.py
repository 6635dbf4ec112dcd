"""Common part of the INCEpTION formats: a file per note, or a folder per note with a file per annotator."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from notesieve.errors import GoldError
from notesieve.evaluation.annotation_tools.annotations import (
    AnnotatedNote,
    AnnotatedNotes,
    LoadedNotes,
    Rows,
    Tool,
    code_point_offsets,
    losses_with_labels_alone,
    span_of_label,
    write_private,
)
from notesieve.files.reading_errors import as_file_errors, list_files_below

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

# Names of the layer feature with the label, the likeliest first.
_LABEL_FEATURES = ("value", "label", "category", "kind")


class MalformedFileError(Exception):
    """Raised for a malformed file, with the line from 1; 0 if it is the whole file."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line


def label_of_features(features: Mapping[str, str]) -> str:
    """Return the label among the features of a mark: a feature with a known name, or else the only custom one."""
    named = next((features[name] for name in _LABEL_FEATURES if name in features), "")
    others = [value for name, value in features.items() if name != "identifier"]
    return named or (others[0] if len(others) == 1 else "")


def spans_of_marks(text: str, marks: Sequence[tuple[int, int, Mapping[str, str]]]) -> Rows:
    """Return the spans of marks, which are given as begin and end in UTF-16 code units and features."""
    points = code_point_offsets(text, [place for begin, end, _ in marks for place in (begin, end)])
    if any(begin not in points or end not in points for begin, end, _ in marks):
        raise MalformedFileError("an annotation does not lie in its text")
    return [span_of_label(points[begin], points[end], label_of_features(features)) for begin, end, features in marks]


def tool_with_file_per_note(
    suffix: str,
    name: str,
    described: str,
    *,
    accepts: Callable[[Path], bool],
    load_file: Callable[[Path], tuple[str, Rows]],
    write_note: Callable[[str, Rows], tuple[str, bool]],
    loss: str,
    beside: Mapping[str, str] | None = None,
) -> Tool:
    """Return the tool of a format; `described` is what messages call its files.

    `write_note` returns the content of a file, and whether it lost what `loss` describes; `beside` are further files.
    """

    def list_files(path: Path) -> list[Path]:
        # INITIAL_CAS is the note before anybody marked it.
        found = list_files_below(path) if path.is_dir() else ()
        return [file for file in found if file.stem != "INITIAL_CAS" and accepts(file)] if path.is_dir() else [path]

    def matches(path: Path) -> bool:
        if path.is_dir():
            return not (path / "gold.jsonl").exists() and bool(list_files(path))
        return path.suffix == suffix and accepts(path)

    def load_notes(path: Path) -> LoadedNotes:
        files = list_files(path)
        if not files:
            raise GoldError(f"{path}: has no {described}")
        notes = LoadedNotes()
        for file in files:
            # annotation/NOTE.txt/ANNOTATOR.zip, or ANNOTATOR.xmi unpacked; NOTE.xmi for a single annotator.
            nested = path.is_dir() and file.parent != path
            doc = re.sub(r"\.txt$", "", file.parent.name) if nested else file.stem
            try:
                with as_file_errors(file):
                    text, spans = load_file(file)
            except MalformedFileError as problem:
                notes.skip(str(file), problem.line, str(problem))
            else:
                notes.add(AnnotatedNote(doc, text, file.stem if nested else "", spans, str(file)))
        return notes

    def write_notes(gold: AnnotatedNotes, path: Path) -> list[str]:
        if path.suffix == suffix:
            raise GoldError(f"{path}: {name} takes a folder, which gets one file per note")
        lossy = False
        for doc, text in gold.notes.items():
            content, lost = write_note(text, gold.spans.get(doc, []))
            write_private(path / f"{doc}{suffix}", content)
            lossy = lossy or lost
        for file, content in (beside or {}).items():
            write_private(path / file, content)
        return losses_with_labels_alone(gold) + [loss] * lossy

    return Tool(matches, load_notes, write_notes)
