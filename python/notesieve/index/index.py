"""The index: create, open, add to and verify one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from notesieve._core import Vocabulary
from notesieve.errors import FileError, SearchIndexError
from notesieve.files.reading_errors import as_file_errors
from notesieve.hidden_repr import HiddenRepr
from notesieve.index.audit_log import AuditLog
from notesieve.index.index_manifest import IndexManifest
from notesieve.index.note_attributes import ATTRIBUTES
from notesieve.index.notes import batches_from_frame, batches_from_notes, column_of_frame, is_frame, reject_column_name
from notesieve.index.open_index import CONCEPTS, MANIFEST, SEGMENTS
from notesieve.index.release import ReleasingIndex
from notesieve.index.writer import Writer
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote
    from notesieve.scrubber import Scrubber


@keep_texts_out_of_tracebacks
class Index(ReleasingIndex):
    """De-identified notes, searchable by words and codes. `Index.create` makes an index, `Index.open` opens one.

    An index is a folder. It contains only the output of a scrubber: de-identified texts with the positions of their
    words, codes at the first words of their terms, the hierarchy of codes, types, years if the policy keeps them, keyed
    pseudonyms of notes and patients, and the provenance of all this.

    Examples
    --------
    >>> import notesieve as ns, tempfile
    >>> scrubber = ns.Scrubber()
    >>> notes = scrubber.scrub_many(["Known diabetes mellitus.", "Type 2 diabetes, on insulin.", "No fever."])
    >>> folder = tempfile.TemporaryDirectory()
    >>> with ns.Index.create(folder.name + "/notes", scrubber, given_pseudonyms=True) as index:
    ...     index.add(notes, note_id=["n1", "n2", "n3"], patient_id=["p1", "p1", "p2"])
    3
    >>> index.count("code:mesh:D003920")
    Count(patients=1, notes=2)
    >>> folder.cleanup()
    """

    def __init__(
        self, path: Path, manifest: IndexManifest, vocabulary: Vocabulary | None, reads: AuditLog | None = None
    ) -> None:
        super().__init__(path, manifest, vocabulary, reads)
        self._writer: Writer | None = None

    # ---- making and opening

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        scrubber: Scrubber,
        *,
        years: bool | None = None,
        attributes: Sequence[str] = (),
        given_pseudonyms: bool = False,
    ) -> Self:
        """Create an index in a new folder.

        Parameters
        ----------
        path : path-like
            The folder; it must not exist, or be empty.
        scrubber : Scrubber
            The scrubber of the notes. Its key makes the pseudonyms of notes and patients.
        years : bool, optional
            Whether notes have a year. Default: whether the policy keeps years.
        attributes : sequence of {"date", "age", "sex"}, optional
            Further attributes of notes, for queries such as ``age:>=65``. Dates need a policy that shifts or keeps
            them; ages over 89 are one group.
        given_pseudonyms : bool, optional
            Whether the identifiers passed to `add` are already pseudonyms and are stored unchanged. Default: they are
            not, and the key makes pseudonyms of them.

        Returns
        -------
        Index
            The new index, open for adding.

        Raises
        ------
        FileError
            If the folder has something in it.
        SearchIndexError
            If there is no key and the identifiers are not pseudonyms, or the policy removes dates and `attributes`
            includes them.
        """
        path = Path(path)
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise FileError(f"{path}: is there already; Index.open opens an index")
        if not given_pseudonyms and scrubber.key is None:
            raise SearchIndexError(
                "an index needs a key for its pseudonyms: Scrubber(..., key=notesieve.Key.load()); if the identifiers "
                "are pseudonyms already, say given_pseudonyms=True"
            )
        wrong = [name for name in attributes if name not in ATTRIBUTES]
        if wrong or isinstance(attributes, str):
            raise SearchIndexError(f"attributes are a list of {', '.join(ATTRIBUTES)}")
        if "date" in attributes and scrubber.policy.dates != "shift" and "date" not in scrubber.policy.keep:
            raise SearchIndexError(
                "the policy removes dates: an index with dates needs dates='shift', or keep=['date']"
            )
        kept = scrubber.policy.dates == "year" or not {"year", "date"}.isdisjoint(scrubber.policy.keep)
        manifest = IndexManifest(
            years=kept if years is None else years, attributes=list(attributes), given_pseudonyms=given_pseudonyms
        )
        with as_file_errors(path):
            path.mkdir(parents=True, exist_ok=True)
        index = cls(path, manifest, scrubber.vocabulary)
        index._open_writer_for(scrubber, mix=False)
        return index

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        scrubber: Scrubber | None = None,
        vocabulary: Vocabulary | None = None,
        mix: bool = False,
        log: str | os.PathLike[str] | None = None,
        user: str | None = None,
    ) -> Self:
        """Open an index for reading or, with a scrubber, for adding.

        Parameters
        ----------
        path : path-like
            The folder.
        scrubber : Scrubber, optional
            The scrubber of the notes that will be added.
        vocabulary : Vocabulary, optional
            The vocabulary in which names in queries are looked up. Default: that of the scrubber, or the embedded one.
        mix : bool, optional
            Whether notes of another version, vocabulary, policy or key than those in the index may be added. Two keys
            give one patient two pseudonyms, and counts of patients are then too high. Names added to site lists do not
            count as another vocabulary.
        log : path-like, optional
            An append-only file in which each search and each export is logged with its query before texts are returned.
            Default: none.
        user : str, optional
            The user who reads; required with `log`.

        Raises
        ------
        FileError
            If the folder has no index.
        SearchIndexError
            If the index is damaged, or the scrubber differs from that of the index.
        """
        path = Path(path)
        manifest = IndexManifest.read(path / MANIFEST)
        if not (path / SEGMENTS / "meta.json").exists():
            message = f"{path / SEGMENTS}: has no list of its files; copy it again, or build the index again"
            raise SearchIndexError(message)
        reads = None if log is None else AuditLog(Path(log), user)
        if reads is not None:
            reads.read_new_entries()  # an altered log is refused before anything is read
        index = cls(path, manifest, vocabulary or (scrubber.vocabulary if scrubber else None), reads)
        index._check_concepts()
        if scrubber is not None:
            index._open_writer_for(scrubber, mix=mix)
        return index

    def _check_concepts(self) -> None:
        """Raise if the file of concepts differs from the manifest."""
        path, manifest = self._path / CONCEPTS, self._manifest
        if self._concepts.length < manifest.concepts:
            raise SearchIndexError(f"{path}: is missing or ends too early; copy it again, or build the index again")
        if self._concepts.digest_of_beginning(manifest.concepts) != manifest.concepts_digest:
            raise SearchIndexError(f"{path}: is damaged; copy it again, or build the index again")

    def verify(self) -> int:
        """Read every file and compare it with its checksum.

        Opening and querying an index checks only the data that they read; this checks everything, including texts.

        Returns
        -------
        int
            The number of files read.

        Raises
        ------
        SearchIndexError
            If files are damaged or missing; it names them.

        Examples
        --------
        >>> import notesieve as ns, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ns.Index.create(folder, ns.Scrubber(), given_pseudonyms=True).verify()
        4
        """
        IndexManifest.read(self._path / MANIFEST)
        self._check_concepts()
        self._known_attributes()
        files, damaged = self._segments.verify()
        if damaged:
            listed = ", ".join(f"{SEGMENTS}/{name}" for name in damaged)
            message = f"{self._path}: these files are damaged or missing: {listed}; copy them again, or build it again"
            raise SearchIndexError(message)
        return files + 2

    def _open_writer_for(self, scrubber: Scrubber, *, mix: bool) -> None:
        self._writer = Writer(
            self._path, self._segments, self._concepts, self._manifest, scrubber, self._attributes, mix=mix
        )
        self._manifest.write(self._path / MANIFEST)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None and self._writer is not None:
            self.commit()
        self.close()

    def close(self) -> None:
        """Stop adding. Uncommitted notes are discarded; the index can still be searched.

        Right after a `commit` it waits for the merges of small segments that the commit started. If notes were added
        since, it aborts the merges: nothing is lost, and the next commit starts them again.
        """
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    # ---- adding

    def add(
        self,
        notes: Iterable[ScrubbedNote] | Mapping[str, Sequence[object]] | Any,
        *,
        note_id: Iterable[object] | str | None = None,
        patient_id: Iterable[object] | str | None = None,
        note_type: Iterable[object] | str | None = None,
        year: Iterable[object] | str | None = None,
        date: Iterable[object] | str | None = None,
        age: Iterable[object] | str | None = None,
        sex: Iterable[object] | str | None = None,
        text: str = "text",
        verify: bool | None = None,
    ) -> int:
        """Add notes. They can be found after the next `commit`.

        A note whose identifier is already in the index replaces the old one, so that an interrupted job can simply be
        run again.

        Parameters
        ----------
        notes : ScrubbedBatch, iterable of ScrubbedNote, or frame
            The output of a scrubber. A frame is from pandas, polars or Arrow, or a dict of columns.
        note_id, patient_id : iterable, or name of a column
            Identifiers. The key of the scrubber makes pseudonyms of them; the index never stores the identifiers
            themselves. Default for a frame: the columns with these names.
        note_type, year : iterable, or name of a column, optional
            Type and year of each note.
        date, age, sex : iterable, or name of a column, optional
            The day of each note (a date, or a text such as ``2004-03-17``), the age in years and the sex (``female``,
            ``male``, ``other``, ``unknown``, ``f``, ``m``) of its patient, if the index has them. For scrubbed notes
            pass the true dates; they are shifted like those in the texts of the same patient. Dates of a frame, and all
            dates with given pseudonyms, are stored unchanged: `Scrubber.scrub_frame` shifts them.
        text : str, optional
            The column of a frame with the de-identified texts.
        verify : bool, optional
            Whether `notesieve.verify` checks each text before it is added. Default: only for the texts of a frame,
            whose origin is unknown; a `ScrubbedNote` can only come from a scrubber.

        Returns
        -------
        int
            The number of notes added.

        Raises
        ------
        IndexRowError
            After all other notes are added, if a note has no identifier, an invalid year or a year although the index
            has none, no text, or a text with something that a scrubber would have removed. Catch it inside the ``with``
            of the index: an error that leaves the block prevents the commit.
        SearchIndexError
            If a note comes from another scrubber, or there are fewer identifiers than notes. The notes before it are
            added.
        """
        writer = self._open_writer()
        given = (("date", date), ("age", age), ("sex", sex))
        known = {name: column for name, column in given if column is not None}
        # So that a traceback with arguments shows no text and no identifier.
        hidden, note, patient = HiddenRepr(notes), HiddenRepr(note_id), HiddenRepr(patient_id)
        notes, note_id, patient_id = (), None, None
        if is_frame(hidden.reveal()):
            names = {
                "text": text,
                "note_id": note.reveal() or "note_id",
                "patient_id": patient.reveal() or "patient_id",
                "note_type": note_type,
                "year": year,
            }
            columns = {name: column_of_frame(hidden.reveal(), column) for name, column in known.items()}
            return writer.add_texts(batches_from_frame(hidden.reveal(), names), columns, verify=verify is not False)
        made = batches_from_notes(
            hidden.reveal(), note.reveal(), patient.reveal(), note_type, year, writer.scrubber.provenance
        )
        values = {name: reject_column_name(name, column) for name, column in known.items()}
        return writer.add_notes(made, values, verify=verify is True)

    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise SearchIndexError(f"{self._path}: is open for reading only; Index.open(path, scrubber=...) adds")
        return self._writer

    def commit(self) -> None:
        """Make added notes permanent and searchable. Notes that a killed process did not commit are lost."""
        self._open_writer().commit(self._path / MANIFEST)
        self.refresh()

    def remove(self, *, patient_id: object) -> None:
        """Remove all notes of a patient, from the next `commit` on."""
        self._open_writer().remove(str(patient_id))

    def refresh(self) -> None:
        """Load what another process has committed since this index was opened."""
        if self._writer is None:
            self._manifest = IndexManifest.read(self._path / MANIFEST)
        self._concepts.refresh()
        self._check_concepts()
        self._queries.refresh()
