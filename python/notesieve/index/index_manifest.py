"""What an index says about itself: its format, where its notes come from, what it may hold, its saved queries."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from notesieve.errors import FileError, SearchIndexError
from notesieve.files.output_folder import atomic_write

if TYPE_CHECKING:
    from pathlib import Path

# Another number for each change after which old readers would misread new files.
FORMAT = 7


@dataclass
class IndexManifest:
    """The description of an index, one small JSON file that is replaced as a whole.

    Attributes
    ----------
    provenance : list of dict of str
        What made the notes: version, vocabulary, policy, fingerprint of the key. More than one only where somebody said
        that they may be mixed.
    vocabularies : dict of str to str
        The digest of each vocabulary without the lists of a site, by its digest with them: a name that is added to a
        list makes no other vocabulary of it.
    years : bool
        Whether notes have a year.
    attributes : list of str
        What is known of notes beside type and year: ``date``, ``age``, ``sex``.
    attributes_length, attributes_digest : int, str
        How long the file of attributes is at least, in bytes, and the SHA-256 of that part.
    given_pseudonyms : bool
        Whether the identifiers of notes and patients came as pseudonyms.
    queries : dict of str to str
        Saved queries by name.
    generation : int
        Grows with every commit; the same number means the same notes.
    concepts : int
        How long the file of concepts is at least, in bytes. Without its end codes would be found in no note, or wrong
        ones.
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
        """Write the file, whole or not at all."""
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
            If there is none.
        SearchIndexError
            If it is damaged or of another version.
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
