"""Read an output again: its tokens, and what the lists and terms of the vocabulary say of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from notesieve.verification.number_context import NumberContext, Surroundings
from notesieve.verification.output_tokens import OutputToken, tokenize

if TYPE_CHECKING:
    from notesieve._core import Policy, Vocabulary

#: Lists of names of people and places: a word that is only listed because it is also a term passes in lower case alone.
NAME_LISTS = frozenset({"surname", "first-name", "city", "place-part"})
#: Vouched words of these lists belong to a number.
_OF_NUMBERS = frozenset({"marker", "link", "sized"})
#: Words of these lists count in capitals alone.
_IN_CAPITALS = frozenset({"acronym"})
#: Terms have at most eight words, and twenty with their marks; a note may write hyphens and apostrophes between.
_LONGEST_TERM = 24
#: Answers of the vocabulary that are remembered.
_REMEMBERED = 100_000

_Answer = TypeVar("_Answer")


class Lists:
    """The lists and terms of a vocabulary, as far as they were asked for."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._words: dict[str, frozenset[str]] = {}
        self._terms: dict[str, str | None] = {}
        self._codes: dict[str, bool] = {}

    def learn_words(self, words: Iterable[str]) -> None:
        """Ask for many words at once."""
        _learn(self._words, words, lambda new: map(frozenset, self._vocabulary._lists_of(new)))

    def learn_terms(self, terms: Iterable[str]) -> None:
        """Ask for many terms at once."""
        _learn(self._terms, terms, self._vocabulary._cases_of)

    def lists_of_word(self, word: str) -> frozenset[str]:
        """Name the lists of a folded word."""
        if word not in self._words:
            self.learn_words([word])
        return self._words[word]

    def required_case(self, term: str) -> str | None:
        """Return in which case a text counts as a term: ``any``, ``capitals`` or ``lower``; None if it is no term."""
        if term not in self._terms:
            self.learn_terms([term])
        return self._terms[term]

    def has_code(self, code: str) -> bool:
        """Return whether a concept has the code."""
        if code not in self._codes:
            system, _, local = code.partition(":")
            spellings = (code, code.lower(), f"{system.lower()}:{local.upper()}")
            found = any(self._vocabulary.concept(spelling) is not None for spelling in spellings)
            _learn(self._codes, [code], lambda _: [found])
        return self._codes[code]

    def is_code_of(self, code: str, term: str) -> bool:
        """Return whether a code is one of a term's."""
        return any(concept.code.lower() == code.lower() for concept in self._vocabulary.lookup(term))


def _learn(known: dict[str, _Answer], asked: Iterable[str], answer: Callable[[list[str]], Iterable[_Answer]]) -> None:
    """Get the answers that are not known yet. Of very many all are forgotten: what is asked again is soon known."""
    if len(known) > _REMEMBERED:
        known.clear()
    new = sorted({one for one in asked if one not in known})
    known.update(zip(new, answer(new), strict=True))


@dataclass(frozen=True, slots=True)
class PolicyChoices:
    """The choices of a policy that say what may be in an output. The policy itself takes far longer to tell each."""

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
    """Whether words in single letters are errors: names that a policy keeps may be written so, too."""


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
    """Name the list that lets a word out, whatever stands around it, if there is one."""
    known = lists.lists_of_word(folded)
    allowed = known & policy.lists
    if not allowed or "deny" in known or "site-deny" in known:
        return None
    if allowed == {"term"} and known & NAME_LISTS and any(letter.isupper() for letter in text):
        return None
    return min(allowed)


