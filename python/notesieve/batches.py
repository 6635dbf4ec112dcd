"""Splits an iterable into batches without losing the items read before it failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


class Batch(list[Item]):
    """A list whose repr shows its length only, since a failing source shows it in tracebacks (`notesieve.hidden_repr`).

    Examples
    --------
    >>> Batch(["Seen by Dr. Brown."])
    <1 items>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} items>"


def batches(items: Iterable[Item], size: int = 1024) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `size`. If the source fails, the items before the error are yielded first.

    Examples
    --------
    >>> [list(batch) for batch in batches("abc", 2)]
    [['a', 'b'], ['c']]
    """
    source = iter(items)
    batch: list[Item] = Batch()
    try:
        while True:
            batch.append(next(source))
            if len(batch) == size:
                yield batch
                batch = Batch()
    except StopIteration:
        pass
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
