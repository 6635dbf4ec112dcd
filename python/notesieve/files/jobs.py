"""Which files are scrubbed, what each output is called, and which files are left."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from notesieve.errors import FrameError
from notesieve.files.reading_errors import files_below

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FileJob", "FoundFiles", "files_of_notes", "find_jobs", "kind_of"]

_FORMS = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".txt": "text",
    ".docx": "docx", ".hl7": "message", ".json": "message", ".xml": "message",
}  # fmt: skip
_COMPRESSED = ("jsonl", "csv", "text", "message")
_SUFFIXES = {"text": ".txt", "coded": ".txt", "jsonl": ".jsonl", "spans": ".jsonl"}


@dataclass(frozen=True)
class FileJob:
    """One input and its output, which is named as it is below its folder."""

    source: Path
    output: Path
    form: str
    compression: str = ""

    @property
    def name(self) -> str:
        """What the note of a text file is called."""
        return Path(self.source.stem).stem if self.compression else self.source.stem

    @property
    def separator(self) -> str | None:
        """What stands between fields, where the name of the file tells."""
        return "\t" if ".tsv" in (suffix.lower() for suffix in self.source.suffixes[-2:]) else None


@dataclass
class FoundFiles:
    """What was found among the inputs.

    Attributes
    ----------
    jobs : list of FileJob
        What there is to do.
    ignored : list of (Path, str)
        The files of folders that are not taken, and what they are: ``.pdf``, ``no suffix``, ``linked folder`` ...
    missing : list of Path
        Links with the name of a file of notes that lead nowhere.
    """

    jobs: list[FileJob] = field(default_factory=list)
    ignored: list[tuple[Path, str]] = field(default_factory=list)
    missing: list[Path] = field(default_factory=list)

    def summary(self, most: int = 5) -> str:
        """Say how many files of which kinds are left, and name the first.

        Examples
        --------
        >>> FoundFiles(ignored=[(Path("a.pdf"), ".pdf"), (Path("b.pdf"), ".pdf"), (Path("c"), "no suffix")]).summary(2)
        '3 files were not taken (2 .pdf, 1 no suffix): a.pdf, b.pdf and 1 more'
        """
        kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(kind for _, kind in self.ignored).most_common())
        names = ", ".join(str(path) for path, _ in self.ignored[:most])
        more = f" and {len(self.ignored) - most} more" if len(self.ignored) > most else ""
        files, were = ("file", "was") if len(self.ignored) == 1 else ("files", "were")
        return f"{len(self.ignored)} {files} {were} not taken ({kinds}): {names}{more}"


def find_jobs(
    inputs: Sequence[str | os.PathLike[str]], form: str = "text", output: Path | None = None, record: Path | None = None
) -> FoundFiles:
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
    found = FoundFiles()
    roots: list[Path] = []  # of each job
    outside = None if output is None else output.resolve()
    for given in inputs:
        path = Path(given)
        if path.is_dir():
            if outside is not None and outside in (path.resolve(), *path.resolve().parents):
                message = f"{path}: lies in the output folder and would be written over; take another one"
                raise FrameError(message)
            files = files_of_notes(path, found, outside, record)
            if not files:
                message = f"{path}: holds no .txt, .jsonl, .csv, .tsv, .parquet, .docx, .hl7, .json or .xml file"
                raise FrameError(message)
        elif path.exists():
            files = [path]
        else:
            message = f"{path}: there is no such file or folder"
            raise FrameError(message)
        known = {os.path.realpath(job.source) for job in found.jobs}
        made = [_job(file, file.relative_to(path) if path.is_dir() else Path(file.name), form) for file in files]
        made = [job for job in made if os.path.realpath(job.source) not in known]
        found.jobs += made
        roots += [path if path.is_dir() else path.parent] * len(made)
    found.jobs = _apart(found.jobs, roots)
    return found


def files_of_notes(
    folder: Path, found: FoundFiles, outside: Path | None = None, record: Path | None = None
) -> list[Path]:
    """Give the files of notes below a folder; put the others where they are told."""
    taken = []
    for file in files_below(folder, links=True):
        real = file.resolve()
        if (outside is not None and outside in (real, *real.parents)) or (record is not None and real == record):
            continue
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        known = not hidden and kind_of(file) is not None
        if known and file.is_file():
            taken.append(file)
        elif known and not file.exists():
            found.missing.append(file)
        else:
            found.ignored.append((file, _what(file, hidden=hidden)))
    return taken


def _what(file: Path, *, hidden: bool) -> str:
    if hidden:
        return "hidden"
    if file.is_dir():
        return "linked folder"
    if not file.exists():
        return "broken link"
    return (file.suffix.lower() or "no suffix") if file.is_file() else "no file"


def _apart(jobs: list[FileJob], roots: list[Path]) -> list[FileJob]:
    """Put the outputs of each input into a folder of its own where two have the same name."""
    twice: list[tuple[FileJob, FileJob]] = []
    longest = max((len(root.resolve().parts) for root in roots), default=0)
    for depth in range(longest):
        named = [
            replace(job, output=Path(*root.resolve().parts[1:][-depth:], job.output)) if depth else job
            for job, root in zip(jobs, roots, strict=True)
        ]
        first: dict[Path, FileJob] = {}
        twice = [(other, job) for job in named if (other := first.setdefault(job.output, job)) is not job]
        if not twice:
            return named
    for other, job in twice:
        message = (
            f"{other.source} and {job.source} would both be written to {job.output}: scrub them one after the other"
        )
        raise FrameError(message)
    return jobs


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
    return None if form is None or (compression and form not in _COMPRESSED) else (form, compression)


def _job(file: Path, relative: Path, form: str) -> FileJob:
    kind, compression = kind_of(file) or ("text", "")
    if kind == "text":
        plain = relative.with_suffix("") if compression else relative
        relative = plain.with_suffix(_SUFFIXES[form] + (f".{compression}" if compression else ""))
    elif kind == "docx":  # beside a .txt of the same name
        relative = relative.with_name(relative.name + _SUFFIXES[form])
    return FileJob(file, relative, kind, compression)
