#!/usr/bin/env python3
"""Compare the project's scores with those of the reference scorer, count by count.

    compare_scorers.py SCORER.py GOLD_DIR [GOLD_DIR ...] [--predictions FILE ...]

SCORER is the reference (``score(notes, gold, predictions) -> (report, leaks)`` and ``load(folder)``). Without
``--predictions`` it scores four trivial systems: one removes every number, one every capitalised word, one numbers and
pairs of capitalised words with a category, one nothing. The exit status is 1 if any figure differs.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from typing import Any

import notesieve as ns

Spans = dict[str, list[list[Any]]]


def simple_systems(notes: dict[str, str]) -> dict[str, Spans]:
    """Return the predictions of four systems that need no knowledge."""

    def spans_matching(pattern: str, *more: Any) -> Spans:
        return {doc: [[m.start(), m.end(), *more] for m in re.finditer(pattern, text)] for doc, text in notes.items()}

    mixed = {
        doc: [
            [m.start(), m.end(), "DATE" if m.group()[0].isdigit() else "NAME"]
            for m in re.finditer(r"\d+|[A-Z]\w+ [A-Z]\w+", text)
        ]
        for doc, text in notes.items()
    }
    return {"digits": spans_matching(r"\d+"), "capitals": spans_matching(r"\b[A-Z]\w*"), "typed": mixed, "nothing": {}}


def shared_figures(report: dict[str, Any]) -> dict[str, Any]:
    """Return the figures that both reports hold, under shared names."""
    ours = "words" in report["tokens"]
    found: dict[str, Any] = {"documents": report["documents"]}

    def copy_figures(name: str, source: dict[str, Any], *keys: str) -> None:
        for key in keys:
            found[f"{name}.{key}"] = source[key]

    scores = ("tp", "fp", "fn", "precision", "recall", "F1", "F2", "F10")
    copy_figures("tokens", report["tokens"], "phi", "nonphi")
    copy_figures("token", report["token"], *scores)
    copy_figures("strict_token", report["strict_token"], "tp", "fp", "fn")
    copy_figures(
        "span", report["span"], "gold", "predicted", "found", "touched", "precision", "recall", "F1", "F2", "F10"
    )
    copy_figures("span.exact", report["span"]["exact"], *scores)
    copy_figures("ambiguous", report["ambiguous"], "nonphi_tokens", "nonphi_retained", "phi_tokens", "phi_recall")
    value = (lambda share: share["value"]) if ours else (lambda share: share)
    found["retained"] = value(report["retained_nonphi"])
    found["zero_leak"] = value(report["document"]["zero_leak"])
    found["zero_direct_leak"] = value(report["document"]["zero_direct_leak"])
    for name, share in report["document"]["by_category"].items():
        found[f"document.{name}"] = value(share)
    for group in ("category", "subtype"):
        for name, row in report[group].items():
            copy_figures(f"{group}.{name}", row, "tokens", "token_recall", "spans", "span_recall")
    for group in ("risk", "noise"):
        for name, row in report.get(group, {}).items():
            copy_figures(f"{group}.{name}", row, "tokens", "token_recall")
    for name, row in report.get("typed_category", {}).items():
        # The reference counts removals without a category as `none`; ours assign them to no category.
        if name != "none":
            copy_figures(f"typed.{name.lower()}", row, *scores)
    for name in ("sokolova_category", "sokolova_risk"):
        copy_figures(name, report[name], "docs", "labels", "EMR", "LF", "HL", "OE")
    found["leaks"] = report["leak_count"] if not ours else sum(row["leaked_spans"] for row in report["per_document"])
    return found


def is_close(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9


def main(arguments: list[str]) -> int:
    given: list[str] = []
    if "--predictions" in arguments:
        at = arguments.index("--predictions")
        arguments, given = arguments[:at], arguments[at + 1 :]
    scorer_path, *folders = arguments
    spec = importlib.util.spec_from_file_location("scorer", scorer_path)
    assert spec and spec.loader
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    differing = 0
    for folder in folders:
        notes, gold = scorer.load(folder)
        systems = simple_systems(notes)
        if given:
            systems = {}
            for name in given:
                lines = [
                    json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines() if line.strip()
                ]
                systems[name] = {line["doc"]: line["spans"] for line in lines if line["doc"] in notes}
        for name, predictions in systems.items():
            theirs, leaks = scorer.score(notes, gold, predictions)
            theirs["strict_token"] = scorer.score(notes, gold, predictions, "L", True)[0]["token"]
            theirs["leak_count"] = len(leaks)
            expected, found = shared_figures(theirs), shared_figures(ns.evaluate(folder, predictions).report)
            wrong = [
                key for key in sorted(expected.keys() | found.keys()) if not is_close(expected.get(key), found.get(key))
            ]
            differing += len(wrong)
            print(f"{Path(folder).name:14} {Path(name).name:10} {len(expected)} figures, {len(wrong)} differ")
            for key in wrong[:10]:
                print(f"    {key}: {expected.get(key)} expected, {found.get(key)} found")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
