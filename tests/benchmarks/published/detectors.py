"""Scrub (Sweeney 1996): detectors compete for each token; the highest precedence wins, then the highest probability.

A detector that recognises more parts at once (a full address) has precedence over one that recognises fewer (a town).
The probability that a detector is right is estimated on the training notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from published.notes import Note
from published.reading import kinds_of, labels_of, lists_of, tokens_of
from published.systems import Spans

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_CAPITAL = r"[A-Z][\w'’-]+"

# Name, precedence (the number of parts), expression. A detector claims the group `phi`, or else the whole match.
FORMS = [
    ("full address", 5, rf"\b\d+ (?:{_CAPITAL} )+(?:St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Lane|Ln)\b\.?,? {_CAPITAL}"),
    ("town and state", 3, rf"\b{_CAPITAL}, [A-Z]{{2}}\b(?: \d{{5}})?"),
    ("street", 3, rf"\b\d+ (?:{_CAPITAL} )+(?:St|Street|Ave|Avenue|Rd|Road|Dr|Drive|Lane|Ln|Way|Court|Ct)\b"),
    ("titled name", 3, rf"\b(?:Dr|Mr|Mrs|Ms|Miss|Prof)\b\.? (?P<phi>{_CAPITAL}(?: {_CAPITAL})?)"),
    ("name with credential", 3, rf"(?P<phi>{_CAPITAL}(?: [A-Z]\.)?(?: {_CAPITAL})?),? (?:MD|RN|DO|NP|PA|LPN|PhD)\b"),
    ("last, first", 3, rf"\b(?P<phi>{_CAPITAL}, {_CAPITAL}(?: [A-Z]\b)?)"),
    (
        "full date",
        3,
        rf"(?i)\b(?:\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}|\d{{4}}-\d{{2}}-\d{{2}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{1,2}} {_MONTH}(?: \d{{4}})?)\b",
    ),
    ("telephone", 3, r"(?:\(\d{3}\) ?|\b\d{3}[-. ])\d{3}[-. ]\d{4}\b"),
    ("mail or web address", 3, r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b|\b(?:https?://|www\.)\S+"),
    (
        "named hospital",
        3,
        rf"\b(?:{_CAPITAL} |St\. )+(?:Hospital|Clinic|Medical Center|Infirmary|Hospice|Ward|Lodge|House)\b",
    ),
    (
        "labelled number",
        2,
        r"(?i)\b(?:mrn|ssn|acct|account|id|no|nhs|record|case|room|rm|bed|policy)\b\.?[ #:]*(?P<phi>[A-Z]*\d[\w-]*)",
    ),
    ("age over 89", 2, r"\b(?:9\d|1[01]\d)(?=[ -]?(?:y[./]?o|years?|yrs?|F\b|M\b))"),
    ("extension", 2, r"(?i)\b(?:ext\.?|x|pager|p) ?\d{3,6}\b"),
    ("short date", 1, r"\b\d{1,2}/\d{1,2}\b(?!/)"),
    ("long number", 1, r"\b[A-Z]{0,3}\d{5,}\b"),
]
_COMPILED = [(name, precedence, re.compile(form)) for name, precedence, form in FORMS]


def _word_detectors(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield the claims of the single-word detectors: lists, and the evidence against a name."""
    for start, end in tokens_of(text):
        word = text[start:end]
        kinds, known = kinds_of(word.lower()), lists_of(word.lower())
        listed = not known.isdisjoint(("english", "stop", "clinical", "term"))
        if word[0].isupper() and "name" in kinds:
            yield ("listed name, also a word" if listed else "listed name"), 1, start, end
        if word[0].isupper() and "city" in known:
            yield ("listed place, also a word" if listed else "listed place"), 1, start, end
        if word[0].isupper() and not known:
            yield "capital on no list", 1, start, end
        if word[0].islower() and not known:
            yield "small on no list", 1, start, end


def claims_of_detectors(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield the claims of all detectors: name, precedence, start, end."""
    for name, precedence, form in _COMPILED:
        group = "phi" if "phi" in form.groupindex else 0
        for found in form.finditer(text):
            yield name, precedence, found.start(group), found.end(group)
    yield from _word_detectors(text)


class Detectors:
    """The competing detectors; the claim of the winner is removed if the winner is more often right than wrong."""

    name: ClassVar[str] = "competing detectors (1996)"
    published: ClassVar[str] = "-"
    reads: ClassVar[bool] = False
    probability: dict[str, float]

    def fit(self, notes: Sequence[Note]) -> None:
        """Estimate the probability that each detector is right."""
        right: dict[str, int] = {}
        claimed: dict[str, int] = {}
        for note in notes:
            found = list(claims_of_detectors(note.text))
            labels = labels_of(note, [(start, end) for _, _, start, end in found])
            for (name, *_), label in zip(found, labels, strict=True):
                if label is not None:
                    claimed[name] = claimed.get(name, 0) + 1
                    right[name] = right.get(name, 0) + bool(label)
        self.probability = {name: right[name] / count for name, count in claimed.items()}

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Let the detectors compete for each character of each note."""
        return [self._resolve_claims(note.text) for note in notes]

    def _resolve_claims(self, text: str) -> Spans:
        best: list[tuple[int, float]] = [(0, 0.0)] * len(text)
        for name, precedence, start, end in claims_of_detectors(text):
            claim = (precedence, self.probability.get(name, 0.0))
            for at in range(start, end):
                best[at] = max(best[at], claim)
        return [
            (start, end)
            for start, end in ((found.start(), found.end()) for found in re.finditer(r"\w+|[^\w\s]", text))
            if any(best[at][1] > 0.5 for at in range(start, end))
        ]
