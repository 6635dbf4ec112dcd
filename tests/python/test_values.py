"""Values of measurements, and dose, route and frequency of drugs."""

import json
import pickle
import re
import tomllib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import marked_values
import notesieve as ns
from marked_text import replace_matches
from notesieve.statuses import ATTRIBUTES, GROUPS

CASES = Path(__file__).parents[1] / "values"
MARK = re.compile(r"\{([^|}]+)\|([^}]*)\}")


def marked_cases(name: str) -> list[tuple[str, list[tuple[int, str]]]]:
    """Give the texts of a file, each with the places of its marks and what they say."""
    kinds = tomllib.loads((CASES / name).read_text(encoding="utf-8")).values()
    replaced = [replace_matches(MARK, marked) for kind in kinds for marked in kind["notes"]]
    return [(text, [(start, mark[2]) for start, _, mark in marks]) for text, marks in replaced]


def values_of_text(scrubber: ns.Scrubber, text: str) -> list[tuple[int, str]]:
    said = []
    for one in scrubber.autocode(text, identifying=True):
        if one.value is not None:
            value = " ".join(filter(None, (one.value, one.unit, one.flag)))
            said.append((one.start, (one.comparator or "") + value))
    return said


def doses_of_text(scrubber: ns.Scrubber, text: str) -> list[tuple[int, str]]:
    def prescription_text(one: ns.ConceptMention) -> str:
        return "; ".join(part or "-" for part in (one.dose, one.route, one.frequency))

    found = scrubber.autocode(text, identifying=True)
    return [(one.start, prescription_text(one)) for one in found if one.dose or one.route or one.frequency]


@pytest.mark.parametrize(("text", "marks"), marked_cases("measured.toml") + marked_cases("second.toml"))
def test_measurements_have_values(scrubber: ns.Scrubber, text: str, marks: list[tuple[int, str]]) -> None:
    assert values_of_text(scrubber, text) == marks


@pytest.mark.parametrize(("text", "marks"), marked_cases("dosing.toml"))
def test_drugs_have_doses(scrubber: ns.Scrubber, text: str, marks: list[tuple[int, str]]) -> None:
    assert doses_of_text(scrubber, text) == marks


WHOLE_NOTES = [
    note for name in ("notes.toml", "formats.toml", "languages.toml") for note in marked_values.read_notes(CASES / name)
]


@pytest.mark.parametrize("note", WHOLE_NOTES, ids=lambda note: note.text.strip()[:30])
def test_notes_have_further_values_and_doses(note: marked_values.AnnotatedNote) -> None:
    for kind, count in marked_values.count_results([note]).items():
        assert not count["false"], kind
        assert not count["missed"], kind


def test_further_values_are_in_every_form_of_a_mention(scrubber: ns.Scrubber) -> None:
    note = scrubber.scrub("Creatinine 1.9 mg/dL from 1.3 mg/dL. Prednisone 40 mg daily, then 20 mg daily.")
    creatinine, prednisone = note.concepts
    assert [(one["value"], one["number"], one["unit"]) for one in creatinine.further] == [("1.3", 1.3, "mg/dL")]
    assert [(one["dose"], one["frequency"]) for one in prednisone.further] == [("20 mg", "daily")]
    assert [one["further"] for one in note.to_dict()["concepts"]] == [creatinine.further, prednisone.further]
    assert pickle.loads(pickle.dumps(creatinine)) == creatinine
    assert scrubber.scrub("Creatinine 1.9 mg/dL.").concepts[0].further == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Former smoker.", "former"),
        ("He quit smoking last spring.", "former"),
        ("Smokes 1 ppd.", "current"),
        ("A current smoker.", "current"),
        ("She never smoked; lifelong nonsmoker.", "never"),
        ("Smoking cessation was discussed.", None),
    ],
)
def test_smoking_has_a_status(scrubber: ns.Scrubber, text: str, status: str | None) -> None:
    assert {one.flag for one in scrubber.autocode(text, identifying=True) if one.flag or not status} == {status}


# ---- nothing that was removed


NUMBERS = st.one_of(
    st.integers(0, 99_999).map(str),
    st.floats(0, 500).map(lambda number: f"{number:.1f}"),
    st.sampled_from(["3/4/06", "120/80", "555-0134", "1234567", "12:30", "4-6", "1938", "94"]),
)
PIECES = st.one_of(
    NUMBERS,
    st.sampled_from(
        "sodium K Cr creatinine BP HR T Hgb SpO2 aspirin metoprolol insulin mg mg/dL mmHg % units of was from to "
        "-> ( ) : = < > - , . | po bid q6h daily MRN DOB Mr. Brown on in and \n".split(" ")
    ),
)


