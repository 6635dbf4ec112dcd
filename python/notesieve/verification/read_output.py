"""Re-read an output: its tokens, and what the lists and terms of the vocabulary know about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from notesieve.verification.number_context import NumberContext, OutputContext
from notesieve.verification.output_tokens import OutputToken, tokenize

if TYPE_CHECKING:
    from notesieve._core import Policy, Vocabulary

#: Name lists: a word on one of them that is allowed only as part of a term passes in lower case only.
NAME_LISTS = frozenset({"surname", "first-name", "city", "place-part"})
#: Lists whose words are vouched for only near a number.
_OF_NUMBERS = frozenset({"marker", "link", "sized"})
#: Lists whose words are vouched for only in capitals.
_IN_CAPITALS = frozenset({"acronym"})
#: Terms have at most eight words and twenty tokens with their marks; notes may add hyphens and apostrophes.
_LONGEST_TERM = 24
#: The maximum number of cached vocabulary lookups.
_CACHE_SIZE = 100_000

_Answer = TypeVar("_Answer")


class Lists:
    """The lists and terms of a vocabulary, with cached lookups."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._words: dict[str, frozenset[str]] = {}
        self._terms: dict[str, str | None] = {}
        self._codes: dict[str, bool] = {}

    def prefetch_words(self, words: Iterable[str]) -> None:
        """Look up many words at once."""
        _look_up_missing(self._words, words, lambda new: map(frozenset, self._vocabulary._lists_of(new)))

    def prefetch_terms(self, terms: Iterable[str]) -> None:
        """Look up many terms at once."""
        _look_up_missing(self._terms, terms, self._vocabulary._cases_of)

    def lists_of_word(self, word: str) -> frozenset[str]:
        """Return the lists of a folded word."""
        if word not in self._words:
            self.prefetch_words([word])
        return self._words[word]

    def required_case(self, term: str) -> str | None:
        """Return the case in which a text is a term: ``any``, ``capitals`` or ``lower``; None if it is not a term."""
        if term not in self._terms:
            self.prefetch_terms([term])
        return self._terms[term]

    def has_code(self, code: str) -> bool:
        """Return whether a concept has the code."""
        if code not in self._codes:
            system, _, local = code.partition(":")
            spellings = (code, code.lower(), f"{system.lower()}:{local.upper()}")
            found = any(self._vocabulary.concept(spelling) is not None for spelling in spellings)
            _look_up_missing(self._codes, [code], lambda _: [found])
        return self._codes[code]

    def is_code_of(self, code: str, term: str) -> bool:
        """Return whether a code is one of a term's codes."""
        return any(concept.code.lower() == code.lower() for concept in self._vocabulary.lookup(term))


def _look_up_missing(
    known: dict[str, _Answer], asked: Iterable[str], answer: Callable[[list[str]], Iterable[_Answer]]
) -> None:
    """Look up what is not cached yet. A full cache is cleared first; frequent entries come back soon."""
    if len(known) > _CACHE_SIZE:
        known.clear()
    new = sorted({one for one in asked if one not in known})
    known.update(zip(new, answer(new), strict=True))


@dataclass(frozen=True, slots=True)
class PolicyChoices:
    """The choices of a policy that determine what an output may contain. Reading them from the policy is far slower."""

    lists: frozenset[str]
    vouched_lists: frozenset[str]
    numbers: str
    unknown: str
    terms: str
    years: str
    dates: str
    zip: str
    tags: str
    mask: str
    replace: str
    patterns: bool
    split_words: bool
    """Whether spelled-out words are errors; not under policies that keep names, which may be spelled out too."""


@lru_cache(maxsize=8)
def policy_choices(policy: Policy) -> PolicyChoices:
    """Read the choices of a policy once."""
    plain = ("numbers", "unknown", "terms", "years", "dates", "zip", "tags", "mask", "replace")
    return PolicyChoices(
        lists=frozenset(policy.lists),
        vouched_lists=frozenset(policy.vouched_lists),
        patterns=bool(policy.patterns),
        split_words=not {"name", "NAME"} & {*policy.keep, *policy.rules_off},
        **{name: str(getattr(policy, name)) for name in plain},
    )


def list_that_allows(folded: str, text: str, policy: PolicyChoices, lists: Lists) -> str | None:
    """Return the list that allows a word in any context, or None."""
    known = lists.lists_of_word(folded)
    allowed = known & policy.lists
    if not allowed or "deny" in known or "site-deny" in known:
        return None
    if allowed == {"term"} and known & NAME_LISTS and any(letter.isupper() for letter in text):
        return None
    return min(allowed)


