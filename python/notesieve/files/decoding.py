"""Decoding of bytes: UTF-8 unless the user or a byte order mark says otherwise."""

from __future__ import annotations

import codecs
import io
from dataclasses import dataclass
from typing import Any

from notesieve.errors import SettingError

# Byte order marks, as in files from Windows. The longer ones come first: those of UTF-16 are their prefixes.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def _surrogate_for_undecodable(problem: UnicodeError) -> tuple[str, int]:
    """Replace undecodable bytes by a lone surrogate, which no valid text contains."""
    return "\udc80", problem.end if isinstance(problem, UnicodeDecodeError) else 0


codecs.register_error("notesieve.broken", _surrogate_for_undecodable)


@dataclass(frozen=True)
class Encoding:
    r"""A text encoding and its error handling.

    Parameters
    ----------
    name : str, optional
        The encoding, such as ``cp1252``, ``latin-1`` or ``utf-16``. A byte order mark at the start of a file takes
        precedence.
    errors : {"strict", "replace"}, optional
        Whether bytes that cannot be decoded make the note fail, or become U+FFFD, which is on no list.

    Raises
    ------
    SettingError
        If there is no such encoding, or no such error handling.

    Examples
    --------
    >>> Encoding("cp1252").decode(b"caf\xe9"), Encoding().decode("fever".encode("utf-16"))
    ('café', 'fever')
    """

    name: str = "utf-8"
    errors: str = "strict"

    def __post_init__(self) -> None:
        try:
            "".encode(self.name)
        except (LookupError, ValueError):
            message = f"there is no text encoding {self.name!r}: utf-8, cp1252, latin-1 and utf-16 are common ones"
            raise SettingError(message) from None
        if self.errors not in ("strict", "replace"):
            raise SettingError(f"errors={self.errors!r} is not one of strict, replace")

    def _detect_name(self, begin: bytes) -> str:
        """Return the encoding of a stream from its first bytes: that of a byte order mark, or else `self.name`."""
        return next((name for mark, name in _MARKS if begin.startswith(mark)), self.name)

    def decode(self, content: bytes) -> str:
        """Decode a note. Line ends are kept, so that offsets refer to the file."""
        name = self._detect_name(content)
        try:
            return content.decode(name, self.errors)
        except UnicodeDecodeError as problem:
            problem.encoding = name  # Python reports "charmap" for most encodings
            raise

    def as_utf8(self, stream: Any) -> Any:
        """Return a stream of rows in UTF-8. Undecodable bytes become invalid UTF-8, which makes their row fail."""
        name = self._detect_name(stream.peek(4)[:4])
        if codecs.lookup(name).name in ("utf-8", "utf-8-sig") and self.errors == "strict":
            return stream
        return io.BufferedReader(_Utf8Stream(stream, name, self.errors), 1 << 20)


class _Utf8Stream(io.RawIOBase):
    """A stream in another encoding, transcoded to UTF-8."""

    def __init__(self, stream: Any, name: str, errors: str) -> None:
        self.stream = stream
        self.decoder = codecs.getincrementaldecoder(name)("notesieve.broken" if errors == "strict" else errors)
        self.ready = b""
        self.ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.ready and not self.ended:
            data = self.stream.read(1 << 16)
            self.ended = not data
            self.ready = self.decoder.decode(data, self.ended).encode("utf-8", "surrogateescape")
        count = min(len(buffer), len(self.ready))
        buffer[:count] = self.ready[:count]
        self.ready = self.ready[count:]
        return count
