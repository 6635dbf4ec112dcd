"""Files and folders of notes: one output an input, whole or not at all, and nothing done twice.

Each input is scrubbed into a file under a temporary name beside its output, which takes its name when it is whole; then
a line of the manifest says that it is done. Whatever ends a run between two steps, the next one with ``resume`` does
again what no line proves, and nothing else. Notes are held in memory some megabytes at a time, whatever the size of a
file.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from notesieve.errors import FrameError
from notesieve.file_jobs import Job, find_jobs
from notesieve.frames import OUTPUTS, Plan, people, scrub_table
from notesieve.manifest import Manifest, digest
from notesieve.progress import Progress
from notesieve.reading import explain, is_of_file
from notesieve.rows import Row, compressed, open_rows, uncompressed

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote, Scrubber

__all__ = ["Report", "Table", "scrub_files", "whole", "write_note"]

BATCH = 8 << 20
"""Bytes of text in memory at once, times a small number: read ahead, at work, being written."""

_ROWS = 1 << 14  # rows in memory at once, where notes are short
_GROUP = 64 << 20  # bytes of a row group of Parquet

T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """How files of rows are read.

    Parameters
    ----------
    text : str
        The column, or the field, with the note.
    id : str, optional
        A column that names the note; it comes out as it is.
    keep : tuple of str
        Further columns that come out as they are.
    patient : str, optional
        A column that tells patients apart.
    known : tuple of str
        Columns with what is known of the patient.
    outputs : tuple of str
        What comes out; see `Scrubber.scrub_frame`.
    """

    text: str = "text"
    id: str | None = None
    keep: tuple[str, ...] = ()
    patient: str | None = None
    known: tuple[str, ...] = ()
    outputs: tuple[str, ...] = OUTPUTS

    def plan(self, names: Sequence[str] | None) -> Plan:
        """Say which columns of a file are read and which come out."""
        if names is None:
            asked = [self.id, *self.keep, self.text, self.patient, *self.known]
            names = list(dict.fromkeys(name for name in asked if name is not None))
        about = {"patient": self.patient, "known": self.known}
        return Plan(names, self.text, id=self.id, keep=self.keep, outputs=self.outputs, **about)  # type: ignore[arg-type]


@dataclass
class Report:
    """How a run went.

    Attributes
    ----------
    done : int
        Inputs that were scrubbed.
    skipped : int
        Inputs that the manifest proves done.
    rows, failed : int
        Rows in, and rows that got an error code.
    problems : list of str
        What is wrong with each input that has no output.
    """

    done: int = 0
    skipped: int = 0
    rows: int = 0
    failed: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass
class _Counts:
    """What a progress bar is told while one file is scrubbed."""

    rows: int = 0
    size: int = 0
    removed: int = 0
    failed: int = 0

    def __call__(self, rows: int, size: int, removed: int, failed: int) -> None:
        self.rows += rows
        self.size += size
        self.removed += removed
        self.failed += failed


def write_note(stem: str, note: ScrubbedNote, form: str) -> str:
    """Give what is written of one note of a text file."""
    if form in ("text", "coded"):
        text = note.text if form == "text" else note.coded_text
        return text if text.endswith("\n") else text + "\n"
    # A file's name that is no UTF-8 cannot stand in JSON as it is.
    item: dict[str, Any] = {"doc": stem.encode("utf-8", "replace").decode("utf-8")}
    if form == "jsonl":
        item |= note.to_dict()
    else:
        item["spans"] = [[span.start, span.end, span.category] for span in note.removed]
    return json.dumps(item, ensure_ascii=False) + "\n"


def scrub_files(
    scrubber: Scrubber,
    inputs: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    table: Table | None = None,
    form: str = "text",
    manifest: str | os.PathLike[str] | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: bool | None = None,
    report: Report | None = None,
) -> Report:
    """Scrub files and folders into a folder.

    Parameters
    ----------
    scrubber : Scrubber
        What scrubs.
    inputs : sequence of path-like
        Files, and folders with all that they hold: ``.txt``; ``.jsonl`` and ``.csv``, also with ``.gz`` or ``.zst``;
        ``.parquet``.
    output : path-like
        The folder of the outputs, one an input, of the same name and kind.
    table : Table, optional
        How files of rows are read.
    form : {"text", "coded", "jsonl", "spans"}, optional
        What is written of a text file.
    manifest : path-like, optional
        The record of what is done. Default: beside the output folder, its name with ``.manifest.jsonl``. It holds the
        names and digests of the inputs: keep it with them.
    resume : bool, optional
        Whether to leave out the inputs that the manifest proves done.
    threads : int, optional
        How many threads to use. Default: what ``NOTESIEVE_THREADS`` says, or one a core.
    progress : bool, optional
        Whether a bar is shown. Default: in a terminal or notebook.
    report : Report, optional
        Where the run is counted as it goes, for whoever interrupts it.

    Returns
    -------
    Report
        Counts, and what is wrong with inputs that could not be scrubbed; the others were.

    Raises
    ------
    FrameError
        If an input is missing, if two have the same output, or if the manifest does not fit.

    Examples
    --------
    >>> import tempfile, notesieve as ns
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     notes = Path(folder, "notes")
    ...     notes.mkdir()
    ...     _ = Path(notes, "1.txt").write_text("Seen by Dr. Brown.")
    ...     report = scrub_files(ns.Scrubber(), [notes], Path(folder, "clean"))
    ...     print(report.done, Path(folder, "clean", "1.txt").read_text(), end="")
    1 Seen by Dr. [NAME].
    """
    table = table or Table()
    report = Report() if report is None else report
    scrubber._scrub_many([], threads=threads)  # a setting that is wrong is no mistake of the first file
    table.plan(None)  # nor is an output that there is not
    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        message = f"{folder}: is no folder; outputs need one of their own"
        raise FrameError(message)
    record = folder.with_name(folder.name + ".manifest.jsonl") if manifest is None else Path(manifest)
    jobs = find_jobs(inputs, form, folder, record)
    for job in jobs:
        if (folder / job.output).resolve() == job.source.resolve():
            message = f"{job.source}: would be written over; take another folder for the output"
            raise FrameError(message)
    sizes = [_size(job.source) for job in jobs]
    with (
        Manifest(record, _made_with(scrubber, table, form), resume=resume) as done,
        Progress(progress, total=sum(sizes), unit="bytes") as bar,
    ):
        run = _Run(scrubber, folder, table, form, done, threads, bar, report)
        left = []
        for job, size in zip(jobs, sizes, strict=True):
            if resume and done.proves(job.output.as_posix(), job.source, folder / job.output):
                report.skipped += 1
                bar(0, 0, 0, 0, done=size)
            else:
                left.append(job)
        run.texts(job for job in left if job.form == "text")
        for job in left:
            if job.form != "text":
                run.rows(job)
        done.save()
    return report


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _made_with(scrubber: Scrubber, table: Table, form: str) -> dict[str, Any]:
    """Say what decides about the bytes of an output."""
    # Digests and the fingerprint of the key: a policy may list the names of a site's doctors.
    return {**scrubber.provenance, "policy": scrubber.policy.name, "options": {"form": form, **asdict(table)}}


class _Run:
    """One run over many files."""

    def __init__(
        self,
        scrubber: Scrubber,
        folder: Path,
        table: Table,
        form: str,
        manifest: Manifest,
        threads: int | None,
        bar: Progress,
        report: Report,
    ) -> None:
        self.scrubber = scrubber
        self.folder = folder
        self.table = table
        self.form = form
        self.manifest = manifest
        self.threads = threads
        self.bar = bar
        self.report = report

    @contextmanager
    def guarded(self, job: Job) -> Iterator[None]:
        """Turn what goes wrong with one file into a line of the report."""
        try:
            yield
        except Exception as problem:
            if not is_of_file(problem):
                raise
            message = explain(problem)
            if isinstance(problem, OSError) and problem.filename and Path(problem.filename) != job.source:
                message = f"its output: {message}"
        else:
            return
        self.report.problems.append(f"{job.source}: {message}")
        self.manifest.add({"input": str(job.source), "problem": message})
        self.manifest.save()

    def finish(self, job: Job, size: int, sha256: str, rows: int, failed: int) -> None:
        """Say that an output is whole."""
        written, output_sha256 = digest(self.folder / job.output)
        self.manifest.add(
            {
                "input": str(job.source),
                "bytes": size,
                "sha256": sha256,
                "output": job.output.as_posix(),
                "output_bytes": written,
                "output_sha256": output_sha256,
                "rows_in": rows,
                "rows_out": rows,
                "failed": failed,
            }
        )
        self.report.done += 1
        self.report.rows += rows
        self.report.failed += failed

    # ---- text files: one note each, many at a time

    def texts(self, jobs: Iterable[Job]) -> None:
        """Scrub text files."""
        group: list[tuple[Job, bytes]] = []
        size = 0
        for job in jobs:
            with self.guarded(job):
                content = job.source.read_bytes()
                _decoded(content)
                group.append((job, content))
                size += len(content)
            if size >= BATCH or len(group) >= 1000:
                self._group(group)
                group, size = [], 0
        self._group(group)

    def _group(self, group: list[tuple[Job, bytes]]) -> None:
        texts = [_decoded(content) for _, content in group]
        batch, errors = self.scrubber._scrub_many(texts, threads=self.threads)
        wrong = dict(errors)
        for row, (job, content) in enumerate(group):
            note = batch[row]
            with self.guarded(job):
                if row in wrong:
                    raise FrameError(wrong[row])
                with whole(self.folder / job.output) as partial:
                    partial.write_text(write_note(job.source.stem, note, self.form), encoding="utf-8", newline="")
                self.finish(job, len(content), _sha256(content), 1, 0)
            self.bar(1, len(content), len(note.removed), int(row in wrong), done=len(content))
        self.manifest.save()

    # ---- files of rows

    def rows(self, job: Job) -> None:
        """Scrub one file of rows."""
        with self.guarded(job):
            before = digest(job.source)
            with whole(self.folder / job.output, sync=True) as partial:
                scrub = self._parquet if job.form == "parquet" else self._lines
                counts = scrub(job, partial)
                if digest(job.source) != before:
                    message = "changed while it was read"
                    raise FrameError(message)
            self.finish(job, *before, counts.rows, counts.failed)
            self.manifest.save()

    def _lines(self, job: Job, partial: Path) -> _Counts:
        counts = _Counts()
        with (
            uncompressed(job.source, job.compression) as (stream, file),
            compressed(partial, job.compression) as out,
        ):
            table = open_rows(job.form, stream)
            plan = self.table.plan(table.names)
            pseudonym = [plan.patient] if plan.patient and self.scrubber.key and plan.patient not in plan.kept else []
            names = [*plan.order, *plan.new.values(), *pseudonym]
            passing = [name for name in plan.read if name != plan.text]
            told = _Told(self.bar, counts)
            if job.form == "csv":
                table.write(out, names, [])
            for rows in _ahead(_batches(table.read(plan.text, passing))):
                patients, more = people(self.scrubber, plan, _column_of(rows))
                texts = [None if row.error else row.text for row in rows]
                columns, _, _ = self.scrubber._scrub_objects(
                    texts,
                    outputs=[*plan.outputs, "error"],
                    patients=patients,
                    threads=self.threads,
                    progress=counts,
                )
                counts.failed += sum(row.error is not None for row in rows)
                table.write(out, names, _joined(plan, rows, columns, more))
                told.to(file.tell())
            told.to(_size(job.source))
        return counts

    def _parquet(self, job: Job, partial: Path) -> _Counts:
        pq = _parquet_library()
        import pyarrow as pa

        counts = _Counts()
        with pq.ParquetFile(job.source, pre_buffer=False, buffer_size=1 << 20) as file:
            plan = self.table.plan(file.schema_arrow.names)
            nothing = file.schema_arrow.empty_table().select(plan.read)
            schema = scrub_table(self.scrubber, nothing, plan, threads=1, progress=_Counts())[0].schema
            size = _size(job.source)
            told = _Told(self.bar, counts)
            batches = file.iter_batches(_rows_of(file, plan.text), columns=plan.read, use_threads=False)
            with pq.ParquetWriter(partial, schema, compression="zstd") as writer, _Behind() as behind:
                group: list[Any] = []
                for batch in _ahead(batches):
                    part = pa.Table.from_batches([batch])
                    result, _, _ = scrub_table(self.scrubber, part, plan, threads=self.threads, progress=counts)
                    group.append(result)
                    if sum(part.nbytes for part in group) >= _GROUP:
                        behind.do(writer.write_table, pa.concat_tables(group))
                        group = []
                    told.to(size * counts.rows // max(1, file.metadata.num_rows))
                if group:
                    behind.do(writer.write_table, pa.concat_tables(group))
            told.to(size)
        return counts


class _Told:
    """Moves the bar by what was read of a file since the last time."""

    def __init__(self, bar: Progress, counts: _Counts) -> None:
        self.bar = bar
        self.counts = counts
        self.before = _Counts()
        self.place = 0

    def to(self, place: int) -> None:
        now, before = self.counts, self.before
        self.bar(
            now.rows - before.rows,
            now.size - before.size,
            now.removed - before.removed,
            now.failed - before.failed,
            done=place - self.place,
        )
        self.before = _Counts(now.rows, now.size, now.removed, now.failed)
        self.place = place


def _decoded(content: bytes) -> str:
    """Decode a text. Line ends stay as they are: offsets count what is in the file."""
    return content.decode("utf-8")


def _sha256(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


@contextmanager
def whole(target: Path, *, sync: bool = False) -> Iterator[Path]:
    """Give a temporary name; what is written there takes the name of the target when it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    try:
        yield partial
        if sync:
            with partial.open("rb") as file:
                os.fsync(file.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row.text) if isinstance(row.text, str) else 0
        if size >= BATCH or len(batch) >= _ROWS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _column_of(rows: list[Row]) -> Callable[[str], list[Any]]:
    return lambda name: [row.kept.get(name) for row in rows]


