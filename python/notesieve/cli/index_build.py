"""The command ``notesieve index build``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve._core import Key, Policy
from notesieve.batches import batches
from notesieve.choices import is_policy_file
from notesieve.cli.options import add_scrubber_options, make_scrubber
from notesieve.cli.printing import format_count, print_problems
from notesieve.errors import EXPLAINED, FileError, FrameError, IndexRowError, PolicyError
from notesieve.files.jobs import format_and_compression
from notesieve.files.reading_errors import collect_file_errors
from notesieve.files.row_files import Row, open_rows, open_uncompressed
from notesieve.files.table_options import TableOptions
from notesieve.scrubber import Scrubber

if TYPE_CHECKING:
    from collections.abc import Iterator

    from notesieve.frames.column_plan import Plan
    from notesieve.index import Index

_FIELDS = ("note_id", "patient_id", "note_type", "year")
_ATTRIBUTES = ("date", "age", "sex")
_MAX_REPORTED_ROWS = 20  # the maximum number of rows that are reported one by one


def add_build(actions: Any) -> None:
    """Add the command to those of `notesieve index`."""
    build = actions.add_parser("build", help="make an index of notes, or add notes to one")
    build.add_argument(
        "inputs", nargs="+", type=Path, metavar="FILE", help=".ndjson, .jsonl, .csv or .tsv, also .gz or .zst; .parquet"
    )
    build.add_argument("-o", "--output", type=Path, required=True, metavar="INDEX", help="folder of the index")
    build.add_argument("--scrubbed", action="store_true", help="the texts are de-identified already; verify each")
    build.add_argument("--keep", action="append", default=[], metavar="KIND", help="a kind of PHI that stays: year ...")
    build.add_argument("--years", action="store_true", help="the index has the year of each note")
    for name in _ATTRIBUTES:
        build.add_argument(f"--{name}", metavar="COLUMN", help=f"a column with the {name} of each note, to filter by")
    build.add_argument("--given-pseudonyms", action="store_true", help="the identifiers are pseudonyms already")
    for name in ("text", *_FIELDS):
        build.add_argument(f"--{name.replace('_', '-')}", default=name, metavar="COLUMN", help=f"default: {name}")
    add_scrubber_options(build)
    build.set_defaults(run=_run_build)


def _run_build(options: argparse.Namespace) -> int:
    from notesieve.index import Index

    for path in options.inputs:
        if not path.exists() or path.is_dir():
            what = "is a folder; give the files in it" if path.is_dir() else "there is no such file"
            raise FileError(f"{path}: {what}")
    key = None if options.given_pseudonyms else Key.load()
    if options.keep and is_policy_file(options.policy):
        raise PolicyError(f"--keep goes with a preset: write keep = {json.dumps(options.keep)} into {options.policy}")
    if options.keep:
        options.policy = Policy(options.policy, keep=options.keep)
    scrubber = make_scrubber(options, key=key)
    if options.output.exists():
        index = Index.open(options.output, scrubber=scrubber)
    else:
        years = True if options.years else None
        known = [name for name in _ATTRIBUTES if getattr(options, name) is not None]
        index = Index.create(
            options.output, scrubber, years=years, attributes=known, given_pseudonyms=options.given_pseudonyms
        )
    begin = time.perf_counter()
    count = 0
    problems: list[str] = []
    wrong = _RefusedRows()
    with index:
        years = index.info()["years"]
        for path in options.inputs:
            for rows in _row_batches(path, options, problems, years=years):
                added, refused = _add_rows(index, scrubber, rows, options)
                count += added
                wrong.add(path, refused)
                _print_progress(f"{count:,} notes, {count / (time.perf_counter() - begin):,.0f} a second")
    _print_progress("")
    print_problems([*wrong.summary(), *problems])
    found = index.count("*")
    print(f"{options.output}: {format_count(found.notes, 'note')} of {format_count(found.patients, 'patient')}")
    return 1 if problems or wrong.count else 0


class _RefusedRows:
    """The rows that could not be indexed."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[str] = []

    def add(self, path: Path, refused: list[tuple[int, str]]) -> None:
        self.count += len(refused)
        named = sorted(refused)[: _MAX_REPORTED_ROWS - len(self.first)]
        self.first += [f"{path}: line {line}: {EXPLAINED.get(code, code)}" for line, code in named]

    def summary(self) -> list[str]:
        """Report which rows could not be indexed, and what to do about them."""
        if not self.count:
            return []
        more = [f"and {self.count - _MAX_REPORTED_ROWS:,} more rows"] if self.count > _MAX_REPORTED_ROWS else []
        summary = (
            f"{format_count(self.count, 'row')} could not be indexed, the others were; fix and run the same "
            "command again: a note that is in the index already is replaced"
        )
        return [*self.first, *more, summary]


def _row_batches(path: Path, options: argparse.Namespace, problems: list[str], *, years: bool) -> Iterator[list[Row]]:
    """Yield the rows of a file in batches. Errors of the file itself are added to `problems`."""
    form, compression = format_and_compression(path) or ("jsonl", "")

    def plan_columns(names: list[str] | None) -> Plan:
        maybe = [options.note_type, *([options.year] if years else [])]
        known = [column for name in _ATTRIBUTES if (column := getattr(options, name)) is not None]
        keep = [options.patient_id, *known, *(name for name in maybe if names is None or name in names)]
        return TableOptions(options.text, options.note_id, tuple(keep), outputs=()).plan(names)

    with collect_file_errors(path, problems):
        if form not in ("jsonl", "csv", "parquet"):
            raise FrameError(
                "is no file of rows: give .jsonl, .ndjson, .csv, .tsv or .parquet; in Python, Index.add takes frames"
            )
        with open_uncompressed(path, compression) as (stream, _):
            table = open_rows(form, stream, text=options.text)
            made = plan_columns(table.names)
            yield from batches(table.read(made.text, [name for name in made.read if name != made.text]))


def _add_rows(
    index: Index, scrubber: Scrubber, rows: list[Row], options: argparse.Namespace
) -> tuple[int, list[tuple[int, str]]]:
    """Add rows to an index; return the number added, and the line and error code of each refused row."""
    good = []
    refused = []
    for row in rows:
        code = row.error or (None if isinstance(row.text, str) else "type")
        if code is None:
            good.append(row)
        else:
            refused.append((row.line, code))
    texts: Any = [row.text for row in good]
    if not options.scrubbed:
        texts, failed = scrubber._scrub_many(texts)
        if failed:
            refused += [(good[at].line, reason) for at, reason in failed]
            left = sorted(set(range(len(good))) - {at for at, _ in failed})
            good, texts = [good[at] for at in left], [texts[at] for at in left]
    fields: dict[str, Any] = {name: [row.kept.get(getattr(options, name)) for row in good] for name in _FIELDS}
    known = {name: column for name in _ATTRIBUTES if (column := getattr(options, name)) is not None}
    values: dict[str, Any] = {name: [row.kept.get(column) for row in good] for name, column in known.items()}
    try:
        if options.scrubbed:
            columns: dict[str, Any] = {name: name for name in ("note_type", "year", *known)}
            added = index.add({"text": texts, **fields, **values}, **columns)
        else:
            added = index.add(texts, **fields, **values)
    except IndexRowError as problem:
        refused += [(good[at].line, code) for at, code in problem.errors]
        added = int(problem.result)
    return added, refused


def _print_progress(message: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{message:<60}", end="\n" if not message else "", file=sys.stderr, flush=True)
