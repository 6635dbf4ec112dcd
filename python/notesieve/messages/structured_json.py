"""JSON: FHIR resources by the types of their elements, other objects by their keys. White space is preserved."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable
from typing import Any, Literal

from notesieve.messages import structured_xml
from notesieve.messages.fhir_fields import (
    add_patient_fields,
    code_text_beside_value,
    is_coordinate,
    is_element,
    role_of,
)
from notesieve.messages.parsed import (
    IDENTIFYING,
    MAX_DEPTH,
    FieldValue,
    MessageParseError,
    ParsedMessage,
    encode_as_number,
    role_of_heading,
    split_key,
)

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-z]+|[{}\[\],:]|[ \t\r\n]+')
_DATE = re.compile(r"(?:19|20)\d\d-\d\d(?:-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?")
_PATIENT_FIELDS = {
    "name": "names",
    "contact": "phones",
    "street": "addresses",
    "other-id": "other",
    "birth-date": "birth_date",
}
_AGES = re.compile(r"age(?:s|d)?")
_MAX_AGE = 89


JsonFormat = Literal["fhir", "json"]
"""A FHIR resource, or any other JSON."""


def parse_json(text: str, is_known_name: Callable[[str], bool]) -> tuple[ParsedMessage, JsonFormat]:
    """Parse a JSON document, and determine its format.

    Parameters
    ----------
    text : str
        The document.
    is_known_name : callable
        Returns whether a key may be written; other keys are masked. FHIR keys are those of the specification.

    Raises
    ------
    MessageParseError
        If it is not valid JSON, has ``NaN`` or ``Infinity``, is neither an object nor a list, has a duplicate key in an
        object, or is nested deeper than `MAX_DEPTH`.
    """
    try:
        root = json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_object_without_duplicates, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError):
        raise MessageParseError from None
    if not isinstance(root, (dict, list)):
        raise MessageParseError
    json_format: JsonFormat = "fhir" if isinstance(root, dict) and isinstance(root.get("resourceType"), str) else "json"
    return _JsonWalker(root, json_format, is_known_name).parse(text), json_format


def parse_json_lines(text: str, is_known_name: Callable[[str], bool]) -> tuple[list[ParsedMessage], JsonFormat]:
    """Parse JSON Lines, the format of FHIR bulk exports: each line is a message of its own.

    Parameters
    ----------
    text : str
        The lines.
    is_known_name : callable
        As for `parse_json`.

    Raises
    ------
    MessageParseError
        If `parse_json` rejects a line, or there are fewer than two lines.
    """
    messages, formats = [], set()
    for line in text.splitlines(keepends=True):
        if not line.strip():
            messages.append(ParsedMessage([line]))
            continue
        parsed, json_format = parse_json(line, is_known_name)
        messages.append(parsed)
        formats.add(json_format)
    if len(messages) < 2 or not formats:
        raise MessageParseError
    return messages, "fhir" if formats == {"fhir"} else "json"


def _object_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _refuse_constant(_: str) -> None:
    raise ValueError


def _json_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _escape_json(text: str) -> str:
    return _json_string(text)[1:-1]


class _JsonWalker:
    """Walks through the tokens of a text and the parsed object in parallel, and collects the pieces of the message."""

    def __init__(self, root: Any, json_format: JsonFormat, is_known_name: Callable[[str], bool]) -> None:
        self.format = json_format
        self.parsed = ParsedMessage()
        self.root = root
        self.stack: list[Any] = []  # open objects and lists
        self.parents: list[dict[str, Any]] = []  # the objects among them
        self.keys: list[str | int] = []  # the current key or index in each
        self.types_by_reference = _types_by_reference(root) if json_format == "fhir" else {}
        self.is_known_name = is_known_name

    def parse(self, text: str) -> ParsedMessage:
        key = False
        for token in _TOKEN.findall(text):
            first = token[0]
            if first in "{[":
                self._open_container(self._current_value() if self.stack else self.root)
                self.parsed.pieces.append(token)
                key = first == "{"
            elif first in "}]":
                if isinstance(self.stack.pop(), dict):
                    self.parents.pop()
                self.keys.pop()
                self.parsed.pieces.append(token)
            elif first == ",":
                key = isinstance(self.stack[-1], dict)
                if not key:
                    self.keys[-1] = int(self.keys[-1]) + 1
                self.parsed.pieces.append(token)
            elif first == '"' and key:
                self.keys[-1] = json.loads(token)
                key = False
                self._add_key(token)
            elif first == '"' or first.isdigit() or first == "-":
                self._add_value(token)
            else:  # white space, colon, true, false, null
                self.parsed.pieces.append(token)
        return self.parsed

    def _open_container(self, value: Any) -> None:
        self.stack.append(value)
        self.keys.append(0 if isinstance(value, list) else "")
        if len(self.stack) > MAX_DEPTH:
            raise MessageParseError
        if isinstance(value, dict):
            self.parents.append(value)
            if self.format == "fhir":
                add_patient_fields(self.parsed, value, self._key_path(), self._type_of)

    def _type_of(self, reference: str) -> str:
        return self.types_by_reference.get(reference, "")

    def _current_value(self) -> Any:
        return self.stack[-1][self.keys[-1]]

    def _key_path(self) -> list[str]:
        return [key for key in self.keys if isinstance(key, str) and key]

    def _add_key(self, token: str) -> None:
        key = str(self.keys[-1])
        known = is_element(key) if self.format == "fhir" else self.is_known_name(key)
        # A known key is written unchanged; others are masked.
        self.parsed.pieces.append(token if known else FieldValue(key, "key", _json_string, token))

    def _add_value(self, token: str) -> None:
        value = self._current_value()
        if isinstance(value, str):
            value = value.encode("utf-8", "replace").decode("utf-8")
            if not value.strip():
                self.parsed.pieces.append(token)
                return
        path = self._key_path()
        role = role_of(path, self.parents, value, self._type_of) if self.format == "fhir" else self._role_of_key(value)
        if isinstance(value, str):
            self._add_string(value, role, token, path)
        elif role == "age-over-89":
            self.parsed.pieces.append(FieldValue(token, role, encode_as_number("90"), token))
        else:
            removed = "0" if self.format == "fhir" and is_coordinate(path, self.parents) else "null"
            self.parsed.pieces.append(FieldValue(token, role, encode_as_number(removed), token))

    def _add_string(self, value: str, role: str, token: str, path: list[str]) -> None:
        pieces = self.parsed.pieces
        if role == "fixed":
            pieces.append(token)
        elif role == "narrative":
            self._add_narrative(value, token)
        elif role == "base64":
            pieces.append(_decode_attachment(value, token, self.parents[-1] if self.parents else {}))
        elif role in ("reference", "other-id") and (
            start := re.match(r"(?:[A-Z][A-Za-z]{2,40}/|urn:(?:uuid|oid):|#)", value)
        ):
            pieces += [
                f'"{start[0]}',
                FieldValue(value[start.end() :], "other-id", _escape_json, value[start.end() :]),
                '"',
            ]
        else:
            role = "other-id" if role == "reference" else role
            asked = code_text_beside_value(path, self.parents) if self.format == "fhir" and role == "text" else ""
            role = (role_of_heading(asked) if asked else None) or (
                "date" if role == "text" and _DATE.fullmatch(value) else role
            )
            pieces.append(FieldValue(value, role, _json_string, token))

    def _add_narrative(self, value: str, token: str) -> None:
        """Add the text of XHTML embedded in a string."""
        try:
            parsed, _ = structured_xml.parse_xml(value, self.is_known_name, len(self.parsed.pieces) * 1000)
        except MessageParseError:
            self.parsed.pieces.append(FieldValue(value, "text", _json_string, token))
            return
        self.parsed.pieces.append('"')
        for piece in parsed.pieces:
            if isinstance(piece, str):
                self.parsed.pieces.append(_escape_json(piece))
            else:
                piece.encode = _json_escaping_encoder(piece.encode)
                piece.raw = _escape_json(piece.raw)
                self.parsed.pieces.append(piece)
        self.parsed.pieces.append('"')

    def _role_of_key(self, value: Any) -> str:
        key = next((str(key) for key in reversed(self.keys) if isinstance(key, str) and key), "")
        if not self.is_known_name(key):
            return "unknown"
        # "relatives": {"sons": ["mark"]}: the nearest key determines the role of the values below it.
        heads = [str(key) for key in reversed(self.keys) if isinstance(key, str) and key][:1]
        role = next((role for head in heads if (role := role_of_heading(head))), None)
        words = split_key(key)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if number and any(_AGES.fullmatch(word) for word in words) and value > _MAX_AGE:
            return "age-over-89"
        if role in IDENTIFYING:
            if role != "date" and len(str(value)) > (1 if role == "name" else 3):
                self.parsed.add_patient_field(_PATIENT_FIELDS[role], str(value))
            return role if isinstance(value, str) else "unknown"
        if number:
            return "number" if _names_measurement(words) or (abs(value) < 1000 and len(str(value)) < 4) else "unknown"
        return "text"


_MEASURED = frozenset(
    "value result dose weight height bp hr rr temp temperature pulse spo2 bmi age ages dosage quantity qty low"
    " high range mg ml score grade size volume rate systolic diastolic glucose hemoglobin hgb wbc rbc platelets"
    " creatinine sodium potassium chloride calcium count level duration frequency length width depth percent"
    " ratio total amount concentration los days hours minutes weeks months years version sequence index page"
    " offset limit price cost".split()
)


def _names_measurement(words: list[str]) -> bool:
    """Return whether the words of a key name a measurement."""
    return not _MEASURED.isdisjoint(words)


def _json_escaping_encoder(encode: Callable[[str], str]) -> Callable[[str], str]:
    """Return an encoder for a value embedded in a JSON string."""
    return lambda text: _escape_json(encode(text))


def _decode_attachment(value: str, token: str, beside: dict[str, Any]) -> FieldValue:
    """Decode a plain-text attachment, so that it is scrubbed; all other attachments become empty."""
    kind = str(beside.get("contentType", "")).partition(";")[0].strip().lower()
    if kind == "text/plain":
        try:
            text = base64.b64decode(value, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return FieldValue(value, "unknown", _json_string, token)
        return FieldValue(
            text, "text", lambda new: _json_string(base64.b64encode(new.encode("utf-8")).decode("ascii")), token
        )
    return FieldValue("?", "unknown", lambda _: '""', token)


def _types_by_reference(root: Any) -> dict[str, str]:
    """Return the type of each resource of a bundle, and of each contained one, by the reference that points to it."""
    kinds: dict[str, str] = {}
    left = [root]
    while left:
        item = left.pop()
        if isinstance(item, dict):
            resource = item.get("resource")
            if isinstance(resource, dict) and isinstance(item.get("fullUrl"), str):
                kinds[item["fullUrl"]] = str(resource.get("resourceType", ""))
            if isinstance(item.get("resourceType"), str) and isinstance(item.get("id"), str):
                kinds[f"#{item['id']}"] = item["resourceType"]
            left += [item[key] for key in ("entry", "contained", "resource", "parameter") if key in item]
        elif isinstance(item, list):
            left += item
    return kinds
