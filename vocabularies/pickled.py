"""Read plain data from a pickle without executing it.

Loading a pickle can call anything. This module walks its opcodes and executes only those that build dictionaries,
lists, strings, numbers and booleans; any other opcode is an error.
"""

from __future__ import annotations

import pickletools
from typing import Any


class NotPlainDataError(ValueError):
    """A pickle that holds more than plain data."""


def read(data: bytes) -> Any:
    """Return the plain data of a pickle.

    Parameters
    ----------
    data : bytes
        The pickle.

    Returns
    -------
    object
        Dictionaries, lists, strings, numbers and booleans.

    Raises
    ------
    NotPlainDataError
        If an opcode would load a class, call a function or do anything except build plain data.

    Examples
    --------
    >>> import pickle
    >>> read(pickle.dumps({"a": [1.5, True]}, protocol=4))
    {'a': [1.5, True]}
    """
    stack: list[Any] = []
    marks: list[int] = []
    memo: list[Any] = []

    def pop_to_mark() -> list[Any]:
        start = marks.pop()
        items = stack[start:]
        del stack[start:]
        return items

    for opcode, argument, position in pickletools.genops(data):
        match opcode.name:
            case "PROTO" | "FRAME":
                pass
            case "EMPTY_DICT":
                stack.append({})
            case "EMPTY_LIST":
                stack.append([])
            case "SHORT_BINUNICODE" | "BINUNICODE" | "BINFLOAT" | "BININT" | "BININT1" | "BININT2":
                stack.append(argument)
            case "NEWTRUE":
                stack.append(True)
            case "NEWFALSE":
                stack.append(False)
            case "NONE":
                stack.append(None)
            case "MARK":
                marks.append(len(stack))
            case "MEMOIZE":
                memo.append(stack[-1])
            case "BINGET" | "LONG_BINGET":
                stack.append(memo[int(argument or 0)])
            case "APPEND":
                item = stack.pop()
                stack[-1].append(item)
            case "APPENDS":
                items = pop_to_mark()
                stack[-1].extend(items)
            case "SETITEM":
                value, key = stack.pop(), stack.pop()
                stack[-1][key] = value
            case "SETITEMS":
                items = pop_to_mark()
                stack[-1].update(zip(items[::2], items[1::2], strict=True))
            case "STOP":
                return stack.pop()
            case name:
                raise NotPlainDataError(f"opcode {name} at byte {position}")
    raise NotPlainDataError("the pickle has no end")
