"""Files and folders of notes: one output an input, whole or not at all, and nothing done twice."""

from notesieve.files.report import Report
from notesieve.files.scrub import scrub_files
from notesieve.files.table import Table

__all__ = ["Report", "Table", "scrub_files"]
