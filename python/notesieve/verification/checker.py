"""Re-read an output and report what allows each of its tokens, independently of the core.

The checker is plain Python and shares no code with the scrubber. From the core it uses only what is published: the
lists and terms of the vocabulary, the choices of the policy and the forms of tags and numbers (`output_tokens`,
`number_forms`). It does not know the rules, so it cannot tell whether a listed word is a person's name in its context;
it guarantees that something vouches for every word and number in the output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from notesieve.errors import NoteTypeError, VerifyError
from notesieve.tracebacks import keep_texts_out_of_tracebacks
from notesieve.verification.listed_terms import listed_term
from notesieve.verification.number_forms import number_form
from notesieve.verification.output_tokens import is_in_alphabet
from notesieve.verification.read_output import NAME_LISTS, Lists, Reading, policy_choices
from notesieve.verification.replacement_forms import replacement_of
from notesieve.verification.split_words import split_words

if TYPE_CHECKING:
    from notesieve._core import Vocabulary
    from notesieve.scrubber import Scrubber
    from notesieve.verification.output_tokens import OutputToken

#: Grades and stages in Roman numerals: `stage IIIA`.
_NUMERAL = re.compile("[ivx]{1,6}[a-d]?")
#: The chromosome count and the sex chromosomes of a karyotype, on either side of the comma.
_CHROMOSOMES, _SEX_CHROMOSOMES = re.compile("4[4-9]"), re.compile("[xy]{1,5}")
#: The maximum number of letters and digits of a word with OCR errors.
_MAX_MISREAD_LENGTH = 24
#: The lists that may contain the intended word where OCR read letters as digits.
_MISREAD_LISTS = frozenset("stop english literature clinical term brand measurement person-noun".split())


@dataclass(frozen=True, slots=True)
class VerifiedToken:
    """A token of an output with what allows it. Holds no text."""

    start: int
    """The index of the first code point in the output."""
    end: int
    """The end in code points (exclusive)."""
    kind: str
    """``word``, ``number``, ``possessive``, ``mark``, ``tag``, ``age``, ``code`` or ``mask``."""
    allowed_by: str
    """``list``, ``term``, ``number``, ``tag``, ``code``, ``mask``, ``punctuation``, ``pattern``, ``policy`` or
    ``judged``; or the name of a further allowance. A ``judged`` token is on no list: the model decided that it does not
    identify anybody."""
    detail: str | None
    """The list or the number form, if the allowance reports one."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """A reason why a token may be in an output."""

    name: str
    """The value of `VerifiedToken.allowed_by`."""
    allows: Callable[[Reading, int], str | None]
    """Checks a token; returns a detail, which may be empty, or None if this reason does not apply."""


def _allowance_of_kinds(*kinds: str) -> Callable[[Reading, int], str | None]:
    """Return an allowance of all tokens of the given kinds."""
    return lambda reading, at: "" if reading.tokens[at].kind in kinds else None


def _allow_listed_word(reading: Reading, at: int) -> str | None:
    """Return the list that allows a word in any context."""
    return reading.list_of(at) if reading.tokens[at].kind == "word" else None


def _allow_term(reading: Reading, at: int) -> str | None:
    """Allow a token inside a term of the vocabulary."""
    return "" if reading.is_in_term(at) else None


def _allow_number(reading: Reading, at: int) -> str | None:
    """Return the form that allows a number, a Roman numeral, or letters that belong to a number."""
    token = reading.tokens[at]
    if reading.policy.numbers == "none":
        return None
    if token.kind == "number":
        return number_form(reading.number_context(at))
    if token.kind == "word" and _NUMERAL.fullmatch(token.folded):
        return "numeral" if reading.number_context(at).has_clinical_context() else None
    # The letters of a number's form: T2N0M0, E11.9, 3rd.
    if token.kind == "word" and len(token.folded) <= 3:
        beside = [at - 1] if at > 0 and not token.gap else []
        beside += [at + 1] if at + 1 < len(reading.tokens) and not reading.tokens[at + 1].gap else []
        if any(reading.tokens[other].kind == "number" for other in beside):
            return "letters"
    # The chromosomes of a karyotype: 46,XY.
    if token.kind == "word" and at > 1 and _SEX_CHROMOSOMES.fullmatch(token.folded):
        count, comma = reading.tokens[at - 2 : at]
        if _CHROMOSOMES.fullmatch(count.folded) and comma.text == "," and not (comma.gap or token.gap):
            return "letters"
    return None


def _allow_misread_word(reading: Reading, at: int) -> str | None:
    """Return the list of the intended word where OCR read letters as digits: `metopro1ol`, `thr0ugh`."""
    first, last = at, at + 1
    while at - first < _MAX_MISREAD_LENGTH and reading.is_joined_to_previous(first):
        first -= 1
    while last - at < _MAX_MISREAD_LENGTH and reading.is_joined_to_previous(last):
        last += 1
    word = "".join(token.folded for token in reading.tokens[first:last])
    letters, figures = sum(map(str.isalpha, word)), sum(map(str.isdecimal, word))
    if (
        letters + figures < len(word)
        or not 5 <= len(word) <= _MAX_MISREAD_LENGTH
        or letters < 4
        or not 0 < 2 * figures <= letters
    ):
        return None
    # Capitalised words may be names, and many names differ from a listed word in one digit only.
    if reading.tokens[first].text[0].isupper():
        return None
    readings = [word.translate(str.maketrans("015", f"o{one}s")) for one in "li"]
    meant = [reading.lists.lists_of_word(one) for word in readings for one in (word, word.replace("rn", "m"))]
    return min((name for lists in meant if "deny" not in lists for name in lists & _MISREAD_LISTS), default=None)


def _allow_listed_by_rule(reading: Reading, at: int) -> str | None:
    """Return the list with which a rule may have allowed a word."""
    return reading.list_a_rule_may_use(at) if reading.tokens[at].kind == "word" else None


def _allow_left_to_model(reading: Reading, at: int) -> str | None:
    """Allow a token that the policy leaves to the model; nothing else vouches for it."""
    token = reading.tokens[at]
    if token.kind == "number":
        allowed = reading.policy.numbers == "judged" and (_is_short_number(token) or _is_time_of_day(token))
        return "" if allowed and not _is_joined_to_number(reading.tokens, at) else None
    denied = reading.lists.lists_of_word(token.folded) & {"deny", "site-deny"} if token.kind == "word" else {"deny"}
    return "" if reading.policy.unknown == "judged" and not denied else None


def _digit_groups(token: OutputToken) -> list[str]:
    """Split a number at all non-digits."""
    return re.split(r"\D", token.folded)


def _is_short_number(token: OutputToken) -> bool:
    """Return whether a number has one or two parts of up to three digits."""
    parts = _digit_groups(token)
    return len(parts) <= 2 and all(len(part) <= 3 for part in parts)


def _is_time_of_day(token: OutputToken) -> bool:
    """Return whether the token is four digits that form a time of day."""
    return len(token.folded) == 4 and token.folded.isdigit() and int(token.folded) < 2400 and int(token.folded[2:]) < 60


def _is_joined_to_number(tokens: Sequence[OutputToken], at: int) -> bool:
    """Return whether a single mark joins the number to another, as in a date or a telephone number."""
    for first in (at - 2, at):
        row = tokens[first : first + 3] if first >= 0 else ()
        if [token.kind for token in row] == ["number", "mark", "number"] and not (row[1].gap or row[2].gap):
            return True
    return False


def _allow_by_policy(reading: Reading, at: int) -> str | None:
    """Allow a number or an unlisted word that the policy keeps without evidence."""
    token = reading.tokens[at]
    policy = reading.policy
    if token.kind == "number":
        return "numbers" if policy.numbers == "all" or (policy.numbers == "wide" and _is_short_number(token)) else None
    if token.kind == "word" and policy.unknown == "keep":
        return "unknown" if token.is_lower or not reading.lists.lists_of_word(token.folded) & NAME_LISTS else None
    return None


def _allow_kept_pattern(reading: Reading, at: int) -> str | None:
    """Allow a token matched by one of the policy's patterns that keep text."""
    return "" if reading.is_in_pattern(at) else None


