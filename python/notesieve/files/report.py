"""How a run over files went."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class FileReport:
    """How a run went.

    Attributes
    ----------
    done : int
        Inputs that were scrubbed.
    skipped : int
        Inputs that the manifest proves done.
    rows, failed : int
        Rows out, and rows among them that got an error code.
    excluded : int
        Rows of excluded patients, which were left out.
    problems : list of str
        What is wrong with each input that has no output.
    ignored : list of (Path, str)
        The files of folders that are not taken, and what they are.
    warnings : list of str
        What was found out and may be wrong, such as the separator of a CSV.
    """

    done: int = 0
    skipped: int = 0
    rows: int = 0
    excluded: int = 0
    failed: int = 0
    problems: list[str] = field(default_factory=list)
    ignored: list[tuple[Path, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
