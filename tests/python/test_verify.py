"""The independent checker: what comes out passes, what is put in does not."""

import contextlib
import pickle
import random
import sys
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import fuzz_texts
import notesieve as ns
from notesieve.cli import main
from notesieve.verification import Allowance, Reading, output_check
from notesieve.verification.number_forms import FORMS
from notesieve.verification.output_check import OutputCheck
from notesieve.verification.read_output import Lists

NOTE = """PATIENT: Olga Zwilbruck   MRN: 7734419   DOB: 3/4/1911
Mrs. Zwilbruck is a 93 y/o woman with diabetes mellitus and T2N0M0 carcinoma, seen by Dr. Brown on 3/4/2006.
BP 128/72, pulse 84, sodium 138, 5 mg q4h for 3 days. Apgars 8 and 9. Babinski negative, Foley catheter in place.
ABG 7.38/42/96 at 2:30 pm, 1:100,000, 0.5 of it, stage IIIA. CPT 27759. zorblaxine given. Tel. 617-555-0142."""

EXAMPLES = [file.read_text(encoding="utf-8") for file in files("notesieve").joinpath("examples").iterdir()]


@pytest.fixture(scope="module", params=fuzz_texts.POLICIES)
def scrubber(request: pytest.FixtureRequest) -> ns.Scrubber:
    return fuzz_texts.scrubber_by_policy()[request.param]


@pytest.fixture(scope="module")
def safe() -> ns.Scrubber:
    return fuzz_texts.scrubber_by_policy()["safe"]


def reasons_by_token(text: str, scrubber: ns.Scrubber) -> dict[str, tuple[str, str | None]]:
    return {text[t.start : t.end]: (t.allowed_by, t.detail) for t in ns.verify(text, scrubber)}


@pytest.mark.parametrize("text", [NOTE, *EXAMPLES])
def test_outputs_of_the_scrubber_pass(text: str, scrubber: ns.Scrubber) -> None:
    output = scrubber.scrub(text).text
    tokens = ns.verify(output, scrubber)
    at = 0
    for token in tokens:
        assert not output[at : token.start].strip()
        assert token.end > token.start
        at = token.end
    assert not output[at:].strip()


@pytest.mark.parametrize("policy", fuzz_texts.POLICIES)
def test_outputs_of_texts_that_nobody_would_write_pass(policy: str) -> None:
    # `make fuzz-verify` checks a million.
    wrong = [(seed, str(problem)) for seed, problem in fuzz_texts.find_failures(range(800), policy)]
    assert not wrong


def test_names_what_allows_each_token() -> None:
    # What has a form, which a model that was trained again may judge otherwise.
    safe = ns.Scrubber(ns.Policy("safe", ambiguous="never"))
    output = safe.scrub(NOTE).text
    found = reasons_by_token(output, safe)
    assert found["[NAME]"] == ("tag", None)
    assert found["90+"] == ("tag", None)
    assert found["***"] == ("mask", None)
    assert found["diabetes"][0] == "list"
    assert found["128/72"] == ("number", "pressure")
    assert found["138"] == ("number", "measured")
    assert found["7.38/42/96"] == ("number", "panel")
    assert found["2:30"] == ("number", "time")
    assert found["27759"][0] == "number"
    assert found["Babinski"] == ("list", "eponym")
    assert found["."] == ("punctuation", None)


