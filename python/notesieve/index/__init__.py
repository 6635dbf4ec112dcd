"""Indexes of de-identified notes: search them, count patients, build cohorts. Needs the extra ``notesieve[index]``.

`Index` stands on tantivy, which keeps words and their places on the disk. What it cannot know stands here: codes and
what is narrower than a code, patients, and a query language that speaks of them.
"""

from notesieve.index.cohort import AttritionTable, Cohort
from notesieve.index.counts import CountsOnly, CountsTable, SafeCount
from notesieve.index.index import Count, Index
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
