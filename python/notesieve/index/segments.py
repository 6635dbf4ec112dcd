"""The stored form of a note in the segments.

The compiled core stores words, codes and their positions (`notesieve._core.Segments`). Before each word there is a
slot, which contains the number of the set of codes of the term that begins at the word (``#17``), or nothing. So a code
has a position like a word, and phrases and NEAR work across both, without a second list of positions.
"""

from __future__ import annotations

import json
import struct
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from notesieve.index.matching import IndexedNote

if TYPE_CHECKING:
    from notesieve._core import SegmentSearcher

# `struct` formats of the columns of the mentions: start deltas, lengths, set numbers; see `Slots::mentions` in
# `crates/index/src/slots`.
_STRUCT_FORMATS = {"s": "HBH", "l": "III"}


class StoredNote(NamedTuple):
    """A stored note: its pseudonym, that of its patient, the index of its provenance, and its content."""

    note: str
    patient: str
    source: int
    content: IndexedNote


def format_slot(number: int) -> str:
    """Return the slot text for the number of a set of codes. No word has this form."""
    return f"#{number}"


def unpack_mentions(packed: bytes) -> list[tuple[int, int, int]]:
    r"""Return start, end (exclusive) and set number of each term from the packed form of the core.

    Examples
    --------
    >>> unpack_mentions(b"s" + b"\x04\x00\x10\x00" + b"\x05\x06" + b"\x11\x00\x03\x00")
    [(4, 9, 17), (20, 26, 3)]
    """
    kinds = _STRUCT_FORMATS[packed[:1].decode()]
    count = (len(packed) - 1) // struct.calcsize(f"<{kinds}")
    columns = []
    at = 1
    for kind in kinds:
        columns.append(struct.unpack_from(f"<{count}{kind}", packed, at))
        at += count * struct.calcsize(kind)
    starts = accumulate(columns[0])
    return [(start, start + length, number) for start, length, number in zip(starts, *columns[1:], strict=True)]


def read_stored_note(searcher: SegmentSearcher, address: int) -> StoredNote:
    """Return the stored note at an address."""
    note, patient, text, mentions, said, note_type, year, source = searcher.stored_note(address)
    mention_values = {int(at): values for at, values in json.loads(said).items()} if said else {}
    return StoredNote(
        note,
        patient,
        source,
        IndexedNote(text, unpack_mentions(mentions), note_type, year, mention_values=mention_values),
    )
