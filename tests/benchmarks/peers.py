"""Compare notesieve's concept match with other multi-pattern matchers: same text, same terms, one core, one run.

    python peers.py target/bench/notes.txt [TERMS.txt] [--megabytes 8] [-o report/peers.json]

TERMS.txt has one term per line; the default is the terms of the embedded vocabulary. Each matcher runs in its own
process on the same processor: it reads the terms, is built, and passes over the notes three times; the fastest pass
counts. All get lower-case terms and, outside the timing, lower-case text, except FlashText and notesieve, which fold
case themselves. Aho-Corasick automata do not know words: their matches inside a longer word are removed outside the
timing and reported separately. Packages: ``pip install 'notesieve[bench]'``; a missing peer is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from marked_text import write_figures_if_asked

Spans = list[tuple[int, int]]
PASSES = 3


def read_notes(path: Path, megabytes: float) -> list[str]:
    """Return the notes of a text file with form feeds between them, up to a size."""
    notes, size = [], 0.0
    for note in path.read_text(encoding="utf-8").split("\f"):
        if note and size < megabytes * 1e6:
            notes.append(note)
            size += len(note.encode())
    return notes


def export_terms(path: Path) -> None:
    """Write the terms of the embedded vocabulary, one per line, in folded form as the lookup uses them."""
    from notesieve import Vocabulary

    terms = Vocabulary.default().prefix("", limit=100_000_000)
    path.write_text("".join(f"{term}\n" for term, _ in terms), encoding="utf-8")


def read_terms(path: Path) -> list[str]:
    """Return the distinct terms in lower case."""
    return list(dict.fromkeys(line.strip().lower() for line in path.open(encoding="utf-8") if line.strip()))


# Each builder takes the terms and returns the function to time, the function that prepares a note for it, and the
# function that converts its result to spans.
Matcher = tuple[Callable[[Any], Any], Callable[[str], Any], Callable[[Any], Spans]]


def pyahocorasick(terms: list[str]) -> Matcher:
    """Build Aho-Corasick in C over code points, leftmost-longest."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for term in terms:
        automaton.add_word(term, len(term))
    automaton.make_automaton()
    return (
        lambda text: list(automaton.iter_long(text)),
        str.lower,
        lambda found: [(end + 1 - size, end + 1) for end, size in found],
    )


def daachorse_bytes(terms: list[str]) -> Matcher:
    """Build double-array Aho-Corasick in Rust over bytes, leftmost-longest."""
    import daachorse

    automaton = daachorse.DoubleArrayAhoCorasick(
        [term.encode() for term in terms], daachorse.MATCH_KIND_LEFTMOST_LONGEST
    )
    return automaton.find, lambda text: text.lower().encode(), lambda found: [(s, e) for s, e, _ in found]


def daachorse_chars(terms: list[str]) -> Matcher:
    """Build double-array Aho-Corasick in Rust over code points, leftmost-longest."""
    import daachorse

    automaton = daachorse.CharwiseDoubleArrayAhoCorasick(terms, daachorse.MATCH_KIND_LEFTMOST_LONGEST)
    return automaton.find, str.lower, lambda found: [(s, e) for s, e, _ in found]


def flashtext(terms: list[str]) -> Matcher:
    """Build a trie of Python dictionaries over whole words."""
    from flashtext import KeywordProcessor

    processor = KeywordProcessor()
    for term in terms:
        processor.add_keyword(term)
    return (
        lambda text: processor.extract_keywords(text, span_info=True),
        lambda text: text,
        lambda found: [(s, e) for _, s, e in found],
    )


def notesieve(terms: list[str]) -> Matcher:  # noqa: ARG001  the terms are those of its embedded vocabulary
    """Build notesieve itself with its embedded vocabulary, which returns concepts as Python objects."""
    import notesieve

    scrubber = notesieve.Scrubber()
    find = partial(scrubber.autocode, identifying=True)
    return find, lambda text: text, lambda found: [(c.start, c.end) for c in found]


