"""Output of commands: counts with nouns, and problems."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from notesieve.files.jobs import FoundFiles


def format_count(number: int, noun: str) -> str:
    """Format a number with a noun.

    Examples
    --------
    >>> format_count(1, "note"), format_count(2000, "note")
    ('1 note', '2,000 notes')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def print_problems(problems: Iterable[object]) -> int:
    """Print problems to standard error; return the exit code, which is 1 if there are any."""
    code = 0
    for problem in problems:
        print(f"notesieve: {problem}", file=sys.stderr)
        code = 1
    return code


def summarize_ignored(ignored: list[tuple[Path, str]]) -> list[str]:
    """Return a summary of the ignored files, if there are any."""
    return [FoundFiles(ignored=ignored).summary()] if ignored else []