def test_terms_and_codes_are_what_berman_lets_out() -> None:
    berman = fuzz_texts.scrubber_by_policy()["berman"]
    output = berman.scrub("Seen for diabetes mellitus and mumps.").text
    found = reasons_by_token(output, berman)
    assert found["[mesh:D003920]"] == ("code", None)
    assert found["Diabetes"][0] == "term"
    assert found["and"][0] == "list"
    with pytest.raises(ns.VerifyError):
        ns.verify(output.replace("D003920", "D903920"), berman)
    with pytest.raises(ns.VerifyError):
        ns.verify("Seen for a red hat.", berman)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Given( s ) n ethyl 3 ( ( 1 dimethyl amino ) ethyl ) n methylphenylcarbamate.", "Given Rivastigmine ["),
        ("Stage 9.mcc deficiency was seen.", "Stage 9. 3-methylcrotonyl-CoA"),
    ],
)
def test_preferred_names_stand_apart_from_what_is_before_them(text: str, expected: str) -> None:
    preferred = fuzz_texts.scrubber_by_policy()["safe-preferred"]
    output = preferred.scrub(text).text
    assert output.startswith(expected)
    ns.verify(output, preferred)


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("Seen: protein , NGR 1 AL 90-year-old.", "safe-code"),
        (
            "N ( 3 chloro 4 fluorophenyl ) 7 methoxy' 6 ( 3 ( 4 morpholinyl ) propoxy ) 4 quinazolinamide given.",
            "wide",
        ),
        # The long s of an old print in a possessive.
        ("Given Tyrode'\u017f solution.", "safe"),
    ],
)
def test_reads_terms_as_the_core_writes_them(text: str, policy: str) -> None:
    # A word beside a number that became part of a code; a mark inside the longest of terms.
    scrubber = fuzz_texts.scrubber_by_policy()[policy]
    ns.verify(scrubber.scrub(text).text, scrubber)


@pytest.mark.parametrize(
    ("text", "word", "reason"),
    [
        ("The wound was b1eeding.", "eeding", ("misread", "english")),
        ("A pu1rnonary shadow.", "rnonary", ("misread", "english")),
        ("Karyotype 46,XY here.", "XY", ("number", "letters")),
        ("One café-au-lait here.", "lait", ("list", "listed-term")),
    ],
)
def test_words_pass_by_the_form_that_they_stand_in(
    safe: ns.Scrubber, text: str, word: str, reason: tuple[str, str]
) -> None:
    assert reasons_by_token(text, safe)[word] == reason


@pytest.mark.parametrize("text", ["Seen for b1zzwick.", "Seen: B1eeding.", "Karyotype 46,ZQBB here.", "A lait here."])
def test_words_beside_no_such_form_do_not(safe: ns.Scrubber, text: str) -> None:
    with pytest.raises(ns.VerifyError):
        ns.verify(text, safe)


@pytest.mark.parametrize(
    "text", ["It says 36.8 here.", "Tinel 4 here.", "It says 28/40 here.", "Insulin 0715-1130-1645 here."]
)
def test_numbers_whose_form_is_clinical_pass(safe: ns.Scrubber, text: str) -> None:
    ns.verify(text, safe)


@pytest.mark.parametrize("text", ["Room 12.5 here.", "Tinel 4471 here.", "It says 8/40 here.", "It says 36.875 here."])
def test_numbers_whose_form_is_that_of_something_else_do_not(text: str) -> None:
    with pytest.raises(ns.VerifyError):
        ns.verify(text, ns.Scrubber(policy=ns.Policy("safe", numbers="strict")))


@pytest.mark.parametrize(
    ("text", "passes"), [("Seen 8/40 here.", True), ("Seen 0815 here.", True), ("Seen 4471 here.", False)]
)
def test_short_numbers_pass_as_judged_by_default(safe: ns.Scrubber, text: str, passes: bool) -> None:
    if passes:
        ns.verify(text, safe)
    else:
        with pytest.raises(ns.VerifyError):
            ns.verify(text, safe)