class Reading:
    """An output with its tokens and the lookups that the allowances need."""

    def __init__(self, text: str, policy: Policy, lists: Lists) -> None:
        self.text = text
        self.tokens: Sequence[OutputToken] = tokenize(text, lists.has_code)
        self.policy = policy_choices(policy)
        self.lists = lists
        lists.prefetch_words(token.folded for token in self.tokens if token.kind == "word")
        self._in_terms: dict[int, bool] = {}
        self._of_form: dict[str, list[tuple[int, int]]] = {}
        self._by_patterns = policy._kept_by_patterns(text) if self.policy.patterns else []
        years = self.policy.years == "keep" and self.policy.dates != "shift"
        self._output_context = OutputContext(
            self.tokens, lists.lists_of_word, coded=self.policy.terms != "written", years=years
        )

    def list_of(self, at: int) -> str | None:
        """Return the list that allows a word in any context, or None."""
        token = self.tokens[at]
        return list_that_allows(token.folded, token.text, self.policy, self.lists)

    def list_a_rule_may_use(self, at: int) -> str | None:
        """Return the list with which a rule may have vouched for a word, or None."""
        lists = self.lists.lists_of_word(self.tokens[at].folded) & self.policy.vouched_lists
        # The number may be part of a term that its code replaces.
        numbers = {"number"} if self.policy.terms == "written" else {"number", "code"}
        beside = any(token.kind in numbers for token in self.tokens[max(0, at - 4) : at + 5])
        lists = lists if beside else lists - _OF_NUMBERS
        lists = lists if self.tokens[at].is_upper else lists - _IN_CAPITALS
        return min(lists, default=None)

    def number_context(self, at: int) -> NumberContext:
        """Return a number with its context."""
        return NumberContext(self._output_context, at)

    def is_in_term(self, at: int) -> bool:
        """Return whether a token is part of a term."""
        if at not in self._in_terms:
            self._find_terms(at)
        return self._in_terms[at]

    def is_in_pattern(self, at: int) -> bool:
        """Return whether a span that the policy's patterns keep contains the token."""
        return self.is_inside(at, self._by_patterns)

    def is_inside(self, at: int, spans: Iterable[tuple[int, int]]) -> bool:
        """Return whether one of the spans contains the whole token."""
        token = self.tokens[at]
        return any(start <= token.start and token.end <= end for start, end in spans)

    def is_in_form(self, at: int, name: str, find: Callable[[str], Iterable[re.Match[str]]]) -> bool:
        """Return whether a match of a form contains the whole token; the text is searched once for each form name."""
        if name not in self._of_form:
            self._of_form[name] = [match.span() for match in find(self.text)]
        return self.is_inside(at, self._of_form[name])

    def _find_terms(self, at: int) -> None:
        """Find the terms that contain a token, and cache the result for their other tokens."""
        keys = {window: self._term_key(*window) for window in self._candidate_terms(at)}
        self.lists.prefetch_terms(keys.values())
        self._in_terms[at] = False
        for (first, last), key in keys.items():
            case = self.lists.required_case(key)
            head = self.tokens[first]
            right = case == "any" or (case == "capitals" and head.is_upper) or (case == "lower" and head.is_lower)
            if right or (case is not None and self._is_coded(key, last)):
                self._in_terms.update(dict.fromkeys(range(first, last), True))

    def _is_coded(self, key: str, last: int) -> bool:
        """Return whether the term's code follows it; then it is written as in its source, in whatever case."""
        if last >= len(self.tokens) or self.tokens[last].kind != "code" or self.tokens[last].gap != " ":
            return False
        return self.lists.is_code_of(self.tokens[last].text[1:-1], key)

    def _candidate_terms(self, at: int) -> Iterator[tuple[int, int]]:
        """Yield each range of tokens around a token that could be a term."""
        firsts = [at]
        while (
            len(firsts) < _LONGEST_TERM
            and not self.tokens[firsts[-1]].begins_phrase
            and self._may_stand_in_term(firsts[-1] - 1)
        ):
            firsts.append(firsts[-1] - 1)
        lasts = [at]
        while (
            len(lasts) < _LONGEST_TERM
            and self._has_next_in_phrase(lasts[-1])
            and self._may_stand_in_term(lasts[-1] + 1)
        ):
            lasts.append(lasts[-1] + 1)
        for first in firsts:
            if self._is_left_out_of_key(first) or self.is_joined_to_previous(first):
                continue
            for last in lasts:
                if (
                    last - first < _LONGEST_TERM
                    and not self._is_left_out_of_key(last)
                    and not self.is_joined_to_previous(last + 1)
                ):
                    yield first, last + 1

    def _has_next_in_phrase(self, at: int) -> bool:
        """Return whether the next token is in the same phrase."""
        return at + 1 < len(self.tokens) and not self.tokens[at + 1].begins_phrase

    def _may_stand_in_term(self, at: int) -> bool:
        """Return whether a token may be part of a term of several words."""
        if not 0 <= at < len(self.tokens):
            return False
        token = self.tokens[at]
        if token.kind == "word":
            return "term-part" in self.lists.lists_of_word(token.folded)
        # A lone asterisk is not a mask: `(R*,S*)-isomer`.
        return token.kind in {"number", "mark", "possessive"} or token.text == "*"

    def _is_left_out_of_key(self, at: int) -> bool:
        """Return whether term lookup ignores a token: a possessive, a hyphen, an apostrophe."""
        token = self.tokens[at]
        return token.kind == "possessive" or token.folded in {"-", "'"}

    def is_joined_to_previous(self, at: int) -> bool:
        """Return whether a word or number directly follows another."""
        if not 0 < at < len(self.tokens) or self.tokens[at].gap:
            return False
        return {self.tokens[at - 1].kind, self.tokens[at].kind} <= {"word", "number"}

    def _term_key(self, first: int, last: int) -> str:
        """Return the key under which a range of tokens is looked up as a term."""
        return " ".join(self.tokens[at].folded for at in range(first, last) if not self._is_left_out_of_key(at))
