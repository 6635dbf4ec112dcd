"""Draw the name pools from the lists in `vocabularies/`: one for training, one for measuring, with no name in common.

    python corpus/pools/draw.py

A hash assigns each name to a pool, so the pools stay disjoint when the lists grow.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
LISTS = HERE.parent.parent / "vocabularies"
NAMES, CITIES = 12_000, 4_000  # names per pool
COMMON = 300  # an ordinary word with more bearers counts as a name


def read_word_counts(path: str) -> dict[str, int]:
    """Return the words of a list with their counts."""
    rows = (line.split("\t") for line in (LISTS / path).read_text(encoding="utf-8").splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and re.fullmatch(r"[a-z]{3,}", row[0])}


def hash_rank(word: str) -> int:
    """Return the rank of a word in an order that does not depend on its spelling."""
    return int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")


def main() -> None:
    """Write both pools."""
    surnames, first = read_word_counts("census/surnames.tsv"), read_word_counts("census/first-names.tsv")
    english = set((LISTS / "english/words.txt").read_text(encoding="utf-8").split())
    cities = {line.split("\t")[0].casefold() for line in (LISTS / "places/cities.tsv").open(encoding="utf-8")}
    known = {
        word for word in english if 3 <= len(word) <= 9 and max(surnames.get(word, 0), first.get(word, 0)) > COMMON
    }
    pools = {
        "words": sorted(known, key=hash_rank),
        "names": sorted((surnames.keys() | first.keys()) - english, key=hash_rank),
        "cities": sorted((city for city in cities if re.fullmatch(r"[a-z]{4,}", city)), key=hash_rank),
    }
    for name, words in pools.items():
        most = {"names": NAMES, "cities": CITIES}.get(name, len(words))
        for pool, parity in (("train", 0), ("measure", 1)):
            chosen = [word for word in words if hash_rank(word) % 2 == parity][:most]
            folder = HERE / pool
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.txt").write_text("\n".join(sorted(chosen)) + "\n", encoding="utf-8")
            print(pool, name, len(chosen))


if __name__ == "__main__":
    main()
