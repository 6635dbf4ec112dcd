"""How a scrubbed note looks in a notebook: kept, coded and removed, never the original."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote

__all__ = ["note_html"]

_COLOURS = {
    "NAME": "#f4b6c2",
    "DATE": "#cfe3f5",
    "AGE": "#e3d4f2",
    "LOCATION": "#fbe3b3",
    "CONTACT": "#cdeccd",
    "ID": "#f7cfae",
    "UNLISTED": "#dddddd",
}
_CODED = "#d8f3ee"
_BOX = "padding:0 .2em;border-radius:.25em;"


def _mark(text: str, colour: str, title: str) -> str:
    style = f"background:{colour};color:#111;{_BOX}"
    return f'<span style="{style}" title="{html.escape(title)}">{html.escape(text)}</span>'


def note_html(note: ScrubbedNote) -> str:
    """Render a scrubbed note as one self-contained piece of HTML.

    Parameters
    ----------
    note : ScrubbedNote
        The note.

    Returns
    -------
    str
        HTML without scripts: coded terms with code and name as tooltip, what stands for removed words in the colour of
        its category, a legend. The original is not in it.

    Examples
    --------
    >>> import notesieve as ns
    >>> "diabetes" in note_html(ns.Scrubber().scrub("Known diabetes."))
    True
    """
    text = note.text
    marks = [(c.start, c.end, _CODED, f"{c.code}  {c.name}") for c in note.concepts]
    marks += [
        (r.output_start, r.output_end, _COLOURS[r.category], f"removed: {r.kind or 'on no list'}") for r in note.removed
    ]
    parts = []
    at = 0
    for start, end, colour, title in sorted(marks):
        parts += [html.escape(text[at:start]), _mark(text[start:end], colour, title)]
        at = end
    parts.append(html.escape(text[at:]))
    used = [category for category in _COLOURS if any(r.category == category for r in note.removed)]
    legend = " ".join(
        [_mark("coded term", _CODED, "in the vocabulary")]
        + [_mark(category.lower(), _COLOURS[category], f"removed: {category.lower()}") for category in used]
    )
    return (
        '<div style="border:1px solid #ccc;border-radius:.4em;padding:.8em;background:#fff;color:#111">'
        f'<div style="white-space:pre-wrap;line-height:1.6">{"".join(parts)}</div>'
        f'<div style="margin-top:.8em;font-size:85%">{legend}</div></div>'
    )
