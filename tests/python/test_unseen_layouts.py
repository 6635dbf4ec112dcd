"""The measure on layouts: notes are made the same way each time, and what must go stands where its span says."""

from __future__ import annotations

import unseen_layouts
from unseen_forms import count_right_tokens
from unseen_layouts import SLOT, TEMPLATES, Values, fill_layout


def test_a_seed_gives_the_same_notes() -> None:
    made = unseen_layouts.make_cases(seed=5, count=70)
    assert made == unseen_layouts.make_cases(seed=5, count=70)
    assert made != unseen_layouts.make_cases(seed=6, count=70)


def test_layouts_are_many_and_every_slot_is_known() -> None:
    layouts = (TEMPLATES / "layouts.txt").read_text(encoding="utf-8").strip().split("\n%%\n")[1:]
    assert len(layouts) == len(set(layouts)) == 67
    values = Values(1)
    for layout in layouts:
        slots = {slot[1] for slot in SLOT.finditer(layout)}
        assert slots & values.draws.keys()
        assert slots <= values.draws.keys() | values.plain.keys()
        text, _ = fill_layout(layout, values)
        assert not SLOT.search(text)


def test_spans_hold_what_was_drawn() -> None:
    text, spans = fill_layout("Seen {DATE} by {LAST}, {CRED} at {HOSP}.", Values(3))
    date, last, house, noun = (text[start:end] for start, end, *_ in spans)
    assert text.startswith(f"Seen {date} by {last}, ")
    assert text.endswith(f" at {house} {noun}.")
    assert [span[4] for span in spans] == [True, True, True, False]


def test_counts_are_right_by_hand() -> None:
    case = unseen_layouts.make_cases(seed=5, count=1)[0]
    everything = [(0, len(case.text))]
    tallies = unseen_layouts.tally_by_kind([case], [everything])
    names = sum(tally.tokens for name, tally in tallies.items() if name != "sentences")
    assert all(tally.share() == 1 for name, tally in tallies.items() if name != "sentences")
    assert tallies["sentences"].right_tokens == 0
    nothing = unseen_layouts.tally_by_kind([case], [[]])
    assert sum(tally.right_tokens for name, tally in nothing.items() if name != "sentences") == 0
    assert nothing["sentences"].share() == 1
    assert count_right_tokens(case, everything)[0] == names
