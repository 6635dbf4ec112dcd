"""How far a build is: on standard error, and only where somebody is watching."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

Told = Callable[[int | None, int | None], object]


class BuildProgress:
    """One line a source that counts its records.

    Parameters
    ----------
    names : sequence of str
        What the sources are called.
    show : bool or callable, optional
        Whether to show it; a function is told instead. Default: where standard error is a terminal.

    Examples
    --------
    >>> with BuildProgress(["mesh desc.xml"], show=False) as progress:
    ...     progress.callback is None
    True
    """

    def __init__(self, names: Sequence[str], show: bool | Told | None = None) -> None:
        self.names = names
        self.bar: Any = None
        self.at: int | None = -1
        self.callback: Told | None = None
        if callable(show):
            self.callback = show
        elif show if show is not None else sys.stderr is not None and sys.stderr.isatty():
            self.callback = self.tell

    def tell(self, source: int | None, records: int | None) -> None:
        """Show that so many records of a source were read, or that the file is written now."""
        from tqdm.auto import tqdm

        if source != self.at:
            self.close()
            self.at = source
            name = "compile" if source is None else self.names[source] if source < len(self.names) else "built-in lists"
            self.bar = tqdm(desc=name, unit=" records", unit_scale=True, file=sys.stderr, dynamic_ncols=True)
        if records is not None:
            self.bar.update(records - self.bar.n)

    def close(self) -> None:
        """End the line."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End."""
        self.close()
