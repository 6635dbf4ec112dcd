"""Tables with a header line inside a text: the header of its column determines how each cell is scrubbed."""

from __future__ import annotations

import csv
import io
import re

from notesieve.messages.parsed import FieldValue, MessageParseError, ParsedMessage, role_of_heading, split_key

_MARKS = ",;|\t"
_HEAD = re.compile(r"\*{0,2}[A-Za-z][A-Za-z0-9_ /().%#-]{0,40}\*{0,2}|")
_RULE = re.compile(r"[\s|:+-]*")
_MEASURED = frozenset(
    "value result dose weight height bp hr rr temp temperature pulse spo2 bmi age dosage quantity qty units unit low"
    " high range flag mg ml score grade size volume rate systolic diastolic glucose hemoglobin wbc platelets creatinine"
    " sodium potassium sex gender status frequency route code".split()
)
_MIN_TABLE_LINES = 3


def parse_tables(text: str) -> ParsedMessage:
    """Parse a text with at least one table; the text around the tables is free text.

    Raises
    ------
    MessageParseError
        If it contains no table.
    """
    lines = text.splitlines(keepends=True)
    parsed = ParsedMessage()
    plain: list[str] = []
    at = 0
    found = False
    while at < len(lines):
        mark, end = _find_table(lines, at)
        if not mark:
            plain.append(lines[at])
            at += 1
            continue
        found = True
        _add_text(parsed, plain)
        plain = []
        _add_rows(parsed, mark, lines[at:end])
        at = end
    if not found:
        raise MessageParseError
    _add_text(parsed, plain)
    return parsed


def _add_text(parsed: ParsedMessage, lines: list[str]) -> None:
    """Add lines outside tables as free text."""
    text = "".join(lines)
    if text:
        parsed.pieces.append(FieldValue(text, "text", lambda text: text, text))


def _find_table(lines: list[str], at: int) -> tuple[str, int]:
    """Return the separator and the end (exclusive) of the table that begins at a line; no separator if none."""
    for mark in _MARKS:
        heads = _split_cells(lines[at], mark)
        width = len(heads)
        if width < 2 or not all(_HEAD.fullmatch(head.strip()) for head in heads):
            continue
        told = [head for head in heads if role_of_heading(head) or _MEASURED.intersection(split_key(head))]
        if len(told) < 2 or not any(role_of_heading(head) for head in heads):
            continue
        end = at + 1
        while end < len(lines) and lines[end].strip() and len(_split_cells(lines[end], mark)) == width:
            end += 1
        if end - at >= _MIN_TABLE_LINES - 1 and (end - at >= _MIN_TABLE_LINES or width > 2):
            return mark, end
    return "", at


def _split_cells(line: str, mark: str) -> list[str]:
    """Split a line into cells; quoted text is one cell, and stays quoted."""
    line = line.rstrip("\r\n")
    if '"' not in line:
        return line.split(mark)
    cells: list[str] = []
    for cell in line.split(mark):
        if cells and cells[-1].count('"') % 2:
            cells[-1] += mark + cell
        else:
            cells.append(cell)
    return cells


def _add_rows(parsed: ParsedMessage, mark: str, lines: list[str]) -> None:
    """Add the header and the rows of a table."""
    heads = _split_cells(lines[0], mark)
    roles = [role_of_heading(head) for head in heads]
    for number, head in enumerate(heads):
        parsed.pieces.append(mark if number else "")
        parsed.pieces.append(FieldValue(head, "local-display", lambda text: text, head))
    parsed.pieces.append(lines[0][len(lines[0].rstrip("\r\n")) :])
    for line in lines[1:]:
        content = line.rstrip("\r\n")
        if _RULE.fullmatch(content):
            parsed.pieces.append(line)
            continue
        for number, (cell, head, role) in enumerate(zip(_split_cells(line, mark), heads, roles, strict=True)):
            if number:
                parsed.pieces.append(mark)
            _add_cell(parsed, cell, head, role, mark)
        parsed.pieces.append(line[len(content) :])


def _add_cell(parsed: ParsedMessage, raw: str, head: str, role: str | None, mark: str) -> None:
    """Add a cell with the role that its column header gives it."""
    plain = raw.strip()
    if not plain:
        parsed.pieces.append(raw)
        return
    begin = raw[: len(raw) - len(raw.lstrip())]
    quoted = len(plain) > 1 and plain[0] == plain[-1] == '"'
    value = plain[1:-1].replace('""', '"') if quoted else plain
    measured = bool(_MEASURED.intersection(split_key(head)))

    def encode_cell(text: str) -> str:
        text = re.sub(r"[\r\n]+", " ", text)
        if not (quoted or mark in text):
            return text
        out = io.StringIO()
        csv.writer(out, lineterminator="", quoting=csv.QUOTE_ALL).writerow([text])
        return out.getvalue()

    parsed_value = FieldValue(value, role or ("number" if measured else "text"), encode_cell, plain)
    parsed.pieces += [begin, parsed_value, raw[len(begin) + len(plain) :]]
    field = {"name": "names", "contact": "phones", "street": "addresses", "other-id": "other"}.get(role or "", "")
    if field and len(value) > (1 if role == "name" else 3):
        parsed.add_patient_field(field, value)
