"""The command ``notesieve omop``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from notesieve._core import Key
from notesieve.cli.options import (
    add_model_option,
    add_quiet_option,
    add_threads_option,
    add_vocabulary_option,
    make_scrubber,
)
from notesieve.cli.printing import format_count
from notesieve.errors import EXPLAINED
from notesieve.statuses import GROUPS

_EXAMPLES = """examples:
  notesieve omop note.parquet -o clean/ --policy shift.toml --athena athena/
  notesieve omop note/ -o clean/ --policy limited-data-set --groups disorder drug
  notesieve omop note.parquet -o clean/ --policy shift.toml --ids pseudonym

The policy must shift dates (dates = "shift" in a file, with a key in NOTESIEVE_KEY_FILE) or keep them, since NOTE needs
dates. Exit codes: 0 all rows came out; 1 some did not, see problems.csv; 2 nothing was written
"""


def add_omop(commands: Any) -> None:
    """Add the command to a parser."""
    omop = commands.add_parser(
        "omop",
        help="de-identify NOTE of the OMOP CDM and write NOTE_NLP",
        description="Read NOTE of the OMOP CDM 5.4 from Parquet; write a de-identified NOTE, and NOTE_NLP.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    omop.add_argument("note", type=Path, metavar="NOTE", help="a Parquet file, or a folder of them")
    omop.add_argument("-o", "--output", type=Path, metavar="DIR", required=True, help="folder for the outputs")
    omop.add_argument("--policy", required=True, help="a TOML file, or the preset limited-data-set")
    omop.add_argument("--athena", type=Path, metavar="DIR", help="CONCEPT.csv and CONCEPT_RELATIONSHIP.csv of Athena")
    omop.add_argument(
        "--known", type=Path, metavar="FILE",
        help="Parquet with person_id and names, birth dates, phones, addresses, record numbers of persons",
    )  # fmt: skip
    omop.add_argument(
        "--ids", choices=["keep", "pseudonym"], default="keep",
        help="what becomes of person_id, note_id, visit and provider ids; pseudonyms need a key",
    )  # fmt: skip
    omop.add_argument(
        "--groups", nargs="+", default=list(GROUPS), metavar="GROUP",
        help=f"semantic groups of the mentions, or all; default: {' '.join(GROUPS)}",
    )  # fmt: skip
    add_vocabulary_option(omop, site=True)
    add_model_option(omop)
    omop.add_argument("--overwrite", action="store_true", help="replace outputs that are there")
    add_threads_option(omop)
    add_quiet_option(omop)
    omop.set_defaults(run=_run_omop)


def _run_omop(options: argparse.Namespace) -> int:
    from notesieve.omop import Concepts, known_persons, scrub_parquet

    scrubber = make_scrubber(options, key=Key.load() if options.ids == "pseudonym" else None)
    problems = scrub_parquet(
        scrubber,
        options.note,
        options.output,
        None if options.athena is None else Concepts.open(options.athena),
        patients=None if options.known is None else known_persons(options.known),
        ids=options.ids,
        groups=None if options.groups == ["all"] else options.groups,
        threads=options.threads,
        overwrite=options.overwrite,
        progress=False if options.quiet else None,
    )
    for code, count in sorted(Counter(problem.code for problem in problems).items()):
        print(f"notesieve: {format_count(count, 'row')} not written: {EXPLAINED[code]}", file=sys.stderr)
    if not options.quiet:
        print(f"notesieve: NOTE and NOTE_NLP are in {options.output}", file=sys.stderr)
    return 1 if problems else 0
