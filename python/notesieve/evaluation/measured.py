"""What a report says of a measurement, and how it writes shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Measured(Protocol):
    """What a report needs of an `Evaluation`."""

    @property
    def name(self) -> str:
        """What the report calls the system."""

    @property
    def report(self) -> dict[str, Any]:
        """All counts, shares and intervals."""

    @property
    def provenance(self) -> dict[str, str]:
        """What was measured, and with what."""

    def __getitem__(self, measure: str, /) -> Any:
        """Give a part of the report."""


def percent(share: float | None, digits: int = 2) -> str:
    """Give a share in per cent. What is not quite all or nothing is never rounded to it."""
    if share is None:
        return "-"
    for places in range(digits, 7):
        text = f"{share * 100:.{places}f}"
        if share in (0.0, 1.0) or float(text) not in (0.0, 100.0):
            return f"{text} %"
    return f"{share * 100:.7f} %"


def interval(bounds: Mapping[str, float]) -> str:
    """Give an interval of shares in per cent."""
    return f"{percent(bounds['low']).removesuffix(' %')} to {percent(bounds['high'])}"


def riskiest_first(groups: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Sort risk groups; others keep their order."""
    order = ("direct", "quasi", "provider_place", "high", "medium", "low")
    return sorted(groups.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order))
