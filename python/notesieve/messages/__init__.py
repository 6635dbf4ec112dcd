"""Structured messages: HL7 version 2, FHIR and other JSON, C-CDA and other XML, tables.

A parser reads the format and knows the type that the standard gives each field. The types are mapped to roles, which
the core handles like findings in notes. Free text is scrubbed as text, using the patient data in the message.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from notesieve.choices import MessageFormat
from notesieve.errors import NoteTypeError, SettingError
from notesieve.messages.hl7 import parse_hl7, split_messages
from notesieve.messages.parsed import FieldValue, MessageParseError, ParsedMessage
from notesieve.messages.scrubbing import known_name_filter, scrub_parsed
from notesieve.messages.structured_json import parse_json, parse_json_lines
from notesieve.messages.structured_xml import parse_xml
from notesieve.messages.tables import parse_tables

if TYPE_CHECKING:
    from notesieve._core import Patient, Scrubber

__all__ = ["FORMATS", "ScrubbedMessage", "scrub_message"]

FORMATS = get_args(MessageFormat)
"""The formats that callers may request."""


@dataclass(frozen=True)
class ScrubbedMessage:
    """A de-identified message. It contains no text of the original.

    Attributes
    ----------
    text : str
        The message: the same segments, keys or tags, with identifiers removed from the values.
    format : {"hl7", "fhir", "json", "cda", "nemsis", "xml", "table", "text"}
        The format in which it was read; ``"text"`` if none of the others fits.
    removed : dict of str to int
        The number of removed items by category: ``NAME``, ``DATE`` ...; ``UNLISTED`` counts unlisted words and values
        of unknown fields.
    """

    text: str = field(repr=False)
    format: str
    removed: dict[str, int]


def scrub_message(
    scrubber: Scrubber,
    text: str,
    *,
    format: MessageFormat | None = None,  # noqa: A002 the name that users know
    patient: Patient | None = None,
    threads: int | None = None,
) -> ScrubbedMessage:
    """Implement `Scrubber.scrub_message`."""
    if not isinstance(text, str):
        raise NoteTypeError(f"a message must be str, not {type(text).__name__}")
    if format is not None and format not in FORMATS:
        raise SettingError(f"format={format!r} is not one of {', '.join(FORMATS)}")
    found, parts = _parse(text, format, known_name_filter(scrubber.vocabulary))
    removed: dict[str, int] = {}
    written = []
    for parsed in parts:
        scrubbed, counts = scrub_parsed(scrubber, parsed, patient, threads)
        written.append(scrubbed)
        for category, count in counts.items():
            removed[category] = removed.get(category, 0) + count
    return ScrubbedMessage("".join(written), found, removed)


def _parse(text: str, wanted: str | None, is_known_name: Callable[[str], bool]) -> tuple[str, list[ParsedMessage]]:
    """Parse a message in the requested format, or in the one suggested by its beginning; fall back to free text."""
    first = text.lstrip("\ufeff\x0b \t\r\n")[:1]
    try:
        if wanted == "hl7" or (wanted is None and first in "MFB" and first):
            return "hl7", [parse_hl7(part) for part in split_messages(text)]
    except MessageParseError:
        pass
    try:
        if wanted == "json" or (wanted is None and first in ("{", "[")):
            try:
                parsed, found = parse_json(text, is_known_name)
            except MessageParseError:
                lines, found = parse_json_lines(text, is_known_name)
                return found, lines
            return found, [parsed]
        if wanted == "xml" or (wanted is None and first == "<"):
            document, xml_format = parse_xml(text, is_known_name)
            return xml_format, [document]
        if wanted in (None, "table"):
            return "table", [parse_tables(text)]
    except MessageParseError:
        pass
    return "text", [ParsedMessage([FieldValue(text, "text", lambda text: text, text)])]
