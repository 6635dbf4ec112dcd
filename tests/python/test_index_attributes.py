"""Notes can be found by date, age and sex, if the index has them; what it holds of them is what a scrub lets out."""

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns
from index_notes import KEY, NOTES, PATIENTS, TEXTS, given_key
from notesieve.cli import main

DATES: list[Any] = [dt.date(2003, 5, 1), dt.date(2004, 2, 29), "2004-03-17", dt.datetime(2006, 1, 1, 7, 16), None]
AGES = [44, 45, 93, 7.0, None]
SEXES = ["F", "female", "M", "other", None]


@pytest.fixture(scope="module")
def scrubber() -> Iterator[ns.Scrubber]:
    for key in given_key():
        yield ns.Scrubber(ns.Policy(dates="shift"), key=key)


@pytest.fixture
def index(tmp_path: Path, scrubber: ns.Scrubber) -> Iterator[ns.Index]:
    made = ns.Index.create(tmp_path / "index", scrubber, attributes=["date", "age", "sex"])
    notes = scrubber.scrub_many(TEXTS)
    made.add(notes, note_id=NOTES, patient_id=PATIENTS, date=DATES, age=AGES, sex=SEXES)
    made.commit()
    yield made
    made.close()


# A word of each of TEXTS that no other has.
WORDS = ["today", "insulin", "aspirin", "cough", "Asthma"]


def found_places(index: ns.Index, query: str) -> list[int]:
    """The places in TEXTS of the notes that a query finds."""
    texts = [hit.text for hit in index.search(query, limit=10)]
    assert index.count(query).notes == len(texts)
    return [at for at, word in enumerate(WORDS) if any(word in text for text in texts)]


def shifted_day(scrubber: ns.Scrubber, day: dt.date, patient: str) -> dt.date:
    return day + dt.timedelta(days=scrubber._shift_days(patient) or 0)


def test_ages_and_sexes(index: ns.Index) -> None:
    assert found_places(index, "sex:female") == found_places(index, "sex:F") == [0, 1]
    assert found_places(index, "sex:m OR sex:other") == [2, 3]
    assert found_places(index, "age:45") == [1]
    assert found_places(index, "age:40..64") == [0, 1]
    assert found_places(index, "age:<=44") == [0, 3]
    # Everybody over 89 is one group.
    assert found_places(index, "age:90") == [2]
    assert found_places(index, "age:65..") == [2]
    # What is not known fits nothing, and is among what does not fit.
    assert found_places(index, "NOT sex:female") == [2, 3, 4]
    assert found_places(index, "diabetes AND age:44..44 AND NOT sex:male") == [0]
    # A query of which each hit must be looked at.
    assert found_places(index, '(diabetes OR ("chest pain" NEAR/9 today)) AND ATLEAST/1 chest AND age:>=45') == [1]
    assert len(index.cohort("sex:female") & index.cohort("age:45")) == 1


def test_dates_are_those_of_the_texts(index: ns.Index, scrubber: ns.Scrubber) -> None:
    for at, day in ((0, dt.date(2003, 5, 1)), (2, dt.date(2004, 3, 17)), (3, dt.date(2006, 1, 1))):
        moved = shifted_day(scrubber, day, PATIENTS[at])
        assert found_places(index, f"date:{moved}") == [at]
        assert at in found_places(index, f"date:{moved:%Y-%m}")
        assert at in found_places(index, f"date:>={moved}")
        assert at not in found_places(index, f"date:..{moved - dt.timedelta(days=1)}")
        assert at not in found_places(index, f"date:{day}")
    held = (index.path / "attributes.jsonl").read_text(encoding="utf-8")
    assert str(dt.date(2004, 3, 17).toordinal()) not in held
    assert not [name for name in (*NOTES, *PATIENTS, "93") if f'"{name}"' in held or f" {name}," in held]


def test_notes_are_replaced_and_removed(index: ns.Index, scrubber: ns.Scrubber) -> None:
    index.add([scrubber.scrub(TEXTS[0])], note_id=["n1"], patient_id=["p1"], age=[60], sex=["male"])
    assert found_places(index, "age:44") == [0]
    index.commit()
    assert (found_places(index, "age:44"), found_places(index, "age:60"), found_places(index, "sex:male")) == (
        [],
        [0],
        [0, 2],
    )
    index.remove(patient_id="p1")
    index.commit()
    assert found_places(index, "age:60") == []
    assert len((index.path / "attributes.jsonl").read_text().splitlines()) == 3
    index.close()
    other = ns.Index.open(index.path)
    assert found_places(other, "sex:male") == [2]
    assert other.verify() > 0
    assert other.info()["attributes"] == ["date", "age", "sex"]