@given(st.lists(PIECES, min_size=2, max_size=25).map(" ".join), st.sampled_from(["safe", "berman", "balanced"]))
def test_only_kept_numbers_are_reported(text: str, preset: str) -> None:
    note = SCRUBBERS[preset].scrub(text)
    for one in note.concepts:
        others = [other[name] for other in one.further for name in ("value", "dose", "frequency")]
        for said in (one.value, one.dose, one.frequency, *others):
            for number in re.findall(r"\d+", said or ""):
                assert number in re.sub(r",", "", note.text), preset


SCRUBBERS = {preset: ns.Scrubber(ns.Policy(preset)) for preset in ("safe", "berman", "balanced")}


def test_a_number_that_is_removed_is_no_value() -> None:
    note = SCRUBBERS["berman"].scrub("Sodium 131 mEq/L. Aspirin 81 mg daily.")
    assert "131" not in note.text
    assert all(one.value is None and one.dose is None for one in note.concepts)


# ---- everywhere the same

TEXT = "No fever. Sodium 131 mEq/L (L). Metoprolol 25 mg po bid. Troponin <0.04 ng/mL."


def test_documents_columns_and_arrays_agree(scrubber: ns.Scrubber, tmp_path: Path) -> None:
    note = scrubber.scrub(TEXT)
    wanted = [{name: getattr(one, name) for name in ("start", "code", "group", *ATTRIBUTES)} for one in note.concepts]
    said = [one.negated for one in note.concepts]
    assert [(one["group"], one["value"], one["dose"]) for one in wanted] == [
        ("finding", None, None),
        ("measurement", "131", None),
        ("drug", None, "25 mg"),
        ("measurement", "0.04", None),
    ]
    assert wanted[3]["comparator"] == "<"
    assert wanted[1]["flag"] == "low"

    as_json = json.loads(json.dumps(note.to_dict()))["concepts"]
    assert [{name: one[name] for name in wanted[0]} for one in as_json] == wanted

    frame = pa.table({"note": [TEXT]})
    table = scrubber.scrub_frame(frame, text="note")
    pq.write_table(table, tmp_path / "notes.parquet")
    rows = pq.read_table(tmp_path / "notes.parquet")["note_concepts"].to_pylist()[0]
    assert [{name: one[name] for name in wanted[0]} for one in rows] == wanted
    assert [one["negated"] for one in rows] == said

    arrays = scrubber.scrub_many([TEXT]).concept_arrays()
    assert arrays["negated"].tolist() == said
    for name in ("code", "group", *ATTRIBUTES[:-1]):
        assert arrays[name].tolist() == [one[name] or "" for one in wanted]
    numbers = [np.nan if one["number"] is None else one["number"] for one in wanted]
    np.testing.assert_array_equal(arrays["number"], numbers)


def test_an_analyte_is_measured_and_a_substance_given_is_a_drug(scrubber: ns.Scrubber) -> None:
    def groups_of_terms(text: str) -> list[str]:
        return [one.group for one in scrubber.autocode(text) if one.group in {"drug", "measurement"}]

    assert groups_of_terms("Potassium 3.1.") == ["measurement"]
    assert groups_of_terms("Potassium was low.") == ["measurement"]
    assert groups_of_terms("Potassium 20 mEq po daily.") == ["drug"]
    assert groups_of_terms("MEDICATIONS:\n- magnesium\n- aspirin") == ["drug", "drug"]
    assert groups_of_terms("Aspirin.") == ["drug"]
    assert groups_of_terms("Will replete magnesium overnight.") == ["drug"]
    assert groups_of_terms("Chew glucose tablets when shaky.") == ["drug"]
    assert groups_of_terms("She took the potassium level twice.") == ["measurement"]


# ---- the index


@pytest.fixture(scope="module")
def index(scrubber: ns.Scrubber, tmp_path_factory: pytest.TempPathFactory) -> ns.Index:
    texts = [
        "Creatinine 0.8 mg/dL.",
        "Cr 1.9 today. No asthma.",
        "Creatinine 2.4 mg/dL. Asthma.",
        "Creatinine 30 mg/L. HbA1c 7.9 %.",
        "HbA1c 8.0 %. Troponin <0.04 ng/mL.",
        "Creatinine pending. Troponin 0.3 ng/mL. T 101.3 F.",
        "Glucose 190 mg/dL. T 37.1 C.",
        "Glucose 9.4 mmol/L. History of creatinine 5.5 mg/dL.",
    ]
    path = tmp_path_factory.mktemp("values") / "index"
    made = ns.Index.create(path, scrubber, given_pseudonyms=True)
    names = [f"n{number}" for number in range(len(texts))]
    made.add(scrubber.scrub_many(texts), note_id=names, patient_id=names, note_type=["letter"] * len(texts))
    made.commit()
    return made


