"""The words of a text, as the index and the query language both see them.

A word is a run of letters and digits, in lower case, without accents. Everything else stands between words. Index and
queries use these functions and no others, so that what is written the same is found.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate, pairwise

__all__ = ["fold", "words", "words_with_offsets"]


class _Folded(dict[int, str]):
    """What a character becomes; filled as characters are met, for `str.translate`."""

    def __missing__(self, point: int) -> str:
        folded = "".join(_fold(chr(point)))
        self[point] = folded
        return folded


def _fold(character: str) -> list[str]:
    # Format characters (soft hyphen, zero-width space) and combining marks are no part of a word and do not end it.
    if unicodedata.category(character) in {"Cf", "Mn"}:
        return []
    return [
        part if part.isalnum() else " "
        for part in unicodedata.normalize("NFKD", character).lower()
        if unicodedata.category(part) not in {"Cf", "Mn"}
    ]


_FOLDED = _Folded()
_WORD = re.compile(r"[^ ]+")


def fold(text: str) -> str:
    """Write a text in lower case and without accents, with a space for all that is no letter or digit.

    Parameters
    ----------
    text : str
        Any text. ASCII keeps its length.

    Returns
    -------
    str
        Letters, digits and spaces.

    Examples
    --------
    >>> fold("Ménière's, X-ray")
    'meniere s  x ray'
    """
    return text.translate(_FOLDED)


def words(text: str) -> list[str]:
    """Give the words of a text, in order.

    Examples
    --------
    >>> words("BP 128/72, X-ray")
    ['bp', '128', '72', 'x', 'ray']
    """
    return fold(text).split()


def words_with_offsets(text: str) -> list[tuple[str, int, int]]:
    """Give each word with the code points from which it was made.

    Examples
    --------
    >>> words_with_offsets("No fever.")
    [('no', 0, 2), ('fever', 3, 8)]
    """
    if text.isascii():
        return [(found[0], *found.span()) for found in _WORD.finditer(fold(text))]
    pieces = [_FOLDED[ord(character)] for character in text]
    edges = list(accumulate(map(len, pieces), initial=0))
    source = [at for at, (low, high) in enumerate(pairwise(edges)) for _ in range(low, high)]
    folded = _WORD.finditer("".join(pieces))
    return [(found[0], source[found.start()], source[found.end() - 1] + 1) for found in folded]