class Reading:
    """An output that is read again: its tokens, and what can be asked about them."""

    def __init__(self, text: str, policy: Policy, lists: Lists) -> None:
        self.text = text
        self.tokens: Sequence[OutputToken] = tokenize(text, lists.has_code)
        self.policy = policy_choices(policy)
        self.lists = lists
        lists.learn_words(token.folded for token in self.tokens if token.kind == "word")
        self._in_terms: dict[int, bool] = {}
        self._of_form: dict[str, list[tuple[int, int]]] = {}
        self._by_patterns = policy._kept_by_patterns(text) if self.policy.patterns else []
        years = self.policy.years == "keep" and self.policy.dates != "shift"
        self._surroundings = Surroundings(
            self.tokens, lists.lists_of_word, coded=self.policy.terms != "written", years=years
        )

    def list_of(self, at: int) -> str | None:
        """Name the list that lets a word out, if there is one."""
        token = self.tokens[at]
        return list_that_allows(token.folded, token.text, self.policy, self.lists)

    def list_a_rule_may_use(self, at: int) -> str | None:
        """Name the list from which a rule may have vouched for a word."""
        lists = self.lists.lists_of_word(self.tokens[at].folded) & self.policy.vouched_lists
        # The number may be part of a term that is written as its code.
        numbers = {"number"} if self.policy.terms == "written" else {"number", "code"}
        beside = any(token.kind in numbers for token in self.tokens[max(0, at - 4) : at + 5])
        lists = lists if beside else lists - _OF_NUMBERS
        lists = lists if self.tokens[at].is_upper else lists - _IN_CAPITALS
        return min(lists, default=None)

    def number_context(self, at: int) -> NumberContext:
        """Give a number with what stands around it."""
        return NumberContext(self._surroundings, at)

    def is_in_term(self, at: int) -> bool:
        """Return whether a token stands inside a term."""
        if at not in self._in_terms:
            self._find_terms(at)
        return self._in_terms[at]

    def is_in_pattern(self, at: int) -> bool:
        """Return whether a pattern of the policy that keeps finds a token whole."""
        return self.is_inside(at, self._by_patterns)

    def is_inside(self, at: int, spans: Iterable[tuple[int, int]]) -> bool:
        """Return whether a token lies whole in one of some stretches."""
        token = self.tokens[at]
        return any(start <= token.start and token.end <= end for start, end in spans)

    def is_in_form(self, at: int, name: str, find: Callable[[str], Iterable[re.Match[str]]]) -> bool:
        """Return whether a token lies whole in what has a form; the text is searched once for each name."""
        if name not in self._of_form:
            self._of_form[name] = [match.span() for match in find(self.text)]
        return self.is_inside(at, self._of_form[name])

    def _find_terms(self, at: int) -> None:
        """Find the terms that hold a token, and remember what else stands in them."""
        keys = {window: self._term_key(*window) for window in self._candidate_terms(at)}
        self.lists.learn_terms(keys.values())
        self._in_terms[at] = False
        for (first, last), key in keys.items():
            case = self.lists.required_case(key)
            head = self.tokens[first]
            right = case == "any" or (case == "capitals" and head.is_upper) or (case == "lower" and head.is_lower)
            if right or (case is not None and self._is_coded(key, last)):
                self._in_terms.update(dict.fromkeys(range(first, last), True))

    def _is_coded(self, key: str, last: int) -> bool:
        """Whether the code of a term stands after it: then it is written as its source has it, whatever the case."""
        if last >= len(self.tokens) or self.tokens[last].kind != "code" or self.tokens[last].gap != " ":
            return False
        return self.lists.is_code_of(self.tokens[last].text[1:-1], key)

    def _candidate_terms(self, at: int) -> Iterator[tuple[int, int]]:
        """Give each stretch around a token that could be a term."""
        firsts = [at]
        while (
            len(firsts) < _LONGEST_TERM
            and not self.tokens[firsts[-1]].border
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
        """Whether a token has a following one in the same phrase."""
        return at + 1 < len(self.tokens) and not self.tokens[at + 1].border

    def _may_stand_in_term(self, at: int) -> bool:
        """Whether a token may stand in a term of several words."""
        if not 0 <= at < len(self.tokens):
            return False
        token = self.tokens[at]
        if token.kind == "word":
            return "term-part" in self.lists.lists_of_word(token.folded)
        # A lone asterisk is no mask: `(R*,S*)-isomer`.
        return token.kind in {"number", "mark", "possessive"} or token.text == "*"

    def _is_left_out_of_key(self, at: int) -> bool:
        """Whether a token counts nothing in a term: a possessive, a hyphen, an apostrophe."""
        token = self.tokens[at]
        return token.kind == "possessive" or token.folded in {"-", "'"}

    def is_joined_to_previous(self, at: int) -> bool:
        """Whether a word or number follows another with nothing between."""
        if not 0 < at < len(self.tokens) or self.tokens[at].gap:
            return False
        return {self.tokens[at - 1].kind, self.tokens[at].kind} <= {"word", "number"}

    def _term_key(self, first: int, last: int) -> str:
        """Join the folded tokens of a stretch to the form in which terms are looked up."""
        return " ".join(self.tokens[at].folded for at in range(first, last) if not self._is_left_out_of_key(at))