#: Every reason, in the order in which they are tried: the expensive ones come last.
ALLOWANCES: tuple[Allowance, ...] = (
    Allowance("punctuation", _allowance_of_kinds("mark", "possessive")),
    Allowance("tag", _allowance_of_kinds("tag", "age")),
    Allowance("mask", _allowance_of_kinds("mask")),
    Allowance("code", _allowance_of_kinds("code")),
    Allowance("list", _allow_listed_word),
    Allowance("number", _allow_number),
    Allowance("term", _allow_term),
    Allowance("misread", _allow_misread_word),
    Allowance("list", _allow_listed_by_rule),
    Allowance("list", listed_term),
    Allowance("pattern", _allow_kept_pattern),
    Allowance("policy", _allow_by_policy),
    Allowance("judged", _allow_left_to_model),
    Allowance("replacement", replacement_of),
)

#: The reasons that depend only on nearby tokens, the fastest first. The others match patterns on the whole output.
LOCAL_ALLOWANCES = tuple(
    sorted(
        (one for one in ALLOWANCES if one.allows not in {listed_term, _allow_kept_pattern, replacement_of}),
        key=lambda one: one.allows in {_allow_number, _allow_listed_by_rule, _allow_term},
    )
)


@keep_texts_out_of_tracebacks
def verify(text: str, scrubber: Scrubber, *, allowances: Sequence[Allowance] = ()) -> list[VerifiedToken]:
    """Check that every token of an output is one that notesieve may write.

    Parameters
    ----------
    text : str
        The output of a scrub.
    scrubber : Scrubber
        The scrubber, for its policy and its vocabulary. Nothing is scrubbed here.
    allowances : sequence of Allowance, optional
        Further reasons why a token may be there, such as lists of surrogates.

    Returns
    -------
    list of VerifiedToken
        Every token with what allows it. The tokens and the white space between them cover the text.

    Raises
    ------
    VerifyError
        If nothing allows some token. The message gives positions and kinds, never text.
    NoteTypeError
        If `text` is not a string.

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
    choices = policy_choices(policy)
    any_letter = choices.unknown != "remove"
    strange = {letter for letter in set(text) if not is_in_alphabet(letter, any_letter=any_letter)}
    places = [(at, at + 1, "character") for at, letter in enumerate(text) if letter in strange] if strange else []
    reading = Reading(text, policy, cached_lists(scrubber.vocabulary))
    text = ""  # tracebacks that show arguments must not show the note
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
    if choices.split_words:
        rows = split_words(reading.tokens, reading.lists.lists_of_word, choices.mask)
        places += [(start, end, "word in single letters") for start, end in rows]
    if places:
        raise VerifyError(places)
    return tokens


@lru_cache(maxsize=2)
def cached_lists(vocabulary: Vocabulary) -> Lists:
    """Return the lists of a vocabulary; the lookups for the last two vocabularies are cached."""
    return Lists(vocabulary)
