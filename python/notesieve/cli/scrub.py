"""The command ``notesieve scrub``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve._core import Key
from notesieve.cli.options import model_option, vocabulary_of, vocabulary_option
from notesieve.errors import FrameError, NotesieveError
from notesieve.files.decoding import Encoding
from notesieve.files.jobs import FileJob, FoundFiles, find_jobs
from notesieve.files.note_files import read_note, write_note
from notesieve.files.reading_errors import explain, is_of_file, standard_input
from notesieve.files.report import FileReport
from notesieve.files.run import BATCH
from notesieve.files.scrub import open_stdout, scrub_files
from notesieve.files.table_options import TableOptions
from notesieve.frames.column_plan import OUTPUTS
from notesieve.scrubber import Scrubber

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote

__all__ = ["add_scrub"]

_EXAMPLES = """examples:
  notesieve scrub note.txt                              print one note
  notesieve scrub notes/ -o clean/                      every file below a folder, one output per input
  notesieve scrub notes.parquet -o clean/ --text note --id note_id --keep year
  notesieve scrub notes/ -o clean/ --resume             go on where a run ended, however it ended
  notesieve scrub notes.csv -o clean/ --encoding cp1252 --separator ';'
  notesieve scrub notes/ --format spans > spans.jsonl   what was removed, for a scorer
  notesieve scrub result.hl7 patient.json               messages come out with the same segments, keys, tags
  cat note.txt | notesieve scrub -                      from standard input

