"""Shifted dates, numbered tags and surrogates, through the package."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import notesieve as ns

KEY = "5eed" * 15 + "0123"


@pytest.fixture(scope="module", autouse=True)
def key() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.delenv("NOTESIEVE_KEY_FILE", raising=False)
    patch.setenv("NOTESIEVE_KEY", KEY)
    yield
    patch.undo()


@pytest.fixture(scope="module")
def shifting_scrubber() -> ns.Scrubber:
    return ns.Scrubber(ns.Policy(dates="shift", date_order="mdy"))


def test_a_key_is_needed_before_the_first_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTESIEVE_KEY")
    for choices in ({"dates": "shift"}, {"replace": "surrogate"}):
        with pytest.raises(ns.SecretKeyError, match="there is no key"):
            ns.Scrubber(ns.Policy(**choices))
    assert ns.Scrubber(ns.Policy(dates="year")).key is None


def scrubbed_text(scrubber: ns.Scrubber, text: str, patient: str | None = "17", **known: Any) -> str:
    return scrubber.scrub(text, patient=ns.Patient(patient, **known)).text


def test_without_a_number_dates_get_tags(shifting_scrubber: ns.Scrubber) -> None:
    assert shifting_scrubber.scrub("on March 3, 2004 home").text == "on [DATE] home"
    assert scrubbed_text(shifting_scrubber, "on March 3, 2004 home", None, names=["Zora Quill"]) == "on [DATE] home"


FORMS = ["%m/%d/%Y", "%B %d, %Y", "%d-%b-%Y", "%Y-%m-%d", "%A, %B %d, %Y", "%m/%d/%y", "%d %b %Y", "%m-%d-%Y"]
DAYS = st.dates(date(1950, 1, 1), date(2028, 12, 31))


@settings(max_examples=300, deadline=None)
@given(
    first=DAYS,
    second=DAYS,
    forms=st.tuples(st.sampled_from(FORMS), st.sampled_from(FORMS)),
    patient=st.text(min_size=1),
)
def test_intervals_are_kept_over_notes_and_files(
    shifting_scrubber: ns.Scrubber, first: date, second: date, forms: tuple[str, str], patient: str
) -> None:
    if not patient.strip():
        patient = "blank"
    offsets = []
    for day, form in zip((first, second), forms, strict=True):
        out = scrubbed_text(shifting_scrubber, f"Admitted on {day.strftime(form)} with cough.", patient)
        new = out.removeprefix("Admitted on ").removesuffix(" with cough.")
        # May is its own abbreviation: what follows it may be in full.
        wanted = {pad_zeros(new, form), pad_zeros(new, form).replace(full_month_name(new), full_month_name(new)[:3])}
        days = [day + timedelta(7 * offset) for offset in range(-56, 57)]
        read = next(d for d in days if d.strftime(form) in wanted)
        offsets.append((read - day).days)
    assert offsets[0] == offsets[1] != 0
    assert offsets[0] % 7 == 0


def full_month_name(text: str) -> str:
    """Give the name of the month in a text."""
    names = re.findall(r"[A-Z][a-z]+", text)
    return next((name for name in names if not name.endswith("day")), text)


def pad_zeros(text: str, form: str) -> str:
    """Give numbers the zeros that `strftime` writes."""
    return re.sub(r"\b\d\b", lambda digit: digit.group().zfill(2), text) if "%d" in form else text


def test_ten_thousand_patients() -> None:
    """Weekday kept, never zero, every offset about as often, season within four weeks."""
    day = date(2004, 6, 15)
    text = f"Admitted on {day.isoformat()} with cough."
    for season, values in ((False, 104), (True, 56)):
        scrubber = ns.Scrubber(ns.Policy(dates="shift", season=season))
        patients = [ns.Patient(f"patient {number}") for number in range(10_000)]
        counts: Counter[int] = Counter()
        for out in scrubber.scrub_many([text] * len(patients), patients=patients).texts:
            counts[(date.fromisoformat(out[12:22]) - day).days] += 1
        assert 0 not in counts
        assert all(days % 7 == 0 for days in counts)
        assert len(counts) == values
        expected = 10_000 / values
        chi = sum((count - expected) ** 2 / expected for count in counts.values())
        # Once in a thousand keys; this key is always the same.
        assert chi < {104: 151.9, 56: 93.2}[values]
        if season:
            assert max(min(days % 365.25, -days % 365.25) for days in counts) <= 28


def test_what_is_no_plain_date_gets_a_tag() -> None:
    scrubber = ns.Scrubber(ns.Policy(dates="shift"))
    assert scrubbed_text(scrubber, "on 3/4/2006 home") == "on [DATE] home"
    assert scrubbed_text(scrubber, "on 2/30/2006 home") == "on [DATE] home"
    assert re.fullmatch(r"on \d+/\d+/200[567] home", scrubbed_text(scrubber, "on 3/14/2006 home"))


def test_other_dates_of_the_note_settle_the_order() -> None:
    scrubber = ns.Scrubber(ns.Policy(dates="shift"))
    american = ns.Scrubber(ns.Policy(dates="shift", date_order="mdy"))
    text = "Seen 3/4/2006 and 03/25/2001, then 5/6."
    assert scrubbed_text(scrubber, text) == scrubbed_text(american, text)
    assert "[DATE]" not in scrubbed_text(scrubber, text)
    day_first = ns.Scrubber(ns.Policy(dates="shift", date_order="dmy"))
    text = "Seen 3/4/2006 and 25/03/2001."
    assert scrubbed_text(scrubber, text) == scrubbed_text(day_first, text)
    # Two orders, or a date with its year first, settle nothing.
    for other in ("03/25/2001 and 25/03/2001", "2001-03-25", "03/03/2001", "March 25, 2001"):
        assert scrubbed_text(scrubber, f"Seen 3/4/2006 and {other}.").startswith("Seen [DATE] and"), other
    by_year = ns.Scrubber(ns.Policy(dates="year"))
    assert by_year.scrub("on 3/4/06 and 03/25/01 home").text == "on 2006 and 2001 home"


def test_years_that_stand_alone(shifting_scrubber: ns.Scrubber) -> None:
    text = "CABG 1996, tonsils out in 1948."
    assert ns.Scrubber(ns.Policy(ambiguous="never")).scrub(text).text == "CABG 1996, tonsils out in [DATE]."
    judged = ns.Scrubber().scrub(text).text
    assert judged.startswith("CABG 1996, tonsils out in ")
    assert "1948" not in judged
    assert "1996" not in ns.Scrubber(ns.Policy(years="remove")).scrub(text).text
    assert "1996" not in ns.Scrubber("berman").scrub(text).text
    # Beside dates that move, a year that does not would tell how far.
    assert "CABG 1996" not in scrubbed_text(shifting_scrubber, text)
    for policy in (ns.Policy(), ns.Policy(years="remove")):
        scrubber = ns.Scrubber(policy)
        ns.verify(scrubber.scrub(text).text, scrubber)
    with pytest.raises(ns.VerifyError):
        ns.verify("In 1996.", ns.Scrubber(ns.Policy(years="remove")))


def test_dates_become_years() -> None:
    scrubber = ns.Scrubber(ns.Policy(dates="year"))
    assert scrubber.scrub("on March 3, 2004 home").text == "on 2004 home"
    assert scrubber.scrub("on 3/4/2006 home").text == "on 2006 home"
    assert scrubber.scrub("on 3/4 home").text == "on [DATE] home"
    aged = scrubber.scrub("DOB: 3/14/1910. Admitted on 4/15/2006.").text
    assert "1910" not in aged
    assert "2006" in aged


def test_dates_that_tell_an_age_over_89(shifting_scrubber: ns.Scrubber) -> None:
    text = "DOB: 03/14/1910. Admitted on 04/15/2006 with cough."
    aged = scrubbed_text(shifting_scrubber, text)
    assert "DOB: [DATE]" in aged
    assert "[DATE] with" not in aged
    young = scrubbed_text(shifting_scrubber, text.replace("1910", "1950"))
    assert "[DATE]" not in young


def test_numbers_are_persons() -> None:
    text = (
        "Mr. Brown was seen by Dr. White, and John Brown thanked Dr. White and left with Mary Brown. "
        "Mr. J. Brown returned."
    )
    numbered = ns.Scrubber(ns.Policy(replace="numbered"))
    assert numbered.scrub(text).text == (
        "Mr. [NAME-1] was seen by Dr. [NAME-2], and [NAME-1] thanked Dr. [NAME-2] and left with [NAME-3]. "
        "Mr. [NAME-1] returned."
    )
    patient = ns.Patient("17", names=["White, Zora"])
    assert "seen by Dr. [NAME-1], and" in numbered.scrub(text, patient=patient).text
    keyed = ns.Scrubber(ns.Policy(replace="numbered"), key=ns.Key.load())
    notes = ["Dr. Brown came.", "Seen by Dr. Zandvoort. Then Dr. John Brown came."]
    first, second = keyed.scrub_many(notes, patients=[patient, patient]).texts
    number = re.findall(r"\[NAME-\d+\]", first)
    assert number[0] in second
    assert len(set(re.findall(r"\[NAME-\d+\]", second))) == 2


@pytest.fixture(scope="module")
def surrogate_scrubber() -> ns.Scrubber:
    return ns.Scrubber(ns.Policy(replace="surrogate", dates="shift", date_order="mdy"))


TEXT = (
    "Mr. John Brown (MRN: 00481516) of 12 Elm Street, Pomfret, CT 06258 was seen by Dr. Zandvoort at Lantern House "
    "Hospital.\n"
    "Mrs. Brown can be reached at (617) 867-5309 or zb@brownmail.com. Mr. BROWN left on 03/04/2006."
)


def test_surrogates_replace_every_identifier(surrogate_scrubber: ns.Scrubber) -> None:
    patient = ns.Patient("17", names=["John Brown"])
    out = surrogate_scrubber.scrub(TEXT, patient=patient).text
    for original in ("Brown", "BROWN", "John", "Zandvoort", "00481516", "5309", "Pomfret", "06258", "brownmail", "Elm"):
        assert original not in out, out
    names = re.match(r"Mr\. ([A-Z][a-z]+) ([A-Z][a-z]+) \(MRN: (\d{8})\)", out)
    assert names, out
    assert f"Mrs. {names[2]} " in out
    assert f"Mr. {names[2].upper()} left" in out
    assert re.search(r"\(\d{3}\) 555-01\d\d", out)
    assert re.search(r"@example\.org", out)
    again = surrogate_scrubber.scrub("Dr. Zandvoort saw Mr. Brown.", patient=patient).text
    assert names[2] in again
    assert re.search(r"by Dr\. ([A-Z][a-z]+)", out)[1] in again  # type: ignore[index]
    other = surrogate_scrubber.scrub(TEXT, patient=ns.Patient("18")).text
    assert names[2] not in other


def test_numbers_come_from_ranges_that_nobody_has(surrogate_scrubber: ns.Scrubber) -> None:
    text = "Login from 81.2.69.142 and fe80::1c2b:3d4e, card 3c:22:fb:0a:1b:2c, fax +44 20 7018 4412, tel 617-867-5309."
    out = surrogate_scrubber.scrub(text, patient=ns.Patient("17")).text
    assert re.search(r"from 203\.0\.113\.\d+ and", out), out
    assert re.search(r"card 00:00:5E:00:53:[0-9A-F]{2},", out), out
    assert re.search(r"\d{3}-555-01\d\d\.", out), out
    assert "4412" not in out


def test_surrogates_depend_on_nothing_else(surrogate_scrubber: ns.Scrubber) -> None:
    texts = [TEXT, "Dr. Zandvoort came.", TEXT.upper()] * 3
    patients = [ns.Patient("17"), ns.Patient("18"), None] * 3
    one = surrogate_scrubber.scrub_many(texts, patients=patients, threads=1).texts
    assert surrogate_scrubber.scrub_many(texts, patients=patients, threads=2).texts == one
    assert [surrogate_scrubber.scrub(t, patient=p).text for t, p in zip(texts, patients, strict=True)] == one


def test_different_originals_have_different_surrogates(surrogate_scrubber: ns.Scrubber) -> None:
    letters = "bdfgklmnprstvz"
    names = ["".join(c + v for c, v in zip(word, "aeiou", strict=False)).title() for word in sample_words(letters, 300)]
    note = " ".join(f"Seen by Dr. {name}." for name in names)
    out = surrogate_scrubber.scrub(note, patient=ns.Patient("17")).text
    given = re.findall(r"Dr\. (\S+)\.", out)
    assert len(given) == len(names)
    assert len(set(given)) == len(set(names))
    assert not {name.lower() for name in names} & {name.lower() for name in given}


def sample_words(letters: str, count: int) -> list[str]:
    """Give words of four letters, always the same."""
    size = len(letters)
    return ["".join(letters[(n * step // size**at) % size] for at in range(4)) for step in (37,) for n in range(count)]
