"""Adding to an index: what may go in, under which pseudonyms, and how it reaches the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from notesieve.errors import SearchIndexError
from notesieve.index.notes import Row, portions
from notesieve.verification import verify as verify_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from notesieve._core import ScrubbedNote, Segments
    from notesieve.index.concepts import Concepts
    from notesieve.index.manifest import Manifest
    from notesieve.scrubber import Scrubber

__all__ = ["Writer"]

Item = TypeVar("Item", "ScrubbedNote", str)


class Writer:
    """The one who may add to an index.

    Parameters
    ----------
    path : pathlib.Path
        The folder of the index; for messages.
    segments : Segments
        Where the notes go.
    concepts : Concepts
        Where the sets of codes go.
    manifest : Manifest
        What the index says about itself. The provenance of the scrubber is written into it.
    scrubber : Scrubber
        What made the notes.
    mix : bool
        Whether notes of another scrubber may be there already.
    """

    def __init__(
        self,
        path: Path,
        segments: Segments,
        concepts: Concepts,
        manifest: Manifest,
        scrubber: Scrubber,
        *,
        mix: bool,
    ) -> None:
        provenance = scrubber.provenance
        known = manifest.provenance
        if provenance not in known:
            if known and not mix:
                differ = [name for name, value in provenance.items() if value != known[0].get(name)]
                message = (
                    f"{path}: its notes were made with another {' and another '.join(differ)}; use the same, or say "
                    "mix=True"
                )
                raise SearchIndexError(message)
            known.append(provenance)
        self.scrubber = scrubber
        self._source = known.index(provenance)
        self._concepts, self._manifest = concepts, manifest
        key = None if manifest.given_pseudonyms else scrubber.key
        if key is None and not manifest.given_pseudonyms:
            raise SearchIndexError("the scrubber has no key, and the index needs one for its pseudonyms")
        self._segments = segments.writer(scrubber.vocabulary, concepts.sets, key)

    def add_notes(self, notes: Iterable[tuple[ScrubbedNote, Row]], *, verify: bool) -> int:
        """Add notes; see `Index.add`."""
        count = 0
        for ahead in portions(self._checked(notes, verify=verify)):
            self._segments.add_notes([note for note, _ in ahead], [row for _, row in ahead], self._source)
            count += self._learned(len(ahead))
        return count

    def add_texts(self, texts: Iterable[tuple[str, Row]], *, verify: bool) -> int:
        """Add de-identified texts; their terms are found again, since a frame holds none."""
        count = 0
        for ahead in portions(self._checked(texts, verify=verify)):
            rows = [row for _, row in ahead]
            self._segments.add_texts([text for text, _ in ahead], rows, self._source, self.scrubber)
            count += self._learned(len(ahead))
        return count

    def _checked(self, notes: Iterable[tuple[Item, Row]], *, verify: bool) -> Iterator[tuple[Item, Row]]:
        for note, row in notes:
            if verify:
                verify_text(str(note), self.scrubber)
            if row.year is not None and not self._manifest.years:
                raise SearchIndexError("this index has no years; Index.create(..., years=True) makes one that has")
            yield note, row

    def _learned(self, notes: int) -> int:
        """Take in the sets of codes that notes brought."""
        self._concepts.add(self._segments.sets(len(self._concepts.sets)), self.scrubber.vocabulary)
        return notes

    def remove(self, patient: str) -> None:
        """Remove all notes of a patient, told by the identifier."""
        self._segments.remove(patient)

    def commit(self, manifest: Path) -> None:
        """Make what was added permanent."""
        # Both before the notes: a number too high and a code too many do no harm.
        self._concepts.write()
        self._manifest.generation += 1
        self._manifest.write(manifest)
        self._segments.commit()

    def close(self) -> None:
        """Forget what was not committed."""
        self._segments.close()
