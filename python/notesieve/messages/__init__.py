"""Structured messages: HL7 version 2, FHIR and other JSON, C-CDA and other XML, tables.

A parser reads the format and knows which type the standard gives each field. The types become roles, which the core
handles as it handles findings in notes. Free text is scrubbed as text, with what the message itself says of people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from notesieve.errors import NoteTypeError, SettingError
from notesieve.messages import hl7, structured_json, structured_xml, tables
from notesieve.messages.parsed import Leaf, NoMessage, Parsed
from notesieve.messages.scrubbing import known_names, scrub_parsed

if TYPE_CHECKING:
    from notesieve._core import Patient, Scrubber

__all__ = ["FORMS", "ScrubbedMessage", "scrub_message"]

FORMS = ("hl7", "json", "xml", "table", "text")
"""The forms that may be asked for."""


@dataclass(frozen=True)
class ScrubbedMessage:
    """A de-identified message. It holds no text of the original.

    Attributes
    ----------
    text : str
        The message: the same segments, keys or tags, with what identifies removed from the values.
    form : {"hl7", "fhir", "json", "cda", "nemsis", "xml", "table", "text"}
        As what it was read; ``"text"`` where it is none of the others.
    removed : dict of str to int
        How much of each category did not come out: ``NAME``, ``DATE`` ...; ``UNLISTED`` are words on no list and values
        of fields that are not known.
    """

    text: str = field(repr=False)
    form: str
    removed: dict[str, int]


def scrub_message(
    scrubber: Scrubber,
    text: str,
    *,
    form: str | None = None,
    patient: Patient | None = None,
    threads: int | None = None,
) -> ScrubbedMessage:
    """Do what `Scrubber.scrub_message` says."""
    if not isinstance(text, str):
        raise NoteTypeError(f"a message must be str, not {type(text).__name__}")
    if form is not None and form not in FORMS:
        raise SettingError(f"form={form!r} is not one of {', '.join(FORMS)}")
    found, parts = _read(text, form, known_names(scrubber.vocabulary))
    removed: dict[str, int] = {}
    written = []
    for parsed in parts:
        scrubbed, counts = scrub_parsed(scrubber, parsed, patient, threads)
        written.append(scrubbed)
        for category, count in counts.items():
            removed[category] = removed.get(category, 0) + count
    return ScrubbedMessage("".join(written), found, removed)


def _read(text: str, form: str | None, known: Callable[[str], bool]) -> tuple[str, list[Parsed]]:
    """Read a message as what it is, or says that it is."""
    first = text.lstrip("\ufeff\x0b \t\r\n")[:1]
    try:
        if form == "hl7" or (form is None and first in "MFB" and first):
            return "hl7", [hl7.read(part) for part in hl7.messages(text)]
    except NoMessage:
        pass
    try:
        if form == "json" or (form is None and first in ("{", "[")):
            try:
                parsed, found = structured_json.read(text, known)
            except NoMessage:
                lines, found = structured_json.read_lines(text, known)
                return found, lines
            return found, [parsed]
        if form == "xml" or (form is None and first == "<"):
            parsed, found = structured_xml.read(text, known)
            return found, [parsed]
        if form in (None, "table"):
            return "table", [tables.read(text)]
    except NoMessage:
        pass
    return "text", [Parsed([Leaf(text, "text", lambda text: text, text)])]
