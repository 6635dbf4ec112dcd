"""How many notes must be marked? Adapts a model to a growing number of notes of batches that it was not trained on.

The model comes from the batches that are left, so that nothing of the measured ones is in it::

    cargo run --profile learn -p notesieve-models --example learn -- model BATCHES_LEFT.txt -o base.model
    python tests/benchmarks/learning_curve.py corpus/train/T5.txt corpus/train/T7.txt --model base.model

Each batch is one site. It is divided once: one half is measured, of the other the first 0, 10, 25 and more notes are
learned from; then the halves change places. Several batches given as A.txt+B.txt are one site. Compared is at the same
share of other tokens kept, by interpolation between strictnesses.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import notesieve as ns

SIZES = [0, 10, 25, 50, 100, 200]
STRICTNESS = [1, 2, 4, 8, 16, 32, 64]
_MARK = re.compile(r"\[\[(\??[A-Z]+)(?:/[A-Z]+)?:(.*?)\]\]", re.DOTALL)
_NAMES = {"NAME": "NAME", "LOC": "LOCATION", "DATE": "DATE", "AGE": "AGE", "CONTACT": "CONTACT", "ID": "ID"}


def read(path: Path) -> dict[str, tuple[str, list[dict[str, Any]]]]:
    """Read the marked notes of a batch."""
    found = {}
    parts = re.split(r"(?m)^=== (.*)\n", path.read_text(encoding="utf-8"))[1:]
    for head, body in zip(parts[::2], parts[1::2], strict=True):
        text, spans, at = "", [], 0
        body = body.strip("\n")
        for mark in _MARK.finditer(body):
            text += body[at : mark.start()]
            kind = mark[1].removeprefix("?")
            span = {"start": len(text), "end": len(text) + len(mark[2]), "category": _NAMES[kind]}
            spans.append(span | {"hipaa": not mark[1].startswith("?")})
            text, at = text + mark[2], mark.end()
        found[f"{path.stem}-{head.split('|')[0].strip()}"] = (text + body[at:] + "\n", spans)
    return found


def gold_of(notes: dict[str, tuple[str, list[dict[str, Any]]]], docs: list[str]) -> ns.Gold:
    return ns.Gold({doc: notes[doc][0] for doc in docs}, {doc: notes[doc][1] for doc in docs})


def points(gold: ns.Gold, model: ns.Model) -> list[tuple[int, int, int, int]]:
    """Count leaks, marked tokens, other tokens kept and other tokens for each strictness."""
    found = []
    for strictness in STRICTNESS:
        scrubber = ns.Scrubber(ns.Policy("safe", strictness=strictness), model=model)
        report = ns.evaluate(gold, scrubber, draws=0)
        token, kept = report["token"], report["retained_nonphi"]
        found.append((token["fn"], token["tp"] + token["fn"], kept["part"], kept["whole"]))
    return found


def leaks_at(curve: list[list[float]], share: float) -> float:
    """Read the leaks at a share kept from a curve of (share kept, leaks)."""
    for (one, low), (two, high) in pairwise(curve):
        if min(one, two) <= share <= max(one, two):
            part = 0.0 if one == two else (share - one) / (two - one)
            return low + part * (high - low)
    return min(curve, key=lambda point: abs(point[0] - share))[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="+", help="BATCH.txt, or several joined by +")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--train", default="{}", help="JSON: arguments of ns.learning.train")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    base = ns.Model.open(options.model)
    more = json.loads(options.train)
    sums: dict[int, dict[str, list[tuple[int, ...]]]] = {}
    for site in options.sites:
        notes = {doc: row for path in site.split("+") for doc, row in read(Path(path)).items()}
        docs = sorted(notes, key=lambda doc: sha256(doc.encode()).digest())
        sizes = [size for size in map(int, options.sizes.split(",")) if size <= len(docs) * 4 // 5]
        for turn in (0, 1):
            order = docs if turn == 0 else docs[::-1]
            test = max(len(docs) // 2, 0) if max(sizes) <= len(docs) // 2 else len(docs) - max(sizes)
            measured, learned = gold_of(notes, order[:test]), order[test:]
            for size in sizes:
                begin = time.perf_counter()
                model = base
                if size:
                    scrubber = ns.Scrubber(model=base)
                    model = ns.learning.train(gold_of(notes, learned[:size]), scrubber=scrubber, folds=0, **more).model
                seconds = time.perf_counter() - begin
                sums.setdefault(size, {}).setdefault(site, []).append(tuple(points(measured, model)))
                print(f"{site} {turn} {size:4} {seconds:6.1f} s", flush=True)
    rows = []
    for site in options.sites:
        whole = {
            size: [[sum(column) for column in zip(*rows, strict=True)] for rows in zip(*by[site], strict=True)]
            for size, by in sums.items()
            if site in by
        }
        curves = {size: [[row[2] / row[3], row[0]] for row in found] for size, found in whole.items()}
        share = curves[0][STRICTNESS.index(8)][0]
        for size, curve in curves.items():
            leaks, marked = leaks_at(curve, share), whole[size][0][1]
            at_eight = whole[size][STRICTNESS.index(8)]
            row = {"site": site, "notes": size, "leaks": leaks, "marked": marked, "kept": share}
            row |= {"recall": 1 - leaks / marked, "leaks_at_8": at_eight[0], "kept_at_8": at_eight[2] / at_eight[3]}
            rows.append(row)
            print(
                " ".join(
                    f"{name}={value:.4g}" if isinstance(value, float) else str(value) for name, value in row.items()
                )
            )
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
