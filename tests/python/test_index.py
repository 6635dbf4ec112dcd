"""An index holds what came out of a scrub, counts patients, and survives being killed."""

import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.errors import FileError, NotesieveError, SearchIndexError, VerifyError
from notesieve.index.migrate import migrate

KEY = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
TEXTS = [
    "Known diabetes mellitus. No chest pain today.",
    "Type 2 diabetes, on insulin. Chest x-ray is clear.",
    "Mr. Brown had a heart attack in 2004; aspirin and metoprolol.",
    "Fever and cough for 3 days. Pneumonia of the left lower lobe.",
    "No fever. Asthma is stable, albuterol as needed.",
]
NOTES = ["n1", "n2", "n3", "n4", "n5"]
PATIENTS = ["p1", "p1", "p2", "p3", "p3"]
TYPES = ["letter", "letter", "Discharge summary", "letter", None]
YEARS = [2003, 2004, 2004, 2006, None]


@pytest.fixture(scope="module")
def key() -> Iterator[ns.Key]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("NOTESIEVE_KEY", KEY)
        yield ns.Key.load()


@pytest.fixture(scope="module")
def scrubber(key: ns.Key) -> ns.Scrubber:
    return ns.Scrubber(key=key)


def filled(path: Path, scrubber: ns.Scrubber) -> ns.Index:
    index = ns.Index.create(path, scrubber, years=True)
    notes = scrubber.scrub_many(TEXTS)
    assert index.add(notes, note_id=NOTES, patient_id=PATIENTS, note_type=TYPES, year=YEARS) == len(TEXTS)
    index.commit()
    return index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, scrubber: ns.Scrubber) -> Iterator[ns.Index]:
    index = filled(tmp_path_factory.mktemp("index") / "notes", scrubber)
    yield index
    index.close()


def test_counts_patients_not_notes(index: ns.Index) -> None:
    counted = index.count("code:mesh:D003920")
    assert (counted.patients, counted.notes) == (1, 2)
    everything = index.count("*")
    assert (everything.patients, everything.notes) == (3, 5)


def test_narrower_codes_unless_exact(index: ns.Index) -> None:
    assert index.count("code:mesh:D012140").notes == 2  # respiratory tract diseases: pneumonia, asthma
    assert index.count("code:mesh:D012140!").notes == 0
    assert index.count("code:mesh:D001249!").notes == 1


def test_a_name_stands_for_its_code(index: ns.Index) -> None:
    # "in 2004" says that it was.
    assert not index.search('code:"heart attack"')
    hits = list(index.search('historical:"heart attack"'))
    assert len(hits) == 1
    (start, end) = hits[0].highlights[0]
    assert hits[0].text[start:end] == "heart attack"
    assert str(index.parse('code:"heart attack"')).startswith("code:")


def test_holds_no_identifier(index: ns.Index) -> None:
    hit = index.search("metoprolol")[0]
    assert "Brown" not in hit.text
    assert hit.note not in NOTES
    assert hit.patient not in PATIENTS
    raw = b"".join(file.read_bytes() for file in index.path.rglob("*") if file.is_file())
    assert b"Brown" not in raw
    assert b"brown" not in raw


def test_pseudonyms_are_those_of_the_key(index: ns.Index, key: ns.Key) -> None:
    assert {hit.patient for hit in index.search("fever")} == {key.pseudonym("patient", "p3")}


def test_types_and_years(index: ns.Index) -> None:
    assert index.count("type:LETTER").notes == 3
    assert index.count('type:"discharge summary"').notes == 1
    assert index.count("type:unknown").notes == 0
    assert index.count("year:2004").notes == 2
    assert index.count("year:2004..").notes == 3
    assert index.count("year:<2004").notes == 1
    assert index.search("metoprolol")[0].year == 2004
    assert index.search("albuterol")[0].note_type is None


def test_snippets_mark_what_was_found(index: ns.Index) -> None:
    assert index.search('"chest pain"')[0].snippet() == "Known diabetes mellitus. No «chest pain» today."
    html = index.search("code:mesh:D003920")._repr_html_()
    assert "<mark" in html
    assert "2 notes of 1 patients" in html


