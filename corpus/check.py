"""Find marks that do not parse, and text that looks like a missed mark.

    python corpus/check.py [--errors] FILE...

Errors (a mark that does not parse, a malformed head, a duplicate identifier) lead to exit code 1. Suspicions are for a
person to review; ordinary words in their ordinary sense may stay. `--errors` hides the suspicions.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

MARK = re.compile(r"\[\[(\??[A-Z]+(?:/[A-Z]+)?):(.*?)\]\]", re.DOTALL)
HEAD = re.compile(r"[^|]+\|[^|]+\|[^|]+(?:\| author=\w+)?")
OK = set(
    "NAME/P NAME/S NAME/R NAME DATE ?DATE AGE LOC/STREET LOC/CITY LOC/ZIP LOC/HOSP LOC/ORG ?LOC CONTACT ID".split()
)
SUSPICIOUS = [
    re.compile(pattern)
    for pattern in (
        r"\b\d{1,2}/\d{1,2}/\d{2,4}\b",
        r"\b\d{3}[-. ]\d{3}[-. ]\d{4}\b",
        r"\b\d{4}-\d{2}-\d{2}\b",
        r"\S+@\S+\.\w+",
        r"(?i)\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}\b",
        r"(?i)\b(?:mrn|ssn|acct|nhs)[#: no.]*\d+",
        r"(?i)\b(?:mr|mrs|ms|dr)\.? +[A-Z][a-z]+",
        r"\b(?:9\d|10\d)[- ]?(?:y[./]?o|year)",
    )
]


def parse_marks(body: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Return the text of a note without marks, and the span and kind of each mark."""
    text, spans, at = "", [], 0
    for mark in MARK.finditer(body):
        text += body[at : mark.start()]
        spans.append((len(text), len(text) + len(mark[2]), mark[1]))
        text += mark[2]
        at = mark.end()
    return text + body[at:], spans


def read_notes(path: Path) -> Iterator[tuple[str, str]]:
    """Yield head and body of each note of a batch."""
    parts = re.split(r"^=== (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for head, body in zip(parts[1::2], parts[2::2], strict=True):
        yield head.strip(), body.strip("\n") + "\n"


def find_errors(head: str, body: str) -> Iterator[str]:
    """Yield the errors of a note, by position and kind and without its text."""
    text, spans = parse_marks(body)
    for start, end, kind in spans:
        if kind not in OK:
            yield f"unknown mark {kind} at {start}"
        if text[start:end] != text[start:end].strip() or "\n\n" in text[start:end]:
            yield f"blank at the border of the mark at {start}"
    if "[[" in text or "]]" in text:
        yield "marks that do not parse"
    if not HEAD.fullmatch(head):
        yield "the head is not `ID | genre | country`, with or without ` | author=NAME`"


def find_possible_misses(body: str) -> Iterator[str]:
    """Yield possible missed marks."""
    text, spans = parse_marks(body)
    rest = list(text)
    for start, end, _ in spans:
        rest[start:end] = "\0" * (end - start)
    left = "".join(rest)
    for pattern in SUSPICIOUS:
        yield from (f"missed? {found.group()!r}" for found in pattern.finditer(left))
    names = (text[start:end] for start, end, kind in spans if kind.startswith("NAME"))
    for word in sorted({word for name in names for word in re.findall(r"[^\W\d_]{3,}", name)}):
        if re.search(rf"\b{re.escape(word)}\b", left):
            yield f"unmarked elsewhere? {word}"


def main(arguments: list[str]) -> int:
    """Check batches."""
    parser = argparse.ArgumentParser(description="Check marked notes.")
    parser.add_argument("paths", metavar="FILE", nargs="+", type=Path)
    parser.add_argument("--errors", action="store_true", help="print errors only")
    options = parser.parse_args(arguments)
    kinds: Counter[str] = Counter()
    heads: Counter[str] = Counter()
    words = wrong = 0
    for path in options.paths:
        for head, body in read_notes(path):
            heads[head.split("|")[0].strip()] += 1
            text, spans = parse_marks(body)
            words += len(text.split())
            kinds.update(kind for _, _, kind in spans)
            for error in find_errors(head, body):
                wrong += 1
                print(f"{path}: {head}: {error}")
            if not options.errors:
                for suspicion in find_possible_misses(body):
                    print(f"{path}: {head}: {suspicion}")
    twice = [head for head, count in heads.items() if count > 1]
    if twice:
        print(f"identifiers given twice: {', '.join(twice)}")
    if not options.errors:
        print(f"{sum(heads.values())} notes, {words} words, marks: {dict(kinds)}")
    return 1 if wrong or twice else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
