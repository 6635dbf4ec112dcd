"""Today's de-identifiers and notesieve on the same notes, in one run.

    python tests/benchmarks/compare_tools.py [GOLD ...] --environments .cache/compared [--limit 100] [-o FILE.json]

GOLD is a folder of marked notes in any format that `notesieve evaluate` reads, or a batch of ``corpus/``; the default
is all test batches. Each tool runs with its defaults in an environment of its own, ``ENVIRONMENTS/TOOL/bin/python``,
which `make compare` creates; tools without one are left out and reported. Only figures are printed, no leaks.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import notesieve as ns
from compared_tool import TOOLS
from marked_text import write_figures_if_asked
from published.notes import gold_of, read_notes

HEADER = (
    "| tool | version | recall | precision | other tokens kept | notes without a leak | strict F1 | notes/s "
    "| unfinished |\n"
    "|---|---|--:|--:|--:|--:|--:|--:|--:|"
)
Predicted = Mapping[str, list[list[Any]]]


def read_gold(paths: list[Path], limit: int | None) -> ns.Gold:
    """Read folders and batches of marked notes as one gold standard."""
    notes: dict[str, str] = {}
    spans: dict[str, list[dict[str, Any]]] = {}
    for path in paths:
        gold = ns.Gold.read(path) if path.is_dir() else gold_of(read_notes([path]))
        for doc in list(gold.notes)[:limit]:
            name = f"{path.stem}/{doc}"
            notes[name], spans[name] = gold.notes[doc], gold.spans.get(doc, [])
    return ns.Gold(notes, spans)


def run_tool(python: Path, tool: str, notes: Mapping[str, str], script: Path) -> tuple[Predicted, dict[str, Any]]:
    """Run a tool in its environment; return its spans and the summary that it prints."""
    lines = "".join(json.dumps({"doc": doc, "text": text}) + "\n" for doc, text in notes.items())
    # The log of a tool may hold words of a note: show only its own last line.
    done = subprocess.run([python, script, tool], input=lines, capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.splitlines()[-1:]
        reason = last[0] if last and last[0].startswith(f"{tool}: ") else f"{tool}: exit code {done.returncode}"
        sys.exit(f"a tool stopped: {reason}")
    *found, summary = map(json.loads, done.stdout.splitlines())
    return {each["doc"]: [span if span[2] else span[:2] for span in each["spans"]] for each in found}, summary


def run_notesieve(notes: Mapping[str, str]) -> tuple[Predicted, dict[str, Any]]:
    """Run notesieve with its default policy, on one thread."""
    scrubber = ns.Scrubber()
    scrubber.scrub("No fever.")
    began = time.process_time()
    scrubbed = scrubber.scrub_many(notes.values(), threads=1)
    seconds = time.process_time() - began
    # An unlisted word is removed without a category.
    predicted = {
        doc: [[each.start, each.end, *[each.category] * (each.category != "UNLISTED")] for each in note.removed]
        for doc, note in zip(notes, scrubbed, strict=True)
    }
    return predicted, {"tool": "notesieve", "version": ns.__version__, "seconds": seconds, "unfinished": 0}


def score_tool(gold: ns.Gold, predicted: Predicted, run: Mapping[str, Any]) -> dict[str, Any]:
    """Score the spans of a tool."""
    found = ns.evaluate(gold, predicted, draws=0)
    return {
        **run,
        "recall": found["token"]["recall"],
        "precision": found["token"]["precision"],
        "kept": found["retained_nonphi"]["value"],
        "clean": found["document"]["zero_leak"]["value"],
        "strict_f1": found["span"].get("exact_typed", {}).get("F1"),
        "notes_per_second": len(gold) / max(run["seconds"], 1e-9),
    }


def markdown_table(rows: list[dict[str, Any]]) -> str:
    """Return the rows as a Markdown table."""
    lines = [HEADER]
    for each in rows:
        strict = "-" if each["strict_f1"] is None else f"{each['strict_f1']:.3f}"
        lines.append(
            f"| {each['tool']} | {each['version']} | {each['recall']:.4f} | {each['precision']:.3f} "
            f"| {each['kept']:.4f} | {each['clean']:.3f} | {strict} "
            f"| {each['notes_per_second']:,.1f} | {each['unfinished']} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Run all installed tools and print the table."""
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", nargs="*", type=Path, help="folders of marked notes, or batches (default: corpus/test)")
    parser.add_argument("--environments", type=Path, required=True, help="folder with one environment for each tool")
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=list(TOOLS))
    parser.add_argument("--limit", type=int, help="the first notes of each path only")
    parser.add_argument("-o", "--output", type=Path, help="write the rows here as JSON")
    asked = parser.parse_args(arguments)
    os.environ["NOTESIEVE_THREADS"] = "1"
    gold = read_gold(asked.gold or sorted((here.parents[1] / "corpus" / "test").glob("T*.txt")), asked.limit)
    words = sum(len(text.split()) for text in gold.notes.values())
    print(f"{len(gold)} notes, {words:,} words\n")
    rows = [score_tool(gold, *run_notesieve(gold.notes))]
    for tool in asked.tools:
        python = asked.environments / tool / "bin" / "python"
        if python.exists():
            rows.append(score_tool(gold, *run_tool(python, tool, gold.notes, here / "compared_tool.py")))
        else:
            print(f"{tool} is left out: there is no {python}", file=sys.stderr)
    print(markdown_table(rows))
    write_figures_if_asked(asked.output, rows)


if __name__ == "__main__":
    main()
