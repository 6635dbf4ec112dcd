"""Sources of notes for sampling and review: a folder of texts, or a table with a column of notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from notesieve.choices import did_you_mean
from notesieve.errors import EXPLAINED, FileError, FrameError, GoldError
from notesieve.files.jobs import format_and_compression
from notesieve.files.reading_errors import as_file_errors, explain_file_error, is_file_error, list_text_files
from notesieve.files.row_files import open_rows, open_uncompressed
from notesieve.files.run_manifest import size_and_sha256

_TABLE_FORMATS = ("parquet", "jsonl", "csv")
# The document name in a table is used as a file name and as a CSV field.
_NAME = re.compile(r"(?!\.{1,2}$)[^\\/,\0\r\n\"]{1,200}")


@dataclass(slots=True)
class SourceNote:
    """A note: document name, text, and the value of the further column or the folder."""

    doc: str
    text: str
    value: str | None

    def __repr__(self) -> str:
        """Return the document name only, no text."""
        return f"SourceNote({self.doc!r})"


@dataclass(frozen=True)
class NoteSource:
    """Notes of a folder or a table, read one at a time.

    Attributes
    ----------
    path : Path
        A folder of ``.txt`` files; or a ``.parquet``, ``.jsonl`` or ``.csv`` file.
    text, id : str
        The columns of a table with the notes and with their names.
    column : str, optional
        A further column: a stratum or a patient. For a folder, the subfolder of each note is used instead.
    """

    path: Path
    text: str = "text"
    id: str = "id"
    column: str | None = None

    def values_by_document(self) -> dict[str, str]:
        r"""Return the value of the column by document, ``all`` if there is no column. Texts are not kept.

        Raises
        ------
        FileError
            If the source cannot be read.
        GoldError
            If a column is missing, a row cannot be read, or two notes have the same name.

        Examples
        --------
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp()) / "notes.jsonl"
        >>> _ = file.write_text('{"id": "a", "text": "Well.", "ward": "east"}\n')
        >>> NoteSource(file, column="ward").values_by_document()
        {'a': 'east'}
        """
        found: dict[str, str] = {}
        if self.path.is_dir():
            return {doc: self._folder_of(doc) for doc in self._files_by_document()}
        for at, row in enumerate(self._table_rows([self.id, *([self.column] if self.column else [])]), 1):
            doc = self._document_name(row, at)
            if doc in found:
                raise GoldError(f"{self.path}: row {at}: its `{self.id}` occurs twice")
            found[doc] = self._stratum(row) or ("none" if self.column else "all")
        return found

    def notes(self, chosen: frozenset[str] | None = None) -> Iterator[SourceNote]:
        """Yield the notes, or those of the chosen documents.

        Raises
        ------
        FileError
            If the source cannot be read.
        GoldError
            If a column is missing or a row has no text.
        """
        if self.path.is_dir():
            for doc, file in self._files_by_document().items():
                if chosen is None or doc in chosen:
                    with as_file_errors(file):
                        text = file.read_bytes().decode("utf-8")
                    yield SourceNote(doc, text, self._folder_of(doc))
            return
        columns = [self.id, self.text, *([self.column] if self.column else [])]
        for at, row in enumerate(self._table_rows(columns), 1):
            doc = self._document_name(row, at)
            if chosen is not None and doc not in chosen:
                continue
            if not isinstance(row[self.text], str):
                raise GoldError(f"{self.path}: row {at}: its `{self.text}` holds no text")
            yield SourceNote(doc, row[self.text], self._stratum(row))

    def provenance(self) -> dict[str, Any]:
        """Return name and digest of the table, or of the folder with the names and contents of its files."""
        if not self.path.is_dir():
            return {"file": self.path.name, "sha256": size_and_sha256(self.path)[1]}
        whole = sha256()
        for doc, file in self._files_by_document().items():
            with as_file_errors(file):
                whole.update(f"{doc}\0{size_and_sha256(file)[1]}\n".encode("utf-8", "surrogateescape"))
        return {"folder": self.path.name, "sha256": whole.hexdigest()}

    # ---- a folder

    def _files_by_document(self) -> dict[str, Path]:
        files = {str(file.relative_to(self.path).with_suffix("")): file for file in list_text_files(self.path)}
        commas = next((doc for doc in files if "," in doc or "\n" in doc), None)
        if commas is not None:
            raise GoldError(f"the file name `{commas}` holds a comma: the sheet cannot name it")
        return files

    @staticmethod
    def _folder_of(doc: str) -> str:
        """Return the folder part of a document name, or ``all`` if there is none."""
        return str(Path(doc).parent) if Path(doc).parent != Path() else "all"

    # ---- a table

    def _document_name(self, row: dict[str, Any], at: int) -> str:
        """Return the name of the note in a row; raise if it cannot be a file name."""
        doc = "" if row[self.id] is None else str(row[self.id])
        if not _NAME.fullmatch(doc):
            raise GoldError(f"{self.path}: row {at}: its `{self.id}` cannot be the name of a file")
        return doc

    def _stratum(self, row: dict[str, Any]) -> str | None:
        """Return the value of the further column, or None."""
        return None if self.column is None or row[self.column] is None else str(row[self.column])

    def _table_rows(self, columns: list[str]) -> Iterator[dict[str, Any]]:
        kind = format_and_compression(self.path)
        if kind is None or kind[0] not in _TABLE_FORMATS:
            raise GoldError(f"{self.path}: is no folder, Parquet, JSON Lines or CSV file")
        form, compression = kind
        try:
            with open_uncompressed(self.path, compression) as (stream, _):
                rows = open_rows(form, stream, text=self.text)
                # If only names are wanted, read the name column of Parquet as the text, so that texts are not read.
                text = self.text if self.text in columns or form != "parquet" else self.id
                if rows.names is not None:
                    self._require_columns([*columns, text], rows.names)
                others = [name for name in columns if name != text]
                for row in rows.read(text, others):
                    if row.error is not None:
                        raise FrameError(
                            f"line {row.line} cannot be read: {EXPLAINED.get(row.error, row.error)} ({row.error})"
                        )
                    yield {**row.kept, text: row.text}
        except Exception as problem:
            if not is_file_error(problem):
                raise
            kind_of_error = FileError if isinstance(problem, (OSError, UnicodeDecodeError)) else GoldError
            raise kind_of_error(f"{self.path}: {explain_file_error(problem)}") from None

    @staticmethod
    def _require_columns(columns: list[str], names: list[str]) -> None:
        """Raise for a table that lacks one of the named columns."""
        missing = next((name for name in columns if name not in names), None)
        if missing is not None:
            hint = did_you_mean(missing, names) or "; --text and --id name other columns"
            raise FrameError(f"has no column `{missing}` among its {len(names)}{hint}")
