"""The output folder: one run at a time, nothing replaced without permission, every file written atomically."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from notesieve.errors import FrameError
from notesieve.files.reading_errors import list_files_below

_RECORD = ".manifest.jsonl"


def manifest_path(folder: Path) -> Path:
    """Return the default path of a folder's manifest.

    Examples
    --------
    >>> manifest_path(Path("notes/clean")).as_posix()
    'notes/clean.manifest.jsonl'
    """
    return folder.with_name(folder.name + _RECORD)


@contextmanager
def atomic_write(target: Path, *, sync: bool = False) -> Iterator[Path]:
    """Yield a temporary path; rename it to the target after the block, or delete it if the block fails."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # A unique name, so that concurrent writers of one file do not overwrite each other's data.
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
    try:
        yield partial
        if sync:
            with partial.open("rb") as file:
                os.fsync(file.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def replace_tail(path: Path, length: int, content: bytes) -> None:
    """Write content at an offset of a file, discarding what follows it, and wait until it is on disk.

    What follows was written by a killed process and never committed.
    """
    with path.open("r+b" if path.exists() else "wb") as file:
        file.truncate(length)
        file.seek(length)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


class OutputFolder:
    """An output folder, locked while a run writes to it.

    Parameters
    ----------
    path : Path
        The folder; it is created if it does not exist.

    Raises
    ------
    FrameError
        If it is not a folder, or another run writes to it.
    """

    def __init__(self, path: Path) -> None:
        if path.exists() and not path.is_dir():
            raise FrameError(f"{path}: is no folder; outputs need one of their own")
        self.path = path

    @contextmanager
    def lock_against_other_runs(self) -> Iterator[None]:
        """Lock the folder against other runs, under whatever name or link they use it."""
        self.path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            # Windows cannot open folders, and some file systems cannot lock them. The lock of the manifest and
            # unique temporary names protect the outputs there.
            with suppress(OSError):
                lock = os.open(self.path, os.O_RDONLY)
                stack.callback(os.close, lock)
                taken = f"{self.path}: another run writes into this folder; wait for it, or take another folder"
                lock_exclusively(lock, taken)
            yield

    def visible_files(self) -> list[Path]:
        """Return the files in the folder, without hidden ones."""
        if not self.path.is_dir():
            return []
        inside = (file.relative_to(self.path) for file in list_files_below(self.path))
        return [file for file in inside if not any(part.startswith(".") for part in file.parts)]

    def check_not_nested(self) -> None:
        """Raise if the folder is inside another run's output folder or contains one: their notes would be mixed up.

        Raises
        ------
        FrameError
            If a manifest shows that another run created such a folder.
        """
        real = self.path.resolve()
        for above in real.parents:
            if above.name and manifest_path(above).exists():
                message = f"{self.path}: lies in {above}, the output of another run; take a folder outside of it"
                raise FrameError(message)
        for file in self.visible_files():
            other = self.path / str(file).removesuffix(_RECORD)
            if str(file).endswith(_RECORD) and other.is_dir():
                raise FrameError(f"{self.path}: holds {other}, the output of another run; take another folder")

    def remove_partial_outputs(self, outputs: Iterable[Path]) -> None:
        """Remove the partial files that a killed run left of these outputs."""
        names: dict[Path, set[str]] = {}
        for output in outputs:
            names.setdefault(output.parent, set()).add(output.name)
        for parent, mine in names.items():
            folder = self.path / parent
            for file in folder.glob(".*.partial") if folder.is_dir() else ():
                # .NAME.TOKEN.partial
                if file.name[1:].rsplit(".", 2)[0] in mine:
                    file.unlink(missing_ok=True)


def lock_exclusively(file: int | BinaryIO, message: str) -> None:
    """Lock a file or a folder if the system supports it; raise FrameError if another process holds the lock."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FrameError(message) from None
