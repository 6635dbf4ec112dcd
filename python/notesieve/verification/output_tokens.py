"""Tokenize an output again, for :mod:`notesieve.verification`: plain Python that shares no code with the core.

Outputs of notesieve consist of tags, codes, masks, words, numbers and marks, in an alphabet that is published here.
A character outside it cannot come from notesieve under a policy that removes unlisted words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

#: The categories in placeholders; ages over 89 become ``90+`` instead.
TAGS = ("NAME", "DATE", "AGE", "LOCATION", "CONTACT", "ID")

#: The text between ``[**`` and ``**]`` in tags of that style, alone or with a number.
PHRASES = (
    "Age over 89", "Contact", "Date", "Email", "Fax", "First name", "Full name", "Holiday", "Hospital", "ID number",
    "Initials", "Last name", "Location", "Medical record number", "Month", "Organization", "Pager", "Season",
    "Social security number", "Street address", "Telephone", "Ward", "Web address", "Weekday", "Year", "Zip code",
)  # fmt: skip

#: Non-ASCII typographic marks, symbols and digits that an output may contain.
FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
MARKS = frozenset(FRACTIONS + "‘’“”–—°±≥≤≠≈•·→←↑↓§¶√∞✓✔✗✘☐☑☒□■▪◦✱★†‡£€¥¢↔⇒⇐⇔⇑⇓⬆⬇↗↘♀♂×²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")

#: Non-ASCII letters that an output may contain: accented Latin letters and Greek ones.
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

#: Characters that Unicode does not decompose but that the lists spell differently.
_FOLD_TABLE = str.maketrans(
    {
        "ß": "ss", "ẞ": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
        "µ": "u", "μ": "u", "ο": "o", "×": "x", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "⁄": "/",
    }
)  # fmt: skip


@dataclass(slots=True)  # not frozen, which would double the time to create one
class OutputToken:
    """A token of an output. Its repr shows position and kind, never text."""

    start: int
    """The index of the first code point."""
    end: int
    """The end in code points (exclusive)."""
    kind: str
    """``word``, ``number``, ``possessive``, ``mark``, ``tag``, ``age``, ``code`` or ``mask``."""
    gap: str
    """The white space before it."""
    text: str
    """The text as written."""
    folded: str
    """The text in the form of the lists, see `fold_text`."""
    begins_phrase: bool
    """Whether terms cannot extend over the gap before it."""

    def __repr__(self) -> str:
        """Return position and kind."""
        return f"OutputToken({self.start}:{self.end}, {self.kind!r})"

    @property
    def is_upper(self) -> bool:
        """Whether all letters are capitals."""
        return self.text.isupper()

    @property
    def is_lower(self) -> bool:
        """Whether no letter is a capital."""
        return not any(letter.isupper() for letter in self.text)


@cache
def _fold_letter(letter: str) -> str:
    if unicodedata.category(letter) == "Cs":
        return "\ufffd"
    spelt = letter.lower().translate(_FOLD_TABLE)
    parts = unicodedata.normalize("NFKD", spelt)
    return (
        "".join(part for part in parts if not unicodedata.category(part).startswith("M")).lower().translate(_FOLD_TABLE)
    )


def fold_text(text: str) -> str:
    """Fold a text to the form of the lists: lower case, without accents, in plain letters.

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
    r"""Return whether notesieve may write a character.

    Parameters
    ----------
    character : str
        One code point.
    any_letter : bool, optional
        Whether letters of all scripts are allowed, as under policies that keep unlisted words.

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
    """Split an output into tokens.

    Parameters
    ----------
    text : str
        The output.
    is_code : callable, optional
        Returns whether a concept has a code such as ``mesh:D003920``. Text in brackets that looks like a code but is
        not one is tokenized like any other text.

    Returns
    -------
    list of OutputToken
        The tokens in order. The tokens and the white space between them cover the text.

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
        begins_phrase = not tokens or _ends_phrase(gap, piece)
        tokens.append(OutputToken(begin, at, kind, gap, piece, fold_text(piece), begins_phrase))
        gap = ""
    return tokens


def _ends_phrase(gap: str, piece: str) -> bool:
    """Return whether white space ends a phrase: an empty line, a tab, several blanks; a line end, but not in prose."""
    if gap in {"", " "}:
        return False
    lines = sum(gap.replace("\r\n", "\n").count(end) for end in "\n\r\x0b\x0c")
    if lines == 1:
        return not piece[0].isalpha() or any(letter.isupper() for letter in piece)
    return lines > 1 or len(gap) > 1 or gap == "\t"
