"""How a run over files went."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Report"]


@dataclass
class Report:
    """How a run went.

    Attributes
    ----------
    done : int
        Inputs that were scrubbed.
    skipped : int
        Inputs that the manifest proves done.
    rows, failed : int
        Rows in, and rows that got an error code.
    problems : list of str
        What is wrong with each input that has no output.
    left : list of (Path, str)
        The files of folders that are not taken, and what they are.
    said : list of str
        What was found out and may be wrong, such as the separator of a CSV.
    """

    done: int = 0
    skipped: int = 0
    rows: int = 0
    failed: int = 0
    problems: list[str] = field(default_factory=list)
    left: list[tuple[Path, str]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
