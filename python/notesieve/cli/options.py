"""Options shared by several commands, and the objects made from them."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

from notesieve._core import Key, Vocabulary
from notesieve.errors import GoldError
from notesieve.files.reading_errors import as_file_errors
from notesieve.scrubber import Scrubber
from notesieve.vocabularies.building import read_site_lists


def add_vocabulary_option(parser: argparse.ArgumentParser, *, site: bool = False) -> None:
    """Add the options for a vocabulary and, with `site`, for the lists of a site."""
    parser.add_argument("--vocabulary", type=Path, metavar="FILE", help="a compiled vocabulary; default: the built-in")
    if site:
        parser.add_argument(
            "--site", type=Path, metavar="DIR", help="lists of the site: allow.txt, deny.txt, staff.txt, places.txt"
        )


def add_model_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for a model, which is the same for all commands that scrub."""
    parser.add_argument(
        "--model", type=Path, metavar="FILE", help="what `notesieve train` wrote; default: the built-in"
    )


def add_scrubber_options(
    parser: argparse.ArgumentParser, policy: str = "a preset or a TOML file; default: safe", *, site: bool = True
) -> None:
    """Add the options that `make_scrubber` reads; `policy` is the help text of the first."""
    parser.add_argument("--policy", default="safe", help=policy)
    add_vocabulary_option(parser, site=site)
    add_model_option(parser)


def add_key_option(parser: argparse.ArgumentParser) -> None:
    """Add the option to use the secret key from the environment."""
    parser.add_argument(
        "--key",
        action="store_true",
        help="use the key of NOTESIEVE_KEY or NOTESIEVE_KEY_FILE; see notesieve key --help",
    )


def add_run_options(parser: Any) -> None:
    """Add the options of a run over files that can be resumed."""
    parser.add_argument(
        "--resume", action="store_true", help="go on with what is there and leave out what the manifest proves done"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace outputs of the same names that are there")
    add_quiet_option(parser)


def add_quiet_option(parser: Any) -> None:
    """Add the option to print problems only."""
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no summary; problems are still shown")


def add_threads_option(parser: Any) -> None:
    """Add the option for the number of threads."""
    parser.add_argument("--threads", type=int, help="default: what NOTESIEVE_THREADS says, or one per core")


def add_note_source_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the columns of a table of notes."""
    parser.add_argument("--text", default="text", metavar="COLUMN", help="the column with the notes; default: text")
    parser.add_argument("--id", default="id", metavar="COLUMN", help="the column that names the note; default: id")


def open_vocabulary(options: argparse.Namespace) -> Vocabulary:
    """Open the vocabulary that the options select, with the lists of the site."""
    path = getattr(options, "file", None) or options.vocabulary
    vocabulary = Vocabulary.default() if path is None else Vocabulary.open(path)
    site = getattr(options, "site", None)
    return vocabulary if site is None else vocabulary.with_lists(**read_site_lists(site))


def make_scrubber(options: argparse.Namespace, *, key: Key | None = None) -> Scrubber:
    """Make the scrubber that the options describe."""
    return Scrubber(options.policy, open_vocabulary(options), key=key, model=options.model)


def read_column_by_document(path: Path, column: str) -> dict[str, str]:
    """Read a CSV with a value for each document.

    Parameters
    ----------
    path : Path
        The file, with the columns ``doc`` and `column`.
    column : str
        The column with the values.

    Raises
    ------
    FileError
        If it cannot be read.
    GoldError
        If a column is missing.
    """
    with as_file_errors(path), path.open(encoding="utf-8-sig", newline="") as stream:
        rows = csv.DictReader(stream)
        if not {"doc", column} <= set(rows.fieldnames or ()):
            raise GoldError(f"{path}: needs the columns doc and {column}")
        return {row["doc"]: row[column] for row in rows}
