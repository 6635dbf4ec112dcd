"""Assertion status of concepts: notesieve, medspaCy's ConText and negspaCy, on the passages of corpus/status/test.

    python tests/benchmarks/context.py [--peers PYTHON] [-o FILE] [SENTENCES.toml ...]

PYTHON is the interpreter of an environment that has both; nothing else of notesieve needs them:

    python -m venv /tmp/peers && /tmp/peers/bin/pip install medspacy negspacy

They are given where the concepts stand. All are scored on the mentions that the vocabulary of notesieve finds.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import notesieve as ns
from marked_text import replace_matches, write_figures_if_asked
from notesieve.statuses import STATUSES

HERE = Path(__file__).resolve().parent
SENTENCES = sorted((HERE.parents[1] / "corpus/status/test").glob("*.toml"))
MARK = re.compile(r"\{([^|}]*)(?:\|([^}]*))?\}")
# Repetitions of the speed measurement.
REPETITIONS = 20
# The statuses that each peer detects.
PEERS = {"medspacy": STATUSES, "negspacy": ("negated",)}

Mention = tuple[int, int, frozenset[str]]


def strip_marks(sentence: str) -> tuple[str, list[Mention]]:
    """Return a sentence without its marks, and its mentions with their statuses.

    >>> strip_marks("No {fever|negated}.")
    ('No fever.', [(3, 8, frozenset({'negated'}))])
    """
    text, found = replace_matches(MARK, sentence)
    return text, [(start, end, frozenset((mark[2] or "").split())) for start, end, mark in found]


def read_sentences(path: Path) -> list[tuple[str, list[Mention]]]:
    kinds = tomllib.loads(path.read_text(encoding="utf-8"))
    return [strip_marks(sentence) for kind in kinds.values() for sentence in kind["sentences"]]


def notesieve_statuses(texts: list[tuple[str, list[Mention]]]) -> list[list[set[str] | None]]:
    """Return the statuses of each mention; None if no concept is found."""
    scrubber = ns.Scrubber()
    statuses = []
    for text, mentions in texts:
        found = scrubber.autocode(text)
        of_text: list[set[str] | None] = []
        for start, end, _ in mentions:
            over = [one for one in found if one.start < end and start < one.end]
            of_text.append({status for one in over for status in STATUSES if getattr(one, status)} if over else None)
        statuses.append(of_text)
    return statuses


def peer_statuses(python: str, peer: str, texts: list[tuple[str, list[Mention]]]) -> tuple[list[list[set[str]]], float]:
    """Run a peer in its own environment; return its statuses, and the seconds per sentence."""
    asked = json.dumps([[text, [[start, end] for start, end, _ in mentions]] for text, mentions in texts])
    script = HERE / "context_peers.py"
    done = subprocess.run([python, script, peer], input=asked, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return [[set(one) for one in of_text] for of_text in answer["statuses"]], answer["seconds"]


def scores_by_status(
    texts: list[tuple[str, list[Mention]]], statuses: list[list[set[str] | None]]
) -> dict[str, dict[str, float]]:
    """Return precision, recall and F1 by status; mentions without a concept are not counted."""
    table = {}
    for status in STATUSES:
        right = wrong = missed = 0
        for (_, mentions), of_text in zip(texts, statuses, strict=True):
            for (_, _, gold), found in zip(mentions, of_text, strict=True):
                if found is None:
                    continue
                right += status in gold and status in found
                wrong += status in found and status not in gold
                missed += status in gold and status not in found
        precision, recall = right / max(right + wrong, 1), right / max(right + missed, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        table[status] = {"mentions": right + missed, "precision": precision, "recall": recall, "f1": f1}
    return table


def _measure_speed(texts: list[tuple[str, list[Mention]]]) -> float:
    scrubber = ns.Scrubber()
    start = time.perf_counter()
    for _ in range(REPETITIONS):
        for text, _ in texts:
            scrubber.autocode(text)
    return (time.perf_counter() - start) / REPETITIONS / len(texts)


def _print_table(name: str, table: dict[str, dict[str, float]]) -> None:
    for status, row in table.items():
        shares = " ".join(f"{row[measure]:.3f}" for measure in ("precision", "recall", "f1"))
        print(f"{name:<24}{status:<14}{row['mentions']:>5.0f}  {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentences", nargs="*", type=Path, default=SENTENCES)
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has medspacy and negspacy")
    parser.add_argument("-o", "--output", type=Path, help="a JSON file for the figures")
    options = parser.parse_args()
    figures: dict[str, object] = {}
    print(f"{'':<24}{'status':<14}{'n':>5}  P     R     F1")
    for path in options.sentences:
        texts = read_sentences(path)
        found = notesieve_statuses(texts)
        lost = sum(one is None for of_text in found for one in of_text)
        ours = scores_by_status(texts, found)
        _print_table(f"notesieve {path.stem}", ours)
        figures[path.stem] = {"notesieve": ours, "not found": lost, "seconds": _measure_speed(texts)}
        print(f"{'':<24}{len(texts)} sentences, {lost} mentions not in the vocabulary")
        print(f"{'':<24}{1e6 * figures[path.stem]['seconds']:.0f} µs per sentence, lookup of terms included")
        for peer, statuses_of_peer in PEERS.items() if options.peers else ():
            statuses, seconds = peer_statuses(options.peers, peer, texts)
            both = [
                [None if ours_found is None else one for one, ours_found in zip(of_text, of_ours, strict=True)]
                for of_text, of_ours in zip(statuses, found, strict=True)
            ]
            scores = scores_by_status(texts, both)
            theirs = {status: scores[status] for status in statuses_of_peer}
            _print_table(f"{peer} {path.stem}", theirs)
            print(f"{'':<24}{1e6 * seconds:.0f} µs per sentence, concepts given")
            figures[path.stem] |= {peer: theirs, f"{peer} seconds": seconds}
    write_figures_if_asked(options.output, figures)


if __name__ == "__main__":
    sys.exit(main())
