"""A progress bar for long work: on standard error, and only where somebody is watching."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any


class Progress(AbstractContextManager["Progress"]):
    """Rows, megabytes a second, removals, errors and time left.

    Parameters
    ----------
    show : bool, optional
        Whether there is a bar. Default: in a notebook, and where standard error is a terminal.
    total : int, optional
        The rows, or the bytes, that there are to do.
    unit : {"rows", "bytes"}, optional
        What the bar counts.

    Examples
    --------
    >>> with Progress(show=False, total=2) as progress:
    ...     progress(rows=2, size=40, removed=3, failed=0)
    >>> progress.rows, progress.removed
    (2, 3)
    """

    def __init__(self, show: bool | None = None, total: int | None = None, unit: str = "rows") -> None:
        self.rows = self.size = self.removed = self.failed = 0
        self.unit = unit
        self.bar: Any = None
        # Whoever shows no bar does not wait for tqdm to be imported.
        if is_shown(show):
            of = "B" if unit == "bytes" else " notes"
            self.bar = progress_bar(show, total=total, desc="notesieve", unit=of, unit_scale=True)

    def __call__(self, rows: int, size: int, removed: int, failed: int, *, done: int | None = None) -> None:
        """Count what was done; `done` is what the bar moves by if it is not these rows or bytes."""
        self.rows += rows
        self.size += size
        self.removed += removed
        self.failed += failed
        if self.bar is None:
            return
        step = (rows if self.unit == "rows" else size) if done is None else done
        seconds = self.bar.format_dict["elapsed"]
        speed = f"{self.size / 1e6 / seconds:.1f} MB/s" if seconds > 0 else ""
        notes = {"notes": f"{self.rows:,}"} if self.unit == "bytes" else {}
        self.bar.set_postfix(
            {**notes, "text": speed, "removed": f"{self.removed:,}", "errors": f"{self.failed:,}"}, refresh=False
        )
        self.bar.update(step)

    def __exit__(self, *_: object) -> None:
        """Close the bar and leave its last state on the screen."""
        if self.bar is not None:
            self.bar.close()


def is_shown(show: bool | None) -> bool:
    """Whether there is a bar; by default where standard error is a terminal, or the cell of a notebook."""
    if show is not None:
        return show
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def progress_bar(show: bool | None, **options: Any) -> Any:
    """Make a bar of tqdm on standard error; a silent one where it is not shown."""
    from tqdm.auto import tqdm

    return tqdm(file=sys.stderr, dynamic_ncols=True, disable=not is_shown(show), **options)
