"""The manifest of an index: format, provenance of its notes, attributes that it may store, saved queries."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from notesieve.errors import FileError, SearchIndexError
from notesieve.files.output_folder import atomic_write

if TYPE_CHECKING:
    from pathlib import Path

# Increment with each change after which old readers would misread new files.
FORMAT = 7


@dataclass
class IndexManifest:
    """The description of an index: one small JSON file, always replaced as a whole.

    Attributes
    ----------
    provenance : list of dict of str
        Provenance of the notes: version, vocabulary, policy, fingerprint of the key. More than one only if mixing was
        allowed.
    vocabularies : dict of str to str
        The digest of each vocabulary without site lists, by its digest with them: adding a name to a list does not make
        it another vocabulary.
    years : bool
        Whether notes have a year.
    attributes : list of str
        Attributes of notes besides type and year: ``date``, ``age``, ``sex``.
    attributes_length, attributes_digest : int, str
        The minimum length of the file of attributes, in bytes, and the SHA-256 of that part.
    given_pseudonyms : bool
        Whether the identifiers of notes and patients were given as pseudonyms.
    queries : dict of str to str
        Saved queries by name.
    generation : int
        Incremented by every commit; the same number means the same notes.
    concepts : int
        The minimum length of the file of concepts, in bytes. If its end were missing, codes would be found in no note
        or in the wrong notes.
    concepts_digest : str
        The SHA-256 of that part of the file.
    """

    provenance: list[dict[str, str | None]] = field(default_factory=list)
    vocabularies: dict[str, str] = field(default_factory=dict)
    years: bool = False
    attributes: list[str] = field(default_factory=list)
    attributes_length: int = 0
    attributes_digest: str = hashlib.sha256().hexdigest()
    given_pseudonyms: bool = False
    queries: dict[str, str] = field(default_factory=dict)
    generation: int = 0
    concepts: int = 0
    concepts_digest: str = hashlib.sha256().hexdigest()

    def write(self, path: Path) -> None:
        """Write the file atomically."""
        content = {"notesieve index": FORMAT} | asdict(self)
        content["digest"] = _digest(content)
        with atomic_write(path, sync=True) as partial:
            partial.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> IndexManifest:
        """Read the file.

        Parameters
        ----------
        path : pathlib.Path
            The file.

        Raises
        ------
        FileError
            If it does not exist.
        SearchIndexError
            If it is damaged or has another format.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            version = content["notesieve index"]
            digest = content.pop("digest", None)
            # Older formats have no digest.
            whole = version != FORMAT or digest == _digest(content)
            manifest = cls(**{name: value for name, value in content.items() if name != "notesieve index"})
        except FileNotFoundError as problem:
            raise FileError(f"{path.parent}: is no index of notes; Index.create makes one") from problem
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise _damaged_error(path) from problem
        if version != FORMAT:
            raise SearchIndexError(
                f"{path}: has format {version}, and this version of notesieve reads format {FORMAT}; "
                "build the index again from its notes"
            )
        if not whole:
            raise _damaged_error(path)
        return manifest


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _damaged_error(path: Path) -> SearchIndexError:
    return SearchIndexError(f"{path}: is damaged; copy it again, or build the index again")
