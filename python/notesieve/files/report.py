"""The result of a run over files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class FileReport:
    """The result of a run over files.

    Attributes
    ----------
    done : int
        The number of inputs that were scrubbed.
    skipped : int
        The number of inputs that are complete according to the manifest.
    rows, failed : int
        The number of rows written, and of rows among them with an error code.
    excluded : int
        The number of rows left out because their patient is excluded.
    problems : list of str
        What is wrong with each input that has no output.
    ignored : list of (Path, str)
        The files in folders that were ignored, and the reason.
    warnings : list of str
        Choices that were inferred and may be wrong, such as the separator of a CSV.
    """

    done: int = 0
    skipped: int = 0
    rows: int = 0
    excluded: int = 0
    failed: int = 0
    problems: list[str] = field(default_factory=list)
    ignored: list[tuple[Path, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
