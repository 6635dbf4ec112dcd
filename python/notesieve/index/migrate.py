"""From an index of an older format to a new one: its texts are coded again, and all else stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from notesieve._core import SegmentQuery, Segments
from notesieve.batches import batches
from notesieve.errors import SearchIndexError
from notesieve.index.index import Index
from notesieve.index.index_manifest import FORMAT, IndexManifest
from notesieve.index.open_index import MANIFEST, SEGMENTS
from notesieve.index.segments import stored

if TYPE_CHECKING:
    import os

    from notesieve.scrubber import Scrubber

__all__ = ["migrate"]

# The formats that differ from the present one in the codes alone.
_READABLE = (4,)


def migrate(old: str | os.PathLike[str], new: str | os.PathLike[str], scrubber: Scrubber) -> int:
    """Make a new index of the texts of an old one.

    The texts are de-identified already and stay as they are; their terms are found again, with what the texts
    say of them.
    Pseudonyms, types, years and saved queries stay.

    Parameters
    ----------
    old, new : path-like
        The folder of the index of an older format, and the folder of the new one, which must not exist or be empty.
    scrubber : Scrubber
        Whose vocabulary finds the terms. It stands in the provenance of the new index.

    Returns
    -------
    int
        How many notes there are.

    Raises
    ------
    FileError
        If there is no index, or the new folder has something in it.
    SearchIndexError
        If the index is of this format already, or of one that cannot be read.
    """
    path = Path(old) / MANIFEST
    version = IndexManifest.version(path)
    if version not in _READABLE:
        what = "is of this format already" if version == FORMAT else f"is of format {version}, which cannot be read"
        message = f"{path}: {what}; formats that can be migrated: {', '.join(map(str, _READABLE))}"
        raise SearchIndexError(message)
    known = IndexManifest.read(path, version)
    searcher = Segments(Path(old) / SEGMENTS).searcher()
    added = 0
    with Index.create(new, scrubber, years=known.years, given_pseudonyms=True) as index:
        for addresses in batches(searcher.addresses(SegmentQuery.everything()).tolist()):
            notes = [stored(searcher, address) for address in addresses]
            columns = {
                "text": [note.content.text for note in notes],
                "note_id": [note.note for note in notes],
                "patient_id": [note.patient for note in notes],
                "note_type": [note.content.note_type for note in notes],
                "year": [note.content.year for note in notes],
            }
            added += index.add(columns, note_type="note_type", year="year", verify=False)
        index._manifest.queries = dict(known.queries)
    manifest = IndexManifest.read(Path(new) / MANIFEST)
    replace(manifest, given_pseudonyms=known.given_pseudonyms).write(Path(new) / MANIFEST)
    return added
