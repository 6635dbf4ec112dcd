"""Files of rows (JSON Lines, CSV, Parquet), plain or compressed: read and written row by row.

A row that cannot be read becomes a row with an error code and no values: if its fields have shifted, a column that may
be written could contain one that may not.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from notesieve.errors import FrameError
from notesieve.files.csv_lines import CsvLines
from notesieve.files.reading_errors import is_file_error

MAX_LINE_BYTES = 256 << 20
"""The maximum length of a line, or of a field, in bytes."""


@dataclass(slots=True)
class Row:
    """One row: its first line, its passed-through values, its note, and an error code if it cannot be read.

    If quotation marks are wrong, `lines` is the number of lines lost with the row.
    """

    line: int
    kept: dict[str, Any]
    text: object
    error: str | None = None
    lines: int = 1


SEPARATORS = (",", ";", "\t", "|")
"""The separators of a CSV that are tried, the most common first."""


def open_rows(form: str, stream: BinaryIO, *, text: str = "text", separator: str | None = None) -> Any:
    """Open a stream of rows; ``parquet`` can only be read here.

    Parameters
    ----------
    form : {"jsonl", "csv", "parquet"}
        The format.
    stream : file
        The bytes; text formats in UTF-8.
    text : str, optional
        The column with the notes, which is used to detect the separator.
    separator : str, optional
        The field separator of a CSV. Default: the first of `SEPARATORS` that yields this column in the header.
    """
    if form == "parquet":
        return _Parquet(stream)
    return _Csv(stream, text, separator) if form == "csv" else _JsonLines(stream)


class _JsonLines:
    names: list[str] | None = None  # each line has its own
    separator: str | None = None

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def read(self, text: str, kept: Sequence[str]) -> Iterator[Row]:
        number = 0
        while line := self.stream.readline(MAX_LINE_BYTES):
            number += 1
            if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = self.stream.readline(MAX_LINE_BYTES)
                yield Row(number, {}, None, "length")
            elif not line.isspace():
                yield self._parse_line(number, line, text, kept)

    @staticmethod
    def _parse_line(number: int, line: bytes, text: str, kept: Sequence[str]) -> Row:
        """Parse a line into a row; if it cannot be read, `error` says why."""
        try:
            item = json.loads(line.decode("utf-8-sig"))
        except UnicodeDecodeError:
            return Row(number, {}, None, "utf-8")
        except (ValueError, RecursionError):
            return Row(number, {}, None, "json")
        if not isinstance(item, dict):
            return Row(number, {}, None, "json")
        passing = {name: item.get(name) for name in kept}
        return Row(number, passing, item[text]) if text in item else Row(number, passing, None, "missing")

    @staticmethod
    def write(stream: BinaryIO, names: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
        del names
        # JSON can express a lone surrogate and UTF-8 cannot; it becomes a question mark.
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        stream.write(lines.encode("utf-8", "replace"))


class _Csv:
    def __init__(self, stream: BinaryIO, text: str, separator: str | None) -> None:
        csv.field_size_limit(MAX_LINE_BYTES)
        # Invalid UTF-8 becomes lone surrogates, so that the row can be reported.
        # The wrapper is kept because it closes the stream when it is garbage-collected.
        self.decoded = decoded = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
        first = decoded.readline()
        self.separator = separator or _detect_separator(first, text)
        self.lines = CsvLines(chain([first] if first else [], decoded), self.separator)
        self.rows = csv.reader(self.lines, delimiter=self.separator, strict=True)
        self.header_written = False
        try:
            header = next(self.rows, None)
        except csv.Error:
            header = None
        if not header:
            raise FrameError("has no header line")
        self.names: list[str] = header

    def read(self, text: str, kept: Sequence[str]) -> Iterator[Row]:
        width = len(self.names)
        at = self.names.index(text)
        passing = [(name, self.names.index(name)) for name in kept]
        while True:
            line = self.lines.begin_row()
            try:
                fields = next(self.rows, None)
            except csv.Error:
                found = self.lines.skip_broken_row()
                yield Row(line, {}, None, "stray" if found else "quote", self.lines.number - line + 1)
                continue
            if fields is None:
                return
            if not fields:
                continue
            if len(fields) != width:
                yield Row(line, {}, None, "csv")
            elif fields[at].isascii() or is_utf8(fields[at]):
                yield Row(line, {name: fields[place] for name, place in passing}, fields[at])
            else:
                yield Row(line, {name: fields[place] for name, place in passing}, None, "utf-8")

    def write(self, stream: BinaryIO, names: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
        buffer = io.StringIO(newline="")
        lines = csv.writer(buffer, delimiter=self.separator or ",")
        if not self.header_written:
            lines.writerow(names)
            self.header_written = True
        for row in rows:
            cells = (row.get(name) for name in names)
            lines.writerow(
                [json.dumps(cell, ensure_ascii=False) if isinstance(cell, (list, dict)) else cell for cell in cells]
            )
        stream.write(buffer.getvalue().encode("utf-8", "surrogateescape"))


class _Parquet:
    def __init__(self, stream: BinaryIO) -> None:
        self.file = parquet_library().ParquetFile(stream)
        self.names: list[str] = list(self.file.schema_arrow.names)

    def read(self, text: str, kept: Sequence[str]) -> Iterator[Row]:
        batches = self.file.iter_batches(batch_size=1024, columns=[*kept, text])
        for number, fields in enumerate(chain.from_iterable(batch.to_pylist() for batch in batches), 1):
            yield Row(number, {name: fields[name] for name in kept}, fields[text])


def parquet_library() -> Any:
    """Import the library that reads and writes Parquet, or raise an error that says how to install it."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise FrameError("reading and writing Parquet needs pyarrow: pip install 'notesieve[files]'") from None
    return pyarrow.parquet


