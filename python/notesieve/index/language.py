"""The query language: parses a text into a tree, or raises an error with the position of the problem.

query    = and ("OR" and)*
and      = not (["AND"] not)*
not      = "NOT" not | near
near     = item ["NEAR" ["/" n] item]
item     = "ATLEAST/" n item | "(" query ")" | word | word"*" | "phrase" | "*" | field | value
field    = said (CURIE | name | "name") ["!"] | "type:" name | "year:" years | "saved:" name
value    = [said] (CURIE | name | "name") ["!"] (">" | ">=" | "<" | "<=" | "=") number [unit]
         | "date:" dates | "age:" years | "sex:" ("female" | "male" | "other" | "unknown" | "f" | "m")
said     = "code:" | "any:" | "negated:" | "hypothetical:" | "historical:" | "possible:" | "family:"
years    = 2004 | 2004..2008 | 2004.. | ..2008 | >=2004 | <=2008
dates    = the same of 2004, 2004-03 and 2004-03-17
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from notesieve._core import unit_name
from notesieve.errors import QueryError
from notesieve.index import query as nodes
from notesieve.index.note_attributes import MAX_AGE, SEX_BY_SPELLING
from notesieve.index.ranges import EXAMPLES, parse_range
from notesieve.index.words import words
from notesieve.statuses import ASKED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Distance in words of a NEAR without a number.
_DEFAULT_DISTANCE = 10
# Far deeper than any real query, and shallow enough not to exhaust the stack.
_MAX_DEPTH = 40
MAX_QUERY_LENGTH = 10_000

# `>2`, `>= 8.0 %`: the unit ends at the next blank and must be a known unit of values.
_COMPARISON = re.compile(
    r"""(?:(?P<said>[a-z]+):)?(?P<name>"[^"]+"!?|[^\W\d_][^\s()"<>=]*(?<!:))\s*(?P<sign>>=|<=|>|<|=)\s*
    (?P<number>[-+]?\d+(?:\.\d+)?)(?P<unit>[^\s()\d"][^\s()"]*)?(?![^\s()])""",
    re.VERBOSE,
)
_UNIT = re.compile(r"\s+([^\s()\d\"<>=][^\s()\"<>=]*)(?![^\s()])")
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<open>\() | (?P<close>\))
    | (?P<operator>(?:AND|OR|NOT)(?![^\s()"]) | (?:NEAR|ATLEAST)(?:/\d+)?(?![^\s()"]))
    | (?P<field>[a-z]+):(?P<value>"[^"]*"!?|[^\s()"]+)?
    | (?P<phrase>"[^"]*")
    | (?P<word>[^\s()"]+)
    | (?P<end>$)
    )""",
    re.VERBOSE,
)
_CURIE = re.compile(r"[A-Za-z][A-Za-z0-9_]*:\S+")
# Syntax of other query languages that would silently search for the bare word here.
_MISTAKEN = (
    (re.compile(r"[-!]\*?[^\W\d_]"), "has a - or ! before a word; NOT word finds the notes without it"),
    (re.compile(r"\+[^\W\d_]"), "has a + before a word; words that must occur are joined by AND, or by nothing"),
    (re.compile(r".*\*\w"), "has a * that is not at the end of a word; only word* is understood"),
    (re.compile(r".*\w\?"), "has a ? at a word; no sign stands for one letter: write word*, or OR"),
    (re.compile(r".*\w[~^][\d.]*$"), "has a ~ or ^ at a word, which mean nothing here"),
    (re.compile("(?i:and|or|not)$"), "has an operator in small letters: write AND, OR, NOT; the word itself is quoted"),
    (re.compile(r"(?i:near|atleast)/\d+$"), "has an operator in small letters: write NEAR/5, ATLEAST/3"),
    (re.compile(r"/|.*[][{}|\\]"), "has a regular expression, which is not understood: write word*, or OR"),
    (re.compile("WITHOUT$"), "has WITHOUT, which begins a step of an attrition; in a query it is NOT"),
)
_UNKNOWN = re.compile(r"([^\W\d]\w*):.")
_CODES = {"code": "affirmed", **{asked: asked for asked in ASKED[1:]}}
_FIELDS = f"{', '.join(f'{field}:' for field in _CODES)}, type:, year:, date:, age:, sex: and saved:"


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    value: str
    at: int


