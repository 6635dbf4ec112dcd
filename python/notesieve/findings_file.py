"""A file with the findings of other systems in the notes of a run: JSON Lines, one note per line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve.detectors import normalize_findings
from notesieve.errors import FindingError, FrameError
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    import os

    from notesieve.detectors import Span


@keep_texts_out_of_tracebacks
class FindingsFile:
    """The findings of other systems in the notes of a run.

    Parameters
    ----------
    path : path-like
        JSON Lines. Each line has ``findings``, a list as `Scrubber.scrub` takes it, and names its note: ``id``, the
        value of the column that names the notes, or the name of the file without its extension if a file is a note; or
        ``row``, the number of the row in the only file of rows, counted from 1.

    Raises
    ------
    FrameError
        If the file cannot be read, or a line is invalid.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "findings.jsonl")
    ...     _ = path.write_text('{"id": "n1", "findings": [{"start": 0, "end": 5, "kind": "name"}]}')
    ...     findings = FindingsFile(path)
    >>> findings.findings_of_note("n1"), findings.findings_of_note("n2"), findings.unused_notes_warnings()
    ([(0, 5, 'name', 'likely', 'caller')], [], [])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._by_id: dict[str, list[Span]] = {}
        self._by_row: dict[int, list[Span]] = {}
        self._used: set[str | int] = set()
        self._rows = 0
        try:
            lines = self.path.read_text(encoding="utf-8-sig").split("\n")
        except OSError as problem:
            raise FrameError(f"{self.path}: {problem.strerror}") from None
        except UnicodeDecodeError:
            raise FrameError(f"{self.path}: is not UTF-8") from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._read_line(number, line)

    def _read_line(self, number: int, line: str) -> None:
        """Add the findings of a line."""
        try:
            item = json.loads(line)
        except (ValueError, RecursionError):
            item = None
        name: Any = item.get("id") if isinstance(item, dict) else None
        row: Any = item.get("row") if isinstance(item, dict) else None
        if not isinstance(item, dict) or (name is None) == (not isinstance(row, int)):
            raise FrameError(f"{self.path}, line {number}: must be an object with findings and either id or row")
        try:
            found = normalize_findings(item.get("findings"))
        except FindingError as problem:
            raise FrameError(f"{self.path}, line {number}: {problem}") from None
        if name is None:
            self._by_row.setdefault(row, []).extend(found)
        else:
            self._by_id.setdefault(str(name), []).extend(found)

    def findings_of_note(self, name: Any) -> list[Span]:
        """Return the findings in a note, given its name."""
        self._used.add(str(name))
        return self._by_id.get(str(name), [])

    def findings_of_rows(self, rows: Sequence[Any], *, named: bool) -> list[list[Span]]:
        """Return the findings in the next rows of the file of rows.

        Parameters
        ----------
        rows : sequence
            The names of the notes, or any sequence of the same length.
        named : bool
            Whether `rows` holds names.
        """
        first = self._rows + 1
        self._rows += len(rows)
        numbers = range(first, first + len(rows))
        self._used.update(numbers)
        found = [self._by_row.get(number, []) for number in numbers]
        return [one + self.findings_of_note(name) for one, name in zip(found, rows, strict=True)] if named else found

    def unused_notes_warnings(self) -> list[str]:
        """Warn if the file has notes that the run did not read: their findings protect nobody."""
        unused = len((self._by_id.keys() | self._by_row.keys()) - self._used)
        return [f"{self.path}: {unused} of its notes are not among the inputs"] * bool(unused)
