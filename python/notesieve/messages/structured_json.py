"""JSON: FHIR resources by the types of their elements, other objects by their keys. Only values change, no blank."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable
from typing import Any

from notesieve.messages import structured_xml
from notesieve.messages.fhir_fields import facts_of, is_element, is_position, question, role_of
from notesieve.messages.parsed import (
    DEEPEST,
    IDENTIFYING,
    Leaf,
    NoMessage,
    Parsed,
    as_number,
    role_of_head,
    words_of,
)

__all__ = ["read", "read_lines"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-z]+|[{}\[\],:]|[ \t\r\n]+')
_DATE = re.compile(r"(?:19|20)\d\d-\d\d(?:-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?")
_FACTS = {"name": "names", "contact": "phones", "street": "addresses", "other-id": "other", "birth-date": "birth_date"}
_AGES = re.compile(r"age(?:s|d)?")
_OLDEST = 89


def read(text: str, is_known: Callable[[str], bool]) -> tuple[Parsed, str]:
    """Read a document; say whether it is ``fhir`` or other ``json``. `is_known` tells keys whose words are on lists.

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
    return _JsonWalk(root, form, is_known).read(text), form


def read_lines(text: str, is_known: Callable[[str], bool]) -> tuple[list[Parsed], str]:
    """Read a document a line, as bulk exports are: each line is a message of its own.

    Raises
    ------
    NoMessage
        If a line is none.
    """
    parts, forms = [], set()
    for line in text.splitlines(keepends=True):
        if not line.strip():
            parts.append(Parsed([line]))
            continue
        parsed, form = read(line, is_known)
        parts.append(parsed)
        forms.add(form)
    if len(parts) < 2 or not forms:
        raise NoMessage
    return parts, "fhir" if forms == {"fhir"} else "json"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _refuse(_: str) -> None:
    raise ValueError


