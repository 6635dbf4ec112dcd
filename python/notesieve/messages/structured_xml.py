"""XML: HL7 version 3 such as C-CDA, FHIR, NEMSIS and XHTML, by the position of each text and attribute."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import Any, Literal
from xml.parsers import expat

from notesieve.messages import fhir_fields, nemsis_fields
from notesieve.messages.cda_fields import BLOCKS, ELEMENTS, attribute_role, is_institution, is_person, text_role
from notesieve.messages.parsed import MAX_DEPTH, FieldValue, MessageParseError, ParsedMessage, encode_as_number

_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?(?P<instruction>.*?)\?>|<!DOCTYPE[^>\[]*>"
    r"|<(?P<end>/?)(?P<name>[^\s<>/!?]+)(?P<rest>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>|(?P<text>[^<]+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(\s+)([^\s=]+)(\s*=\s*)(?:\"([^\"]*)\"|'([^']*)')")
_ENTITY = re.compile(r"&(?:#x([0-9A-Fa-f]+)|#(\d+)|([A-Za-z][A-Za-z0-9]*));")
_NAMED_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENCODING = re.compile(r"(encoding\s*=\s*)(\"[^\"]*\"|'[^']*')")
_STYLE = re.compile(r"xml-stylesheet(?:\s+(?:type|href|media|title)\s*=\s*[\"'][\w./:-]{1,80}[\"'])+\s*")
_REFERENCE = re.compile(r"(?:[A-Z][A-Za-z]{2,40}/|urn:(?:uuid|oid):|#)")
XmlFormat = Literal["cda", "fhir", "nemsis", "xml"]
"""C-CDA and other HL7 version 3, FHIR, NEMSIS, or any other XML."""

_FORMATS: dict[str, XmlFormat] = {
    "http://hl7.org/fhir": "fhir",
    "http://www.nemsis.org": "nemsis",
    "urn:hl7-org:v3": "cda",
}

IsKnownName = Callable[[str], bool]


def parse_xml(text: str, is_known_name: IsKnownName | None, first_group: int = 0) -> tuple[ParsedMessage, XmlFormat]:
    """Parse an XML document, and determine its format.

    Parameters
    ----------
    text : str
        The document.
    is_known_name : callable, optional
        Returns whether the name of an element or an attribute that the standard does not define may be written; other
        names are masked. None: all of them are masked.
    first_group : int
        Groups of texts that are scrubbed together are numbered above this; documents in one message need distinct
        numbers.

    Raises
    ------
    MessageParseError
        If it is not well-formed XML, has characters that UTF-8 cannot encode, has an internal DTD subset (which may
        define entities), or is nested deeper than `MAX_DEPTH`.
    """
    text = text.removeprefix("\ufeff")
    _check_well_formed(text)
    walker = _XmlWalker(is_known_name, first_group)
    for match in _TOKEN.finditer(text):
        walker.handle_token(match)
    other = walker.format == "cda" and walker.root not in ("ClinicalDocument", "document")
    return walker.parsed, "xml" if other or walker.format is None else walker.format


def _check_well_formed(text: str) -> None:
    """Raise the errors of `parse_xml`. Undeclared prefixes, as in a fragment of a document, are allowed."""
    parser = expat.ParserCreate("utf-8")

    def refuse_doctype(_name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if has_subset:
            raise MessageParseError

    parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        parser.Parse(_ENTITY.sub(_numeric_entity, text).encode("utf-8"), True)
    except (expat.ExpatError, UnicodeEncodeError):
        raise MessageParseError from None


def _numeric_entity(match: re.Match[str]) -> str:
    """Replace an HTML entity, which XML does not define, by its numeric form."""
    letters = html5.get(f"{match[3]};") if match[3] and match[3] not in _NAMED_ENTITIES else None
    return "".join(f"&#{ord(letter)};" for letter in letters) if letters else match[0]


def _decode_entities(text: str) -> str:
    def decode_entity(match: re.Match[str]) -> str:
        if match[3]:
            return _NAMED_ENTITIES.get(match[3]) or html5.get(f"{match[3]};", match[0])
        return chr(int(match[1], 16) if match[1] else int(match[2]))

    return _ENTITY.sub(decode_entity, text)


def _encode_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _encode_attribute(text: str) -> str:
    return _encode_text(text).replace('"', "&quot;").replace("'", "&apos;").replace("\n", "&#10;")


def _encode_cdata(text: str) -> str:
    return text.replace("]]>", "]] >")


class _XmlWalker:
    """Walks through the tags and texts of a document, and collects the pieces of the message."""

    def __init__(self, is_known_name: IsKnownName | None, group: int) -> None:
        self.parsed = ParsedMessage()
        self.is_known_name = is_known_name
        self.path: list[str] = []
        self.types: list[dict[str, str]] = []
        self.nodes: list[dict[str, Any]] = [{}]  # FHIR only: the values seen so far in each open element
        self.root = ""
        self.format: XmlFormat | None = None
        self.group = group
        self.separator = "\n"
        self.parts: dict[str, list[str]] = {}  # the parts of the name or address that is open

    def handle_token(self, match: re.Match[str]) -> None:
        if match["name"]:
            self._end_tag(match) if match["end"] else self._start_tag(match)
        elif match["text"] is not None:
            self._add_text(match["text"], _decode_entities(match["text"]), _encode_text)
        elif match["data"] is not None:
            self.parsed.pieces.append("<![CDATA[")
            self._add_text(match["data"], match["data"], _encode_cdata)
            self.parsed.pieces.append("]]>")
        elif match["instruction"] is not None:
            self._add_allowed_instruction(match["instruction"])  # comments are dropped

    def _add_allowed_instruction(self, instruction: str) -> None:
        if instruction.startswith("xml") and instruction[3:4].isspace():
            written = _ENCODING.sub(r'\1"UTF-8"', instruction)  # the output is in UTF-8
            self.parsed.pieces.append(f"<?{written}?>")
        elif _STYLE.fullmatch(instruction):
            self.parsed.pieces.append(f"<?{instruction}?>")

    def _format_of_root(self, name: str, rest: str) -> XmlFormat:
        self.root = name
        space = next((_decode_entities(m[4] or m[5] or "") for m in _ATTRIBUTE.finditer(rest) if m[2] == "xmlns"), "")
        return _FORMATS.get(space, "nemsis" if name in ("EMSDataSet", "DEMDataSet") else "cda")

    def _start_tag(self, match: re.Match[str]) -> None:
        name = match["name"].rpartition(":")[2]
        rest = match["rest"]
        closed = rest.endswith("/")
        attributes = {
            m[2].rpartition(":")[2]: _decode_entities(m[4] if m[4] is not None else m[5])
            for m in _ATTRIBUTE.finditer(rest)
        }
        if self.format is None:
            self.format = self._format_of_root(name, rest)
        self.path.append(name)
        self.types.append(attributes)
        if len(self.path) > MAX_DEPTH:
            raise MessageParseError
        self.nodes.append({"resourceType": name} if fhir_fields.is_type(name) else {})
        if name in BLOCKS or name == "br":
            self.separator = "\n"
        if name in ("text", "div", "section", "title") and "text" not in self.path[:-1]:
            self.group += 1
        if name in ("name", "addr") and self.format != "fhir":
            self.parts = {"kind": [name]}
        self._add_tag("<", match["name"])
        self._add_attributes(rest, attributes)
        self.parsed.pieces.append("/>" if closed else ">")
        if closed:
            self._leave_element()

    def _end_tag(self, match: re.Match[str]) -> None:
        self._add_tag("</", match["name"])
        self.parsed.pieces.append(match["rest"] + ">")
        self._leave_element()

    def _add_tag(self, mark: str, name: str) -> None:
        """Add the name of an element, or a mask if neither the standard nor a list contains it."""
        prefix, _, plain = name.rpartition(":")
        fhir = self.format == "fhir"
        known = plain in ELEMENTS or (fhir and (fhir_fields.is_element(plain) or fhir_fields.is_type(plain)))
        known = known or (self.format == "nemsis" and nemsis_fields.is_element(plain))
        self.parsed.pieces.append(mark)
        self._add_name(
            plain, known or (self.format != "fhir" and self._is_listed(plain)), f"{prefix}:" if prefix else ""
        )

    def _is_listed(self, name: str) -> bool:
        return self.is_known_name is not None and self.is_known_name(name)

    def _add_name(self, name: str, known: bool, prefix: str = "") -> None:
        if prefix:
            self.parsed.pieces.append(prefix)
        self.parsed.pieces.append(name if known else FieldValue(name, "key", str, name))

    def _leave_element(self) -> None:
        name = self.path.pop()
        self.types.pop()
        node = self.nodes.pop()
        if name in BLOCKS:
            self.separator = "\n"
        if self.format == "fhir":
            if len(node) > ("resourceType" in node):
                fhir_fields.add_patient_fields(self.parsed, node, [*self._fhir_path(), name], lambda _: "")
                _append_child(self.nodes[-1], name, node)
        elif name in ("name", "addr") and self.parts.get("kind") == [name]:
            self._add_name_or_address(name)

    def _add_name_or_address(self, name: str) -> None:
        parts, self.parts = self.parts, {}
        words = [word for key, some in parts.items() if key not in ("kind", "given", "family") for word in some]
        if name == "addr":
            self.parsed.add_patient_field("addresses", ", ".join(words))
        elif is_institution(self.path):
            self.parsed.add_institution(" ".join(words))
        elif is_person(self.path):
            whole = [*parts.get("given", []), *parts.get("family", [])] or parts.get("name", [])
            self.parsed.add_patient_field("names", " ".join(whole))

    def _fhir_path(self) -> list[str]:
        return [name for name in self.path if not fhir_fields.is_type(name)]

    def _add_attributes(self, rest: str, attributes: dict[str, str]) -> None:
        last = 0
        for match in _ATTRIBUTE.finditer(rest):
            raw = match[4] if match[4] is not None else match[5]
            mark = '"' if match[4] is not None else "'"
            name, value = match[2], _decode_entities(raw)
            role = self._attribute_role(name, attributes, value)
            prefix, _, plain = name.rpartition(":")
            self.parsed.pieces.append(match[1])
            self._add_name(plain, role != "unknown" or self._is_listed(plain), f"{prefix}:" if prefix else "")
            self.parsed.pieces.append(f"{match[3]}{mark}")
            self._add_value(value, role, raw)
            self.parsed.pieces.append(mark)
            self._add_patient_field(name, role, value)
            last = match.end()
        self.parsed.pieces.append(rest[last:].rstrip("/"))

    def _attribute_role(self, name: str, attributes: dict[str, str], value: str) -> str:
        if self.format != "fhir" or name.startswith("xml") or "div" in self.path:
            return attribute_role(self.path, name, attributes, value)
        if name == "value":
            _append_child(self.nodes[-2], self.path[-1], value)
            role = fhir_fields.role_of(self._fhir_path(), self.nodes[:-1], value)
            return "other-id" if role in ("base64", "narrative") else role
        return fhir_fields.role_of(["extension", name], [{}], value) if name in ("url", "id") else "unknown"

    def _add_value(self, value: str, role: str, raw: str) -> None:
        if not raw or role == "fixed":
            self.parsed.pieces.append(raw)
        elif role == "anchor":
            mark = "#" if value.startswith("#") else ""
            self.parsed.pieces.append(mark)
            plain = value.removeprefix("#")
            self._add_name(plain, len(plain) < 41 and not re.search(r"\d{4}", plain) and self._is_listed(plain))
        elif role in ("reference", "other-id") and (start := _REFERENCE.match(value)):
            rest = value[start.end() :]
            self.parsed.pieces += [start[0], FieldValue(rest, "other-id", _encode_attribute, _encode_attribute(rest))]
        else:
            role = "other-id" if role == "reference" else role
            encode = encode_as_number("90") if role == "age-over-89" else _encode_attribute
            self.parsed.pieces.append(FieldValue(value, role, encode, raw))

    def _add_patient_field(self, name: str, role: str, value: str) -> None:
        if self.format == "fhir":
            return
        if role == "contact":
            plain = value.partition(":")[2] or value
            self.parsed.add_patient_field("other" if "@" in plain else "phones", plain)
        elif role == "birth-date":
            self.parsed.add_patient_field("birth_date", value[:8])
        elif role == "other-id" and name == "extension":
            self.parsed.add_patient_field("other", value)
            if self.path[-2:] == ["patientRole", "id"]:
                self.parsed.add_patient_field("id", value)

    def _add_text(self, raw: str, text: str, encode: Callable[[str], str]) -> None:
        plain = text.strip()
        if not plain or not self.path:
            self.parsed.pieces.append(raw)
            if raw and self.separator == "":
                self.separator = " "
            return
        begin = raw[: len(raw) - len(raw.lstrip())]
        end = raw[len(raw.rstrip()) :]
        if self.format == "nemsis":
            role = nemsis_fields.role_of(self.path[-1], plain)
        else:
            role = text_role(self.path, self.types)
        if self.parts:
            self.parts.setdefault(self.path[-1], []).append(plain)
        group = self.group if role == "text" and ("text" in self.path or "div" in self.path) else 0
        separator = self.separator or (" " if begin else "")
        self.parsed.pieces += [begin, FieldValue(plain, role, encode, raw.strip(), group, separator), end]
        self.separator = " " if end else ""


def _append_child(node: dict[str, Any], name: str, value: Any) -> None:
    """Add a value under a name; repeated names collect their values in a list."""
    if name in node:
        node[name] = [*(node[name] if isinstance(node[name], list) else [node[name]]), value]
    else:
        node[name] = value
