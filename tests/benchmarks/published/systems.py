"""What every system of the comparison is, and all of them in the order in which they were published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from published.notes import Note

Spans = list[tuple[int, int]]


class System(Protocol):
    """A system that removes stretches of notes.

    ``reads`` tells that the time of `published.reading` belongs to it. A system with a threshold has ``scores(notes)``, one
    number a token, higher the more it identifies.
    """

    name: ClassVar[str]
    published: ClassVar[str]
    reads: ClassVar[bool]

    def fit(self, notes: Sequence[Note]) -> None:
        """Learn from marked notes; what does not learn does nothing."""

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Give the stretches to remove of each note."""


class Untrained:
    """A system that learns nothing."""

    reads: ClassVar[bool] = False

    def fit(self, notes: Sequence[Note]) -> None:
        """Learn nothing."""
