"""The lines of a CSV, and where a row that cannot be read ends.

A quotation mark in the wrong place costs its row. Where the next one begins is told by the marks, since between rows
there is an even number of them; it is not guessed, for a guess could let a piece of a note pass as another column.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

_AHEAD = 1000
"""Lines that are looked at after a broken row: more than a note has."""


class CsvLines:
    """Lines for `csv.reader`, which asks for one after the other; those of the row at hand are kept.

    Parameters
    ----------
    lines : iterator of str
        The lines with their ends.
    separator : str
        What stands between fields.
    """

    def __init__(self, lines: Iterator[str], separator: str) -> None:
        self._lines, self._separator = lines, separator
        self._ahead: deque[str] = deque()
        self._quotes = 0
        self.number = 0
        """How many lines were given."""

    def __iter__(self) -> CsvLines:
        return self

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else next(self._lines)
        self.number += 1
        self._quotes += line.count('"')
        return line

    def begin_row(self) -> int:
        """Begin a row; return the number of its first line."""
        self._quotes = 0
        return self.number + 1

    def skip_broken_row(self) -> bool:
        """Go after a row that is broken. False where nobody can tell where it ends: then nothing is left.

        A row ends with a line after which the marks are even. If one of the next lines closes a field that was not
        opened in it, the row reached to there: its note has several lines.
        """
        while True:
            if not self._quotes % 2:
                self._fill_lookahead()
                further = next((at for at, line in enumerate(self._ahead, 1) if self._closes_open_field(line)), 0)
                if not further:
                    return True
                for _ in range(further):
                    next(self)
                self._quotes = 0
            elif next(self, None) is None:
                return False

    def _fill_lookahead(self) -> None:
        """Read ahead some lines."""
        while len(self._ahead) < _AHEAD and (line := next(self._lines, None)) is not None:
            self._ahead.append(line)

    def _closes_open_field(self, line: str) -> bool:
        """Whether a field that was opened in an earlier line ends in this one."""
        before, mark, _ = line.partition('"')
        opens = not before or before.endswith(self._separator)
        return bool(mark) and not opens and (f'"{self._separator}' in line or line.rstrip("\r\n").endswith('"'))
