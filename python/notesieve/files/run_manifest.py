"""The manifest: a record of what a run over files has done, so that an interrupted run can be resumed.

A manifest is a file of JSON lines. The first describes what the run was made with; each other line stands for an input
whose output is complete, and is written after the output has its final name. It contains file names and digests of
notes: keep it with the notes, not with the outputs.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO

from notesieve.errors import FrameError
from notesieve.files.output_folder import lock_exclusively


def size_and_sha256(path: Path) -> tuple[int, str]:
    """Return the size of a file in bytes and its SHA-256.

    Examples
    --------
    >>> from pathlib import Path
    >>> size, sha256 = size_and_sha256(Path(os.devnull))
    >>> size, sha256[:8]
    (0, 'e3b0c442')
    """
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), sha256


class RunManifest(AbstractContextManager["RunManifest"]):
    """The manifest of one output folder, open for writing and locked.

    Parameters
    ----------
    path : Path
        The file.
    run : dict
        What determines the outputs: version, digests of policy and vocabulary, options.
    resume : bool
        Whether to continue an existing manifest. Otherwise it is started anew.

    Raises
    ------
    FrameError
        If another process writes it, if it cannot be read, or if it cannot be resumed because it was made with other
        settings.
    """

    def __init__(self, path: Path, run: dict[str, Any], *, resume: bool) -> None:
        self.path = path
        run = json.loads(json.dumps({"manifest": 1, **run}))
        self.done: dict[str, dict[str, Any]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        # Truncate only after locking: another process may be writing it.
        self.file: BinaryIO = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        try:
            taken = f"{path}: another process writes into this folder; wait for it, or take another folder"
            lock_exclusively(self.file, taken)
            end = self._read_lines(run, resume=resume)
            if not resume:
                end, self.done = 0, {}
            self.file.seek(end)
            self.file.truncate()
            if not end:
                self.add(run)
                self.flush_to_disk()  # before the first output exists
        except BaseException:
            self.file.close()
            raise

    def _read_lines(self, run: dict[str, Any], *, resume: bool) -> int:
        """Read the completed outputs; return the offset after the last complete line."""
        end = 0
        for number, line in enumerate(self.file):
            try:
                entry = json.loads(line)
                whole = line.endswith(b"\n") and isinstance(entry, dict)
            except ValueError:
                whole = False
            if number == 0 and line.endswith(b"\n") and not (whole and "manifest" in entry):
                raise FrameError(f"{self.path}: is no manifest, and would be written over: take another file for it")
            if not whole:
                break  # the run was killed while it wrote this line
            if number == 0 and resume and entry != run:
                different = sorted(key for key in {*entry, *run} if entry.get(key) != run.get(key))
                raise FrameError(
                    f"{self.path}: was made with other {', '.join(different)}: what is done does not fit what would be "
                    "added. Run with --overwrite, or into another folder"
                )
            if number and "output" in entry:
                self.done[entry["output"]] = entry
            end += len(line)
        return end

    def is_done(self, output: str, source: Path, target: Path) -> bool:
        """Return whether an input is done, and neither it nor its output has changed since.

        Raises
        ------
        FrameError
            If the output was made from another input that still exists.
        """
        entry = self.done.get(output)
        if entry is None or "sha256" not in entry:
            return False
        before = Path(entry["input"])
        if before.exists() and not before.samefile(source):
            raise FrameError(
                f"{output}: was made of {before}, and {source} would replace it: take another folder for its output"
            )
        try:
            return bool(
                source.stat().st_size == entry["bytes"]
                and target.stat().st_size == entry["output_bytes"]
                and size_and_sha256(source)[1] == entry["sha256"]
                and size_and_sha256(target)[1] == entry["output_sha256"]
            )
        except OSError:
            return False

    def check_outputs(self, sources: dict[str, Path]) -> None:
        """Raise if an input is done already under another name: its notes would be in the output twice.

        Parameters
        ----------
        sources : dict of str to Path
            The input of each output.

        Raises
        ------
        FrameError
            If there is one. New inputs can change the output paths of earlier ones.
        """
        before = {os.path.realpath(entry["input"]): output for output, entry in self.done.items() if "sha256" in entry}
        for output, source in sources.items():
            other = before.get(os.path.realpath(source), output)
            if other != output and other not in sources:
                raise FrameError(
                    f"{source}: is done already as {other}, and would come out again as {output}: inputs were added "
                    "that change the names. Scrub what was added into another folder"
                )

    def add(self, entry: dict[str, Any]) -> None:
        """Write one line."""
        self.file.write(json.dumps(entry, ensure_ascii=True).encode() + b"\n")

    def flush_to_disk(self) -> None:
        """Flush the file and wait until its data are on disk."""
        self.file.flush()
        os.fsync(self.file.fileno())

    def __exit__(self, *_: object) -> None:
        """Close the file, which releases the lock."""
        self.file.close()
