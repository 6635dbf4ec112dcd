"""The command `notesieve key`."""

from __future__ import annotations

import argparse
import os
import secrets
from pathlib import Path
from typing import Any

from notesieve._core import Key
from notesieve.errors import FileError

_EXAMPLES = """examples:
  notesieve key new -o secret.key                              draw a key; only you can read the file
  NOTESIEVE_KEY_FILE=secret.key notesieve key fingerprint      what results of this key are known by
"""


def add_key(commands: Any) -> None:
    """Add the command to those of `notesieve`."""
    key = commands.add_parser(
        "key",
        help="make the secret key of shifts and surrogates",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = key.add_subparsers(title="actions", required=True, metavar="ACTION")
    new = actions.add_parser("new", help="draw a key at random into a new file that only you can read")
    # Only into a file: printed output stays in terminal histories and logs.
    new.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the file; it must not exist yet")
    new.set_defaults(run=_run_new_key)
    fingerprint = actions.add_parser("fingerprint", help="print the fingerprint of the key of this environment")
    fingerprint.set_defaults(run=_run_fingerprint)


def _run_new_key(options: argparse.Namespace) -> int:
    path: Path = options.output
    try:
        # Create the file with its mode, so that it is never readable by others, and never overwrite an existing key.
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        message = f"{path}: is there already; a key that is lost cannot be made again, so choose another name"
        raise FileError(message) from None
    except OSError as problem:
        raise FileError(f"{path}: {problem.strerror}") from None
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write(secrets.token_hex(32) + "\n")
    print(f"{path}: a new key with the fingerprint {Key.open(path).fingerprint}")
    print(f"Set NOTESIEVE_KEY_FILE={path.resolve()} to use it. Keep a copy in a safe place: it cannot be made again.")
    return 0


def _run_fingerprint(options: argparse.Namespace) -> int:
    del options
    print(Key.load().fingerprint)
    return 0
