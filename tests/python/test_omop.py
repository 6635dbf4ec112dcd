"""NOTE of the OMOP CDM comes out de-identified, with NOTE_NLP beside it; DuckDB checks both against the model."""

import csv
import datetime as dt
import json
import re
import secrets
from collections import Counter
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import notesieve as ns
from notesieve import omop
from notesieve.cli import main
from notesieve.statuses import GROUPS, STATUSES

# Made-up ids; the codes are those of the built-in vocabulary.
CONCEPT = """
concept_id|concept_name|domain_id|vocabulary_id|standard_concept|concept_code|invalid_reason
1001|Asthma|Condition|MeSH||D001249|
2001|Asthma "attack"|Condition|SNOMED|S|195967001|
1002|Diabetes mellitus type 2|Condition|MeSH||D003924|
2002|Type 2 diabetes mellitus|Condition|SNOMED|S|44054006|
2003|Hyperglycemia|Condition|SNOMED|S|80394007|
1004|Essential hypertension|Condition|ICD10CM||I10|
2004|Hypertension|Condition|SNOMED|S|38341003|
1005|Pneumonia|Condition|MeSH||D011014|
2005|Old pneumonia|Condition|SNOMED||1|U
3001|History of past illness|Meas Value|LOINC|S|11348-0|
3002|Family history|Meas Value|LOINC|S|10157-6|
"""
RELATIONSHIP = """
concept_id_1|concept_id_2|relationship_id|valid_start_date|valid_end_date|invalid_reason
1001|2001|Maps to|19700101|20991231|
1002|2003|Maps to|19700101|20991231|
1002|2002|Maps to|19700101|20991231|
1002|2001|Maps to|19700101|20991231|D
1002|2004|Is a|19700101|20991231|
1004|2004|Maps to|19700101|20991231|
1005|2005|Maps to|19700101|20991231|
"""
VOCABULARY = "vocabulary_id|vocabulary_version\nNone|v5.0 31-AUG-26\n"
NOTES = [
    "Seen by Dr. Brown on 3/14/2006.\nPAST MEDICAL HISTORY:\nAsthma, type 2 diabetes.\n"
    "FAMILY HISTORY:\nMother had asthma.",
    "Mr. Winters, 617-555-0123. No hypertension. Possible pneumonia. Return if asthma worsens.",
]


@pytest.fixture(scope="module")
def athena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("athena")
    for name, table in (("CONCEPT", CONCEPT), ("CONCEPT_RELATIONSHIP", RELATIONSHIP), ("VOCABULARY", VOCABULARY)):
        (folder / f"{name}.csv").write_text(table.lstrip().replace("|", "\t"), encoding="utf-8")
    return folder


@pytest.fixture
def shifting(monkeypatch: pytest.MonkeyPatch) -> ns.Scrubber:
    monkeypatch.setenv("NOTESIEVE_KEY", secrets.token_hex(32))
    return ns.Scrubber(ns.Policy(dates="shift"))


def note_table(**columns: list[object]) -> pa.Table:
    rows = len(next(iter(columns.values()))) if columns else len(NOTES)
    given: dict[str, list[object]] = {
        "note_id": list(range(1, rows + 1)),
        "person_id": [7] * rows,
        "note_date": [dt.date(2006, 3, 14)] * rows,
        "note_datetime": [dt.datetime(2006, 3, 14, 7, 16)] * rows,
        "note_type_concept_id": [32817] * rows,
        "note_class_concept_id": [706391] * rows,
        "note_title": ["Letter to Dr. Quill about asthma"] * rows,
        "note_text": [NOTES[at % 2] for at in range(rows)],
        "provider_id": [None] * rows,
        "visit_occurrence_id": [42] * rows,
    }
    return pa.table(given | columns)


def load_into_database(tables: omop.Tables) -> duckdb.DuckDBPyConnection:
    """Insert the tables into tables of the model, as DuckDB makes them: a wrong type, null or key is an error."""
    connection = duckdb.connect()
    connection.execute(omop.ddl())
    for name in ("note", "note_nlp"):
        connection.register("made", getattr(tables, name))
        connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM made")
        connection.unregister("made")
    return connection


