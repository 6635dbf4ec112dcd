"""An index holds what came out of a scrub, and counts patients: what it answers."""

import json
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
from notesieve.errors import NotesieveError

key = pytest.fixture(given_key, scope="module")
scrubber = pytest.fixture(keyed_scrubber, scope="module")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, scrubber: ns.Scrubber) -> Iterator[ns.Index]:
    index = build_index(tmp_path_factory.mktemp("index") / "notes", scrubber)
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
    with pytest.raises(ns.QueryError, match="a type that no note has; there are: "):
        index.count("type:unknown")
    assert index.count("year:2004").notes == 2
    assert index.count("year:2004..").notes == 3
    assert index.count("year:<2004").notes == 1
    assert index.search("metoprolol")[0].year == 2004
    assert index.search("albuterol")[0].note_type is None


def test_snippets_mark_what_was_found(index: ns.Index) -> None:
    assert index.search('"chest pain"')[0].snippet() == "Known diabetes mellitus. No «chest pain» today."
    hit = index.search("*")[0]
    assert hit.snippet(width=10) and hit.text.startswith(hit.snippet(width=10)), (
        "the beginning where nothing was asked for"
    )
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
    check_concept_facets(index)


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


def test_occurrences_of_terms_are_counted(index: ns.Index) -> None:
    assert index.occurrences("chest") == 2
    assert index.occurrences("fever OR cough") == 3
    with pytest.raises(NotesieveError, match="no word, phrase or code"):
        index.occurrences("fever AND cough")
    for query in ("type:letter", "*", "fever OR type:letter"):
        with pytest.raises(NotesieveError, match="no word, phrase or code"):
            index.occurrences(query)


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
    index = build_index(tmp_path / "notes", scrubber)
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


def test_saved_queries_and_cohorts(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = build_index(tmp_path / "notes", scrubber)
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


def test_exports_hold_every_note_that_fits(index: ns.Index, tmp_path: Path) -> None:
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


def test_codes_of_icd_find_what_links_join(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    texts = ["T2DM on metformin.", "Adult-onset diabetes.", "Atrial fibrillation since May."]
    with ns.Index.create(tmp_path / "notes", scrubber) as index:
        index.add(scrubber.scrub_many(texts), note_id=["a", "b", "c"], patient_id=["a", "b", "c"])
    with ns.Index.open(tmp_path / "notes") as index:
        assert index.count("code:icd10cm:E11") == index.count("code:mesh:D003924")
        assert index.count("code:icd10cm:E11!").notes == 2
        with pytest.warns(UserWarning, match="no vocabulary links icd10cm:I48"):
            assert index.count("code:icd10cm:I48").notes == 0
        with pytest.warns(UserWarning, match="ask for mesh:D017116 as well"):
            assert index.count("code:icd10cm:M54.5").notes == 0
