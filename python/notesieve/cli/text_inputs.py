"""The texts that a command is given: files, folders and standard input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from notesieve.errors import FileError
from notesieve.files.decoding import Encoding
from notesieve.files.jobs import NOTE_FORMS, FileJob, FoundFiles, format_and_compression, list_note_files
from notesieve.files.note_files import read_note
from notesieve.files.reading_errors import collect_file_errors, read_standard_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def read_texts(inputs: Iterable[str], failed: list[str], ignored: list[tuple[Path, str]]) -> Iterator[tuple[Path, str]]:
    """Give path and text of each of some files, of the text files below folders, and of standard input for `-`.

    Parameters
    ----------
    inputs : iterable of str
        What the command was given.
    failed : list of str
        Receives what is wrong with a file that cannot be read; the next one follows.
    ignored : list of (Path, str)
        Receives the files of folders that hold no text, and what they are.

    Raises
    ------
    FileError
        If nothing is there, or no text, or a folder may not be read.
    """
    for name in inputs:
        if name == "-":
            yield Path("stdin"), read_standard_input()
            continue
        for job in _jobs_of_path(Path(name), failed, ignored):
            text = None
            with collect_file_errors(job.source, failed):
                text = read_note(job, Encoding())[1]
            if text is not None:
                yield job.source, text


def _jobs_of_path(path: Path, failed: list[str], ignored: list[tuple[Path, str]]) -> list[FileJob]:
    if not path.exists():
        raise FileError(f"{path}: there is no such file or folder")
    if not path.is_dir():
        form, compression = format_and_compression(path) or ("text", "")
        return [FileJob(path, path, form, compression) if form in NOTE_FORMS else FileJob(path, path, "text")]
    found = FoundFiles()
    jobs = [
        FileJob(file, file, *(format_and_compression(file) or ("text", ""))) for file in list_note_files(path, found)
    ]
    rows = [job for job in jobs if job.form not in NOTE_FORMS]
    if len(rows) == len(jobs):
        raise FileError(f"{path}: has no .txt file")
    failed += found.problems
    ignored += found.ignored + [(job.source, job.source.suffix) for job in rows]
    return [job for job in jobs if job not in rows]
