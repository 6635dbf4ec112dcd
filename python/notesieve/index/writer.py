"""Adding to an index: what may go in, under which pseudonyms, and how it reaches the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from notesieve.errors import NotesieveError, SearchIndexError
from notesieve.verification import verify as verify_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from notesieve._core import Segments
    from notesieve.index.concepts import Concepts
    from notesieve.index.manifest import Manifest
    from notesieve.index.notes import Notes, Row
    from notesieve.scrubber import Scrubber

__all__ = ["Writer"]


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

    def add_notes(self, made: Iterable[tuple[Notes, list[Row]]], *, verify: bool) -> int:
        """Add notes, some at a time; see `Index.add`."""
        count = 0
        for notes, rows in made:
            good, problem = self._good(notes, rows, verify=verify)
            self._segments.add_notes(notes[:good], rows[:good], self._source)
            count += self._learned(good)
            if problem is not None:
                raise problem
        return count

    def add_texts(self, made: Iterable[tuple[Sequence[str], list[Row]]], *, verify: bool) -> int:
        """Add de-identified texts, some at a time; their terms are found again, since a frame holds none."""
        count = 0
        for texts, rows in made:
            good, problem = self._good(texts, rows, verify=verify)
            self._segments.add_texts(texts[:good], rows[:good], self._source, self.scrubber)
            count += self._learned(good)
            if problem is not None:
                raise problem
        return count

    def _good(self, notes: Iterable[object], rows: list[Row], *, verify: bool) -> tuple[int, NotesieveError | None]:
        """Tell how many notes there are before the first that may not go in, and why that may not."""
        if not verify and (self._manifest.years or all(year is None for *_, year in rows)):
            return len(rows), None
        for at, (note, (*_, year)) in enumerate(zip(notes, rows, strict=True)):
            try:
                if verify:
                    verify_text(str(note), self.scrubber)
                if year is not None and not self._manifest.years:
                    raise SearchIndexError("this index has no years; Index.create(..., years=True) makes one that has")
            except NotesieveError as problem:
                return at, problem
        return len(rows), None

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
        self._manifest.concepts = self._concepts.length
        self._manifest.generation += 1
        self._manifest.write(manifest)
        self._segments.commit()

    def close(self) -> None:
        """Forget what was not committed."""
        self._segments.close()
