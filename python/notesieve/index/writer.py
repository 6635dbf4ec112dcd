"""Adding to an index: what may go in, under which pseudonyms, and how it reaches the disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from notesieve._core import SlotWriter
from notesieve.errors import FileError, SearchIndexError
from notesieve.index.notes import Row, portions
from notesieve.index.segments import document
from notesieve.verification import verify as verify_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from notesieve._core import ScrubbedNote
    from notesieve.index.concepts import Concepts
    from notesieve.index.manifest import Manifest
    from notesieve.index.segments import Written, tantivy
    from notesieve.scrubber import Scrubber

__all__ = ["Writer"]

# Bytes that tantivy fills before it writes a segment: few, large segments search faster.
_MEMORY = 256_000_000


class Writer:
    """The one who may add to an index.

    Parameters
    ----------
    path : pathlib.Path
        The folder of the index; for messages.
    segments : tantivy.Index
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
        segments: tantivy.Index,
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
        try:
            self._segments = segments.writer(_MEMORY, max(1, (os.cpu_count() or 1) - 1))
        except ValueError as problem:
            message = f"{path}: somebody else is adding to this index, or the folder cannot be written"
            raise FileError(message) from problem
        self._slots = SlotWriter(scrubber.vocabulary, concepts.sets)
        self._present = {note.encode() for note, _ in segments.searcher().terms_with_prefix("note", "")}

    def add_notes(self, notes: Iterable[tuple[ScrubbedNote, Row]], *, verify: bool) -> int:
        """Add notes; see `Index.add`."""
        count = 0
        for ahead in portions(notes):
            written = self._slots.write_notes([note for note, _ in ahead])
            count += self._add([row for _, row in ahead], written, verify=verify)
        return count

    def add_texts(self, texts: Iterable[tuple[str, Row]], *, verify: bool) -> int:
        """Add de-identified texts; their terms are found again, since a frame holds none."""
        count = 0
        for ahead in portions(texts):
            written = self._slots.write_texts([text for text, _ in ahead], self.scrubber)
            count += self._add([row for _, row in ahead], written, verify=verify)
        return count

    def _add(self, rows: list[Row], written: list[Written], *, verify: bool) -> int:
        self._concepts.add(self._slots.sets(len(self._concepts.sets)), self.scrubber.vocabulary)
        for row, note in zip(rows, written, strict=True):
            if verify:
                verify_text(note[0].decode(), self.scrubber)
            if row.year is not None and not self._manifest.years:
                raise SearchIndexError("this index has no years; Index.create(..., years=True) makes one that has")
            named = row._replace(note=self.pseudonym("note", row.note), patient=self.pseudonym("patient", row.patient))
            key = named.note.encode()
            if key in self._present:
                self._segments.delete_documents_by_term("note", named.note)
            self._present.add(key)
            self._segments.add_document(document(note, named, self._source))
        return len(rows)

    def pseudonym(self, domain: str, value: str) -> str:
        """Give what stands for an identifier in the index."""
        if self._manifest.given_pseudonyms:
            return value
        if self.scrubber.key is None:
            raise SearchIndexError("the scrubber has no key, and the index needs one for its pseudonyms")
        return self.scrubber.key.pseudonym(domain, value)

    def remove(self, patient: str) -> None:
        """Remove all notes of a patient, told by the identifier."""
        self._segments.delete_documents_by_term("patient", self.pseudonym("patient", patient))

    def commit(self, manifest: Path) -> None:
        """Make what was added permanent."""
        # Both before the notes: a number too high and a code too many do no harm.
        self._concepts.write()
        self._manifest.generation += 1
        self._manifest.write(manifest)
        self._segments.commit()

    def close(self) -> None:
        """Forget what was not committed."""
        self._segments.rollback()
        self._segments.wait_merging_threads()
