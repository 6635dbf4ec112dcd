"""HL7 version 2: segments, fields, components. MSH declares the separators."""

from __future__ import annotations

import re
from dataclasses import dataclass

from notesieve.messages.hl7_fields import KINDS, SEGMENTS, VALUE_KINDS
from notesieve.messages.parsed import (
    UNITS_OF_AGE,
    FieldValue,
    MessageParseError,
    ParsedMessage,
    encode_as_number,
    role_of_heading,
)

_BEGIN = re.compile(r"[\s\x0b\x1c]*(?:MSH|FHS|BHS)([^\w\s])((?:(?!\1)[^\w\s]){3,5})(?=\1|[\r\n]|$)")
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")
_LINE = re.compile(r"([\x0b\x1c]*)([^\r\n\x0b\x1c]*)([\r\n\x0b\x1c]*)")
_ESCAPE = {".br": "\n", ".sp": "\n", "H": "", "N": "", ".ce": "\n", ".fi": "", ".nf": ""}
_LONGEST_NAME = 5


@dataclass(frozen=True)
class Delimiters:
    """The delimiters that a message declares: of fields, components, repetitions, escapes and subcomponents."""

    field: str
    component: str
    repetition: str
    escape: str
    subcomponent: str

    def decode(self, text: str) -> str:
        """Decode the escape sequences of a value."""
        if not self.escape or self.escape not in text:
            return text
        meant = {"F": self.field, "S": self.component, "T": self.subcomponent, "R": self.repetition, "E": self.escape}
        mark = re.escape(self.escape)

        def decode_escape(match: re.Match[str]) -> str:
            name = match[1]
            if name in meant:
                return meant[name]
            if re.fullmatch(r"X(?:[0-9A-Fa-f]{2})+", name):
                return bytes.fromhex(name[1:]).decode("utf-8", "replace").replace("\r", "\n")
            return _ESCAPE.get(name[:3] if name.startswith(".") else name, " ")

        return re.sub(f"{mark}([^{mark}]*){mark}", decode_escape, text)

    def encode(self, text: str) -> str:
        """Encode a value with the escape sequences that it needs."""
        escapes = (
            (self.escape, "E"),
            (self.field, "F"),
            (self.component, "S"),
            (self.subcomponent, "T"),
            (self.repetition, "R"),
        )
        if not self.escape:
            for mark, _ in escapes[1:]:
                text = text.replace(mark, " ") if mark else text
            return re.sub(r"[\r\n]+", " ", text)
        written = {mark: f"{self.escape}{name}{self.escape}" for mark, name in escapes if mark}
        text = "".join(written.get(letter, letter) for letter in text)
        return re.sub(r"\r\n|[\r\n]", lambda _: f"{self.escape}.br{self.escape}", text)


def split_messages(text: str) -> list[str]:
    """Split a file into messages, since each has its own patient."""
    starts = [match.start() for match in re.finditer(r"(?:(?<=[\r\n\x0b\x1c])|^)(?:[\x0b\x1c]*MSH)(?=[^\w\s])", text)]
    if not starts:
        return [text]
    begin = [text[: starts[0]]] if starts[0] else []
    return begin + [text[here:there] for here, there in zip(starts, [*starts[1:], len(text)], strict=True)]


def parse_hl7(text: str) -> ParsedMessage:
    """Parse one HL7 version 2 message.

    Raises
    ------
    MessageParseError
        If it does not begin with MSH, FHS or BHS and its delimiters, or two delimiters are the same character.
    """
    begin = _BEGIN.match(text)
    if begin is None:
        raise MessageParseError
    declared = [*begin[2], "", "", ""]
    delimiters = Delimiters(begin[1], *declared[:4])
    if len(set(begin[1] + begin[2][:4])) != len(begin[1] + begin[2][:4]):
        raise MessageParseError
    parsed = ParsedMessage()
    group = 0
    for before, line, after in _LINE.findall(text):
        parsed.pieces.append(before)
        name, *fields = line.split(delimiters.field)
        stray = bool(line) and not _SEGMENT.fullmatch(name)
        texts = stray or name == "NTE" or (name == "OBX" and len(fields) > 1 and fields[1] in ("TX", "FT"))
        if not texts:
            group += 1
        if stray:
            _add_continuation_line(parsed, delimiters, name, fields, group)
        elif line:
            _add_segment(parsed, delimiters, name, fields, group if texts else 0)
        parsed.pieces.append(after)
    return parsed


def _add_continuation_line(
    parsed: ParsedMessage, delimiters: Delimiters, first: str, fields: list[str], group: int
) -> None:
    """Add a line that is not a segment as text, joined to the text before it: its line end was not escaped.

    If the line has fields, their contents are unknown.
    """
    _add_value(parsed, delimiters, "text", first, group)
    for content in fields:
        parsed.pieces.append(delimiters.field)
        _add_components(parsed, delimiters, "-", content, 0, "", value=False)


