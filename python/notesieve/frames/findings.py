"""Findings of other systems in the notes of a frame or a file of rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from notesieve.detectors import normalize_findings
from notesieve.errors import FindingError

if TYPE_CHECKING:
    from notesieve.detectors import Span
    from notesieve.findings_file import FindingsFile
    from notesieve.frames.column_plan import Plan


def row_findings(
    plan: Plan, values: Callable[[str], list[Any]], file: FindingsFile | None = None
) -> list[list[Span] | None] | None:
    """Return the findings of each row, ``None`` for a row whose findings cannot be used.

    Parameters
    ----------
    plan : Plan
        The plan, which names the columns of the findings and of the note's identifier.
    values : callable
        Returns a column as a list.
    file : FindingsFile, optional
        Further findings, by the names or the row numbers of the notes.

    Returns
    -------
    list or None
        ``None`` if there are no findings for any row.
    """
    given = None if plan.findings is None else [findings_of(value) for value in values(plan.findings)]
    if file is None:
        return given
    found = file.findings_of_rows(values(plan.id if plan.id is not None else plan.text), named=plan.id is not None)
    if given is None:
        return [*found]
    return [None if one is None else one + more for one, more in zip(given, found, strict=True)]


def findings_of(value: Any) -> list[Span] | None:
    """Parse a cell: a list of findings, or JSON of one. Return ``[]`` for a missing value, ``None`` for an invalid one.

    Examples
    --------
    >>> findings_of('[{"start": 0, "end": 5, "kind": "name", "source": "ward list"}]')
    [(0, 5, 'name', 'likely', 'ward list')]
    >>> findings_of(None), findings_of("Brown")
    ([], None)
    """
    try:
        if isinstance(value, str):
            value = json.loads(value) if value.strip() else None
        if value is None or (isinstance(value, float) and isnan(value)):
            return []
        if isinstance(value, Mapping) or not hasattr(value, "__iter__"):
            return None
        return normalize_findings(value)
    except (ValueError, RecursionError, FindingError):
        return None
