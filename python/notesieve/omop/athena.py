"""Concept ids of the OMOP vocabularies, read from files downloaded from Athena."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from notesieve.errors import SourceError
from notesieve.files.reading_errors import explain_file_error
from notesieve.frames.columns import import_pyarrow

VOCABULARIES = {
    "mesh": "MeSH", "snomed": "SNOMED", "rxnorm": "RxNorm", "loinc": "LOINC", "icd10cm": "ICD10CM", "icd10": "ICD10",
    "icd9cm": "ICD9CM", "hp": "HPO", "doid": "DOID", "mondo": "Mondo", "drugbank": "DrugBank", "cpt": "CPT4",
    "hcpcs": "HCPCS", "atc": "ATC", "ncit": "NCIt", "omim": "OMIM",
}  # fmt: skip
"""The ``vocabulary_id`` in Athena's files for each code system; users can add to these or override them."""


class Concepts:
    """Concept ids by code: the source concept of a code, and the standard concepts that it maps to.

    `Concepts.open` reads them from Athena's files.

    Parameters
    ----------
    sources : mapping of str to int
        The concept id of each code, such as ``mesh:D003924``.
    standard : mapping of int to sequence of int
        The standard concepts that a source concept maps to.
    release : str, optional
        The version of the vocabularies.

    Examples
    --------
    >>> concepts = Concepts({"mesh:D001249": 45614293}, {45614293: (317009,)})
    >>> concepts.concepts_of_codes(["hp:0002099", "mesh:D001249"])
    (45614293, (317009,))
    >>> concepts.concepts_of_codes(["hp:0002099"])
    (0, ())
    """

    def __init__(
        self, sources: Mapping[str, int], standard: Mapping[int, Sequence[int]], release: str | None = None
    ) -> None:
        self._sources = dict(sources)
        self._standard = {source: tuple(sorted(targets)) for source, targets in standard.items()}
        self.release = release

    def __len__(self) -> int:
        """Return the number of codes."""
        return len(self._sources)

    def __repr__(self) -> str:
        return f"Concepts({len(self)} codes, {len(self._standard)} of them mapped)"

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, vocabularies: Mapping[str, str] | None = None) -> Concepts:
        """Read a download from Athena.

        Parameters
        ----------
        folder : path-like
            The folder with ``CONCEPT.csv`` and ``CONCEPT_RELATIONSHIP.csv``, separated by tabs, and optionally
            ``VOCABULARY.csv``, which contains the version.
        vocabularies : mapping of str to str, optional
            The ``vocabulary_id`` of further code systems in your own vocabulary: ``{"local": "Our codes"}``.

        Returns
        -------
        Concepts
            The concepts of all known code systems in the download.

        Raises
        ------
        SourceError
            If a file is missing, or does not have the expected format.
        """
        systems = {name.casefold(): system for system, name in {**VOCABULARIES, **(vocabularies or {})}.items()}
        sources: dict[str, int] = {}
        standard: dict[int, list[int]] = {}
        targets: set[int] = set()
        columns = ["concept_id", "vocabulary_id", "standard_concept", "concept_code"]
        for batch in _column_batches(Path(folder, "CONCEPT.csv"), columns):
            for concept, name, mark, code in batch:
                if mark == "S":
                    targets.add(concept)
                system = systems.get(name.casefold())
                if system is not None:
                    sources[f"{system}:{code}"] = concept
                    if mark == "S":
                        standard[concept] = [concept]
        wanted = set(sources.values()) - standard.keys()
        for batch in _column_batches(
            Path(folder, "CONCEPT_RELATIONSHIP.csv"),
            ["concept_id_1", "concept_id_2", "relationship_id", "invalid_reason"],
            only=("relationship_id", "Maps to"),
        ):
            for source, target, _, invalid in batch:
                if not invalid and source in wanted and target in targets:
                    standard.setdefault(source, []).append(target)
        return cls(sources, standard, _release_version(Path(folder, "VOCABULARY.csv")))

    @property
    def digest(self) -> str:
        """The SHA-256 digest of all codes and what they map to."""
        digest = hashlib.sha256()
        for code, source in sorted(self._sources.items()):
            digest.update(f"{code}\t{source}\t{self._standard.get(source, ())}\n".encode())
        return digest.hexdigest()

    def concepts_of_codes(self, codes: Sequence[str]) -> tuple[int, tuple[int, ...]]:
        """Return the concepts of a mention.

        Parameters
        ----------
        codes : sequence of str
            The codes of the mention, best first.

        Returns
        -------
        tuple of (int, tuple of int)
            The source concept, and the standard concepts: those of the first code that maps to one. If none does, the
            first code that has a concept, with no standard concepts; 0 if no code has one.
        """
        known = [self._sources[code] for code in codes if code in self._sources]
        mapped = next((source for source in known if source in self._standard), None)
        if mapped is not None:
            return mapped, self._standard[mapped]
        return (known[0] if known else 0), ()


def _column_batches(path: Path, columns: list[str], only: tuple[str, str] | None = None) -> Any:
    """Yield batches of rows of an Athena file as tuples of columns; `only` filters by the value of one column."""
    pa = import_pyarrow("OMOP")
    import pyarrow.compute as pc
    from pyarrow import csv

    try:
        reader = csv.open_csv(
            path,
            # Athena does not quote: a quotation mark is part of a name.
            parse_options=csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=csv.ConvertOptions(
                include_columns=columns,
                column_types={name: pa.int64() if name.startswith("concept_id") else pa.string() for name in columns},
            ),
        )
        for batch in reader:
            rows = pa.Table.from_batches([batch])
            if only is not None:
                rows = rows.filter(pc.equal(rows[only[0]], only[1]))
            yield zip(*(rows[name].to_pylist() for name in columns), strict=True)
    except (OSError, pa.ArrowInvalid, KeyError) as problem:
        if isinstance(problem, FileNotFoundError):
            message = f"{path}: there is no such file: --athena (Concepts.open) needs the folder of Athena's download"
        else:
            reason = explain_file_error(problem)
            message = f"{path}: {reason}; Athena's files are separated by tabs and have the columns of the model"
        raise SourceError(message) from None


def _release_version(path: Path) -> str | None:
    """Return the version of a download, which is the version of the vocabulary named ``None``."""
    if not path.exists():
        return None
    for batch in _column_batches(path, ["vocabulary_id", "vocabulary_version"]):
        for name, version in batch:
            if name == "None":
                return str(version)
    return None
