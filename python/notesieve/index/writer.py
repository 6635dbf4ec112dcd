"""Writing to an index: validation, pseudonyms and commits."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from notesieve.errors import IndexRowError, SearchIndexError
from notesieve.index.names import digest_without_site_lists
from notesieve.index.note_attributes import AttributeColumns
from notesieve.verification.output_check import OutputCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from notesieve._core import Segments
    from notesieve.index.concepts import Concepts
    from notesieve.index.index_manifest import IndexManifest
    from notesieve.index.note_attributes import AttributesFile
    from notesieve.index.notes import Notes, RowOrProblem
    from notesieve.scrubber import Scrubber

# The maximum number of rejected rows that an error lists.
_MAX_LISTED_ERRORS = 1000


class Writer:
    """The writer of an index.

    Parameters
    ----------
    path : pathlib.Path
        The folder of the index; for messages.
    segments : Segments
        The segments to which notes are written.
    concepts : Concepts
        The concepts to which sets of codes are added.
    manifest : IndexManifest
        The manifest of the index. The provenance of the scrubber is added to it.
    scrubber : Scrubber
        The scrubber of the notes.
    attributes : AttributesFile
        The file for dates, ages and sexes.
    mix : bool
        Whether the index may already contain notes of another scrubber.
    """

    def __init__(
        self,
        path: Path,
        segments: Segments,
        concepts: Concepts,
        manifest: IndexManifest,
        scrubber: Scrubber,
        attributes: AttributesFile,
        *,
        mix: bool,
    ) -> None:
        provenance = scrubber.provenance
        known = manifest.provenance
        if provenance not in known:
            base = digest_without_site_lists(scrubber.vocabulary)
            first = known[0] if known else provenance
            same = manifest.vocabularies.get(str(first.get("vocabulary_digest"))) == base
            differ = [
                name
                for name, value in provenance.items()
                if value != first.get(name) and not (same and name == "vocabulary_digest")
            ]
            if differ and not mix:
                raise SearchIndexError(
                    f"{path}: its notes were made with another {' and another '.join(differ)}; use the same, or say "
                    "mix=True"
                )
            known.append(provenance)
            manifest.vocabularies[scrubber.vocabulary.digest] = base
        self.scrubber = scrubber
        self._check = OutputCheck(scrubber)
        self._source = known.index(provenance)
        self._concepts, self._manifest, self._attributes = concepts, manifest, attributes
        key = None if manifest.given_pseudonyms else scrubber.key
        if key is None and not manifest.given_pseudonyms:
            raise SearchIndexError("the scrubber has no key, and the index needs one for its pseudonyms")
        self._key = key
        self._segments = segments.writer(scrubber.vocabulary, concepts.sets_and_statuses(), key)

    def add_notes(
        self, made: Iterable[tuple[Notes, list[RowOrProblem]]], known: Mapping[str, Iterable[Any]], *, verify: bool
    ) -> int:
        """Add notes in batches; see `Index.add`. Dates are shifted if the policy shifts them and there is a key."""
        shift = self._days_of_shift if self.scrubber.policy.dates == "shift" and self._key is not None else None
        columns = self._attribute_columns(known, shift)
        return self._add_checked(
            made, lambda notes, rows: self._segments.add_notes(notes, rows, self._source), columns, verify=verify
        )

    def add_texts(
        self,
        made: Iterable[tuple[Sequence[str], list[RowOrProblem]]],
        known: Mapping[str, Iterable[Any]],
        *,
        verify: bool,
    ) -> int:
        """Add de-identified texts in batches; their terms are extracted again, since a frame has none."""
        columns = self._attribute_columns(known, None)

        def write(texts: Sequence[str], rows: list[Any]) -> None:
            self._segments.add_texts(texts, rows, self._source, self.scrubber)

        return self._add_checked(made, write, columns, verify=verify)

    def _attribute_columns(
        self, known: Mapping[str, Iterable[Any]], shift: Callable[[str], int] | None
    ) -> AttributeColumns:
        """Return the columns of attributes; raise for one that the index does not have."""
        columns = AttributeColumns(known, shift)
        missing = [name for name in columns.names if name not in self._manifest.attributes]
        if missing:
            message = f"the index has no `{missing[0]}` of notes: Index.create(..., attributes=[{missing[0]!r}]) has it"
            raise SearchIndexError(message)
        return columns

    def _days_of_shift(self, patient: str) -> int:
        """Return the days by which dates of a patient are shifted."""
        return self.scrubber._shift_days(patient) or 0

    def _pseudonym_of(self, domain: str, identifier: str) -> str:
        return identifier if self._key is None else self._key.pseudonym(domain, identifier)

    def _add_checked(
        self,
        made: Iterable[tuple[Any, list[RowOrProblem]]],
        write: Callable[[Any, list[Any]], None],
        columns: AttributeColumns,
        *,
        verify: bool,
    ) -> int:
        """Add the valid notes; then raise one error for all rejected ones."""
        count = added = 0
        errors: list[tuple[int, str]] = []
        for notes, given in made:
            attributes = columns.next_attributes([None if isinstance(row, str) else row[1] for row in given])
            told = [found if isinstance(found, str) else row for row, found in zip(given, attributes, strict=True)]
            judged = self._with_problem_codes(notes, given if told == given else told, verify=verify)
            if str in set(map(type, judged)):
                wrong = ((count + at, code) for at, code in enumerate(judged) if isinstance(code, str))
                errors += islice(wrong, _MAX_LISTED_ERRORS - len(errors))
                good = [at for at, row in enumerate(judged) if not isinstance(row, str)]
                write([notes[at] for at in good], [judged[at] for at in good])
                added += len(good)
            else:
                write(notes, judged)
                added += len(judged)
            if columns.names or self._manifest.attributes:
                for row, found in zip(judged, attributes, strict=True):
                    if not isinstance(row, str) and not isinstance(found, str):
                        names = self._pseudonym_of("note", row[0]), self._pseudonym_of("patient", row[1])
                        self._attributes.add(*names, found)
            count += len(judged)
            # Sets of codes that are new with these notes.
            self._concepts.add(self._segments.code_sets_from(len(self._concepts.sets)), self.scrubber.vocabulary)
        if errors:
            raise IndexRowError(added, count - added, count, errors)
        return added

    def _with_problem_codes(
        self, notes: Iterable[object], rows: list[RowOrProblem], *, verify: bool
    ) -> list[RowOrProblem]:
        """Replace each row that must be rejected by its problem code."""
        if not self._manifest.years:
            rows = [row if isinstance(row, str) or row[3] is None else "years" for row in rows]
        if verify:
            rows = [
                row if isinstance(row, str) or self._check.passes(str(note)) else "verify"
                for note, row in zip(notes, rows, strict=True)
            ]
        return rows

    def remove(self, patient: str) -> None:
        """Remove all notes of a patient, given by the identifier."""
        self._segments.remove_patient(patient)
        if self._manifest.attributes:
            self._attributes.remove(self._pseudonym_of("patient", patient))

    def commit(self, manifest: Path) -> None:
        """Make what was added permanent."""
        # Write both before the notes: surplus concepts or a higher generation do no harm if the commit fails.
        self._concepts.write()
        self._manifest.concepts = self._concepts.length
        self._manifest.concepts_digest = self._concepts.digest_of_beginning(self._concepts.length)
        known = self._attributes.write(self._manifest.attributes_length, self._manifest.attributes_digest)
        self._manifest.attributes_length, self._manifest.attributes_digest = known
        self._manifest.generation += 1
        self._manifest.write(manifest)
        self._segments.commit()

    def close(self) -> None:
        """Discard uncommitted changes."""
        self._segments.close()
