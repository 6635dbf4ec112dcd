"""Discovery of input files: which are scrubbed, which are ignored, and the paths of the outputs."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from notesieve.errors import FrameError
from notesieve.files.reading_errors import list_files_below
from notesieve.files.row_files import holds_resources

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

_FORMS = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".txt": "text",
    ".docx": "docx", ".html": "html", ".htm": "html", ".rtf": "rtf",
    ".hl7": "message", ".json": "message", ".xml": "message", ".fhir": "message",
}  # fmt: skip
NOTE_FORMS = ("text", "docx", "html", "rtf")
"""The formats of files with a single note; their output is text."""

# Folders in which table formats keep their own records, which are not notes.
_TABLE_LOGS = ("_delta_log", "_change_data", "_temporary", "_spark_metadata")

_COMPRESSED = ("jsonl", "csv", "text", "message")
_MISSING = "there is no such file or folder"
_SUFFIXES = {"text": ".txt", "coded": ".txt", "jsonl": ".jsonl", "spans": ".jsonl"}


@dataclass(frozen=True)
class FileJob:
    """One input and its output, whose path mirrors that of the input below its folder."""

    source: Path
    output: Path
    form: str
    compression: str = ""
    keys: dict[str, str | None] = field(default_factory=dict, hash=False)
    """The partition keys from the names of its folders, `year=2019/`."""

    @property
    def name(self) -> str:
        """The name of the note in a text file."""
        return Path(self.source.stem).stem if self.compression else self.source.stem

    @property
    def separator(self) -> str | None:
        """The field separator, if the file's name determines it."""
        return "\t" if ".tsv" in (suffix.lower() for suffix in self.source.suffixes[-2:]) else None


