"""Files with a single note: text, plain or compressed, and documents: Word, HTML, RTF."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from notesieve.errors import FrameError
from notesieve.files.html_text import extract_html_text
from notesieve.files.row_files import decompressed_stream

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote
    from notesieve.files.decoding import Encoding
    from notesieve.files.jobs import FileJob

_MAX_READ_BYTES = 1 << 29
"""The maximum number of bytes read from a compressed text: one more than a note may have."""


def format_note(stem: str, note: ScrubbedNote, form: str) -> str:
    """Return the output of one note of a text file."""
    if form in ("text", "coded"):
        text = note.text if form == "text" else note.coded_text
        return text if text.endswith("\n") else text + "\n"
    # JSON cannot represent a file name that is not valid UTF-8.
    item: dict[str, Any] = {"doc": stem.encode("utf-8", "replace").decode("utf-8")}
    if form == "jsonl":
        item |= note.to_dict()
    else:
        item["spans"] = [[span.start, span.end, span.category] for span in note.removed]
    return json.dumps(item, ensure_ascii=False) + "\n"


def read_note(job: FileJob, encoding: Encoding) -> tuple[bytes, str]:
    """Read a file: return its bytes, and the note in it.

    Raises
    ------
    FrameError
        If a document cannot be read, or its parser is not installed.
    """
    content = job.source.read_bytes()
    if job.form == "docx":
        return content, _text_of_docx(content)
    if job.form == "html":
        return content, extract_html_text(encoding.decode(content))
    if job.form == "rtf":
        return content, _text_of_rtf(content)
    if job.compression:
        return content, encoding.decode(decompressed_stream(io.BytesIO(content), job.compression).read(_MAX_READ_BYTES))
    return content, encoding.decode(content)


def _text_of_docx(content: bytes) -> str:
    """Return the text of a Word document: body, tables, headers, footers, notes and comments."""
    try:
        from docx2python import docx2python
    except ImportError:
        raise FrameError("reading .docx needs docx2python: pip install 'notesieve[docx]'") from None
    try:
        with docx2python(io.BytesIO(content)) as document:
            return str(document.text)
    except Exception:  # noqa: BLE001 - it reads untrusted XML, and its errors quote the input
        raise FrameError("is damaged, or no Word document") from None


def _text_of_rtf(content: bytes) -> str:
    """Return the text of an RTF document."""
    try:
        from striprtf.striprtf import rtf_to_text
    except ImportError:
        raise FrameError("reading .rtf needs striprtf: pip install 'notesieve[rtf]'") from None
    if not content.lstrip().startswith(b"{\\rtf"):
        raise FrameError("is no RTF document")
    try:
        return str(rtf_to_text(content.decode("latin-1")))
    except Exception:  # noqa: BLE001 - its errors quote the input
        raise FrameError("is a damaged RTF document") from None
