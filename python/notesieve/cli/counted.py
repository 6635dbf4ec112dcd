"""Numbers with what they count, for what commands print."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Write a number with a noun.

    Examples
    --------
    >>> counted(1, "note"), counted(2000, "note")
    ('1 note', '2,000 notes')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
