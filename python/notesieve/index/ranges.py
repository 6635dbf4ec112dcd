"""Ranges of years, dates and ages in queries: ``2004-03..2004-05``, ``>=65``."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from notesieve.index.query import Range

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_YEARS = re.compile(r"\d{4}|(?:\d{4})?\.\.(?:\d{4})?|[<>]=?\d{4}")

EXAMPLES = {
    "year": "2004, 2004..2008, 2004.. or >=2004",
    "date": "2004-03, 2004-03-01..2004-05-31 or >=2004",
    "age": "7, 40..64 or >=65",
}
"""How ranges of each field are written, for messages."""


def parse_range(field: str, value: str) -> Range:
    """Parse a range; for dates, a year or a month alone stands for all of its days.

    Raises
    ------
    ValueError
        If it is not a range.

    Examples
    --------
    >>> [str(parse_range("age", written)) for written in ("40..64", ">=65", "7")]
    ['age:40..64', 'age:65..', 'age:7']
    >>> str(parse_range("date", "2004-02")), str(parse_range("date", "..2003")), str(parse_range("year", ">2003"))
    ('date:2004-02-01..2004-02-29', 'date:..2003-12-31', 'year:2004..')
    """
    if field == "year":
        if not _YEARS.fullmatch(value):
            raise ValueError
        if value[0] in "<>" and value[1] != "=":
            value = f"{value[0]}={int(value[1:]) + (1 if value[0] == '>' else -1)}"
    ends = zip(_split_range(value), (False, True), strict=True)
    return Range(field, *(_parse_end(field, end, last=last) if end else None for end, last in ends))


def _split_range(value: str) -> tuple[str, str]:
    """Return the first and the last value of a range as written; an open end is empty."""
    for sign in (">=", "<="):
        if value.startswith(sign):
            edge = value.removeprefix(sign)
            return (edge, "") if sign == ">=" else ("", edge)
    first, dots, last = value.partition("..")
    if value == ".." or not value:
        raise ValueError
    return (first, last) if dots else (value, value)


def _parse_end(field: str, text: str, *, last: bool) -> int:
    """Parse a number, or a date as an ordinal; a year or a month alone gives its first or last day."""
    if field != "date":
        return int(text)
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError
    year = int(match[1])
    month = int(match[2] or (12 if last else 1))
    days = calendar.monthrange(year, month)[1] if last and 1 <= month <= 12 else 1
    return dt.date(year, month, int(match[3] or days)).toordinal()
