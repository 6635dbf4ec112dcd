"""HL7 version 2: segments, fields, components. The separators are what MSH declares."""

from __future__ import annotations

import re
from dataclasses import dataclass

from notesieve.messages.hl7_fields import KINDS, SEGMENTS, VALUE_KINDS
from notesieve.messages.parsed import UNITS_OF_AGE, Leaf, NoMessage, Parsed, as_number, role_of_head

__all__ = ["messages", "read"]

_BEGIN = re.compile(r"[\s\x0b\x1c]*(?:MSH|FHS|BHS)([^\w\s])((?:(?!\1)[^\w\s]){3,5})(?=\1|[\r\n]|$)")
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")
_LINE = re.compile(r"([\x0b\x1c]*)([^\r\n\x0b\x1c]*)([\r\n\x0b\x1c]*)")
_ESCAPE = {".br": "\n", ".sp": "\n", "H": "", "N": "", ".ce": "\n", ".fi": "", ".nf": ""}
_LONGEST_NAME = 5


@dataclass(frozen=True)
class Marks:
    """The separators of a message: of fields, components, repetitions and subcomponents, and what begins an escape."""

    field: str
    component: str
    repeat: str
    escape: str
    part: str

    def decode(self, text: str) -> str:
        """Read the escapes of a value."""
        if not self.escape or self.escape not in text:
            return text
        meant = {"F": self.field, "S": self.component, "T": self.part, "R": self.repeat, "E": self.escape}
        mark = re.escape(self.escape)

        def one(match: re.Match[str]) -> str:
            name = match[1]
            if name in meant:
                return meant[name]
            if re.fullmatch(r"X(?:[0-9A-Fa-f]{2})+", name):
                return bytes.fromhex(name[1:]).decode("utf-8", "replace").replace("\r", "\n")
            return _ESCAPE.get(name[:3] if name.startswith(".") else name, " ")

        return re.sub(f"{mark}([^{mark}]*){mark}", one, text)

    def encode(self, text: str) -> str:
        """Write a value with the escapes that it needs."""
        marks = ((self.escape, "E"), (self.field, "F"), (self.component, "S"), (self.part, "T"), (self.repeat, "R"))
        if not self.escape:
            for mark, _ in marks[1:]:
                text = text.replace(mark, " ") if mark else text
            return re.sub(r"[\r\n]+", " ", text)
        written = {mark: f"{self.escape}{name}{self.escape}" for mark, name in marks if mark}
        text = "".join(written.get(letter, letter) for letter in text)
        return re.sub(r"\r\n|[\r\n]", lambda _: f"{self.escape}.br{self.escape}", text)


def messages(text: str) -> list[str]:
    """Cut a file into its messages: each has a patient of its own."""
    starts = [match.start() for match in re.finditer(r"(?:(?<=[\r\n\x0b\x1c])|^)(?:[\x0b\x1c]*MSH)(?=[^\w\s])", text)]
    if not starts:
        return [text]
    begin = [text[: starts[0]]] if starts[0] else []
    return begin + [text[here:there] for here, there in zip(starts, [*starts[1:], len(text)], strict=True)]


def read(text: str) -> Parsed:
    """Read one message.

    Raises
    ------
    NoMessage
        If it is none.
    """
    begin = _BEGIN.match(text)
    if begin is None:
        raise NoMessage
    declared = [*begin[2], "", "", ""]
    marks = Marks(begin[1], *declared[:4])
    if len(set(begin[1] + begin[2][:4])) != len(begin[1] + begin[2][:4]):
        raise NoMessage
    parsed = Parsed()
    group = 0
    for before, line, after in _LINE.findall(text):
        parsed.pieces.append(before)
        name, *fields = line.split(marks.field)
        stray = bool(line) and not _SEGMENT.fullmatch(name)
        texts = stray or name == "NTE" or (name == "OBX" and len(fields) > 1 and fields[1] in ("TX", "FT"))
        if not texts:
            group += 1
        if stray:
            _stray(parsed, marks, name, fields, group)
        elif line:
            _segment(parsed, marks, name, fields, group if texts else 0)
        parsed.pieces.append(after)
    return parsed


def _stray(parsed: Parsed, marks: Marks, first: str, fields: list[str], group: int) -> None:
    """Read a line that is no segment as text, together with the text before it: a line end that nobody escaped.

    Of fields that it may have nobody knows what they hold.
    """
    _leaf(parsed, marks, "text", first, group)
    for content in fields:
        parsed.pieces.append(marks.field)
        _components(parsed, marks, "-", content, 0, "", value=False)


