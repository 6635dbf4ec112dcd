"""Columns and data frames of any library: the result has the same type and the same rows."""

from notesieve.frames.column_plan import OUTPUTS, Plan
from notesieve.frames.columns import scrub_column
from notesieve.frames.scrub import scrub_frame

__all__ = ["OUTPUTS", "Plan", "scrub_column", "scrub_frame"]
