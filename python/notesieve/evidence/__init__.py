"""Evidence for a release decision: figures, digests, Safe Harbor identifiers and residual risk, on one page."""

from notesieve.evidence.collect import Evidence, collect
from notesieve.evidence.collected import EvidenceData
from notesieve.evidence.residual import ResidualRisk, residual_risk
from notesieve.evidence.safe_harbor import SAFE_HARBOR, CheckedIdentifier, Identifier, check_identifiers

__all__ = [
    "SAFE_HARBOR",
    "CheckedIdentifier",
    "Evidence",
    "EvidenceData",
    "Identifier",
    "ResidualRisk",
    "check_identifiers",
    "collect",
    "residual_risk",
]
