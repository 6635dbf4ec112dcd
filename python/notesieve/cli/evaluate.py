"""The commands `evaluate`, `agreement` and `gold`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, get_args

from notesieve.cli.options import add_model_option, add_vocabulary_option, open_vocabulary
from notesieve.evaluation import annotator_agreement, scores
from notesieve.evaluation.altered_text import removed_spans
from notesieve.evaluation.further_scores import corpus_statistics
from notesieve.evaluation.gold import FormatName, Gold
from notesieve.evaluation.text_report import agreement_summary, statistics_summary
from notesieve.files.reading_errors import as_file_errors, list_text_files
from notesieve.scrubber import Scrubber

_FORMATS = get_args(FormatName)


def add_evaluate(commands: Any) -> None:
    """Add the commands to those of `notesieve`.

    Examples
    --------
    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_evaluate(parser.add_subparsers())
    >>> parser.parse_args(["gold", "marks", "-o", "copy"]).to
    'jsonl'
    """
    _add_evaluate(commands)
    _add_agreement(commands)
    gold = commands.add_parser("gold", help="write a gold standard in another format, or tell what is marked in it")
    gold.add_argument("gold", type=Path, metavar="GOLD")
    gold.add_argument("--to", choices=_FORMATS, default="jsonl", help="default: jsonl")
    what = gold.add_mutually_exclusive_group(required=True)
    what.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the copy")
    what.add_argument("--stats", action="store_true", help="print how much of what is marked, and write nothing")
    gold.set_defaults(run=_run_gold)


def _add_evaluate(commands: Any) -> None:
    parser = commands.add_parser(
        "evaluate",
        help="score against a gold standard",
        description="Score what a system removed against what people marked. GOLD is a folder with notes/ and "
        "gold.jsonl or gold.csv, i2b2 2014 or 2006 XML, PhysioNet deid, BRAT, Philter's notes/ and anno/, or an export "
        "of Label Studio (JSON), Prodigy or doccano (JSON Lines) or INCEpTION (XMI, WebAnno TSV). Several predictions "
        "and policies are compared; the first is the one reported.",
    )
    parser.add_argument("gold", type=Path, metavar="GOLD")
    parser.add_argument(
        "--predictions", type=Path, action="append", default=[], metavar="FILE", help="what a system removed"
    )
    parser.add_argument(
        "--outputs",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="what a system made of the notes: DOCUMENT.txt, compared with the originals word by word",
    )
    parser.add_argument("--policy", action="append", default=[], metavar="P", help="run notesieve; default: safe")
    add_vocabulary_option(parser)
    add_model_option(parser)
    parser.add_argument("--json", action="store_true", help="print the whole result, raw counts included")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write report.html, report.json and tables")
    parser.add_argument("--with-context", action="store_true", help="show leaked text: the result is then PHI, too")
    parser.add_argument("--strict", action="store_true", help='count "Hospital", "Street" inside gold spans, too')
    parser.add_argument("--confidence", type=float, default=0.95, help="of all intervals; default: 0.95")
    parser.add_argument("--draws", type=int, default=1000, help="of the bootstrap; default: 1000")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap; default: 1")
    parser.set_defaults(run=_run_evaluate)


def _run_evaluate(options: argparse.Namespace) -> int:
    gold = Gold.read(options.gold)
    vocabulary = open_vocabulary(options)
    systems: list[tuple[str, Any]] = [(file.stem, file) for file in options.predictions]
    systems += [(folder.name, removed_spans(gold.notes, _read_outputs(folder))) for folder in options.outputs]
    policies = options.policy if options.policy or systems else ["safe"]
    systems += [
        (f"notesieve, {policy}", Scrubber(policy=policy, vocabulary=vocabulary, model=options.model))
        for policy in policies
    ]
    chosen = {"strict": options.strict, "confidence": options.confidence, "draws": options.draws, "seed": options.seed}
    context = options.with_context
    done = [scores.evaluate(gold, system, name=name, with_context=context, **chosen) for name, system in systems]
    first, others = done[0], done[1:]
    comparisons = {}
    for name, system in systems[1:]:
        comparisons[name] = scores.compare(gold, systems[0][1], system, **chosen)
    if options.json:
        whole = first.to_dict() | {"others": [other.to_dict() for other in others], "comparisons": comparisons}
        print(json.dumps(whole, indent=1, ensure_ascii=False))
    else:
        for one in done:
            print(one.summary(), end="\n\n")
        for name, found in comparisons.items():
            print(_comparison_summary(systems[0][0], name, found))
    if options.output is not None:
        for file in first.write(options.output, others):
            print(f"wrote {file}", file=sys.stderr)
    # Unusable files of the gold standard were skipped; the exit code reports them.
    return 1 if gold.problems else 0


def _read_outputs(folder: Path) -> dict[str, str]:
    """Read the outputs of a folder; return them by note name."""
    with as_file_errors(folder):
        files = list_text_files(folder)
        return {file.relative_to(folder).with_suffix("").as_posix(): file.read_bytes().decode() for file in files}


def _comparison_summary(first: str, second: str, found: dict[str, Any]) -> str:
    """Return the differences between two systems as text."""
    test = found["mcnemar"]
    lines = [f"{second} less {first}"]
    for name, row in found["measures"].items():
        low, high = row["interval"]["low"], row["interval"]["high"]
        lines.append(f"  {name:10}{row['difference']:+9.4f}   {low:+.4f} to {high:+.4f}   p {row['p']:.4f}")
    kind = "exact" if test["exact"] else "chi-squared"
    lines.append(
        f"  McNemar on tokens: only {first} right {test['only_first']:,}, only {second} right {test['only_second']:,}, "
        f"p {'< 0.0001' if test['p'] < 0.0001 else format(test['p'], '.4f')} ({kind})"
    )
    return "\n".join(lines)


def _add_agreement(commands: Any) -> None:
    parser = commands.add_parser("agreement", help="how far annotators agree on what is PHI")
    parser.add_argument(
        "annotators",
        nargs="+",
        type=Path,
        metavar="GOLD",
        help="the marks of one annotator each, two or more; or one export of an annotation tool with those of several",
    )
    parser.add_argument("--adjudicated", type=Path, metavar="GOLD", help="what they settled on; default: the majority")
    parser.add_argument("--majority", type=Path, metavar="DIR", help="write what more than half of them marked")
    parser.add_argument("--json", action="store_true", help="print the whole result")
    parser.set_defaults(run=_run_agreement)


def _run_agreement(options: argparse.Namespace) -> int:
    names = [path.name or str(path) for path in options.annotators]
    if len(set(names)) < len(names):
        names = [str(path) for path in options.annotators]
    alone = len(options.annotators) == 1
    annotators = (
        Gold.read_annotators(options.annotators[0]) if alone else dict(zip(names, options.annotators, strict=True))
    )
    found = annotator_agreement.agreement(annotators, options.adjudicated)
    print(json.dumps(found.report, indent=1) if options.json else agreement_summary(found.report))
    if options.majority is not None:
        found.majority.write(options.majority)
    return 0


def _run_gold(options: argparse.Namespace) -> int:
    gold = Gold.read(options.gold)
    if options.stats:
        print(statistics_summary(corpus_statistics(gold)))
    for loss in [] if options.stats else gold.write(options.output, options.to):
        print(f"{options.to} cannot hold: {loss}", file=sys.stderr)
    for problem in gold.problems:
        print(f"left out: {problem['file']}:{problem['line']}: {problem['problem']}", file=sys.stderr)
    return 1 if gold.problems else 0
