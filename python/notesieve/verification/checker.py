"""Read an output again and name what allows each of its tokens: a second opinion that shares no code with the first.

The checker is plain Python. It takes from the core nothing but what is published: the lists and terms of the
vocabulary, the choices of the policy, the forms of tags and numbers (`output_tokens`, `number_forms`). It does not
know the rules, so it cannot say whether a listed word is somebody's name here; it says that no word and no number came
out that nothing vouches for.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from notesieve.errors import NoteTypeError, VerifyError
from notesieve.verification.number_forms import NumberContext, form_of, is_of_chromosomes
from notesieve.verification.output_tokens import OutputToken, is_in_alphabet, tokenize
from notesieve.verification.replacement_forms import replacement_of
from notesieve.verification.split_words import split_words
from notesieve.verification.word_forms import is_derived

if TYPE_CHECKING:
    from notesieve._core import Policy, Vocabulary
    from notesieve.scrubber import Scrubber

__all__ = ["ALLOWANCES", "Allowance", "Reading", "VerifiedToken", "verify"]

#: Lists of names of people and places: a word that is only listed because it is also a term passes in lower case alone.
_NAMES = frozenset({"surname", "first-name", "city", "place-part"})
#: Words of these lists are no stems and no words of a form (see `notesieve.verification.word_forms`).
_NO_WORD_FORM = frozenset("surname first-name city place-part state country month weekday holiday eponym deny".split())
#: Vouched words of these lists belong to a number.
_OF_NUMBERS = frozenset({"marker", "link", "sized"})
#: Words of these lists count in capitals alone.
_IN_CAPITALS = frozenset({"acronym"})
#: Terms have at most eight words, and twenty with their marks; a note may write hyphens and apostrophes between.
_LONGEST_TERM = 24
#: Grades and stages in Roman numerals: `stage IIIA`.
_NUMERAL = re.compile("[ivx]{1,6}[a-d]?")
#: Answers of the vocabulary that are remembered.
_REMEMBERED = 100_000

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class VerifiedToken:
    """A token of an output with what allows it. Holds no text."""

    start: int
    """First code point in the output."""
    end: int
    """One past the last code point."""
    kind: str
    """``word``, ``number``, ``possessive``, ``mark``, ``tag``, ``age``, ``code`` or ``mask``."""
    allowed_by: str
    """``list``, ``term``, ``number``, ``tag``, ``code``, ``mask``, ``punctuation``, ``policy`` or ``judged``; or the
    name of a further allowance. What is ``judged`` is on no list: the model was sure that it names nobody."""
    detail: str | None
    """The list or the number form."""


class Lists:
    """The lists and terms of a vocabulary, as far as they were asked for."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._words: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._terms: OrderedDict[str, str | None] = OrderedDict()
        self._codes: OrderedDict[str, bool] = OrderedDict()

    def learn_words(self, words: Iterable[str]) -> None:
        """Ask for many words at once."""
        new = sorted({word for word in words if word not in self._words})
        self._words.update(zip(new, map(frozenset, self._vocabulary._lists_of(new)), strict=True))
        _forget(self._words)

    def learn_terms(self, terms: Iterable[str]) -> None:
        """Ask for many terms at once."""
        new = sorted({term for term in terms if term not in self._terms})
        self._terms.update(zip(new, self._vocabulary._cases_of(new), strict=True))
        _forget(self._terms)

    def of(self, word: str) -> frozenset[str]:
        """Name the lists of a folded word."""
        if word not in self._words:
            self.learn_words([word])
        return self._words[word]

    def case_of(self, term: str) -> str | None:
        """Tell in which case a text counts as a term: ``any``, ``capitals`` or ``lower``; None if it is no term."""
        if term not in self._terms:
            self.learn_terms([term])
        return self._terms[term]

    def has_code(self, code: str) -> bool:
        """Tell whether a concept has the code."""
        if code not in self._codes:
            system, _, local = code.partition(":")
            spellings = (code, code.lower(), f"{system.lower()}:{local.upper()}")
            self._codes[code] = any(self._vocabulary.concept(spelling) is not None for spelling in spellings)
            _forget(self._codes)
        return self._codes[code]

    def is_code_of(self, code: str, term: str) -> bool:
        """Tell whether a code is one of a term's."""
        return any(concept.code.lower() == code.lower() for concept in self._vocabulary.lookup(term))


