"""Ambiguous names in a query: the user at the terminal chooses a meaning."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from notesieve.errors import AmbiguousNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Answer = TypeVar("Answer")


def ask_until_unambiguous(options: argparse.Namespace, ask: Callable[[str], Answer]) -> Answer:
    """Run a query; if a name in it is ambiguous and the terminal is interactive, let the user choose."""
    query = options.query
    while True:
        try:
            return ask(query)
        except AmbiguousNameError as problem:
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise
            print(f"{query}\n{' ' * problem.position}^ which one?", file=sys.stderr)
            for number, (code, name) in enumerate(problem.candidates, 1):
                print(f"  {number}  {code}  {name}", file=sys.stderr)
            answer = input("number: ")
            if not answer.isdigit() or not 1 <= int(answer) <= len(problem.candidates):
                raise
            query = replace_name_by_code(query, problem.position, problem.candidates[int(answer) - 1][0])


def replace_name_by_code(query: str, position: int, code: str) -> str:
    """Replace a name in a query by a code.

    Examples
    --------
    >>> replace_name_by_code('fever code:"cold"! cough', 11, "mesh:D003080")
    'fever code:mesh:D003080! cough'
    """
    if query[position] == '"':
        end = query.index('"', position + 1) + 1
    else:
        end = position
        while end < len(query) and not query[end].isspace() and query[end] not in '()"!':
            end += 1
    return query[:position] + code + query[end:]
