"""Display of scrubbed notes in a notebook: kept, coded and removed text; the original only on request."""

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