def _forget(answers: OrderedDict[str, _Answer]) -> None:
    while len(answers) > _REMEMBERED:
        answers.popitem(last=False)


class Reading:
    """An output that is read again: its tokens, and what can be asked about them."""

    def __init__(self, text: str, policy: Policy, lists: Lists) -> None:
        self.text = text
        self.tokens: Sequence[OutputToken] = tokenize(text, lists.has_code)
        self.policy = policy
        self.lists = lists
        self._allowed = frozenset(policy.lists)
        self._vouched = frozenset(policy.vouched_lists)
        lists.learn_words(token.folded for token in self.tokens if token.kind == "word")
        self._in_terms = self._find_terms()

    def list_of(self, at: int) -> str | None:
        """Name the list that lets a word out, if there is one."""
        token = self.tokens[at]
        lists = self.lists.of(token.folded)
        allowed = lists & self._allowed
        if not allowed or "deny" in lists or "site-deny" in lists:
            return None
        if allowed == {"term"} and not token.is_lower and lists & _NAMES:
            return None
        return min(allowed)

    def word_form_of(self, at: int) -> str | None:
        """Name the rule of the policy by which a lower-case word on no list may stay."""
        token = self.tokens[at]
        if token.kind != "word" or not token.is_lower or self.lists.of(token.folded) & _NO_WORD_FORM:
            return None
        if self.policy.term_words and len(token.folded) >= 5 and "term-part" in self.lists.of(token.folded):
            return "term-word"
        derived = self.policy.derive and self.policy.ordinary_words and is_derived(token.folded, self._is_listed)
        return "derived" if derived else None

    def _is_listed(self, word: str) -> bool:
        lists = self.lists.of(word)
        return bool(lists & self._allowed) and not lists & _NO_WORD_FORM

    def vouched_list_of(self, at: int) -> str | None:
        """Name the list from which a rule may have vouched for a word."""
        lists = self.lists.of(self.tokens[at].folded) & self._vouched
        # The number may be part of a term that is written as its code.
        numbers = {"number"} if self.policy.terms == "written" else {"number", "code"}
        beside = any(token.kind in numbers for token in self.tokens[max(0, at - 4) : at + 5])
        lists = lists if beside else lists - _OF_NUMBERS
        lists = lists if self.tokens[at].is_upper else lists - _IN_CAPITALS
        return min(lists, default=None)

    def number(self, at: int) -> NumberContext:
        """Give a number with what stands around it."""
        years = self.policy.years == "keep" and self.policy.dates != "shift"
        return NumberContext(self.tokens, self.lists.of, at, self.policy.terms != "written", years)

    def is_in_term(self, at: int) -> bool:
        """Tell whether a token stands inside a term."""
        return at in self._in_terms

    def _find_terms(self) -> set[int]:
        """Find every term that holds a token which no list lets out."""
        wanted = [at for at, token in enumerate(self.tokens) if self._needs_term(at, token)]
        windows = {window for at in wanted for window in self._windows(at)}
        keys = {window: self._key(*window) for window in windows}
        self.lists.learn_terms(keys.values())
        found: set[int] = set()
        for (first, last), key in keys.items():
            case = self.lists.case_of(key)
            head = self.tokens[first]
            right = case == "any" or (case == "capitals" and head.is_upper) or (case == "lower" and head.is_lower)
            if right or (case is not None and self._is_coded(key, last)):
                found.update(range(first, last))
        return found

    def _is_coded(self, key: str, last: int) -> bool:
        """Whether the code of a term stands behind it: then it is written as its source has it, whatever the case."""
        if last >= len(self.tokens) or self.tokens[last].kind != "code" or self.tokens[last].gap != " ":
            return False
        return self.lists.is_code_of(self.tokens[last].text[1:-1], key)

    def _needs_term(self, at: int, token: OutputToken) -> bool:
        return token.kind == "number" or (token.kind == "word" and self.list_of(at) is None)

    def _windows(self, at: int) -> Iterator[tuple[int, int]]:
        """Give each stretch around a token that could be a term."""
        firsts = [at]
        while len(firsts) < _LONGEST_TERM and not self.tokens[firsts[-1]].border and self._joins(firsts[-1] - 1):
            firsts.append(firsts[-1] - 1)
        lasts = [at]
        while len(lasts) < _LONGEST_TERM and self._goes_on(lasts[-1]) and self._joins(lasts[-1] + 1):
            lasts.append(lasts[-1] + 1)
        for first in firsts:
            if self._is_skipped(first) or self._is_glued(first):
                continue
            for last in lasts:
                if last - first < _LONGEST_TERM and not self._is_skipped(last) and not self._is_glued(last + 1):
                    yield first, last + 1

    def _goes_on(self, at: int) -> bool:
        return at + 1 < len(self.tokens) and not self.tokens[at + 1].border

    def _joins(self, at: int) -> bool:
        """Whether a token may stand in a term of several words."""
        if not 0 <= at < len(self.tokens):
            return False
        token = self.tokens[at]
        if token.kind == "word":
            return "term-part" in self.lists.of(token.folded)
        return token.kind in {"number", "mark", "possessive"}

    def _is_skipped(self, at: int) -> bool:
        token = self.tokens[at]
        return token.kind == "possessive" or token.folded in {"-", "'"}

    def _is_glued(self, at: int) -> bool:
        """Whether a word or number follows another with nothing between."""
        if not 0 < at < len(self.tokens) or self.tokens[at].gap:
            return False
        return {self.tokens[at - 1].kind, self.tokens[at].kind} <= {"word", "number"}

    def _key(self, first: int, last: int) -> str:
        return " ".join(self.tokens[at].folded for at in range(first, last) if not self._is_skipped(at))


