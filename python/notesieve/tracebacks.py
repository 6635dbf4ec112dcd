"""Keeps notes out of tools that print the variables of a failing call, such as ``%xmode Verbose`` or error trackers."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from functools import cached_property, update_wrapper
from inspect import isfunction, isgeneratorfunction
from types import FunctionType
from typing import Any, TypeVar

_Public = TypeVar("_Public", bound=Callable[..., Any])


def keep_texts_out_of_tracebacks(public: _Public) -> _Public:
    """Make a public function, or all public members of a class, leave no text in the traceback of an error.

    A traceback holds the variables of every call in the stack, including those of other libraries. When an error leaves
    the package, these variables are cleared; the stack and the message stay.

    Parameters
    ----------
    public : function or class
        The public function or class. A class is changed in place.

    Examples
    --------
    >>> @keep_texts_out_of_tracebacks
    ... def tell(text):
    ...     raise ValueError("a note is too long")
    >>> try:
    ...     tell("Seen by Dr. Brown.")
    ... except ValueError as problem:
    ...     problem.__traceback__.tb_next.tb_next.tb_frame.f_locals
    {}
    """
    if not isinstance(public, type):
        function: _Public = _wrap_function(public)
        return function
    for name, member in vars(public).copy().items():
        if name.startswith("_") and name not in {"__init__", "__getitem__", "__iter__", "_repr_html_"}:
            continue
        changed: Any = None
        if isinstance(member, classmethod | staticmethod):
            changed = type(member)(_wrap_function(member.__func__))
        elif isinstance(member, property):
            changed = property(_wrap_function(member.fget), doc=member.__doc__)
        elif isinstance(member, cached_property):
            changed = cached_property(_wrap_function(member.func))
            changed.__set_name__(public, name)
        elif isfunction(member):
            changed = _wrap_function(member)
        if changed is not None:
            setattr(public, name, changed)
    return public


def _wrap_function(public: Any) -> Any:
    """Wrap a function so that an error that leaves it holds no variables of the calls."""
    if hasattr(public, "keep_texts_out_of_tracebacks"):
        return public
    drop = clear_variables

    def call_clearing_variables(*args: Any, **named: Any) -> Any:
        try:
            return public(*args, **named)
        except BaseException as problem:
            args, named = (), {}
            drop(problem)
            raise

    def generate_clearing_variables(*args: Any, **named: Any) -> Iterator[Any]:
        try:
            yield from public(*args, **named)
        except BaseException as problem:
            args, named = (), {}
            drop(problem)
            raise

    chosen = generate_clearing_variables if isgeneratorfunction(public) else call_clearing_variables
    # Created in the module of the public function: doctest, for one, finds the functions of a module by their globals.
    made: Any = FunctionType(chosen.__code__, public.__globals__, public.__name__, None, chosen.__closure__)
    made.keep_texts_out_of_tracebacks = True
    return update_wrapper(made, public)


def clear_variables(problem: BaseException) -> None:
    """Clear the local variables of every frame in the traceback of an error and of its causes."""
    ahead, seen = [problem], set()
    while ahead:
        one = ahead.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        traceback.clear_frames(one.__traceback__)
        ahead += [other for other in (one.__cause__, one.__context__) if other is not None]
        if isinstance(one, BaseExceptionGroup):
            ahead += one.exceptions
