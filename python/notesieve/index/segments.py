"""The index on the disk: what the segments hold of a note.

The compiled part keeps words, codes and their places (`notesieve._core.Segments`). Before each word there is a slot,
which holds the number of the set of codes of the term that begins at the word (``#17``), or nothing. So a code has a
place like a word has, and phrases and nearness work across both, without a second list of positions.
"""

from __future__ import annotations

import json
import struct
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from notesieve.index.matching import IndexedNote

if TYPE_CHECKING:
    from notesieve._core import SegmentSearcher

# Widths of the numbers of a mention, all steps first, then all lengths, then all sets: see `Slots::mentions` in
# `crates/index/src/slots`.
_FORMS = {"s": "HBH", "l": "III"}


class Stored(NamedTuple):
    """A note as it is read back: its pseudonym, that of its patient, where it comes from, and what it says."""

    note: str
    patient: str
    source: int
    content: IndexedNote


def format_slot(number: int) -> str:
    """Write the number of a set of codes as the slot holds it. No word looks so."""
    return f"#{number}"


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


def read_stored_note(searcher: SegmentSearcher, address: int) -> Stored:
    """Read a note back."""
    note, patient, text, mentions, said, note_type, year, source = searcher.stored_note(address)
    mention_values = {int(at): values for at, values in json.loads(said).items()} if said else {}
    return Stored(
        note,
        patient,
        source,
        IndexedNote(text, unpack_mentions(mentions), note_type, year, mention_values=mention_values),
    )
