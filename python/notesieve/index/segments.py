"""The index on the disk: what tantivy holds of a note, and how words and codes share the places of one field.

Before each word there is a slot: the tokens of the field ``words`` are slot, word, slot, word ... A slot holds the
number of the set of codes of the term that begins at the word (``#17``), or nothing. So a code has a place like a word
has, and phrases and nearness work across both, without a second list of positions.
"""

from __future__ import annotations

import struct
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from notesieve.errors import NotesieveError, SearchIndexError
from notesieve.index.evaluate import IndexedNote
from notesieve.index.words import fold

try:
    import tantivy
except ModuleNotFoundError as problem:  # pragma: no cover - the tests install it
    raise NotesieveError("the index needs tantivy: pip install 'notesieve[index]'") from problem

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["EMPTY_SLOT", "open_segments", "pack_mentions", "restore", "slot", "slots", "tantivy", "unpack_mentions"]

EMPTY_SLOT = "_"
# Widths of the numbers of a mention: step, length, set.
_FORMS = {"s": "HBH", "l": "III"}


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("words", stored=False, tokenizer_name="slots", index_option="position")
    builder.add_unsigned_field("set", stored=False, indexed=False, fast=True)
    builder.add_bytes_field("text", stored=True, indexed=False)
    builder.add_bytes_field("mentions", stored=True, indexed=False)
    builder.add_text_field("note", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("patient", stored=True, tokenizer_name="raw", index_option="basic")
    # The first 64 bits of a digest of the pseudonym: what patients are counted by.
    builder.add_unsigned_field("patient_number", stored=False, indexed=False, fast=True)
    builder.add_text_field("type", stored=True, tokenizer_name="raw", index_option="basic", fast=True)
    builder.add_unsigned_field("year", stored=True, indexed=True, fast=True)
    builder.add_unsigned_field("source", stored=True, indexed=True, fast=True)
    return builder.build()


def open_segments(path: Path) -> tantivy.Index:
    """Open the folder of the segments, or begin one."""
    path.mkdir(parents=True, exist_ok=True)
    index = tantivy.Index(_schema(), path=str(path), reuse=True)
    # White space stands between tokens; an empty slot counts as a place and is not kept.
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    index.register_tokenizer("slots", analyzer.filter(tantivy.Filter.custom_stopword([EMPTY_SLOT])).build())
    return index


def slot(number: int) -> str:
    """Write the number of a set of codes as the slot holds it. No word looks so."""
    return f"#{number}"


def slots(text: str, mentions: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Write a text as slots and words.

    Parameters
    ----------
    text : str
        The de-identified text.
    mentions : list of tuple of (int, int)
        Where terms begin, in code points and in order, and the numbers of their sets.

    Returns
    -------
    str
        Slots and words in turn.
    list of tuple of (int, int)
        Pairs of indices into `mentions` that begin at the same word; only the first of a pair has the slot.

    Examples
    --------
    >>> slots("Known type 2 diabetes.", [(6, 17)])
    ('_ known #17 type _ 2 _ diabetes', [])
    """
    ascii_only = text.isascii()
    folded = fold(text) if ascii_only else text
    parts = []
    shared = []
    mark = EMPTY_SLOT
    at = 0
    for index, (start, number) in enumerate(mentions):
        begin = start
        # A term may begin inside a run of letters and digits; it stands where the run begins.
        if begin > at and folded[begin - 1] != " ":
            while begin > at and folded[begin - 1].isalnum():
                begin -= 1
        words = folded[at:begin].split() if ascii_only else fold(text[at:begin]).split()
        if words:
            parts.append(mark)
            parts.append(" _ ".join(words))
        elif mark is not EMPTY_SLOT:
            shared.append((index - 1, index))
            continue
        mark = f"#{number}"
        at = begin
    words = folded[at:].split() if ascii_only else fold(text[at:]).split()
    if words:
        parts.append(mark)
        parts.append(" _ ".join(words))
    return " ".join(parts), shared


def pack_mentions(mentions: list[tuple[int, int, int]]) -> bytes:
    """Write terms as numbers: how far each begins behind the one before, how long it is, the number of its set.

    The first byte tells how wide the numbers are; in nearly all notes they fit into two, one and two bytes.

    Examples
    --------
    >>> unpack_mentions(pack_mentions([(4, 9, 17), (20, 26, 3)]))
    [(4, 9, 17), (20, 26, 3)]
    """
    before = 0
    steps = []
    for start, _, _ in mentions:
        steps.append(start - before)
        before = start
    columns = steps, [end - start for start, end, _ in mentions], [number for _, _, number in mentions]
    for form in _FORMS:
        try:
            return form.encode() + b"".join(
                struct.pack(f"<{len(mentions)}{kind}", *column)
                for kind, column in zip(_FORMS[form], columns, strict=True)
            )
        except struct.error:
            continue
    raise SearchIndexError("a note is longer than four gigabytes")


def unpack_mentions(packed: bytes) -> list[tuple[int, int, int]]:
    """Read back what `pack_mentions` wrote."""
    kinds = _FORMS[packed[:1].decode()]
    count = (len(packed) - 1) // struct.calcsize(f"<{kinds}")
    columns = []
    at = 1
    for kind in kinds:
        columns.append(struct.unpack_from(f"<{count}{kind}", packed, at))
        at += count * struct.calcsize(kind)
    starts = accumulate(columns[0])
    return [(start, start + length, number) for start, length, number in zip(starts, *columns[1:], strict=True)]


def restore(stored: dict[str, list[Any]]) -> IndexedNote:
    """Read a note back from the fields that tantivy stored."""
    note_type, year = stored.get("type"), stored.get("year")
    return IndexedNote(
        text=stored["text"][0].decode(),
        mentions=unpack_mentions(stored["mentions"][0]),
        note_type=note_type[0] if note_type else None,
        year=year[0] if year else None,
    )
