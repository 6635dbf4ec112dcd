"""Text inputs of a command: files, folders and standard input."""

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
    """Yield path and text of the given files, of the text files below folders, and of standard input for `-`.

    Parameters
    ----------
    inputs : iterable of str
        The inputs of the command.
    failed : list of str
        Receives the errors of files that cannot be read, which are skipped.
    ignored : list of (Path, str)
        Receives the files in folders that are not notes, and the reason.

    Raises
    ------
    FileError
        If a path does not exist, has no text file, or a folder may not be read.
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