def _joined(
    plan: Plan, rows: list[Row], columns: dict[str, list[Any]], more: dict[str, list[str | None]]
) -> Iterator[dict[str, Any]]:
    """Put what is kept of the rows and what was made of them side by side."""
    for at, row in enumerate(rows):
        item = {name: columns["text"][at] if name == plan.text else row.kept.get(name) for name in plan.order}
        for part, name in plan.new.items():
            item[name] = row.error or columns["error"][at] if part == "error" else columns[part][at]
        yield {**item, **{name: values[at] for name, values in more.items()}}


def _rows_of(file: Any, text: str) -> int:
    """How many rows hold about as much text as is worked on at once, by what the file says of itself."""
    size = rows = 0
    for group in range(file.metadata.num_row_groups):
        about = file.metadata.row_group(group)
        rows += about.num_rows
        for at in range(about.num_columns):
            if about.column(at).path_in_schema == text:
                size += about.column(at).total_uncompressed_size
    return int(min(_ROWS, max(16, BATCH * rows // max(1, size))))


def _parquet_library() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        message = "reading and writing Parquet needs pyarrow: pip install 'notesieve[files]'"
        raise FrameError(message) from None
    return pyarrow.parquet


def _ahead(items: Iterator[T]) -> Iterator[T]:
    """Get the next item on a thread of its own while this one is worked on."""
    end = object()
    with ThreadPoolExecutor(1, "notesieve-read") as pool:
        coming: Future[Any] = pool.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, items, end)
            yield item


class _Behind:
    """Does one thing after the other on a thread of its own, and is never more than one behind."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, "notesieve-write")
        self.last: Future[Any] | None = None

    def do(self, work: Callable[[Any], Any], argument: Any) -> None:
        if self.last is not None:
            self.last.result()
        self.last = self.pool.submit(work, argument)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.pool.shutdown(wait=True)
        if self.last is not None and problem[0] is None:
            self.last.result()


def open_stdout() -> Any:
    """Give standard output without a change of line ends."""
    import sys

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(newline="")
    return sys.stdout
