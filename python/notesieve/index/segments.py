"""The index on the disk: what tantivy holds of a note, and how words and codes share the places of one field.

Before each word there is a slot: the tokens of the field ``words`` are slot, word, slot, word ... A slot holds the
number of the set of codes of the term that begins at the word (``#17``), or nothing. So a code has a place like a word
has, and phrases and nearness work across both, without a second list of positions.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from notesieve.errors import NotesieveError
from notesieve.index.evaluate import IndexedNote
from notesieve.index.words import fold

try:
    import tantivy
except ModuleNotFoundError as problem:  # pragma: no cover - the tests install it
    raise NotesieveError("the index needs tantivy: pip install 'notesieve[index]'") from problem

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["EMPTY_SLOT", "open_segments", "pack_mentions", "restore", "slot", "slots", "tantivy"]

EMPTY_SLOT = "_"


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
    """Write starts, lengths and numbers of terms as 32-bit integers, one kind after the other."""
    flat = [start for start, _, _ in mentions]
    flat += [end - start for start, end, _ in mentions]
    flat += [number for _, _, number in mentions]
    return struct.pack(f"<{len(flat)}I", *flat)


def restore(stored: dict[str, list[Any]]) -> IndexedNote:
    """Read a note back from the fields that tantivy stored."""
    packed = stored["mentions"][0]
    flat = struct.unpack(f"<{len(packed) // 4}I", packed)
    count = len(flat) // 3
    starts, lengths, numbers = flat[:count], flat[count : 2 * count], flat[2 * count :]
    mentions = [(start, start + length, n) for start, length, n in zip(starts, lengths, numbers, strict=True)]
    note_type, year = stored.get("type"), stored.get("year")
    return IndexedNote(
        text=stored["text"][0].decode(),
        mentions=mentions,
        note_type=note_type[0] if note_type else None,
        year=year[0] if year else None,
    )