def test_facets_equal_counts(index: ns.Index) -> None:
    for facet in index.facets("*", "type"):
        assert facet.notes == index.count(f'type:"{facet.value}"').notes
    assert {(facet.value, facet.notes) for facet in index.facets("*", "year")} == {
        ("2003", 1),
        ("2004", 2),
        ("2006", 1),
    }
    branches = {facet.value: facet.notes for facet in index.facets("*", "branch", below="mesh:D012140")}
    assert branches
    for code, notes in branches.items():
        assert notes == index.count(f"code:{code}").notes
    concepts = index.facets("*", "concept", limit=3)
    assert [facet.notes for facet in concepts] == sorted((facet.notes for facet in concepts), reverse=True)
    assert "mesh:D001241" in {facet.value for facet in index.facets("*", "concept")}
    assert {facet.value for facet in index.facets("*", "concept", groups=["drug"])} <= {
        "mesh:D001241",
        "mesh:D008790",
        "mesh:D007328",
        "mesh:D000420",
    }
    check_concepts(index)


def check_concepts(index: ns.Index) -> None:
    """The facets by concept are what counting the notes by the best codes of their affirmed terms gives."""
    best = [
        {codes[0] for (_, _, codes), said in zip(hit.concepts, hit.said, strict=True) if not said}
        for hit in index.search("*").all()
    ]
    expected = {code: sum(code in codes for codes in best) for code in set().union(*best)}
    found = index.facets("*", "concept", limit=1000, groups=None)
    assert {facet.value: facet.notes for facet in found} == expected


def test_what_a_note_says_of_a_term(index: ns.Index) -> None:
    assert index.count("code:fever").notes == 1
    assert index.count("negated:fever").notes == 1
    assert index.count("any:fever").notes == 2
    assert index.count("family:fever").notes == 0
    hit = index.search("negated:fever")[0]
    assert hit.snippet().startswith("No «fever».")
    assert "mesh:D005334" in hit.codes("negated")
    assert "mesh:D005334" not in hit.codes()
    assert hit.to_dict()["negated"] == hit.codes("negated")
    assert (
        str(index.parse("negated:mesh:D005334 AND code:mesh:D006073!")) == "code:mesh:D006073! AND negated:mesh:D005334"
    )
    assert set(index.cohort("any:fever").numbers) >= set(index.cohort("code:fever").numbers)


def test_occurrences(index: ns.Index) -> None:
    assert index.occurrences("chest") == 2
    assert index.occurrences("fever OR cough") == 3
    with pytest.raises(NotesieveError, match="no word, phrase or code"):
        index.occurrences("fever AND cough")
    for query in ("type:letter", "*", "fever OR type:letter"):
        with pytest.raises(NotesieveError, match="no word, phrase or code"):
            index.occurrences(query)


