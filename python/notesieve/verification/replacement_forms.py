"""Replacements that notesieve writes instead of placeholders: dates, years, surrogates.

For :mod:`notesieve.verification`, and plain Python like it. A date in a form that the policy shifts is allowed; an
output does not show whether it was shifted. Surrogates can be distinguished from missed identifiers: names consist of
syllables and are on no list; numbers come from ranges assigned to nobody or satisfy a check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from notesieve._core import surrogate_syllables
from notesieve.verification.output_tokens import TAGS

if TYPE_CHECKING:
    from notesieve.verification.output_tokens import OutputToken
    from notesieve.verification.read_output import Reading

_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_DAY = r"\d{1,2}(?:\s*(?:st|nd|rd|th))?"
_YEAR = r"(?:['’]\s*)?(?:(?:18|19|20)\d\d|\d\d)"  # noqa: RUF001 - a typographic apostrophe
_BETWEEN = r"(?:[\s.,/_'-]|\bof\b|\bthe\b|\bin\b)*"
_JOIN = r"(?:\s*[-&/+,]\s*|\s+(?:to|and|or|through|thru|until)\s+)"
_DAYS = rf"{_DAY}(?:{_JOIN}{_DAY})*"
_CLOCK = r"(?:t\d{1,2}(?::\d\d)*(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?)?"
#: Every form of date that is shifted.
_DATE = re.compile(
    rf"""
    (?:(?<![^\W_])|(?<=\bthe)|(?<=\bon))(?:{_WEEKDAY}\b[\s.,]*)?
    (?: \d{{1,4}}\s*[-/.,]\s*\d{{1,2}}\s*[-/.,]\s*\d{{1,4}}{_CLOCK}
      | \d{{1,4}}\s+\d{{1,2}}\s+\d{{1,4}}
      | \d{{8}}(?:\d\d){{0,3}}
      | {_DAYS}{_BETWEEN}(?:{_MONTH})(?:{_BETWEEN}{_YEAR})?
      | (?:{_MONTH}){_BETWEEN}{_DAYS}(?:{_BETWEEN}{_YEAR})?
      | (?:{_MONTH}){_BETWEEN}{_YEAR}
      | \d{{1,4}}\s*[-/.]\s*\d{{1,4}}
      | ['’]\d\d
      | (?:18|19|20)\d\d
    )(?=to\b|and\b|[\W_]|$)
    """,  # noqa: RUF001
    re.VERBOSE | re.IGNORECASE,
)
_YEARS = re.compile(r"(?<!\w)(?:18|19|20)\d\d(?:-(?:18|19|20)\d\d)?(?!\w)")
#: 555-01xx is reserved for fictitious numbers.
_PHONE = re.compile(
    r"(?<!\d)\+?(?:1\W{0,3})?(?:\d\W{0,3}){0,3}5\W{0,3}5\W{0,3}5\W{0,3}0\W{0,3}1\W{0,3}\d\W{0,3}\d(?!\d)"
)
_EMAIL = re.compile(r"\b([a-z]+)@example\.org\b")
_WEB = re.compile(r"\bhttps://www\.example\.org/([a-z]+)\b")
#: ZIP codes from 00001 to 00099 are not assigned.
_ZIP = re.compile(r"(?<!\w)000\d\d(?!\w)")
_PREFIX = re.compile(r"(?<!\w)\d{3}(?!\w)")
#: One code in this many satisfies the check by chance.
_CHECK = 97
_LONGEST_CODE = 12


@cache
def _surrogate_name_pattern() -> re.Pattern[str]:
    """Return the pattern of names made of the syllables of surrogates."""
    return re.compile("".join(f"(?:{'|'.join(sorted(set(part)))})" for part in surrogate_syllables()))


def is_surrogate_name(folded: str) -> bool:
    """Return whether a folded word is made of the syllables of surrogates.

    Parameters
    ----------
    folded : str
        A word.

    Returns
    -------
    bool
        True if the word may be a surrogate; whether it is on a list is checked separately.

    Examples
    --------
    >>> is_surrogate_name("calderlaford"), is_surrogate_name("brown")
    (True, False)
    """
    return _surrogate_name_pattern().fullmatch(folded) is not None


def has_surrogate_check(code: str) -> bool:
    """Return whether the letters and digits of a code satisfy the check of a surrogate.

    Parameters
    ----------
    code : str
        A number or code; marks in it are ignored.

    Returns
    -------
    bool
        True for surrogates, and for one in 97 of all other codes.

    Examples
    --------
    >>> has_surrogate_check("1234567"), sum(map(has_surrogate_check, map(str, range(10_000, 20_000)))) < 200
    (False, True)
    """
    values = [int(letter, 36) for letter in code if letter.isascii() and letter.isalnum()]
    return sum(value * (7 * ((at + 3) % _CHECK) % _CHECK) for at, value in enumerate(values)) % _CHECK == 1


def _template_finder(tags: str) -> Callable[[str], Iterator[re.Match[str]]]:
    """Return a function that finds the tags written with a template."""
    parts = re.split(r"\{(?:category|kind)\}", tags)
    name = rf"(?:{'|'.join(TAGS)}|[a-z]+(?:-[a-z]+|-89)*)(?:-\d{{1,5}})?"
    return re.compile(name.join(map(re.escape, parts))).finditer


def _surrogate_kind(reading: Reading, at: int) -> str | None:
    """Return the kind of surrogate that a token may be part of; None if it is not part of one."""
    token = reading.tokens[at]
    if token.kind == "word" and is_surrogate_name(token.folded) and not reading.lists.lists_of_word(token.folded):
        return "name"
    if token.kind == "word" and len(token.text) == 1 and token.is_upper:
        return "initial"
    for name, pattern in (("phone", _PHONE), ("zip", _ZIP)):
        if reading.is_in_form(at, name, pattern.finditer):
            return name
    for name, pattern in (("email", _EMAIL), ("web", _WEB)):
        made = lambda text, pattern=pattern: (m for m in pattern.finditer(text) if is_surrogate_name(m[1]))  # noqa: E731
        if reading.is_in_form(at, name, made):
            return name
    return "code" if token.kind in {"word", "number"} and _is_code(reading.tokens, at) else None


def _is_code(tokens: Sequence[OutputToken], at: int) -> bool:
    """Return whether a run of tokens without white space around the token satisfies the check."""
    first = at
    while first > 0 and at - first < _LONGEST_CODE and not tokens[first].gap and tokens[first - 1].kind != "tag":
        first -= 1
    last = at + 1
    while last < len(tokens) and last - at < _LONGEST_CODE and not tokens[last].gap and tokens[last].kind != "tag":
        last += 1
    for begin in range(first, at + 1):
        for end in range(at + 1, last + 1):
            run = "".join(letter for token in tokens[begin:end] for letter in token.text if letter.isalnum())
            if len(run) >= 4 and any(map(str.isdigit, run)) and run.isascii() and has_surrogate_check(run):
                return True
    return False


def replacement_of(reading: Reading, at: int) -> str | None:
    """Return the kind of replacement that a token is part of, under the policy of the reading.

    Parameters
    ----------
    reading : Reading
        The output.
    at : int
        The index of the token.

    Returns
    -------
    str or None
        ``date``, ``year``, ``name``, ``phone`` and so on; None if the token is not part of one.
    """
    policy = reading.policy
    if policy.dates == "shift" and reading.is_in_form(at, "date", _DATE.finditer):
        return "date"
    if policy.dates == "year" and reading.is_in_form(at, "year", _YEARS.finditer):
        return "year"
    if policy.zip == "prefix" and reading.is_in_form(at, "prefix", _PREFIX.finditer):
        return "zip"
    if "{" in policy.tags and reading.is_in_form(at, "template", _template_finder(policy.tags)):
        return "tag"
    return _surrogate_kind(reading, at) if policy.replace == "surrogate" else None
