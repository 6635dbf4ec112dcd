"""The values of a message, passed to the core with the roles of their fields and put back where they stood."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from notesieve._core import Patient
from notesieve.errors import PatientError
from notesieve.messages.parsed import Leaf, Parsed, words_of

if TYPE_CHECKING:
    from notesieve._core import Scrubber, Vocabulary
    from notesieve.detectors import Span

__all__ = ["known_names", "scrub_parsed"]

_DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:\D.*|\d{2,6}.*)?")
_PATIENT_FIELDS = ("names", "phones", "addresses", "other")
_SHORT = 3


def scrub_parsed(
    scrubber: Scrubber, parsed: Parsed, patient: Patient | None, threads: int | None
) -> tuple[str, dict[str, int]]:
    """Scrub the values of one message; give its text and how much of each category was removed."""
    known = _patient([*parsed.facts, *_facts_of(patient)], patient)
    fields = list(_fields(parsed))
    texts, removed = scrubber._scrub_fields([_of_core(field) for field in fields], patient=known, threads=threads)
    made: dict[int, str] = {}
    for field, parts in zip(fields, texts, strict=True):
        for leaf, part in zip(field, parts, strict=True):
            # White space alone does not change a value.
            made[id(leaf)] = leaf.raw if part.split() == leaf.text.split() else leaf.encode(part)
    made.update(_keys(parsed))
    written = "".join(piece if isinstance(piece, str) else made.get(id(piece), piece.raw) for piece in parsed.pieces)
    return written, dict(removed)


def _fields(parsed: Parsed) -> Iterator[list[Leaf]]:
    """Give the leaves that are read as one text, together."""
    field: list[Leaf] = []
    for leaf in parsed.pieces:
        if isinstance(leaf, str) or leaf.role == "key" or not leaf.text.strip():
            continue
        if field and not (leaf.group and leaf.group == field[-1].group):
            yield field
            field = []
        field.append(leaf)
    if field:
        yield field


def _of_core(field: list[Leaf]) -> tuple[str, str, list[int], list[Span]]:
    """Write a field as the core reads it: its role, its text, where its parts begin, and what was found in it."""
    parts, starts, length = [field[0].text], [], len(field[0].text)
    for leaf in field[1:]:
        parts += [leaf.glue, leaf.text]
        starts.append(length + len(leaf.glue))
        length = starts[-1] + len(leaf.text)
    return field[0].role, "".join(parts), starts, []


def _keys(parsed: Parsed) -> Iterator[tuple[int, str]]:
    """Mask the names of fields that nothing knows, each the same wherever it stands."""
    masks: dict[str, str] = {}
    for piece in parsed.pieces:
        if isinstance(piece, Leaf) and piece.role == "key":
            mask = masks.setdefault(piece.text, f"masked{len(masks) + 1}")
            yield id(piece), piece.encode(mask)


def known_names(vocabulary: Vocabulary) -> Callable[[str], bool]:
    """Show the names of fields whose words are all on lists, or too short to name somebody."""
    found: dict[str, bool] = {}

    def is_known(name: str) -> bool:
        if name not in found:
            words = [word for word in words_of(name) if not word.isdigit() and len(word) > _SHORT]
            plain = re.fullmatch(r"[\w .:/()%#@$-]{1,64}", name) and not re.search(r"\d{4}", name)
            found[name] = bool(plain) and all(map(_is_ordinary, vocabulary._lists_of(words)))
        return found[name]

    return is_known


_ORDINARY = frozenset(
    "stop english literature clinical term season number-word title credential relative person-noun name-field facility"
    " id-keyword phone-keyword age-cue unit measurement score dose duration counted code-system level brand".split()
)


_CLINICAL = frozenset(
    "stop clinical term measurement relative id-keyword facility name-field person-noun unit dose".split()
)


def _is_ordinary(lists: Iterable[str]) -> bool:
    known = _CLINICAL if "first-name" in lists else _ORDINARY
    return not known.isdisjoint(lists)


def _facts_of(patient: Patient | None) -> list[tuple[str, str]]:
    if patient is None:
        return []
    facts = [(name, value) for name in _PATIENT_FIELDS for value in getattr(patient, name)]
    facts += [("other", patient.mrn)] if patient.mrn else []
    return facts + ([("birth_date", patient.birth_date.isoformat())] if patient.birth_date else [])


def _patient(facts: list[tuple[str, str]], given: Patient | None) -> Patient | None:
    """Make a patient of what a message says; a value that cannot be looked for is left out."""
    known: dict[str, Any] = {}
    for what, value in dict.fromkeys(facts):
        if what == "birth_date":
            date = _birth_date(value)
            if date and "birth_date" not in known:
                known["birth_date"] = date
            continue
        if what == "id" or sum(letter.isalnum() for letter in value) < 2:
            continue
        known.setdefault(what, []).append(value)
    for what in [what for what in known if what != "birth_date"]:
        known[what] = [value for value in known[what] if _can_be_known(what, value)]
    number = next((value for what, value in facts if what == "id"), None)
    if given is not None:
        number, known["mrn"] = given.id or number, given.mrn
    return Patient(number, **known) if number or any(known.values()) else None


def _can_be_known(what: str, value: str) -> bool:
    try:
        Patient(**{what: [value]})  # type: ignore[arg-type]
    except PatientError:
        return False
    return True


def _birth_date(value: str) -> dt.date | None:
    match = _DATE.fullmatch(value)
    try:
        return dt.date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None