def test_the_tables_fit_the_model_in_duckdb(shifting: ns.Scrubber, athena: Path) -> None:
    connection = load_into_database(omop.scrub_notes(shifting, note_table(), omop.Concepts.open(athena)))
    assert connection.sql("SELECT count(*) FROM note").fetchall() == [(2,)]
    for name, fields in (("note", omop.NOTE), ("note_nlp", omop.NOTE_NLP)):
        described = {row[0]: (row[2], row[3]) for row in connection.sql(f"DESCRIBE {name}").fetchall()}
        assert list(described) == [field.name for field in fields]
        for field in fields:
            assert (described[field.name][0] == "NO") == field.required
            assert (described[field.name][1] == "PRI") == (field is fields[0])
            if field.length:
                (longest,) = connection.sql(f'SELECT coalesce(max(length("{field.name}")), 0) FROM {name}').fetchall()
                assert longest[0] <= field.length
    with pytest.raises(duckdb.ConstraintException):
        connection.execute("INSERT INTO note SELECT * FROM note")


def test_the_definition_has_the_fields_of_the_published_model() -> None:
    # Counted in OMOP_CDMv5.4_Field_Level.csv: fields, required ones, lengths of texts.
    assert (len(omop.NOTE), sum(field.required for field in omop.NOTE)) == (16, 8)
    assert (len(omop.NOTE_NLP), sum(field.required for field in omop.NOTE_NLP)) == (14, 4)
    assert [field.length for field in omop.NOTE if field.type == "varchar"] == [250, None, 50]
    assert [field.length for field in omop.NOTE_NLP if field.type == "varchar"] == [250, 50, 250, 250, 1, 50, 2000]


def test_no_original_text_comes_out(shifting: ns.Scrubber) -> None:
    tables = omop.scrub_notes(shifting, note_table(), groups=None)
    written = json.dumps([tables.note.to_pylist(), tables.note_nlp.to_pylist()], default=str)
    for word in ("Brown", "Winters", "Quill", "555-0123", "2006-03-14", "3/14/2006"):
        assert word not in written
    for row in tables.note_nlp.to_pylist():
        (text,) = (each["note_text"] for each in tables.note.to_pylist() if each["note_id"] == row["note_id"])
        start = int(row["offset"])
        assert text[start : start + len(row["lexical_variant"])] == row["lexical_variant"]
        assert row["lexical_variant"] in row["snippet"]
        assert row["snippet"] in " ".join(text.split())


def test_dates_are_shifted_as_in_the_text_and_by_scrub_frame(shifting: ns.Scrubber) -> None:
    made = omop.scrub_notes(shifting, note_table()).note.to_pylist()[0]
    moved = made["note_date"] - dt.date(2006, 3, 14)
    assert moved.days % 7 == 0
    assert moved.days != 0
    assert made["note_datetime"] == dt.datetime(2006, 3, 14, 7, 16) + moved
    month, day, year = map(int, re.search(r"(\d+)/(\d+)/(\d+)", made["note_text"]).groups())
    assert dt.date(year, month, day) == made["note_date"]
    other = pa.table({"person_id": [7], "start": [dt.date(2006, 3, 14)], "text": [""]})
    framed = shifting.scrub_frame(other, "text", patient="person_id", dates=["start"], outputs=["text"])
    assert framed["start"][0].as_py() == made["note_date"]