NAME = "Zwilbruck"
SMUGGLED = [
    NAME,
    NAME.lower(),
    NAME.upper(),
    "O'" + NAME,
    NAME + "'s",
    "5" + NAME,
    NAME + "5",
    "[" + NAME + "]",
    "[NAME:" + NAME + "]",
    "[mesh:" + NAME + "]",
    "*" + NAME + "*",
    "diabetes-" + NAME,
    "diabetes " + NAME,
    NAME + " disease",
    "Zwil\u00adbruck",
    "Zwil\u200bbruck",
    "Zwil-bruck",
    "Br\u043ewn",
    "Ｂｒｏｗｎ",
    "Brown\u0301",
    "\u202enworB",
    "\U000e0042\U000e0072",
    "Brown\ud800",
    "mg" + NAME,
    "3/4/2006",
    "3-4-2006",
    "2006-03-04",
    "617-555-0142",
    "(617) 555-0142",
    "555-0142",
    "123-45-6789",
    "7734419",
    "S84-0816345",
    "S84-08163",
    "\u0667\u0667\u0663\u0664",
    "4XKZWI291",
    "zwil@example.org",
]


@pytest.mark.parametrize("name", SMUGGLED)
def test_what_is_smuggled_in_does_not_pass(name: str, safe: ns.Scrubber) -> None:
    output = safe.scrub(NOTE).text
    ns.verify(output, safe)
    for tag in ("[NAME]", "[ID]", "[DATE]", "***", "[CONTACT]"):
        at = output.index(tag)
        with pytest.raises(ns.VerifyError) as caught:
            ns.verify(output[:at] + name + output[at + len(tag) :], safe)
        assert any(start < at + len(name) and end > at for start, end, _ in caught.value.places)
        assert name not in str(caught.value)
        assert name not in repr(caught.value)


def test_errors_hold_positions_and_kinds_only(safe: ns.Scrubber) -> None:
    with pytest.raises(ns.VerifyError) as caught:
        ns.verify("Zwilbruck saw Zwilbrock, 7734419.", safe)
    assert caught.value.places == [(0, 9, "word"), (14, 23, "word"), (25, 32, "number")]
    assert str(caught.value) == "3 tokens that nothing allows: word at 0:9, word at 14:23, number at 25:32"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.places, str(again)) == (caught.value.places, str(caught.value))


def test_an_ambiguous_word_passes_in_lower_case_alone(safe: ns.Scrubber) -> None:
    vocabulary = safe.vocabulary
    allowed = set(safe.policy.lists)
    names = {"surname", "first-name", "city", "place-part"}
    word = next(
        term
        for term, case in vocabulary.terms()
        if case == "lower"
        and set(vocabulary.lists(term)) & allowed == {"term"}
        and set(vocabulary.lists(term)) & names
        and not set(vocabulary.lists(term)) & set(safe.policy.vouched_lists)
    )
    ns.verify(word, safe)
    with pytest.raises(ns.VerifyError):
        ns.verify(word.capitalize(), safe)


def test_a_caller_can_allow_further_tokens(safe: ns.Scrubber) -> None:
    surrogate = Allowance("surrogate", lambda reading, at: "names" if reading.tokens[at].text == "Zwilbruck" else None)
    (token,) = ns.verify("Zwilbruck", safe, allowances=[surrogate])
    assert (token.allowed_by, token.detail) == ("surrogate", "names")


def test_each_number_form_is_shown(safe: ns.Scrubber) -> None:
    for form in FORMS:
        for example in form.example.split(", "):
            reading = Reading(example, safe.policy, Lists(safe.vocabulary))
            numbers = [at for at, token in enumerate(reading.tokens) if token.kind == "number"]
            assert all(form.fits(reading.number_context(at)) for at in numbers), (form.name, example)
            assert numbers


def test_the_exported_lists_are_those_that_the_core_uses() -> None:
    vocabulary = ns.Vocabulary.default()
    weekdays = vocabulary.words("weekday")
    assert "monday" in weekdays
    assert weekdays == sorted(weekdays)
    assert all("weekday" in vocabulary.lists(word) for word in weekdays)
    assert vocabulary._lists_of(weekdays) == [vocabulary.lists(word) for word in weekdays]
    with pytest.raises(ns.PolicyError, match="there is no list"):
        vocabulary.words("no-such-list")
    terms = dict(vocabulary.terms())
    assert terms["diabetes mellitus"] == "any"
    # Those that rules made are some of them.
    assert len(terms) == vocabulary.info()["counts"]["terms"]
    assert vocabulary._cases_of(["diabetes mellitus", "mellitus diabetes of", "Diabetes mellitus"]) == [
        "any",
        None,
        None,
    ]


