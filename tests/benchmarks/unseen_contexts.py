"""Measure how often a name that is an ordinary word comes out when only its context marks it as a name.

    python unseen_contexts.py -o report/contexts            # each line of templates/contexts.txt with 20 draws of names
    python unseen_contexts.py -o report/contexts --seed 2   # other names

Each context is a short passage of a note with slots for names. The names are everyday words (`Frost`, `Hand`,
`Grace`), so that no list removes them. Contexts of the first part were read while rules were written; no rule was
written for those of the second.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import notesieve
from marked_text import replace_matches
from unseen_layouts import FIRST, LAST
from unseen_sources import TEMPLATES

BEFORE = "Breathing is easier than last night.\n"
AFTER = "\nNo change to the tablets, bloods again in a week.\n"
SLOT = re.compile(r"\{([LF])2?\}")


@dataclass(frozen=True)
class Drawn:
    """A context with names in its slots, between two sentences."""

    part: str
    context: str
    text: str
    names: tuple[tuple[int, int], ...]


def read_contexts() -> dict[str, list[str]]:
    """Return the contexts of each part of the file."""
    parts: dict[str, list[str]] = {}
    for line in (TEMPLATES / "contexts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("%% "):
            parts[line[3:]] = []
        elif line and not line.startswith("#"):
            parts[list(parts)[-1]].append(line)
    return parts


def fill_context(part: str, context: str, rng: random.Random) -> Drawn:
    """Fill the slots of a context with names."""
    text, names = replace_matches(SLOT, context, lambda slot: rng.choice(LAST if slot[1] == "L" else FIRST))
    places = tuple((len(BEFORE) + start, len(BEFORE) + end) for start, end, _ in names)
    return Drawn(part, context, BEFORE + text + AFTER, places)


def fill_contexts(seed: int, each: int) -> Iterator[Drawn]:
    """Fill every context `each` times with random names."""
    rng = random.Random(seed)
    for part, lines in read_contexts().items():
        for context in lines:
            for _ in range(each):
                yield fill_context(part, context, rng)


def count_leaked_names(some: list[Drawn], scrubber: notesieve.Scrubber) -> dict[tuple[str, str], tuple[int, int]]:
    """Count all names and those that came out, by part and context."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for drawn in some:
        gone = [(removal.start, removal.end) for removal in scrubber.scrub(drawn.text).removed]
        left = sum(not any(first <= start and end <= last for first, last in gone) for start, end in drawn.names)
        names, out = counts.get((drawn.part, drawn.context), (0, 0))
        counts[drawn.part, drawn.context] = names + len(drawn.names), out + left
    return counts


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure notesieve on names that only their context tells.")
    parser.add_argument("-o", "--output", required=True, type=Path, help="folder for the report")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draws", type=int, default=20, help="how often names are drawn for each context")
    options = parser.parse_args(arguments)
    counts = count_leaked_names(list(fill_contexts(options.seed, options.draws)), notesieve.Scrubber())
    options.output.mkdir(parents=True, exist_ok=True)
    rows = sorted(((out / names, part, context) for (part, context), (names, out) in counts.items()), reverse=True)
    lines = [f"{share:.2f}\t{part}\t{context}\n" for share, part, context in rows if share]
    (options.output / "contexts.tsv").write_text("share left\tpart\tcontext\n" + "".join(lines), encoding="utf-8")
    print("| contexts | number | names | names right |\n|---|--:|--:|--:|")
    for part in read_contexts():
        of = [count for (its, _), count in counts.items() if its == part]
        names, out = sum(names for names, _ in of), sum(out for _, out in of)
        print(f"| {part} | {len(of)} | {names} | {1 - out / names:.3f} |")
    print(f"contexts and what comes out in each: {options.output / 'contexts.tsv'}")


if __name__ == "__main__":
    main()
