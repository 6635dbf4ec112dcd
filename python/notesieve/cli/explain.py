"""The command `notesieve explain`."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path
from typing import Any

from notesieve.cli.options import add_scrubber_options, make_scrubber
from notesieve.cli.printing import print_problems
from notesieve.cli.text_inputs import read_texts
from notesieve.errors import SettingError
from notesieve.rules import rules

_EXAMPLES = """examples:
  notesieve explain note.txt            why each piece that goes was removed
  notesieve explain note.txt --at 120   what speaks for and against the word at this position
  notesieve explain notes/ --suspicious 50   the kept words that the model doubts most, for review
  notesieve explain --rules             all rules with what they remove or keep
  notesieve explain --rule street       one of them
"""


def add_explain(commands: Any) -> None:
    """Add the command to those of `notesieve`."""
    parser = commands.add_parser(
        "explain",
        help="show why something was removed or kept, and what the rules are",
        description="Show by positions, rules and lists why pieces of a note are removed. "
        "No text of the note is printed.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="a text, a folder of them, or - for stdin")
    parser.add_argument("--at", type=int, metavar="POSITION", help="only the word at this code point, kept or removed")
    parser.add_argument(
        "--suspicious",
        type=int,
        metavar="N",
        help="the N kept words of all inputs that the model takes most for identifiers",
    )
    parser.add_argument("--rules", action="store_true", help="list all rules")
    parser.add_argument("--rule", metavar="NAME", help="show what one rule does")
    add_scrubber_options(parser)
    parser.set_defaults(run=_run_explain)


def _run_explain(options: argparse.Namespace) -> int:
    if options.rules or options.rule:
        _print_rules(options.rule)
        return 0
    if not options.inputs:
        raise SettingError("nothing to explain: name a text, or --rules")
    scrubber = make_scrubber(options)
    failed: list[str] = []
    suspicious: list[tuple[float, Path, dict[str, Any]]] = []
    ignored: list[tuple[Path, str]] = []
    for path, text in read_texts(options.inputs, failed, ignored):
        note = scrubber.scrub(text)
        if options.suspicious is not None:
            suspicious += [(-found["log_odds"], path, found) for found in note.suspicious(options.suspicious)]
            continue
        places = [removal.start for removal in note.removed] if options.at is None else [options.at]
        for place in places:
            print(f"{path}: {note.explain(place)}")
    for odds, path, found in sorted(suspicious, key=lambda one: one[0])[: options.suspicious]:
        print(f"{path}: {found['start']}:{found['end']} kept ({found['reason']}), {found['label']} {-odds:+.1f}")
    return print_problems(failed)


def _print_rules(name: str | None) -> None:
    told = {rule.name: rule.about for rule in rules()}
    if name is not None and name not in told:
        near = difflib.get_close_matches(name, told)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise SettingError(f"{name}: there is no such rule{hint}. `notesieve explain --rules` lists all")
    for rule, about in told.items():
        if name in (None, rule):
            print(f"{rule:<18}{about}")