def test_a_damaged_file_is_an_error(index: ns.Index) -> None:
    index.close()
    file = index.path / "attributes.jsonl"
    file.write_text(file.read_text().replace("44", "45"))
    damaged = ns.Index.open(index.path)
    for ask in (lambda: damaged.count("age:44"), damaged.verify):
        with pytest.raises(ns.SearchIndexError, match=r"attributes\.jsonl: is damaged"):
            ask()
    # What a killed process wrote after the last commit counts for nothing.
    file.write_text(file.read_text().replace('45, "female"', '44, "female"', 1) + '["half')
    assert ns.Index.open(index.path).count("age:44").notes == 1


def test_wrong_values_are_told_and_the_others_go_in(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    with ns.Index.create(tmp_path / "index", scrubber, attributes=["date", "age", "sex"]) as index:
        with pytest.raises(ns.IndexRowError) as problem:
            index.add(
                scrubber.scrub_many(TEXTS),
                note_id=NOTES,
                patient_id=PATIENTS,
                date=["soon", None, None, 17, None],
                age=[None, "old", None, None, 40],
                sex=[None, None, "x", None, "f"],
            )
        assert problem.value.errors == [(0, "date"), (1, "age"), (2, "sex"), (3, "date")]
        with pytest.raises(ns.SearchIndexError, match="fewer values of `age`"):
            index.add(scrubber.scrub_many(TEXTS), note_id=NOTES, patient_id=PATIENTS, age=[1])
    assert index.count("age:40 AND sex:female").notes == 1


def test_small_groups_of_an_age_are_not_told(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    people = [str(at) for at in range(60)]
    with ns.Index.create(tmp_path / "index", scrubber, attributes=["age", "sex"]) as index:
        notes = scrubber.scrub_many(["Asthma."] * 60)
        index.add(notes, note_id=people, patient_id=people, age=[20] * 50 + [70] * 10, sex=["f"] * 30 + ["m"] * 30)
    counts = ns.CountsOnly(tmp_path / "index", log=tmp_path / "audit.jsonl", user="ann")
    assert str(counts.count("sex:f")) == "30"
    assert str(counts.count("age:70")) == "fewer than 11"
    # Its complement would tell of the same ten.
    with pytest.raises(ns.DisclosureError, match="below the floor"):
        counts.count("age:20")


def test_what_an_index_does_not_have(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    with ns.Index.create(tmp_path / "index", scrubber, attributes=["age"]) as index:
        notes = [scrubber.scrub("Asthma.")]
        with pytest.raises(ns.SearchIndexError, match="no `sex` of notes"):
            index.add(notes, note_id=["n1"], patient_id=["p1"], sex=["f"])
        index.add(notes, note_id=["n1"], patient_id=["p1"])
    with pytest.raises(ns.QueryError, match="asks for the sex, and this index has none"):
        index.count("fever AND NOT sex:female")
    for query in ("age:91", "age:85..90", "age:old", "age:64..40", "age:.."):
        with pytest.raises(ns.QueryError):
            index.count(query)
    with pytest.raises(ns.SearchIndexError, match="the policy removes dates"):
        ns.Index.create(tmp_path / "other", ns.Scrubber(key=scrubber.key), attributes=["date"])
    with pytest.raises(ns.SearchIndexError, match="attributes are a list"):
        ns.Index.create(tmp_path / "other", scrubber, attributes=["weight"])


def test_columns_of_a_frame_stay_as_they_are(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    frame = {"text": ["Asthma."], "note_id": ["n1"], "patient_id": ["p1"], "day": ["2004-03-17"], "age": [50]}
    with ns.Index.create(tmp_path / "index", scrubber, attributes=["date", "age"]) as index:
        index.add(frame, date="day", age="age")
    assert index.count("date:2004-03-17 AND age:50").notes == 1
    for query in ("date:2004-02-30", "date:2004-13", "date:2004-03-18..2004-03-17", "date:04-03-17", "sex:woman"):
        with pytest.raises(ns.QueryError):
            index.count(query)


def test_the_command_builds_an_index_with_attributes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    rows = [
        {"note_id": note, "patient_id": patient, "text": text, "when": "2004-03-17", "years": age, "gender": sex}
        for note, patient, text, age, sex in zip(NOTES, PATIENTS, TEXTS, AGES, SEXES, strict=True)
    ]
    Path("notes.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    Path("shift.toml").write_text('dates = "shift"\n', encoding="utf-8")
    build = ["index", "build", "notes.ndjson", "-o", "index", "--policy", "shift.toml"]
    assert main([*build, "--date", "when", "--age", "years", "--sex", "gender"]) == 0
    capsys.readouterr()
    assert main(["index", "count", "index", "age:40..64 AND sex:f AND date:2003..2005"]) == 0
    assert capsys.readouterr().out == "1 patient, 2 notes\n"
