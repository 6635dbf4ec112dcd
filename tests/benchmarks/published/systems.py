"""The interface of the systems of the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from published.notes import Note

Spans = list[tuple[int, int]]


class System(Protocol):
    """A system that removes spans of notes.

    If ``reads`` is set, the time of `published.reading` counts for it. A system with a threshold has ``scores(notes)``,
    one number per token, higher for more likely identifiers.
    """

    name: ClassVar[str]
    published: ClassVar[str]
    reads: ClassVar[bool]

    def fit(self, notes: Sequence[Note]) -> None:
        """Learn from marked notes; a system without training does nothing."""

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the spans to remove from each note."""


class Untrained:
    """A system that learns nothing."""

    reads: ClassVar[bool] = False

    def fit(self, notes: Sequence[Note]) -> None:
        """Learn nothing."""
