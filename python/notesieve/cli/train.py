"""The command `train`."""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path
from typing import Any

from notesieve.cli.options import add_scrubber_options, add_threads_option, make_scrubber, read_column_by_document
from notesieve.cli.printing import print_problems

_EXAMPLES = """examples:
  notesieve train gold/ -o site.model                    start from the built-in model, report what it brought
  notesieve train gold/ -o site.model --by patients.csv  leave out the notes of one patient together
  notesieve scrub notes/ --model site.model -o clean/

exit codes: 0 all notes were learned from; 1 some could not be, the others were; 2 nothing was learned
"""


def add_train(commands: Any) -> None:
    """Add the command to those of `notesieve`."""
    parser = commands.add_parser(
        "train",
        help="move the model towards notes of your own",
        description="Learn from marked notes in any format that `notesieve evaluate` reads, and report how the model "
        "does on notes that were left out. The model holds no text; what fewer than five notes have is not learned.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("gold", type=Path, metavar="GOLD", help="the marked notes")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the model")
    add_scrubber_options(parser, "the policy that is measured: a preset or a TOML file; default: safe")
    parser.add_argument("--from-scratch", action="store_true", help="start from nothing; for many hundred notes")
    parser.add_argument("--folds", type=int, default=5, help="of the cross-validation; 0: none; default: 5")
    parser.add_argument(
        "--by", type=Path, metavar="FILE", help="CSV with the columns doc and group: a group is left out together"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the folds; default: 1")
    add_threads_option(parser)
    parser.add_argument("--json", action="store_true", help="print the whole result")
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no report; problems are still shown")
    parser.set_defaults(run=_run_train)


def _run_train(options: argparse.Namespace) -> int:
    from notesieve.learning import train

    with warnings.catch_warnings(record=True) as cautions:
        warnings.simplefilter("always", UserWarning)
        found = train(
            options.gold,
            scrubber=make_scrubber(options),
            from_scratch=options.from_scratch,
            folds=options.folds,
            by=None if options.by is None else read_column_by_document(options.by, "group"),
            seed=options.seed,
            threads=options.threads,
            progress=False if options.quiet else None,
        )
    print_problems(caution.message for caution in cautions)
    print_problems(f"{row['doc']}: {row['problem']}" for row in found.problems)
    found.save(options.output)
    if options.json:
        reports = {"before": found.before, "after": found.after}
        whole = {name: None if report is None else report.to_dict() for name, report in reports.items()}
        facts = {
            "model": str(options.output),
            "notes": found.notes,
            "strictness": found.strictness,
            "problems": found.problems,
        }
        print(json.dumps(facts | whole | {"comparison": found.comparison}, indent=1))
    elif not options.quiet:
        print(found.summary())
        print(f"wrote {options.output}")
    return 1 if found.problems else 0
