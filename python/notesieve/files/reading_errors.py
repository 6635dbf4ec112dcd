"""Errors of reading files, reported without quoting the contents."""

from __future__ import annotations

import os
import sys
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from notesieve.errors import FileError, NotesieveError
from notesieve.files.decoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def as_file_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    r"""Convert errors of reading a text file into one that names the file.

    Raises
    ------
    FileError
        If the file cannot be read, or is not UTF-8.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder, as_file_errors("list.txt"):
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
        # The exception quotes the bytes, which may be a person's name.
        raise FileError(f"{path}: {explain_file_error(problem)}") from None


@contextmanager
def collect_file_errors(source: object, problems: list[str]) -> Iterator[None]:
    """Append errors of reading a file inside the block to `problems`."""
    try:
        yield
    except Exception as problem:
        if not is_file_error(problem):
            raise
        problems.append(f"{source}: {explain_file_error(problem)}")


def read_standard_input(encoding: Encoding | None = None) -> str:
    """Read a text from standard input; bytes that cannot be decoded become U+FFFD, which is on no list.

    Raises
    ------
    FileError
        If standard input is closed, or cannot be read.
    """
    if sys.stdin is None:
        raise FileError("standard input: is closed")
    with as_file_errors("standard input"):
        return Encoding((encoding or Encoding()).name, "replace").decode(sys.stdin.buffer.read())


def list_files_below(folder: Path, *, links: bool = False, problems: list[str] | None = None) -> list[Path]:
    """Return all files below a folder, sorted; with `links` also links to folders, which are not followed.

    Raises
    ------
    FileError
        If a folder may not be read and `problems` is None: its notes would be missing without notice.
    """

    def report_or_raise(problem: OSError) -> None:
        message = f"{problem.filename}: {explain_file_error(problem)}"
        if problems is None:
            raise FileError(message)
        problems.append(message)

    found = []
    for place, folders, names in os.walk(folder, onerror=report_or_raise):
        found += [Path(place, name) for name in names]
        if links:
            found += [link for name in folders if (link := Path(place, name)).is_symlink()]
    return sorted(found)


def list_text_files(path: Path) -> list[Path]:
    """Return the file at a path, or all `.txt` files below a folder.

    Raises
    ------
    FileError
        If the path does not exist, has no `.txt` file, or a folder may not be read.
    """
    if not path.exists():
        raise FileError(f"{path}: there is no such file or folder")
    if not path.is_dir():
        return [path]
    found = [file for file in list_files_below(path) if file.name.endswith(".txt")]
    if not found:
        raise FileError(f"{path}: has no .txt file")
    return found


def is_file_error(problem: Exception) -> bool:
    """Return whether an exception reports a problem with the input, not with the program."""
    # Libraries that read files quote the input in their messages; `explain_file_error` does not.
    return isinstance(problem, (OSError, EOFError, ValueError, zlib.error, NotesieveError)) or type(
        problem
    ).__module__.partition(".")[0] in ("pyarrow", "zstandard", "_csv")


def explain_file_error(problem: BaseException) -> str:
    """Describe what is wrong, without quoting the input."""
    if isinstance(problem, UnicodeDecodeError):
        name = "UTF-8" if problem.encoding.startswith("utf-8") else problem.encoding
        return f"is not {name} at byte {problem.start}"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    if isinstance(problem, (EOFError, zlib.error)) or type(problem).__name__ == "BadGzipFile":
        return "its compressed data is damaged, or ends too early"
    if isinstance(problem, NotesieveError):
        return str(problem)
    return f"is damaged, or not what its name says ({type(problem).__name__})"