def _encode(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _encode_inside(text: str) -> str:
    return _encode(text)[1:-1]


class _JsonWalk:
    """Goes through the marks of a text and its objects side by side."""

    def __init__(self, root: Any, form: str, is_known: Callable[[str], bool]) -> None:
        self.form = form
        self.parsed = Parsed()
        self.root = root
        self.stack: list[Any] = []  # objects and lists that are open
        self.parents: list[dict[str, Any]] = []  # the objects among them
        self.keys: list[str | int] = []  # where in each
        self.kinds = _kinds_in(root) if form == "fhir" else {}
        self.known = is_known

    def read(self, text: str) -> Parsed:
        key = False
        for token in _TOKEN.findall(text):
            first = token[0]
            if first in "{[":
                self._open(self._value() if self.stack else self.root)
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
            self.parents.append(value)
            if self.form == "fhir":
                facts_of(self.parsed, value, self._path(), self._type)

    def _type(self, reference: str) -> str:
        return self.kinds.get(reference, "")

    def _value(self) -> Any:
        return self.stack[-1][self.keys[-1]]

    def _path(self) -> list[str]:
        return [key for key in self.keys if isinstance(key, str) and key]

    def _key(self, token: str) -> None:
        key = str(self.keys[-1])
        known = is_element(key) if self.form == "fhir" else self.known(key)
        # A key that the standard knows is no word to be looked for.
        self.parsed.pieces.append(token if known else Leaf(key, "key", _encode, token))

    def _leaf(self, token: str) -> None:
        value = self._value()
        if isinstance(value, str):
            value = value.encode("utf-8", "replace").decode("utf-8")
            if not value.strip():
                self.parsed.pieces.append(token)
                return
        path = self._path()
        role = role_of(path, self.parents, value, self._type) if self.form == "fhir" else self._by_key(value)
        if isinstance(value, str):
            self._string(value, role, token, path)
        elif role == "age-over-89":
            self.parsed.pieces.append(Leaf(token, role, as_number("90"), token))
        else:
            removed = "0" if self.form == "fhir" and is_position(path, self.parents) else "null"
            self.parsed.pieces.append(Leaf(token, role, as_number(removed), token))

    def _string(self, value: str, role: str, token: str, path: list[str]) -> None:
        pieces = self.parsed.pieces
        if role == "fixed":
            pieces.append(token)
        elif role == "narrative":
            self._narrative(value, token)
        elif role == "base64":
            pieces.append(_attached(value, token, self.parents[-1] if self.parents else {}))
        elif role in ("reference", "other-id") and (
            start := re.match(r"(?:[A-Z][A-Za-z]{2,40}/|urn:(?:uuid|oid):|#)", value)
        ):
            pieces += [
                f'"{start[0]}',
                Leaf(value[start.end() :], "other-id", _encode_inside, value[start.end() :]),
                '"',
            ]
        else:
            role = "other-id" if role == "reference" else role
            asked = question(path, self.parents) if self.form == "fhir" and role == "text" else ""
            role = (role_of_head(asked) if asked else None) or (
                "date" if role == "text" and _DATE.fullmatch(value) else role
            )
            pieces.append(Leaf(value, role, _encode, token))

    def _narrative(self, value: str, token: str) -> None:
        """Read XHTML inside a string."""
        try:
            parsed, _ = structured_xml.read(value, self.known, len(self.parsed.pieces) * 1000)
        except NoMessage:
            self.parsed.pieces.append(Leaf(value, "text", _encode, token))
            return
        self.parsed.pieces.append('"')
        for piece in parsed.pieces:
            if isinstance(piece, str):
                self.parsed.pieces.append(_encode_inside(piece))
            else:
                piece.encode = _inside(piece.encode)
                piece.raw = _encode_inside(piece.raw)
                self.parsed.pieces.append(piece)
        self.parsed.pieces.append('"')

    def _by_key(self, value: Any) -> str:
        key = next((str(key) for key in reversed(self.keys) if isinstance(key, str) and key), "")
        if not self.known(key):
            return "unknown"
        # "relatives": {"sons": ["mark"]}: what a key says holds for what lies in it, as far as that says nothing.
        heads = [str(key) for key in reversed(self.keys) if isinstance(key, str) and key][:1]
        role = next((role for head in heads if (role := role_of_head(head))), None)
        words = words_of(key)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if number and any(_AGES.fullmatch(word) for word in words) and value > _OLDEST:
            return "age-over-89"
        if role in IDENTIFYING:
            if role != "date" and len(str(value)) > (1 if role == "name" else 3):
                self.parsed.know(_FACTS[role], str(value))
            return role if isinstance(value, str) else "unknown"
        if number:
            return "number" if _is_measured(words) or (abs(value) < 1000 and len(str(value)) < 4) else "unknown"
        return "text"


_MEASURED = frozenset(
    "value result dose weight height bp hr rr temp temperature pulse spo2 bmi age ages dosage quantity qty low"
    " high range mg ml score grade size volume rate systolic diastolic glucose hemoglobin hgb wbc rbc platelets"
    " creatinine sodium potassium chloride calcium count level duration frequency length width depth percent"
    " ratio total amount concentration los days hours minutes weeks months years version sequence index page"
    " offset limit price cost".split()
)


def _is_measured(words: list[str]) -> bool:
    return not _MEASURED.isdisjoint(words)


def _inside(encode: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: _encode_inside(encode(text))


def _attached(value: str, token: str, beside: dict[str, Any]) -> Leaf:
    """Read an attachment that is text; any other one does not come out."""
    kind = str(beside.get("contentType", "")).partition(";")[0].strip().lower()
    if kind == "text/plain":
        try:
            text = base64.b64decode(value, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return Leaf(value, "unknown", _encode, token)
        return Leaf(text, "text", lambda new: _encode(base64.b64encode(new.encode("utf-8")).decode("ascii")), token)
    return Leaf("?", "unknown", lambda _: '""', token)


def _kinds_in(root: Any) -> dict[str, str]:
    """Give the type of each resource of a bundle, and of each contained one, by what references call it."""
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
