"""Fills the tags of texts that notesieve or another system has already de-identified with surrogates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from zlib import crc32

from notesieve._core import Key, Vocabulary, tag_surrogates
from notesieve.errors import SettingError
from notesieve.tracebacks import keep_texts_out_of_tracebacks

# `[NAME-2]`, `<PATIENT>`, `[**Known lastname 123**]`.
_TAGS = re.compile(r"\[\*\*([^\]\n]{0,80}?)\*\*\]|\[([A-Z][A-Z0-9_ /-]{1,40})\]|<([A-Z][A-Z0-9_-]{1,40})>")

# The kind of the removed text by the words of its tag; the first line that shares a word with the tag counts.
_KINDS = tuple(
    (kind, frozenset(words.split()))
    for kind, words in {
        "email": "email mail",
        "url": "url web website",
        "none": "age initials month year weekday holiday season state country ethnicity",
        "zip": "zip zipcode postal",
        "first": "firstname first",
        "family": "lastname surname last",
        "hospital": "hospital facility clinic",
        "street": "street address",
        "place": "location place city town county ward",
        "organisation": "organization organisation company employer university school",
        "date": "date dates day time",
        "phone": "telephone phone fax pager contact",
        "code": "id mrn ssn record account accession number numeric identifier serial license licence plate device",
        "name": "name patient person doctor staff clinician provider relative physician nurse",
        "context": "removed redacted deidentified phi",
    }.items()
)
_CATEGORIES = {
    "email": "CONTACT", "url": "CONTACT", "phone": "CONTACT", "zip": "LOCATION", "hospital": "LOCATION",
    "street": "LOCATION", "place": "LOCATION", "organisation": "LOCATION", "date": "DATE", "code": "ID",
}  # fmt: skip
_DATE = re.compile(r"\d{1,4}(?:[-/]\d{1,4}){1,2}")
# Only dates in these years are certain to be shifted: any other may be the real one.
_FUTURE_DATE = re.compile(r"\b2[1-9]\d\d-\d{1,2}-\d{1,2}\b")
# The minimum number of digits of a number that means the same in all notes of a patient: shorter ones number the tags
# of one note.
_MIN_SHARED_DIGITS = 3


@dataclass(frozen=True)
class FilledNote:
    """A text whose tags were filled with surrogates.

    Attributes
    ----------
    text : str
        The text.
    spans : list of dict
        The spans of the surrogates, as in a gold standard: ``start``, ``end`` (code points) and ``category``.
    left : int
        The number of tags that stayed because no surrogate exists for their kind: ages, states, initials.
    """

    text: str = field(repr=False)
    spans: list[dict[str, Any]]
    left: int


@dataclass(frozen=True)
class _Tag:
    start: int
    end: int
    kind: str
    name: str
    shared: bool


@keep_texts_out_of_tracebacks
def fill(
    text: str,
    key: Key,
    *,
    patient: str | int | None = None,
    patterns: Sequence[str] = (),
    vocabulary: Vocabulary | None = None,
) -> FilledNote:
    """Fill the tags of a text with surrogates.

    This covers the tags of notesieve (``[NAME]``, ``[NAME-2]``, ``<DATE>``, ``[**Last name**]``) and those of other
    systems in the same notation (``[REMOVED]``, ``<PATIENT>``, ``[**Known lastname 123**]``). Surrogates look the same
    as under a policy with ``replace="surrogate"``; dates are of the 22nd century. Nothing else changes: identifiers
    that the earlier system missed are still there.

    Parameters
    ----------
    text : str
        The text.
    key : Key
        The key from which surrogates are derived.
    patient : str or int, optional
        The patient of the text: tags of the patient, and tags with a number of three digits or more, then get the same
        surrogate in all texts of the patient.
    patterns : sequence of str, optional
        Regular expressions for other tags, such as ``"X{4,}"``; the context decides their kind.
    vocabulary : Vocabulary, optional
        The source of the word lists. Default: that of the package.

    Returns
    -------
    FilledNote
        The text with its surrogates.

    Raises
    ------
    SettingError
        If a pattern is not a regular expression, or matches the empty string.

    Examples
    --------
    >>> import os
    >>> import notesieve as ns
    >>> os.environ["NOTESIEVE_KEY"] = "2a" * 31 + "17"  # an example: a real one is drawn at random and kept in a file
    >>> filled = ns.fill("Dr. [REMOVED] called.", ns.Key.load(), patient="17")
    >>> filled.text.startswith("Dr. "), "REMOVED" in filled.text, filled.spans[0]["category"]
    (True, False, 'NAME')
    >>> del os.environ["NOTESIEVE_KEY"]
    """
    vocabulary = Vocabulary.default() if vocabulary is None else vocabulary
    tags = list(_find_tags(text, [_compile_pattern(at, pattern) for at, pattern in enumerate(patterns)], vocabulary))
    asked = [[(form, tag.name, tag.shared) for form in _surrogate_forms(tag)] for tag in tags]
    patient_name = None if patient is None else str(patient)
    drawn = iter(tag_surrogates(key, vocabulary, patient_name, text, [one for forms in asked for one in forms]))
    pieces, spans, written, length = [], list[dict[str, Any]](), 0, 0
    for tag, forms in zip(tags, asked, strict=True):
        new = _surrogate_in_style(tag, [next(drawn) for _ in forms], text)
        if new is None:
            continue
        before = text[written : tag.start]
        start = length + len(before)
        pieces += [before, new]
        length = start + len(new)
        spans.append({"start": start, "end": length, "category": _CATEGORIES.get(tag.kind, "NAME")})
        written = tag.end
    return FilledNote("".join([*pieces, text[written:]]), spans, len(tags) - len(spans))


def _compile_pattern(at: int, pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the caller; raise an error if it is invalid or matches the empty string."""
    try:
        compiled = re.compile(pattern)
    except re.error:
        compiled = None
    if compiled is None or compiled.match(""):
        message = f"patterns[{at}]: is no regular expression, or finds the empty text"
        raise SettingError(message)
    return compiled


