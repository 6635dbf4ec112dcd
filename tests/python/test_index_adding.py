"""Notes are added to an index and taken out: which go in, and what is told of those that do not."""

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

import notesieve as ns
from index_notes import (
    NOTES,
    PATIENTS,
    TEXTS,
    TYPES,
    YEARS,
    build_index,
    check_concept_facets,
    given_key,
    keyed_scrubber,
)
from notesieve.errors import SearchIndexError, VerifyError

key = pytest.fixture(given_key, scope="module")
scrubber = pytest.fixture(keyed_scrubber, scope="module")


def test_adding_again_changes_nothing(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = build_index(tmp_path / "notes", scrubber)
    notes = scrubber.scrub_many(TEXTS)
    for _ in range(2):
        index.add(notes, note_id=NOTES, patient_id=PATIENTS, note_type=TYPES, year=YEARS)
    index.commit()
    assert index.count("*").notes == 5
    index.add([scrubber.scrub("No fever.")], note_id=["n1"], patient_id=["p1"])
    index.commit()
    assert index.count("*").notes == 5
    assert index.count("mellitus").notes == 0
    index.close()


def test_of_notes_with_one_identifier_the_last_counts(tmp_path: Path) -> None:
    # Words out of any context: the model would take them for names.
    scrubber = ns.Scrubber(ns.Policy(ambiguous="never"))

    def add(index: ns.Index, *notes: tuple[str, str, str]) -> None:
        texts, note_ids, patients = zip(*notes, strict=True)
        index.add(scrubber.scrub_many(texts), note_id=note_ids, patient_id=patients)

    with ns.Index.create(tmp_path / "notes", scrubber, given_pseudonyms=True) as index:
        # In one call, and more often than one thread gets at once.
        add(index, *((f"{'Cough.' if at < 200 else 'Fever.'} Pain.", f"n{at % 3}", "p1") for at in range(203)))
    assert index.count("pain").notes == index.count("fever").notes == 3
    with ns.Index.open(tmp_path / "notes", scrubber=scrubber) as index:
        add(index, ("Rash.", "n0", "p1"), ("Asthma.", "n4", "p2"))
        index.remove(patient_id="p1")
        # What comes after its patient was removed stays.
        add(index, ("Gout.", "n1", "p1"), ("Edema.", "n4", "p2"), ("Pain.", "n5", "p2"))
    assert {hit.note: hit.text for hit in index.search("*")} == {"n1": "Gout.", "n4": "Edema.", "n5": "Pain."}
    assert index.count("*") == ns.index.Count(patients=2, notes=3)


def test_the_index_knows_terms_as_the_notes_do(tmp_path: Path) -> None:
    scrubber = ns.Scrubber(ns.Policy("readable"))
    # Accents, letters of two bytes and more, words that end where a term does; the last has no term.
    texts = ["Fièvre and asthma, 5 µg.", "Ménière's disease, ½ tablet. Has “gout”. 🅰 asthma", "Nothing.", ""]
    notes = list(scrubber.scrub_many(texts))
    with ns.Index.create(tmp_path / "notes", scrubber, given_pseudonyms=True) as index:
        index.add(notes, note_id=list("abcd"), patient_id=list("abcd"))
    hits = {hit.note: hit for hit in index.search("*")}
    for name, note in zip("abcd", notes, strict=True):
        assert hits[name].text == note.text
        assert hits[name].concepts == [(c.start, c.end, tuple(c.codes)) for c in note.concepts]
    (hit,) = index.search("code:gout")
    assert [hit.text[start:end] for start, end in hit.highlights] == ["gout"]


def test_sets_of_codes_have_the_same_numbers_however_notes_come(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    written = []
    for name, size in (("at-once", len(TEXTS)), ("one-by-one", 1), ("by-two", 2)):
        with ns.Index.create(tmp_path / name, scrubber) as index:
            for at in range(0, len(TEXTS), size):
                part = slice(at, at + size)
                # As a list of notes, which need not come from one batch.
                notes = [scrubber.scrub(text) for text in TEXTS[part]]
                index.add(iter(notes), note_id=NOTES[part], patient_id=PATIENTS[part])
        written.append((tmp_path / name / "concepts.jsonl").read_bytes())
    assert written[0] == written[1] == written[2]


def test_notes_before_one_of_another_scrubber_are_added(tmp_path: Path, scrubber: ns.Scrubber, key: ns.Key) -> None:
    notes = list(scrubber.scrub_many(TEXTS))
    notes[2] = ns.Scrubber("readable", key=key).scrub(TEXTS[2])
    with ns.Index.create(tmp_path / "notes", scrubber) as index:
        with pytest.raises(SearchIndexError, match="note at index 2 was made by another"):
            index.add(notes, note_id=NOTES, patient_id=PATIENTS)
        with pytest.raises(SearchIndexError, match="fewer"):
            index.add(notes[3:], note_id=NOTES[3:], patient_id=["p1"])
    assert index.count("*").notes == 3


def test_good_notes_around_bad_ones_are_added(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    """One error tells of all that did not go in: which they are, and why."""
    patients = ["p1", None, "p2", "p2", "p3"]
    with ns.Index.create(tmp_path / "notes", scrubber) as index:
        with pytest.raises(ns.IndexRowError, match=r"^2 of 5 notes .* at index 1: patient_id .*; the others") as caught:
            index.add(scrubber.scrub_many(TEXTS), note_id=NOTES, patient_id=patients, year=[None] * 4 + [2004])
        assert (caught.value.result, caught.value.failed, caught.value.rows) == (3, 2, 5)
        assert caught.value.errors == [(1, "patient_id"), (4, "years")]
        assert pickle.loads(pickle.dumps(caught.value)).errors == caught.value.errors
    assert index.count("*").notes == 3
    check_concept_facets(index)
    frame = {
        "text": ["No fever.", "Seen by Zwilbruck.", None, "No cough.", "No rash.", "No pain."],
        "note_id": ["a", "b", "c", "", "e", "caf\udce9"],
        "patient_id": ["p9", "p9", "p9", "p9", "caf\xe9", "p9"],
        "year": ["", 2004, 2004, 2004, "03/04", 2004],
    }
    with ns.Index.create(tmp_path / "texts", scrubber, years=True) as index:
        with pytest.raises(ns.IndexRowError) as refused:
            index.add(frame, year="year")
        assert refused.value.errors == [(1, "verify"), (2, "type"), (3, "note_id"), (4, "year"), (5, "utf-8")]
        assert "Zwilbruck" not in str(refused.value)
    assert index.count("*").notes == 1


def test_notes_far_behind_may_be_bad(tmp_path: Path) -> None:
    scrubber = ns.Scrubber()
    notes = scrubber.scrub_many(["No fever."] * 1500)
    names = [f"n{at}" for at in range(1500)]

    def failing_identifiers() -> Iterator[str]:
        yield from names[:1400]
        raise OSError("the file of names ends here")

    for given, patients, types, years, error, match, added in (
        (notes, [*names[:1300], None, *names[1301:]], None, None, ns.IndexRowError, "index 1300: patient_id", 1499),
        (iter(notes), names, None, [2004] * 1200 + ["next"] * 300, ns.IndexRowError, "300 of 1500 .* 1200: year", 1200),
        (notes, failing_identifiers(), None, None, OSError, "ends here", 1400),
        (notes, names[:1100], ["letter"] * 1500, None, SearchIndexError, "1100 values for note 1100", 1100),
        (notes, [*names, "n"], None, [2004.0] * 1500, SearchIndexError, "more .* than the 1500 notes", 1500),
    ):
        path = tmp_path / str(added)
        with ns.Index.create(path, scrubber, years=True, given_pseudonyms=True) as index:
            with pytest.raises(error, match=match):
                index.add(given, note_id=names, patient_id=patients, note_type=types, year=years)
            index.commit()
            assert len(index) == added
            assert index.count("year:2004").notes == (added if added in (1200, 1500) else 0)


def test_a_patient_can_be_removed(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = build_index(tmp_path / "notes", scrubber)
    index.remove(patient_id="p1")
    index.commit()
    assert index.count("*") == index.count("NOT diabetes")
    assert index.count("*").patients == 2
    check_concept_facets(index)
    index.close()


def test_texts_of_a_frame_must_pass_verify(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    frame = {"text": [note.text for note in scrubber.scrub_many(TEXTS)], "note_id": NOTES, "patient_id": PATIENTS}
    with ns.Index.create(tmp_path / "notes", scrubber) as index:
        assert index.add(frame) == 5
    assert index.count("code:mesh:D003920").notes == 2
    leaking = {"text": ["Seen by Zwilbruck today."], "note_id": ["n6"], "patient_id": ["p1"]}
    with ns.Index.open(tmp_path / "notes", scrubber=scrubber) as index:
        with pytest.raises(ns.IndexRowError, match=r"what nothing allows; notesieve\.verify says where") as caught:
            index.add(leaking)
        with pytest.raises(VerifyError):
            ns.verify(leaking["text"][0], scrubber)
    assert "Zwilbruck" not in str(caught.value)
    assert index.count("*").notes == 5


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_every_kind(library: str, tmp_path: Path, scrubber: ns.Scrubber) -> None:
    columns = {
        "clean": [note.text for note in scrubber.scrub_many(TEXTS)],
        "id": NOTES,
        "mrn": PATIENTS,
        "kind": TYPES,
        "year": YEARS,
    }
    module = pytest.importorskip(library)
    frame = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    with ns.Index.create(tmp_path / "notes", scrubber, years=True) as index:
        index.add(frame, text="clean", note_id="id", patient_id="mrn", note_type="kind", year="year")
    assert index.count("year:2004").notes == 2
    assert index.count("type:letter").notes == 3
    assert index.count("*").patients == 3
    with (
        pytest.raises(SearchIndexError, match="clean, id, mrn"),
        ns.Index.open(tmp_path / "notes", scrubber=scrubber) as i,
    ):
        i.add(frame, text="txt")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"note_id": ["n1"]}, "fewer"),
        ({"note_id": [*NOTES, "n6"]}, "more"),
        ({"patient_id": ["p1", None, "p1", "p1", "p1"]}, "1 of 5 notes .* index 1: patient_id"),
        ({"patient_id": ["p1", float("nan"), "p1", "p1", "p1"]}, "1 of 5 notes .* index 1: patient_id"),
        ({"note_id": "note"}, "names a column"),
        ({"year": ["2004-03-04"] * 5}, "5 of 5 .* year is no number of four digits"),
        ({"year": [2004] * 5}, "has no years"),
        ({"patient_id": None}, "need `note_id` and `patient_id`"),
    ],
)
def test_bad_input_says_what_is_wrong(
    change: dict[str, object], message: str, tmp_path: Path, scrubber: ns.Scrubber
) -> None:
    arguments: dict[str, object] = {"note_id": NOTES, "patient_id": PATIENTS} | change
    with ns.Index.create(tmp_path / "notes", scrubber) as index, pytest.raises(SearchIndexError, match=message):
        index.add(scrubber.scrub_many(TEXTS), **arguments)


def test_texts_that_no_scrubber_made_are_refused(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    with ns.Index.create(tmp_path / "notes", scrubber) as index, pytest.raises(SearchIndexError) as caught:
        index.add(["Seen by Zwilbruck."], note_id=["n1"], patient_id=["p1"])
    assert "Zwilbruck" not in str(caught.value)


def test_no_key_no_index(tmp_path: Path) -> None:
    with pytest.raises(SearchIndexError, match="needs a key"):
        ns.Index.create(tmp_path / "notes", ns.Scrubber())
    with ns.Index.create(tmp_path / "notes", ns.Scrubber(), given_pseudonyms=True) as index:
        index.add(ns.Scrubber().scrub_many(["No fever."]), note_id=["a"], patient_id=["b"])
    assert index.search("fever")[0].patient == "b"
