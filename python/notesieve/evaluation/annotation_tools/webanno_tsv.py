"""INCEpTION and WebAnno: WebAnno TSV 3, one file per note or a folder per note with one file per annotator.

A line is a token, with its place in UTF-16 code units and a cell for each feature of each layer. Marks of several
tokens have a number in brackets. The text of a sentence stands before its tokens; what lies between two sentences is in
no line, and is read as line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from notesieve.errors import GoldError
from notesieve.evaluation.annotation_tools.annotations import (
    LABEL_FEATURES,
    AnnotatedNotes,
    LoadedNotes,
    MalformedFileError,
    Rows,
    Tool,
    code_point_offsets,
    count_utf16_units,
    label_of,
    load_files,
    optionality_differs_from_label,
    span_of_label,
    write_private,
)
from notesieve.files.reading_errors import list_files_below

_FORMAT = "#FORMAT=WebAnno TSV 3"
_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
# Layers that the annotators of a project make, beside the one of named entities.
_LAYERS = re.compile(rf"(?:webanno\.)?custom\..+|{re.escape(_LAYER)}")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PLACE = re.compile(r"\d+-\d+(?:\.\d+)?")
_VALUES = re.compile(r"((?:\\.|[^|\\])+)(?:\||$)", re.DOTALL)
_VALUE = re.compile(r"((?:\\.|[^\\\[])*)(?:\[(\d+)\])?", re.DOTALL)
_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|->|.)", re.DOTALL)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_RESERVED = re.compile(r"->|[\\\[\]|_;*\t\n\r]")


def _unescape(text: str) -> str:
    def decode_escape(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROLS.get(code, code)

    return _ESCAPED.sub(decode_escape, text)


def _escape(text: str) -> str:
    return _RESERVED.sub(lambda match: _ESCAPES.get(match[0], f"\\{match[0]}"), text)


# ---- In


def _is_webanno(path: Path) -> bool:
    if path.is_dir():
        return not (path / "gold.jsonl").exists() and bool(_tsv_files(path))
    return path.suffix == ".tsv" and _is_tsv3(path)


def _is_tsv3(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_FORMAT)) == _FORMAT.encode()
    except OSError:
        return False


def _tsv_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = (file for file in list_files_below(path) if file.suffix == ".tsv" and _is_tsv3(file))
    # What INCEpTION exports beside the annotators: the note before anybody marked it.
    return [file for file in found if file.stem != "INITIAL_CAS"]


def _load_notes(path: Path) -> LoadedNotes:
    return load_files(path, _tsv_files(path), "file of WebAnno TSV 3", _load_file)


def _load_file(file: Path) -> tuple[str, Rows]:
    parser = _FileParser()
    for number, line in enumerate(file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n"), 1):
        problem = parser.parse_line(line)
        if problem:
            raise MalformedFileError(problem, number)
    spans = parser.marked_spans()
    if spans is None:
        raise MalformedFileError("an annotation does not lie in its text")
    return parser.text, spans


class _FileParser:
    """Parses a file line by line into the text of a note and its annotated spans."""

    def __init__(self) -> None:
        self.text = ""
        self._units = 0
        self._sentence: list[str] = []
        self._columns: list[tuple[int, str]] = []
        self._layers = 0
        # First and last code unit and features of a mark, by its layer and number, or its place.
        self._marks: dict[tuple[int, str], tuple[int, int, dict[str, str]]] = {}

    def parse_line(self, line: str) -> str | None:
        """Parse a line; return what is wrong with it, or None."""
        if line.startswith("#"):
            self._parse_header(line)
            return None
        if not line.strip():
            return None
        cells = line.split("\t")
        if len(cells) < 3 or not _PLACE.fullmatch(cells[0]) or not re.fullmatch(r"\d+-\d+", cells[1]):
            return "is no token with its place"
        begin, end = map(int, cells[1].split("-"))
        if self._sentence and not self._add_sentence(begin, _unescape(cells[2])):
            return "a token does not stand in its sentence"
        if len(cells) < 3 + len(self._columns):
            return "has too few columns"
        for (layer, feature), cell in zip(self._columns, cells[3:], strict=False):
            if feature and cell != "_":
                self._parse_cell(cell, layer, feature, begin, end)
        return None

    def _parse_header(self, line: str) -> None:
        if line.startswith("#Text="):
            self._sentence.append(_unescape(line.removeprefix("#Text=")))
        elif line.startswith(("#T_SP=", "#T_RL=", "#T_CH=")):
            layer, *features = line.partition("=")[2].split("|")
            wanted = line.startswith("#T_SP=") and _LAYERS.fullmatch(layer)
            self._columns += [(self._layers, feature if wanted else "") for feature in features or ["*"]]
            self._layers += 1

    def _add_sentence(self, begin: int, token: str) -> bool:
        """Put a sentence where its first token says that it stands."""
        sentence, self._sentence = "\n".join(self._sentence), []
        start = begin - count_utf16_units(sentence[: sentence.find(token)])
        if token not in sentence or start < self._units:
            return False
        self.text += "\n" * (start - self._units) + sentence
        self._units = start + count_utf16_units(sentence)
        return True

    def _parse_cell(self, cell: str, layer: int, feature: str, begin: int, end: int) -> None:
        for at, value in enumerate(_VALUES.findall(cell)):
            match = _VALUE.fullmatch(value)
            name, number = (match[1], match[2]) if match else (value, None)
            key = layer, number or f"{begin}-{end}/{at}"
            first, last, features = self._marks.get(key, (begin, end, {}))
            if name != "*":
                features[feature] = _unescape(name)
            self._marks[key] = min(first, begin), max(last, end), features

    def marked_spans(self) -> Rows | None:
        """Give the marks; None if one does not lie in the text."""
        # A text without a token, or one after the last token.
        self.text += "\n".join(self._sentence)
        points = code_point_offsets(
            self.text, [place for begin, end, _ in self._marks.values() for place in (begin, end)]
        )
        if any(begin not in points or end not in points for begin, end, _ in self._marks.values()):
            return None
        return [
            span_of_label(points[begin], points[end], _label_of_features(features))
            for begin, end, features in self._marks.values()
        ]


def _label_of_features(features: dict[str, str]) -> str:
    """Give the label among the features of a mark: as XMI does, the one that is called so, or the only one."""
    named = next((features[name] for name in LABEL_FEATURES if name in features), "")
    others = [value for name, value in features.items() if name != "identifier"]
    return named or (others[0] if len(others) == 1 else "")


# ---- Out


def _write_tsv(gold: AnnotatedNotes, path: Path) -> list[str]:
    if path.suffix == ".tsv":
        message = f"{path}: WebAnno TSV takes a folder, which gets one file per note"
        raise GoldError(message)
    cut = False
    for doc, text in gold.notes.items():
        spans = gold.spans.get(doc, [])
        cut = cut or any(
            text[span["start"] : span["end"]].strip() != text[span["start"] : span["end"]] for span in spans
        )
        write_private(path / f"{doc}.tsv", _tsv_of_note(text, spans))
    losses = ["noise and clean (the damage of deliberately damaged spans)"]
    losses += ["white space at the ends of spans, and spans of nothing else"] * cut
    losses += ["optional spans (`hipaa`) whose label does not say so"] * optionality_differs_from_label(gold)
    return losses


def _tsv_of_note(text: str, spans: Rows) -> str:
    edges = {place for span in spans for place in (span["start"], span["end"])}
    units, at = [], 0
    for letter in text:
        units.append(at)
        at += count_utf16_units(letter)
    units.append(at)
    lines = [_FORMAT + ".3", f"#T_SP={_LAYER}|identifier|value", ""]
    for number, (start, end) in enumerate(_split_sentences(text), 1):
        lines += ["", f"#Text={_escape_text(text[start:end])}"]
        for place, (begin, stop) in enumerate(_split_tokens(text, start, end, edges), 1):
            marks = [(at, span) for at, span in enumerate(spans, 1) if span["start"] < stop and begin < span["end"]]
            identifiers = "|".join(f"*[{at}]" for at, _ in marks) or "_"
            labels = "|".join(f"{_escape(label_of(span))}[{at}]" for at, span in marks) or "_"
            token = _escape(text[begin:stop])
            lines.append(f"{number}-{place}\t{units[begin]}-{units[stop]}\t{token}\t{identifiers}\t{labels}\t")
    return "\n".join(lines) + "\n"


def _escape_text(text: str) -> str:
    return re.sub(r"[\\\n\r\t]", lambda match: _ESCAPES[match[0]], text)


def _split_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Give each line that holds something, with the empty ones after it: one line end is between two sentences."""
    starts = [match.start() for match in re.finditer(r"^[^\n]*\S[^\n]*$", text, re.MULTILINE)]
    for start, following in zip([0, *starts[1:]], [*starts[1:], len(text) + 1], strict=True) if text else ():
        yield start, following - 1


def _split_tokens(text: str, start: int, end: int, edges: set[int]) -> Iterator[tuple[int, int]]:
    """Give the tokens of a sentence, cut where spans begin and end."""
    for match in _TOKEN.finditer(text, start, end):
        cuts = [match.start(), *sorted(place for place in edges if match.start() < place < match.end()), match.end()]
        yield from pairwise(cuts)


WEBANNO_TSV = Tool(_is_webanno, _load_notes, _write_tsv)
"""WebAnno TSV 3, as INCEpTION and WebAnno read and write it."""
