"""Links of the Link Grammar Parser, which is optional: ``apt-get install link-grammar link-grammar-dictionaries-en``.

The parser runs as a program and reads and writes through pipes, so that no text of a note is stored.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from published.notes import Note
from published.reading import tokens_of

# The left token or place in a text, the type of the link, the right token or place.
Link = tuple[int, str, int]

PROGRAM = "link-parser"
# Two seconds of processor time a sentence, no second attempt with looser settings, no spelling corrections.
_OPTIONS = "-limit=100 -timeout=2 -panic=0 -spell=0 -verbosity=0 -graphics=0 -links=0 -echo=0 -postscript=1".split()
# The parser confirms a command on a line of its own, whether or not it found links in the sentence before it.
_COMMAND, _CONFIRMED = "!width=16381", "width set to 16381\n"
# Longer sentences reach the time limit, which would make the result depend on the machine.
_LONGEST = 40
# A line ends a sentence, and a mark does before a capital letter unless it may follow a title or an initial.
_BOUNDARY = re.compile(r"\s*\n\s*|(?<=[.?!])(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]\.)(?<!\b[A-Z][a-z][a-z]\.)[ \t]+(?=[A-Z])")
# The words, then of each link its two words, a level without meaning, and its type.
_LINKAGE = re.compile(r"\[\((.+?)\)\]\n\[((?:\[\d+ \d+ -?\d+ \(\S+?\)\]\s*)*)\]\n\[0\]", re.DOTALL)
_LINK = re.compile(r"\[(\d+) (\d+) -?\d+ \(([^)]+)\)\]")
# How much of a sentence the parser may have changed or left out between two words.
_GAP = 12
# What the parser adds to a word: its entry of the dictionary, or how an unknown word was guessed.
_ADDED = re.compile(r"(?<=.)(?:\[[!?~&]+\])?(?:\.[#=a-z][\w-]*)?$")


@dataclass(frozen=True, repr=False)
class Parse:
    """The links of a note, and the processor time of the parser. No `repr`: a traceback must not show text."""

    links: tuple[Link, ...]
    seconds: float


def parser_path() -> str:
    """Give the path of the parser, or say how to install it."""
    path = shutil.which(PROGRAM)
    if path is None:
        raise SystemExit(
            f"{PROGRAM} is not on PATH: install the Debian packages link-grammar and link-grammar-dictionaries-en, "
            "or leave out --links"
        )
    return path


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Cut a text into sentences that are short enough for the parser."""
    ends = [(found.start(), found.end()) for found in _BOUNDARY.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    spans = zip(starts, [*(start for start, _ in ends), len(text)], strict=True)
    return [(start, end) for start, end in spans if 2 <= len(text[start:end].split()) <= _LONGEST]


def read_links(output: str, sentence: str) -> list[Link]:
    """Read the first linkage that the parser printed for a sentence: where the left word starts, type, and the right word.

    The wall and words that the parser changed have no place; links to them are left out.
    """
    found = _LINKAGE.search(output)
    if found is None:
        return []
    # The first word is the wall of the sentence.
    places = [-1]
    lowered, at = sentence.lower(), 0
    for printed in found[1].replace("\n", "").split(")(")[1:]:
        bare = printed[1:-1] if re.fullmatch(r"\[.+\]", printed) else _ADDED.sub("", printed)
        start = lowered.find(bare.lower(), at, at + len(bare) + _GAP)
        places.append(start)
        at = start + len(bare) if start >= 0 else at
    links = [(places[int(left)], kind, places[int(right)]) for left, right, kind in _LINK.findall(found[2])]
    return [(left, kind, right) for left, kind, right in links if left >= 0 and right >= 0]


def _run_parser(lines: Sequence[str]) -> list[str]:
    """Give what the parser prints for each sentence."""
    path = parser_path()
    # A space before a sentence: "!" and "%" at the start of a line are not text to the parser.
    asked = "".join(f" {' '.join(line.split())}\n{_COMMAND}\n" for line in lines)
    # Not `check`: the exception would hold what the parser printed.
    done = subprocess.run(
        [path, "en", *_OPTIONS], input=asked.encode(), capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    outputs = done.stdout.decode(errors="replace").split(_CONFIRMED)[:-1]
    if done.returncode or len(outputs) != len(lines):
        raise SystemExit(f"{PROGRAM} failed (exit status {done.returncode}): try `echo It works. | {PROGRAM} en`")
    return outputs


@cache
def parse_links(note: Note) -> Parse:
    """Give the links between the tokens of a note; results stay in memory."""
    began = sum(os.times()[:4])
    spans = split_sentences(note.text)
    outputs = _run_parser([note.text[start:end] for start, end in spans])
    token_at = {
        place: number for number, (start, end) in enumerate(tokens_of(note.text)) for place in range(start, end)
    }
    links = set()
    for (first, last), output in zip(spans, outputs, strict=True):
        for left, kind, right in read_links(output, note.text[first:last]):
            pair = token_at.get(first + left), token_at.get(first + right)
            if pair[0] is not None and pair[1] is not None and pair[0] < pair[1]:
                links.add((pair[0], kind, pair[1]))
    return Parse(tuple(sorted(links)), sum(os.times()[:4]) - began)


def link_bigrams(links: Sequence[Link], lemmas: Sequence[str]) -> list[list[str]]:
    """Give each token its two nearest links on either side, each with its type and the lemma of the other word."""
    rows: list[list[str]] = [[] for _ in lemmas]
    for left, kind, right in sorted(links, key=lambda link: (link[2] - link[0], link)):
        for own, feature in ((left, f"s+{kind} {lemmas[right]}"), (right, f"s-{kind} {lemmas[left]}")):
            if sum(known.startswith(feature[:2]) for known in rows[own]) < 2:
                rows[own].append(feature)
    return rows