MATCHERS: dict[str, tuple[str, Callable[[list[str]], Matcher]]] = {
    "notesieve": ("notesieve", notesieve),
    "daachorse, bytes": ("daachorse", daachorse_bytes),
    "daachorse, code points": ("daachorse", daachorse_chars),
    "pyahocorasick": ("pyahocorasick", pyahocorasick),
    "FlashText": ("flashtext", flashtext),
}


def count_whole_words(text: str | bytes, spans: Spans) -> int:
    """Count the spans that begin and end at a word boundary."""

    def is_word_character(at: int) -> bool:
        return 0 <= at < len(text) and text[at : at + 1].isalnum()

    return sum(
        not (is_word_character(s - 1) and is_word_character(s))
        and not (is_word_character(e - 1) and is_word_character(e))
        for s, e in spans
    )


def resident_megabytes() -> float:
    """Return the resident memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def time_matcher(name: str, notes: list[str], terms: list[str]) -> dict[str, Any]:
    """Build and time one matcher; return its row of the table."""
    package, builder = MATCHERS[name]
    before = resident_megabytes()
    begin = time.perf_counter()
    match, prepare, spans_of = builder(terms)
    built = time.perf_counter() - begin
    grown = resident_megabytes() - before
    prepared = [prepare(note) for note in notes]
    seconds = []
    for _ in range(PASSES):
        begin = time.perf_counter()
        for note in prepared:
            match(note)
        seconds.append(time.perf_counter() - begin)
    found = [spans_of(match(note)) for note in prepared]
    size = sum(len(note.encode()) for note in notes)
    return {
        "matcher": name,
        "version": metadata.version(package),
        "build_seconds": round(built, 2),
        "build_megabytes": round(grown, 1),
        "megabytes_per_second": round(size / 1e6 / min(seconds), 3),
        "matches": sum(map(len, found)),
        "whole_words": sum(count_whole_words(note, spans) for note, spans in zip(prepared, found, strict=True)),
    }


def markdown_table(rows: list[dict[str, Any]]) -> str:
    """Return the rows in Markdown, with the speed of the first relative to each."""
    lines = [
        "| matcher | version | MB/s | first is faster by | matches | at word borders | build, s | build, MB |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        ratio = rows[0]["megabytes_per_second"] / row["megabytes_per_second"]
        lines.append(
            f"| {row['matcher']} | {row['version']} | {row['megabytes_per_second']:.2f} | {ratio:.1f} "
            f"| {row['matches']} | {row['whole_words']} | {row['build_seconds']} | {row['build_megabytes']} |"
        )
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Compare multi-pattern matchers on one core.")
    parser.add_argument("notes", type=Path, help="text file, a form feed between notes")
    parser.add_argument("terms", type=Path, nargs="?", help="text file, one term a line")
    parser.add_argument("--megabytes", type=float, default=8, help="how much of the text to read (default 8)")
    parser.add_argument("--matchers", nargs="+", choices=MATCHERS, default=list(MATCHERS))
    parser.add_argument("-o", "--output", type=Path, help="write the rows here as JSON")
    parser.add_argument("--one", choices=MATCHERS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)

    # One core for all, which thread pools that count processors respect too.
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    os.environ["NOTESIEVE_THREADS"] = "1"

    if options.one:
        row = time_matcher(options.one, read_notes(options.notes, options.megabytes), read_terms(options.terms))
        print(json.dumps(row))
        return
    if not options.terms:
        options.terms = options.notes.with_name("terms.txt")
        export_terms(options.terms)
    rows = []
    for name in options.matchers:
        command = [sys.executable, __file__, str(options.notes), str(options.terms), "--one", name]
        command += ["--megabytes", str(options.megabytes)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        rows.append(json.loads(done.stdout))
    print(markdown_table(rows), end="")
    write_figures_if_asked(options.output, rows)


if __name__ == "__main__":
    main()
