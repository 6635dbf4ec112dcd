"""Find words that an output writes letter by letter, for :mod:`notesieve.verification`.

Single letters stand on lists, so each of `J o h n` is allowed for itself, and a reader reads the name. A row of
letters is joined here, and is right only where it is a short form of medicine. Plain Python that shares no code with
the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from notesieve.verification.output_tokens import OutputToken

__all__ = ["split_words"]

#: The most marks between two letters of a row.
_MARKS = 3
#: Longer rows are no short form.
_LONGEST = 8
#: Short forms that are names as well, or on no list.
_SHORT = frozenset(
    "ac am ao aox ap bid bo bp cce co dc do eg fu ho hs ia ie im io iv ko lo mo no np nvd od oe os ou pc pe pm po pr "
    "prn qd qid qod ro rom sc so sob sp tid us usa wo yo".split()
)
_CLINICAL = frozenset("dose clinical acronym measurement score unit credential".split())
_NAMES = frozenset("surname first-name city".split())


def split_words(
    tokens: Sequence[OutputToken], lists_of: Callable[[str], frozenset[str]], mask: str
) -> Iterator[tuple[int, int]]:
    """Find rows of single letters.

    Parameters
    ----------
    tokens : sequence of OutputToken
        The tokens of the output.
    lists_of : callable
        Names the lists of a folded word.
    mask : str
        What stands for a word on no list.

    Yields
    ------
    tuple of (int, int)
        First code point of a row, and one past its last.

    Examples
    --------
    >>> from notesieve.verification.output_tokens import tokenize
    >>> list(split_words(tokenize("Seen by R o s e today, p.o. b.i.d."), lambda word: frozenset(), "***"))
    [(8, 15)]
    """
    letters = [at for at in range(len(tokens)) if _is_letter(tokens, at)]
    first = 0
    while first < len(letters):
        last = first
        while last + 1 < len(letters) and _are_near(tokens, letters[last], letters[last + 1], mask):
            last += 1
        row = letters[first : last + 1]
        if len(row) > 2 and not _is_short(tokens, row, lists_of):
            yield tokens[row[0]].start, tokens[row[-1]].end
        first = last + 1


def _is_letter(tokens: Sequence[OutputToken], at: int) -> bool:
    token = tokens[at]
    if token.kind != "word" or len(token.folded) != 1 or not token.folded.isascii():
        return False
    before = at > 0 and not token.gap and tokens[at - 1].kind in {"word", "number"}
    behind = at + 1 < len(tokens) and not tokens[at + 1].gap and tokens[at + 1].kind in {"word", "number"}
    return not (before or behind)


def _are_near(tokens: Sequence[OutputToken], letter: int, other: int, mask: str) -> bool:
    between = tokens[letter + 1 : other]
    return len(between) <= _MARKS and all(
        token.kind == "mark" or (token.kind == "mask" and len(token.text) < 3 and token.text != mask)
        for token in between
    )


def _is_short(tokens: Sequence[OutputToken], row: Sequence[int], lists_of: Callable[[str], frozenset[str]]) -> bool:
    groups = [""]
    for at, before in zip(row, [row[0], *row], strict=False):
        if at > before and any(tokens[between].gap for between in range(before + 1, at + 1)):
            groups.append("")
        groups[-1] += tokens[at].folded
    # Letters that stand each for itself, or all together, are one word.
    if len(groups) == 1 or all(len(group) == 1 for group in groups):
        return _is_short_form("".join(groups), lists_of, alone=True)
    # `h/o a fall`
    articles = [group for group in groups if group in {"a", "i"}]
    others = [group for group in groups if group not in {"a", "i"}]
    return len(articles) < 2 and all(_is_short_form(group, lists_of, alone=False) for group in others)


def _is_short_form(word: str, lists_of: Callable[[str], frozenset[str]], *, alone: bool) -> bool:
    if len(word) > _LONGEST:
        return False
    if word in _SHORT or (not set(word) & set("aeiouy") and len(word) <= 5):
        return True
    lists = lists_of(word)
    return not lists & _NAMES and ((alone and len(word) <= 3) or (len(word) > 1 and bool(lists & _CLINICAL)))
