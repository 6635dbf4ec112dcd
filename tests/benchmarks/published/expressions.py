"""Regular expressions for each kind of identifier, as in the pathology scrubbers of 2004 and 2006 and the 2013 system.

The group ``phi`` is the identifier if the expression also has a cue. Numbers of pathology (accessions, blocks) are of
the kind ``number``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
_CAPITAL = r"[A-Z][\w'’-]+"
_STREET = r"(?:St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Lane|Ln|Way|Court|Ct|Blvd|Boulevard|Place|Pl|Terrace|Close)\b\.?"
_HOUSE = r"(?:Hospital|Clinic|Medical Cent(?:er|re)|Health Cent(?:er|re)|Infirmary|Hospice|Laborator(?:y|ies)|Pathology Associates)"

EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "date": (
        r"\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b",
        rf"(?i)\b{_MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b|\b\d{{1,2}}(?:st|nd|rd|th)?[ -]{_MONTH}(?:,?[ -]\d{{2,4}})?",
        rf"(?i)\b{_MONTH},? \d{{4}}\b",
        r"(?<![\d/.])(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?![\d/.])",
    ),
    "telephone": (
        r"(?:\(\d{3}\) ?|\b\d{3}[-. ])\d{3}[-. ]\d{4}\b",
        r"(?i)\b(?:ext|pager|beeper)\.? ?#? ?(?P<phi>\d{3,6})\b",
    ),
    "mail": (r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b", r"\b(?:https?://|www\.)\S+"),
    "number": (
        r"\b[A-Z]{1,3}-?\d{2}[-:]\d{3,7}\b",
        r"\b\d{3}-\d{2}-\d{4}\b",
        r"(?i)\b(?:mrn|ssn|acct|account|accession|case|nhs|policy|record|specimen|chart|encounter)\b(?: (?:no|number|id))?\.?[ #:]*(?P<phi>[A-Z]*-?\d[\w-]{2,})",
        r"\b(?=[A-Z\d-]*\d{3})[A-Z]{0,3}\d{6,}\b",
    ),
    "age": (r"(?i)\b(?P<phi>9\d|1[01]\d)[ -]?(?:y[./]?o\b|years?\b|yrs?\b)",),
    "address": (
        rf"\b\d+ (?:{_CAPITAL} )+{_STREET}",
        rf"\b{_CAPITAL}(?: {_CAPITAL})?, [A-Z]{{2}}\b(?: \d{{5}})?",
        r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b",
    ),
    "hospital": (rf"\b(?:{_CAPITAL} |St\. |of |the )+{_HOUSE}\b", rf"\b{_HOUSE} of (?:{_CAPITAL} ?)+"),
    "doctor": (
        rf"\b(?:Dr|Doctor|Drs|Prof)\b\.? (?P<phi>{_CAPITAL}(?: [A-Z]\.)?(?: {_CAPITAL})?)",
        rf"\b(?P<phi>{_CAPITAL}(?: [A-Z]\.?)?(?: {_CAPITAL})?),? (?:MD|M\.D\.|RN|DO|NP|PA|PA-C|LPN|PhD)\b",
        r"(?m)^(?P<phi>[A-Z]{2,3}[/:][a-z]{2,3})\s*$",
    ),
    "patient": (
        rf"\b(?:Mr|Mrs|Ms|Miss)\b\.? (?P<phi>{_CAPITAL}(?: {_CAPITAL})?)",
        rf"\b(?P<phi>{_CAPITAL}, {_CAPITAL}(?: [A-Z]\b\.?)?)(?=\s*(?:\n|\d|\())",
        rf"(?i:\b(?:patient(?: name)?|name|pt)): *(?P<phi>{_CAPITAL},? {_CAPITAL}(?: {_CAPITAL})?)",
    ),
}
_COMPILED = [(kind, re.compile(form)) for kind, forms in EXPRESSIONS.items() for form in forms]


def expression_matches(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the kind, start and end of each match."""
    for kind, form in _COMPILED:
        group = "phi" if "phi" in form.groupindex else 0
        for found in form.finditer(text):
            yield kind, found.start(group), found.end(group)
