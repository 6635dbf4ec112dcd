"""The command line, with a module per command."""

from notesieve.cli.command import main

__all__ = ["main"]
