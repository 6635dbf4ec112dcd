"""One run over many files: each is read, scrubbed and written, and what goes wrong costs the file alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from notesieve.errors import EXPLAINED, FrameError
from notesieve.files.note_files import read_note, write_note
from notesieve.files.output_folder import whole
from notesieve.files.reading_errors import explain, is_of_file
from notesieve.files.row_files import SEPARATORS, Row, compressed, open_rows, uncompressed
from notesieve.files.run_manifest import digest
from notesieve.frames.column_plan import Plan
from notesieve.frames.scrub import people, scrub_table

if TYPE_CHECKING:
    from notesieve.files.decoding import Encoding
    from notesieve.files.jobs import Job
    from notesieve.files.report import Report
    from notesieve.files.run_manifest import RunManifest
    from notesieve.files.table import Table
    from notesieve.progress import Progress
    from notesieve.scrubber import Scrubber

__all__ = ["BATCH", "Run", "size_of"]

BATCH = 8 << 20
"""Bytes of text in memory at once, times a small number: read ahead, at work, being written."""

_ROWS = 1 << 14  # rows in memory at once, where notes are short
_GROUP = 64 << 20  # bytes of a row group of Parquet

_NAMES = {";": "semicolons", "\t": "tabs", "|": "bars"}

T = TypeVar("T")


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


class Run:
    """One run over many files."""

    def __init__(
        self,
        scrubber: Scrubber,
        folder: Path,
        table: Table,
        form: str,
        encoding: Encoding,
        manifest: RunManifest,
        threads: int | None,
        bar: Progress,
        report: Report,
    ) -> None:
        self.scrubber = scrubber
        self.folder = folder
        self.table = table
        self.form = form
        self.encoding = encoding
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

    def finish(self, job: Job, size: int, sha256: str, rows: int, failed: int, **more: str) -> None:
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
                **more,
            }
        )
        self.report.done += 1
        self.report.rows += rows
        self.report.failed += failed

    # ---- text files: one note each, many at a time

    def texts(self, jobs: Iterable[Job]) -> None:
        """Scrub text files and documents."""
        group: list[tuple[Job, bytes, str]] = []
        size = 0
        for job in jobs:
            with self.guarded(job):
                group.append((job, *read_note(job, self.encoding)))
                size += len(group[-1][2])
            if size >= BATCH or len(group) >= 1000:
                self._group(group)
                group, size = [], 0
        self._group(group)

    def _group(self, group: list[tuple[Job, bytes, str]]) -> None:
        batch, errors = self.scrubber._scrub_many([text for _, _, text in group], threads=self.threads)
        wrong = dict(errors)
        for row, (job, content, _) in enumerate(group):
            note = batch[row]
            with self.guarded(job):
                if row in wrong:
                    raise FrameError(wrong[row])
                written = write_note(job.name, note, self.form).encode("utf-8")
                with whole(self.folder / job.output) as partial, compressed(partial, job.compression) as out:
                    out.write(written)
                self.finish(job, len(content), _sha256(content), 1, 0)
            self.bar(1, len(content), len(note.removed), int(row in wrong), done=len(content))
        self.manifest.save()

    def messages(self, jobs: Iterable[Job]) -> None:
        """Scrub files of structured messages, each as what it is."""
        for job in jobs:
            with self.guarded(job):
                content, text = read_note(job, self.encoding)
                message = self.scrubber.scrub_message(text, threads=self.threads)
                with whole(self.folder / job.output) as partial, compressed(partial, job.compression) as out:
                    out.write(message.text.encode("utf-8"))
                if message.form == "text":
                    self.report.said.append(f"{job.source}: no message of its suffix, scrubbed as plain text")
                self.finish(job, len(content), _sha256(content), 1, 0, read_as=message.form)
                self.bar(1, len(content), sum(message.removed.values()), 0, done=len(content))
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
            separator = self.table.separator or job.separator
            table = open_rows(job.form, self.encoding.recoded(stream), text=self.table.text, separator=separator)
            if table.separator not in (None, separator, SEPARATORS[0]):
                self.report.said.append(f"{job.source}: its fields stand between {_NAMES[table.separator or '']}")
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
                self.report.said += _broken(job, rows)
                table.write(out, names, _joined(plan, rows, columns, more))
                told.to(file.tell())
            told.to(size_of(job.source))
        return counts

    def _parquet(self, job: Job, partial: Path) -> _Counts:
        pq = _parquet_library()
        import pyarrow as pa

        counts = _Counts()
        with pq.ParquetFile(job.source, pre_buffer=False, buffer_size=1 << 20) as file:
            plan = self.table.plan(file.schema_arrow.names)
            nothing = file.schema_arrow.empty_table().select(plan.read)
            schema = scrub_table(self.scrubber, nothing, plan, threads=1, progress=_Counts())[0].schema
            size = size_of(job.source)
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


def size_of(path: Path) -> int:
    """Give the size of a file in bytes; 0 if it cannot be told."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


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


def _sha256(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


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


def _broken(job: Job, rows: list[Row]) -> Iterator[str]:
    """Tell of rows with a wrong quotation mark, and of the lines that are lost with each."""
    for row in rows:
        if row.error in ("quote", "stray"):
            place = f"line {row.line}" if row.lines == 1 else f"lines {row.line} to {row.line + row.lines - 1}"
            yield f"{job.source}: at {place}: {EXPLAINED[row.error]}"


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
