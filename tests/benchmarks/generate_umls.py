"""Write MRCONSO.RRF, MRSTY.RRF, MRREL.RRF and MRRANK.RRF of any size, in the exact layout of the UMLS.

The terms consist of invented words whose frequencies follow Zipf's law, so that words, prefixes and whole strings are
shared as in the Metathesaurus. The same arguments give the same bytes. Ten million rows take a few minutes:

    python tests/benchmarks/generate_umls.py target/umls --rows 10000000
"""

from __future__ import annotations

import argparse
import random
from bisect import bisect
from itertools import accumulate
from pathlib import Path
from typing import Final

SYLLABLES: Final = [
    consonant + vowel + end
    for consonant in ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "th", "ph", "st", "tr"]
    for vowel in ["a", "e", "i", "o", "u", "ae", "oi"]
    for end in ["", "n", "r", "l", "s"]
]
ENDINGS: Final = [
    "itis", "oma", "osis", "emia", "ectomy", "al", "ic", "ine", "ase", "ous", "ide", "ium", "gen", "in", "",
]  # fmt: skip
# Source, term type, share of the rows, as in the Metathesaurus: half are SNOMED CT, MeSH and other large sources.
SOURCES: Final = [
    ("MSH", "MH", 8),
    ("MSH", "ET", 10),
    ("SNOMEDCT_US", "PT", 12),
    ("SNOMEDCT_US", "SY", 14),
    ("RXNORM", "SCD", 8),
    ("ICD10CM", "PT", 5),
    ("LNC", "LN", 9),
    ("NCI", "SY", 12),
    ("HPO", "SY", 2),
    ("MTH", "PN", 6),
    ("OMIM", "PT", 3),
    ("MEDCIN", "PT", 11),
]
TYPES: Final = [
    ("T047", "B2.2.1.2.1", "Disease or Syndrome", 20),
    ("T061", "B1.3.1.3", "Therapeutic or Preventive Procedure", 12),
    ("T121", "A1.4.1.1.1", "Pharmacologic Substance", 20),
    ("T109", "A1.4.1.2.1", "Organic Chemical", 15),
    ("T023", "A1.2.3.1", "Body Part, Organ, or Organ Component", 10),
    ("T033", "A2.2", "Finding", 14),
    ("T201", "A2.3.1", "Clinical Attribute", 6),
    ("T083", "A2.1.5.4", "Geographic Area", 2),
    ("T093", "A2.7.1", "Health Care Related Organization", 1),
]
OTHER_LANGUAGES: Final = ["SPA", "FRE", "GER", "JPN", "DUT"]


class Drawer:
    """Draws items by weight from a random number generator, faster than one call of `choices` per item.

    Parameters
    ----------
    weights : list of float
        One weight per item.
    generator : random.Random
        The source of the random numbers.
    """

    def __init__(self, weights: list[float], generator: random.Random) -> None:
        self._sums = list(accumulate(weights))
        self._random = generator.random

    def __call__(self) -> int:
        """Return the index of the drawn item."""
        return bisect(self._sums, self._random() * self._sums[-1], 0, len(self._sums) - 1)


def make_words(count: int, generator: random.Random) -> list[str]:
    """Return distinct invented words, short ones first, since frequent words are short."""
    words: dict[str, None] = {}
    while len(words) < count:
        # There are only some nine thousand words of one syllable.
        syllables = 1 if len(words) < min(2000, count // 4) else 2 + len(words) * 3 // count
        word = "".join(generator.choice(SYLLABLES) for _ in range(syllables)) + generator.choice(ENDINGS)
        if len(word) > 2:
            words[word] = None
    return list(words)


def write_release(folder: Path, rows: int, seed: int) -> None:
    """Write the four files of a release.

    Parameters
    ----------
    folder : Path
        The target folder; created if it does not exist.
    rows : int
        The number of rows of MRCONSO.
    seed : int
        The seed of the random numbers.
    """
    folder.mkdir(parents=True, exist_ok=True)
    generator = random.Random(seed)
    # Vocabulary grows with the power 0.7 of the text (Heaps' law); the whole UMLS has three million distinct words.
    words = make_words(max(500, int(30 * rows**0.7)), generator)
    draw_word = Drawer([1 / (place + 20) ** 0.9 for place in range(len(words))], generator)
    draw_source = Drawer([share for _, _, share in SOURCES], generator)
    draw_type = Drawer([share for _, _, _, share in TYPES], generator)
    draw_length = Drawer([12, 26, 24, 15, 9, 6, 4, 2, 1, 1], generator)
    draw_atoms = Drawer([30, 25, 17, 10, 7, 4, 3, 2, 1, 1], generator)
    chance = generator.random

    with (
        (folder / "MRCONSO.RRF").open("w", encoding="utf-8", newline="\n") as atoms,
        (folder / "MRSTY.RRF").open("w", encoding="utf-8", newline="\n") as types,
        (folder / "MRREL.RRF").open("w", encoding="utf-8", newline="\n") as relations,
    ):
        row = concept = 0
        while row < rows:
            concept += 1
            code = f"C{concept:07d}"
            tui, tree, name, _ = TYPES[draw_type()]
            types.write(f"{code}|{tui}|{tree}|{name}|AT{concept:08d}||\n")
            if concept > 1:
                # The parent has a lower number, so the relations form a tree.
                above = f"C{1 + int(chance() ** 2 * (concept - 1)):07d}"
                relations.write(
                    f"{code}|A{row + 1:08d}|AUI|PAR|{above}|A{row:08d}|AUI|inverse_isa|R{concept:08d}||"
                    f"SNOMEDCT_US|SNOMEDCT_US|||N||\n"
                )
            term = [words[draw_word()] for _ in range(draw_length() + 1)]
            for atom in range(min(draw_atoms() + 1, rows - row)):
                row += 1
                if atom:
                    # A synonym shares words with the preceding name.
                    term = term[:]
                    term[int(chance() * len(term))] = words[draw_word()]
                    if chance() < 0.3:
                        term.append(words[draw_word()])
                sab, tty, _ = SOURCES[draw_source()]
                text = " ".join(term)
                if chance() < 0.12 and len(term) > 1:
                    text = f"{' '.join(term[1:]).capitalize()}, {term[0].capitalize()}"
                elif chance() < 0.4:
                    text = text.capitalize()
                language = "ENG" if chance() < 0.7 else OTHER_LANGUAGES[row % len(OTHER_LANGUAGES)]
                suppress = "N" if chance() < 0.9 else "OEY"[row % 3]
                status, form = ("P", "PF") if atom == 0 else ("S", "PF" if row % 2 else "VO")
                atoms.write(
                    f"{code}|{language}|{status}|L{row:07d}|{form}|S{row:07d}|{'Y' if atom == 0 else 'N'}|A{row:08d}||"
                    f"{row}||{sab}|{tty}|{row}|{text}|0|{suppress}|256|\n"
                )
    ranks = "".join(
        f"{len(SOURCES) - place:04d}|{source}|{kind}|N|\n" for place, (source, kind, _) in enumerate(SOURCES)
    )
    (folder / "MRRANK.RRF").write_text(ranks, encoding="utf-8", newline="\n")


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    write_release(arguments.folder, arguments.rows, arguments.seed)


if __name__ == "__main__":
    main()
