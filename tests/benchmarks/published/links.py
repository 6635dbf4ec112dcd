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

# The left token or text offset, the type of the link, the right token or offset.
Link = tuple[int, str, int]

PROGRAM = "link-parser"
# Two seconds of processor time per sentence, no second attempt with looser settings, no spelling corrections.
_OPTIONS = "-limit=100 -timeout=2 -panic=0 -spell=0 -verbosity=0 -graphics=0 -links=0 -echo=0 -postscript=1".split()
# The parser confirms a command on a line of its own, whether or not it found links in the sentence before it.
_COMMAND, _CONFIRMED = "!width=16381", "width set to 16381\n"
# Longer sentences would reach the time limit, and the result would depend on the machine.
_LONGEST = 40
# A sentence ends at a line end, or at a mark before a capital letter unless the mark may follow a title or an initial.
_BOUNDARY = re.compile(r"\s*\n\s*|(?<=[.?!])(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]\.)(?<!\b[A-Z][a-z][a-z]\.)[ \t]+(?=[A-Z])")
# The words, then for each link its two words, an unused level, and its type.
_LINKAGE = re.compile(r"\[\((.+?)\)\]\n\[((?:\[\d+ \d+ -?\d+ \(\S+?\)\]\s*)*)\]\n\[0\]", re.DOTALL)
_LINK = re.compile(r"\[(\d+) (\d+) -?\d+ \(([^)]+)\)\]")
# The maximum number of characters that the parser may change or leave out between two words.
_GAP = 12
# The suffixes that the parser adds to a word: its dictionary entry, or how it guessed an unknown word.
_WORD_SUFFIX = re.compile(r"(?<=.)(?:\[[!?~&]+\])?(?:\.[#=a-z][\w-]*)?$")


@dataclass(frozen=True, repr=False)
class Parse:
    """The links of a note, and the processor time of the parser. No `repr`: a traceback must not show text."""

    links: tuple[Link, ...]
    seconds: float


def parser_path() -> str:
    """Return the path of the parser; exit with the installation command if it is missing."""
    path = shutil.which(PROGRAM)
    if path is None:
        raise SystemExit(
            f"{PROGRAM} is not on PATH: install the Debian packages link-grammar and link-grammar-dictionaries-en, "
            "or leave out --links"
        )
    return path


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Split a text into sentences that are short enough for the parser."""
    ends = [(found.start(), found.end()) for found in _BOUNDARY.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    spans = zip(starts, [*(start for start, _ in ends), len(text)], strict=True)
    return [(start, end) for start, end in spans if 2 <= len(text[start:end].split()) <= _LONGEST]


def read_links(output: str, sentence: str) -> list[Link]:
    """Parse the first linkage of a sentence: the start of the left word, the type, and the start of the right word.

    The wall and words that the parser changed have no position; links to them are left out.
    """
    found = _LINKAGE.search(output)
    if found is None:
        return []
    # The first word is the wall, the parser's marker for the start of the sentence.
    places = [-1]
    lowered, at = sentence.lower(), 0
    for printed in found[1].replace("\n", "").split(")(")[1:]:
        bare = printed[1:-1] if re.fullmatch(r"\[.+\]", printed) else _WORD_SUFFIX.sub("", printed)
        start = lowered.find(bare.lower(), at, at + len(bare) + _GAP)
        places.append(start)
        at = start + len(bare) if start >= 0 else at
    links = [(places[int(left)], kind, places[int(right)]) for left, right, kind in _LINK.findall(found[2])]
    return [(left, kind, right) for left, kind, right in links if left >= 0 and right >= 0]


def _run_parser(lines: Sequence[str]) -> list[str]:
    """Return the output of the parser for each sentence."""
    path = parser_path()
    # Start each sentence with a space, since a line that starts with "!" or "%" is a command.
    asked = "".join(f" {' '.join(line.split())}\n{_COMMAND}\n" for line in lines)
    # No `check`: the exception would hold the output of the parser.
    done = subprocess.run(
        [path, "en", *_OPTIONS], input=asked.encode(), capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    outputs = done.stdout.decode(errors="replace").split(_CONFIRMED)[:-1]
    if done.returncode or len(outputs) != len(lines):
        raise SystemExit(f"{PROGRAM} failed (exit status {done.returncode}): try `echo It works. | {PROGRAM} en`")
    return outputs


@cache
def parse_links(note: Note) -> Parse:
    """Return the links between the tokens of a note; results are cached."""
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
    """Return for each token its two nearest links on either side, with types and the lemmas of the other words."""
    rows: list[list[str]] = [[] for _ in lemmas]
    for left, kind, right in sorted(links, key=lambda link: (link[2] - link[0], link)):
        for own, feature in ((left, f"s+{kind} {lemmas[right]}"), (right, f"s-{kind} {lemmas[left]}")):
            if sum(known.startswith(feature[:2]) for known in rows[own]) < 2:
                rows[own].append(feature)
    return rows
