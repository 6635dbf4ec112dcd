"""The handle that only counts: no small number, no two answers that make one, and a log of what was asked."""

import itertools
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import notesieve as ns
from notesieve.errors import DisclosureError, SearchIndexError
from notesieve.index.counts import SafeCount

FLOOR = 11
TERMS = ["fever", "cough", "asthma", "gout", "pneumonia", "insulin", "aspirin", "diabetes"]
TYPES = ["letter", "discharge", "nursing", "rare"]


class World:
    """An index of notes, and for each word and type the patients who have it, counted by hand."""

    def __init__(self, folder: Path) -> None:
        chance = random.Random(3)
        self.path = folder / "index"
        self.rows: list[tuple[str, set[str], str]] = []
        for patient in range(140):
            for _ in range(chance.randint(1, 3)):
                # Some words are rare, some go nearly always together, so that small differences exist.
                words = {term for rank, term in enumerate(TERMS) if chance.random() < 0.5 / (rank + 1)}
                words |= {"cough"} if "fever" in words and chance.random() < 0.94 else set()
                kind = chance.choices(TYPES, [8, 4, 2, 0.3])[0]
                self.rows.append((f"p{patient}", words, kind))
        scrubber = ns.Scrubber()
        notes = scrubber.scrub_many([" and ".join(sorted(words)) + "." for _, words, _ in self.rows])
        with ns.Index.create(self.path, scrubber, given_pseudonyms=True) as index:
            index.add(
                notes,
                note_id=range(len(self.rows)),
                patient_id=[patient for patient, _, _ in self.rows],
                note_type=[kind for _, _, kind in self.rows],
            )

    def __repr__(self) -> str:
        return "World"

    @property
    def all_patients(self) -> set[str]:
        return {patient for patient, _, _ in self.rows}

    def matching_patients(self, query: str, kind: str | None = None) -> set[str]:
        """Read the few forms of query that these tests write."""
        found = set()
        for patient, words, has_kind in self.rows:
            holds = query == "*" or any(
                all(part[4:] not in words if part.startswith("NOT ") else part in words for part in side.split(" AND "))
                for side in query.split(" OR ")
            )
            if holds and kind in {None, has_kind}:
                found.add(patient)
        return found


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("counts"))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


literal = st.one_of(st.sampled_from(TERMS), st.sampled_from(TERMS).map("NOT {}".format))
conjunction = st.lists(literal, min_size=1, max_size=3).map(" AND ".join)
query = st.one_of(st.just("*"), conjunction, st.lists(conjunction, min_size=2, max_size=2).map(" OR ".join))
question = st.tuples(st.sampled_from(["count", "count", "table"]), query)


def patients_of_combinations(told: list[set[str]], everybody: set[str]) -> Iterator[int]:
    """How many patients each sum and difference of numbers speaks of, small factors included."""
    names = sorted(everybody)
    rows = np.array([[name in patients for name in names] for patients in [everybody, *told]], dtype=np.int64)
    factors = np.array(list(itertools.product((-2, -1, 0, 1, 2), repeat=len(rows))))
    yield from np.count_nonzero(factors[np.any(factors, axis=1)] @ rows, axis=1).tolist()


@settings(max_examples=120, deadline=None)
@given(questions=st.lists(question, min_size=1, max_size=5), floor=st.sampled_from([5, 11]))
def test_no_questions_together_reveal_a_small_group(world: World, questions: list[tuple[str, str]], floor: int) -> None:
    told: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        counts = ns.CountsOnly(world.path, log=Path(folder) / "log", user="tester", floor=floor)
        for kind, text in questions:
            if kind == "count":
                try:
                    answer = counts.count(text)
                except DisclosureError:
                    continue
                assert answer.patients in (None, len(world.matching_patients(text)))
                assert (answer.patients is None) == (len(world.matching_patients(text)) < floor)
                if answer.patients is not None:
                    told[text] = world.matching_patients(text)
            else:
                table = counts.table(text, by="type")
                check_table(world, text, table, floor)
                told |= {
                    f"{text}|{v}": world.matching_patients(text, v) for v, c in table.rows if c.patients is not None
                }
                told |= {text: world.matching_patients(text)} if table.total.patients is not None else {}
    # One set in several forms is one number.
    different = {frozenset(patients) for patients in told.values()} - {frozenset(world.all_patients)}
    found = list(map(set, sorted(different, key=sorted)))[:5]
    assert min(patients_of_combinations(found, world.all_patients)) >= floor


