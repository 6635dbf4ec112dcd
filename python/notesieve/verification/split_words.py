"""Find spelled-out words in an output, for :mod:`notesieve.verification`.

Single letters are on lists, so each letter of `J o h n` is allowed, yet together they spell a name. This module joins
such letters and accepts the result only if it is a medical abbreviation. Between the letters are marks, the same words
(`R and o and s and e`), or a number that counts up (`1) R 2) o 3) s`). Plain Python that shares no code with the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from notesieve.verification.output_tokens import OutputToken

#: The maximum number of marks between two letters.
_MARKS = 64
#: The maximum numbers of tokens and of words between two letters that are separated by more than marks.
_BETWEEN, _WORDS = 4, 2
#: Counters are below this; years are above.
_COUNTER = 1000
#: Longer rows of letters are not abbreviations.
_LONGEST = 8
#: Abbreviations that are also names, or on no list.
_ABBREVIATIONS = frozenset(
    "ac am ao aox ap bid bo bp cce co dc do eg fu ho hs ia ie im io iv ko lo mo no np nvd od oe os ou pc pe pm po pr "
    "prn qd qid qod ro rom sc so sob sp tid us usa wo yo".split()
)
_CLINICAL = frozenset("dose clinical acronym measurement score unit credential".split())
_NAMES = frozenset("surname first-name city".split())
_NUMBER_WORD_LISTS = frozenset("number-word ordinal-word".split())

_Lists = Callable[[str], frozenset[str]]


def split_words(tokens: Sequence[OutputToken], lists_of: _Lists, mask: str) -> Iterator[tuple[int, int]]:
    """Find rows of single letters that spell a word.

    Parameters
    ----------
    tokens : sequence of OutputToken
        The tokens of the output.
    lists_of : callable
        Returns the lists of a folded word.
    mask : str
        The placeholder of an unlisted word.

    Yields
    ------
    tuple of (int, int)
        The start and the end (exclusive) of a row, in code points.

    Examples
    --------
    >>> from notesieve.verification.output_tokens import tokenize
    >>> list(split_words(tokenize("Seen by R o s e today, p.o. b.i.d."), lambda word: frozenset(), "***"))
    [(8, 15)]
    """
    yield from _spelled_rows(tokens, lists_of)
    letters = [at for at in range(len(tokens)) if _is_lone_letter(tokens, at)]
    first = 0
    while first < len(letters):
        last = first
        while last + 1 < len(letters) and _are_near_letters(tokens, letters[last], letters[last + 1], mask):
            last += 1
        row = letters[first : last + 1]
        if (
            len(row) > 2
            and not _is_row_of_short_forms(tokens, row, lists_of)
            and not _is_list_of_letters(tokens, row, lists_of)
        ):
            yield tokens[row[0]].start, tokens[row[-1]].end
        first = last + 1


def _is_lone_letter(tokens: Sequence[OutputToken], at: int) -> bool:
    """Return whether a token is a single letter with no letter or digit directly next to it."""
    token = tokens[at]
    if token.kind != "word" or len(token.folded) != 1 or not token.folded.isascii():
        return False
    before = at > 0 and not token.gap and tokens[at - 1].kind in {"word", "number"}
    behind = at + 1 < len(tokens) and not tokens[at + 1].gap and tokens[at + 1].kind in {"word", "number"}
    return not (before or behind)


def _are_near_letters(tokens: Sequence[OutputToken], letter: int, other: int, mask: str) -> bool:
    """Return whether little more than marks separates two letters."""
    return other - letter - 1 <= _MARKS and all(
        tokens[at].kind == "mark"
        or (tokens[at].kind == "mask" and len(tokens[at].text) < 3 and tokens[at].text != mask)
        or (other == letter + 2 and _is_mask_between_letters(tokens, at))
        for at in range(letter + 1, other)
    )


def _is_mask_between_letters(tokens: Sequence[OutputToken], at: int) -> bool:
    """Return whether asterisks join two letters without a blank, so that they are no mask for a removed word."""
    return tokens[at].kind == "mask" and not tokens[at].gap and not tokens[at + 1].gap


def _spelled_rows(tokens: Sequence[OutputToken], lists_of: _Lists) -> Iterator[tuple[int, int]]:
    """Find rows of letters separated by the same words, or by a number that counts up."""
    letters = [at for at, token in enumerate(tokens) if _is_single_letter(token)]
    steps = [_words_between_letters(tokens[one + 1 : other], lists_of) for one, other in pairwise(letters)]
    first = 0
    while first < len(steps):
        last = first
        while last + 1 < len(steps) and _is_next_step(steps[last], steps[last + 1]):
            last += 1
        row = letters[first : last + 2]
        step = steps[first]
        # `H0 E1 A2 R1 T0` is a score with five parts.
        glued = step is not None and step[2]
        fits = step is not None and len(row) > 2 + glued and not (glued and step[1] != 1)
        word = "".join(tokens[at].folded for at in row)
        if fits and not _is_abbreviation(word, lists_of, alone=True) and not _is_list_of_letters(tokens, row, lists_of):
            yield tokens[row[0]].start, tokens[row[-1]].end
        first = last + 1


def _is_single_letter(token: OutputToken) -> bool:
    """Return whether a token is a word of one letter."""
    return token.kind == "word" and len(token.folded) == 1 and token.folded.isascii()


_Step = tuple[tuple[str, ...], int | None, bool]


def _words_between_letters(between: Sequence[OutputToken], lists_of: _Lists) -> _Step | None:
    """Return the words and the number between two letters, and whether the number directly follows the first."""
    words: list[str] = []
    number, glued = None, False
    if not 0 < len(between) <= _BETWEEN:
        return None
    for at, token in enumerate(between):
        if token.kind == "word":
            words.append("" if lists_of(token.folded) & _NUMBER_WORD_LISTS else token.folded)
        elif token.kind == "number" and number is None and token.folded.isdecimal() and int(token.folded) < _COUNTER:
            number, glued = int(token.folded), at == 0 and not token.gap
        elif token.kind != "mark":
            return None
    return (tuple(words), number, glued) if (words or number is not None) and len(words) <= _WORDS else None


def _is_next_step(step: _Step | None, other: _Step | None) -> bool:
    """Return whether the words between letters repeat and the number between them increases by one."""
    if step is None or other is None or step[::2] != other[::2]:
        return False
    return other[1] == (None if step[1] is None else step[1] + 1)


def _is_list_of_letters(tokens: Sequence[OutputToken], row: Sequence[int], lists_of: _Lists) -> bool:
    """Return whether the letters are consecutive in the alphabet, all equal, or yes/no answers."""
    word = "".join(tokens[at].folded for at in row)
    steps = all(ord(other) == ord(one) + 1 for one, other in pairwise(word))
    listed = lists_of(word) if len(word) <= _LONGEST else frozenset()
    return (steps or len(set(word)) == 1 or set(word) <= set("yn")) and not listed & {"surname", "first-name"}


def _is_row_of_short_forms(tokens: Sequence[OutputToken], row: Sequence[int], lists_of: _Lists) -> bool:
    """Return whether the letters of a row are abbreviations, alone or in groups."""
    groups = [""]
    for at, before in zip(row, [row[0], *row], strict=False):
        if at > before and any(tokens[between].gap for between in range(before + 1, at + 1)):
            groups.append("")
        groups[-1] += tokens[at].folded
    # Letters that are all separate, or all together, form one word.
    if len(groups) == 1 or all(len(group) == 1 for group in groups):
        return _is_abbreviation("".join(groups), lists_of, alone=True)
    # `h/o a fall`
    articles = [group for group in groups if group in {"a", "i"}]
    others = [group for group in groups if group not in {"a", "i"}]
    return len(articles) < 2 and all(_is_abbreviation(group, lists_of, alone=False) for group in others)


def _is_abbreviation(word: str, lists_of: _Lists, *, alone: bool) -> bool:
    """Return whether letters are a known abbreviation, or could be one and are not a name."""
    if len(word) > _LONGEST:
        return False
    if word in _ABBREVIATIONS or (not set(word) & set("aeiouy") and len(word) <= 5):
        return True
    lists = lists_of(word)
    return not lists & _NAMES and ((alone and len(word) <= 3) or (len(word) > 1 and bool(lists & _CLINICAL)))
