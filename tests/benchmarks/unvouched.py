"""Measure what a scrub removes because nothing vouches for it, in the half of the notes that is read and in the other.

    python tests/benchmarks/unvouched.py corpus/train/*.txt

The result is the share of words and numbers outside marks that are removed because nothing vouches for them, and not
because a rule or the model is against them: unlisted words, numbers, and letters and digits that are glued together.
Candidates for the lists come from every second note of each batch (`vocabularies/shorthand.py`); the other notes
measure their effect.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import notesieve as ns

sys.path.insert(0, str(Path(__file__).parents[2] / "corpus"))
from check import parse_marks, read_notes

WANTING = ("unlisted", "glued")


def main() -> None:
    """Print the shares of both halves."""
    scrub = ns.Scrubber(policy="safe").scrub
    tokens: Counter[int] = Counter()
    wanting: Counter[tuple[int, str]] = Counter()
    for path in map(Path, sys.argv[1:]):
        for number, (_, body) in enumerate(read_notes(path)):
            text, spans = parse_marks(body)
            marked = {at for start, end, _ in spans for at in range(start, end)}
            for decision in scrub(text).decisions:
                if decision.start not in marked and text[decision.start].isalnum():
                    tokens[number % 2] += 1
                    if decision.reason in WANTING:
                        wanting[number % 2, decision.reason] += 1
    for half, name in enumerate(("read", "other")):
        shares = {why: wanting[half, why] / tokens[half] for why in WANTING}
        told = ", ".join(f"{why} {share:.2%}" for why, share in shares.items())
        print(f"{name} half: {tokens[half]} words and numbers, {sum(shares.values()):.2%} without a voucher ({told})")


if __name__ == "__main__":
    main()
