"""Files and folders of notes: one output an input, whole or not at all, and nothing done twice."""

from notesieve.files.scrub import Report, Table, scrub_files

__all__ = ["Report", "Table", "scrub_files"]