def test_adding_again_changes_nothing(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = filled(tmp_path / "notes", scrubber)
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


def test_what_could_not_be_written_is_not_committed(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = filled(tmp_path / "notes", scrubber)
    saved = tmp_path / "saved"
    shutil.copytree(tmp_path / "notes", saved)
    index.add(scrubber.scrub_many(["No rash."]), note_id=["n6"], patient_id=["p6"])
    shutil.rmtree(tmp_path / "notes" / "segments")
    with pytest.raises(FileError, match="segments: "):
        index.commit()
    with pytest.raises(FileError, match="could not be written"):
        index.add(scrubber.scrub_many(["No rash."]), note_id=["n7"], patient_id=["p7"])
    index.close()
    assert ns.Index.open(saved).count("*").notes == len(TEXTS)


def test_the_index_knows_terms_as_the_notes_do(tmp_path: Path) -> None:
    scrubber = ns.Scrubber(ns.Policy("readable"))
    # Accents, letters of two bytes and more, words that end where a term does; the last has no term.
    texts = ["Fièvre and asthma, 5 µg.", "Ménière's disease, ½ tablet: “gout”. 🅰 asthma", "Nothing.", ""]
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
    check_concepts(index)
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

    def broken() -> Iterator[str]:
        yield from names[:1400]
        raise OSError("the file of names ends here")

    for given, patients, types, years, error, match, added in (
        (notes, [*names[:1300], None, *names[1301:]], None, None, ns.IndexRowError, "index 1300: patient_id", 1499),
        (iter(notes), names, None, [2004] * 1200 + ["next"] * 300, ns.IndexRowError, "300 of 1500 .* 1200: year", 1200),
        (notes, broken(), None, None, OSError, "ends here", 1400),
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
    index = filled(tmp_path / "notes", scrubber)
    index.remove(patient_id="p1")
    index.commit()
    assert index.count("*") == index.count("NOT diabetes")
    assert index.count("*").patients == 2
    check_concepts(index)
    index.close()


def test_an_index_that_grows_by_some_notes_at_a_time_is_merged(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    notes = scrubber.scrub_many(TEXTS * 100)
    ns.Index.create(tmp_path / "notes", scrubber).close()
    for day in range(9):
        with ns.Index.open(tmp_path / "notes", scrubber=scrubber) as index:
            names = [f"{day}/{number}" for number in range(len(notes))]
            index.add(notes, note_id=names, patient_id=names)
    written = json.loads((tmp_path / "notes" / "segments" / "meta.json").read_text())
    assert len(written["segments"]) < 8, "eight segments are merged, and `close` waits for that"
    assert ns.Index.open(tmp_path / "notes").count("*").notes == 9 * len(notes)


def test_open_reads_what_was_committed(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = filled(tmp_path / "notes", scrubber)
    reader = ns.Index.open(tmp_path / "notes")
    index.add([scrubber.scrub("Rhabdomyolysis.")], note_id=["n9"], patient_id=["p9"])
    assert reader.count('code:"rhabdomyolysis"').notes == 0
    index.commit()
    reader.refresh()
    assert reader.count('code:"rhabdomyolysis"').notes == 1
    with pytest.raises(SearchIndexError, match="reading only"):
        reader.add([], note_id=[], patient_id=[])
    with pytest.raises(FileError, match="somebody else is adding"):
        ns.Index.open(tmp_path / "notes", scrubber=scrubber)
    index.close()


def test_another_policy_or_key_is_not_mixed_in(
    tmp_path: Path, scrubber: ns.Scrubber, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "notes", scrubber).close()
    monkeypatch.setenv("NOTESIEVE_KEY", KEY[::-1])
    other_key = ns.Scrubber(key=ns.Key.load())
    other_policy = ns.Scrubber("readable", key=scrubber.key)
    for other, word in ((other_key, "key"), (other_policy, "policy")):
        with pytest.raises(SearchIndexError, match=word):
            ns.Index.open(tmp_path / "notes", scrubber=other)
    with ns.Index.open(tmp_path / "notes", scrubber=other_policy, mix=True) as index:
        index.add(other_policy.scrub_many(["No cough."]), note_id=["n8"], patient_id=["p1"])
    assert len(index.info()["provenance"]) == 2
    # The note says what made it, and may be of the scrubber of the index only.
    with ns.Index.open(tmp_path / "notes", scrubber=scrubber) as index:
        for notes in (other_policy.scrub_many(["x-ray"]), [other_policy.scrub("x-ray")]):
            with pytest.raises(SearchIndexError, match="made by another"):
                index.add(notes, note_id=["n7"], patient_id=["p1"])


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


def test_answers_are_the_same_whatever_the_threads_and_commits(
    tmp_path: Path, scrubber: ns.Scrubber, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Many notes say the same, so that their order depends on more than on their scores.
    texts = [TEXTS[at % len(TEXTS)] for at in range(60)]
    told = []
    for name, threads, portion in (("one", "1", 60), ("many", "3", 7)):
        monkeypatch.setenv("NOTESIEVE_THREADS", threads)
        with ns.Index.create(tmp_path / name, scrubber, years=True) as index:
            for at in range(0, len(texts), portion):
                numbers = range(at, min(at + portion, len(texts)))
                index.add(
                    scrubber.scrub_many(texts[at : at + portion]),
                    note_id=[f"n{number}" for number in numbers],
                    patient_id=[f"p{number // 4}" for number in numbers],
                    note_type=[TYPES[number % 5] for number in numbers],
                    year=[YEARS[number % 5] for number in numbers],
                )
                index.commit()
        told.append(
            {
                "first": [(hit.note, round(hit.score or 0, 4)) for hit in index.search("fever OR chest", limit=15)],
                "next": [hit.note for hit in index.search("fever OR chest", limit=5, offset=15)],
                "cohort": list(index.cohort("fever AND NOT type:letter")),
                "facets": [index.facets("*", by) for by in ("concept", "branch", "type", "year")],
                "sets": index._concepts.sets,
                "everything": sorted(hit.text for hit in index.search("*", limit=0).all()),
            }
        )
    assert told[0] == told[1]
    assert len(told[0]["first"]) == 15


def test_notes_are_read_as_of_the_search_while_others_are_added(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = filled(tmp_path / "notes", scrubber)
    with index:
        reading = index.search("*", limit=0).all()
        found = [next(reading).text]
        index.remove(patient_id="p1")
        index.add(scrubber.scrub_many(["No cough."]), note_id=["n6"], patient_id=["p6"])
        index.commit()
        found += [hit.text for hit in reading]
        assert len(found) == len(TEXTS)
        assert "No cough." not in found
        assert index.count("*") == ns.index.Count(patients=3, notes=4)


def test_foreign_and_damaged_folders(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    with pytest.raises(FileError, match="no index"):
        ns.Index.open(tmp_path)
    (tmp_path / "notes-index").mkdir()
    (tmp_path / "notes-index" / "file").touch()
    with pytest.raises(FileError, match="there already"):
        ns.Index.create(tmp_path / "notes-index", scrubber)
    filled(tmp_path / "notes", scrubber).close()
    manifest = tmp_path / "notes" / "notesieve-index.json"
    content = manifest.read_text()
    manifest.write_text(content.replace('"notesieve index": 5', '"notesieve index": 99'))
    with pytest.raises(SearchIndexError, match=r"format 99 .* build it again"):
        ns.Index.open(tmp_path / "notes")
    manifest.write_text(content[:40])
    with pytest.raises(SearchIndexError, match="damaged"):
        ns.Index.open(tmp_path / "notes")
    manifest.write_text(content)
    concepts = tmp_path / "notes" / "concepts.jsonl"
    written = concepts.read_text()
    concepts.write_text('{"codes": 1}\n' + written)
    with pytest.raises(SearchIndexError, match="line 1 is damaged"):
        ns.Index.open(tmp_path / "notes")
    concepts.write_text(written)
    (tmp_path / "notes" / "segments" / "meta.json").unlink()
    with pytest.raises(SearchIndexError, match="has no list of its files"):
        ns.Index.open(tmp_path / "notes")


BUILD = """
import sys
import notesieve as ns
scrubber = ns.Scrubber()
folder, start = sys.argv[1], int(sys.argv[2])
index = ns.Index.open(folder, scrubber=scrubber)
terms = ["asthma", "pneumonia", "diabetes mellitus", "chest pain", "fever", "cough", "rhabdomyolysis", "gout"]
for at in range(start, 1000):
    note = scrubber.scrub(f"Known {terms[at % len(terms)]} and {terms[at // 8 % len(terms)]}.")
    index.add([note], note_id=[f"n{at}"], patient_id=[f"p{at // 3}"])
    if at % 5 == 4:
        index.commit()
        print(at + 1, flush=True)
"""


def test_a_killed_build_leaves_the_last_commit(tmp_path: Path) -> None:
    ns.Index.create(tmp_path / "notes", ns.Scrubber(), given_pseudonyms=True).close()
    committed = 0
    chance = random.Random(4)
    for _ in range(3):
        # Begins before what is committed: those notes come a second time.
        command = [sys.executable, "-c", BUILD, str(tmp_path / "notes"), str(max(0, committed - 7))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(chance.randint(2, 4)):
                committed = max(committed, int(process.stdout.readline()))
            os.kill(process.pid, signal.SIGKILL)
            # A commit may have been made that nobody could tell of any more.
            told = [int(line) for line in process.stdout]
        committed = max([committed, *told])
        with (tmp_path / "notes" / "concepts.jsonl").open("a") as file:
            file.write('{"codes": ["mesh:D0')  # what a write that was cut off leaves
        index = ns.Index.open(tmp_path / "notes")
        counted = index.count("*")
        assert committed <= counted.notes <= committed + 5
        assert counted.patients == -(-counted.notes // 3)
        for name in ("asthma", "gout"):
            assert index.count(f'code:"{name}"') == index.count(name)
        committed = counted.notes


def test_saved_queries_and_cohorts(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = filled(tmp_path / "notes", scrubber)
    index.save_query("lungs", "code:mesh:D012140 OR cough")
    assert ns.Index.open(tmp_path / "notes").count("saved:lungs AND fever").notes == 2
    with pytest.raises(NotesieveError, match="saved are: lungs"):
        index.count("saved:hearts")
    with pytest.raises(NotesieveError, match="closing parenthesis"):
        index.save_query("wrong", "fever)")
    diabetes, fever, chest = (index.cohort(query) for query in ("code:mesh:D003920", "fever", "chest"))
    assert len(diabetes & chest) == 1
    assert len(diabetes | fever) == 2
    assert len(index.cohort("*") - diabetes - fever) == 1
    table = index.attrition([("diabetes", "code:mesh:D003920"), ("no insulin", "WITHOUT insulin")])
    assert table.rows == [("all patients", 3, 0), ("diabetes", 1, 2), ("no insulin", 0, 1)]
    assert "<table>" in table._repr_html_()
    index.close()


def test_exports(index: ns.Index, tmp_path: Path) -> None:
    results = index.search("fever OR diabetes", limit=1)
    assert (len(results), results.notes, results.patients) == (1, 4, 2)
    assert results.to_ndjson(tmp_path / "notes.ndjson") == 4
    rows = [json.loads(line) for line in (tmp_path / "notes.ndjson").read_text().splitlines()]
    assert {row["note"] for row in rows} == {hit.note for hit in index.search("fever OR diabetes")}
    assert "mesh:D011014" in next(row["codes"] for row in rows if "Pneumonia" in row["text"])
    assert results.to_csv(tmp_path / "notes.csv") == 4
    assert (tmp_path / "notes.csv").read_text().startswith("note,patient,type,year,text,codes,negated,hypothetical,")
    assert not list(tmp_path.glob("*.partial"))
    pytest.importorskip("pandas")
    frame = results.to_frame()
    assert list(frame["note"]) == [row["note"] for row in rows]


def test_an_older_index_is_migrated(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = filled(tmp_path / "old", scrubber)
    index.save_query("breath", "asthma")
    wanted = [index.count(query) for query in ("*", "negated:fever", "code:fever", "year:2004", "type:letter")]
    hits = {(hit.note, hit.patient, hit.text, hit.note_type, hit.year) for hit in index.search("*", limit=9)}
    index.commit()
    index.close()
    manifest = tmp_path / "old" / "notesieve-index.json"
    with pytest.raises(SearchIndexError, match="is of this format already"):
        migrate(tmp_path / "old", tmp_path / "new", scrubber)
    manifest.write_text(manifest.read_text().replace('"notesieve index": 5', '"notesieve index": 4'))
    with pytest.raises(SearchIndexError, match=r"format 4 .* index migrate"):
        ns.Index.open(tmp_path / "old")
    assert migrate(tmp_path / "old", tmp_path / "new", scrubber) == len(TEXTS)
    with ns.Index.open(tmp_path / "new", scrubber=scrubber) as moved:
        assert [
            moved.count(query) for query in ("*", "negated:fever", "code:fever", "year:2004", "type:letter")
        ] == wanted
        assert {
            (hit.note, hit.patient, hit.text, hit.note_type, hit.year) for hit in moved.search("*", limit=9)
        } == hits
        assert moved.count("saved:breath").notes == 1
        # Identifiers that are added later get the same pseudonyms.
        moved.add(scrubber.scrub_many(["Gout."]), note_id=["n1"], patient_id=["p1"])
        moved.commit()
        assert len(moved) == len(TEXTS)
