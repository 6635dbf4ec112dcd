"""Counts of public text: words, words with their part of speech, and pairs of words.

python -m published.counts FOLDER -o counts.tsv    # from tests/benchmarks; *.jsonl with "text", *.txt

The counts of the literature in ``vocabularies/`` have no parts of speech and no pairs; public text that a user names by its
path has both. Words are counted in small letters, a number as its form.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from textblob.en import parser

from published.reading import lemma_of, tags_of, tokens_of

_LITERATURE = Path(__file__).parents[3] / "vocabularies" / "literature"


class WordCounts:
    """The counts of words, tagged words and pairs of words in public text; no pair spans lines."""

    def __init__(self) -> None:
        """Start with empty counts."""
        self.words: Counter[str] = Counter()
        self.tagged: Counter[tuple[str, str]] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()

    def add(self, text: str) -> None:
        """Add the counts of a text."""
        spans = tokens_of(text)
        words = [text[start:end] for start, end in spans]
        forms = [folded_form(word) for word in words]
        self.words.update(forms)
        self.tagged.update(zip(forms, (tag[:2] for tag in tags_of(text, words, spans)), strict=True))
        self.pairs.update(
            (forms[at - 1], forms[at])
            for at in range(1, len(spans))
            if "\n" not in text[spans[at - 1][1] : spans[at][0]]
        )

    def frequencies(self, word: str, tag: str, before: str, after: str) -> tuple[float, ...]:
        """Return log counts: word and lemma, each with any part of speech and with this one, and both word pairs."""
        forms = (folded_form(word), lemma_of(word))
        found = [count for form in forms for count in (self.words[form], self.tagged[form, tag[:2]])]
        found += [self.pairs[folded_form(before), forms[0]], self.pairs[forms[0], folded_form(after)]]
        return tuple(math.log1p(count) for count in found)

    def tsv_lines(self) -> Iterator[str]:
        """Yield the counts as lines: word or pair, part of speech or nothing, count."""
        for (word, tag), count in sorted(self.tagged.items()):
            yield f"{word}\t{tag}\t{count}"
        for (one, other), count in sorted(self.pairs.items()):
            yield f"{one} {other}\t\t{count}"


def folded_form(word: str) -> str:
    """Return a word in lower case, or the shape of a number."""
    return lemma_of(word) if any(letter.isdigit() for letter in word) else word.lower()


def read_public_texts(folder: Path) -> Iterator[str]:
    """Yield the texts of a folder, in the order of its files."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".jsonl":
            yield from (json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines())
        elif path.suffix == ".txt":
            yield path.read_text(encoding="utf-8")


def count_words(texts: Iterable[str]) -> WordCounts:
    """Return the counts of texts."""
    counts = WordCounts()
    for text in texts:
        counts.add(text)
    return counts


@cache
def literature_counts() -> WordCounts:
    """Return the counts of the vocabulary; each word is counted under the tag it gets on its own."""
    counts = WordCounts()
    for path in (_LITERATURE / "counts.tsv", _LITERATURE / "words.tsv"):
        for line in path.read_text(encoding="utf-8").splitlines():
            word, number = line.split("\t")[:2]
            counts.words[word] = max(counts.words[word], int(number))
    for word, number in counts.words.items():
        counts.tagged[word, str(parser.find_tags([word])[0][1])[:2]] = number
    return counts


def main() -> None:
    """Run the command line."""
    asked = argparse.ArgumentParser(prog="published.counts", description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("-o", "--output", type=Path, required=True)
    found = asked.parse_args()
    found.output.write_text(
        "".join(f"{row}\n" for row in count_words(read_public_texts(found.folder)).tsv_lines()), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