def check_table(world: World, text: str, table: ns.index.CountsTable, floor: int) -> None:
    shown = {value: count.patients for value, count in table.rows if count.patients is not None}
    for value, patients in shown.items():
        assert patients == len(world.matching_patients(text, value))
    hidden = [value for value, count in table.rows if count.patients is None]
    if table.total.patients is not None and hidden:
        # What the total leaves for the hidden rows is several rows, and enough patients.
        assert len(hidden) > 1
        assert len(set().union(*(world.matching_patients(text, value) for value in hidden))) >= floor


def test_what_is_reported(world: World, log: Path) -> None:
    counts = ns.CountsOnly(world.path, log=log, user="ann")
    fever = len(world.matching_patients("fever"))
    assert fever >= FLOOR
    assert counts.count("fever") == SafeCount(fever, FLOOR)
    assert str(counts.count("fever AND cough AND asthma AND gout AND pneumonia AND insulin")) == "fewer than 11"
    assert str(counts.count("unseen")) == "fewer than 11"
    assert counts.count("unseen") == counts.count("fever AND cough AND asthma AND gout AND pneumonia AND insulin")
    assert "not told" in str(counts.table("gout"))


def test_the_classic_attack_is_refused(world: World, log: Path) -> None:
    small = world.matching_patients("fever") - world.matching_patients("fever AND cough")
    assert 0 < len(small) < FLOOR
    counts = ns.CountsOnly(world.path, log=log, user="ann")
    assert counts.count("fever").patients
    with pytest.raises(DisclosureError, match="below the floor"):
        counts.count("fever AND cough")
    # Nor by another handle, another person, or the other way round.
    with pytest.raises(DisclosureError):
        ns.CountsOnly(world.path, log=log, user="bob").count("cough AND fever")
    other = ns.CountsOnly(world.path, log=log.with_name("other"), user="ann")
    assert other.count("fever AND cough").patients
    with pytest.raises(DisclosureError):
        other.count("fever")


def test_four_overlapping_numbers_do_not_tell_of_one_patient(tmp_path: Path) -> None:
    """|A or B| + |A and B| is |A| + |B|: of four numbers three give the fourth, also where each two look harmless."""
    texts = (
        ["Fever and cough."] * 30 + ["Fever."] * 30 + ["Cough."] * 30 + ["Gout."] * 30 + ["Fever, cough and asthma."]
    )  # the last is the one whom somebody is after
    path = small_index(tmp_path, texts)
    counts = ns.CountsOnly(path, log=tmp_path / "log", user="ann")
    outcomes = []
    for query in ("fever", "cough", "fever OR cough", "fever AND cough", "(fever AND cough) AND NOT asthma"):
        try:
            outcomes.append(counts.count(query).patients)
        except DisclosureError:
            outcomes.append(-1)
    assert outcomes == [61, 61, 91, -1, -1]


def test_whether_somebody_is_there_changes_no_refusal(tmp_path: Path) -> None:
    texts = ["Fever and cough."] * 30 + ["Fever."] * 30 + ["Cough."] * 30 + ["Gout."] * 30
    questions = ["fever", "fever AND NOT asthma", "cough OR (fever AND asthma)", "cough", "asthma", "NOT asthma", "*"]
    outcomes = []
    for there in ("Fever and asthma.", "Fever."):
        folder = tmp_path / there
        folder.mkdir()
        counts = ns.CountsOnly(small_index(folder, [*texts, there]), log=folder / "log", user="ann")
        found: list[str] = []
        for query in questions:
            try:
                found.append("suppressed" if counts.count(query).patients is None else "told")
            except DisclosureError:
                found.append("refused")
        outcomes.append(found)
    assert outcomes[0] == outcomes[1]
    assert set(outcomes[0]) == {"told", "refused", "suppressed"}


def small_index(folder: Path, texts: list[str]) -> Path:
    scrubber = ns.Scrubber()
    with ns.Index.create(folder / "index", scrubber, given_pseudonyms=True) as index:
        index.add(scrubber.scrub_many(texts), note_id=range(len(texts)), patient_id=range(len(texts)))
    return folder / "index"


def test_a_budget_is_told_and_kept(world: World, log: Path) -> None:
    counts = ns.CountsOnly(world.path, log=log, user="ann", most=2)
    first = counts.count("fever")
    assert (first.patients is not None, counts.left) == (True, 1)
    counts.count("unseen")
    counts.table("asthma OR gout", by="type")
    assert counts.left == 0
    assert counts.count("fever AND *") == first
    with pytest.raises(DisclosureError, match="the 2 different numbers of this log are given"):
        counts.count("NOT gout")
    assert ns.CountsOnly(world.path, log=log, user="bob", most=2).left == 0
    assert ns.CountsOnly(world.path, log=log, user="bob").left == 98


