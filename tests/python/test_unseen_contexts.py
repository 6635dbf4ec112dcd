"""The measure on contexts: names stand where they are said to, and the count is right by hand."""

from __future__ import annotations

import random

import notesieve
import unseen_contexts
from unseen_contexts import SLOT, Drawn, count_leaked_names, fill_context, fill_contexts, read_contexts


def test_contexts_are_many_and_different() -> None:
    parts = read_contexts()
    lines = [line for part in parts.values() for line in part]
    assert len(parts) == 2
    assert len(lines) == len(set(lines)) > 1000
    assert all(SLOT.search(line) for line in lines)
    assert not [line for line in lines if "{" in SLOT.sub("", line)]


def test_a_seed_gives_the_same_names() -> None:
    assert list(fill_contexts(3, 1)) == list(fill_contexts(3, 1))
    assert list(fill_contexts(3, 1)) != list(fill_contexts(4, 1))


def test_names_stand_where_they_are_said_to() -> None:
    drawn = fill_context("part", "{L} and {L2} rang {F}.", random.Random(1))
    first, second, given = (drawn.text[start:end] for start, end in drawn.names)
    assert f"\n{first} and {second} rang {given}.\n" in drawn.text
    assert {first, second} <= set(unseen_contexts.LAST)
    assert given in unseen_contexts.FIRST


def test_counts_are_right_by_hand() -> None:
    text = "Dr. Brown saw the brown lesion.\n"
    counts = count_leaked_names(
        [Drawn("part", "context", text, ((4, 9), (18, 23)))], notesieve.Scrubber(notesieve.Policy(ambiguous="never"))
    )
    assert counts == {("part", "context"): (2, 1)}
