"""Label Studio: JSON of tasks, and the labelling configuration of a project for them."""

from __future__ import annotations

import json
from html import escape
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
    code_point_offsets,
    is_optional,
    label_of,
    span_of_label,
    write_private,
)
from notesieve.files.reading_errors import as_file_errors

_TASKS, _CONFIG = "tasks.json", "label_config.xml"
_HIPAA_BY_WORD = {"optional": False, "required": True}


def _is_label_studio(path: Path) -> bool:
    if path.is_dir():
        return (path / _TASKS).is_file()
    if path.suffix != ".json" or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1 << 16).lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"[")


def _load_notes(path: Path) -> LoadedNotes:
    """Load the annotated notes of an export.

    A malformed task is skipped and listed in `problems`.

    Raises
    ------
    GoldError
        If the file is not a list of tasks.
    FileError
        If a file cannot be read or is not UTF-8.
    """
    file = path / _TASKS if path.is_dir() else path
    try:
        with as_file_errors(file):
            tasks = json.loads(file.read_bytes().decode("utf-8-sig"))
    except ValueError:
        tasks = None
    if not isinstance(tasks, list):
        raise GoldError(f"{file}: is no list of tasks: export the project of Label Studio as JSON")
    read = LoadedNotes()
    for at, task in enumerate(tasks, 1):
        try:
            _load_task(read, task, str(file), at)
        except (KeyError, TypeError, ValueError, AttributeError):
            read.skip(str(file), at, "is no task with a text and annotations")
    return read


def _load_task(read: LoadedNotes, task: dict[str, Any], file: str, at: int) -> None:
    data = task["data"]
    texts = [data["text"]] if "text" in data else [value for value in data.values() if isinstance(value, str)]
    if len(texts) != 1 or not isinstance(texts[0], str):
        read.skip(file, at, "has no `text` in its data")
        return
    doc = str(data.get("doc") or task.get("id") or at)
    annotations = [one for one in task["annotations"] if not one.get("was_cancelled")]
    if not annotations:
        read.skip(file, at, "is marked by nobody")
    # If an annotation is the ground truth, only that one counts.
    for one in [one for one in annotations if one.get("ground_truth")][:1] or annotations:
        spans = _spans_of_annotation(texts[0], one["result"])
        if spans is None:
            read.skip(file, at, "an annotation holds another text in its place")
        else:
            read.add(AnnotatedNote(doc, texts[0], _annotator_name(one), spans, file, at))


def _annotator_name(annotation: dict[str, Any]) -> str:
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    return "" if who is None else str(who)


def _spans_of_annotation(text: str, result: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    """Return the spans of an annotation, or None if their offsets do not match the text."""
    regions = [region for region in result if {"start", "end"} <= region.get("value", {}).keys()]
    places = [(region["value"]["start"], region["value"]["end"], region["value"].get("text")) for region in regions]

    def texts_match(found: list[tuple[Any, Any, Any]]) -> bool:
        return all(
            said is None or _without_white_space(text[start:end]) == _without_white_space(said)
            for start, end, said in found
        )

    if not texts_match(places):
        # Versions before 1.6 count UTF-16 code units.
        points = code_point_offsets(text, [place for start, end, _ in places for place in (start, end)])
        places = [(points.get(start, -1), points.get(end, -1), said) for start, end, said in places]
        if not texts_match(places):
            return None
    spans: list[dict[str, Any]] = []
    for (start, end, _), region in zip(places, regions, strict=True):
        value = region["value"]
        labels: list[Any] = value.get(region.get("type")) or value.get("labels") or [""]
        said = [_HIPAA_BY_WORD[word] for word in region.get("meta", {}).get("text", []) if word in _HIPAA_BY_WORD]
        spans += [span_of_label(start, end, str(label), hipaa=said[0] if said else None) for label in labels]
    return spans


def _without_white_space(text: str) -> str:
    # Label Studio writes line ends as \n in some versions and as \\n in others.
    return "".join(text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t").split())


def _write_tasks(gold: AnnotatedNotes, path: Path) -> list[str]:
    file = path if path.suffix == ".json" else path / _TASKS
    tasks = []
    for doc, text in gold.notes.items():
        result = [_region_of_span(at, span, text) for at, span in enumerate(gold.spans.get(doc, []))]
        tasks.append({"data": {"text": text, "doc": doc}, "annotations": [{"result": result}]})
    write_private(file, json.dumps(tasks, ensure_ascii=False, indent=1) + "\n")
    labels = sorted({label_of(span) for spans in gold.spans.values() for span in spans})
    write_private(file.with_name(_CONFIG), _labelling_config(labels))
    return [NOISE_LOSS]


def _region_of_span(at: int, span: dict[str, Any], text: str) -> dict[str, Any]:
    label = label_of(span)
    value = {"start": span["start"], "end": span["end"], "text": text[span["start"] : span["end"]], "labels": [label]}
    region = {"id": f"span-{at}", "from_name": "label", "to_name": "text", "type": "labels", "value": value}
    if is_optional(span) != (label in OPTIONAL_LABELS):
        region["meta"] = {"text": ["optional" if is_optional(span) else "required"]}
    return region


def _labelling_config(labels: list[str]) -> str:
    lines = "".join(f'    <Label value="{escape(label)}"/>\n' for label in labels or ["NAME"])
    return (
        f'<View>\n  <Labels name="label" toName="text">\n{lines}  </Labels>\n'
        '  <Text name="text" value="$text" granularity="symbol"/>\n</View>\n'
    )


LABEL_STUDIO = Tool(_is_label_studio, _load_notes, _write_tasks)
"""Label Studio's JSON."""
