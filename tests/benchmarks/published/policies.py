"""Policies of notesieve as systems: lists without rules, rules without the model, and Berman's concept match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import notesieve as ns
from published.notes import Note
from published.systems import Spans, Untrained


class Scrubbed(Untrained):
    """A policy as a system, on one thread."""

    policy: ClassVar[ns.Policy | str]

    def __init__(self) -> None:
        """Create the scrubber."""
        self.scrubber = ns.Scrubber(self.policy)

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the spans that the scrubber removes."""
        batch = self.scrubber.scrub_many([note.text for note in notes], threads=1)
        return [[(removal.start, removal.end) for removal in note.removed] for note in batch]


class Lists(Scrubbed):
    """Allow-lists only, without rules and model. Unlisted words and all numbers are removed."""

    name: ClassVar[str] = "lists without rules"
    published: ClassVar[str] = "-"
    policy = ns.Policy(
        "safe",
        ambiguous="never",
        numbers="none",
        rules_off=["name", "date", "age", "location", "contact", "id"],
    )


class Rules(Scrubbed):
    """Without the model: a title, a field label or a relative must mark an ordinary word as a name to remove it."""

    name: ClassVar[str] = "lists and rules"
    published: ClassVar[str] = "F .768 / .847 (rules and dictionaries, 2006)"
    policy = ns.Policy("safe", ambiguous="never")


class ConceptMatch(Scrubbed):
    """Berman's concept match (2003): stop words stay, terms become code and name, everything else is blanked."""

    name: ClassVar[str] = "concept match (2003)"
    published: ClassVar[str] = '"very few" misses'
    policy = "berman"
