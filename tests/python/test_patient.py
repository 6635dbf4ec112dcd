"""What is known of a patient, and what made an output."""

import pickle
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import notesieve as ns

SECRETS = ["Zephyrine", "Quillfeather", "00481516", "1946", "617-555-0199", "Pomfret", "zq@example.org"]


@pytest.fixture
def patient() -> ns.Patient:
    return ns.Patient(
        "p-9",
        names=["Zephyrine Quillfeather", "Rose"],
        mrn="00481516",
        birth_date=date(1946, 3, 4),
        phones=["617-555-0199"],
        addresses=["3 Elm Court, Pomfret, CT 06258"],
        other=["zq@example.org"],
    )


def test_patient_is_data(patient: ns.Patient) -> None:
    assert patient.names == ["Zephyrine Quillfeather", "Rose"]
    assert patient.birth_date == date(1946, 3, 4)
    assert patient.id == "p-9"
    assert patient.mrn == "00481516"
    assert ns.Patient("p-9", birth_date="1946-03-04").birth_date == date(1946, 3, 4)
    assert ns.Patient(17, mrn=4711).id == "17"
    again = pickle.loads(pickle.dumps(patient))
    assert again == patient
    assert hash(again) == hash(patient)
    assert patient != ns.Patient("p-9")
    with pytest.raises(AttributeError):
        patient.id = "p-10"  # type: ignore[misc]


def test_patient_shows_nothing(patient: ns.Patient) -> None:
    shown = f"{patient!r} {patient}"
    assert not [secret for secret in SECRETS if secret in shown]
    assert "2 names" in shown


@pytest.mark.parametrize(
    "fields",
    [
        {"names": "Zephyrine"},
        {"names": [7]},
        {"names": ["..."]},
        {"mrn": " "},
        {"mrn": 1.5},
        {"birth_date": "4/3/1946"},
        {"birth_date": "1946-13-04"},
        {"birth_date": 1946},
        {"phones": 6175550199},
    ],
)
def test_wrong_fields_are_refused_by_name(fields: dict[str, Any]) -> None:
    with pytest.raises((ns.PatientError, TypeError)) as problem:
        ns.Patient(**fields)
    field, value = next(iter(fields.items()))
    assert field in str(problem.value)
    assert not isinstance(value, str) or not value.strip() or value not in str(problem.value)


def test_every_way_takes_patients(patient: ns.Patient) -> None:
    # What is known alone: the model has a mind of its own of a few words out of any context.
    scrubber = ns.Scrubber(ns.Policy(ambiguous="never"))
    texts = ["the rose bed", "the rose bed", "a rose"]
    expected = ["the [NAME] bed", "the rose bed", "a [NAME]"]
    patients = [patient, None, patient]
    assert [scrubber.scrub(t, patient=p).text for t, p in zip(texts, patients, strict=True)] == expected
    for threads in (1, 2):
        assert scrubber.scrub_many(texts, patients=patients, threads=threads).texts == expected
    assert [note.text for note in scrubber.scrub_iter(iter(texts), patients=iter(patients))] == expected


def test_patients_fit_notes(scrubber: ns.Scrubber, patient: ns.Patient) -> None:
    with pytest.raises(ValueError, match="more notes than patients"):
        scrubber.scrub_many(["a", "b"], patients=[patient])
    with pytest.raises(ValueError, match="more patients than notes"):
        scrubber.scrub_many(["a"], patients=[patient, None])
    with pytest.raises(TypeError, match=r"patients\[0\] must be a Patient or None, not str"):
        scrubber.scrub_many(["a"], patients=["Zephyrine"])  # type: ignore[list-item]


NAMES = st.lists(
    st.sampled_from("Rose Winters Brown Page Chance Zandvoort Quill Olive Root Hunter Marbury".split()),
    min_size=2,
    max_size=3,
    unique=True,
)


def misspell(word: str, at: int, how: int) -> str:
    at = at % len(word)
    return [word[:at] + word[at + 1 :], word[:at] + "q" + word[at:], word[:at] + "q" + word[at + 1 :]][how % 3]


