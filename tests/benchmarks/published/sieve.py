"""notesieve itself, with a model that was not trained on the batches on which it is measured."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import ClassVar

import notesieve as ns
from published.policies import Scrubbed

_PROJECT = Path(__file__).parents[3]


class Notesieve(Scrubbed):
    """The policy ``safe`` with the model of its fold."""

    name: ClassVar[str] = "notesieve"
    published: ClassVar[str] = "-"

    def __init__(self, model: Path) -> None:
        """Open the model."""
        self.scrubber = ns.Scrubber("safe", model=model)


def train_model(program: Path, batches: list[Path], model: Path) -> None:
    """Train a model on batches with the program of ``tools/learn``, unless the file exists."""
    if not model.exists():
        model.parent.mkdir(parents=True, exist_ok=True)
        # The program reads the project's pools of names relative to the working directory.
        subprocess.run(
            [program.resolve(), "model", *(batch.resolve() for batch in batches), "-o", model.resolve()],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=_PROJECT,
        )
