"""Read an output again and name what allows each of its tokens: a second opinion that shares no code with the first."""

from notesieve.verification.checker import ALLOWANCES, Allowance, VerifiedToken, verify
from notesieve.verification.read_output import Reading

__all__ = ["ALLOWANCES", "Allowance", "Reading", "VerifiedToken", "verify"]