@pytest.mark.parametrize(
    ("query", "notes"),
    [
        ("creatinine>2", ["n2", "n3"]),
        ("creatinine>=1.9", ["n1", "n2", "n3"]),
        ("creatinine > 2 mg/dL", ["n2", "n3"]),
        ("creatinine>20 mg/L", ["n2", "n3"]),
        ("creatinine<1", ["n0"]),
        ("creatinine=2.4", ["n2"]),
        ("any:creatinine>5", ["n7"]),
        ("hba1c>=8.0 %", ["n4"]),
        ("hba1c>=7.9%", ["n3", "n4"]),
        ("troponin>0.04", ["n5"]),
        ("troponin<0.04", ["n4"]),
        ("troponin<0.03", []),
        ('"body temperature">38 C', ["n5"]),
        ("mesh:D003404>2 AND asthma", ["n2"]),
        ("creatinine>2 AND NOT asthma", ["n3"]),
        ("creatinine>2 AND (code:asthma NEAR/9 creatinine)", ["n2"]),
    ],
)
def test_queries_compare_values(index: ns.Index, query: str, notes: list[str]) -> None:
    assert sorted(hit.note for hit in index.search(query)) == notes
    assert index.count(query).notes == len(notes)
    for hit in index.search(query):
        assert hit.highlights


def test_units_that_do_not_fit_are_an_error(index: ns.Index) -> None:
    with pytest.raises(ns.QueryError, match=r"number of mmol/L, and the values here are in mg/dL \(\d notes\), mg/L"):
        index.count("creatinine>2 mmol/L")
    with pytest.raises(ns.QueryError, match="name the unit"):
        index.count("glucose>10")
    assert index.count("glucose>10 mg/dL").notes == 1
    with pytest.raises(ns.QueryError, match="names a concept that is not in the vocabulary"):
        index.count("zzgk>10")


def test_every_value_of_a_mention_is_searched(scrubber: ns.Scrubber, tmp_path: Path) -> None:
    with ns.Index.create(tmp_path / "index", scrubber, given_pseudonyms=True) as made:
        texts = ["Creatinine 1.1 mg/dL from 3.4 mg/dL.", "Creatinine 1.1 mg/dL."]
        made.add(scrubber.scrub_many(texts), note_id=["a", "b"], patient_id=["a", "b"])
    opened = ns.Index.open(tmp_path / "index")
    (hit,) = opened.search("creatinine>3")
    assert hit.highlights
    assert hit.mentions[0]["further"] == [{"value": "3.4", "unit": "mg/dL", "number": 3.4}]
    assert opened.count("creatinine<2").notes == 2


def test_hits_tell_values(index: ns.Index) -> None:
    hit = next(iter(index.search("creatinine=2.4")))
    first = hit.mentions[0]
    assert (first["group"], first["value"], first["number"], first["unit"]) == ("measurement", "2.4", 2.4, "mg/dL")
    assert hit.to_dict()["mentions"] == hit.mentions


@pytest.mark.parametrize(
    "query", ["negated:asthma", "code:asthma", "any:asthma", "creatinine>1", "historical:creatinine>1"]
)
def test_counts_only_counts_what_the_index_counts(index: ns.Index, query: str, tmp_path: Path) -> None:
    counts = ns.CountsOnly(index.path, log=tmp_path / "log", user="u")
    # A query in its normal form asks for the same notes.
    assert index.count(counts._normal_form(query)) == index.count(query)


def test_codes_of_other_sources_find_the_same_notes(scrubber: ns.Scrubber, tmp_path: Path) -> None:
    path = tmp_path / "index"
    with ns.Index.create(path, scrubber, given_pseudonyms=True) as made:
        texts = ["Asthma.", "AKI.", "CABG.", "Pneumonia."]
        made.add(scrubber.scrub_many(texts), note_id=texts, patient_id=texts)
    opened = ns.Index.open(path)
    wanted = {
        "Asthma.": ["mesh:D001249", "icd10cm:J45", "doid:2841"],
        "AKI.": ["icd10cm:N17", "AKI"],
        "CABG.": ["CABG"],
        "Pneumonia.": ["icd10cm:J18"],
    }
    for note, codes in wanted.items():
        for code in codes:
            assert [hit.note for hit in opened.search(f"code:{code}")] == [note], code


# ---- short forms


@pytest.mark.parametrize("form", "AKI OSA UTI GERD ARDS TIA ALS APAP COPD CABG MRI CT ICU DNR".split())
def test_short_forms_of_one_meaning_are_coded_in_capitals(scrubber: ns.Scrubber, form: str) -> None:
    found = scrubber.scrub(f"For {form}, see the last report.").concepts
    assert [one for one in found if one.code], form


def test_words_in_a_line_of_capitals_are_no_short_forms(scrubber: ns.Scrubber) -> None:
    found = scrubber.scrub("CALL US TODAY OR TOMORROW IF THERE IS BLEEDING.").concepts
    assert not {"Ultrasonography", "Operating Rooms"} & {one.name for one in found}


def test_modifiers_and_headings_are_in_no_default_group(scrubber: ns.Scrubber) -> None:
    text = "History: acute, chronic and severe. Patients and women on room air. No acute cardiopulmonary disease."
    assert scrubber.autocode(text, groups=list(GROUPS)) == []
