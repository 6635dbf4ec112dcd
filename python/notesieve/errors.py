"""What can go wrong. No message ever holds text of a note: positions and kinds only."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesieve._core import ScrubbedBatch

__all__ = [
    "BatchError",
    "FileError",
    "GoldError",
    "NoteError",
    "NoteTypeError",
    "NotesieveError",
    "PolicyError",
    "SourceError",
    "VocabularyError",
]


class NotesieveError(Exception):
    """The root of all errors of the package."""


class FileError(NotesieveError, OSError):
    """A file could not be read or written."""


class VocabularyError(NotesieveError, ValueError):
    """A compiled vocabulary is truncated, altered, foreign or of another version."""


class SourceError(NotesieveError, ValueError):
    """A vocabulary source cannot be read at a line."""


class PolicyError(NotesieveError, ValueError):
    """A policy or a list is not valid."""


class GoldError(NotesieveError, ValueError):
    """A gold standard or a prediction cannot be read."""


class NoteError(NotesieveError, ValueError):
    """A note cannot be scrubbed."""


class NoteTypeError(NoteError, TypeError):
    """A note is no text."""


class BatchError(NoteError):
    """Some notes of a batch could not be scrubbed; the others were.

    Attributes
    ----------
    batch : ScrubbedBatch
        All notes; an empty one stands in the place of each that failed.
    errors : list of tuple of (int, str)
        The index of each note that failed, and why.
    """

    def __init__(self, batch: ScrubbedBatch, errors: list[tuple[int, str]]) -> None:
        index, reason = errors[0]
        super().__init__(
            f"{len(errors)} of {len(batch)} notes could not be scrubbed, the first at index {index}: {reason}; "
            "the others are in the attribute `batch`, all failures in `errors`"
        )
        self.batch = batch
        self.errors = errors
