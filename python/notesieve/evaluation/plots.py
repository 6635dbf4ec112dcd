"""SVG plots of an evaluation, drawn here so that a report needs no plotting library and fits in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, log10
from typing import Any

INK, GREY, _LINE, _BLUE, _RED = "#1f2933", "#616e7c", "#d9e2ec", "#1f5fa8", "#b3261e"


def svg_text(x: float, y: float, words: str, *, anchor: str = "start", size: int = 12, colour: str = INK) -> str:
    """Return an SVG text element at a position."""
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(words)}</text>'


def _svg_line(x1: float, y1: float, x2: float, y2: float, colour: str = _LINE, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _svg_document(width: int, height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{escape(title)}" '
        f'xmlns="http://www.w3.org/2000/svg" font-family="inherit">{"".join(parts)}</svg>'
    )


def _round_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return round numbers from at most `low` up to `high`."""
    rough = max(high - low, 1e-6) / wanted
    unit = 10 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough * 0.999)
    first = floor(low / step + 1e-9)
    ticks = []
    while first * step <= high + 1e-9:
        ticks.append(round(first * step, 10))
        first += 1
    return ticks


def _format_tick(share: float, step: float = 0.01) -> str:
    digits = 0 if step >= 0.01 else 1 if step >= 0.001 else 2
    return f"{share * 100:.{digits}f} %"


def recall_by_group(groups: Mapping[str, Mapping[str, Any]], title: str) -> str:
    """Draw the share of removed tokens by group, with intervals: a dot and a line each.

    Parameters
    ----------
    groups : mapping of str to mapping
        As ``evaluation["category"]``.
    title : str
        For readers who cannot see it.

    Returns
    -------
    str
        SVG.

    Examples
    --------
    >>> group = {"tokens": 9, "token_leaks": 0, "token_recall": 1.0, "token_interval": {"low": 0.66, "high": 1.0}}
    >>> recall_by_group({"NAME": group}, "recall")[:4]
    '<svg'
    """
    # The axis covers the intervals of groups with at least 20 tokens; wider intervals are cut off at the left.
    lows = [g["token_interval"]["low"] for g in groups.values() if g["tokens"] >= 20] or [0.0]
    low = min([*lows, *(g["token_recall"] for g in groups.values()), 0.99])
    ticks = _round_ticks(max(0.0, low), 1.0)
    step = ticks[1] - ticks[0]
    # Eight units per letter are enough for capitals of this size.
    left = max(150, 24 + 8 * max(map(len, groups), default=0))
    right, row, width = 130, 26, 720
    floor_value = ticks[0]
    bottom = 14 + row * len(groups)

    def x_position(value: float) -> float:
        return left + (max(value, floor_value) - floor_value) / (1 - floor_value) * (width - left - right)

    parts = []
    for tick in ticks:
        parts.append(_svg_line(x_position(tick), 6, x_position(tick), bottom))
        parts.append(
            svg_text(x_position(tick), bottom + 16, _format_tick(tick, step), anchor="middle", size=11, colour=GREY)
        )
    for at, (name, group) in enumerate(groups.items()):
        y = 14 + row * (at + 0.5)
        interval = group["token_interval"]
        parts.append(svg_text(left - 12, y + 4, name, anchor="end"))
        parts.append(_svg_line(x_position(interval["low"]), y, x_position(interval["high"]), y, _BLUE, 3))
        if interval["low"] < floor_value:
            parts.append(f'<path d="M{left - 7} {y:.1f}l7 -4v8z" fill="{_BLUE}"/>')
        parts.append(f'<circle cx="{x_position(group["token_recall"]):.1f}" cy="{y:.1f}" r="5" fill="{_BLUE}"/>')
        leaks = group["token_leaks"]
        words = f"{leaks:,} of {group['tokens']:,} left"
        parts.append(svg_text(width - right + 18, y + 4, words, size=11, colour=_RED if leaks else GREY))
    return _svg_document(width, bottom + 24, title, parts)