def _detect_separator(header: str, text: str) -> str:
    """Return the first separator that yields the column of notes in the header; the most common one if none does."""
    for separator in SEPARATORS:
        try:
            if text in next(csv.reader([header], delimiter=separator, strict=True), []):
                return separator
        except csv.Error:
            continue
    return SEPARATORS[0]


def is_utf8(text: str) -> bool:
    r"""Return whether a text can be encoded as UTF-8, which means that it has no lone surrogates.

    Examples
    --------
    >>> is_utf8("caf\xe9"), is_utf8("caf\udce9")
    (True, False)
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# ---- compression


@contextmanager
def open_uncompressed(path: Path, compression: str) -> Iterator[tuple[Any, BinaryIO]]:
    """Yield a stream of the decompressed content, and the file itself, whose position shows the progress."""
    with path.open("rb") as file:
        yield decompressed_stream(file, compression), file


def holds_resources(path: Path, compression: str) -> bool:
    r"""Return whether JSON lines are FHIR resources, as in a bulk export, judging by the first line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "Patient.ndjson")
    ...     _ = file.write_text('{"resourceType": "Patient", "id": "p1"}\n')
    ...     holds_resources(file, "")
    True
    """
    try:
        with path.open("rb") as file:
            first = json.loads(decompressed_stream(file, compression).readline(MAX_LINE_BYTES))
    except Exception as problem:
        if not is_file_error(problem):
            raise
        return False  # the reader will report the problem
    return isinstance(first, dict) and isinstance(first.get("resourceType"), str)


def decompressed_stream(file: BinaryIO, compression: str) -> Any:
    """Return a stream of the decompressed content of a file."""
    if compression == "gz":
        return gzip.open(file, "rb")
    return io.BufferedReader(_Zstandard(file), 1 << 20) if compression == "zst" else file


@contextmanager
def open_compressed(path: Path, compression: str) -> Iterator[Any]:
    """Open a file for writing. Output is reproducible: the compressed file contains no time and no name."""
    with path.open("wb") as file:
        if compression == "gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as stream:
                yield stream
        elif compression == "zst":
            with _zstandard_library().ZstdCompressor().stream_writer(file, closefd=False) as stream:
                yield stream
        else:
            yield file


def _zstandard_library() -> Any:
    try:
        import zstandard
    except ImportError:
        raise FrameError("reading and writing .zst needs zstandard: pip install 'notesieve[files]'") from None
    return zstandard


class _Zstandard(io.RawIOBase):
    """A Zstandard stream that raises on truncated data, which the library's own reader does not."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.library = _zstandard_library()
        self.frame: Any = None
        self.ready = b""
        self.at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self.at == len(self.ready):
            data = (self.frame.unused_data if self.frame is not None and self.frame.eof else b"") or self.file.read(
                65536
            )
            if not data:
                if self.frame is not None and not self.frame.eof:
                    raise EOFError("ends in the middle of its compressed data")
                return 0
            if self.frame is None or self.frame.eof:
                self.frame = self.library.ZstdDecompressor().decompressobj()
            self.ready, self.at = self.frame.decompress(data), 0
        count = min(len(buffer), len(self.ready) - self.at)
        buffer[:count] = self.ready[self.at : self.at + count]
        self.at += count
        return count
