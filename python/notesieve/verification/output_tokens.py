"""Cut an output into tokens again, for :mod:`notesieve.verification`: plain Python that shares nothing with the core.

What notesieve writes has few forms: tags, codes, masks, words, numbers and marks, in an alphabet that is published
here. A character outside it cannot have been written by notesieve under a policy that removes unknown words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

#: What stands for removed text: the category, and for ages what every age over 89 becomes.
TAGS = ("NAME", "DATE", "AGE", "LOCATION", "CONTACT", "ID")

#: What stands between ``[**`` and ``**]`` in tags of that style, alone or with a number.
PHRASES = (
    "Age over 89", "Contact", "Date", "Email", "Fax", "First name", "Full name", "Holiday", "Hospital", "ID number",
    "Initials", "Last name", "Location", "Medical record number", "Month", "Organization", "Pager", "Season",
    "Social security number", "Street address", "Telephone", "Ward", "Web address", "Weekday", "Year", "Zip code",
)  # fmt: skip

#: Typographic marks, symbols and digits that may stand in an output beside ASCII.
FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
MARKS = frozenset(FRACTIONS + "‘’“”–—°±≥≤≠≈•·→←↑↓§¶√∞✓✔✗✘☐☑☒□■▪◦✱★†‡£€¥¢↔⇒⇐⇔⇑⇓⬆⬇↗↘♀♂×²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")

#: Letters of an output beside those of ASCII: accented Latin and Greek ones.
_LETTERS = re.compile("[À-ɏα-ωΓΔΘΛΣΦΩµ]")

_DIGITS = "0-9²³¹⁰⁴-⁹₀-₉"
_LETTER = f"(?:(?![{_DIGITS}{FRACTIONS}])[^\\W_])"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r\n\x0b\x0c]+)
    | (?P<tag>\[(?:{"|".join(TAGS)})(?:-\d{{1,5}})?\]|<(?:{"|".join(TAGS)})(?:-\d{{1,5}})?>
        |\[\*\*(?:(?:{"|".join(PHRASES).replace(" ", "[ ]")})(?:[ ]\d{{1,5}})?|\d{{4}}(?:/\d{{1,2}}){{2}})\*\*\])
    | (?P<age>(?<![^\W_])90\+(?![{_DIGITS}]))
    | (?P<code>\[[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9._-]+\])
    | (?P<mask>\*+)
    | (?P<number>(?:(?:(?<=\s)|^)\.)?[{_DIGITS}]+(?:[.,/:][{_DIGITS}]+)*|[{FRACTIONS}])
    | (?P<possessive>(?<=\S)['’][sSſ](?!{_LETTER}))
    | (?P<word>{_LETTER}+(?:['’](?![sSſ](?!{_LETTER})){_LETTER}+)*)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)

#: Letters that are no accented ones and still stand for others in the lists.
_SPELT = str.maketrans(
    {
        "ß": "ss", "ẞ": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
        "µ": "u", "μ": "u", "ο": "o", "×": "x", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "⁄": "/",
    }
)  # fmt: skip


@dataclass(slots=True)  # not frozen, which takes twice the time
class OutputToken:
    """A token of an output. Its repr tells its place and kind, never its text."""

    start: int
    """First code point."""
    end: int
    """One past the last code point."""
    kind: str
    """``word``, ``number``, ``possessive``, ``mark``, ``tag``, ``age``, ``code`` or ``mask``."""
    gap: str
    """The white space before it."""
    text: str
    """What is written."""
    folded: str
    """The text as the lists have it."""
    border: bool
    """Whether no term may reach over the gap before it."""

    def __repr__(self) -> str:
        """Give place and kind."""
        return f"OutputToken({self.start}:{self.end}, {self.kind!r})"

    @property
    def is_upper(self) -> bool:
        """Whether every letter is a capital."""
        return self.text.isupper()

    @property
    def is_lower(self) -> bool:
        """Whether no letter is a capital."""
        return not any(letter.isupper() for letter in self.text)


@cache
def _fold_letter(letter: str) -> str:
    if unicodedata.category(letter) == "Cs":
        return "\ufffd"
    spelt = letter.lower().translate(_SPELT)
    parts = unicodedata.normalize("NFKD", spelt)
    return "".join(part for part in parts if not unicodedata.category(part).startswith("M")).lower().translate(_SPELT)


def fold_text(text: str) -> str:
    """Give a text the form that the lists have: lower case, without accents, in plain letters.

    Parameters
    ----------
    text : str
        A word.

    Returns
    -------
    str
        The folded word.

    Examples
    --------
    >>> fold_text("Sjögren’s")
    "sjogren's"
    """
    return text.lower() if text.isascii() else "".join(map(_fold_letter, text))


def is_in_alphabet(character: str, *, any_letter: bool = False) -> bool:
    r"""Return whether notesieve writes a character.

    Parameters
    ----------
    character : str
        One code point.
    any_letter : bool, optional
        Whether letters of all scripts count: under policies that keep unknown words.

    Returns
    -------
    bool
        False for invisible characters, digits of other scripts, letters that look like Latin ones, and the like.

    Examples
    --------
    >>> is_in_alphabet("é"), is_in_alphabet("\u200b"), is_in_alphabet("\u0430")
    (True, False, False)
    """
    if character.isascii():
        return character.isprintable() or character in "\t\n\r\x0b\x0c"
    if character in MARKS or _LETTERS.match(character):
        return True
    return any_letter and unicodedata.category(character) in {"Ll", "Lo", "Lm"}


def tokenize(text: str, is_code: Callable[[str], bool] = bool) -> list[OutputToken]:
    """Cut an output into tokens.

    Parameters
    ----------
    text : str
        The output.
    is_code : callable, optional
        Tells whether a concept has a code such as ``mesh:D003920``. What looks like a code between brackets and is none
        is cut like any other text.

    Returns
    -------
    list of OutputToken
        In order; with the white space between them they tile the text.

    Examples
    --------
    >>> [token.kind for token in tokenize("Mr. [NAME], 5mg")]
    ['word', 'mark', 'tag', 'mark', 'number', 'word']
    """
    tokens: list[OutputToken] = []
    gap = ""
    at = 0
    while match := _TOKEN.match(text, at):
        kind = match.lastgroup or "mark"
        piece = match.group()
        if kind == "code" and not is_code(piece[1:-1]):
            kind, piece = "mark", "["
        begin, at = at, at + len(piece)
        if kind == "space":
            gap = piece
            continue
        border = not tokens or _ends_phrase(gap, piece)
        tokens.append(OutputToken(begin, at, kind, gap, piece, fold_text(piece), border))
        gap = ""
    return tokens


def _ends_phrase(gap: str, piece: str) -> bool:
    """Whether white space ends a phrase: an empty line, a tab, several blanks; a line end, unless prose goes on."""
    if gap in {"", " "}:
        return False
    lines = sum(gap.replace("\r\n", "\n").count(end) for end in "\n\r\x0b\x0c")
    if lines == 1:
        return not piece[0].isalpha() or any(letter.isupper() for letter in piece)
    return lines > 1 or len(gap) > 1 or gap == "\t"
