"""Adding to an index: what may go in, under which pseudonyms, and how it reaches the disk."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from notesieve.errors import IndexRowError, SearchIndexError, VerifyError
from notesieve.index.names import without_lists
from notesieve.verification.checker import verify as verify_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from notesieve._core import Segments
    from notesieve.index.concepts import Concepts
    from notesieve.index.index_manifest import IndexManifest
    from notesieve.index.notes import Judged, Notes
    from notesieve.scrubber import Scrubber

__all__ = ["Writer"]

# Of so many rows that may not go in an error tells each.
_TOLD = 1000


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
    manifest : IndexManifest
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
        manifest: IndexManifest,
        scrubber: Scrubber,
        *,
        mix: bool,
    ) -> None:
        provenance = scrubber.provenance
        known = manifest.provenance
        if provenance not in known:
            base = without_lists(scrubber.vocabulary)
            first = known[0] if known else provenance
            same = manifest.vocabularies.get(str(first.get("vocabulary_digest"))) == base
            differ = [
                name
                for name, value in provenance.items()
                if value != first.get(name) and not (same and name == "vocabulary_digest")
            ]
            if differ and not mix:
                message = (
                    f"{path}: its notes were made with another {' and another '.join(differ)}; use the same, or say "
                    "mix=True"
                )
                raise SearchIndexError(message)
            known.append(provenance)
            manifest.vocabularies[scrubber.vocabulary.digest] = base
        self.scrubber = scrubber
        self._source = known.index(provenance)
        self._concepts, self._manifest = concepts, manifest
        key = None if manifest.given_pseudonyms else scrubber.key
        if key is None and not manifest.given_pseudonyms:
            raise SearchIndexError("the scrubber has no key, and the index needs one for its pseudonyms")
        self._segments = segments.writer(scrubber.vocabulary, concepts.numbered(), key)

    def add_notes(self, made: Iterable[tuple[Notes, list[Judged]]], *, verify: bool) -> int:
        """Add notes, some at a time; see `Index.add`."""
        return self._add(made, lambda notes, rows: self._segments.add_notes(notes, rows, self._source), verify=verify)

    def add_texts(self, made: Iterable[tuple[Sequence[str], list[Judged]]], *, verify: bool) -> int:
        """Add de-identified texts, some at a time; their terms are found again, since a frame holds none."""
        return self._add(
            made, lambda texts, rows: self._segments.add_texts(texts, rows, self._source, self.scrubber), verify=verify
        )

    def _add(
        self, made: Iterable[tuple[Any, list[Judged]]], write: Callable[[Any, list[Any]], None], *, verify: bool
    ) -> int:
        """Add what may go in; tell of what may not when all the rest is there."""
        count = added = 0
        errors: list[tuple[int, str]] = []
        for notes, given in made:
            judged = self._judged(notes, given, verify=verify)
            if str in set(map(type, judged)):
                wrong = ((count + at, code) for at, code in enumerate(judged) if isinstance(code, str))
                errors += islice(wrong, _TOLD - len(errors))
                good = [at for at, row in enumerate(judged) if not isinstance(row, str)]
                write([notes[at] for at in good], [judged[at] for at in good])
                added += len(good)
            else:
                write(notes, judged)
                added += len(judged)
            count += len(judged)
            # The sets of codes that the notes brought.
            self._concepts.add(self._segments.sets(len(self._concepts.sets)), self.scrubber.vocabulary)
        if errors:
            raise IndexRowError(added, count - added, count, errors)
        return added

    def _judged(self, notes: Iterable[object], rows: list[Judged], *, verify: bool) -> list[Judged]:
        """Put the code of what is wrong into the place of each row that may not go in."""
        if not self._manifest.years:
            rows = [row if isinstance(row, str) or row[3] is None else "years" for row in rows]
        if verify:
            rows = [
                row if isinstance(row, str) or self._is_clean(str(note)) else "verify"
                for note, row in zip(notes, rows, strict=True)
            ]
        return rows

    def _is_clean(self, text: str) -> bool:
        try:
            verify_text(text, self.scrubber)
        except VerifyError:
            return False
        return True

    def remove(self, patient: str) -> None:
        """Remove all notes of a patient, told by the identifier."""
        self._segments.remove(patient)

    def commit(self, manifest: Path) -> None:
        """Make what was added permanent."""
        # Both before the notes: a number too high and a code too many do no harm.
        self._concepts.write()
        self._manifest.concepts = self._concepts.length
        self._manifest.concepts_digest = self._concepts.digest(self._concepts.length)
        self._manifest.generation += 1
        self._manifest.write(manifest)
        self._segments.commit()

    def close(self) -> None:
        """Forget what was not committed."""
        self._segments.close()
