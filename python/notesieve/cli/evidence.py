"""The command `evidence`: a page of evidence for a release decision."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from notesieve.cli.options import (
    add_model_option,
    add_note_source_options,
    add_vocabulary_option,
    open_vocabulary,
    read_column_by_document,
)
from notesieve.errors import SettingError
from notesieve.evaluation.note_source import NoteSource
from notesieve.evidence.suppression import MIN_SHOWN_COUNT
from notesieve.scrubber import Scrubber

_EPILOG = """writes evidence.html (to read, print and sign), evidence.json (the same, for programs) and
notes-to-read.csv (names of notes that stand out: keep it where the notes are). Where there are several
GOLD, a document is called NAME/DOC in the files of genres and patients, NAME being the last part of the
path of its gold standard.

exit codes: 0 the page was written, and every sentence of the Safe Harbor check was removed or is kept
by the policy on purpose; 1 it was written, and a file of a gold standard was left out or a sentence of the
check came out; 2 no page
"""


def add_evidence(commands: Any) -> None:
    """Add the command to those of `notesieve`.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_evidence(parser.add_subparsers())
    >>> parser.parse_args(["evidence", "gold", "-o", "page", "--date", "2026-01-02"]).date
    datetime.date(2026, 1, 2)
    """
    parser = commands.add_parser(
        "evidence",
        help="one page for those who decide on a release",
        description="Measure notesieve on marked notes and write one page with figures and intervals, versions and "
        "digests, what removes each of the 18 Safe Harbor identifiers, the residual risk, and what cannot be claimed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("gold", nargs="+", type=Path, metavar="GOLD", help="marked notes, as for `notesieve evaluate`")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder of the page")
    parser.add_argument(
        "--policy", action="append", default=[], metavar="P",
        help="a preset or TOML file; the first is reported, others are compared with it; default: safe",
    )  # fmt: skip
    add_vocabulary_option(parser, site=True)
    add_model_option(parser)
    parser.add_argument("--genres", type=Path, metavar="FILE", help="CSV with the columns doc and genre; default: GOLD")
    parser.add_argument(
        "--patients",
        type=Path,
        metavar="FILE",
        help="CSV with the columns doc and patient; default: one patient per note",
    )
    parser.add_argument(
        "--notes", type=Path, metavar="NOTES",
        help="the notes of the release, over which the residual risk is counted: a folder of .txt files, or a "
        ".parquet, .jsonl or .csv file; default: the marked notes",
    )  # fmt: skip
    add_note_source_options(parser)
    parser.add_argument("--recall", type=float, default=0.99, help="to show that recall is above this; default: 0.99")
    parser.add_argument(
        "--confidence", type=float, default=0.95, help="of the test and of all intervals; default: 0.95"
    )
    parser.add_argument(
        "--least", type=int, default=MIN_SHOWN_COUNT, help=f"suppress smaller counts; default: {MIN_SHOWN_COUNT}"
    )
    parser.add_argument("--organisation", default="", metavar="NAME", help="whose evidence it is")
    parser.add_argument(
        "--date", type=_parse_date, metavar="YYYY-MM-DD", help="the date of the page; default: today, UTC"
    )
    parser.add_argument("--draws", type=int, default=1000, help="of the bootstrap; default: 1000")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap; default: 1")
    parser.set_defaults(run=_run_evidence)


def _parse_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        message = "is no date: write it as 2026-01-31"
        raise argparse.ArgumentTypeError(message) from None


def _run_evidence(options: argparse.Namespace) -> int:
    from notesieve.evidence.collect import collect

    if options.output.exists() and not options.output.is_dir():
        raise SettingError(f"{options.output}: is no folder")
    vocabulary = open_vocabulary(options)
    scrubbers = [Scrubber(policy, vocabulary, model=options.model) for policy in options.policy or ["safe"]]
    found = collect(
        options.gold,
        scrubbers[0],
        others=scrubbers[1:],
        genres=read_column_by_document(options.genres, "genre") if options.genres else None,
        patients=read_column_by_document(options.patients, "patient") if options.patients else None,
        notes=None if options.notes is None else _names_and_texts(NoteSource(options.notes, options.text, options.id)),
        site=options.site,
        recall=options.recall,
        confidence=options.confidence,
        least=options.least,
        day=options.date,
        organisation=options.organisation,
        draws=options.draws,
        seed=options.seed,
    )
    for file in found.write(options.output):
        print(f"wrote {file}", file=sys.stderr)
    failed = [
        row.identifier.letter for row in found.safe_harbor if row.removed < row.examples and not row.kept_by_policy
    ]
    shown = "is shown" if found.plan.verdict["shown"] else "is NOT shown"
    print(f"{found}: recall above {options.recall:g} {shown}")
    if failed:
        print(f"notesieve: sentences of the Safe Harbor check came out: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed or found.figures.evaluation["problems"] else 0


def _names_and_texts(source: NoteSource) -> Iterator[tuple[str, str]]:
    for note in source.notes():
        yield note.doc, note.text