def _add_segment(parsed: ParsedMessage, delimiters: Delimiters, name: str, fields: list[str], group: int) -> None:
    parsed.pieces.append(name)
    kinds = SEGMENTS.get(name, {})
    declares = name in ("MSH", "FHS", "BHS")
    if declares:
        parsed.pieces += [delimiters.field, fields[0]]
        fields = fields[1:]
    label = _observation_label(delimiters, fields) if name == "OBX" else ""
    for number, content in enumerate(fields, start=3 if declares else 1):
        parsed.pieces.append(delimiters.field)
        kind = kinds.get(number, "-")
        if name == "OBX" and number == 5:
            kind = VALUE_KINDS.get(fields[1], "-")
        if kind == "m" and name == "OBX" and _is_age(label, fields, content):
            parsed.pieces.append(FieldValue(content, "age-over-89", encode_as_number("90"), content))
            continue
        for at, repetition in enumerate(content.split(delimiters.repetition) if delimiters.repetition else [content]):
            if at:
                parsed.pieces.append(delimiters.repetition)
            _add_patient_fields(parsed, delimiters, name, number, kind, repetition)
            joined = group if (name, number) in (("NTE", 3), ("OBX", 5)) else 0
            _add_components(
                parsed,
                delimiters,
                kind,
                repetition,
                joined,
                label if number == 5 else "",
                value=name == "OBX" and number == 5,
            )


def _observation_label(delimiters: Delimiters, fields: list[str]) -> str:
    """Return the name of an observation."""
    asked = fields[2].split(delimiters.component) if len(fields) > 2 else [""]
    return next((delimiters.decode(part) for part in (*asked[1:2], *asked[4:5], asked[0]) if part.strip()), "")


def _is_age(label: str, fields: list[str], content: str) -> bool:
    """Return whether a value is an age over 89."""
    unit = fields[5].split("^")[0].lower() if len(fields) > 5 else ""
    number = re.fullmatch(r"\s*(\d{1,3})(?:\.\d+)?\s*", content)
    named = re.search(r"\bage\b(?!.*\b(?:hours?|days?|weeks?|months?)\b)", label.lower()) is not None
    years = unit in UNITS_OF_AGE or (named and not unit)
    return number is not None and years and int(number[1]) > 89


def _add_components(
    parsed: ParsedMessage, delimiters: Delimiters, kind: str, content: str, group: int, label: str, *, value: bool
) -> None:
    roles = KINDS.get(kind, {0: "unknown"})
    asked = role_of_heading(label) if label and kind in ("m", "t", "s") else None
    if kind == "t":  # separators in free text are mostly unescaped characters
        _add_value(parsed, delimiters, asked or "text", content, group)
        return
    components = content.split(delimiters.component)
    for number, component in enumerate(components, start=1):
        if number > 1:
            parsed.pieces.append(delimiters.component)
        role = asked or roles.get(number, roles.get(0, "unknown"))
        if kind == "k" and number in (1, 2, 4, 5):
            system = components[2 if number < 3 else 5] if len(components) > (2 if number < 3 else 5) else ""
            # The name of a local code is treated like a code; the value of an observation can be any text.
            local = "local-code" if role == "code" else "text" if value else "local-display"
            role = role if _is_published(system) else local
        elif kind == "k" and number in (3, 6) and _is_published(component):
            role = "code"
        for at, part in enumerate(component.split(delimiters.subcomponent) if delimiters.subcomponent else [component]):
            if at:
                parsed.pieces.append(delimiters.subcomponent)
            _add_value(parsed, delimiters, role, part, group)


_SYSTEMS = re.compile(
    r"LN|LOINC|SCT|SCT2|SNM\w*|SNOMED\w*|I9\w*|I10\w*|ICD\w*|RXNORM|NDC|CVX|MVX|C4|CPT\w*|UCUM|ISO\w*|ATC|HL7\d+|HCPCS|CDCREC|NUCC"
)


def _is_published(system: str) -> bool:
    return _SYSTEMS.fullmatch(system.replace("-", "")) is not None


def _add_value(parsed: ParsedMessage, delimiters: Delimiters, role: str, raw: str, group: int) -> None:
    if raw in ("", '""'):  # empty, or the value that means "delete"
        parsed.pieces.append(raw)
        return
    parsed.pieces.append(
        FieldValue(delimiters.decode(raw), role, delimiters.encode, raw, group if role == "text" else 0)
    )


def _add_patient_fields(
    parsed: ParsedMessage, delimiters: Delimiters, name: str, number: int, kind: str, content: str
) -> None:
    """Add the data about people in a field to the message."""
    parts = [
        delimiters.decode(part.replace(delimiters.subcomponent, " ") if delimiters.subcomponent else part)
        for part in content.split(delimiters.component)
    ]
    if kind in ("n", "c"):
        words = parts[:_LONGEST_NAME] if kind == "n" else parts[1 : 1 + _LONGEST_NAME]
        words += [""] * (3 - len(words))
        parsed.add_patient_field("names", " ".join([*words[1:3], words[0]]))
    elif kind == "b":
        parsed.add_patient_field("birth_date", parts[0][:8])
    elif kind == "p":
        for part in (parts[0], *parts[3:4], "".join(parts[5:7])):
            parsed.add_patient_field("other" if "@" in part else "phones", part)
    elif kind == "a":
        parsed.add_patient_field("addresses", ", ".join(part for part in parts[:5] if part.strip()))
    elif kind in ("i", "u"):
        parsed.add_patient_field("other", parts[0])
        if name == "PID" and number == 3:
            parsed.add_patient_field("id", parts[0])
    elif kind == "o":
        parsed.add_institution(parts[0])
