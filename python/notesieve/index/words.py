"""The words of a text, as the index and the query language both see them.

A word is a run of letters and digits, folded as the vocabulary folds: in lower case, without accents, letters that
look alike made one. Everything else stands between words. Index and queries cut texts by the same function of the core,
so that what is written the same is found.
"""

from __future__ import annotations

from notesieve._core import index_words


def words(text: str) -> list[str]:
    """Give the words of a text, in order.

    Examples
    --------
    >>> words("BP 128/72, X-ray, Ménière's")
    ['bp', '128', '72', 'x', 'ray', 'meniere', 's']
    """
    return [word for word, _, _ in index_words(text)]
