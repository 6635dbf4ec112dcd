"""The data that the evidence page shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from notesieve.evidence.figures import Figures, SamplingPlan
from notesieve.evidence.residual import ResidualRisk
from notesieve.evidence.safe_harbor import CheckedIdentifier


@dataclass(frozen=True)
class EvidenceData:
    """What was measured, with which versions, and the residual risk.

    Attributes
    ----------
    figures : Figures
        The scores of the policy that is reported.
    others : tuple of Figures
        The scores of other policies on the same notes.
    plan : SamplingPlan
        The sample size that the stated recall needs, and whether this sample shows that recall.
    safe_harbor : tuple of CheckedIdentifier
        The 18 identifiers and the outcomes of their examples.
    residual : ResidualRisk
        The residual risk of the output.
    residual_of : str
        The notes of that output.
    policy : dict
        Every choice of the policy; for lists of people and places of the site, only the number of items.
    digests, environment : dict of str to str
        The versions on which the figures depend.
    golds : dict of str to int
        The number of notes of each gold standard.
    site_lists : dict of str to int
        The number of items of each site list.
    day : date
        The date of the evidence.
    organisation : str
        The organisation for which it was made.
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
