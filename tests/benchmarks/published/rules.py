"""Rules and lists of notesieve without its model."""

from __future__ import annotations

from typing import ClassVar

import notesieve as ns
from published.systems import Scrubbed


class Rules(Scrubbed):
    """An ordinary word goes only where a title, a field or a relative tells that it is a name."""

    name: ClassVar[str] = "lists and rules"
    published: ClassVar[str] = "F .768 / .847 (rules and dictionaries, 2006)"

    def __init__(self) -> None:
        """Hear no model."""
        super().__init__(ns.Policy("safe", ambiguous="never"))
