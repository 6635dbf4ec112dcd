"""Build, compare and fetch vocabularies.

A vocabulary is one compiled file, made once of published sources and opened in milliseconds. `build` makes it, `diff`
tells what a new one changes, `fetch` is the only part of notesieve that ever opens a connection.
"""

from typing import TYPE_CHECKING

from notesieve.vocabularies.building import Build, Diff, build, diff, read_site_lists

if TYPE_CHECKING:
    from notesieve.vocabularies.fetching import fetch

__all__ = ["Build", "Diff", "build", "diff", "fetch", "read_site_lists"]


def __getattr__(name: str) -> object:
    # What opens connections is loaded by those who call it: `import notesieve` is quicker, and stays off the network.
    if name == "fetch":
        from notesieve.vocabularies.fetching import fetch

        return fetch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
