"""Some items at a time, and none lost that were read before a source failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["Portion", "portions"]

Item = TypeVar("Item")


def portions(items: Iterable[Item], most: int = 1024) -> Iterator[list[Item]]:
    """Give some items at a time. Where the next cannot be had, those before it come first, and then the error.

    Parameters
    ----------
    items : iterable
        The items.
    most : int, optional
        How many to give at once.

    Examples
    --------
    >>> [list(portion) for portion in portions("abc", 2)]
    [['a', 'b'], ['c']]
    """
    source = iter(items)
    ahead: list[Item] = Portion()
    try:
        while True:
            ahead.append(next(source))
            if len(ahead) == most:
                yield ahead
                ahead = Portion()
    except StopIteration:
        pass
    except Exception:
        if ahead:
            yield ahead
        raise
    if ahead:
        yield ahead


class Portion(list[Item]):
    """A list that shows how much it holds, since a source that fails shows it in tracebacks (see `notesieve.held`).

    Examples
    --------
    >>> Portion(["Seen by Dr. Brown."])
    <1 items>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} items>"
