"""Files and folders of notes: one output per input, whole or not at all, and nothing done twice."""

from notesieve.files.findings_file import FindingsFile
from notesieve.files.report import FileReport
from notesieve.files.scrub import scrub_files
from notesieve.files.table_options import TableOptions

__all__ = ["FileReport", "FindingsFile", "TableOptions", "scrub_files"]
