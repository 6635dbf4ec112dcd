"""Adapters for other libraries: their models as detectors, and notesieve as a component of theirs.

Nothing here imports spaCy, transformers or Presidio before it is used: ``pip install 'notesieve[adapters]'`` installs
spaCy and Presidio's analyzer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from notesieve.adapters.labels import PRESIDIO_KINDS, SPACY_KINDS, TRANSFORMERS_KINDS
from notesieve.adapters.model_detectors import PresidioDetector, SpacyDetector, TransformersDetector

if TYPE_CHECKING:
    from notesieve.adapters.presidio_recognizer import NotesieveRecognizer

__all__ = [
    "PRESIDIO_KINDS",
    "SPACY_KINDS",
    "TRANSFORMERS_KINDS",
    "NotesieveRecognizer",
    "PresidioDetector",
    "SpacyDetector",
    "TransformersDetector",
]


def __getattr__(name: str) -> Any:
    """Import the recognizer, a subclass of one of Presidio's classes, on first access."""
    if name == "NotesieveRecognizer":
        from notesieve.adapters.presidio_recognizer import NotesieveRecognizer

        return NotesieveRecognizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
