"""The command `notesieve fill`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from notesieve._core import Key
from notesieve.cli.options import add_vocabulary_option, open_vocabulary
from notesieve.cli.printing import print_problems
from notesieve.cli.text_inputs import read_texts
from notesieve.errors import FileError, SettingError
from notesieve.evaluation.gold import Gold
from notesieve.filling import FilledNote, fill

_EXAMPLES = """examples:
  notesieve fill note.txt                          print a note with surrogates in place of its tags
  notesieve fill notes/ -o filled/ --patient 17    a gold standard: filled/notes/*.txt and filled/gold.jsonl
  notesieve fill notes/ -o filled/ --pattern 'X{4,}'

The key comes from NOTESIEVE_KEY or NOTESIEVE_KEY_FILE; see notesieve key --help.
"""


def add_fill(commands: Any) -> None:
    """Add the command to those of `notesieve`.

    Parameters
    ----------
    commands : argparse subparsers action
        The result of ``parser.add_subparsers()``.
    """
    parser = commands.add_parser(
        "fill",
        help="fill the tags of de-identified texts with surrogates",
        description="Fill tags such as [NAME], [REMOVED], <PATIENT> or [**Last name**] with surrogates. Nothing else "
        "is changed: what an earlier system missed is still there.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="a text, a folder of them, or - for stdin")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="a new folder for the notes and gold.jsonl")
    parser.add_argument("--patient", metavar="ID", help="whose notes these are: names are the same in all of them")
    parser.add_argument(
        "--pattern", action="append", default=[], metavar="REGEX", help="a further form of tags; may be repeated"
    )
    add_vocabulary_option(parser)
    parser.set_defaults(run=_run_fill)


def _run_fill(options: argparse.Namespace) -> int:
    key, vocabulary = Key.load(), open_vocabulary(options)
    failed: list[str] = []
    filled: dict[str, FilledNote] = {}
    for path, text in read_texts(options.inputs, failed, []):
        if path.stem in filled:
            message = f"{path}: another note has this name"
            raise SettingError(message)
        note = fill(text, key, patient=options.patient, patterns=options.pattern, vocabulary=vocabulary)
        filled[path.stem] = note
    if options.output is None:
        sys.stdout.write("".join(note.text for note in filled.values()))
    else:
        if options.output.exists():
            message = f"{options.output}: is there already"
            raise FileError(message)
        spans = {name: note.spans for name, note in filled.items()}
        Gold({name: note.text for name, note in filled.items()}, spans).write(options.output)
    count, left = sum(len(note.spans) for note in filled.values()), sum(note.left for note in filled.values())
    print(f"notesieve: {len(filled)} notes, {count} tags filled, {left} left", file=sys.stderr)
    return print_problems(failed)
