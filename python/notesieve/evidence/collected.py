"""What was collected for a decision: what a page shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from notesieve.evidence.figures import Figures, SamplingPlan
from notesieve.evidence.residual import ResidualRisk
from notesieve.evidence.safe_harbor import CheckedIdentifier


@dataclass(frozen=True)
class EvidenceData:
    """What was measured, with what, and what is left.

    Attributes
    ----------
    figures : Figures
        The scores of the policy that is reported.
    others : tuple of Figures
        The scores of other policies on the same notes.
    plan : SamplingPlan
        The sample that the stated recall needs, and whether this one shows it.
    safe_harbor : tuple of CheckedIdentifier
        The 18 identifiers and what became of their examples.
    residual : ResidualRisk
        What stays in the output.
    residual_of : str
        Whose output that is.
    policy : dict
        Every choice of the policy; of lists that name people and places of the site, how many items they have.
    digests, environment : dict of str to str
        What the figures depend on.
    golds : dict of str to int
        How many notes each gold standard has.
    site_lists : dict of str to int
        How many items each list of the site has.
    day : date
        When it was made.
    organisation : str
        For whom.
    """

    figures: Figures
    others: tuple[Figures, ...]
    plan: SamplingPlan
    safe_harbor: tuple[CheckedIdentifier, ...]
    residual: ResidualRisk
    residual_of: str
    policy: dict[str, Any]
    digests: dict[str, str]
    environment: dict[str, str]
    golds: dict[str, int]
    site_lists: dict[str, int]
    day: date
    organisation: str = ""
