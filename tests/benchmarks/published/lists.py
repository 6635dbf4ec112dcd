"""Lists without rules: what stands on no allowed list goes, and so does every number."""

from __future__ import annotations

from typing import ClassVar

import notesieve as ns
from published.systems import Scrubbed


class Lists(Scrubbed):
    """Allowed lists alone: no rule is heard, and no model."""

    name: ClassVar[str] = "lists without rules"
    published: ClassVar[str] = "-"

    def __init__(self) -> None:
        """Turn every rule off."""
        everything = ["name", "date", "age", "location", "contact", "id"]
        super().__init__(ns.Policy("safe", ambiguous="never", numbers="none", rules_off=everything))
