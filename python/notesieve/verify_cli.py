"""The command `notesieve verify`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from notesieve._core import Vocabulary
from notesieve.errors import FileError, VerifyError
from notesieve.reading import reading
from notesieve.scrubber import Scrubber
from notesieve.verification import verify

__all__ = ["add_verify"]


def add_verify(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "verify",
        help="read outputs again and name every token that nothing allows",
        description="Read outputs of `notesieve scrub` again, without its code, and check that every word is on a list "
        "or in a term and every number has a clinical form. Prints positions and kinds only.",
        epilog="example: notesieve scrub notes/ -o clean/ && notesieve verify clean/",
    )
    parser.add_argument("inputs", nargs="+", metavar="FILE", help="a scrubbed text, a folder of them, or - for stdin")
    parser.add_argument("--policy", default="safe", help="the policy of the scrub: a preset or a TOML file")
    parser.add_argument("--vocabulary", type=Path, metavar="FILE", help="a compiled vocabulary; default: the built-in")
    parser.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    vocabulary = Vocabulary.default() if options.vocabulary is None else Vocabulary.open(options.vocabulary)
    scrubber = Scrubber(policy=options.policy, vocabulary=vocabulary)
    texts = failed = 0
    reasons: Counter[str] = Counter()
    for name, text in _outputs(options.inputs):
        texts += 1
        try:
            reasons.update(token.allowed_by for token in verify(text, scrubber))
        except VerifyError as problem:
            failed += 1
            for start, end, kind in problem.places:
                print(f"{name}:{start}:{end}: {kind} that nothing allows")
    print(
        f"{texts} texts, {sum(reasons.values())} tokens: {', '.join(f'{n} {why}' for why, n in reasons.most_common())}"
    )
    if failed:
        print(f"notesieve: {failed} of {texts} texts hold what nothing allows", file=sys.stderr)
    return 1 if failed else 0


def _outputs(inputs: list[str]) -> Iterator[tuple[str, str]]:
    for name in inputs:
        if name == "-":
            yield "stdin", sys.stdin.buffer.read().decode("utf-8", "replace")
            continue
        path = Path(name)
        if not path.exists():
            message = f"{path}: there is no such file or folder"
            raise FileError(message)
        for file in sorted(path.rglob("*.txt")) if path.is_dir() else [path]:
            with reading(file):
                text = file.read_bytes().decode("utf-8")
            yield str(file), text