def _segment(parsed: Parsed, marks: Marks, name: str, fields: list[str], group: int) -> None:
    parsed.pieces.append(name)
    kinds = SEGMENTS.get(name, {})
    declares = name in ("MSH", "FHS", "BHS")
    if declares:
        parsed.pieces += [marks.field, fields[0]]
        fields = fields[1:]
    label = _label(marks, fields) if name == "OBX" else ""
    for number, content in enumerate(fields, start=3 if declares else 1):
        parsed.pieces.append(marks.field)
        kind = kinds.get(number, "-")
        if name == "OBX" and number == 5:
            kind = VALUE_KINDS.get(fields[1], "-")
        if kind == "m" and name == "OBX" and _is_age(label, fields, content):
            parsed.pieces.append(Leaf(content, "age-over-89", as_number("90"), content))
            continue
        for at, repetition in enumerate(content.split(marks.repeat) if marks.repeat else [content]):
            if at:
                parsed.pieces.append(marks.repeat)
            _facts(parsed, marks, name, number, kind, repetition)
            joined = group if (name, number) in (("NTE", 3), ("OBX", 5)) else 0
            _components(
                parsed,
                marks,
                kind,
                repetition,
                joined,
                label if number == 5 else "",
                value=name == "OBX" and number == 5,
            )


def _label(marks: Marks, fields: list[str]) -> str:
    """Say what an observation is called."""
    asked = fields[2].split(marks.component) if len(fields) > 2 else [""]
    return next((marks.decode(part) for part in (*asked[1:2], *asked[4:5], asked[0]) if part.strip()), "")


def _is_age(label: str, fields: list[str], content: str) -> bool:
    """Whether a value is an age over 89."""
    unit = fields[5].split("^")[0].lower() if len(fields) > 5 else ""
    number = re.fullmatch(r"\s*(\d{1,3})(?:\.\d+)?\s*", content)
    named = re.search(r"\bage\b(?!.*\b(?:hours?|days?|weeks?|months?)\b)", label.lower()) is not None
    years = unit in UNITS_OF_AGE or (named and not unit)
    return number is not None and years and int(number[1]) > 89


def _components(parsed: Parsed, marks: Marks, kind: str, content: str, group: int, label: str, *, value: bool) -> None:
    roles = KINDS.get(kind, {0: "unknown"})
    asked = role_of_head(label) if label and kind in ("m", "t", "s") else None
    if kind == "t":  # what stands for a separator there is mostly one that nobody escaped
        _leaf(parsed, marks, asked or "text", content, group)
        return
    components = content.split(marks.component)
    for number, component in enumerate(components, start=1):
        if number > 1:
            parsed.pieces.append(marks.component)
        role = asked or roles.get(number, roles.get(0, "unknown"))
        if kind == "k" and number in (1, 2, 4, 5):
            system = components[2 if number < 3 else 5] if len(components) > (2 if number < 3 else 5) else ""
            # What a local code is called is no more than a code; the value of an observation may say anything.
            local = "local-code" if role == "code" else "text" if value else "local-display"
            role = role if _is_published(system) else local
        elif kind == "k" and number in (3, 6) and _is_published(component):
            role = "code"
        for at, part in enumerate(component.split(marks.part) if marks.part else [component]):
            if at:
                parsed.pieces.append(marks.part)
            _leaf(parsed, marks, role, part, group)


_SYSTEMS = re.compile(
    r"LN|LOINC|SCT|SCT2|SNM\w*|SNOMED\w*|I9\w*|I10\w*|ICD\w*|RXNORM|NDC|CVX|MVX|C4|CPT\w*|UCUM|ISO\w*|ATC|HL7\d+|HCPCS|CDCREC|NUCC"
)


def _is_published(system: str) -> bool:
    return _SYSTEMS.fullmatch(system.replace("-", "")) is not None


def _leaf(parsed: Parsed, marks: Marks, role: str, raw: str, group: int) -> None:
    if raw in ("", '""'):  # empty, and what deletes a value
        parsed.pieces.append(raw)
        return
    parsed.pieces.append(Leaf(marks.decode(raw), role, marks.encode, raw, group if role == "text" else 0))


def _facts(parsed: Parsed, marks: Marks, name: str, number: int, kind: str, content: str) -> None:
    """Note what a field says of people."""
    parts = [
        marks.decode(part.replace(marks.part, " ") if marks.part else part) for part in content.split(marks.component)
    ]
    if kind in ("n", "c"):
        words = parts[:_LONGEST_NAME] if kind == "n" else parts[1 : 1 + _LONGEST_NAME]
        words += [""] * (3 - len(words))
        parsed.know("names", " ".join([*words[1:3], words[0]]))
    elif kind == "b":
        parsed.know("birth_date", parts[0][:8])
    elif kind == "p":
        for part in (parts[0], *parts[3:4], "".join(parts[5:7])):
            parsed.know("other" if "@" in part else "phones", part)
    elif kind == "a":
        parsed.know("addresses", ", ".join(part for part in parts[:5] if part.strip()))
    elif kind in ("i", "u"):
        parsed.know("other", parts[0])
        if name == "PID" and number == 3:
            parsed.know("id", parts[0])
    elif kind == "o":
        parsed.know_institution(parts[0])
