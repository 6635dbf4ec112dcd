"""INCEpTION and WebAnno: WebAnno TSV 3, one file per note or a folder per note with one file per annotator.

A line is a token, with its offsets in UTF-16 code units and a cell for each feature of each layer. Marks over several
tokens have a number in brackets. The text of a sentence precedes its tokens; the text between two sentences is in no
line, and is read as line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from notesieve.evaluation.annotation_tools.annotations import Rows, count_utf16_units, label_of, utf16_offsets
from notesieve.evaluation.annotation_tools.inception import (
    MalformedFileError,
    spans_of_marks,
    tool_with_file_per_note,
)

_FORMAT = "#FORMAT=WebAnno TSV 3"
_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
# Custom layers of a project, and the named entity layer.
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


def _is_tsv3(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return file.suffix == ".tsv" and stream.read(len(_FORMAT)) == _FORMAT.encode()
    except OSError:
        return False


def _load_file(file: Path) -> tuple[str, Rows]:
    parser = _FileParser()
    for number, line in enumerate(file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n"), 1):
        problem = parser.parse_line(line)
        if problem:
            raise MalformedFileError(problem, number)
    return parser.text_and_spans()


class _FileParser:
    """Parses a file line by line into the text of a note and its annotated spans."""

    def __init__(self) -> None:
        self.text = ""
        self._units = 0
        self._sentence: list[str] = []
        self._columns: list[tuple[int, str]] = []
        self._layers = 0
        # Begin, end (exclusive) and features of a mark, by its layer and its number or position.
        self._marks: dict[tuple[int, str], tuple[int, int, dict[str, str]]] = {}

    def parse_line(self, line: str) -> str | None:
        """Parse a line; return the problem with it, or None."""
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
        """Add a sentence at the offset given by its first token; return whether it fits."""
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

    def text_and_spans(self) -> tuple[str, Rows]:
        """Return the text and the marks in it."""
        # Sentences that have no token after them.
        self.text += "\n".join(self._sentence)
        return self.text, spans_of_marks(self.text, list(self._marks.values()))


# ---- Out


def _write_note(text: str, spans: Rows) -> tuple[str, bool]:
    cut = any(text[span["start"] : span["end"]].strip() != text[span["start"] : span["end"]] for span in spans)
    edges = {place for span in spans for place in (span["start"], span["end"])}
    units = utf16_offsets(text)
    lines = [_FORMAT + ".3", f"#T_SP={_LAYER}|identifier|value", ""]
    for number, (start, end) in enumerate(_split_sentences(text), 1):
        lines += ["", f"#Text={_escape_text(text[start:end])}"]
        for place, (begin, stop) in enumerate(_split_tokens(text, start, end, edges), 1):
            marks = [(at, span) for at, span in enumerate(spans, 1) if span["start"] < stop and begin < span["end"]]
            identifiers = "|".join(f"*[{at}]" for at, _ in marks) or "_"
            labels = "|".join(f"{_escape(label_of(span))}[{at}]" for at, span in marks) or "_"
            token = _escape(text[begin:stop])
            lines.append(f"{number}-{place}\t{units[begin]}-{units[stop]}\t{token}\t{identifiers}\t{labels}\t")
    return "\n".join(lines) + "\n", cut


def _escape_text(text: str) -> str:
    return re.sub(r"[\\\n\r\t]", lambda match: _ESCAPES[match[0]], text)


def _split_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield each line with text, including blank lines after it: one line end separates two sentences."""
    starts = [match.start() for match in re.finditer(r"^[^\n]*\S[^\n]*$", text, re.MULTILINE)]
    for start, following in zip([0, *starts[1:]], [*starts[1:], len(text) + 1], strict=True) if text else ():
        yield start, following - 1


def _split_tokens(text: str, start: int, end: int, edges: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the tokens of a sentence, split where spans begin and end."""
    for match in _TOKEN.finditer(text, start, end):
        cuts = [match.start(), *sorted(place for place in edges if match.start() < place < match.end()), match.end()]
        yield from pairwise(cuts)


WEBANNO_TSV = tool_with_file_per_note(
    ".tsv",
    "WebAnno TSV",
    "file of WebAnno TSV 3",
    accepts=_is_tsv3,
    load_file=_load_file,
    write_note=_write_note,
    loss="white space at the ends of spans, and spans of nothing else",
)
"""WebAnno TSV 3, as INCEpTION and WebAnno read and write it."""
