"""OMOP Common Data Model 5.4: read a NOTE table, write de-identified NOTE and NOTE_NLP tables.

Requires pyarrow: ``pip install 'notesieve[frames]'``.
"""

from notesieve.omop.athena import Concepts
from notesieve.omop.cdm import NOTE, NOTE_NLP, Field, ddl
from notesieve.omop.known import known_persons
from notesieve.omop.note_tables import Tables, scrub_notes
from notesieve.omop.parquet import scrub_parquet
from notesieve.omop.pseudonyms import Pseudonyms
from notesieve.omop.rows import Problem
from notesieve.omop.sections import SECTIONS, sections

__all__ = [
    "NOTE",
    "NOTE_NLP",
    "SECTIONS",
    "Concepts",
    "Field",
    "Problem",
    "Pseudonyms",
    "Tables",
    "ddl",
    "known_persons",
    "scrub_notes",
    "scrub_parquet",
    "sections",
]
