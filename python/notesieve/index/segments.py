"""The index on the disk: what tantivy holds of a note, and how words and codes share the places of one field.

Before each word there is a slot: the tokens of the field ``words`` are slot, word, slot, word ... A slot holds the
number of the set of codes of the term that begins at the word (``#17``), or nothing. So a code has a place like a word
has, and phrases and nearness work across both, without a second list of positions.
"""

from __future__ import annotations

import hashlib
import struct
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from notesieve.errors import NotesieveError
from notesieve.index.evaluate import IndexedNote

try:
    import tantivy
except ModuleNotFoundError as problem:  # pragma: no cover - the tests install it
    raise NotesieveError("the index needs tantivy: pip install 'notesieve[index]'") from problem

if TYPE_CHECKING:
    from pathlib import Path

    from notesieve.index.notes import Row

__all__ = ["SLOT", "Written", "document", "open_segments", "restore", "slot", "tantivy", "unpack_mentions"]

#: A note as `notesieve._core.SlotWriter` writes it: text, slots and words, mentions.
Written = tuple[bytes, str, bytes]
#: With what a slot with a code begins.
SLOT = "#"
# What the core writes into a slot without a code.
_EMPTY_SLOT = "_"
# Widths of the numbers of a mention, all steps first, then all lengths, then all sets: see `slots.rs` of the core.
_FORMS = {"s": "HBH", "l": "III"}


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("words", stored=False, tokenizer_name="slots", index_option="position")
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
    index.register_tokenizer("slots", analyzer.filter(tantivy.Filter.custom_stopword([_EMPTY_SLOT])).build())
    return index


def slot(number: int) -> str:
    """Write the number of a set of codes as the slot holds it. No word looks so."""
    return f"{SLOT}{number}"


def document(written: Written, row: Row, source: int) -> tantivy.Document:
    """Give a note as tantivy takes it.

    Parameters
    ----------
    written : tuple of (bytes, str, bytes)
        What `notesieve._core.SlotWriter` wrote.
    row : Row
        What else is known of the note; pseudonyms, not identifiers.
    source : int
        Which provenance it has.
    """
    text, slots, mentions = written
    document = tantivy.Document()
    document.add_text("words", slots)
    document.add_bytes("text", text)
    document.add_bytes("mentions", mentions)
    document.add_text("note", row.note)
    document.add_text("patient", row.patient)
    document.add_unsigned("patient_number", _patient_number(row.patient))
    if row.note_type is not None:
        document.add_text("type", row.note_type)
    if row.year is not None:
        document.add_unsigned("year", row.year)
    document.add_unsigned("source", source)
    return document


def _patient_number(patient: str) -> int:
    return int.from_bytes(hashlib.blake2b(patient.encode(), digest_size=8).digest(), "little")


def unpack_mentions(packed: bytes) -> list[tuple[int, int, int]]:
    r"""Read start, end and number of the set of each term from what the core packed.

    Examples
    --------
    >>> unpack_mentions(b"s" + b"\x04\x00\x10\x00" + b"\x05\x06" + b"\x11\x00\x03\x00")
    [(4, 9, 17), (20, 26, 3)]
    """
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
