"""Build, compare and fetch vocabularies.

A vocabulary is one file, compiled once from published sources and opened in milliseconds. `build` compiles it, `diff`
shows the changes in a new one, `fetch` is the only part of notesieve that ever opens a connection.
"""

from typing import TYPE_CHECKING

from notesieve.vocabularies.building import Build, Diff, build, diff, read_site_lists

if TYPE_CHECKING:
    from notesieve.vocabularies.fetching import fetch

__all__ = ["Build", "Diff", "build", "diff", "fetch", "read_site_lists"]


def __getattr__(name: str) -> object:
    # The networking code is loaded only when it is used: `import notesieve` is quicker, and stays off the network.
    if name == "fetch":
        from notesieve.vocabularies.fetching import fetch

        return fetch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
