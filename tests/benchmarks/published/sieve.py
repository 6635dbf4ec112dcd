"""notesieve as it is, with a model that did not see the batches on which it is measured."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import ClassVar

import notesieve as ns
from published.systems import Scrubbed


class Notesieve(Scrubbed):
    """The policy ``safe`` with a model of its own fold."""

    name: ClassVar[str] = "notesieve"
    published: ClassVar[str] = "-"

    def __init__(self, model: Path) -> None:
        """Open the model."""
        self.scrubber = ns.Scrubber("safe", model=model)


def learn(program: Path, batches: list[Path], model: Path) -> None:
    """Learn a model from batches with the example ``learn`` of the crate of models, unless there is one."""
    if not model.exists():
        model.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([program, "model", *batches, "-o", model], check=True, stdout=subprocess.DEVNULL)
