"""Which files are scrubbed, and what each output is called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from notesieve.errors import FrameError
from notesieve.reading import files_below

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

__all__ = ["Job", "find_jobs", "kind_of"]

_FORMS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet", ".txt": "text"}
_SUFFIXES = {"text": ".txt", "coded": ".txt", "jsonl": ".jsonl", "spans": ".jsonl"}


@dataclass(frozen=True)
class Job:
    """One input and its output, which is named as it is below its folder."""

    source: Path
    output: Path
    form: str
    compression: str = ""


def find_jobs(
    inputs: Sequence[str | os.PathLike[str]], form: str = "text", output: Path | None = None, record: Path | None = None
) -> list[Job]:
    """Find the files of notes among files and below folders.

    Parameters
    ----------
    inputs : sequence of path-like
        Files; folders, of which all files of a known kind are taken.
    form : {"text", "coded", "jsonl", "spans"}
        What is written of a text file.
    output : Path, optional
        The folder of the outputs, which is not read where it lies inside an input.
    record : Path, optional
        The manifest, which is not read either.

    Raises
    ------
    FrameError
        If an input is missing or holds no notes, or if two would have the same output.
    FileError
        If a folder below an input may not be read.
    """
    jobs: dict[Path, Job] = {}
    outside = None if output is None else output.resolve()
    for given in inputs:
        path = Path(given)
        if path.is_dir():
            if outside is not None and outside in (path.resolve(), *path.resolve().parents):
                message = f"{path}: lies in the output folder and would be written over; take another one"
                raise FrameError(message)
            found = [file for file in files_below(path) if _known(file) and file.is_file()]
            if outside is not None:
                found = [file for file in found if outside not in file.resolve().parents]
            if record is not None:
                found = [file for file in found if file.resolve() != record.resolve()]
            if not found:
                message = f"{path}: holds no .txt, .jsonl, .csv or .parquet file"
                raise FrameError(message)
        elif path.exists():
            found = [path]
        else:
            message = f"{path}: there is no such file or folder"
            raise FrameError(message)
        for file in found:
            job = _job(file, file.relative_to(path) if path.is_dir() else Path(file.name), form)
            other = jobs.setdefault(job.output, job)
            if other.source != file:
                message = (
                    f"{other.source} and {file} would both be written to {job.output}: scrub them one after the other"
                )
                raise FrameError(message)
    return list(jobs.values())


def _known(file: Path) -> bool:
    """Whether a file of a folder holds notes; what begins with a dot is hidden, or half written."""
    return not file.name.startswith(".") and kind_of(file) is not None


def kind_of(file: Path) -> tuple[str, str] | None:
    """Tell form and compression of a file by its name.

    Examples
    --------
    >>> from pathlib import Path
    >>> kind_of(Path("notes.ndjson.gz")), kind_of(Path("scan.png"))
    (('jsonl', 'gz'), None)
    """
    compression = {".gz": "gz", ".zst": "zst"}.get(file.suffix.lower(), "")
    suffix = Path(file.stem).suffix if compression else file.suffix
    form = _FORMS.get(suffix.lower())
    return None if form is None or (compression and form not in ("jsonl", "csv")) else (form, compression)


def _job(file: Path, relative: Path, form: str) -> Job:
    kind, compression = kind_of(file) or ("text", "")
    if kind == "text":
        relative = relative.with_suffix(_SUFFIXES[form])
    return Job(file, relative, kind, compression)
