"""Compute how many words of texts the vocabulary knows, and how many come out.

    python tests/benchmarks/coverage.py NOTES [--vocabulary FILE] [--unknown 40]

NOTES is a folder of ``.txt`` files, or a file of JSON lines or CSV with a column of texts. A word is a token of letters
only. *Listed* words are those that a list or a term of the vocabulary vouches for, regardless of the rules; *kept*
words come out under the policy `safe`. The most frequent unknown words are printed only if they are in lower case: a
capitalised word may be a name.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import notesieve as ns


def read_texts(path: Path, column: str) -> Iterator[str]:
    """Read the texts of a folder or of a table."""
    if path.is_dir():
        for file in sorted(path.rglob("*.txt")):
            yield file.read_text(encoding="utf-8")
    elif path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as stream:
            yield from (row[column] for row in csv.DictReader(stream))
    else:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)[column]


def main() -> None:
    """Print the shares and the most frequent unknown words."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--vocabulary", type=Path)
    parser.add_argument("--column", default="text")
    parser.add_argument("--unknown", type=int, default=0, help="how many unknown words to print")
    options = parser.parse_args()
    vocabulary = ns.Vocabulary.open(options.vocabulary) if options.vocabulary else ns.Vocabulary.default()
    notes = [text for text in read_texts(options.notes, options.column) if text]
    words = kept = unlisted = 0
    reasons: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for text, note in zip(notes, ns.Scrubber(vocabulary=vocabulary).scrub_many(notes, explain=True), strict=True):
        for decision in note.decisions:
            word = text[decision.start : decision.end].strip()
            if not word.isalpha():
                continue
            words += 1
            kept += decision.action != "remove"
            unlisted += decision.reason == "unlisted"
            reasons[decision.reason] += 1
            if decision.reason == "unlisted" and word.islower():
                unknown[word] += 1
    print(f"{len(notes):,} texts, {words:,} words; digest {vocabulary.digest}")
    print(f"listed {1 - unlisted / words:.4f}, kept {kept / words:.4f}")
    print(", ".join(f"{reason} {count / words:.4f}" for reason, count in reasons.most_common()))
    for word, count in unknown.most_common(options.unknown):
        print(f"{count:6} {word}")


if __name__ == "__main__":
    main()
