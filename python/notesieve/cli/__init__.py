"""The command line: a file a command."""

from notesieve.cli.command import main

__all__ = ["main"]
