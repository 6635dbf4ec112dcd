"""Berman's concept match (2003): stop words stay, terms become code and name, everything else is blanked."""

from __future__ import annotations

from typing import ClassVar

from published.systems import Scrubbed


class ConceptMatch(Scrubbed):
    """The policy ``berman``."""

    name: ClassVar[str] = "concept match (2003)"
    published: ClassVar[str] = '"very few" misses'

    def __init__(self) -> None:
        """Take the policy as it is."""
        super().__init__("berman")
