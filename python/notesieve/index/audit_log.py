"""Log of who read what from an index: append-only, and a change to any line but the last is detected."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from notesieve.errors import SearchIndexError
from notesieve.files.reading_errors import as_file_errors

try:
    import fcntl
except ModuleNotFoundError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_GENESIS = "0" * 64


class AuditLog:
    """Append-only log in which each line has the digest of the line before. It never contains note text.

    Parameters
    ----------
    path : pathlib.Path
        The file; created if it does not exist.
    user : str
        The user who reads.

    Raises
    ------
    SearchIndexError
        If there is no user.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = AuditLog(Path(folder, "reads.jsonl"), "ann")
    ...     log.write("search", query="fever", notes=3)
    ...     "fever" in Path(folder, "reads.jsonl").read_text()
    True
    """

    def __init__(self, path: Path, user: str | None) -> None:
        if not user:
            raise SearchIndexError("a log needs a user: it says who reads")
        self.path, self.user = path, user
        self._last = _GENESIS
        self._length = 0
        with as_file_errors(path):
            path.touch(mode=0o600, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[Self]:
        """Hold a lock against other processes between reading and appending."""
        # A symbolic link in place of the lock file must not lead to a file of another user.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        lock = self.path.with_name(self.path.name + ".lock")
        with as_file_errors(lock):
            descriptor = os.open(lock, flags, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SearchIndexError(f"{lock}: is no file")
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            yield self

    def read_new_entries(self) -> list[dict[str, Any]]:
        """Return the entries added since the last read; raise if one does not continue the digest chain."""
        found = []
        with self.path.open("rb") as file:
            file.seek(self._length)
            for line in file:
                try:
                    entry = json.loads(line)
                    follows = entry["previous"] == self._last and line.endswith(b"\n")
                except (ValueError, KeyError, TypeError):
                    follows = False
                if not follows:
                    raise SearchIndexError(f"{self.path}: the audit log was altered at byte {self._length}")
                self._advance(line)
                found.append(entry)
        return found

    def _advance(self, line: bytes) -> None:
        self._last = hashlib.sha256(line).hexdigest()
        self._length += len(line)

    def append(self, **entry: Any) -> None:
        """Append one line with time and user, and sync it to disk."""
        time = datetime.now(UTC).isoformat(timespec="seconds")
        whole = {"time": time, "user": self.user, **entry, "previous": self._last}
        line = (json.dumps(whole, ensure_ascii=False) + "\n").encode()
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        self._advance(line)

    def write(self, action: str, **entry: Any) -> None:
        """Log an action before it is done: what cannot be logged must not be read."""
        with self.locked():
            self.read_new_entries()
            self.append(action=action, **entry)
