"""Tokenization shared by the index and the query language.

A word is a run of letters and digits, folded as in the vocabulary: lower case, no accents, look-alike letters unified.
Everything else separates words. Index and queries use the same function of the core, so that the same text always
matches.
"""

from __future__ import annotations

from notesieve._core import index_words


def words(text: str) -> list[str]:
    """Return the words of a text, in order.

    Examples
    --------
    >>> words("BP 128/72, X-ray, Ménière's")
    ['bp', '128', '72', 'x', 'ray', 'meniere', 's']
    """
    return [word for word, _, _ in index_words(text)]
