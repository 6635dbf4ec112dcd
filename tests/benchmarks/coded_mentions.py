"""Draw coded mentions from marked notes, so that somebody can read them and say how many are coded right.

    python tests/benchmarks/coded_mentions.py [--notes 100] [--mentions 300] [--seed 1] [FOLDER]

FOLDER holds marked notes as `corpus/GUIDE.md` describes them; `corpus/train` if none is given. Printed are mentions of
the groups that tables show by default, each with what stands around it, the code and its name. The same seed draws the
same mentions as long as the same are found.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import notesieve as ns
from published.notes import read_notes

ROOT = Path(__file__).resolve().parents[2]
GROUPS = ("disorder", "finding", "procedure", "drug")
# Characters shown on each side of a mention.
AROUND = 45


def mention_in_context(text: str, start: int, end: int) -> str:
    """Return a mention in angle brackets with its context, on one line.

    >>> around("No fever today.", 3, 8)
    'No <fever> today.'
    """
    shown = f"{text[max(start - AROUND, 0) : start]}<{text[start:end]}>{text[end : end + AROUND]}"
    return " ".join(shown.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "corpus" / "train")
    parser.add_argument("--notes", type=int, default=100)
    parser.add_argument("--mentions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    texts = draw.sample([note.text for note in read_notes(sorted(options.folder.glob("*.txt")))], options.notes)
    scrubber = ns.Scrubber()
    found = [(text, one) for text in texts for one in scrubber.autocode(text, groups=GROUPS) if not one.ambiguous]
    for number, (text, one) in enumerate(draw.sample(found, options.mentions), 1):
        print(f"{number}\t{one.group}\t{one.name}\t{one.code}\t{mention_in_context(text, one.start, one.end)}")
    print(f"{options.mentions} of {len(found)} mentions of {options.notes} notes")


if __name__ == "__main__":
    main()
