"""Files and folders of notes: one output per input, written atomically, and no input processed twice."""

from notesieve.files.report import FileReport
from notesieve.files.scrub import scrub_files
from notesieve.files.table_options import TableOptions
from notesieve.findings_file import FindingsFile

__all__ = ["FileReport", "FindingsFile", "TableOptions", "scrub_files"]
