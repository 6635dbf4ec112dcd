"""The lines of a CSV, and recovery after rows that cannot be read.

A misplaced quotation mark costs its row. The start of the next row is derived from the quotation marks, of which there
is an even number between rows. It is never guessed, since a guess could let a piece of a note pass as another column.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

_LOOKAHEAD_LINES = 1000
"""The number of lines read ahead after a broken row: more than a note has."""


class CsvLines:
    """An iterator of lines for `csv.reader` that counts the quotation marks of the current row.

    Parameters
    ----------
    lines : iterator of str
        The lines with their line ends.
    separator : str
        The field separator.
    """

    def __init__(self, lines: Iterator[str], separator: str) -> None:
        self._lines, self._separator = lines, separator
        self._ahead: deque[str] = deque()
        self._quotes = 0
        self.number = 0
        """The number of lines returned so far."""

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
        """Skip the rest of a broken row. Return False if its end cannot be determined; no lines are left then.

        A row ends with a line after which the number of quotation marks is even. If one of the next lines closes a
        field that it did not open, the row extends to that line: its note has several lines.
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
        """Fill the lookahead buffer."""
        while len(self._ahead) < _LOOKAHEAD_LINES and (line := next(self._lines, None)) is not None:
            self._ahead.append(line)

    def _closes_open_field(self, line: str) -> bool:
        """Return whether a field opened in an earlier line ends in this one."""
        before, mark, _ = line.partition('"')
        opens = not before or before.endswith(self._separator)
        return bool(mark) and not opens and (f'"{self._separator}' in line or line.rstrip("\r\n").endswith('"'))
