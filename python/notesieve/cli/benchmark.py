"""The command `notesieve benchmark`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from notesieve.cli.options import add_scrubber_options, make_scrubber
from notesieve.evaluation import scores
from notesieve.evaluation.licensed_corpora import CORPORA, plain_figures, read_corpus
from notesieve.files.reading_errors import as_file_errors


def add_benchmark(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "benchmark",
        help="measure on i2b2, n2c2, PhysioNet or MIMIC notes, beside published figures",
        description="Scrub the notes of a corpus that you have a licence for and print figures beside the published "
        "ones. Nothing of the notes is printed or written: no word, no form of a word, no name of a note.",
        epilog="example: notesieve benchmark i2b2-2014 testing-PHI-Gold-fixed/ -o figures.json",
    )
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("path", type=Path, metavar="PATH", help="the file or folder as it is handed out")
    add_scrubber_options(parser, site=False)
    parser.add_argument("--notes", type=int, metavar="N", help="the first N notes only")
    parser.add_argument("--predictions", type=Path, metavar="FILE", help="score another system")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.set_defaults(run=_run_benchmark)


def _run_benchmark(options: argparse.Namespace) -> int:
    gold = read_corpus(options.corpus, options.path, options.notes)
    system: Any = options.predictions
    name = f"notesieve, {Path(options.policy).stem}"
    if system is None:
        system = make_scrubber(options)
    else:
        name = "the predictions"
    found = scores.evaluate(gold, system, name=name)
    print(_score_table(options.corpus, name, found))
    if options.output is not None:
        whole = {"corpus": options.corpus, "provenance": found.provenance, **plain_figures(found.report)}
        with as_file_errors(options.output):
            options.output.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    if gold.problems:
        print(f"notesieve: {len(gold.problems)} notes or files could not be read, and were left out", file=sys.stderr)
    return 1 if gold.problems else 0


def _score_table(corpus: str, name: str, found: scores.Evaluation) -> str:
    tokens, kept = found["tokens"], found["retained_nonphi"]["value"]
    lines = [
        f"{corpus}: {found['documents']:,} notes, {tokens['phi']:,} PHI tokens, {tokens['nonphi']:,} others",
        "",
        f"other tokens kept     {100 * kept:.2f} %",
    ]
    if not tokens["phi"]:
        removed = {kind: row["fp"] for kind, row in found["typed_category"].items() if row["fp"]}
        lines += [f"  removed as {kind:10}{count:8,}" for kind, count in sorted(removed.items())]
        return "\n".join(lines)
    lines.append(f"notes without a leak  {100 * found['document']['zero_leak']['value']:.2f} %")
    lines += ["", f"{'':42}{'measure':26} recall  precision     F1  source"]
    rows: list[tuple[str, str, float | None, float | None, float | None, str]] = []
    kinds = [("tokens", "token"), ("tokens, generic words too", "strict_token")]
    ours = [(measure, found[key]) for measure, key in kinds]
    typed = found["span"].get("exact_typed")
    ours += [("entities, strict", typed)] if typed else []
    for measure, row in ours:
        rows.append((name, measure, *(100 * row[key] for key in ("recall", "precision", "F1")), "this run"))
    rows += [
        (each.system, each.measure, each.recall, each.precision, each.f1, each.source)
        for each in CORPORA[corpus].published
    ]
    for system, measure, *values, source in rows:
        shown = [f"{value:.2f}" if isinstance(value, float) else "-" for value in values]
        lines.append(f"{system:42}{measure:26}{shown[0]:>7}{shown[1]:>11}{shown[2]:>7}  {source}")
    return "\n".join(lines)