@settings(max_examples=150, deadline=None)
@given(NAMES, st.data())
def test_names_go_in_every_form(scrubber: ns.Scrubber, names: list[str], data: st.DataObject) -> None:
    patient = ns.Patient(names=[" ".join(names)])
    last = names[-1]
    forms = {
        "upper": " ".join(names).upper(),
        "lower": " ".join(names).lower(),
        "index": f"{last}, {' '.join(names[:-1])}",
        "initial": f"{names[0][0]}. {last}",
        "line": "\n".join(names),
        "order": " ".join(data.draw(st.permutations(names))),
        "alone": data.draw(st.sampled_from(names)).lower(),
        "broken": last[:3] + "\n" + last[3:] if len(last) > 5 else last,
    }
    for how, form in forms.items():
        text = f"today {form} slept"
        note = scrubber.scrub(text, patient=patient)
        gone = {at for span in note.removed if span.category == "NAME" for at in range(span.start, span.end)}
        start = len("today ")
        left = [c for at, c in enumerate(form, start) if c.isalnum() and at not in gone]
        assert not left, (how, form, note.text)
    wrong = misspell(last, data.draw(st.integers(0, 20)), data.draw(st.integers(0, 2)))
    # A common word stays itself: "age" is no misspelt Page.
    common = "stop literature clinical term measurement dose unit duration counted person-verb human-verb person-noun"
    assume(len(wrong) > 3 and not {*common.split(), "relative"} & set(scrubber.vocabulary.lists(wrong.lower())))
    note = scrubber.scrub(f"today {wrong} slept", patient=patient)
    assert wrong not in note.text, (wrong, note.text)


DIGITS = st.text("0123456789", min_size=7, max_size=11).filter(lambda digits: digits[0] != "0" and digits[-7] != "0")


@settings(max_examples=150, deadline=None)
@given(DIGITS, st.lists(st.sampled_from(["", "-", " ", ".", " - "]), min_size=11, max_size=11))
def test_numbers_go_however_they_are_grouped(scrubber: ns.Scrubber, digits: str, marks: list[str]) -> None:
    written = "".join(digit + mark for digit, mark in zip(digits, marks, strict=False)).strip(" -.")
    note = scrubber.scrub(f"weight {written} kg", patient=ns.Patient(mrn=digits))
    assert not any(letter.isdigit() for letter in note.text), note.text


KEY = "5eed" * 16
OTHER = "5eef" * 16


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[ns.Key]:
    monkeypatch.delenv("NOTESIEVE_KEY_FILE", raising=False)
    monkeypatch.setenv("NOTESIEVE_KEY", KEY)
    yield ns.Key.load()


def test_provenance_of_a_scrubber(scrubber: ns.Scrubber, key: ns.Key) -> None:
    plain = scrubber.provenance
    assert plain["version"] == ns.__version__
    assert plain["vocabulary_digest"] == scrubber.vocabulary.digest
    assert plain["key_fingerprint"] is None
    keyed = ns.Scrubber(key=key)
    assert keyed.provenance == plain | {"key_fingerprint": key.fingerprint}
    assert ns.Scrubber("berman").provenance["policy_digest"] != plain["policy_digest"]
    note = keyed.scrub("No fever.")
    assert note.provenance == keyed.provenance
    assert pickle.loads(pickle.dumps(note)).provenance == keyed.provenance
    batch = keyed.scrub_many(["No fever."])
    assert batch.provenance == batch[0].provenance == batch[:1].provenance == keyed.provenance


def test_a_scrubber_is_pickled_without_its_key(key: ns.Key, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(ns.Scrubber(key=key))
    assert KEY.encode() not in data
    assert bytes.fromhex(KEY) not in data
    again = pickle.loads(data)
    assert type(again) is ns.Scrubber
    assert again.key == key
    monkeypatch.setenv("NOTESIEVE_KEY", OTHER)
    with pytest.raises(ns.SecretKeyError, match=key.fingerprint):
        pickle.loads(data)
    monkeypatch.delenv("NOTESIEVE_KEY")
    with pytest.raises(ns.SecretKeyError, match="there is no key"):
        pickle.loads(data)
