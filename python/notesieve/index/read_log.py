"""Who read which notes of an index, and what was released from it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from notesieve.errors import SearchIndexError
from notesieve.index.audit_log import AuditLog

if TYPE_CHECKING:
    from pathlib import Path


class ReadLog:
    """An append-only log of searches, exports and releases. A line has no text of a note.

    Parameters
    ----------
    path : pathlib.Path
        The file; it is made if it is not there. Each line has the digest of the line before.
    user : str
        Who reads.

    Raises
    ------
    SearchIndexError
        If nobody is named, or the log was altered.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = ReadLog(Path(folder, "reads.jsonl"), "ann")
    ...     log.write("search", query="fever", notes=3)
    ...     "fever" in Path(folder, "reads.jsonl").read_text()
    True
    """

    def __init__(self, path: Path, user: str | None) -> None:
        if not user:
            raise SearchIndexError("a log needs a user: it says who reads")
        self._log, self._user = AuditLog(path), user
        self._check_chain()

    def _check_chain(self) -> None:
        for _ in self._log.read_new_entries():
            pass

    def write(self, action: str, **entry: Any) -> None:
        """Add a line, before what it tells is done: what cannot be logged must not be read."""
        time = datetime.now(UTC).isoformat(timespec="seconds")
        with self._log.locked():
            self._check_chain()
            self._log.append({"time": time, "user": self._user, "action": action, **entry})
