"""Terms that the core's rules take from lists of their own, for :mod:`notesieve.verification`.

The core publishes the lists; this module matches them independently: scales need a noun or a grade, trial names need
capitals, markup needs its brackets.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

from notesieve._core import listed_terms
from notesieve.verification.output_tokens import fold_text

if TYPE_CHECKING:
    from notesieve.verification.read_output import Reading

#: How far a term may extend from a token, in characters.
_REACH = 80
_GRADE = r"(?:[ivx]{1,5}[a-d]?|[a-d]|[a-z]?\d{1,2}[a-c]?)"
_TERM_PLACEHOLDERS = {"#": r"\d{1,3}(?:\.\d+)?", "@": _GRADE}
_GAP = r"[\s./-]{0,3}"
_GREEK = re.compile("[α-ωΑ-Ω]")  # noqa: RUF001


def _term_pattern(term: str) -> str:
    """Return a term as a regular expression: its words and what may separate them."""
    parts = (_TERM_PLACEHOLDERS.get(part, re.escape(part)) for part in term.split())
    return _GAP.join(rf"{part}(?:['’]s)?" for part in parts)  # noqa: RUF001 - a typographic apostrophe


@cache
def _patterns_by_word() -> dict[str, list[re.Pattern[str]]]:
    """Return the patterns of terms and scales, indexed by each of their words."""
    lists = dict(listed_terms())
    nouns = "|".join(map(re.escape, lists["scale-nouns"]))
    scale = rf"(?:(?:\W{{1,3}}\w+){{0,3}}\W{{1,3}}(?:{nouns})|\W{{1,3}}{_GRADE})"
    patterns = [(term, _term_pattern(term)) for term in lists["terms"]]
    patterns += [(name, _term_pattern(name) + scale) for name in lists["scales"]]
    patterns += [(name, _term_pattern(name)) for name in lists["things"]]
    index = defaultdict(list)
    for term, pattern in patterns:
        compiled = re.compile(rf"(?<![^\W_]){pattern}(?![^\W_])", re.IGNORECASE)
        for word in set(term.split()):
            index[word].append(compiled)
    return dict(index)


@cache
def _markup_pattern() -> re.Pattern[str]:
    """Return the pattern of tags, character entities and HL7 escape sequences."""
    lists = dict(listed_terms())
    elements = "|".join(map(re.escape, lists["elements"]))
    entities = "|".join(map(re.escape, lists["entities"]))
    return re.compile(
        rf"</?(?:{elements})\d?\b[^<>]{{0,200}}>|&(?:{entities}|#x?[0-9a-f]{{1,6}});|\\\.(?:br|sp|in|ti|ce|fi|nf|sk)\d?\\",
        re.IGNORECASE,
    )


@cache
def _listed_isotopes() -> frozenset[tuple[str, str]]:
    """Return the listed pairs of element and mass."""
    lines = (line.split() for line in dict(listed_terms())["isotopes"])
    return frozenset((element, mass) for element, *masses in lines for mass in masses)


def _is_isotope(reading: Reading, at: int) -> bool:
    """Return whether an element and its mass occur at most two tokens away: `Tc 99m`."""
    near = reading.tokens[max(0, at - 2) : at + 3]
    words, numbers = [{token.folded for token in near if token.kind == kind} for kind in ("word", "number")]
    return any((word, number) in _listed_isotopes() for word in words for number in numbers)


def listed_term(reading: Reading, at: int) -> str | None:
    """Return the list with which a rule may have vouched for a token.

    Parameters
    ----------
    reading : Reading
        The output.
    at : int
        The index of the token.

    Returns
    -------
    str or None
        The list; None if there is none.
    """
    token = reading.tokens[at]
    if token.kind not in {"word", "number"}:
        return None
    if _GREEK.fullmatch(token.text):
        return "greek-letter"
    if token.is_upper and token.folded in dict(listed_terms())["trials"]:
        return "trial"
    if _is_isotope(reading, at):
        return "isotope"
    start = max(0, token.start - _REACH)
    # Fold each character to exactly one, so that offsets stay valid.
    window = "".join(
        plain if len(plain := fold_text(letter)) == 1 else letter for letter in reading.text[start : token.end + _REACH]
    )
    keys = [token.folded] if token.kind == "word" else [token.folded, "#", "@"]

    def covers_token(pattern: re.Pattern[str]) -> bool:
        found = pattern.finditer(window)
        return any(match.start() + start <= token.start and token.end <= match.end() + start for match in found)

    if any(covers_token(pattern) for key in keys for pattern in _patterns_by_word().get(key, ())):
        return "listed-term"
    return "markup" if covers_token(_markup_pattern()) else None
