"""The folder of the outputs: one run at a time, nothing replaced unasked, and every file whole or not there."""

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
    """Give the place of a folder's manifest, where nobody names another.

    Examples
    --------
    >>> manifest_path(Path("notes/clean")).as_posix()
    'notes/clean.manifest.jsonl'
    """
    return folder.with_name(folder.name + _RECORD)


@contextmanager
def atomic_write(target: Path, *, sync: bool = False) -> Iterator[Path]:
    """Give a temporary name; what is written there takes the name of the target when it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # A name of its own: two that write one file never write into each other's.
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


def append_after(path: Path, length: int, content: bytes) -> None:
    """Write content after the first bytes of a file, and wait until the disk has it.

    What stands there is what a killed process may have left; nothing that was committed needs it.
    """
    with path.open("r+b" if path.exists() else "wb") as file:
        file.truncate(length)
        file.seek(length)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


class OutputFolder:
    """A folder for outputs, locked as long as a run writes into it.

    Parameters
    ----------
    path : Path
        The folder; it is made if it is not there.

    Raises
    ------
    FrameError
        If it is no folder, or another run writes into it.
    """

    def __init__(self, path: Path) -> None:
        if path.exists() and not path.is_dir():
            raise FrameError(f"{path}: is no folder; outputs need one of their own")
        self.path = path

    @contextmanager
    def lock_against_other_runs(self) -> Iterator[None]:
        """Keep other runs away, by whatever name or link they come."""
        self.path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            # Windows opens no folder, and some file systems lock none: the lock of the manifest is left, and names that
            # no two runs share.
            with suppress(OSError):
                lock = os.open(self.path, os.O_RDONLY)
                stack.callback(os.close, lock)
                taken = f"{self.path}: another run writes into this folder; wait for it, or take another folder"
                lock_exclusively(lock, taken)
            yield

    def visible_files(self) -> list[Path]:
        """Give the files that are there, without hidden ones."""
        if not self.path.is_dir():
            return []
        inside = (file.relative_to(self.path) for file in list_files_below(self.path))
        return [file for file in inside if not any(part.startswith(".") for part in file.parts)]

    def check_not_nested(self) -> None:
        """Refuse a folder inside the folder of another run, or around one: their notes would be taken for one output.

        Raises
        ------
        FrameError
            If a manifest tells that another run has made such a folder.
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
        """Remove what a killed run left half written of these outputs."""
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
    """Lock a file or a folder, where the system can; FrameError with a message if another process has locked it."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FrameError(message) from None
