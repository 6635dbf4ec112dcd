"""The command `notesieve`."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from notesieve._core import Model, Vocabulary, __version__
from notesieve.cli.benchmark import add_benchmark
from notesieve.cli.evaluate import add_evaluate
from notesieve.cli.evidence import add_evidence
from notesieve.cli.explain import add_explain
from notesieve.cli.fill import add_fill
from notesieve.cli.index import add_index
from notesieve.cli.key import add_key
from notesieve.cli.omop import add_omop
from notesieve.cli.options import add_vocabulary_option, open_vocabulary
from notesieve.cli.policy import add_policy
from notesieve.cli.printing import print_problems, summarize_ignored
from notesieve.cli.run_command import add_run
from notesieve.cli.sample import add_sample
from notesieve.cli.scrub import add_scrub
from notesieve.cli.serve import add_serve
from notesieve.cli.text_inputs import read_texts
from notesieve.cli.train import add_train
from notesieve.cli.verify import add_verify
from notesieve.cli.vocabulary import add_vocabulary
from notesieve.errors import NotesieveError
from notesieve.scrubber import Scrubber
from notesieve.statuses import attributes_of_mention

_EXAMPLES = """examples:
  notesieve demo                                   scrub the example notes of the package
  notesieve scrub note.txt                         print one note without what identifies people
  notesieve scrub notes/ -o clean/                 scrub every file below a folder
  notesieve scrub notes.parquet -o clean/ --text note --keep year
  notesieve scrub notes/ --format jsonl > all.jsonl
  cat note.txt | notesieve scrub -                 from standard input
  notesieve run run.toml                           inputs, policy and columns from one file
  notesieve autocode note.txt                      only the terms and their codes
  notesieve verify clean/                          check outputs again, without the code that made them
  notesieve evaluate gold/ -o report/              what leaks, compared with what people marked
  notesieve benchmark i2b2-2014 PATH               figures on licensed notes beside the published ones
  notesieve evidence gold/ -o evidence/            one page for those who decide on a release
  notesieve index build notes.ndjson -o notes.index    an index to search and to count patients in
  notesieve omop note.parquet -o clean/ --policy shift.toml   NOTE of the OMOP CDM; writes NOTE_NLP too
  notesieve explain note.txt                       why each piece that goes was removed
  notesieve serve                                  a page and an HTTP interface on this machine
  notesieve vocabulary info                        what the default vocabulary holds
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments. Default: those of the process.

    Returns
    -------
    int
        0 on success, 1 if some inputs failed, 2 if nothing could be done, 130 after Ctrl-C.

    Examples
    --------
    >>> main(["vocabulary", "lists", "qwrtz"])
    on no list
    0
    """
    # Output is UTF-8 on every system; file names that are not UTF-8 are written as their original bytes.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    parser = _build_parser()
    options = parser.parse_args(arguments)
    try:
        code = int(options.run(options))
        sys.stdout.flush()  # report a full disk here, not when Python exits
    except NotesieveError as problem:
        print(f"notesieve: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader closed the pipe: `notesieve scrub ... | head`.
        sys.stderr.close()
        return 0
    except OSError as problem:
        print(f"notesieve: {problem.filename or 'standard output'}: {problem.strerror}", file=sys.stderr)
        # Otherwise Python tries to flush the rest again on exit.
        with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        print("notesieve: stopped", file=sys.stderr)
        return 130
    return code


class _VersionAction(argparse.Action):
    """Prints everything that results depend on: the version, the built-in vocabulary and the models."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print and exit."""
        print(f"notesieve {__version__}")
        print(f"vocabulary {Vocabulary.default().digest}")
        print(f"model {Model.default().digest}")
        provenance = Scrubber().provenance
        print(f"statuses {provenance['status_digest']}")
        print(f"entities {provenance['entities_digest']}")
        parser.exit()


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="notesieve",
        description="De-identify clinical notes by letting through only what is known to be safe.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action=_VersionAction, nargs=0, help="show the version, and the digests of what is built in"
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    add_scrub(commands)
    add_run(commands)

    autocode = commands.add_parser("autocode", help="find medical terms that a scrub lets out and print their codes")
    autocode.add_argument("inputs", nargs="+", metavar="INPUT", help="a .txt file, a folder of them, or - for stdin")
    add_vocabulary_option(autocode, site=True)
    autocode.add_argument(
        "--groups",
        nargs="+",
        metavar="GROUP",
        help="only these semantic groups: disorder, finding, procedure, drug ...",
    )
    autocode.add_argument(
        "--identifying",
        action="store_true",
        help="print also the terms that a scrub removes: names are among them, so the result identifies people",
    )
    autocode.set_defaults(run=_run_autocode)

    add_vocabulary(commands)
    add_evaluate(commands)
    add_benchmark(commands)
    add_sample(commands)
    add_evidence(commands)
    add_train(commands)
    add_verify(commands)
    add_key(commands)
    add_index(commands)
    add_omop(commands)
    add_policy(commands)
    add_explain(commands)
    add_fill(commands)
    add_serve(commands)

    demo = commands.add_parser("demo", help="scrub the example notes of the package")
    demo.set_defaults(run=_run_demo)
    return parser


def _run_autocode(options: argparse.Namespace) -> int:
    scrubber = Scrubber(vocabulary=open_vocabulary(options))
    failed: list[str] = []
    ignored: list[tuple[Path, str]] = []
    for path, text in read_texts(options.inputs, failed, ignored):
        concepts = [
            {
                "start": c.start,
                "end": c.end,
                "code": c.code,
                "name": c.name,
                "codes": c.codes,
                **attributes_of_mention(c),
            }
            for c in scrubber.autocode(text, identifying=options.identifying, groups=options.groups)
        ]
        print(json.dumps({"doc": path.stem, "concepts": concepts}, ensure_ascii=False))
    print_problems(summarize_ignored(ignored))
    return print_problems(failed)


def _run_demo(options: argparse.Namespace) -> int:
    del options
    scrubber = Scrubber()
    for example in sorted(files("notesieve").joinpath("examples").iterdir(), key=lambda file: file.name):
        if not example.name.endswith(".txt"):
            continue
        note = scrubber.scrub(example.read_text(encoding="utf-8"))
        print(f"──── {example.name}\n")
        print(note.text.rstrip("\n"))
        shown = (each for each in note.concepts if each.group in ("disorder", "drug", "procedure"))
        terms = ", ".join([*dict.fromkeys(f"{each.name} ({each.code})" for each in shown)][:6])
        print(f"\n     {len(note.removed)} removed · {len(note.concepts)} terms coded, among them {terms}\n")
    return 0
