"""One run over many files: each is read, scrubbed and written, and an error affects only its own file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from notesieve.errors import FrameError
from notesieve.files.jobs import NOTE_FORMS
from notesieve.files.note_files import format_note, read_note
from notesieve.files.output_folder import atomic_write
from notesieve.files.reading_errors import explain_file_error, is_file_error
from notesieve.files.row_files import open_compressed, open_rows, open_uncompressed, parquet_library
from notesieve.files.row_scrub import BATCH_BYTES, MAX_BATCH_ROWS, Counts, RowScrubber, prefetch
from notesieve.files.run_manifest import size_and_sha256
from notesieve.frames.libraries import Arrow
from notesieve.frames.scrub import scrub_table
from notesieve.hidden_repr import HiddenRepr

if TYPE_CHECKING:
    from notesieve.files.decoding import Encoding
    from notesieve.files.jobs import FileJob
    from notesieve.files.report import FileReport
    from notesieve.files.run_manifest import RunManifest
    from notesieve.files.table_options import TableOptions
    from notesieve.findings_file import FindingsFile
    from notesieve.progress import Progress
    from notesieve.scrubber import Scrubber

_ROW_GROUP_BYTES = 64 << 20  # bytes per row group of Parquet

_SEPARATOR_NAMES = {";": "semicolons", "\t": "tabs", "|": "bars"}

T = TypeVar("T")


@dataclass(eq=False, repr=False)
class FileRun:
    """One run over many files."""

    scrubber: Scrubber
    folder: Path
    table: TableOptions
    form: str
    encoding: Encoding
    manifest: RunManifest
    threads: int | None
    bar: Progress
    report: FileReport
    findings: FindingsFile | None = None

    @contextmanager
    def reporting_problems(self, job: FileJob) -> Iterator[None]:
        """Add an error with one file inside the block to the report."""
        try:
            yield
        except Exception as problem:
            if not is_file_error(problem):
                raise
            message = explain_file_error(problem)
            if isinstance(problem, OSError) and problem.filename and Path(problem.filename) != job.source:
                message = f"its output: {message}"
        else:
            return
        self.report.problems.append(f"{job.source}: {message}")
        self.manifest.add({"input": str(job.source), "problem": message})
        self.manifest.flush_to_disk()

    def record_output(
        self, job: FileJob, size: int, sha256: str, rows: int, failed: int, excluded: int | None = None, **more: str
    ) -> None:
        """Record in the manifest that an output is complete."""
        written, output_sha256 = size_and_sha256(self.folder / job.output)
        self.manifest.add(
            {
                "input": str(job.source),
                "bytes": size,
                "sha256": sha256,
                "output": job.output.as_posix(),
                "output_bytes": written,
                "output_sha256": output_sha256,
                "rows_in": rows + (excluded or 0),
                "rows_out": rows,
                "failed": failed,
                **({} if excluded is None else {"excluded": excluded}),
                **more,
            }
        )
        self.report.done += 1
        self.report.rows += rows
        self.report.failed += failed
        self.report.excluded += excluded or 0

    def scrub(self, jobs: Sequence[FileJob]) -> None:
        """Scrub all jobs."""
        self.scrub_texts(job for job in jobs if job.form in NOTE_FORMS)
        self.scrub_messages(job for job in jobs if job.form == "message")
        for job in jobs:
            if job.form == "resources":
                self.scrub_resources(job)
            elif job.form not in NOTE_FORMS and job.form != "message":
                self.scrub_rows(job)
        self.manifest.flush_to_disk()
        if self.findings is not None and not self.report.skipped:
            self.report.problems += self.findings.unused_notes_warnings()
        if self.table.exclude_patients is not None and not self.report.skipped:
            self.report.warnings += self.table.exclude_patients.unmet_warnings()

    # ---- text files: one note each, scrubbed in groups

    def scrub_texts(self, jobs: Iterable[FileJob]) -> None:
        """Scrub text files and documents."""
        group: list[tuple[FileJob, bytes, str]] = []
        size = 0
        for job in jobs:
            with self.reporting_problems(job):
                group.append((job, *read_note(job, self.encoding)))
                size += len(group[-1][2])
            if size >= BATCH_BYTES or len(group) >= 1000:
                self._scrub_group(group)
                group, size = [], 0
        self._scrub_group(group)

    def _scrub_group(self, group: list[tuple[FileJob, bytes, str]]) -> None:
        """Scrub a group of notes and write each to its output; an error affects only its own file."""
        found = None if self.findings is None else [self.findings.findings_of_note(job.name) for job, _, _ in group]
        batch, errors = self.scrubber._scrub_many([text for _, _, text in group], findings=found, threads=self.threads)
        wrong = dict(errors)
        for row, (job, content, _) in enumerate(group):
            note = batch[row]
            with self.reporting_problems(job):
                if row in wrong:
                    raise FrameError(wrong[row])
                written = format_note(job.name, note, self.form).encode("utf-8")
                self._write_output(job, content, written)
            self.bar(1, len(content), len(note.removed), int(row in wrong), done=len(content))
        self.manifest.flush_to_disk()

    def _write_output(self, job: FileJob, content: bytes, written: bytes, **more: str) -> None:
        """Write the output of an input atomically."""
        with atomic_write(self.folder / job.output) as partial, open_compressed(partial, job.compression) as out:
            out.write(written)
        self.record_output(job, len(content), hashlib.sha256(content).hexdigest(), 1, 0, None, **more)

    def scrub_messages(self, jobs: Iterable[FileJob]) -> None:
        """Scrub files of structured messages, each in its own format."""
        for job in jobs:
            with self.reporting_problems(job):
                content, text = read_note(job, self.encoding)
                message = self.scrubber.scrub_message(text, threads=self.threads)
                self._write_output(job, content, message.text.encode("utf-8"), read_as=message.format)
                if message.format == "text":
                    self.report.warnings.append(
                        f"{job.source}: could not be read as a message and was scrubbed as plain text"
                    )
                self.bar(1, len(content), sum(message.removed.values()), 0, done=len(content))
        self.manifest.flush_to_disk()

    def scrub_resources(self, job: FileJob) -> None:
        """Scrub a file of FHIR resources, one per line, in batches of some megabytes."""
        with self.reporting_problems(job):
            before = size_and_sha256(job.source)
            resources = plain = 0
            with (
                atomic_write(self.folder / job.output, sync=True) as partial,
                open_uncompressed(job.source, job.compression) as (stream, file),
                open_compressed(partial, job.compression) as out,
            ):
                place = 0
                while lines := stream.readlines(BATCH_BYTES):
                    text = self.encoding.decode(b"".join(lines))
                    message = self.scrubber.scrub_message(text, format="json", threads=self.threads)
                    out.write(message.text.encode("utf-8"))
                    count = sum(not line.isspace() for line in lines)
                    resources, plain = resources + count, plain + count * (message.format == "text")
                    self.bar(count, len(text), sum(message.removed.values()), 0, done=file.tell() - place)
                    place = file.tell()
            if plain:
                self.report.warnings.append(
                    f"{job.source}: {plain} lines could not be read as resources and were scrubbed as plain text"
                )
            if size_and_sha256(job.source) != before:
                problem = "changed while it was read"
                raise FrameError(problem)
            self.record_output(job, *before, resources, 0, read_as="fhir")
        self.manifest.flush_to_disk()

    # ---- files of rows

    def scrub_rows(self, job: FileJob) -> None:
        """Scrub one file of rows."""
        excluded = self.table.exclude_patients
        before_job = 0 if excluded is None else excluded.rows
        with self.reporting_problems(job):
            before = size_and_sha256(job.source)
            with atomic_write(self.folder / job.output, sync=True) as partial:
                scrub = self._scrub_parquet if job.form == "parquet" else self._scrub_lines
                counts = scrub(job, partial)
                if size_and_sha256(job.source) != before:
                    raise FrameError("changed while it was read")
            left_out = None if excluded is None else excluded.rows - before_job
            self.record_output(job, *before, counts.rows, counts.failed, left_out)
            self.manifest.flush_to_disk()

    def _scrub_lines(self, job: FileJob, partial: Path) -> Counts:
        """Scrub a file of JSON Lines or CSV, batch by batch."""
        counts = Counts(self.bar)
        with (
            open_uncompressed(job.source, job.compression) as (stream, file),
            open_compressed(partial, job.compression) as out,
        ):
            separator = self.table.separator or job.separator
            table = open_rows(job.form, self.encoding.as_utf8(stream), text=self.table.text, separator=separator)
            if table.separator in _SEPARATOR_NAMES and table.separator != separator:
                self.report.warnings.append(
                    f"{job.source}: its fields are separated by {_SEPARATOR_NAMES[table.separator]}"
                )
            rows = RowScrubber(self.scrubber, self.table, self.threads, counts, self.report.warnings, self.findings)
            for _ in rows.scrub(table, out, name=str(job.source), keys=job.keys):
                counts.move_to(file.tell())
            counts.move_to(size_or_zero(job.source))
        return counts

    def _scrub_parquet(self, job: FileJob, partial: Path) -> Counts:
        """Scrub a Parquet file, one row group or part of it at a time."""
        pq = parquet_library()
        import pyarrow as pa

        counts = Counts(self.bar)
        with pq.ParquetFile(job.source, pre_buffer=False, buffer_size=1 << 20) as file:
            names = file.schema_arrow.names
            keys = {name: value for name, value in job.keys.items() if name not in names}
            plan = self.table.plan([*names, *keys])

            def scrub(part: Any, threads: int | None, progress: Counts) -> Any:
                for name in plan.read:
                    if name in keys:
                        part = part.append_column(name, pa.array([keys[name]] * part.num_rows, pa.string()))
                result = scrub_table(
                    self.scrubber,
                    Arrow(HiddenRepr(part.select(plan.read))),
                    plan,
                    threads=threads,
                    progress=progress,
                    findings=self.findings,
                )[0]
                # A partition key is part of the path of the output, as it is for the input.
                return result.drop_columns([name for name in keys if name in plan.kept])

            columns = [name for name in plan.read if name not in keys]
            schema = scrub(file.schema_arrow.empty_table().select(columns), 1, Counts()).schema
            size = size_or_zero(job.source)
            batches = file.iter_batches(_rows_per_batch(file, plan.text), columns=columns, use_threads=False)
            with pq.ParquetWriter(partial, schema, compression="zstd") as writer, _BackgroundWriter() as background:
                group: list[Any] = []
                for batch in prefetch(batches):
                    group.append(scrub(pa.Table.from_batches([batch]), self.threads, counts))
                    if sum(part.nbytes for part in group) >= _ROW_GROUP_BYTES:
                        background.submit(writer.write_table, pa.concat_tables(group))
                        group = []
                    counts.move_to(size * counts.rows // max(1, file.metadata.num_rows))
                if group:
                    background.submit(writer.write_table, pa.concat_tables(group))
            counts.move_to(size)
        return counts


def size_or_zero(path: Path) -> int:
    """Return the size of a file in bytes; 0 if it cannot be determined."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _rows_per_batch(file: Any, text: str) -> int:
    """Return the number of rows with about one batch of text, estimated from the file's metadata."""
    size = rows = 0
    for group in range(file.metadata.num_row_groups):
        about = file.metadata.row_group(group)
        rows += about.num_rows
        for at in range(about.num_columns):
            if about.column(at).path_in_schema == text:
                size += about.column(at).total_uncompressed_size
    return int(min(MAX_BATCH_ROWS, max(16, BATCH_BYTES * rows // max(1, size))))


class _BackgroundWriter(AbstractContextManager["_BackgroundWriter"]):
    """Runs tasks one after another on a background thread, with at most one pending."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, "notesieve-write")
        self.last: Future[Any] | None = None

    def submit(self, work: Callable[[Any], Any], argument: Any) -> None:
        if self.last is not None:
            self.last.result()
        self.last = self.pool.submit(work, argument)

    def __exit__(self, *problem: object) -> None:
        self.pool.shutdown(wait=True)
        if self.last is not None and problem[0] is None:
            self.last.result()
