"""Find candidates for the list of clinical words in marked notes: words on no list that are nobody's name.

    python vocabularies/shorthand.py corpus/train/*.txt

The words come from every second note of each batch, so that the others can measure their effect. A word is left out if
it is a name in the census, of a town, a county, of the pools or of a locale of Faker, if it occurs in a mark of any of
the notes, or if it is one edit (a letter more, less or replaced) from a common name, unless ten notes have it. A
person reads the remaining words and adds them to `lexicon/clinical.txt`.
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

# The minimum number of bearers of a common name.
COMMON = 20_000
# A word in at least this many notes is not a typing error.
MIN_NOTES = 10


def read_name_counts(path: Path) -> dict[str, int]:
    """Return names and their numbers of bearers."""
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {name.lower(): int(count) for name, count in lines}


def faker_names() -> Iterator[str]:
    """Yield every name and every town of every locale of Faker."""
    for locale in AVAILABLE_LOCALES:
        for kind in ("person", "address"):
            provider, _, _ = Factory._find_provider_class(f"faker.providers.{kind}", locale)
            for values in vars(provider).values():
                if isinstance(values, list | tuple | dict):
                    yield from (value for value in values if isinstance(value, str))


def split_words(text: str) -> set[str]:
    """Return the words of a text in lower case."""
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


def one_letter_edits(word: str) -> Iterator[str]:
    """Yield all strings one letter longer, shorter or different."""
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
    # Keep only words on no list that the model, at the lowest strictness, still finds unlikely to be names.
    scrub = ns.Scrubber(policy=ns.Policy("safe", strictness=1)).scrub
    for word in sorted(plain.keys() - marked - names):
        unlisted = [decision.reason for decision in scrub(f"with {word} today").decisions][1:-1] == ["unlisted"]
        if unlisted and not (
            len(word) > 3 and plain[word] < MIN_NOTES and any(other in common for other in one_letter_edits(word))
        ):
            print(word)


if __name__ == "__main__":
    main()
