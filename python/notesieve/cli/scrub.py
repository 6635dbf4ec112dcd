"""The command ``notesieve scrub``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from notesieve._core import Key
from notesieve.cli.options import (
    add_key_option,
    add_run_options,
    add_scrubber_options,
    add_threads_option,
    make_scrubber,
)
from notesieve.cli.printing import format_count, print_problems, summarize_ignored
from notesieve.cli.scrub_stdout import print_scrubbed
from notesieve.errors import FrameError, NotesieveError
from notesieve.files.report import FileReport
from notesieve.files.scrub import scrub_files
from notesieve.files.table_options import TableOptions, read_excluded
from notesieve.frames.column_plan import OUTPUTS

_EXAMPLES = """examples:
  notesieve scrub note.txt                              print one note
  notesieve scrub notes/ -o clean/                      every file below a folder, one output per input
  notesieve scrub notes.parquet -o clean/ --text note --id note_id --keep year
  notesieve scrub notes/ -o clean/ --resume             go on where a run ended, however it ended
  notesieve scrub notes.csv -o clean/ --encoding cp1252 --separator ';'
  notesieve scrub notes/ --format spans > spans.jsonl   what was removed, for a scorer
  notesieve scrub result.hl7 patient.json               messages come out with the same segments, keys, tags
  cat note.txt | notesieve scrub -                      from standard input
  zcat notes.jsonl.gz | notesieve scrub - --text note --id note_id > clean.jsonl

exit codes: 0 all went well; 1 some inputs or rows could not be scrubbed, the others were; 2 no run, or one that ended
early since the manifest, or standard output, could not be written; 130 stopped
"""


def add_scrub(commands: Any) -> None:
    """Add the command to a parser."""
    scrub = commands.add_parser(
        "scrub",
        help="de-identify notes",
        description="De-identify files and folders: .txt, .jsonl, .csv and .tsv, also .gz or .zst; .parquet; "
        ".docx, .html, .rtf; messages: .hl7, .json, .xml.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    scrub.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="a file, a folder, or - for standard input: a note, or rows of JSON Lines or CSV if a column is named",
    )
    scrub.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder for one file per input")
    add_scrubber_options(scrub, "a preset (see `notesieve policy`) or a TOML file; default: safe")
    add_key_option(scrub)
    scrub.add_argument(
        "--findings",
        type=Path,
        metavar="FILE",
        help="what other systems found: JSON Lines with findings (start, end, kind) and the id of the note (the value "
        "of --id, or the name of its file) or its row, from 1",
    )
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
    _add_row_options(scrub)
    _add_run_options(scrub)
    scrub.set_defaults(run=_run_scrub)


def _add_row_options(scrub: argparse.ArgumentParser) -> None:
    rows = scrub.add_argument_group("files of rows", "Columns that are not named do not come out.")
    rows.add_argument("--text", metavar="COLUMN", help="the column with the notes; default: text")
    rows.add_argument("--id", metavar="COLUMN", help="a column that names the note; comes out as it is")
    rows.add_argument("--patient", metavar="COLUMN", help="a column that tells patients apart")
    rows.add_argument(
        "--known", action="append", default=[], metavar="COLUMN",
        help="a column with a name, birth date, phone, address or number of the patient; may be repeated",
    )  # fmt: skip
    rows.add_argument(
        "--exclude-patients", type=Path, metavar="FILE",
        help="leave out the rows of these patients, and rows without one: a file with one value of --patient per line",
    )  # fmt: skip
    rows.add_argument(
        "--findings-column", metavar="COLUMN", help="a column with what other systems found in the note: a list in JSON"
    )
    rows.add_argument("--keep", action="append", default=[], metavar="COLUMN", help="a further one; may be repeated")
    rows.add_argument(
        "--dates", action="append", default=[], metavar="COLUMN",
        help="a column of dates that is moved with the notes of the same patient; may be repeated",
    )  # fmt: skip
    rows.add_argument(
        "--unshifted-dates", action="append", default=[], metavar="COLUMN",
        help="a column of dates that comes out as it is, although it tells the shift of the notes; may be repeated",
    )  # fmt: skip
    rows.add_argument(
        "--outputs", default=",".join(OUTPUTS), metavar="LIST", help=f"some of {','.join(OUTPUTS)}; default: all"
    )
    rows.add_argument(
        "--separator", metavar="CHARACTER", help="between the fields of a CSV; default: , or what its header tells"
    )


def _add_run_options(scrub: argparse.ArgumentParser) -> None:
    run = scrub.add_argument_group("the run")
    add_run_options(run)
    run.add_argument(
        "--manifest", type=Path, metavar="FILE", help="default: DIR.manifest.jsonl, beside the output folder"
    )
    add_threads_option(run)


def _run_scrub(options: argparse.Namespace) -> int:
    scrubber = make_scrubber(options, key=Key.load() if options.key else None)
    if options.output is None:
        if options.resume or options.overwrite or options.manifest is not None:
            raise FrameError("--resume, --overwrite and --manifest need an output folder: add -o DIR")
        return print_scrubbed(scrubber, options, _table_options(options))
    if "-" in options.inputs:
        raise FrameError("standard input is scrubbed to standard output: leave out -o")
    return run_and_report(
        lambda report: scrub_files(
            scrubber,
            options.inputs,
            options.output,
            table=_table_options(options),
            findings=options.findings,
            form=options.format,
            manifest=options.manifest,
            resume=options.resume,
            overwrite=options.overwrite,
            encoding=options.encoding,
            errors=options.errors,
            threads=options.threads,
            progress=False if options.quiet else None,
            report=report,
        ),
        quiet=options.quiet,
    )


def run_and_report(run: Callable[[FileReport], object], *, quiet: bool) -> int:
    """Run over files and print a report.

    Parameters
    ----------
    run : callable
        Scrubs the files and updates the report that it is given.
    quiet : bool
        Whether to print problems only.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    FrameError
        If the output or the manifest could not be written.
    """
    report = FileReport()
    try:
        run(report)
    except KeyboardInterrupt:
        _print_report(report, quiet, f"stopped after {report.done} files, which are whole; --resume continues")
        return 130
    except NotesieveError:  # some are OSErrors too, with a better message
        raise
    except OSError as problem:
        _print_report(report, quiet, f"stopped after {report.done} files, which are whole; --resume continues")
        raise FrameError(f"{problem.filename or 'the manifest'}: {problem.strerror}") from None
    skipped = f", {format_count(report.skipped, 'file')} done before" if report.skipped else ""
    excluded = f", {report.excluded} of excluded patients left out" if report.excluded else ""
    _print_report(
        report,
        quiet,
        f"{format_count(report.done, 'file')}, {format_count(report.rows, 'note')} scrubbed{excluded}{skipped}",
    )
    return 1 if report.problems or report.failed else 0


def _table_options(options: argparse.Namespace) -> TableOptions:
    return TableOptions(
        options.text or "text",
        options.id,
        tuple(options.keep),
        options.patient,
        tuple(options.known),
        tuple(options.outputs.split(",")),
        "\t" if options.separator == "\\t" else options.separator,
        tuple(options.dates),
        tuple(options.unshifted_dates),
        options.findings_column,
        None if options.exclude_patients is None else read_excluded(options.exclude_patients),
    )


def _print_report(report: FileReport, quiet: bool, summary: str) -> None:
    print_problems([*report.problems, *report.warnings, *summarize_ignored(report.ignored)])
    if report.failed:
        print_problems(
            [f"{format_count(report.failed, 'row')} could not be scrubbed; the error codes are in the output"]
        )
    if not quiet:
        print(f"notesieve: {summary}", file=sys.stderr)
