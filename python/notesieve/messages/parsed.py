"""Parsed messages: literal pieces, and values with the roles of their fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_DEPTH = 200
"""The maximum nesting depth of elements, objects and lists in a message."""

IDENTIFYING = frozenset("name date birth-date street contact other-id".split())
"""Roles of columns and keys whose values are identifiers."""

PUBLISHED = re.compile(
    r"(?:https?://(?:www\.)?(?:[\w-]+\.)*"
    r"(?:hl7\.org|loinc\.org|snomed\.info|unitsofmeasure\.org|nlm\.nih\.gov|fhir\.org|w3\.org|ama-assn\.org|whocc\.no"
    r"|ihe\.net|hl7\.org\.uk|nhs\.uk/fhir|fda\.gov|cdc\.gov|iso\.org|dicom\.nema\.org|nucc\.org|nubc\.org|nemsis\.org"
    r"|standardhealthrecord\.org|mitre\.org|healthit\.gov|ada\.org|cms\.gov|va\.gov|smarthealthit\.org)"
    r"(?:[/#|?][\w./#|?=:()+-]*)?"
    r"|urn:(?:hl7-org:[\w:.-]+|ietf:[\w:.-]+|iso:[\w:.-]+|oid:2\.16\.840\.1\.113883\.(?:[1-6]|1[01289])(?:\.\d+)*"
    r"|oid:1\.2\.840\.10008(?:\.\d+)*|oid:1\.3\.6\.1\.4\.1\.(?:12009|19376|33895)(?:\.\d+)*))"
)
"""Addresses of published code systems, profiles and namespaces. Any other address may name an institution."""

UNITS_OF_AGE = frozenset({"a", "y", "yr", "yrs", "year", "years"})
"""Units that mark a number as an age in years."""


def name_set(text: str) -> frozenset[str]:
    """Split a string at white space into a set of names.

    Examples
    --------
    >>> sorted(name_set("unit code"))
    ['code', 'unit']
    """
    return frozenset(text.split())


class MessageParseError(Exception):
    """A text cannot be parsed in the expected format. The error contains no text."""


def encode_as_number(number: str) -> Callable[[str], str]:
    """Return an encoder that always writes this number, for fields where a placeholder would not be valid."""
    return lambda _: number


@dataclass
class FieldValue:
    """The value of a field of a message, with the role that determines how it is scrubbed.

    Attributes
    ----------
    text : str
        The decoded value, without the escapes of the format.
    role : str
        The role of the field: one of the core's (`Scrubber._scrub_fields`), or ``key`` for a field name that neither
        the standard nor a list contains, which is masked.
    encode : callable
        Encodes a text with the escapes of the format.
    raw : str
        The encoded value as in the message; it is written again if the value is kept.
    group : int
        Consecutive values with the same group are scrubbed as one text. 0: the value is scrubbed alone.
    separator : str
        The separator between the previous value of its group and this one.
    """

    text: str
    role: str
    encode: Callable[[str], str]
    raw: str
    group: int = 0
    separator: str = "\n"


@dataclass
class ParsedMessage:
    """A message split into pieces, and the data about people in its fields. It contains the original text.

    Attributes
    ----------
    pieces : list of (str or FieldValue)
        The whole message in order: a `str` is written unchanged, a `FieldValue` is scrubbed.
    patient_fields : list of (str, str)
        Fields of `Patient` (or ``id``) and their values, for all persons that the message names.
    """

    pieces: list[str | FieldValue] = field(default_factory=list)
    patient_fields: list[tuple[str, str]] = field(default_factory=list)

    def add_patient_field(self, field_name: str, value: str) -> None:
        """Add a value of a field of `Patient`, unless removing it everywhere would remove ordinary words or numbers."""
        value = " ".join(value.split())
        # Short numbers, and single words of institutions, are not specific enough to search for.
        if field_name == "addresses" and not any(letter.isdigit() for letter in value):
            self.add_institution(value)
            return
        if field_name == "other" and sum(letter.isdigit() for letter in value) < 4 and "@" not in value:
            return
        if value:
            self.patient_fields.append((field_name, value))

    def add_institution(self, name: str) -> None:
        """Add an institution's name of at least two words, which are removed together or not at all."""
        if len(name.split()) > 1:
            self.patient_fields.append(("other", " ".join(name.split())))


# Words of column names, keys and questions that determine the role of the value; the first match wins.
_NOT_OF_PEOPLE = set(
    "drug brand generic test medication med product organism procedure diagnosis allergen allergy code device vaccine"
    " analyte component order specimen panel substance antibiotic file".split()
)
_ROLE_WORDS = {
    "birth-date": "dob birthdate birthday", "date": "date dates datetime timestamp dod",
    "contact": "phone phones tel telephone fax pager email website telecom",
    "other-id": "mrn ssn nhs npi dea accession barcode identifier uuid guid passport urn nhi csn username",
    "street": "address street zip zipcode postcode postal birthplace",
    "name": "name names surname forename firstname lastname fullname provider physician clinician nok",
}  # fmt: skip
_LAST_ROLE_WORDS = {
    "birth-date": "born", "date": "day signed admitted discharged collected received",
    "contact": "mobile cell mail url ip contact",
    "other-id": "account acct record licence license insurance policy member fin id ids number no chi login user serial"
    " plate",
    "street": "city town county hospital clinic facility ward room bed school employer location state country"
    " place workplace pharmacy institution organization organisation practice department",
    "name": "patient pt doctor dr nurse surgeon attending author signature witness guardian spouse mother father"
    " mom mum dad parent parents son sons daughters children child brother brothers sister sisters sibling siblings"
    " relatives relative daughter consultant gp pcp husband wife partner staff technician operator therapist midwife"
    " kin"
    " caregiver carer first last middle given family maiden alias nickname initials resident by",
}  # fmt: skip
_SIGNS = {word: role for role, words in _ROLE_WORDS.items() for word in words.split()}
_LAST_SIGNS = {word: role for role, words in _LAST_ROLE_WORDS.items() for word in words.split()}
_OF_BIRTH = name_set("birth date dt day of time year month place patient pt mother father datetime")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_COUNTS = re.compile(r"\b(?:number|no\.?) of\b", re.IGNORECASE)


def split_key(head: str) -> list[str]:
    """Split the name of a column or a key into words.

    Examples
    --------
    >>> split_key("patientFirst_name")
    ['patient', 'first', 'name']
    """
    return [word.lower() for word in _PARTS.findall(head)]


def role_of_heading(head: str) -> str | None:
    """Return the role that a column name, a key or a question gives a value: one of `IDENTIFYING`, or None.

    Examples
    --------
    >>> [role_of_heading(head) for head in ("Patient name", "dob", "Drug name", "homePhone", "Patient ID", "Weight")]
    ['name', 'birth-date', None, 'contact', 'other-id', None]
    """
    words = [word for word in split_key(_COUNTS.sub("", head)) if not word.isdigit()]
    if not words or len(words) > 5 or (words[-1] == "name" and _NOT_OF_PEOPLE.intersection(words)):
        return None
    if "birth" in words and _OF_BIRTH.issuperset(words):
        return "street" if "place" in words else "birth-date"
    last = _LAST_SIGNS.get(words[-1])
    # Names come last: "patient id" is a number, "provider address" a place.
    found = {_SIGNS[word] for word in words if word in _SIGNS} | ({last} if last else set())
    return next((role for role in _ROLE_WORDS if role in found), None)