exit codes: 0 all went well; 1 some inputs or rows could not be scrubbed, the others were; 2 no run, or one that ended
early since the manifest, or standard output, could not be written; 130 stopped
"""


def add_scrub(commands: Any) -> None:
    """Add the command to a parser."""
    scrub = commands.add_parser(
        "scrub",
        help="de-identify notes",
        description="De-identify files and folders: .txt, .jsonl, .csv and .tsv, also .gz or .zst; .parquet; .docx; "
        "messages: .hl7, .json, .xml.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    scrub.add_argument("inputs", nargs="+", metavar="INPUT", help="a file, a folder, or - for standard input")
    scrub.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder for one file per input")
    scrub.add_argument("--policy", default="safe", help="a preset (see `notesieve policy`) or a TOML file")
    scrub.add_argument(
        "--key",
        action="store_true",
        help="use the key of NOTESIEVE_KEY or NOTESIEVE_KEY_FILE; see notesieve key --help",
    )
    vocabulary_option(scrub, site=True)
    model_option(scrub)
    scrub.add_argument(
        "--format",
        choices=["text", "coded", "jsonl", "spans"],
        default="text",
        help="what is written of a .txt file: text, the note (default); coded, with codes after the terms; jsonl, one "
        "object with text, concepts and removed spans; spans, one object with what was removed, in code points",
    )
    scrub.add_argument(
        "--encoding",
        default="utf-8",
        metavar="NAME",
        help="how texts are read that have no byte order mark, such as cp1252, latin-1 or utf-16; default: utf-8",
    )
    scrub.add_argument(
        "--errors",
        choices=["strict", "replace"],
        default="strict",
        help="bytes that cannot be read cost the note (strict, the default), or become U+FFFD (replace)",
    )
    _add_rows(scrub)
    _add_run(scrub)
    scrub.set_defaults(run=_scrub)


def _add_rows(scrub: argparse.ArgumentParser) -> None:
    rows = scrub.add_argument_group("files of rows", "Columns that are not named do not come out.")
    rows.add_argument("--text", default="text", metavar="COLUMN", help="the column with the notes; default: text")
    rows.add_argument("--id", metavar="COLUMN", help="a column that names the note; comes out as it is")
    rows.add_argument("--patient", metavar="COLUMN", help="a column that tells patients apart")
    rows.add_argument(
        "--known", action="append", default=[], metavar="COLUMN",
        help="a column with a name, birth date, phone, address or number of the patient; may be repeated",
    )  # fmt: skip
    rows.add_argument("--keep", action="append", default=[], metavar="COLUMN", help="a further one; may be repeated")
    rows.add_argument(
        "--outputs", default=",".join(OUTPUTS), metavar="LIST", help=f"some of {','.join(OUTPUTS)}; default: all"
    )
    rows.add_argument(
        "--separator", metavar="CHARACTER", help="between the fields of a CSV; default: , or what its header tells"
    )


def _add_run(scrub: argparse.ArgumentParser) -> None:
    run = scrub.add_argument_group("the run")
    run.add_argument(
        "--resume", action="store_true", help="go on with what is there and leave out what the manifest proves done"
    )
    run.add_argument("--overwrite", action="store_true", help="replace outputs of the same names that are there")
    run.add_argument(
        "--manifest", type=Path, metavar="FILE", help="default: DIR.manifest.jsonl, beside the output folder"
    )
    run.add_argument("--threads", type=int, help="default: what NOTESIEVE_THREADS says, or one per core")
    run.add_argument("--quiet", action="store_true", help="no progress bar and no summary; problems are still told")


def _scrub(options: argparse.Namespace) -> int:
    key = Key.load() if options.key else None
    scrubber = Scrubber(policy=options.policy, vocabulary=vocabulary_of(options), key=key, model=options.model)
    if options.output is None:
        if options.resume or options.overwrite or options.manifest is not None:
            message = "--resume, --overwrite and --manifest need an output folder: add -o DIR"
            raise FrameError(message)
        return _print(scrubber, options)
    if "-" in options.inputs:
        message = "standard input is scrubbed to standard output: leave out -o"
        raise FrameError(message)
    table = TableOptions(
        options.text,
        options.id,
        tuple(options.keep),
        options.patient,
        tuple(options.known),
        tuple(options.outputs.split(",")),
        "\t" if options.separator == "\\t" else options.separator,
    )
    report = FileReport()
    try:
        scrub_files(
            scrubber,
            options.inputs,
            options.output,
            table=table,
            form=options.format,
            manifest=options.manifest,
            resume=options.resume,
            overwrite=options.overwrite,
            encoding=options.encoding,
            errors=options.errors,
            threads=options.threads,
            progress=False if options.quiet else None,
            report=report,
        )
    except KeyboardInterrupt:
        _print_report(report, options.quiet, f"stopped after {report.done} files, which are whole; --resume continues")
        return 130
    except NotesieveError:  # some are an OSError too, and say more than it does
        raise
    except OSError as problem:
        _print_report(report, options.quiet, f"stopped after {report.done} files, which are whole; --resume continues")
        message = f"{problem.filename or 'the manifest'}: {problem.strerror}"
        raise FrameError(message) from None
    skipped = f", {report.skipped} were done before" if report.skipped else ""
    _print_report(report, options.quiet, f"{report.done} files, {report.rows} notes scrubbed{skipped}")
    return 1 if report.problems or report.failed else 0


def _print_report(report: FileReport, quiet: bool, summary: str) -> None:
    for line in [*report.problems, *report.warnings, *_left(report.ignored)]:
        print(f"notesieve: {line}", file=sys.stderr)
    if report.failed:
        print(
            f"notesieve: {report.failed} rows could not be scrubbed; their error codes are in the output",
            file=sys.stderr,
        )
    if not quiet:
        print(f"notesieve: {summary}", file=sys.stderr)


def _left(left: list[tuple[Path, str]]) -> list[str]:
    return [FoundFiles(ignored=left).summary()] if left else []


def _print(scrubber: Scrubber, options: argparse.Namespace) -> int:
    """Write notes to standard output, some megabytes at a time."""
    files = [name for name in options.inputs if name != "-"]
    found = find_jobs(files, options.format)
    rows = [job for job in found.jobs if job.form not in ("text", "docx", "message")]
    if rows:
        message = f"{rows[0].source}: a file of rows needs an output folder: add -o DIR"
        raise FrameError(message)
    out = open_stdout()
    problems = [f"{path}: is a broken link" for path in found.missing]
    encoding = Encoding(options.encoding, options.errors)
    jobs = ["-"] * ("-" in options.inputs) + [job for job in found.jobs if job.form != "message"]
    for name, note in _notes(scrubber, jobs, encoding, options.threads, problems):
        out.write(write_note(name, note, options.format))
    for job in found.jobs:
        if job.form == "message":
            out.write(_message(scrubber, job, encoding, options.threads, problems))
    for line in [*problems, *_left(found.ignored)]:
        print(f"notesieve: {line}", file=sys.stderr)
    return 1 if problems else 0


def _message(scrubber: Scrubber, job: FileJob, encoding: Encoding, threads: int | None, problems: list[str]) -> str:
    try:
        text = scrubber.scrub_message(read_note(job, encoding)[1], threads=threads).text
    except Exception as problem:
        if not is_of_file(problem):
            raise
        problems.append(f"{job.source}: {explain(problem)}")
        return ""
    return text if text.endswith(("\n", "\r")) else text + "\n"


def _notes(
    scrubber: Scrubber, jobs: list[Any], encoding: Encoding, threads: int | None, problems: list[str]
) -> Iterator[tuple[str, ScrubbedNote]]:
    group: list[tuple[str, str]] = []
    size = 0
    for job in jobs:
        if isinstance(job, FileJob):
            try:
                group.append((job.name, read_note(job, encoding)[1]))
            except Exception as problem:
                if not is_of_file(problem):
                    raise
                problems.append(f"{job.source}: {explain(problem)}")
                continue
        else:
            group.append(("stdin", standard_input(encoding)))
        size += len(group[-1][1])
        if size >= BATCH:
            yield from _scrubbed(scrubber, group, threads, problems)
            group, size = [], 0
    yield from _scrubbed(scrubber, group, threads, problems)


def _scrubbed(
    scrubber: Scrubber, group: list[tuple[str, str]], threads: int | None, problems: list[str]
) -> Iterator[tuple[str, ScrubbedNote]]:
    batch, errors = scrubber._scrub_many([text for _, text in group], threads=threads)
    problems.extend(f"{group[row][0]}: {problem}" for row, problem in errors)
    failed = {row for row, _ in errors}
    yield from ((stem, batch[row]) for row, (stem, _) in enumerate(group) if row not in failed)
