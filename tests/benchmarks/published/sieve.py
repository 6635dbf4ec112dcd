"""notesieve as it is, with a model that did not see the batches on which it is measured."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import ClassVar

import notesieve as ns
from published.policies import Scrubbed

_PROJECT = Path(__file__).parents[3]


class Notesieve(Scrubbed):
    """The policy ``safe`` with a model of its own fold."""

    name: ClassVar[str] = "notesieve"
    published: ClassVar[str] = "-"

    def __init__(self, model: Path) -> None:
        """Open the model."""
        self.scrubber = ns.Scrubber("safe", model=model)


def learn_model(program: Path, batches: list[Path], model: Path) -> None:
    """Learn a model from batches with the program of ``tools/learn``, unless there is one."""
    if not model.exists():
        model.parent.mkdir(parents=True, exist_ok=True)
        # The program reads the pools of names of the project from where it is run.
        subprocess.run(
            [program.resolve(), "model", *(batch.resolve() for batch in batches), "-o", model.resolve()],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=_PROJECT,
        )
