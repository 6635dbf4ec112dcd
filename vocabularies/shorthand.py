"""Finds words of marked notes that could go onto the list of clinical words: on no list, and nobody's name.

    python vocabularies/shorthand.py corpus/train/*.txt

Of every second note of each batch, so that the others can measure what the words bring. A word is left out that is a
name of the census, of a town, a county, of the pools or of a locale of Faker, that stands in a mark of any note
given, or that is one slip (a letter more, less or another) from a common name, unless ten notes write it. Who reads the
words that are left puts them into `lexicon/clinical.txt`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from faker.config import AVAILABLE_LOCALES
from faker.factory import Factory

import notesieve as ns

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "corpus"))
from check import parse_marks, read_notes  # noqa: E402

# Names that so many bear, at least, are common.
COMMON = 20_000
# What so many notes write is no slip.
USUAL = 10


def read_name_counts(path: Path) -> dict[str, int]:
    """Read names and how many bear them."""
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {name.lower(): int(count) for name, count in lines}


def faker_names() -> Iterator[str]:
    """Give every name of every locale of Faker, and its towns."""
    for locale in AVAILABLE_LOCALES:
        for kind in ("person", "address"):
            provider, _, _ = Factory._find_provider_class(f"faker.providers.{kind}", locale)
            for values in vars(provider).values():
                if isinstance(values, list | tuple | dict):
                    yield from (value for value in values if isinstance(value, str))


def split_words(text: str) -> set[str]:
    """Give the words of a text in small letters."""
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


def one_letter_edits(word: str) -> Iterator[str]:
    """Give what is one letter more, less or other than a word."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for at in range(len(word) + 1):
        for letter in letters:
            yield word[:at] + letter + word[at:]
            yield word[:at] + letter + word[at + 1 :]
        yield word[:at] + word[at + 1 :]


def main() -> None:
    """Print the words."""
    census = [read_name_counts(HERE / "census" / name) for name in ("surnames.tsv", "first-names.tsv")]
    names = {part for table in census for part in table}
    common = {name for table in census for name, count in table.items() if count >= COMMON}
    for path in [*(HERE / "places").glob("c*.tsv"), *(HERE.parent / "corpus/pools").glob("*/*.txt")]:
        if path.name != "words.txt":
            names |= split_words(path.read_text(encoding="utf-8"))
    names |= {word for name in faker_names() for word in split_words(name)}
    plain: Counter[str] = Counter()
    marked: set[str] = set()
    for path in map(Path, sys.argv[1:]):
        for number, (_, body) in enumerate(read_notes(path)):
            text, spans = parse_marks(body)
            marked |= {word for start, end, kind in spans if kind[0] != "?" for word in split_words(text[start:end])}
            if number % 2 == 0:
                rest = list(text)
                for start, end, _ in spans:
                    rest[start:end] = " " * (end - start)
                plain.update(split_words("".join(rest)))
    # Of what the lists do not know the model must think that it is rather no name.
    scrub = ns.Scrubber(policy=ns.Policy("safe", strictness=1)).scrub
    for word in sorted(plain.keys() - marked - names):
        unlisted = [decision.reason for decision in scrub(f"with {word} today").decisions][1:-1] == ["unlisted"]
        if unlisted and not (
            len(word) > 3 and plain[word] < USUAL and any(other in common for other in one_letter_edits(word))
        ):
            print(word)


if __name__ == "__main__":
    main()