def test_concepts_are_mapped_to_standard_ones(shifting: ns.Scrubber, athena: Path) -> None:
    concepts = omop.Concepts.open(athena)
    assert concepts.release == "v5.0 31-AUG-26"
    tables = omop.scrub_notes(shifting, note_table(), concepts)
    found = {
        (row["lexical_variant"].lower(), row["note_nlp_source_concept_id"], row["note_nlp_concept_id"])
        for row in tables.note_nlp.to_pylist()
    }
    assert {("asthma", 1001, 2001), ("type 2 diabetes", 1002, 2002), ("type 2 diabetes", 1002, 2003)} <= found
    assert ("hypertension", 1004, 2004) in found  # by a code that a source of the vocabulary calls the same
    assert ("pneumonia", 1005, 0) in found  # it maps to a concept that is no longer standard
    sections = {row["section_concept_id"] for row in tables.note_nlp.to_pylist()}
    assert sections == {3001, 3002, 0}
    assert tables.provenance["concepts_digest"] == concepts.digest
    assert tables.provenance["cdm_version"] == "5.4"
    assert all(len(row["nlp_system"]) <= 250 for row in tables.note_nlp.to_pylist())


def test_counts_of_concepts_by_status_survive_duckdb(shifting: ns.Scrubber, athena: Path) -> None:
    texts = NOTES * 20
    table = note_table(note_text=texts)
    connection = load_into_database(omop.scrub_notes(shifting, table, omop.Concepts.open(athena)))
    batch = shifting.scrub_many(texts, patients=[ns.Patient(7)] * len(texts))
    mapped = {"mesh:D001249": [2001], "mesh:D003924": [2002, 2003], "mesh:D006973": [2004]}
    wanted: Counter[tuple[int, str]] = Counter()
    for each in batch:
        for mention in each.concepts:
            if mention.group in GROUPS:
                for concept in mapped.get(mention.code, [0]):
                    wanted.update((concept, status) for status in STATUSES if getattr(mention, status))
                    wanted[concept, "all"] += 1
                    wanted[concept, "exists"] += not (mention.negated or mention.family or mention.hypothetical)
    signs = {
        "negated": "term_modifiers LIKE '%Negation=true%'",
        "hypothetical": "term_modifiers LIKE '%Conditional=true%'",
        "historical": "term_temporal = 'Past'",
        "possible": "term_modifiers LIKE '%Uncertain=true%'",
        "family": "term_modifiers LIKE '%Subject=family%'",
        "exists": "term_exists = 'Y'",
        "all": "true",
    }
    counted = {
        (concept, status): count
        for status, sign in signs.items()
        for concept, count in connection.sql(
            f"SELECT note_nlp_concept_id, count(*) FROM note_nlp WHERE {sign} GROUP BY ALL"
        ).fetchall()
    }
    assert counted == {key: count for key, count in wanted.items() if count}
    assert {status for _, status in counted} == set(signs)


def test_rows_that_cannot_come_out_are_reported(shifting: ns.Scrubber) -> None:
    day = dt.date(2020, 1, 1)
    edge = dt.date.max if (shifting._shift_days("7") or 0) > 0 else dt.date.min
    table = pd.DataFrame(
        {
            "NOTE_ID": [1, 2, 2, None, 5, 6, 7, 8, 9, 10],
            "PERSON_ID": [7, 7, 7, 7, None, 7, 7, 7, "seven", 7],
            "NOTE_DATE": [day, day, day, day, day, None, "soon", edge, day, "2020-01-01"],
            "NOTE_TEXT": [None, "No fever.", "Cough.", "Rash.", "Pain.", "Ok.", "Ok.", "Ok.", "Ok.", 17],
        }
    ).astype(object)
    tables = omop.scrub_notes(shifting, table)
    assert tables.problems == [
        (0, "null"), (2, "duplicate"), (3, "note_id"), (4, "person_id"), (5, "note_date"), (6, "note_date"),
        (7, "note_date"), (8, "integer"), (9, "type"),
    ]  # fmt: skip
    assert tables.note["note_id"].tolist() == [2]
    assert tables.note["note_class_concept_id"].tolist() == [0]
    assert tables.note["encoding_concept_id"].tolist() == [32678]


