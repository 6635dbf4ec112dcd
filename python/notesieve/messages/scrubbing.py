"""Scrub the values of a message in the core, with the roles of their fields, and put them back in place."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from notesieve._core import Patient
from notesieve.errors import PatientError
from notesieve.messages.parsed import FieldValue, ParsedMessage, split_key

if TYPE_CHECKING:
    from notesieve._core import Scrubber, Vocabulary
    from notesieve.detectors import Span

_DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:\D.*|\d{2,6}.*)?")
_PATIENT_FIELDS = ("names", "phones", "addresses", "other")
_MAX_SHORT_WORD = 3


def scrub_parsed(
    scrubber: Scrubber, parsed: ParsedMessage, patient: Patient | None, threads: int | None
) -> tuple[str, dict[str, int]]:
    """Scrub the values of one message; return its text and how much of each category was removed."""
    known = _merged_patient([*parsed.patient_fields, *_core_fields_of(patient)], patient)
    fields = list(_grouped_values(parsed))
    texts, removed = scrubber._scrub_fields([_core_field(field) for field in fields], patient=known, threads=threads)
    written_values: dict[int, str] = {}
    for field, parts in zip(fields, texts, strict=True):
        for value, part in zip(field, parts, strict=True):
            # Keep the raw value if only white space differs.
            written_values[id(value)] = value.raw if part.split() == value.text.split() else value.encode(part)
    written_values.update(_masked_keys(parsed))
    written = "".join(
        piece if isinstance(piece, str) else written_values.get(id(piece), piece.raw) for piece in parsed.pieces
    )
    return written, dict(removed)


def _grouped_values(parsed: ParsedMessage) -> Iterator[list[FieldValue]]:
    """Yield the values of each field; consecutive values of one group form one field."""
    field: list[FieldValue] = []
    for value in parsed.pieces:
        if isinstance(value, str) or value.role == "key" or not value.text.strip():
            continue
        if field and not (value.group and value.group == field[-1].group):
            yield field
            field = []
        field.append(value)
    if field:
        yield field


def _core_field(field: list[FieldValue]) -> tuple[str, str, list[int], list[Span]]:
    """Return a field as the core expects it: role, text, starts of the later parts, and no external findings."""
    parts, starts, length = [field[0].text], [], len(field[0].text)
    for value in field[1:]:
        parts += [value.separator, value.text]
        starts.append(length + len(value.separator))
        length = starts[-1] + len(value.text)
    return field[0].role, "".join(parts), starts, []


def _masked_keys(parsed: ParsedMessage) -> Iterator[tuple[int, str]]:
    """Yield masks for unknown field names, the same mask for each occurrence of a name."""
    masks: dict[str, str] = {}
    for piece in parsed.pieces:
        if isinstance(piece, FieldValue) and piece.role == "key":
            mask = masks.setdefault(piece.text, f"masked{len(masks) + 1}")
            yield id(piece), piece.encode(mask)


def known_name_filter(vocabulary: Vocabulary) -> Callable[[str], bool]:
    """Return a predicate for field names that may be written.

    A name may be written if all its words are on lists of ordinary words or at most three letters long, and it has no
    long number.
    """
    found: dict[str, bool] = {}

    def is_known(name: str) -> bool:
        if name not in found:
            words = [word for word in split_key(name) if not word.isdigit() and len(word) > _MAX_SHORT_WORD]
            plain = re.fullmatch(r"[\w .:/()%#@$-]{1,64}", name) and not re.search(r"\d{4}", name)
            found[name] = bool(plain) and all(map(_is_ordinary_word, vocabulary._lists_of(words)))
        return found[name]

    return is_known


_ORDINARY = frozenset(
    "stop english literature clinical term season number-word title credential relative person-noun name-field facility"
    " id-keyword phone-keyword age-cue unit measurement score dose duration counted code-system level brand".split()
)


_CLINICAL = frozenset(
    "stop clinical term measurement relative id-keyword facility name-field person-noun unit dose".split()
)


def _is_ordinary_word(lists: Iterable[str]) -> bool:
    """Return whether the lists of a word show that it is not a person's name."""
    known = _CLINICAL if "first-name" in lists else _ORDINARY
    return not known.isdisjoint(lists)


def _core_fields_of(patient: Patient | None) -> list[tuple[str, str]]:
    if patient is None:
        return []
    fields = [(name, value) for name in _PATIENT_FIELDS for value in getattr(patient, name)]
    fields += [("other", patient.mrn)] if patient.mrn else []
    return fields + ([("birth_date", patient.birth_date.isoformat())] if patient.birth_date else [])


def _merged_patient(fields: list[tuple[str, str]], given: Patient | None) -> Patient | None:
    """Merge the data in a message and the caller's into one patient, leaving out values that cannot be searched for."""
    known: dict[str, Any] = {}
    for field_name, value in dict.fromkeys(fields):
        if field_name == "birth_date":
            date = _parse_birth_date(value)
            if date and "birth_date" not in known:
                known["birth_date"] = date
            continue
        if field_name == "id" or sum(letter.isalnum() for letter in value) < 2:
            continue
        known.setdefault(field_name, []).append(value)
    for field_name in known.keys() - {"birth_date"}:
        known[field_name] = [value for value in known[field_name] if _is_searchable(field_name, value)]
    number = next((value for field_name, value in fields if field_name == "id"), None)
    if given is not None:
        number, known["mrn"] = given.id or number, given.mrn
    return Patient(number, **known) if number or any(known.values()) else None


def _is_searchable(field_name: str, value: str) -> bool:
    try:
        Patient(**{field_name: [value]})  # type: ignore[arg-type]
    except PatientError:
        return False
    return True


def _parse_birth_date(value: str) -> dt.date | None:
    """Parse a date that begins with year, month and day; None if it is not one."""
    match = _DATE.fullmatch(value)
    try:
        return dt.date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None
