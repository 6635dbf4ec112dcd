"""Shared helpers of the benchmarks: texts with marks or slots, and figures as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

Replaced = list[tuple[int, int, re.Match[str]]]


def replace_matches(
    pattern: re.Pattern[str], text: str, write: Callable[[re.Match[str]], str] = lambda match: match[1]
) -> tuple[str, Replaced]:
    """Replace the matches of a pattern, by default by their first group; return the text and each replacement's span.

    >>> replace_matches(re.compile(r"<(.*?)>"), "No <fever>.")[0]
    'No fever.'
    """
    parts, found, at, length = [], [], 0, 0
    for match in pattern.finditer(text):
        new = write(match)
        start = length + match.start() - at
        parts += [text[at : match.start()], new]
        at, length = match.end(), start + len(new)
        found.append((start, length, match))
    return "".join([*parts, text[at:]]), found


def write_figures_if_asked(path: Path | None, figures: object) -> None:
    """Write the figures as JSON if a file is given."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
