"""What goes wrong when files of people are read, said without a word of what was read."""

from __future__ import annotations

import sys
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from notesieve.errors import FileError, NotesieveError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

__all__ = ["explain", "reading", "standard_input"]


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[None]:
    r"""Turn what goes wrong while a text file is read into an error that names it.

    Raises
    ------
    FileError
        If the file cannot be read, or is not UTF-8.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder, reading("list.txt"):
    ...     file = Path(folder, "list.txt")
    ...     _ = file.write_bytes(b"caf\xe9")
    ...     file.read_text(encoding="utf-8")
    Traceback (most recent call last):
    ...
    notesieve.errors.FileError: list.txt: is not UTF-8 at byte 3
    """
    try:
        yield
    except NotesieveError:
        raise
    except (OSError, UnicodeDecodeError) as problem:
        # The exception quotes the bytes, which may be somebody's name.
        message = f"{path}: {explain(problem)}"
        raise FileError(message) from None


def standard_input() -> str:
    """Read the text that comes in; bytes that are no UTF-8 become U+FFFD, which no list has.

    Raises
    ------
    FileError
        If standard input is closed, or cannot be read.
    """
    if sys.stdin is None:
        message = "standard input: is closed"
        raise FileError(message)
    with reading("standard input"):
        return sys.stdin.buffer.read().decode("utf-8", "replace")


def explain(problem: BaseException) -> str:
    """Say what is wrong, without a word of what was read."""
    if isinstance(problem, UnicodeDecodeError):
        return f"is not UTF-8 at byte {problem.start}"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    if isinstance(problem, (EOFError, zlib.error)) or type(problem).__name__ == "BadGzipFile":
        return "its compressed data is damaged, or ends too early"
    if isinstance(problem, NotesieveError):
        return str(problem)
    return f"is damaged, or not what its name says ({type(problem).__name__})"
