"""Suppression of small counts: neither a count nor a difference of counts reveals a small group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

MIN_SHOWN_COUNT = 11
"""The smallest count that is shown by default, as the Centers for Medicare & Medicaid Services require."""

_Name = TypeVar("_Name")


def suppress_small_count(count: int, least: int = MIN_SHOWN_COUNT) -> int | None:
    """Return a count, or None if it is below `least` and not zero.

    Examples
    --------
    >>> suppress_small_count(10), suppress_small_count(11), suppress_small_count(0)
    (None, 11, 0)
    """
    return None if 0 < count < least else count


def suppress_small_counts(
    counts: Mapping[_Name, int] | Sequence[tuple[_Name, int]], least: int = MIN_SHOWN_COUNT
) -> dict[_Name, int | None]:
    """Suppress the small counts among counts with a known total.

    If the total minus the shown counts would reveal a small count, further counts are suppressed, the smallest first.

    Parameters
    ----------
    counts : mapping, or sequence of pairs
        The counts by name.
    least : int, optional
        The smallest count that is shown.

    Returns
    -------
    dict
        The counts in the same order, None for suppressed ones.

    Examples
    --------
    >>> suppress_small_counts({"one": 3, "two": 40, "three": 20})
    {'one': None, 'two': 40, 'three': None}
    >>> suppress_small_counts({"one": 3, "two": 9, "three": 20})
    {'one': None, 'two': None, 'three': 20}
    """
    given = dict(counts)
    hidden = [name for name, count in given.items() if 0 < count < least]
    others = sorted((count, at, name) for at, (name, count) in enumerate(given.items()) if count >= least)
    while hidden and others and sum(given[name] for name in hidden) < least:
        hidden.append(others.pop(0)[2])
    return {name: None if name in hidden else count for name, count in given.items()}
