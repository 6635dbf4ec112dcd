"""Check many outputs for whether `verify` passes them, without reporting what allows each token.

Most tokens can be decided from their chunk (the text between white space), or from it and the two chunks before it.
Chunks are checked by the same code as whole outputs, and the results are cached, so that most outputs only need to be
split at white space. A part never allows more than the whole output does: if it does not suffice, a longer part is
checked, and finally the whole output.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from notesieve.errors import VerifyError
from notesieve.verification.checker import LOCAL_ALLOWANCES, cached_lists, verify
from notesieve.verification.number_forms import LOCAL_FORMS
from notesieve.verification.output_tokens import is_in_alphabet, tokenize
from notesieve.verification.read_output import Reading, list_that_allows, policy_choices
from notesieve.verification.split_words import split_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from notesieve.scrubber import Scrubber
    from notesieve.verification.output_tokens import OutputToken

#: A word of at least two letters with optional marks around it, as most chunks are.
_WORD = re.compile(r"[(\"]*([A-Za-z]{2,})[.,;:?!)\"]*")
_GAP = re.compile(r"([ \t\r\n\x0b\x0c]+)")
#: The numbers of chunks before and after that are read if the nearest do not suffice, and how often per output.
_BEFORE, _AFTER, _MAX_LONGER_WINDOWS = 40, 12, 6
#: The maximum number of words or numbers, and of chunks of marks, between two letters of a spelled-out word.
_BETWEEN, _MARKS = 4, 66
_CACHE_SIZE = 200_000


class OutputCheck:
    """Checks whether `verify` passes outputs of one scrubber. Caches parts of outputs; its repr shows none.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber, for its policy and its vocabulary.

    Examples
    --------
    >>> import notesieve as ns
    >>> check = OutputCheck(ns.Scrubber())
    >>> check.passes("[NAME] has diabetes mellitus. BP 128/72."), check.passes("Zwilbruck has diabetes.")
    (True, False)
    """

    def __init__(self, scrubber: Scrubber) -> None:
        policy = scrubber.policy
        self._scrubber, self._policy, self._choices = scrubber, policy, policy_choices(policy)
        self._lists = cached_lists(scrubber.vocabulary)
        self._any_letter = self._choices.unknown != "remove"
        self._alphabet: set[str] = set()
        # Whether the tokens of each chunk are allowed in any context.
        self._chunks: dict[str, bool] = {}
        self._letters: dict[str, int] = {}
        self._marks: set[str] = set()
        self._windows: dict[tuple[str, bool], bool] = {}
        self._rows: dict[str, bool] = {}

    def passes(self, text: str) -> bool:
        """Return whether `verify` passes an output.

        Parameters
        ----------
        text : str
            The output of a scrub.

        Returns
        -------
        bool
            True if something allows each token.
        """
        if self._is_clean(text):
            return True
        try:
            verify(text, self._scrubber)
        except VerifyError:
            return False
        return True

    def _is_clean(self, text: str) -> bool:
        """Return whether parts of an output suffice to show that it passes; False is inconclusive."""
        # Tags of this style and of templates contain blanks.
        if "[**" in text or "{" in self._choices.tags or not self._is_in_alphabet(text):
            return False
        parts = _GAP.split(text)
        self._trim_cache()
        self._check_and_cache(set(parts[::2]).difference(self._chunks))
        if self._choices.split_words and self._has_spelled_row(parts):
            return False
        longer = 0
        for at in range(0, len(parts), 2):
            if self._chunks[parts[at]] or self._is_allowed_in_context(parts, at):
                continue
            longer += 1
            if longer > _MAX_LONGER_WINDOWS or not self._all_allowed_in_window(parts, at, 2 * _BEFORE, 2 * _AFTER + 1):
                return False
        return True

    def _trim_cache(self) -> None:
        """Clear the caches when one of them is full; frequent entries come back quickly."""
        memory = (self._chunks, self._letters, self._marks, self._windows, self._rows)
        if any(len(known) > _CACHE_SIZE for known in memory):
            for known in memory:
                known.clear()

    def _is_in_alphabet(self, text: str) -> bool:
        new = set(text) - self._alphabet
        if not all(is_in_alphabet(letter, any_letter=self._any_letter) for letter in new):
            return False
        self._alphabet |= new
        return True

    def _check_and_cache(self, chunks: set[str]) -> None:
        """Check chunks without context, and cache the results."""
        words = {chunk: match[1] for chunk in chunks if (match := _WORD.fullmatch(chunk))}
        self._lists.prefetch_words(map(str.lower, words.values()))
        for chunk in chunks:
            if chunk in words and list_that_allows(words[chunk].lower(), words[chunk], self._choices, self._lists):
                self._chunks[chunk] = True
                continue
            reading = Reading(chunk, self._policy, self._lists)
            letters = sum(token.kind == "word" and len(token.folded) == 1 for token in reading.tokens)
            if letters:
                self._letters[chunk] = letters
            if all(token.kind in {"mark", "mask"} for token in reading.tokens):
                self._marks.add(chunk)
            self._chunks[chunk] = all(_is_allowed(reading, at, alone=True) for at in range(len(reading.tokens)))

    def _is_allowed_in_context(self, parts: Sequence[str], at: int) -> bool:
        """Return whether each token of a chunk is allowed, given the two chunks before it."""
        # A percent sign belongs to the number before it.
        more = at + 2 < len(parts) and parts[at + 2].startswith("%")
        key = "".join(parts[max(at - 4, 0) : at + 1 + 2 * more]), more
        if key not in self._windows:
            self._windows[key] = self._all_allowed_in_window(parts, at, 4, 1 + 2 * more)
        return self._windows[key]

    def _all_allowed_in_window(self, parts: Sequence[str], at: int, before: int, after: int) -> bool:
        """Return whether each token of a chunk is allowed, given a window of chunks around it."""
        first = max(at - before, 0)
        reading = Reading("".join(parts[first : at + after]), self._policy, self._lists)
        start = sum(map(len, parts[first:at]))
        end = start + len(parts[at])
        return all(
            _is_allowed(reading, place, alone=False)
            for place, token in enumerate(reading.tokens)
            if start <= token.start < end
        )

    def _has_spelled_row(self, parts: Sequence[str]) -> bool:
        """Return whether single letters in a row spell a word."""
        places = [at for at in range(0, len(parts), 2) if parts[at] in self._letters]
        for first, last in self._neighbouring_groups(parts, places):
            stretch = "".join(parts[first : last + 1])
            if stretch not in self._rows:
                tokens: list[OutputToken] = tokenize(stretch, self._lists.has_code)
                self._rows[stretch] = any(
                    True for _ in split_words(tokens, self._lists.lists_of_word, self._choices.mask)
                )
            if self._rows[stretch]:
                return True
        return False

    def _neighbouring_groups(self, parts: Sequence[str], places: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the first and last chunk of each group of at least three letters that are near each other."""
        first, letters = 0, 0
        for index, (at, following) in enumerate(pairwise([*places, len(parts) + 2 * _MARKS])):
            letters += self._letters[parts[at]]
            between = parts[at + 2 : following : 2]
            near = len(between) <= _MARKS and sum(chunk not in self._marks for chunk in between) <= _BETWEEN
            if not near or index + 1 == len(places):
                if letters >= 3:
                    yield places[first], at
                first, letters = index + 1, 0


def _is_allowed(reading: Reading, at: int, *, alone: bool) -> bool:
    """Return whether something allows a token; with `alone`, only forms that need no context count."""
    for allowance in LOCAL_ALLOWANCES:
        detail = allowance.allows(reading, at)
        number = alone and allowance.name == "number" and reading.tokens[at].kind == "number"
        if detail is not None and (not number or detail in LOCAL_FORMS):
            return True
    return False