def test_two_open_handles_know_of_each_other(world: World, log: Path) -> None:
    ann, bob = (ns.CountsOnly(world.path, log=log, user=user) for user in ("ann", "bob"))
    assert ann.count("fever").patients
    with pytest.raises(DisclosureError):
        bob.count("fever AND cough")


def test_noise_is_the_same_for_the_same_question(world: World, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
    key = ns.Key.load()
    counts = ns.CountsOnly(world.path, log=log, user="ann", noise=3.0, key=key)
    first = counts.count("fever OR asthma")
    assert counts.count("asthma OR fever OR asthma") == first
    again = ns.CountsOnly(world.path, log=log, user="bob", noise=3.0, key=key)
    assert again.count("asthma OR fever") == first
    for words in ("NOT NOT (fever OR asthma)", "(fever OR asthma) AND *", "asthma OR (fever AND NOT asthma)",
                  "fever OR (fever AND cough) OR asthma", "NOT (NOT fever AND NOT asthma)"):  # fmt: skip
        assert again.count(words) == first
    drawn = [counts._noise_of(f"query{at}") for at in range(4000)]
    assert abs(sum(drawn)) / len(drawn) < 0.3
    assert 2.5 < sum(map(abs, drawn)) / len(drawn) < 3.5


def test_the_log_tells_what_was_asked_and_nothing_of_notes(world: World, log: Path) -> None:
    counts = ns.CountsOnly(world.path, log=log, user="ann")
    counts.count("fever")
    counts.count("fever AND gout AND insulin AND aspirin")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["user"], line["outcome"]) for line in lines] == [("ann", "told"), ("ann", "suppressed")]
    assert set(lines[0]) == {"time", "user", "kind", "query", "outcome", "generation", "previous"}
    text = log.read_text()
    log.write_text(text.replace('"ann"', '"bob"', 1))
    with pytest.raises(SearchIndexError, match="altered at byte"):
        ns.CountsOnly(world.path, log=log, user="ann")


def test_queries_per_hour_are_limited(world: World, log: Path) -> None:
    counts = ns.CountsOnly(world.path, log=log, user="ann", per_hour=3)
    for term in ("fever", "unseen", "nothing"):
        counts.count(term)
    with pytest.raises(DisclosureError, match="ask again later"):
        counts.count("fever")
    with pytest.raises(DisclosureError, match="ask again later"):
        ns.CountsOnly(world.path, log=log, user="ann", per_hour=3).count("fever")
    assert ns.CountsOnly(world.path, log=log, user="bob", per_hour=3).count("fever").patients


def test_no_way_to_texts(world: World, log: Path) -> None:
    counts = ns.CountsOnly(world.path, log=log, user="ann")
    assert {name for name in dir(counts) if not name.startswith("_")} == {"count", "table", "log", "left"}
    assert "fever" not in repr(counts)


def test_floor_and_noise_are_checked(world: World, log: Path) -> None:
    with pytest.raises(SearchIndexError, match="fewer than 5"):
        ns.CountsOnly(world.path, log=log, user="ann", floor=4)
    with pytest.raises(SearchIndexError, match="needs a key"):
        ns.CountsOnly(world.path, log=log, user="ann", noise=1.0)


@pytest.fixture
def growing_index(tmp_path: Path) -> Iterator[tuple[Path, ns.Scrubber]]:
    scrubber = ns.Scrubber()
    notes = scrubber.scrub_many(["Fever."] * 30)
    with ns.Index.create(tmp_path / "index", scrubber, given_pseudonyms=True) as index:
        index.add(notes, note_id=range(30), patient_id=range(30))
    yield tmp_path / "index", scrubber


def test_a_changed_index_needs_a_new_log(growing_index: tuple[Path, ns.Scrubber], log: Path) -> None:
    path, scrubber = growing_index
    assert ns.CountsOnly(path, log=log, user="ann").count("*").patients == 30
    with ns.Index.open(path, scrubber=scrubber) as index:
        index.add(scrubber.scrub_many(["Fever."]), note_id=["new"], patient_id=["new"])
    with pytest.raises(DisclosureError, match="has changed"):
        ns.CountsOnly(path, log=log, user="ann")
    assert ns.CountsOnly(path, log=log.with_name("new"), user="ann").count("*").patients == 31
