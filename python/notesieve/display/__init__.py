"""How a scrubbed note looks in a notebook: kept, coded and removed; the original only where somebody asks for it."""

from notesieve.display.note_views import (
    Html,
    concept_table,
    decision_table,
    finding_table,
    note_html,
    pieces_of,
    show,
)

__all__ = ["Html", "concept_table", "decision_table", "finding_table", "note_html", "pieces_of", "show"]
