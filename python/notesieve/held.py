"""Texts in an object that shows how many they are: what prints the arguments of a failing call prints no note."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["Held"]


class Held:
    """Something that holds texts, behind a repr that tells its kind and size.

    Tracebacks that show variables (``%xmode Verbose`` of IPython, ``pytest --showlocals``, error trackers) print the
    arguments of every call on the way. Functions of this package that are given notes put them in here before anything
    can fail.

    Parameters
    ----------
    what : object
        What holds the texts.

    Examples
    --------
    >>> Held(["Seen by Dr. Brown."])
    <list of 1>
    >>> Held(["Seen by Dr. Brown."]).get()
    ['Seen by Dr. Brown.']
    """

    __slots__ = ("_what",)

    def __init__(self, what: Any) -> None:
        self._what = what

    def get(self) -> Any:
        """Give what holds the texts. A call, since tracebacks show the values of attributes, too."""
        return self._what

    def __repr__(self) -> str:
        kind = type(self._what).__name__
        try:
            return f"<{kind} of {len(self._what)}>"
        except Exception:  # noqa: BLE001 - an iterator has no length, and what is broken must not break a traceback
            return f"<{kind}>"

    def __iter__(self) -> Iterator[Any]:
        return iter(self._what)