def test_frames_come_back_in_their_library(shifting: ns.Scrubber) -> None:
    table = note_table()
    now = dt.datetime(2026, 1, 2, 3, 4, 5)
    plain = omop.scrub_notes(shifting, table, processed=now).note.to_pydict()
    pandas = omop.scrub_notes(shifting, table.to_pandas(), processed=now)
    assert isinstance(pandas.note_nlp, pd.DataFrame)
    assert pandas.note["note_text"].tolist() == plain["note_text"]
    polars = omop.scrub_notes(shifting, pl.DataFrame(table), processed=now)
    assert isinstance(polars.note, pl.DataFrame)
    assert polars.note["note_date"].to_list() == plain["note_date"]
    relation = omop.scrub_notes(shifting, duckdb.from_arrow(table), processed=now)
    assert relation.note.fetchall() == [tuple(row.values()) for row in pa.table(plain).to_pylist()]
    empty = omop.scrub_notes(shifting, table.slice(0, 0))
    assert (empty.note.num_rows, empty.note_nlp.num_rows) == (0, 0)


def test_pseudonyms_of_ids_are_the_same_in_all_tables(shifting: ns.Scrubber) -> None:
    table = note_table(note_id=[1, 2, 2**40], person_id=[7, 8, 2**31 - 1], visit_occurrence_id=[0, 5, 5])
    assert shifting.key is not None
    made = omop.scrub_notes(shifting, table, ids="pseudonym")
    pseudonyms = omop.Pseudonyms(shifting.key)
    assert made.note["person_id"].to_pylist() == [
        pseudonyms.pseudonym_of("person_id", each) for each in (7, 8, 2**31 - 1)
    ]
    assert made.note["visit_occurrence_id"].to_pylist() == [0, *[pseudonyms.pseudonym_of("visit_occurrence_id", 5)] * 2]
    assert set(made.note_nlp["note_id"].to_pylist()) == set(made.note["note_id"].to_pylist())
    assert max(made.note["person_id"].to_pylist()) < 2**31 <= made.note["note_id"].to_pylist()[2]
    assert set(made.note["person_id"].to_pylist()).isdisjoint({7, 8, 2**31 - 1})
    many = {pseudonyms.pseudonym_of("person_id", number) for number in range(1, 3000)}
    assert len(many) == 2999
    # The shift is that of the real id, so that tables with either can be shifted.
    kept = omop.scrub_notes(shifting, table)
    assert kept.note["note_date"] == made.note["note_date"]


def test_what_is_known_of_persons_is_removed(shifting: ns.Scrubber) -> None:
    table = note_table(note_text=["rose slept well", "the rose bed"], person_id=[7, 8])
    known = omop.scrub_notes(shifting, table, patients={7: ns.Patient(names=["Rose Winters"])})
    assert known.note["note_text"].to_pylist() == ["[NAME] slept well", "the rose bed"]


def test_persons_are_read_from_a_table(tmp_path: Path) -> None:
    people = pa.table(
        {
            "person_id": [7, 7, 8],
            "last_name": ["Winters", "Quombel", None],
            "mrn": ["4711-1", "4711-2", None],
            "phone": [None, None, "617-555-0123"],
        }
    )
    known = omop.known_persons(people)
    assert (known[7].names, known[7].mrn, known[7].other) == (["Winters", "Quombel"], "4711-1", ["4711-2"])
    assert (known[8].phones, known[8].id) == (["617-555-0123"], "8")
    pq.write_table(people, tmp_path / "people.parquet")
    assert omop.known_persons(tmp_path / "people.parquet", {"last_name": "names"})[7].mrn is None
    with pytest.raises(ns.FrameError, match="no column 'surname'"):
        omop.known_persons(people, ["surname"])
    with pytest.raises(ns.FrameError, match="row 1 of the table of persons") as problem:
        omop.known_persons(pa.table({"person_id": [7, None], "name": ["Winters", "Quombel"]}))
    assert "Quombel" not in str(problem.value)


