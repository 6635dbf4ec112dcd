"""JSON: FHIR resources by the path of each value, other objects by their keys. Only values change, no blank."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any

from notesieve.messages.fhir_fields import role_of
from notesieve.messages.parsed import DEEPEST, MEASURE, UNITS_OF_AGE, Leaf, NoMessage, Parsed, role_of_head, words_of

__all__ = ["read"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-z]+|[{}\[\],:]|[ \t\r\n]+')
_KEY = re.compile(r"[A-Za-z_$@][A-Za-z_.$@-]*\d{0,3}")
_DATE = re.compile(r"(?:19|20)\d\d-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?")


def read(text: str) -> tuple[Parsed, str]:
    """Read a document; tell whether it is ``fhir`` or other ``json``.

    Raises
    ------
    NoMessage
        If it is neither an object nor a list, if a key stands twice, or if it is no JSON.
    """
    try:
        root = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise NoMessage from None
    if not isinstance(root, (dict, list)):
        raise NoMessage
    form = "fhir" if isinstance(root, dict) and isinstance(root.get("resourceType"), str) else "json"
    return _JsonWalk(root, form).read(text), form


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _refuse(_: str) -> None:
    raise ValueError


def _encode(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(text: str) -> str:
    return text if re.fullmatch(r"-?\d+(?:\.\d+)?", text) else "null"


class _JsonWalk:
    """Goes through the marks of a text and its objects side by side."""

    def __init__(self, root: Any, form: str) -> None:
        self.form = form
        self.parsed = Parsed()
        self.root = root
        self.stack: list[Any] = []  # objects and lists that are open
        self.keys: list[str | int] = []  # where in each

    def read(self, text: str) -> Parsed:
        key = False
        for token in _TOKEN.findall(text):
            first = token[0]
            if first in "{[":
                self._open(self._value() if self.stack else self.root)
                self.parsed.pieces.append(token)
                key = first == "{"
            elif first in "}]":
                self.stack.pop()
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
                self._key(token)
            elif first == '"' or first.isdigit() or first == "-":
                self._leaf(token)
            else:  # white space, colon, true, false, null
                self.parsed.pieces.append(token)
        return self.parsed

    def _open(self, value: Any) -> None:
        self.stack.append(value)
        self.keys.append(0 if isinstance(value, list) else "")
        if len(self.stack) > DEEPEST:
            raise NoMessage
        if isinstance(value, dict):
            _facts(self.parsed, value, self._path())

    def _value(self) -> Any:
        return self.stack[-1][self.keys[-1]]

    def _path(self) -> list[str]:
        return [key for key in self.keys if isinstance(key, str) and key]

    def _key(self, token: str) -> None:
        key = str(self.keys[-1])
        if self.form == "fhir" or _KEY.fullmatch(key):
            role = "code" if len(key) < 65 and _KEY.fullmatch(key) else "unlisted"
        else:
            role = "text"
        self.parsed.pieces.append(Leaf(key, role, _encode, token))

    def _leaf(self, token: str) -> None:
        value = self._value()
        parents = [item for item in self.stack if isinstance(item, dict)]
        if isinstance(value, str):
            value = value.encode("utf-8", "replace").decode("utf-8")
            if not value.strip():
                self.parsed.pieces.append(token)
                return
        role = role_of(self._path(), parents, value) if self.form == "fhir" else self._by_key(value)
        if isinstance(value, str):
            self._string(value, role, token, parents)
        elif role == "old" or (role == "measure" and _is_age(parents[-1] if parents else {}, value)):
            self.parsed.pieces.append(Leaf(token, "old", str, token))
        else:
            known = role in ("measure", "code") and MEASURE.fullmatch(token) is not None
            exact = role == "measure" and re.fullmatch(r"-?\d{1,7}\.\d+(?:[eE][+-]?\d+)?", token)
            role = "code" if known or exact else "unlisted"
            leaf = Leaf(token.replace("e", "E"), role, lambda _: "null", token)
            self.parsed.pieces.append(leaf)

    def _string(self, value: str, role: str, token: str, parents: list[dict[str, Any]]) -> None:
        encode = _encode
        if role == "base64":
            value, role, encode = _attached(value, parents[-1] if parents else {})
        if role == "reference":
            kind, slash, _ = value.rpartition("/")
            role = "id"
            if slash and re.fullmatch(r"[A-Z][A-Za-z]{2,40}", kind):
                self.parsed.pieces.append(Leaf(value, role, lambda text: _encode(f"{kind}/{text}"), token))
                return
        if role == "id" and (scheme := re.match(r"urn:(?:uuid|oid):", value)):
            start = scheme[0]
            self.parsed.pieces.append(Leaf(value, role, lambda text: _encode(start + text), token))
            return
        if role == "text" and _DATE.fullmatch(value):
            role = "date"
        self.parsed.pieces.append(Leaf(value, role, encode, token, 0, self._asked(parents)))

    def _asked(self, parents: list[dict[str, Any]]) -> str:
        """Say what the value is called: by its key, or by the code beside it."""
        path = self._path()
        if self.form == "json":
            return ""
        code = parents[-1].get("code") if parents else None
        if path[-1].startswith(("value", "answer")) and isinstance(code, dict):
            texts = [code.get("text"), *(coding.get("display") for coding in _objects(code.get("coding")))]
            return next((text for text in texts if isinstance(text, str)), "")
        return ""

    def _by_key(self, value: Any) -> str:
        key = next((str(key) for key in reversed(self.keys) if isinstance(key, str) and key), "")
        told = role_of_head(key)
        if words_of(key)[-1:] == ["age"] and isinstance(value, (int, float)) and value > 89:
            return "old"
        if told is None:
            return "measure" if not isinstance(value, str) else "text"
        what = {"name": "names", "contact": "phones", "location": "addresses", "id": "other"}.get(told, told)
        if what != "date" and len(str(value)) > (1 if told == "name" else 3):
            self.parsed.know(what, str(value))
        return told if isinstance(value, str) else "unlisted"


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _attached(value: str, beside: dict[str, Any]) -> tuple[str, str, Any]:
    """Read an attachment that is text; any other one does not come out."""
    kind = str(beside.get("contentType", "")).partition(";")[0].strip().lower()
    if kind == "text/plain":
        try:
            text = base64.b64decode(value, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return value, "unlisted", _encode
        return text, "text", lambda text: _encode(base64.b64encode(text.encode("utf-8")).decode("ascii"))
    return value, "unlisted", lambda _: '""'


def _is_age(quantity: dict[str, Any], value: Any) -> bool:
    units = {str(quantity.get(key, "")).lower() for key in ("code", "unit")}
    return bool(units & UNITS_OF_AGE) and value > 89


def _facts(parsed: Parsed, item: dict[str, Any], path: list[str]) -> None:
    """Note what an object says of people."""

    def texts(*keys: str) -> list[str]:
        found = []
        for key in keys:
            value = item.get(key)
            found += [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str)]
        return found

    last = path[-1] if path else ""
    if {"family", "given"} & item.keys() or (last == "name" and "text" in item):
        parsed.know("names", " ".join(texts("given", "family")))
        for text in texts("text"):
            parsed.know("names", text)
    elif {"line", "postalCode", "city"} & item.keys():
        parsed.know("addresses", ", ".join(texts("line", "city", "state", "postalCode")))
    elif last in ("telecom", "valueContactPoint"):
        for text in texts("value"):
            parsed.know("other" if item.get("system") in ("email", "url") else "phones", text)
    elif last.lower().endswith("identifier"):
        for text in texts("value"):
            if sum(letter.isdigit() for letter in text) > 3:
                parsed.know("other", text)
    if "birthDate" in item:
        for text in texts("birthDate"):
            parsed.know("birth_date", text)
    if item.get("resourceType") == "Patient":
        for text in [*texts("id"), *(str(part.get("value", "")) for part in _objects(item.get("identifier")))]:
            parsed.know("id", text)
    if isinstance(item.get("reference"), str) or "identifier" in item:
        person = not str(item.get("reference", "")).startswith(("Organization", "Location", "Medication", "Condition"))
        for text in texts("display"):
            parsed.know("names" if person else "addresses", text)
    if item.get("resourceType") in ("Organization", "Location", "HealthcareService"):
        for text in texts("name"):
            parsed.know("addresses", text)