def _find_tags(text: str, patterns: list[re.Pattern[str]], vocabulary: Vocabulary) -> Iterator[_Tag]:
    """Yield the tags of a text with the kind of the text that each replaces."""
    found = [one for pattern in (*patterns, _TAGS) for one in pattern.finditer(text)]
    if any(one.start() == one.end() for one in found):
        raise SettingError("patterns: one finds the empty text between two characters")
    written = 0
    for one in sorted(found, key=lambda one: (one.start(), -one.end())):
        inside = "removed" if one.re is not _TAGS else next(part for part in one.groups() if part is not None)
        words = re.findall("[a-z]+", inside.lower())
        kind = "date" if _DATE.fullmatch(inside.strip()) else _kind_by_words(words)
        if one.start() < written or kind is None:
            continue
        written = one.end()
        if kind == "context":
            kind = _kind_by_context(text, one.start(), one.end(), vocabulary)
        elif kind == "name" and "title" in vocabulary.lists(_word_before(text, one.start())):
            kind = "family"
        number = "".join(re.findall(r"\d+", inside)[-1:])
        name = " ".join([*words, number] if number else words)
        of_patient = "patient" in words and not number
        if not number and not of_patient:
            name = f"{name} at {one.start()}"
        yield _Tag(one.start(), one.end(), kind, name, of_patient or len(number) >= _MIN_SHARED_DIGITS)


def _kind_by_words(words: list[str]) -> str | None:
    """Return the kind that the words inside a tag name."""
    return next((kind for kind, known in _KINDS if not known.isdisjoint(words)), None)


def _word_before(text: str, at: int) -> str:
    """Return the last word before an offset, in lower case."""
    words = re.findall(r"[^\W\d_]+", text[max(0, at - 40) : at])
    return words[-1].lower() if words else ""


def _kind_by_context(text: str, start: int, end: int, vocabulary: Vocabulary) -> str:
    """Return the kind of the removed text, from the title, label or preposition before it or a place word after it."""
    following = re.match(r"\s{0,3}([^\W\d_]+)", text[end : end + 40])
    after = set(vocabulary.lists(following[1].lower())) if following else set()
    word = _word_before(text, start)
    before = set(vocabulary.lists(word))
    signs = [
        ("family", "title" in before),
        ("place", bool(after & {"facility", "street-type", "organisation"})),
        ("phone", "phone-keyword" in before),
        ("code", "id-keyword" in before),
        ("date", "date-cue" in before),
        ("place", "place-cue" in before or word == "at"),
    ]
    return next((kind for kind, is_so in signs if is_so), "name")


def _surrogate_forms(tag: _Tag) -> list[str]:
    """Return the forms of the surrogates of which the one for a tag is composed."""
    first: Literal["woman", "man"] = "woman" if crc32(tag.name.encode()) % 2 else "man"
    forms: dict[str, list[str]] = {
        "name": [first, "family"],
        "first": [first],
        "hospital": ["place"],
        "organisation": ["place"],
        "street": ["house", "place"],
        "none": [],
    }
    return forms.get(tag.kind, [tag.kind])


def _surrogate_in_style(tag: _Tag, drawn: list[str | None], text: str) -> str | None:
    """Return the surrogate in the usual style of its kind; a date that was already shifted into the future stays."""
    shifted = _FUTURE_DATE.search(text[tag.start : tag.end]) if tag.kind == "date" else None
    if shifted:
        return shifted[0]
    parts = [part for part in drawn if part is not None]
    if not parts or len(parts) < len(drawn):
        return None
    if tag.kind in ("email", "url"):
        return parts[0]
    more = {"hospital": ["Hospital"], "street": ["Street"]}.get(tag.kind, [])
    return " ".join([part.capitalize() for part in parts] + more)
