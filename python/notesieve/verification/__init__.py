"""Verification of outputs: re-reads an output and reports what allows each of its tokens, independently of the core."""

from notesieve.verification.checker import ALLOWANCES, Allowance, VerifiedToken, verify
from notesieve.verification.read_output import Reading

__all__ = ["ALLOWANCES", "Allowance", "Reading", "VerifiedToken", "verify"]
