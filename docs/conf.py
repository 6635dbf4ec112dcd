"""Sphinx: the documentation of notesieve."""

from importlib.metadata import version as installed

project = "notesieve"
author = "The notesieve authors"
copyright = "2026, the notesieve authors"
release = version = installed("notesieve")

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository, which stand outside of docs/

autosummary_generate = False  # numpydoc switches it on
numpydoc_show_class_members = False

html_theme = "furo"
html_title = "notesieve"