def parse(
    text: str,
    resolve: Callable[[str, str, int], tuple[str, ...]],
    saved: Mapping[str, str] | None = None,
    check: Callable[[str, str, int], None] | None = None,
) -> nodes.Node:
    """Parse a query.

    Parameters
    ----------
    text : str
        The query.
    resolve : callable
        Returns the codes of a name; called with the name, the query and the position of the name.
    saved : mapping of str to str, optional
        Saved queries by name.
    check : callable, optional
        Raises for an unknown code; called like `resolve`.

    Returns
    -------
    Node
        The parsed query.

    Raises
    ------
    QueryError
        If the query cannot be understood; the message has the position.

    Examples
    --------
    >>> print(parse("fever AND NOT (cough OR type:letter)", lambda name, query, at: ()))
    (NOT (cough OR type:"letter")) AND fever
    """
    return _Parser(text, resolve, saved or {}, check, ()).parse_query()


class _Parser:
    def __init__(
        self,
        text: str,
        resolve: Callable[[str, str, int], tuple[str, ...]],
        saved: Mapping[str, str],
        check: Callable[[str, str, int], None] | None,
        open_names: tuple[str, ...],
    ) -> None:
        self.text, self.resolve, self.saved, self.check, self.open_names = text, resolve, saved, check, open_names
        if len(text) > MAX_QUERY_LENGTH:
            self.raise_error(MAX_QUERY_LENGTH, f"is longer than {MAX_QUERY_LENGTH} characters")
        self.depth = 0
        self.at = 0
        self.token = self.read_token()

    def raise_error(self, at: int, reason: str) -> NoReturn:
        raise QueryError(reason, self.text, at)

    def read_token(self) -> _Token:
        blanks = len(self.text[self.at :]) - len(self.text[self.at :].lstrip())
        measured = _COMPARISON.match(self.text, self.at + blanks)
        if measured is not None and measured["said"] not in {"year", "type", "saved"}:
            return self.read_comparison(measured)
        match = _TOKEN.match(self.text, self.at)
        if match is None:  # only an unclosed quotation mark matches nothing
            self.raise_error(self.text.index('"', self.at), "has a quotation mark that is never closed")
        self.at = match.end()
        # `lastgroup` of a field is its value.
        kind = "field" if match["field"] is not None else str(match.lastgroup)
        return _Token(kind, match[kind], match["value"] or "", match.start(kind))

    def read_comparison(self, match: re.Match[str]) -> _Token:
        """Read a comparison, whose unit may follow after a blank."""
        self.at = match.end()
        unit = match["unit"] or ""
        if not unit and (behind := _UNIT.match(self.text, self.at)) and unit_name(behind[1]) is not None:
            unit, self.at = behind[1], behind.end()
        return _Token("value", self.text[match.start() : match.end()], unit, match.start())

    def next_token(self) -> _Token:
        token = self.token
        self.token = self.read_token()
        return token

    def is_operator(self, *names: str) -> bool:
        return self.token.kind == "operator" and self.token.text.split("/")[0] in names

    # ---- the grammar, one method per rule

    def parse_query(self) -> nodes.Node:
        if self.token.kind == "end":
            self.raise_error(0, "is empty; * stands for all notes")
        node = self.parse_or()
        if self.token.kind == "close":
            self.raise_error(self.token.at, "has a closing parenthesis without an opening one")
        return node

    def parse_or(self) -> nodes.Node:
        operands = [self.parse_and()]
        while self.is_operator("OR"):
            self.next_token()
            operands.append(self.parse_and())
        return nodes.join_operands(nodes.Or, operands)

    def parse_and(self) -> nodes.Node:
        operands = [self.parse_not()]
        while self.token.kind not in {"end", "close"} and not self.is_operator("OR"):
            if self.is_operator("AND"):
                self.next_token()
            elif self.is_operator("NEAR"):
                self.raise_error(self.token.at, "has a NEAR after a NEAR; join two of them by AND")
            operands.append(self.parse_not())
        return nodes.join_operands(nodes.And, operands)

    def parse_not(self) -> nodes.Node:
        if not self.is_operator("NOT"):
            return self.parse_near()
        at = self.next_token().at
        self.enter_level(at)
        node = nodes.Not(self.parse_not())
        self.depth -= 1
        return node

    def parse_near(self) -> nodes.Node:
        at = self.token.at
        left = self.parse_item()
        if not self.is_operator("NEAR"):
            return left
        operator = self.next_token()
        right_at = self.token.at
        right = self.parse_item()
        self.require_positions(left, at, "NEAR")
        self.require_positions(right, right_at, "NEAR")
        return nodes.Near(left, right, self.parse_number(operator, _DEFAULT_DISTANCE))

    def parse_item(self) -> nodes.Node:
        token = self.next_token()
        match token.kind:
            case "open":
                self.enter_level(token.at)
                node = self.parse_or()
                if self.token.kind != "close":
                    self.raise_error(token.at, "has an opening parenthesis that is never closed")
                self.next_token()
                self.depth -= 1
                return node
            case "phrase":
                return self.parse_words(token.text[1:-1], token.at)
            case "word":
                return self.parse_word(token)
            case "field":
                return self.parse_field(token)
            case "value":
                return self.parse_value(token)
            case "operator" if token.text.startswith("ATLEAST"):
                at = self.token.at
                self.enter_level(token.at)
                operand = self.parse_item()
                self.depth -= 1
                self.require_positions(operand, at, "ATLEAST")
                return nodes.AtLeast(self.parse_number(token, None), operand)
            case "operator":
                self.raise_error(token.at, f"has {token.text} where a word, a phrase or a code is expected")
            case "close":
                self.raise_error(token.at, "has a closing parenthesis where a word, a phrase or a code is expected")
        return self.raise_error(token.at, "ends where a word, a phrase or a code is expected")

    def enter_level(self, at: int) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            self.raise_error(at, f"is nested more than {_MAX_DEPTH} deep")

    def parse_number(self, operator: _Token, default: int | None) -> int:
        _, _, digits = operator.text.partition("/")
        if not digits and default is not None:
            return default
        if not digits or not 1 <= int(digits) <= 1000:
            name = operator.text.split("/")[0]
            self.raise_error(operator.at, f"needs a number from 1 to 1000 after {name}, as in {name}/5")
        return int(digits)

    def require_positions(self, node: nodes.Node, at: int, operator: str) -> None:
        """Raise unless the node has positions: only those can be near something or be counted."""
        if isinstance(node, nodes.Or):
            for operand in node.operands:
                self.require_positions(operand, at, operator)
        elif not isinstance(node, nodes.Word | nodes.Prefix | nodes.Phrase | nodes.Code):
            self.raise_error(
                at, f"has {operator} with something that is no word, phrase or code, or several joined by OR"
            )

    def parse_words(self, text: str, at: int) -> nodes.Node:
        found = words(text)
        if not found:
            self.raise_error(at, "has a word without letters or digits; removed words cannot be searched")
        return nodes.Word(found[0]) if len(found) == 1 else nodes.Phrase(tuple(found))

    def parse_word(self, token: _Token) -> nodes.Node:
        text = token.text
        if text == "*":
            return nodes.All()
        for pattern, reason in _MISTAKEN:
            if pattern.match(text):
                self.raise_error(token.at, reason)
        if match := _UNKNOWN.match(text):
            self.raise_unknown_field(match[1], token.at)
        if not text.endswith("*") or not words(text):
            return self.parse_words(text, token.at)
        found = words(text[:-1])
        if len(found) != 1:
            self.raise_error(token.at, "has a * after several words; it can only stand at the end of one")
        return nodes.Prefix(found[0])

    def parse_field(self, token: _Token) -> nodes.Node:
        at = token.at + len(token.text) + 1
        value = token.value
        if token.text not in {*_CODES, "type", "year", "date", "age", "sex", "saved"}:
            self.raise_unknown_field(token.text, token.at)
        if not value or value in {'""', '""!'}:
            self.raise_error(at, f"has nothing after {token.text}:")
        if token.text in _CODES:
            return self.parse_code(value, at, _CODES[token.text])
        name = value.strip('"')
        if token.text == "type":
            return nodes.Type(name.casefold())
        if token.text in EXAMPLES:
            return self.parse_range(token.text, name, at)
        if token.text == "sex":
            if name.casefold() not in SEX_BY_SPELLING:
                self.raise_error(
                    at, f"has no sex after sex:, which is one of {', '.join(dict.fromkeys(SEX_BY_SPELLING.values()))}"
                )
            return nodes.Sex(SEX_BY_SPELLING[name.casefold()])
        return self.parse_saved_query(name, at)

    def parse_range(self, field: str, value: str, at: int) -> nodes.Range:
        try:
            made = parse_range(field, value)
        except ValueError:
            self.raise_error(at, f"has no {field} after {field}:, such as {EXAMPLES[field]}")
        if made.first is not None and made.last is not None and made.first > made.last:
            self.raise_error(at, f"has a range of {field}s that ends before it begins")
        # Ages beyond it are not stored, so such a range would match no patient.
        if field == "age" and (max(made.first or 0, made.last or 0) > MAX_AGE or made.last == MAX_AGE != made.first):
            self.raise_error(at, f"asks for ages over 89 one by one; they are one group: age:{MAX_AGE}, age:65..")
        return made

    def raise_unknown_field(self, field: str, at: int) -> NoReturn:
        self.raise_error(at, f"has the field {field}:, which is none of {_FIELDS}; quote a word with a colon")

    def parse_code(self, value: str, at: int, asked: str) -> nodes.Code:
        exact = value.endswith("!")
        name = value.removesuffix("!")
        if name.startswith('"'):
            name = name.strip('"')
        elif _CURIE.fullmatch(name):
            system, _, rest = name.partition(":")
            code = f"{system.lower()}:{rest}"
            if self.check is not None:
                self.check(code, self.text, at)
            return nodes.Code((code,), exact, asked)
        return nodes.Code(self.resolve(name, self.text, at), exact, asked)

    def parse_value(self, token: _Token) -> nodes.Node:
        match = _COMPARISON.match(token.text)
        assert match is not None  # noqa: S101 - the token was made from it
        said = match["said"] or "code"
        if said not in _CODES and not _CURIE.fullmatch(f"{said}:{match['name']}"):
            self.raise_unknown_field(said, token.at)
        name = match["name"] if said in _CODES else f"{said}:{match['name']}"
        concept = self.parse_code(name, token.at, _CODES.get(said, "affirmed"))
        unit = unit_name(token.value) if token.value else ""
        if unit is None:
            self.raise_error(token.at, f"compares with a number of {token.value}, which is no unit that values have")
        return nodes.Value(concept, match["sign"], float(match["number"]), unit)

    def parse_saved_query(self, name: str, at: int) -> nodes.Node:
        if name not in self.saved:
            known = ", ".join(sorted(self.saved)) or "none yet"
            self.raise_error(at, f"asks for a saved query that is not there; saved are: {known}")
        if name in self.open_names:
            self.raise_error(at, "asks for a saved query that asks for itself")
        return _Parser(self.saved[name], self.resolve, self.saved, self.check, (*self.open_names, name)).parse_query()