@dataclass(frozen=True, slots=True)
class Allowance:
    """One reason for which a token may be in an output."""

    name: str
    """What `VerifiedToken.allowed_by` says."""
    allows: Callable[[Reading, int], str | None]
    """Looks at a token; gives a detail, which may be empty, or None if it is no reason."""


def _by_kind(*kinds: str) -> Callable[[Reading, int], str | None]:
    return lambda reading, at: "" if reading.tokens[at].kind in kinds else None


def _list(reading: Reading, at: int) -> str | None:
    return reading.list_of(at) if reading.tokens[at].kind == "word" else None


def _term(reading: Reading, at: int) -> str | None:
    return "" if reading.is_in_term(at) else None


def _number(reading: Reading, at: int) -> str | None:
    token = reading.tokens[at]
    if reading.policy.numbers == "none":
        return None
    if token.kind == "number":
        return form_of(reading.number(at))
    if token.kind == "word" and set(token.folded) <= {"x", "y"} and is_of_chromosomes(reading.number(at)):
        return "chromosome"
    if token.kind == "word" and _NUMERAL.fullmatch(token.folded):
        return "numeral" if reading.number(at).is_witnessed() else None
    # The letters of a number's form: T2N0M0, E11.9, 3rd.
    if token.kind == "word" and len(token.folded) <= 3:
        beside = [at - 1] if at > 0 and not token.gap else []
        beside += [at + 1] if at + 1 < len(reading.tokens) and not reading.tokens[at + 1].gap else []
        if any(reading.tokens[other].kind == "number" for other in beside):
            return "letters"
    return None


def _vouched(reading: Reading, at: int) -> str | None:
    return reading.vouched_list_of(at) if reading.tokens[at].kind == "word" else None


def _judged(reading: Reading, at: int) -> str | None:
    """Allow a word on no list that the policy keeps where the model is sure: nothing proves it."""
    token = reading.tokens[at]
    denied = reading.lists.of(token.folded) & {"deny", "site-deny"} if token.kind == "word" else {"deny"}
    return "" if reading.policy.unknown == "judged" and not denied else None


