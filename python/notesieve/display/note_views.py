"""Display of scrubbed notes in a notebook: kept, coded and removed text; the original only on request."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from notesieve._core import ScrubbedBatch, ScrubbedNote
from notesieve.errors import NoteError, NoteTypeError
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import ConceptMention

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
# Style of a term that is not affirmed.
_NOT_AFFIRMED_STYLE = "#fff;border:1px dashed #888;text-decoration:line-through dotted #888"
_SYSTEMS = {
    "mesh": "MeSH",
    "hp": "HPO",
    "doid": "Disease Ontology",
    "mondo": "MONDO",
    "icd10cm": "ICD-10-CM",
    "drugbank": "DrugBank",
    "ncit": "NCI Thesaurus",
}
_BOX = "padding:0 .2em;border-radius:.25em;"
_FRAME = "border:1px solid #ccc;border-radius:.4em;padding:.8em;background:#fff;color:#111"
_BANNER = (
    '<div style="background:#b3261e;color:#fff;padding:.3em .6em;border-radius:.3em;margin-bottom:.8em">'
    "<b>Original text: it identifies people. Do not save, print or share this.</b></div>"
)


class Html(str):
    """HTML text that a notebook renders.

    Examples
    --------
    >>> Html("<b>fever</b>")._repr_html_()
    '<b>fever</b>'
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def category_colour(category: str) -> str:
    """Return the colour of a category; unknown categories are grey.

    Examples
    --------
    >>> category_colour("NAME"), category_colour("PROFESSION")
    ('#f4b6c2', '#dddddd')
    """
    return _COLOURS.get(category, _COLOURS["UNLISTED"])


def _coloured_html(text: str, colour: str, title: str) -> str:
    """Return a text as HTML with a background colour and a tooltip."""
    style = f"background:{colour};color:#111;{_BOX}"
    return f'<span style="{style}" title="{html.escape(title)}">{html.escape(text)}</span>'


def _text_with_marks(text: str, marks: Iterable[tuple[int, int, str, str]]) -> str:
    """Return an escaped text with coloured spans."""
    parts = []
    at = 0
    for start, end, colour, title in sorted(marks):
        parts += [html.escape(text[at:start]), _coloured_html(text[start:end], colour, title)]
        at = end
    parts.append(html.escape(text[at:]))
    return "".join(parts)


def _concept_tooltip(concept: ConceptMention) -> str:
    """Return the tooltip of a concept: code, name, system, and its statuses with their cues."""
    told = f"{concept.code}  {concept.name}  ({_code_system(concept.code)})"
    return "; ".join([told, *(f"{status}: {cue}" for status, cue in concept.reasons.items())])


def _code_system(code: str) -> str:
    system = code.split(":")[0]
    return _SYSTEMS.get(system, system)


@keep_texts_out_of_tracebacks
def note_html(note: ScrubbedNote, original: str | None = None) -> str:
    """Return a scrubbed note as self-contained HTML.

    Parameters
    ----------
    note : ScrubbedNote
        The note.
    original : str, optional
        The text that was scrubbed, to show instead of the output, below a warning banner. Default: it is not shown.

    Returns
    -------
    str
        HTML without scripts: coded terms with code, name and system as tooltip, placeholders in the colours of their
        categories, a legend.

    Raises
    ------
    NoteError
        If `original` is shorter than what was scrubbed.
    NoteTypeError
        If this is not a note, but for example a batch or a text.

    Examples
    --------
    >>> import notesieve as ns
    >>> "diabetes" in note_html(ns.Scrubber().scrub("Known diabetes."))
    True
    """
    hidden, original = HiddenRepr(original), None
    return _note_html(note, hidden)


def _note_html(note: ScrubbedNote, original: HiddenRepr) -> str:
    _require_scrubbed_note(note, "show")
    shown = original.reveal() is not None
    marks = _coloured_spans(note, original)
    text = original.reveal() if shown else note.text
    used = [category for category in _COLOURS if any(removal.category == category for removal in note.removed)]
    names = {"UNLISTED": "on no list"}
    legend = " ".join(
        [_coloured_html("coded term", _CODED, "in the vocabulary")]
        + [_coloured_html("negated, past, doubtful, another's", _NOT_AFFIRMED_STYLE, "pointing at it tells")]
        * any(not concept.affirmed for concept in note.concepts)
        + [_coloured_html(names.get(category, category.lower()), _COLOURS[category], "removed") for category in used]
    )
    return (
        f'<div style="{_FRAME}">{_BANNER if shown else ""}'
        f'<div style="white-space:pre-wrap;line-height:1.6">{_text_with_marks(text, marks)}</div>'
        f'<div style="margin-top:.8em;font-size:85%">{legend}</div></div>'
    )


def _coloured_spans(note: ScrubbedNote, original: HiddenRepr) -> list[tuple[int, int, str, str]]:
    """Return start, end, colour and tooltip of each coloured span; offsets are in the original if there is one."""
    shown = original.reveal() is not None
    if shown and max((removal.end for removal in note.removed), default=0) > len(original.reveal()):
        raise NoteError("the original is shorter than what was scrubbed: it is another text")
    marks = [
        (
            concept.source_start if shown else concept.start,
            concept.source_end if shown else concept.end,
            _CODED if concept.affirmed else _NOT_AFFIRMED_STYLE,
            _concept_tooltip(concept),
        )
        for concept in note.concepts
        if not concept.ambiguous
    ]
    marks += [
        (
            removal.start if shown else removal.output_start,
            removal.end if shown else removal.output_end,
            _COLOURS[removal.category],
            f"removed: {removal.kind or 'on no list'}",
        )
        for removal in note.removed
    ]
    return sorted(marks)


