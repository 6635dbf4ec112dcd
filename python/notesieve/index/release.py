"""Releases: the notes of a cohort as files for a project, with a record of what was released, to whom and why."""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve.errors import FileError, SearchIndexError
from notesieve.files.output_folder import atomic_write
from notesieve.index.audit_log import AuditLog
from notesieve.index.open_index import OpenIndex
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from notesieve._core import Key
    from notesieve.index.cohort import Cohort
    from notesieve.index.results import Hit

RELEASES = "releases.jsonl"
"""The log of all releases, in the folder of the index."""

_NOTES, _RECORD = "notes.ndjson", "release.json"


def patient_number(pseudonym: str) -> int:
    """Return the number of a patient in cohorts: the first 64 bits of the SHA-256 digest of the pseudonym.

    Examples
    --------
    >>> patient_number("p1") == patient_number("p1"), patient_number("p1") < 2**64
    (True, True)
    """
    return int.from_bytes(hashlib.sha256(pseudonym.encode()).digest()[:8], "big")


class ReleaseWriter:
    """The writer of one release to a folder of its own.

    Parameters
    ----------
    folder : path-like
        The output folder; it must not exist, or be empty.
    purpose : str
        What the notes are for.
    user : str
        Who releases them.
    key : Key, optional
        Turns the pseudonyms of the index into pseudonyms for this purpose only.

    Raises
    ------
    FileError
        If the folder has something in it.
    SearchIndexError
        If there is no purpose.
    """

    def __init__(self, folder: str | os.PathLike[str], purpose: str, user: str, key: Key | None) -> None:
        if not purpose.strip():
            raise SearchIndexError("a release needs a purpose: the project, its approval, who receives the notes")
        self._folder, self._purpose, self._user, self._key = Path(folder), purpose, user, key
        if self._folder.exists() and (not self._folder.is_dir() or any(self._folder.iterdir())):
            raise FileError(f"{folder}: is there already; a release takes a folder of its own")

    def write(self, hits: Iterable[Hit], cohort: Cohort, made_of: dict[str, Any], log: Path) -> Path:
        """Write the notes and the record. The log line is written first, so that every release is logged."""
        reads = AuditLog(log, self._user)
        reads.read_new_entries()  # an altered log is refused before anything is written
        digest, patients, notes = hashlib.sha256(), set(), 0
        with atomic_write(self._folder / _NOTES) as partial, partial.open("wb") as file:
            for hit in hits:
                line = (json.dumps(self._released_row(hit), ensure_ascii=False) + "\n").encode()
                digest.update(line)
                file.write(line)
                patients.add(hit.patient)
                notes += 1
            record = {
                "purpose": self._purpose,
                "cohort": cohort.description,
                "patients": len(patients),
                "notes": notes,
                "pseudonyms": "of the index" if self._key is None else "of this purpose",
                "sha256": digest.hexdigest(),
                **made_of,
            }
            reads.write("release", **record)
        time = datetime.now(UTC).isoformat(timespec="seconds")
        with atomic_write(self._folder / _RECORD) as partial:
            content = {"time": time, "user": self._user, **record}
            partial.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return self._folder

    def _released_row(self, hit: Hit) -> dict[str, Any]:
        row = {name: value for name, value in hit.to_dict().items() if name != "snippet"}
        if self._key is not None:
            for name in ("note", "patient"):
                row[name] = self._key.pseudonym(f"release {name} {self._purpose}", row[name])
        return row


@keep_texts_out_of_tracebacks
class ReleasingIndex(OpenIndex):
    """An open index from which notes are released; `Index` is one."""

    def release(
        self,
        cohort: Cohort,
        folder: str | os.PathLike[str],
        *,
        purpose: str,
        user: str,
        query: str = "*",
        key: Key | None = None,
        log: str | os.PathLike[str] | None = None,
    ) -> Path:
        """Write the notes of a cohort for a project, with a record of what was released, to whom and why.

        Parameters
        ----------
        cohort : Cohort
            The patients whose notes are released.
        folder : path-like
            The folder for ``notes.ndjson`` and ``release.json``; it must not exist, or be empty.
        purpose : str
            What the notes are for: the project, its approval, who receives them.
        user : str
            Who releases them.
        query : str, optional
            The notes of these patients to release. Default: all.
        key : Key, optional
            Turns the pseudonyms of the index into pseudonyms for this purpose, so that two releases cannot be joined.
            Default: the pseudonyms of the index.
        log : path-like, optional
            The log of releases. Default: ``releases.jsonl`` in the folder of the index. The log is append-only, and
            each line has the digest of the line before.

        Returns
        -------
        pathlib.Path
            The folder.

        Raises
        ------
        FileError
            If the folder has something in it.
        SearchIndexError
            If there is no purpose or no user, or the log was altered.

        Examples
        --------
        >>> import notesieve as ns, tempfile
        >>> from pathlib import Path
        >>> scrubber, place = ns.Scrubber(), tempfile.TemporaryDirectory()
        >>> with ns.Index.create(place.name + "/notes", scrubber, given_pseudonyms=True) as index:
        ...     index.add(scrubber.scrub_many(["Asthma.", "Fever."]), note_id=["n1", "n2"], patient_id=["p1", "p2"])
        2
        >>> cohort = index.cohort("code:asthma")
        >>> folder = index.release(cohort, place.name + "/release", purpose="Asthma study, IRB 17-204", user="ann")
        >>> len(Path(folder, "notes.ndjson").read_text().splitlines())
        1
        >>> place.cleanup()
        """
        writer = ReleaseWriter(folder, purpose, user, key)
        node = self.parse(query)
        searcher = self._queries.searcher
        found, members = [], set(cohort)
        for address in searcher.matching_addresses(self._queries.plan(node)).tolist():
            note, patient, *_ = searcher.stored_note(address)
            if patient_number(patient) in members:
                found.append((note, address))
        # A stable order, independent of segment merges.
        hits = (self._make_hit(node, searcher, address, None) for _, address in sorted(found))
        made_of = {"query": str(node), "generation": self._manifest.generation, "made_by": self._manifest.provenance}
        return writer.write(hits, cohort, made_of, self._path / RELEASES if log is None else Path(log))
