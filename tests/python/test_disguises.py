"""Tricks of writing: what their form hides does not come out, and `verify` refuses words in single letters."""

from __future__ import annotations

import re

import pytest

import disguises
import notesieve as ns


def test_a_seed_gives_the_same_tricks() -> None:
    assert disguises.draw_tricks(60, seed=3) == disguises.draw_tricks(60, seed=3)
    assert disguises.draw_tricks(60, seed=3) != disguises.draw_tricks(60, seed=4)


def test_every_carrier_can_be_read_back() -> None:
    for trick in disguises.draw_tricks(200, seed=2):
        assert disguises.is_readable(trick, trick.text, trick.baseline_text), trick.carrier


def test_no_name_can_be_read_back_from_five_hundred_tricks(scrubber: ns.Scrubber) -> None:
    _, leaked, passed = disguises.measure_tricks(disguises.draw_tricks(500), scrubber)
    assert len(leaked) <= 5, [trick.text for trick in leaked]
    assert passed == 0, [trick.text for trick in leaked]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Seen by R o s e.",
            "R.o.s.e is well.",
            "W-h-i-t-e.",
            "A m y",
            "(R) (o) (s) (e)",
            "R\no\ns\ne",
            "J.o. h.n. S.m",
        ),
        *(
            "1) R 2) o 3) s 4) e",
            "R and o and s and e",
            "R, then o, then s",
            "R1 o2 s3 e4",
            "R-----o-----s-----e",
            "R***o***s",
        ),
    ],
)
def test_verify_refuses_words_in_single_letters(scrubber: ns.Scrubber, text: str) -> None:
    with pytest.raises(ns.VerifyError, match="word in single letters at "):
        ns.verify(text, scrubber)
    ns.verify(scrubber.scrub(text).text, scrubber)


@pytest.mark.parametrize(
    "text",
    [
        "Take p.o. b.i.d. p.r.n.",
        "No m/r/g, no c/c/e.",
        "A & O x",
        "h/o a fall",
        "a - b",
        "A and B and C",
        "1) y 2) n 3) y",
    ],
)
def test_verify_lets_short_forms_pass(text: str) -> None:
    # The forms alone: the model may take a letter out of any context for an initial.
    scrubber = ns.Scrubber(ns.Policy(ambiguous="never"))
    ns.verify(text, scrubber)
    assert scrubber.scrub(text).text == text


@pytest.mark.parametrize("text", ["R o s e", "Q.i.x", "q-i-x", "Q i x", "R.o.s.e B.r.o.w.n"])
def test_a_known_patient_is_found_letter_by_letter(scrubber: ns.Scrubber, text: str) -> None:
    patient = ns.Patient(names=["Rose Brown", "Qix"])
    note = scrubber.scrub(f"Seen {text} today.", patient=patient)
    assert len(note.removed) >= 1
    left = "".join(letter for letter in re.sub(r"\[[A-Z]+\]", "", note.text) if letter.isalpha())
    assert left == "Seentoday"


def test_autocode_gives_no_name_that_a_scrub_removes(scrubber: ns.Scrubber) -> None:
    text = "Mr. Cotton has asthma. Mrs. Camphor told us so."
    terms = [text[term.start : term.end] for term in scrubber.autocode(text)]
    assert terms == ["asthma"]
    everything = [text[term.start : term.end] for term in scrubber.autocode(text, identifying=True)]
    assert {"Cotton", "Camphor", "asthma"} <= set(everything)