@dataclass
class FoundFiles:
    """The files found in the inputs.

    Attributes
    ----------
    jobs : list of FileJob
        The files to scrub.
    ignored : list of (Path, str)
        The files in folders that are ignored, and the reason: ``.pdf``, ``no suffix``, ``linked folder`` ...
    problems : list of str
        What is wrong with inputs that cannot be read: a missing file, a broken link, a folder without permission.
    warnings : list of str
        Possible problems, such as a table format whose files contain rows of earlier versions.
    """

    jobs: list[FileJob] = field(default_factory=list)
    ignored: list[tuple[Path, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def summary(self, most: int = 5) -> str:
        """Summarise the number and kinds of ignored files, and name the first `most`.

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
    inputs: Sequence[str | os.PathLike[str]],
    form: str = "text",
    output: Path | None = None,
    record: Path | None = None,
    named: Container[str | None] = (),
) -> FoundFiles:
    """Find the files to scrub among the inputs and below folders.

    Parameters
    ----------
    inputs : sequence of path-like
        Files and folders; all files of known formats below a folder are included.
    form : {"text", "coded", "jsonl", "spans"}
        The output format of a text file. JSON lines that begin with a FHIR resource (a bulk export) become messages.
    output : Path, optional
        The output folder, which is skipped if it is inside an input.
    record : Path, optional
        The manifest, which is skipped too.
    named : container of str
        The columns to write. Partition keys that are not among them are left out of the output paths.

    Raises
    ------
    FrameError
        If no input can be read, or if two inputs would have the same output.
    """
    found = FoundFiles()
    roots: list[Path] = []  # of each job
    outside = None if output is None else output.resolve()
    for given in inputs:
        path = Path(given)
        if path.is_dir():
            if outside is not None and outside in (path.resolve(), *path.resolve().parents):
                raise FrameError(f"{path}: lies in the output folder and would be written over; take another one")
            files = list_note_files(path, found, outside, record)
            if not files:
                found.problems.append(f"{path}: holds no file of a known kind ({', '.join(_FORMS)})")
        elif path.exists():
            files = [path]
        else:
            found.problems.append(f"{path}: {'is a broken link' if path.is_symlink() else _MISSING}")
            continue
        known = {os.path.realpath(job.source) for job in found.jobs}
        folder = path if path.is_dir() else path.parent
        made = [_make_job(file, file.relative_to(folder), form, named) for file in files]
        made = [job for job in made if os.path.realpath(job.source) not in known]
        found.jobs += made
        roots += [path if path.is_dir() else path.parent] * len(made)
    if inputs and not found.jobs:
        raise FrameError(found.problems[0])
    found.jobs = _with_distinct_outputs(_with_numbered_outputs(found.jobs), roots)
    return found


def _with_numbered_outputs(jobs: list[FileJob]) -> list[FileJob]:
    """Add a number to outputs that share a path because a partition key was left out of it."""
    used: set[Path] = set()
    result = []
    for job in jobs:
        output = job.output
        if job.keys and output in used:
            names = (output.with_name(f"{output.stem}-{number}{output.suffix}") for number in count(2))
            output = next(name for name in names if name not in used)
        used.add(output)
        result.append(replace(job, output=output))
    return result


def list_note_files(
    folder: Path, found: FoundFiles, outside: Path | None = None, record: Path | None = None
) -> list[Path]:
    """Return the files of notes below a folder; add the others to `found`."""
    taken = []
    for file in list_files_below(folder, links=True, problems=found.problems):
        real = Path(os.path.realpath(file))  # unlike resolve(), tolerates a link to itself
        if (outside is not None and outside in (real, *real.parents)) or (record is not None and real == record):
            continue
        parts = file.relative_to(folder).parts
        why = "hidden" if any(part.startswith(".") for part in parts) else ""
        why = why or ("of a table log" if any(part in _TABLE_LOGS for part in parts) else "")
        known = not why and format_and_compression(file) is not None
        if known and file.is_file():
            taken.append(file)
        elif known and not file.exists():
            found.problems.append(f"{file}: is a broken link")
        else:
            found.ignored.append((file, why or _kind_of_ignored(file)))
    logs = {file.parent.parent for file, why in found.ignored if why == "of a table log"}
    found.warnings += [
        f"{table}: is a Delta table; rows of its earlier versions are scrubbed as well: read it with Spark or polars"
        for table in sorted(logs)
        if (table / "_delta_log").is_dir()
    ]
    return taken


def _kind_of_ignored(file: Path) -> str:
    """Describe an ignored file for the summary: its suffix, or its type if it is not a regular file."""
    if file.is_dir():
        return "linked folder"
    if not file.exists():
        return "broken link"
    return (file.suffix.lower() or "no suffix") if file.is_file() else "pipe or device"


def _with_distinct_outputs(jobs: list[FileJob], roots: list[Path]) -> list[FileJob]:
    """Prefix the outputs with parts of their input's path if two would have the same path otherwise."""
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
        raise FrameError(
            f"{other.source} and {job.source} would both be written to {job.output}: scrub them one after the other"
        )
    return jobs


def format_and_compression(file: Path) -> tuple[str, str] | None:
    """Return the format and the compression of a file by its name; None if the format is not supported.

    Examples
    --------
    >>> from pathlib import Path
    >>> format_and_compression(Path("notes.ndjson.gz")), format_and_compression(Path("scan.png"))
    (('jsonl', 'gz'), None)
    """
    compression = {".gz": "gz", ".zst": "zst"}.get(file.suffix.lower(), "")
    suffix = Path(file.stem).suffix if compression else file.suffix
    form = _FORMS.get(suffix.lower())
    return None if form is None or (compression and form not in _COMPRESSED) else (form, compression)


def _make_job(file: Path, relative: Path, form: str, named: Container[str | None] = ()) -> FileJob:
    """Make the job of a file: its format, the partition keys in its path, and the path of its output."""
    parts = [(part, *part.partition("=")) for part in relative.parts[:-1]]
    keys = {key: _decode_partition_value(value) for _, key, equals, value in parts if equals and key}
    relative = Path(*(part for part, key, *_ in parts if key not in keys or key in named), relative.name)
    kind, compression = format_and_compression(file) or ("text", "")
    if kind == "jsonl" and holds_resources(file, compression):
        kind = "resources"
    if kind == "text":
        plain = relative.with_suffix("") if compression else relative
        relative = plain.with_suffix(_SUFFIXES[form] + (f".{compression}" if compression else ""))
    elif kind in NOTE_FORMS:  # may be next to a .txt of the same name
        relative = relative.with_name(relative.name + _SUFFIXES[form])
    return FileJob(file, relative, kind, compression, keys)


def _decode_partition_value(value: str) -> str | None:
    """Decode the value of a Hive partition key."""
    return None if value == "__HIVE_DEFAULT_PARTITION__" else unquote(value)


def describe_parsed_formats(jobs: Sequence[FileJob]) -> list[str]:
    """Report how many documents a format-specific parser reads.

    Examples
    --------
    >>> page, note = FileJob(Path("a.htm"), Path("a.txt"), "html"), FileJob(Path("b.txt"), Path("b.txt"), "text")
    >>> describe_parsed_formats([page, note])
    ['1 file was read as HTML']
    """
    counts = Counter(job.form for job in jobs)
    names = {"html": "HTML", "rtf": "RTF", "docx": "Word"}
    return [
        f"{counts[form]} {'file was' if counts[form] == 1 else 'files were'} read as {name}"
        for form, name in names.items()
        if counts[form]
    ]
