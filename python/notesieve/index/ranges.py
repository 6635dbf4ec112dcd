"""Ranges of dates and ages as a query writes them: ``2004-03..2004-05``, ``>=65``."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from notesieve.index.query import Range

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def _split_range(value: str) -> tuple[str, str]:
    """Give the first and the last value of a range as written; an open end is empty."""
    for sign in (">=", "<="):
        if value.startswith(sign):
            edge = value.removeprefix(sign)
            return (edge, "") if sign == ">=" else ("", edge)
    first, dots, last = value.partition("..")
    if value == ".." or not value:
        raise ValueError
    return (first, last) if dots else (value, value)


def parse_number_range(field: str, value: str) -> Range:
    """Read a range of numbers.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> [str(parse_number_range("age", written)) for written in ("40..64", ">=65", "7")]
    ['age:40..64', 'age:65..', 'age:7']
    """
    first, last = (None if not end else int(end) for end in _split_range(value))
    return _check_order(Range(field, first, last))


def parse_date_range(value: str) -> Range:
    """Read a range of dates; a year or a month alone stands for all of its days.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> str(parse_date_range("2004-02")), str(parse_date_range("2004-12-30..")), str(parse_date_range("..2003"))
    ('date:2004-02-01..2004-02-29', 'date:2004-12-30..', 'date:..2003-12-31')
    """
    first, last = _split_range(value)
    return _check_order(
        Range("date", _parse_day(first, last=False) if first else None, _parse_day(last, last=True) if last else None)
    )


def _parse_day(text: str, *, last: bool) -> int:
    """Read a date as an ordinal; of a year or a month alone, its first or last day."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError
    year, month, day = (None if part is None else int(part) for part in match.groups())
    if year is None:
        raise ValueError
    if month is None:
        month = 12 if last else 1
    if day is None:
        day = calendar.monthrange(year, month)[1] if last and 1 <= month <= 12 else 1
    return dt.date(year, month, day).toordinal()


def _check_order(made: Range) -> Range:
    """Return a range; an error if it ends before it begins."""
    if made.first is not None and made.last is not None and made.first > made.last:
        raise ValueError
    return made
