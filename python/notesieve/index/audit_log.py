"""A log that only ever grows, in which a change of any line but the last shows."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from contextlib import contextmanager
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
    """Lines that are only ever added, each with the digest of the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = _GENESIS
        self._length = 0
        with as_file_errors(path):
            path.touch(mode=0o600, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[Self]:
        """Keep other processes away between what is read and what is written."""
        # A link in its place must not lead to a file of somebody else, which opening it to write would empty.
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

    def read_new_entries(self) -> Iterator[dict[str, Any]]:
        """Give the lines that were not read yet, and check that each follows the one before."""
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
                self._last = hashlib.sha256(line).hexdigest()
                self._length += len(line)
                yield entry

    def append(self, entry: dict[str, Any]) -> None:
        """Write one line and wait until the disk has it."""
        line = (json.dumps(entry | {"previous": self._last}, ensure_ascii=False) + "\n").encode()
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        self._last = hashlib.sha256(line).hexdigest()
        self._length += len(line)
