"""Standard output of `notesieve scrub`: notes, messages, or rows in the format of the input."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from notesieve.cli.printing import format_count, print_problems, summarize_ignored
from notesieve.errors import FileError, FrameError
from notesieve.files.decoding import Encoding
from notesieve.files.jobs import NOTE_FORMS, FileJob, describe_parsed_formats, find_jobs
from notesieve.files.note_files import format_note, read_note
from notesieve.files.reading_errors import collect_file_errors, explain_file_error, is_file_error, read_standard_input
from notesieve.files.row_files import open_rows, open_uncompressed
from notesieve.files.row_scrub import BATCH_BYTES, Counts, RowScrubber
from notesieve.findings_file import FindingsFile

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote
    from notesieve.files.table_options import TableOptions
    from notesieve.scrubber import Scrubber


def print_scrubbed(scrubber: Scrubber, options: argparse.Namespace, table: TableOptions) -> int:
    """Write scrubbed inputs to standard output in batches of some megabytes; return the exit code."""
    found = find_jobs([name for name in options.inputs if name != "-"], options.format)
    # Column options mean that standard input is a table.
    stdin_rows = "-" in options.inputs and bool(options.text or options.id or options.keep or options.patient)
    rows = [job for job in found.jobs if job.form in ("jsonl", "csv")]
    if any(job.form == "parquet" for job in found.jobs):
        raise FrameError("Parquet cannot be written to standard output: add -o DIR")
    if (rows or stdin_rows) and len(found.jobs) + ("-" in options.inputs) > 1:
        raise FrameError("rows go to standard output from one input alone: add -o DIR for several")
    if any(job.form == "resources" for job in found.jobs):
        raise FrameError("a file of FHIR resources cannot be written to standard output: add -o DIR")
    single = sum(job.form in {*NOTE_FORMS, "message"} for job in found.jobs)
    table.check_notes(single + ("-" in options.inputs and not stdin_rows))
    findings = None if options.findings is None else FindingsFile(options.findings)
    decoder = Encoding(options.encoding, options.errors)
    printer = _Printer(scrubber, decoder, options.threads, found.problems, findings)
    if rows or stdin_rows:
        failed = printer.print_rows(table, rows[0] if rows else None)
        found.warnings += [
            f"{format_count(failed, 'row')} could not be scrubbed; the error codes are in the output"
        ] * bool(failed)
    else:
        printer.print_notes(["-"] * ("-" in options.inputs) + found.jobs, options.format)
        failed = 0
    found.problems += [] if findings is None else findings.unused_notes_warnings()
    if (excluded := table.exclude_patients) is not None:
        found.warnings += [f"{excluded.rows} notes of excluded patients left out", *excluded.unmet_warnings()]
    print_problems(
        [*found.problems, *found.warnings, *describe_parsed_formats(found.jobs), *summarize_ignored(found.ignored)]
    )
    return 1 if found.problems or failed else 0


class _Printer:
    def __init__(
        self,
        scrubber: Scrubber,
        encoding: Encoding,
        threads: int | None,
        problems: list[str],
        findings: FindingsFile | None,
    ) -> None:
        self.scrubber, self.encoding, self.threads, self.problems = scrubber, encoding, threads, problems
        self.findings = findings
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(newline="")  # keep line ends as they are

    def print_rows(self, options: TableOptions, job: FileJob | None) -> int:
        """Write the rows of a file or of standard input; return the number that could not be scrubbed."""
        out = getattr(sys.stdout, "buffer", None)
        if out is None:
            raise FrameError("standard output takes no bytes here: add -o DIR")
        counts = Counts()
        rows = RowScrubber(self.scrubber, options, self.threads, counts, self.problems, self.findings)
        name = "standard input" if job is None else str(job.source)
        try:
            with _open_job(job) as (stream, _):
                encoded = self.encoding.as_utf8(stream)
                form = job.form if job is not None else _detect_row_format(encoded)
                separator = options.separator or (job.separator if job is not None else None)
                table = open_rows(form, encoded, text=options.text, separator=separator)
                for _ in rows.scrub(table, out, name=name, keys={} if job is None else job.keys):
                    out.flush()
        except BrokenPipeError:
            raise
        except Exception as problem:
            if not is_file_error(problem):
                raise
            raise FrameError(f"{name}: {explain_file_error(problem)}") from None
        return counts.failed

    def print_notes(self, jobs: list[Any], form: str) -> None:
        """Write notes, followed by messages."""
        for name, note in self._scrubbed_notes([job for job in jobs if job == "-" or job.form in NOTE_FORMS]):
            sys.stdout.write(format_note(name, note, form))
        for job in jobs:
            if job != "-" and job.form == "message":
                sys.stdout.write(self._scrub_message(job))

    def _read_note(self, job: FileJob) -> str | None:
        with collect_file_errors(job.source, self.problems):
            return read_note(job, self.encoding)[1]
        return None

    def _scrub_message(self, job: FileJob) -> str:
        with collect_file_errors(job.source, self.problems):
            content = read_note(job, self.encoding)[1]
            text = self.scrubber.scrub_message(content, threads=self.threads).text
            return text if text.endswith(("\n", "\r")) else text + "\n"
        return ""

    def _scrubbed_notes(self, jobs: list[Any]) -> Iterator[tuple[str, ScrubbedNote]]:
        group: list[tuple[str, str]] = []
        size = 0
        for job in jobs:
            text = read_standard_input(self.encoding) if job == "-" else self._read_note(job)
            if text is None:
                continue
            group.append(("stdin" if job == "-" else job.name, text))
            size += len(text)
            if size >= BATCH_BYTES:
                yield from self._scrub_group(group)
                group, size = [], 0
        yield from self._scrub_group(group)

    def _scrub_group(self, group: list[tuple[str, str]]) -> Iterator[tuple[str, ScrubbedNote]]:
        found = None if self.findings is None else [self.findings.findings_of_note(name) for name, _ in group]
        batch, errors = self.scrubber._scrub_many([text for _, text in group], findings=found, threads=self.threads)
        self.problems.extend(f"{group[row][0]}: {problem}" for row, problem in errors)
        failed = {row for row, _ in errors}
        yield from ((stem, batch[row]) for row, (stem, _) in enumerate(group) if row not in failed)


def _open_job(job: FileJob | None) -> Any:
    if job is not None:
        return open_uncompressed(job.source, job.compression)
    if sys.stdin is None:
        raise FileError("standard input: is closed")
    from contextlib import nullcontext

    return nullcontext((sys.stdin.buffer, None))


def _detect_row_format(stream: Any) -> str:
    """Distinguish JSON Lines from CSV by the first byte after white space and a byte order mark."""
    first = stream.peek(4096)[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return "jsonl" if first == b"{" else "csv"
