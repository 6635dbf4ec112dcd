"""A wrapper for texts whose repr hides them, so that a traceback that prints arguments prints no note."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class HiddenRepr:
    """An object that holds texts; its repr shows type and length only.

    Tracebacks that show variables (``%xmode Verbose`` of IPython, ``pytest --showlocals``, error trackers) print the
    arguments of every call in the stack. Functions of this package that take notes wrap them before anything can fail.

    Parameters
    ----------
    value : object
        The object that holds the texts.

    Examples
    --------
    >>> HiddenRepr(["Seen by Dr. Brown."])
    <list of 1>
    >>> HiddenRepr(["Seen by Dr. Brown."]).reveal()
    ['Seen by Dr. Brown.']
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def reveal(self) -> Any:
        """Return the wrapped object. This is a method because tracebacks also show the values of attributes."""
        return self._value

    def __repr__(self) -> str:
        kind = type(self._value).__name__
        try:
            return f"<{kind} of {len(self._value)}>"
        except Exception:  # noqa: BLE001 - an iterator has no length, and a broken object must not break a traceback
            return f"<{kind}>"

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the wrapped object: it yields its texts in the clear."""
        return iter(self._value)
