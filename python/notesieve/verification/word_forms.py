"""Words that are no entry of a list and yet come from one: the published rules, in plain Python.

A policy with ``derive=True`` keeps a lower-case word on no list where it is a prefix before a listed word, or a
listed word with an ending. The tables here are those of the core, and `is_derived` does again, by itself, what the
core decides; `notesieve.verify` and anybody else can check an output with it. A policy with ``rescue=True`` writes the
one listed word of six letters or more that is one typing error away (a letter too many, too few, wrong, or two
neighbours swapped): what comes out is on a list and needs no rule to be checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["ENDINGS", "PREFIXES", "is_derived"]

#: Prefixes of the language and of medicine, read before a stem.
PREFIXES = tuple(
    "anti auto bi cardio cerebro cervico chemo contra costo cranio de dis dys electro endo entero epi"
    " extra gastro hemi hemo hepato hyper hypo iliac ilio im immuno in infra inter intra lumbo macro micro"
    " mid mis multi musculo myo naso neo nephro neuro non out over para peri poly post pre pseudo psycho"
    " pyelo radio re recto retro sacro semi sub super supra thoraco trans tri ultra un under uni uretero"
    " uro vaso ventriculo".split()
)

#: Endings, and what a stem may have lost before them.
ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("s", ("",)),
    ("es", ("",)),
    ("ies", ("y",)),
    ("ed", ("", "e")),
    ("ing", ("", "e")),
    ("ly", ("", "le")),
    ("ally", ("", "al")),
    ("ness", ("",)),
    ("able", ("", "e")),
    ("er", ("", "e")),
    ("al", ("", "a", "e", "us", "um", "is")),
    ("ar", ("", "a", "e", "us", "um")),
    ("ic", ("", "ia", "y", "e", "is")),
    ("ous", ("", "us", "e")),
    ("ation", ("", "e")),
    ("ized", ("", "e", "y")),
    ("ization", ("", "e")),
)

_STEM = 5
_PLAIN = re.compile(r"[a-z]{6,24}")


def is_derived(word: str, is_listed: Callable[[str], bool]) -> bool:
    """Whether a word is a prefix before a listed word, or a listed word with an ending.

    Parameters
    ----------
    word : str
        A word of 6 to 24 letters, in lower case and without accents; any other is no derived word.
    is_listed : callable
        Tells of a word whether it stands on an allowed list and is no name of a person or place.

    Returns
    -------
    bool
        Whether the word is derived from a listed one.

    Examples
    --------
    >>> from notesieve.verification.word_forms import is_derived
    >>> is_derived("transglottic", {"glottic"}.__contains__)
    True
    >>> is_derived("vallecular", {"vallecula"}.__contains__)
    True
    >>> is_derived("olsonian", {"vallecula"}.__contains__)
    False
    """
    if not _PLAIN.fullmatch(word):
        return False
    stems = [word.removeprefix(prefix) for prefix in PREFIXES if word.startswith(prefix)]
    if any(len(stem) >= _STEM and is_listed(stem) for stem in stems):
        return True
    cut = ((word.removesuffix(ending), lost) for ending, lost in ENDINGS if word.endswith(ending))
    return any(len(stem) >= _STEM and is_listed(stem + end) for stem, lost in cut for end in lost)