def kept_against_leaked(systems: Sequence[tuple[str, float, float]], title: str) -> str:
    """Plot systems or policies by shares of leaked and of kept tokens; the upper left corner is best.

    Parameters
    ----------
    systems : sequence of (str, float, float)
        Name, share of PHI tokens leaked, share of other tokens kept.
    title : str
        For readers who cannot see it.

    Returns
    -------
    str
        SVG.

    Examples
    --------
    >>> kept_against_leaked([("safe", 0.001, 0.98)], "kept")[:4]
    '<svg'
    """
    width, height, left, bottom = 720, 330, 74, 282
    across = _round_ticks(0, max([leaked for _, leaked, _ in systems] + [0.002]) * 1.25, 6)
    up = _round_ticks(max(0.0, min(kept for _, _, kept in systems) - 0.02), 1.0, 5)
    right_value, low = across[-1] + (across[1] - across[0]) * 0.5, up[0]

    def x_position(value: float) -> float:
        return left + value / right_value * (width - left - 30)

    def y_position(value: float) -> float:
        return bottom - (value - low) / (1 - low) * (bottom - 24)

    parts = []
    for tick in across:
        parts.append(_svg_line(x_position(tick), 24, x_position(tick), bottom))
        words = _format_tick(tick, across[1] - across[0])
        parts.append(svg_text(x_position(tick), bottom + 17, words, anchor="middle", size=11, colour=GREY))
    for tick in up:
        parts.append(_svg_line(left, y_position(tick), x_position(right_value), y_position(tick)))
        parts.append(
            svg_text(
                left - 9, y_position(tick) + 4, _format_tick(tick, up[1] - up[0]), anchor="end", size=11, colour=GREY
            )
        )
    parts.append(svg_text((left + width) / 2, bottom + 38, "PHI tokens left in the text", anchor="middle", colour=GREY))
    parts.append(svg_text(4, 14, "other tokens kept", colour=GREY))
    used: list[tuple[float, float, float]] = []
    for at, (name, leaked, kept) in enumerate(systems):
        across_at, up_at = x_position(leaked), y_position(kept)
        to_left = across_at > width * 0.7
        # A letter is about 7 units wide at this size.
        begin = across_at - 11 - 7 * len(name) if to_left else across_at + 11
        end, label = begin + 7 * len(name), up_at + 4
        while any(abs(label - other) < 15 and begin < last and first < end for first, last, other in used):
            label += 15
        used += [(begin, end, label), (across_at - 6, across_at + 6, up_at + 4)]
        colour = _BLUE if at == 0 else GREY
        parts.append(f'<circle cx="{across_at:.1f}" cy="{up_at:.1f}" r="6" fill="{colour}"/>')
        parts.append(svg_text(across_at + (-11 if to_left else 11), label, name, anchor="end" if to_left else "start"))
    return _svg_document(width, height, title, parts)


def leaks_by_document(counts: Sequence[int], title: str) -> str:
    """Draw the number of documents with no leak, one, two and more.

    Parameters
    ----------
    counts : sequence of int
        Leaked tokens of each document.
    title : str
        For readers who cannot see it.

    Returns
    -------
    str
        SVG.

    Examples
    --------
    >>> leaks_by_document([0, 0, 3], "leaks")[:4]
    '<svg'
    """
    bins = [("0", 0, 0), ("1", 1, 1), ("2", 2, 2), ("3", 3, 3), ("4-5", 4, 5), ("6-10", 6, 10), ("11-20", 11, 20)]
    bars = [(name, sum(low <= count <= high for count in counts)) for name, low, high in bins]
    bars.append(("21 +", sum(count > 20 for count in counts)))
    width, bottom, top = 720, 190, 26
    space = (width - 20) / len(bars)
    most = max([number for _, number in bars] + [1])
    parts = [_svg_line(10, bottom, width - 10, bottom, GREY)]
    for at, (name, number) in enumerate(bars):
        tall = (bottom - top) * number / most
        x = 10 + space * at + space * 0.16
        colour = _BLUE if at == 0 else _RED
        if number:
            parts.append(
                f'<rect x="{x:.1f}" y="{bottom - tall:.1f}" width="{space * 0.68:.1f}" height="{tall:.1f}" '
                f'fill="{colour}"/>'
            )
        middle = x + space * 0.34
        shade = INK if number else GREY
        parts.append(svg_text(middle, bottom - tall - 6, f"{number:,}", anchor="middle", colour=shade))
        parts.append(svg_text(middle, bottom + 17, name, anchor="middle", colour=GREY))
    parts.append(svg_text(width / 2, bottom + 38, "tokens leaked in a note", anchor="middle", colour=GREY))
    return _svg_document(width, bottom + 46, title, parts)