def _policy(reading: Reading, at: int) -> str | None:
    token = reading.tokens[at]
    policy = reading.policy
    if form := reading.word_form_of(at):
        return form
    if token.kind == "number":
        short = all(
            len(part) <= 3 for part in token.folded.replace(",", "/").replace(":", "/").replace(".", "/").split("/")
        )
        parts = sum(not letter.isdigit() for letter in token.folded) + 1
        return "numbers" if policy.numbers == "all" or (policy.numbers == "wide" and short and parts <= 2) else None
    if token.kind == "word" and policy.unknown == "keep":
        return "unknown" if token.is_lower or not reading.lists.of(token.folded) & _NAMES else None
    return None


#: Every reason, in the order in which they are tried.
ALLOWANCES: tuple[Allowance, ...] = (
    Allowance("punctuation", _by_kind("mark", "possessive")),
    Allowance("tag", _by_kind("tag", "age")),
    Allowance("mask", _by_kind("mask")),
    Allowance("code", _by_kind("code")),
    Allowance("list", _list),
    Allowance("term", _term),
    Allowance("number", _number),
    Allowance("list", _vouched),
    Allowance("policy", _policy),
    Allowance("judged", _judged),
    Allowance("replacement", replacement_of),
)


def verify(text: str, scrubber: Scrubber, *, allowances: Sequence[Allowance] = ()) -> list[VerifiedToken]:
    """Check that every token of an output is one that notesieve may write.

    Parameters
    ----------
    text : str
        The output of a scrub.
    scrubber : Scrubber
        The scrubber, for its policy and its vocabulary. It scrubs nothing here.
    allowances : sequence of Allowance, optional
        Further reasons for which a token may be there, such as lists of surrogates.

    Returns
    -------
    list of VerifiedToken
        Every token with what allows it; with the white space between them they tile the text.

    Raises
    ------
    VerifyError
        If a token is one that nothing allows. It tells positions and kinds, never text.
    NoteTypeError
        If `text` is no text.

    Examples
    --------
    >>> import notesieve as ns
    >>> scrubber = ns.Scrubber()
    >>> output = scrubber.scrub("Mr. Brown has diabetes mellitus.").text
    >>> [token.allowed_by for token in ns.verify(output, scrubber)]
    ['list', 'punctuation', 'tag', 'list', 'list', 'list', 'punctuation']
    >>> ns.verify(output.replace("[NAME]", "Zwilbruck"), scrubber)
    Traceback (most recent call last):
        ...
    notesieve.errors.VerifyError: 1 token that nothing allows: word at 4:13
    """
    if not isinstance(text, str):
        message = f"an output to verify must be a str, not {type(text).__name__}; of a ScrubbedNote take its text"
        text = ""
        raise NoteTypeError(message)
    policy = scrubber.policy
    any_letter = policy.unknown != "remove"
    strange = {letter for letter in set(text) if not is_in_alphabet(letter, any_letter=any_letter)}
    places = [(at, at + 1, "character") for at, letter in enumerate(text) if letter in strange] if strange else []
    reading = Reading(text, policy, _lists_of(scrubber.vocabulary))
    text = ""  # a traceback that shows arguments shows this one
    tokens: list[VerifiedToken] = []
    for at, token in enumerate(reading.tokens):
        for allowance in (*ALLOWANCES, *allowances):
            detail = allowance.allows(reading, at)
            if detail is not None:
                found = VerifiedToken(token.start, token.end, token.kind, allowance.name, detail or None)
                tokens.append(found)
                break
        else:
            places.append((token.start, token.end, token.kind))
    # Names that the policy lets stay may be written letter by letter, too.
    if not {"name", "NAME"} & {*policy.keep, *policy.rules_off}:
        rows = split_words(reading.tokens, reading.lists.of, policy.mask)
        places += [(start, end, "word in single letters") for start, end in rows]
    if places:
        raise VerifyError(places)
    return tokens


_KNOWN: OrderedDict[str, Lists] = OrderedDict()


def _lists_of(vocabulary: Vocabulary) -> Lists:
    """Remember what was asked of the last vocabularies."""
    lists = _KNOWN.get(vocabulary.digest)
    if lists is None:
        lists = _KNOWN[vocabulary.digest] = Lists(vocabulary)
        while len(_KNOWN) > 2:
            _KNOWN.popitem(last=False)
    return lists
