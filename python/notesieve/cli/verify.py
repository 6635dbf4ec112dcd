"""The command `notesieve verify`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from notesieve.cli.options import add_vocabulary_option, open_vocabulary
from notesieve.cli.printing import print_problems
from notesieve.cli.text_inputs import read_texts
from notesieve.errors import VerifyError
from notesieve.files.jobs import FoundFiles
from notesieve.scrubber import Scrubber
from notesieve.verification.checker import verify


def add_verify(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "verify",
        help="read outputs again and name every token that nothing allows",
        description="Read outputs of `notesieve scrub` again, without its code, and check that every word is on a list "
        "or in a term and every number has a clinical form. Prints positions and kinds only. What stands in files of "
        "rows is verified by ns.verify, row by row. Exit code 1 if anything was found or not read.",
        epilog="example: notesieve scrub notes/ -o clean/ && notesieve verify clean/",
    )
    parser.add_argument("inputs", nargs="+", metavar="FILE", help="a scrubbed text, a folder of them, or - for stdin")
    parser.add_argument("--policy", default="safe", help="the policy of the scrub: a preset or a TOML file")
    add_vocabulary_option(parser, site=True)
    parser.set_defaults(run=_run_verify)


def _run_verify(options: argparse.Namespace) -> int:
    scrubber = Scrubber(policy=options.policy, vocabulary=open_vocabulary(options))
    count = failed = 0
    reasons: Counter[str] = Counter()
    unread: list[str] = []
    ignored: list[tuple[Path, str]] = []
    for path, text in read_texts(options.inputs, unread, ignored):
        count += 1
        try:
            reasons.update(token.allowed_by for token in verify(text, scrubber))
        except VerifyError as problem:
            failed += 1
            for start, end, kind in problem.places:
                print(f"{path}:{start}:{end}: {kind} that nothing allows")
    print(
        f"{count} texts, {sum(reasons.values())} tokens: {', '.join(f'{n} {why}' for why, n in reasons.most_common())}"
    )
    if failed:
        print(f"notesieve: {failed} of {count} texts hold what nothing allows", file=sys.stderr)
    ignored = [(path, kind) for path, kind in ignored if kind != "hidden"]
    if ignored:
        unread.append(f"{FoundFiles(ignored=ignored).summary()}; files of rows are verified by ns.verify, row by row")
    print_problems(unread)
    return 1 if failed or unread else 0