def test_the_command_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str], safe: ns.Scrubber) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(safe.scrub(NOTE).text, encoding="utf-8")
    assert main(["verify", str(tmp_path)]) == 0
    assert "1 texts" in capsys.readouterr().out
    bad.write_text("Seen by Zwilbruck.", encoding="utf-8")
    assert main(["verify", str(good), str(bad)]) == 1
    seen = capsys.readouterr()
    assert f"{bad}:8:17: word that nothing allows" in seen.out
    assert "Zwilbruck" not in seen.out + seen.err
    assert main(["verify", str(tmp_path / "none.txt")]) == 2


@pytest.mark.parametrize("piece", ["138 4.1 104 26 12 0.9 98\n", "T2N0M0", "5 . ", "R o s e ", "1) ", "x-"])
def test_work_grows_in_proportion_to_the_length(piece: str) -> None:
    """Counts the lines of the checker that are run, which other programs cannot disturb."""

    scrubber = ns.Scrubber()

    def count_lines_run(text: str) -> int:
        lines = 0

        def trace(frame: FrameType, event: str, _: object) -> Any:
            nonlocal lines
            lines += event == "line"
            return trace if "verification" in frame.f_code.co_filename else None

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            with contextlib.suppress(ns.VerifyError):
                ns.verify(text, scrubber)
            OutputCheck(scrubber).passes(text)
        finally:
            sys.settrace(before)
        return lines

    count_lines_run(piece)
    assert count_lines_run(piece * 400) < 5 * count_lines_run(piece * 100)


def test_parts_of_outputs_pass_only_where_the_whole_does(
    scrubber: ns.Scrubber, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = OutputCheck(scrubber)
    passed = in_parts = 0
    for seed in range(60):
        if seed == 30:  # from here on it forgets between two outputs
            monkeypatch.setattr(output_check, "_CACHE_SIZE", 1)
        raw = fuzz_texts.fuzz_text(seed)
        output = scrubber.scrub(raw).text
        words = output.split(" ")
        random.Random(seed).shuffle(words)
        other = fuzz_texts.fuzz_text(seed + 1_000)
        for text in (raw, output, " ".join(words), output.replace(" ", "\n\n", 3), f"{output} {other}"):
            whole = is_verified(text, scrubber)
            assert whole or not check._is_clean(text)
            assert check.passes(text) == whole
            passed, in_parts = passed + whole, in_parts + check._is_clean(text)
    assert in_parts > 0.9 * passed > 50


@pytest.mark.parametrize(
    "text",
    [
        "Seen by R o s e today.", "Seen by J\to\nh , n today.", "Seen by J and o and h and n.", "Room # 512 is hers.",
        "Tel. 617-555-0142", "Ward 9", "Sodium was measured\n\n\nand 48213 and 7734419.", "It rose to 2500 %.",
        "ph\u200bone", "A 5\n%9 B", "5 %9", "3/4/2006", "[**Zwilbruck**]", "The mellitus\n\ndiabetes of 4823 Zwil",
    ],
)  # fmt: skip
def test_parts_see_what_stands_around_them(text: str) -> None:
    strict = ns.Scrubber(ns.Policy("safe", numbers="strict"))
    check = OutputCheck(strict)
    for filled in (text, f"No fever. {text} No cough.", " ".join(["No fever."] * 60 + [text])):
        assert check.passes(filled) == is_verified(filled, strict)
        assert is_verified(filled, strict) or not check._is_clean(filled)


def is_verified(text: str, scrubber: ns.Scrubber) -> bool:
    try:
        ns.verify(text, scrubber)
    except ns.VerifyError:
        return False
    return True
