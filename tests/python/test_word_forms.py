"""Words that come from listed ones: what the core does, what the published rules say, and what the checker allows."""

import pytest

import notesieve as ns
from notesieve.verification.word_forms import is_derived


@pytest.fixture(scope="module")
def plain() -> ns.Scrubber:
    return ns.Scrubber()


def test_all_switches_are_off_by_default() -> None:
    policy = ns.Policy()
    assert (policy.rescue, policy.derive, policy.term_words, policy.brands) == (False, False, False, True)
    assert policy.rules_off == []


@pytest.mark.parametrize(
    ("written", "listed"),
    [("pnuemonia", "pneumonia"), ("headahce", "headache"), ("abdomem", "abdomen"), ("nausea", "nausea")],
)
def test_a_typing_error_is_written_as_the_listed_word(written: str, listed: str) -> None:
    # Without the model, which may take a word that nobody writes for a name.
    scrubber = ns.Scrubber(ns.Policy(rescue=True, ambiguous="never"))
    note = scrubber.scrub(f"Seen for {written} again.")
    assert note.text == f"Seen for {listed} again."
    assert ns.verify(note.text, scrubber)
    assert scrubber.scrub(note.text).text == note.text


@pytest.mark.parametrize("word", ["olsonn", "Pnuemonia", "PNUEMONIA", "pnuem", "xqzvwkj"])
def test_no_name_no_capital_and_no_short_word_is_rescued(word: str) -> None:
    assert word not in ns.Scrubber(ns.Policy(rescue=True)).scrub(f"Seen for {word} again.").text


def test_the_core_derives_as_the_published_rule_says(plain: ns.Scrubber) -> None:
    derive = ns.Scrubber(ns.Policy(derive=True))
    kept = {
        "transglottic",
        "subdural",
        "retroglottic",
        "undraped",
        "nontender",
        "xylofrastic",
        "underwoods",
        "gluvently",
    }
    for word in kept:
        text = f"Seen for {word} again."

        def is_listed(stem: str) -> bool:
            return stem in plain.scrub(f"Seen for {stem} again.").text

        if is_listed(word):
            continue
        comes_out = word in derive.scrub(text).text
        # A name of a person or place is no stem, though it may be a word as well.
        assert is_derived(word, is_listed) or not comes_out
        if comes_out:
            assert ns.verify(derive.scrub(text).text, derive)
            with pytest.raises(ns.VerifyError):
                ns.verify(text, plain)


def test_a_family_that_is_not_heard_leaves_default_deny() -> None:
    text = "Seen 3/4/2006 by Dr. Xylofrast."
    deaf = ns.Scrubber(ns.Policy(rules_off=["name", "date"])).scrub(text)
    assert "Xylofrast" not in deaf.text
    assert {removal.category for removal in deaf.removed} <= {"UNLISTED"}


def test_only_categories_can_be_switched_off() -> None:
    with pytest.raises(ns.PolicyError, match="rules_off"):
        ns.Policy(rules_off=["street"])
