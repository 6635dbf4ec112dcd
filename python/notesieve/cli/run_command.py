"""The command `run`: a whole run described in one file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from notesieve.cli.options import add_run_options
from notesieve.cli.scrub import run_and_report
from notesieve.errors import SettingError
from notesieve.files.run_file import RunFile
from notesieve.schema import run_schema

_EPILOG = """example of a run file; paths are relative to it:

  inputs = ["notes.parquet"]
  output = "clean"
  policy = "site.toml"        # or a preset, or a table [policy] with the choices
  site = "lists"
  key = true                  # of NOTESIEVE_KEY or NOTESIEVE_KEY_FILE, never in this file

  [columns]
  text = "note"
  id = "note_id"
  patient = "patient_id"
  keep = ["year"]

exit codes: as for `notesieve scrub`
"""


def add_run(commands: Any) -> None:
    """Add the command to those of `notesieve`.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_run(parser.add_subparsers())
    >>> parser.parse_args(["run", "run.toml", "--resume"]).resume
    True
    """
    run = commands.add_parser(
        "run",
        help="scrub what one file describes",
        description="Scrub as a TOML file says: inputs, output, policy, columns and all else.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the run file")
    run.add_argument("--schema", action="store_true", help="print the JSON schema of run files, for editors")
    add_run_options(run)
    run.set_defaults(run=_run_run_file)


def _run_run_file(options: argparse.Namespace) -> int:
    if options.schema:
        print(json.dumps(run_schema(), indent=2))
        return 0
    if options.file is None:
        raise SettingError("name a run file, or ask for the --schema")
    run = RunFile.read(options.file)
    return run_and_report(
        lambda report: run.run(
            resume=options.resume,
            overwrite=options.overwrite,
            progress=False if options.quiet else None,
            report=report,
        ),
        quiet=options.quiet,
    )
