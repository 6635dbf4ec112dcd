"""Indexes of de-identified notes: search them, count patients, build cohorts.

The compiled core stores words, codes and their positions on disk, and counts. This package adds the hierarchy of codes
and a query language that uses it.
"""

from notesieve.index.cohort import AttritionTable, Cohort
from notesieve.index.counts import CountsOnly, CountsTable, SafeCount
from notesieve.index.index import Index
from notesieve.index.open_index import Count
from notesieve.index.opensearch import export_opensearch
from notesieve.index.results import Facet, Hit, Results

__all__ = [
    "AttritionTable",
    "Cohort",
    "Count",
    "CountsOnly",
    "CountsTable",
    "Facet",
    "Hit",
    "Index",
    "Results",
    "SafeCount",
    "export_opensearch",
]