@keep_texts_out_of_tracebacks
def pieces_of(note: ScrubbedNote, original: HiddenRepr) -> list[dict[str, str]]:
    """Return an original split into pieces with colour and tooltip, for a widget that inserts them as text."""
    text = original.reveal()
    pieces = []
    at = 0
    for start, end, colour, title in _coloured_spans(note, original):
        pieces += [(text[at:start], "", ""), (text[start:end], colour, title)]
        at = end
    pieces.append((text[at:], "", ""))
    # A lone surrogate cannot be sent; its replacement is one code point too.
    return [
        {"text": piece.encode("utf-8", "replace").decode("utf-8"), "colour": colour, "title": title}
        for piece, colour, title in pieces
        if piece
    ]


@keep_texts_out_of_tracebacks
def show(note: ScrubbedNote, *, original: str | None = None) -> Html:
    """Return a note as HTML for a notebook, with the original if given.

    Parameters
    ----------
    note : ScrubbedNote
        The note; it does not contain the original.
    original : str, optional
        The text that was scrubbed. It is shown with the removed text in colours, below a warning banner.

    Returns
    -------
    Html
        A string that notebooks render.

    Examples
    --------
    >>> import notesieve as ns
    >>> text = "Seen by Dr. Brown."
    >>> note = ns.Scrubber().scrub(text)
    >>> "Brown" in ns.show(note), "Brown" in ns.show(note, original=text)
    (False, True)
    """
    hidden, original = HiddenRepr(original), None
    return Html(_note_html(note, hidden))


def _require_scrubbed_note(note: object, what: str) -> None:
    """Raise if this is not a scrubbed note, with a hint on what to do instead."""
    if isinstance(note, ScrubbedNote):
        return
    hint = "scrub it first"
    if isinstance(note, ScrubbedBatch):
        hint = "take one of the batch, as in batch[0]; overview(batch) sums all up"
    elif isinstance(note, (list, tuple)):
        hint = "take one of them"
    raise NoteTypeError(f"{what} takes one ScrubbedNote, not {type(note).__name__}: {hint}")


def _html_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    cell = "text-align:left;vertical-align:top;padding:.2em .6em"
    top = "".join(f'<th style="{cell}">{html.escape(name)}</th>' for name in head)
    body = ""
    for row in rows:
        cells = "".join(f'<td style="{cell}">{html.escape(str(value))}</td>' for value in row)
        body += f"<tr>{cells}</tr>"
    return Html(f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


@keep_texts_out_of_tracebacks
def concept_table(note: ScrubbedNote) -> Html:
    """Return a table of the terms of a note with their codes.

    Examples
    --------
    >>> import notesieve as ns
    >>> "mesh:D001249" in concept_table(ns.Scrubber().scrub("Asthma."))
    True
    """
    _require_scrubbed_note(note, "concept_table")
    rows = [
        (
            c.start,
            note.text[c.start : c.end],
            c.code,
            c.name,
            c.group,
            "ambiguous" if c.ambiguous else ", ".join(f"{status} ({cue})" for status, cue in c.reasons.items()),
            " ".join(filter(None, (c.comparator, c.value, c.unit, c.flag, c.dose, c.route, c.frequency))),
            " ".join(c.codes[1:]),
        )
        for c in note.concepts
    ]
    return _html_table(["at", "term", "code", "name", "group", "said", "value or dose", "further codes"], rows)


@keep_texts_out_of_tracebacks
def finding_table(note: ScrubbedNote) -> Html:
    """Return a table of the findings of the rules by position, without the words themselves.

    Examples
    --------
    >>> import notesieve as ns
    >>> "NAME" in finding_table(ns.Scrubber().scrub("Dr. Brown came."))
    True
    """
    _require_scrubbed_note(note, "finding_table")
    rows = [(f.start, f.end, f.category, f.kind, f.rule, f.certainty) for f in note.findings]
    return _html_table(["from", "to", "category", "kind", "rule", "certainty"], rows)


@keep_texts_out_of_tracebacks
def decision_table(note: ScrubbedNote) -> Html:
    """Return a table of the decision on each token: the output, the action and the reason.

    Raises
    ------
    NoteError
        If the note has no decisions, for example because a batch was not scrubbed with ``explain=True``.

    Examples
    --------
    >>> import notesieve as ns
    >>> "remove" in decision_table(ns.Scrubber().scrub("Dr. Brown came."))
    True
    """
    _require_scrubbed_note(note, "decision_table")
    if not note.decisions and note.text:
        raise NoteError("the note has no decisions: scrub() keeps them, and scrub_many(..., explain=True)")
    rows = []
    for decision in note.decisions:
        written = "" if decision.action == "remove" else note.text[decision.output_start : decision.output_end]
        rows.append((decision.start, written.strip(), decision.action, decision.reason, decision.rule or ""))
    return _html_table(["at", "word", "what was done", "why", "rule"], rows)
