"""Public against private text (2013): each group of features alone and left out, one tree, the filter.

python -m published.groups                    # from tests/benchmarks; one fold of the batches of corpus/train
python -m published.groups --public FOLDER    # with counts of public text as well
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from published.comparison import score_removed
from published.counts import WordCounts, count_words, read_public_texts
from published.notes import Note, parse_note_arguments, split_by_batch
from published.public_text import FEATURE_GROUPS, PublicText

# Precision counts a hundredth of recall, as the authors chose.
_BETA = 10


def f_measure(precision: float, recall: float, beta: float = _BETA) -> float:
    """Return the F measure, in which recall counts `beta` times as much as precision."""
    return (1 + beta**2) * precision * recall / max(beta**2 * precision + recall, 1e-9)


def system_variants(counts: WordCounts | None = None) -> dict[str, dict[str, Any]]:
    """Return the variants of the system by name, with their arguments; counts of public text add three more."""
    found: dict[str, dict[str, Any]] = {
        "all features, ten rounds, filter": {},
        "ten rounds without the filter": {"neighbours": False},
        "one tree with the filter": {"rounds": 1},
        "one tree": {"rounds": 1, "neighbours": False},
    }
    found |= {f"{name} alone": {"groups": [name], "neighbours": False} for name in FEATURE_GROUPS}
    for name in FEATURE_GROUPS:
        found[f"without {name}"] = {"groups": [other for other in FEATURE_GROUPS if other != name], "neighbours": False}
    if counts:
        found["all features, counts of public text"] = {"counts": counts}
        found["the same without the filter"] = {"counts": counts, "neighbours": False}
        found["frequency alone, counts of public text"] = {
            "groups": ["frequency"],
            "counts": counts,
            "neighbours": False,
        }
    return found


def groups_table(train: Sequence[Note], test: Sequence[Note], counts: WordCounts | None = None) -> list[str]:
    """Run every variant and return the lines of a Markdown table."""
    lines = ["| way | precision | recall | F10 | kept |", "|---|--:|--:|--:|--:|"]
    for name, arguments in system_variants(counts).items():
        system = PublicText(**arguments)
        system.fit(train)
        found = score_removed(test, system.predict(test))
        precision, recall = found["token"]["precision"], found["token"]["recall"]
        shares = (precision, recall, f_measure(precision, recall), found["retained_nonphi"]["value"])
        lines.append(f"| {name} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
    return lines


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="published.groups", description=__doc__)
    parser.add_argument("--public", type=Path, help="folder of public text, whose counts are tried as well")
    asked, notes = parse_note_arguments(parser, 3000)
    train, test = split_by_batch(notes, 4)[0]
    counts = count_words(read_public_texts(asked.public)) if asked.public else None
    print(f"{len(train)} notes to train, {len(test)} of other batches to measure\n")
    print("\n".join(groups_table(train, test, counts)))


if __name__ == "__main__":
    main()
