"""XML: HL7 version 3 such as C-CDA, FHIR, NEMSIS and XHTML, by the place of each text and attribute."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import Any
from xml.parsers import expat

from notesieve.messages import fhir_fields, nemsis_fields
from notesieve.messages.cda_fields import BLOCKS, ELEMENTS, attribute_role, is_institution, is_person, text_role
from notesieve.messages.parsed import DEEPEST, Leaf, NoMessage, Parsed, as_number

__all__ = ["read"]

_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?(?P<order>.*?)\?>|<!DOCTYPE[^>\[]*>"
    r"|<(?P<end>/?)(?P<name>[^\s<>/!?]+)(?P<rest>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>|(?P<text>[^<]+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(\s+)([^\s=]+)(\s*=\s*)(?:\"([^\"]*)\"|'([^']*)')")
_ENTITY = re.compile(r"&(?:#x([0-9A-Fa-f]+)|#(\d+)|([A-Za-z][A-Za-z0-9]*));")
_MEANT = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENCODING = re.compile(r"(encoding\s*=\s*)(\"[^\"]*\"|'[^']*')")
_STYLE = re.compile(r"xml-stylesheet(?:\s+(?:type|href|media|title)\s*=\s*[\"'][\w./:-]{1,80}[\"'])+\s*")
_REFERENCE = re.compile(r"(?:[A-Z][A-Za-z]{2,40}/|urn:(?:uuid|oid):|#)")
_SPECIFICATIONS = {"http://hl7.org/fhir": "fhir", "http://www.nemsis.org": "nemsis", "urn:hl7-org:v3": "cda"}

Known = Callable[[str], bool]


def read(text: str, known: Known | None, group: int = 0) -> tuple[Parsed, str]:
    """Read a document; say whether it is ``cda``, ``fhir``, ``nemsis`` or other ``xml``.

    `known` tells names of elements whose words are on lists; groups of texts are numbered from `group` on.

    Raises
    ------
    NoMessage
        If it is no XML, or defines entities.
    """
    text = text.removeprefix("\ufeff")
    _check(text)
    walk = _XmlWalk(known, group)
    for match in _TOKEN.finditer(text):
        walk.take(match)
    form = "xml" if walk.form == "cda" and walk.root not in ("ClinicalDocument", "document") else walk.form
    return walk.parsed, form


def _check(text: str) -> None:
    """Let a parser say whether it is XML. Undeclared prefixes, as in a part of a document, are allowed."""
    parser = expat.ParserCreate("utf-8")

    def refuse(_name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if has_subset:
            raise NoMessage

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(_ENTITY.sub(_numbered, text).encode("utf-8"), True)
    except (expat.ExpatError, UnicodeEncodeError):
        raise NoMessage from None


def _numbered(match: re.Match[str]) -> str:
    """Write the entities of HTML, which XML does not know, as numbers."""
    letters = html5.get(f"{match[3]};") if match[3] and match[3] not in _MEANT else None
    return "".join(f"&#{ord(letter)};" for letter in letters) if letters else match[0]


def _decode(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        if match[3]:
            return _MEANT.get(match[3]) or html5.get(f"{match[3]};", match[0])
        return chr(int(match[1], 16) if match[1] else int(match[2]))

    return _ENTITY.sub(one, text)


def _encode(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _encode_value(text: str) -> str:
    return _encode(text).replace('"', "&quot;").replace("'", "&apos;").replace("\n", "&#10;")


def _encode_data(text: str) -> str:
    return text.replace("]]>", "]] >")


class _XmlWalk:
    """Goes through the tags of a document."""

    def __init__(self, known: Known | None, group: int) -> None:
        self.parsed = Parsed()
        self.known = known
        self.path: list[str] = []
        self.types: list[dict[str, str]] = []
        self.nodes: list[dict[str, Any]] = [{}]  # of FHIR: the values of each open element that were met
        self.root = self.form = ""
        self.group = group
        self.glue = "\n"
        self.parts: dict[str, list[str]] = {}  # of a name or an address that is open

    def take(self, match: re.Match[str]) -> None:
        if match["name"]:
            self._end(match) if match["end"] else self._start(match)
        elif match["text"] is not None:
            self._text(match["text"], _decode(match["text"]), _encode)
        elif match["data"] is not None:
            self.parsed.pieces.append("<![CDATA[")
            self._text(match["data"], match["data"], _encode_data)
            self.parsed.pieces.append("]]>")
        elif match["order"] is not None:
            self._order(match["order"])  # a comment does not come out

    def _order(self, order: str) -> None:
        if order.startswith("xml") and order[3:4].isspace():
            written = _ENCODING.sub(r'\1"UTF-8"', order)  # what is written is UTF-8
            self.parsed.pieces.append(f"<?{written}?>")
        elif _STYLE.fullmatch(order):
            self.parsed.pieces.append(f"<?{order}?>")

    def _specification(self, name: str, rest: str) -> str:
        self.root = name
        space = next((_decode(m[4] or m[5] or "") for m in _ATTRIBUTE.finditer(rest) if m[2] == "xmlns"), "")
        return _SPECIFICATIONS.get(space, "nemsis" if name in ("EMSDataSet", "DEMDataSet") else "cda")

    def _start(self, match: re.Match[str]) -> None:
        name = match["name"].rpartition(":")[2]
        rest = match["rest"]
        closed = rest.endswith("/")
        attributes = {
            m[2].rpartition(":")[2]: _decode(m[4] if m[4] is not None else m[5]) for m in _ATTRIBUTE.finditer(rest)
        }
        self.form = self.form or self._specification(name, rest)
        self.path.append(name)
        self.types.append(attributes)
        if len(self.path) > DEEPEST:
            raise NoMessage
        self.nodes.append({"resourceType": name} if fhir_fields.is_type(name) else {})
        if name in BLOCKS or name == "br":
            self.glue = "\n"
        if name in ("text", "div", "section", "title") and "text" not in self.path[:-1]:
            self.group += 1
        if name in ("name", "addr") and self.form != "fhir":
            self.parts = {"kind": [name]}
        self._tag("<", match["name"])
        self._attributes(rest, attributes)
        self.parsed.pieces.append("/>" if closed else ">")
        if closed:
            self._leave()

    def _end(self, match: re.Match[str]) -> None:
        self._tag("</", match["name"])
        self.parsed.pieces.append(match["rest"] + ">")
        self._leave()

    def _tag(self, mark: str, name: str) -> None:
        """Write the name of an element, or a mask where neither the standard nor a list knows it."""
        prefix, _, plain = name.rpartition(":")
        fhir = self.form == "fhir"
        known = plain in ELEMENTS or (fhir and (fhir_fields.is_element(plain) or fhir_fields.is_type(plain)))
        known = known or (self.form == "nemsis" and nemsis_fields.is_element(plain))
        self.parsed.pieces.append(mark)
        self._name(plain, known or (self.form != "fhir" and self._is_listed(plain)), f"{prefix}:" if prefix else "")

    def _is_listed(self, name: str) -> bool:
        return self.known is not None and self.known(name)

    def _name(self, name: str, known: bool, prefix: str = "") -> None:
        if prefix:
            self.parsed.pieces.append(prefix)
        self.parsed.pieces.append(name if known else Leaf(name, "key", str, name))

    def _leave(self) -> None:
        name = self.path.pop()
        self.types.pop()
        node = self.nodes.pop()
        if name in BLOCKS:
            self.glue = "\n"
        if self.form == "fhir":
            if len(node) > ("resourceType" in node):
                fhir_fields.facts_of(self.parsed, node, [*self._fhir_path(), name], lambda _: "")
                _put(self.nodes[-1], name, node)
        elif name in ("name", "addr") and self.parts.get("kind") == [name]:
            self._close(name)

    def _close(self, name: str) -> None:
        parts, self.parts = self.parts, {}
        words = [word for key, some in parts.items() if key not in ("kind", "given", "family") for word in some]
        if name == "addr":
            self.parsed.know("addresses", ", ".join(words))
        elif is_institution(self.path):
            self.parsed.know_institution(" ".join(words))
        elif is_person(self.path):
            whole = [*parts.get("given", []), *parts.get("family", [])] or parts.get("name", [])
            self.parsed.know("names", " ".join(whole))

    def _fhir_path(self) -> list[str]:
        return [name for name in self.path if not fhir_fields.is_type(name)]

    def _attributes(self, rest: str, attributes: dict[str, str]) -> None:
        last = 0
        for match in _ATTRIBUTE.finditer(rest):
            raw = match[4] if match[4] is not None else match[5]
            mark = '"' if match[4] is not None else "'"
            name, value = match[2], _decode(raw)
            role = self._attribute_role(name, attributes, value)
            prefix, _, plain = name.rpartition(":")
            self.parsed.pieces.append(match[1])
            self._name(plain, role != "unknown" or self._is_listed(plain), f"{prefix}:" if prefix else "")
            self.parsed.pieces.append(f"{match[3]}{mark}")
            self._value(value, role, raw)
            self.parsed.pieces.append(mark)
            self._know(name, role, value)
            last = match.end()
        self.parsed.pieces.append(rest[last:].rstrip("/"))

    def _attribute_role(self, name: str, attributes: dict[str, str], value: str) -> str:
        if self.form != "fhir" or name.startswith("xml") or "div" in self.path:
            return attribute_role(self.path, name, attributes, value)
        if name == "value":
            _put(self.nodes[-2], self.path[-1], value)
            role = fhir_fields.role_of(self._fhir_path(), self.nodes[:-1], value)
            return "other-id" if role in ("base64", "narrative") else role
        return fhir_fields.role_of(["extension", name], [{}], value) if name in ("url", "id") else "unknown"

    def _value(self, value: str, role: str, raw: str) -> None:
        if not raw or role == "fixed":
            self.parsed.pieces.append(raw)
        elif role == "anchor":
            mark = "#" if value.startswith("#") else ""
            self.parsed.pieces.append(mark)
            plain = value.removeprefix("#")
            self._name(plain, len(plain) < 41 and not re.search(r"\d{4}", plain) and self._is_listed(plain))
        elif role in ("reference", "other-id") and (start := _REFERENCE.match(value)):
            rest = value[start.end() :]
            self.parsed.pieces += [start[0], Leaf(rest, "other-id", _encode_value, _encode_value(rest))]
        else:
            role = "other-id" if role == "reference" else role
            encode = as_number("90") if role == "age-over-89" else _encode_value
            self.parsed.pieces.append(Leaf(value, role, encode, raw))

    def _know(self, name: str, role: str, value: str) -> None:
        if self.form == "fhir":
            return
        if role == "contact":
            plain = value.partition(":")[2] or value
            self.parsed.know("other" if "@" in plain else "phones", plain)
        elif role == "birth-date":
            self.parsed.know("birth_date", value[:8])
        elif role == "other-id" and name == "extension":
            self.parsed.know("other", value)
            if self.path[-2:] == ["patientRole", "id"]:
                self.parsed.know("id", value)

    def _text(self, raw: str, text: str, encode: Callable[[str], str]) -> None:
        plain = text.strip()
        if not plain or not self.path:
            self.parsed.pieces.append(raw)
            if raw and self.glue == "":
                self.glue = " "
            return
        begin = raw[: len(raw) - len(raw.lstrip())]
        end = raw[len(raw.rstrip()) :]
        if self.form == "nemsis":
            role = nemsis_fields.role_of(self.path[-1], plain)
        else:
            role = text_role(self.path, self.types)
        if self.parts:
            self.parts.setdefault(self.path[-1], []).append(plain)
        group = self.group if role == "text" and ("text" in self.path or "div" in self.path) else 0
        glue = self.glue or (" " if begin else "")
        self.parsed.pieces += [begin, Leaf(plain, role, encode, raw.strip(), group, glue), end]
        self.glue = " " if end else ""


def _put(node: dict[str, Any], name: str, value: Any) -> None:
    """Note a value of an element; of several, a list."""
    if name in node:
        node[name] = [*(node[name] if isinstance(node[name], list) else [node[name]]), value]
    else:
        node[name] = value
