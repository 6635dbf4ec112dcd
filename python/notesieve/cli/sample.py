"""The command `sample`: plan, draw and judge a sample for manual review."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from notesieve._core import __version__
from notesieve.cli.options import add_note_source_options, add_scrubber_options, make_scrubber, read_column_by_document
from notesieve.cli.printing import format_count
from notesieve.errors import GoldError
from notesieve.evaluation import annotator_agreement
from notesieve.evaluation.annotation_tools.annotations import write_private
from notesieve.evaluation.note_source import NoteSource
from notesieve.scrubber import Scrubber


def add_sample(commands: Any) -> None:
    """Add the command to those of `notesieve`.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_sample(parser.add_subparsers())
    >>> parser.parse_args(["sample", "size", "--recall", "0.95"]).recall
    0.95
    """
    parser = commands.add_parser("sample", help="plan, draw and judge a sample that people read")
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    size = actions.add_parser("size", help="how many notes must be read")
    _add_size_options(size)
    size.add_argument("--json", action="store_true")
    size.set_defaults(run=_run_sample_size)
    draw = actions.add_parser("draw", help="draw notes and write the sheet to fill in")
    draw.add_argument(
        "notes", type=Path, metavar="NOTES",
        help="the original notes: a folder of .txt files, of which each subfolder is a stratum; or a .parquet, "
        ".jsonl or .csv file",
    )  # fmt: skip
    draw.add_argument("-n", "--number", type=int, required=True, metavar="N", help="how many notes")
    draw.add_argument(
        "--strata", type=Path, metavar="FILE", help="CSV with the columns doc and stratum; default: subfolders"
    )
    add_note_source_options(draw)
    draw.add_argument("--stratum", metavar="COLUMN", help="the column of a table by which the notes are drawn")
    add_scrubber_options(draw, "scrub the sample with this policy; default: safe")
    draw.add_argument("--seed", type=int, default=1, help="another seed draws another sample; default: 1")
    draw.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    draw.set_defaults(run=_run_draw)
    judge = actions.add_parser("judge", help="read a filled-in sheet: does it show what was asked?")
    judge.add_argument("sheet", type=Path, metavar="SHEET")
    _add_size_options(judge)
    judge.add_argument("--json", action="store_true")
    judge.set_defaults(run=_run_judge)


def _add_size_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that determine the size of a sample."""
    parser.add_argument("--recall", type=float, default=0.99, help="to show that recall is above this; default: 0.99")
    parser.add_argument("--confidence", type=float, default=0.95, help="one-sided; default: 0.95")
    parser.add_argument(
        "--expected", type=float, default=1.0, help="recall that you believe in; default: 1, not one miss"
    )
    parser.add_argument("--power", type=float, default=0.8, help="wanted chance of success; default: 0.8")
    parser.add_argument("--phi-per-note", type=float, default=20.0, help="pieces of PHI in a note; default: 20")
    parser.add_argument("--correlation", type=float, default=0.05, help="of the misses of one note; default: 0.05")


def _size_arguments(options: argparse.Namespace) -> dict[str, float]:
    """Return these options as arguments of `sample_size`."""
    names = ("recall", "confidence", "expected", "power", "phi_per_note", "correlation")
    return {name: getattr(options, name) for name in names}


def _run_sample_size(options: argparse.Namespace) -> int:
    found = annotator_agreement.sample_size(**_size_arguments(options))
    if options.json:
        print(json.dumps(found))
        return 0
    print(
        f"{found['notes']:,} notes: {found['phi']:,} pieces of PHI x design effect {found['design_effect']:.2f} / "
        f"{options.phi_per_note:g} in a note.\n"
        f"At most {found['allowed_misses']:,} misses show recall above {options.recall:g} with "
        f"{options.confidence:.0%} confidence; chance of success {found['power']:.0%} "
        f"if recall is {options.expected:g}."
    )
    if options.expected == 1:
        less = (1 + options.recall) / 2
        more = annotator_agreement.sample_size(**{**_size_arguments(options), "expected": less})
        print(
            f"That is if not one piece is missed. If recall is {less:g}: {more['notes']:,} notes, in which "
            f"{more['allowed_misses']:,} misses are allowed (--expected)."
        )
    return 0


def _run_draw(options: argparse.Namespace) -> int:
    if options.number < 1:
        raise GoldError("the number of notes to draw must be 1 or more")
    if options.output.exists() and any(options.output.iterdir()):
        # Two samples in one folder would be read as one, and a filled-in sheet would be overwritten.
        raise GoldError(f"{options.output}: is not empty: take another folder")
    source = NoteSource(options.notes, options.text, options.id, options.stratum)
    strata = source.values_by_document()
    if options.strata is not None:
        strata = dict.fromkeys(strata, "none") | {
            doc: stratum or "none"
            for doc, stratum in read_column_by_document(options.strata, "stratum").items()
            if doc in strata
        }
    sample, sheet = annotator_agreement.draw_sample(strata, options.number, options.seed)
    scrubber = make_scrubber(options)
    for note in source.notes(frozenset(row["doc"] for row in sample)):
        write_private(options.output / "notes" / f"{note.doc}.txt", note.text)
        write_private(options.output / "scrubbed" / f"{note.doc}.txt", scrubber.scrub(note.text).text)
    write_private(options.output / "sheet.csv", sheet)
    provenance = _sample_provenance(source, scrubber, strata, sample, options.seed)
    write_private(options.output / "provenance.json", json.dumps(provenance, indent=1) + "\n")
    if len(sample) < options.number:
        print(f"notesieve: there are no more than {format_count(len(sample), 'note')}", file=sys.stderr)
    print(
        f"{len(sample)} of {len(strata)} notes in {options.output}: read notes/ beside scrubbed/, write into sheet.csv "
        "how many pieces of PHI each note has and how many of them are left"
    )
    return 0


def _sample_provenance(
    source: NoteSource, scrubber: Scrubber, strata: dict[str, str], sample: list[dict[str, str]], seed: int
) -> dict[str, Any]:
    """Return a record of how the sample was drawn, and of what scrubbed it."""
    of, drawn = Counter(strata.values()), Counter(row["stratum"] for row in sample)
    return {
        "notesieve": __version__,
        "source": source.provenance(),
        "seed": seed,
        "drawn": len(sample),
        "of": len(strata),
        "strata": {stratum: {"drawn": drawn[stratum], "of": number} for stratum, number in sorted(of.items())},
        "scrubber": scrubber.provenance,
        "policy": scrubber.policy.to_toml(),
        "site_lists": scrubber.vocabulary.site_lists,
    }


def _run_judge(options: argparse.Namespace) -> int:
    found = annotator_agreement.judge_sample(options.sheet, seed=1, **_size_arguments(options))
    if options.json:
        print(json.dumps(found))
    else:
        verdict = "is shown" if found["shown"] else "is NOT shown"
        print(
            f"recall above {options.recall:g} {verdict}: {found['phi']['tp']:,} of "
            f"{found['phi']['tp'] + found['phi']['fn']:,} pieces removed in {found['notes']:,} notes, "
            f"{found['recall']:.4f}; lower bound {found['lower_bound']:.4f} "
            f"(design effect {found['design_effect']:.2f}; by draws of notes {found['bootstrap_bound']:.4f})"
        )
    return 0 if found["shown"] else 1
