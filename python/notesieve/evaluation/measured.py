"""The interface of an evaluation to its reports, and the formatting of shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class EvaluationLike(Protocol):
    """The part of an `Evaluation` that a report needs."""

    @property
    def name(self) -> str:
        """The name of the system in the report."""

    @property
    def report(self) -> dict[str, Any]:
        """All counts, shares and intervals."""

    @property
    def provenance(self) -> dict[str, str]:
        """The gold standard and the system: versions and digests."""

    def __getitem__(self, measure: str, /) -> Any:
        """Return a part of the report."""


def percent(share: float | None, digits: int = 2) -> str:
    """Return a share in per cent. Only exact values are shown as 0 % or 100 %: others get more digits."""
    if share is None:
        return "-"
    for places in range(digits, 7):
        text = f"{share * 100:.{places}f}"
        if share in (0.0, 1.0) or float(text) not in (0.0, 100.0):
            return f"{text} %"
    return f"{share * 100:.7f} %"


def interval(bounds: Mapping[str, float]) -> str:
    """Return an interval of shares as text in per cent."""
    return f"{percent(bounds['low']).removesuffix(' %')} to {percent(bounds['high'])}"


def riskiest_first(groups: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Sort risk groups from the highest risk; other groups follow in their order."""
    order = ("direct", "quasi", "provider_place", "high", "medium", "low")
    return sorted(groups.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order))