def test_wrong_calls_are_refused(shifting: ns.Scrubber, tmp_path: Path) -> None:
    with pytest.raises(ns.FrameError, match="dates='shift'"):
        omop.scrub_notes(ns.Scrubber(), note_table())
    with pytest.raises(ns.FrameError, match="note_text"):
        omop.scrub_notes(shifting, note_table().drop_columns(["note_text"]))
    with pytest.raises(ns.FrameError, match="two columns"):
        omop.scrub_notes(shifting, pa.table([[1], [2]], names=["note_id", "NOTE_ID"]))
    with pytest.raises(ns.SettingError, match="needs a key"):
        omop.scrub_notes(ns.Scrubber("limited-data-set"), note_table(), ids="pseudonym")
    with pytest.raises(ns.SettingError, match="one of keep, pseudonym"):
        omop.scrub_notes(shifting, note_table(), ids="drop")  # type: ignore[arg-type]
    with pytest.raises(ns.SettingError, match="did you mean 'disorder'"):
        omop.scrub_notes(shifting, note_table(), groups=["disordr"])
    with pytest.raises(ns.SourceError, match="there is no such file"):
        omop.Concepts.open(tmp_path / "athna")
    (tmp_path / "CONCEPT.csv").write_text("id,name\n1,Mr. Brown\n", encoding="utf-8")
    with pytest.raises(ns.SourceError) as problem:
        omop.Concepts.open(tmp_path)
    assert "Brown" not in str(problem.value)


def test_the_command_writes_parquet(
    shifting: ns.Scrubber, athena: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pq.write_table(note_table(note_text=[*NOTES, None]), tmp_path / "note.parquet")
    (tmp_path / "policy.toml").write_text('dates = "shift"\n', encoding="utf-8")
    call = ["omop", f"{tmp_path}/note.parquet", "-o", f"{tmp_path}/out", "--policy", f"{tmp_path}/policy.toml"]
    assert main([*call, "--athena", str(athena), "--ids", "pseudonym"]) == 1
    assert "1 row not written: the note has no text" in capsys.readouterr().err
    made = omop.Tables(pq.read_table(tmp_path / "out/note.parquet"), pq.read_table(tmp_path / "out/note_nlp.parquet"))
    assert load_into_database(made).sql("SELECT count(DISTINCT note_id) FROM note_nlp").fetchall() == [(2,)]
    with (tmp_path / "out/problems.csv").open(encoding="utf-8") as file:
        assert list(csv.reader(file))[1:] == [["2", "null", "the note has no text"]]
    provenance = json.loads((tmp_path / "out/provenance.json").read_text(encoding="utf-8"))
    assert provenance["policy_digest"] == shifting.policy.digest
    assert (provenance["rows"], provenance["not_written"], provenance["ids"]) == (3, 1, "pseudonym")
    assert main(call) == 2
    assert "overwrite" in capsys.readouterr().err
    pq.write_table(pa.table({"person_id": [7], "other": ["hypertension"]}), tmp_path / "people.parquet")
    assert main([*call, "--overwrite", "--quiet", "--known", str(tmp_path / "people.parquet")]) == 1
    assert "hypertension" not in str(pq.read_table(tmp_path / "out/note.parquet")["note_text"].to_pylist())
    assert main([*call, "--overwrite", "--ids", "keep", "--groups", "all"]) == 1
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        "note.parquet", "note_nlp.parquet", "problems.csv", "provenance.json",
    ]  # fmt: skip


def test_a_broken_file_is_an_error_without_its_content(shifting: ns.Scrubber, tmp_path: Path) -> None:
    (tmp_path / "note.parquet").write_text("Mr. Brown", encoding="utf-8")
    with pytest.raises(ns.FileError) as problem:
        omop.scrub_parquet(shifting, tmp_path / "note.parquet", tmp_path / "out")
    assert "Brown" not in str(problem.value)
    assert list((tmp_path / "out").iterdir()) == []
    with pytest.raises(ns.FileError, match="there is no such file"):
        omop.scrub_parquet(shifting, tmp_path / "none.parquet", tmp_path / "out")
