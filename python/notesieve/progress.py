"""A progress bar for long tasks, on standard error and only in a terminal or notebook by default."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any


class Progress(AbstractContextManager["Progress"]):
    """A progress bar with rows, megabytes per second, removals, errors and remaining time.

    Parameters
    ----------
    show : bool, optional
        Whether to show the bar. Default: in a notebook, and where standard error is a terminal.
    total : int, optional
        The total number of rows or bytes.
    unit : {"rows", "bytes"}, optional
        The unit of the bar.

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
        # Import tqdm only if the bar is shown.
        if is_shown(show):
            of = "B" if unit == "bytes" else " notes"
            self.bar = progress_bar(show, total=total, desc="notesieve", unit=of, unit_scale=True)

    def __call__(self, rows: int, size: int, removed: int, failed: int, *, done: int | None = None) -> None:
        """Add to the counts; `done` is the step of the bar if it is neither these rows nor these bytes."""
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
    """Return whether to show a bar; by default if standard error is a terminal or the cell of a notebook."""
    if show is not None:
        return show
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def progress_bar(show: bool | None, **options: Any) -> Any:
    """Create a tqdm bar on standard error; a silent one if it is not shown."""
    from tqdm.auto import tqdm

    return tqdm(file=sys.stderr, dynamic_ncols=True, disable=not is_shown(show), **options)
