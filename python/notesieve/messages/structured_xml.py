"""XML: C-CDA documents and XHTML by the path of each text and attribute. Only values change, no blank."""

from __future__ import annotations

import re
from xml.parsers import expat

from notesieve.messages.cda_fields import PLACED, attribute_role, text_role
from notesieve.messages.parsed import DEEPEST, Leaf, NoMessage, Parsed

__all__ = ["read"]

_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?(?P<order>.*?)\?>"
    r"|<(?P<end>/?)(?P<name>[^\s<>/!?]+)(?P<rest>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>|(?P<text>[^<]+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(\s+)([^\s=]+)(\s*=\s*)(?:\"([^\"]*)\"|'([^']*)')")
_ENTITY = re.compile(r"&(?:#x([0-9A-Fa-f]+)|#(\d+)|(amp|lt|gt|quot|apos));")
_MEANT = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENCODING = re.compile(r"(encoding\s*=\s*)(\"[^\"]*\"|'[^']*')")
_STYLE = re.compile(r"xml-stylesheet(?:\s+(?:type|href)\s*=\s*[\"'][\w./-]{1,60}[\"'])+\s*")


def read(text: str) -> tuple[Parsed, str]:
    """Read a document; tell whether it is ``cda`` or other ``xml``.

    Raises
    ------
    NoMessage
        If it is no XML, or defines entities or anything else before its root.
    """
    _check(text)
    walk = _XmlWalk()
    for match in _TOKEN.finditer(text.removeprefix("\ufeff")):
        walk.take(match)
    return walk.parsed, "cda" if walk.root == "ClinicalDocument" else "xml"


def _check(text: str) -> None:
    """Let a parser say whether it is XML."""
    parser = expat.ParserCreate("utf-8", namespace_separator=" ")

    def refuse(*_: object) -> None:
        raise NoMessage

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text.removeprefix("\ufeff").encode("utf-8"), True)
    except (expat.ExpatError, UnicodeEncodeError):
        raise NoMessage from None


def _decode(text: str) -> str:
    return _ENTITY.sub(lambda m: _MEANT[m[3]] if m[3] else chr(int(m[1], 16) if m[1] else int(m[2])), text)


def _encode(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _encode_value(text: str) -> str:
    return _encode(text).replace('"', "&quot;").replace("'", "&apos;").replace("\n", "&#10;")


def _encode_data(text: str) -> str:
    return text.replace("]]>", "]] >")


class _XmlWalk:
    """Goes through the tags of a document."""

    def __init__(self) -> None:
        self.parsed = Parsed()
        self.path: list[str] = []
        self.types: list[dict[str, str]] = []
        self.root = ""
        self.group = 0
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
            told = _ENCODING.sub(r'\1"UTF-8"', order)  # what is written is UTF-8
            self.parsed.pieces.append(f"<?{told}?>")
        elif _STYLE.fullmatch(order):
            self.parsed.pieces.append(f"<?{order}?>")

    def _start(self, match: re.Match[str]) -> None:
        name = match["name"].rpartition(":")[2]
        self.root = self.root or name
        rest = match["rest"]
        closed = rest.endswith("/")
        attributes = {
            m[2].rpartition(":")[2]: _decode(m[4] if m[4] is not None else m[5]) for m in _ATTRIBUTE.finditer(rest)
        }
        self.path.append(name)
        self.types.append(attributes)
        if len(self.path) > DEEPEST:
            raise NoMessage
        if name in ("text", "div", "section", "title") and self.path[:-1].count("text") == 0:
            self.group += 1
        if name in ("name", "addr"):
            self.parts = {"kind": [name]}
        self.parsed.pieces.append(f"<{match['name']}")
        self._attributes(rest, attributes)
        self.parsed.pieces.append("/>" if closed else ">")
        if closed:
            self._leave()

    def _end(self, match: re.Match[str]) -> None:
        self.parsed.pieces.append(match[0])
        self._leave()

    def _leave(self) -> None:
        name = self.path.pop()
        self.types.pop()
        if name in ("name", "addr") and self.parts.get("kind") == [name]:
            self._close(name)

    def _close(self, name: str) -> None:
        parts, self.parts = self.parts, {}
        words = [word for key, some in parts.items() if key not in ("kind", "given", "family") for word in some]
        if name == "addr":
            self.parsed.know("addresses", ", ".join(words))
        elif PLACED.intersection(self.path[-2:]):
            self.parsed.know("addresses", " ".join(words))
        else:
            whole = [*parts.get("given", []), *parts.get("family", [])] or parts.get("name", [])
            self.parsed.know("names", " ".join(whole))

    def _attributes(self, rest: str, attributes: dict[str, str]) -> None:
        last = 0
        for match in _ATTRIBUTE.finditer(rest):
            raw = match[4] if match[4] is not None else match[5]
            mark = '"' if match[4] is not None else "'"
            value = _decode(raw)
            name = match[2]
            role = attribute_role(self.path, name, attributes, value)
            self.parsed.pieces.append(f"{match[1]}{name}{match[3]}{mark}")
            self.parsed.pieces.append(Leaf(value, role, _encode_value, raw) if raw else "")
            self.parsed.pieces.append(mark)
            self._know(name, role, value)
            last = match.end()
        self.parsed.pieces.append(rest[last:].rstrip("/"))

    def _know(self, name: str, role: str, value: str) -> None:
        if role == "contact":
            plain = value.partition(":")[2] or value
            self.parsed.know("other" if "@" in plain else "phones", plain)
        elif role == "birth_date":
            self.parsed.know("birth_date", value[:8])
        elif role == "id" and name == "extension" and sum(letter.isdigit() for letter in value) > 3:
            self.parsed.know("other", value)
            if self.path[-2:] == ["patientRole", "id"]:
                self.parsed.know("id", value)

    def _text(self, raw: str, text: str, encode: object) -> None:
        plain = text.strip()
        if not plain or not self.path:
            self.parsed.pieces.append(raw)
            return
        begin = raw[: len(raw) - len(raw.lstrip())]
        end = raw[len(raw.rstrip()) :]
        role = text_role(self.path, self.types)
        if self.parts:
            self.parts.setdefault(self.path[-1], []).append(plain)
        group = self.group if role == "text" else 0
        leaf = Leaf(plain, role, encode, raw.strip(), group)  # type: ignore[arg-type]
        self.parsed.pieces += [begin, leaf, end]
