"""Frames of every library come back as what they were, without the columns that nobody named."""

import datetime as dt
import hashlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import arro3.core
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import notesieve as ns
from notesieve.statuses import ATTRIBUTES

ROWS = {
    "mrn": ["100", "100", "200", "300"],
    "note": ["Dr. Brown called 617-555-0123 about asthma.", None, "Seen 3/4/2006, BP 128/72.", "No fever."],
    "year": [2006, 2007, None, 2009],
    "note_id": ["a", "b", "c", "d"],
}
TEXTS = ["Dr. [NAME] called [CONTACT] about asthma.", None, "Seen [DATE], BP 128/72.", "No fever."]
NEW = [
    "note_coded", "note_concepts", "note_removed_name", "note_removed_date", "note_removed_age",
    "note_removed_location",
    "note_removed_contact", "note_removed_id", "note_removed_unlisted", "note_error",
]  # fmt: skip


def duckdb_relation() -> duckdb.DuckDBPyRelation:
    return duckdb.from_arrow(pa.table(ROWS))


FRAMES = {
    "pandas": (lambda: pd.DataFrame(ROWS), pd.DataFrame),
    "pandas-objects": (lambda: pd.DataFrame(ROWS).astype({"note": object}), pd.DataFrame),
    "polars": (lambda: pl.DataFrame(ROWS), pl.DataFrame),
    "polars-lazy": (lambda: pl.LazyFrame(ROWS), pl.LazyFrame),
    "table": (lambda: pa.table(ROWS), pa.Table),
    "batch": (lambda: pa.RecordBatch.from_pydict(ROWS), pa.RecordBatch),
    "reader": (lambda: pa.table(ROWS).to_reader(max_chunksize=3), pa.RecordBatchReader),
    "duckdb": (duckdb_relation, duckdb.DuckDBPyRelation),
    "arro3": (lambda: arro3.core.Table.from_arrow(pa.table(ROWS)), arro3.core.Table),
}


def columns_as_lists(frame: object) -> dict[str, list[object]]:
    """The frame as lists, whatever it is."""
    if isinstance(frame, pd.DataFrame):
        gone = frame.isna()
        return {
            name: [None if null else value for null, value in zip(gone[name], frame[name], strict=True)]
            for name in frame.columns
        }
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame.to_dict(as_series=False)
    if isinstance(frame, pa.RecordBatchReader):
        frame = frame.read_all()
    return pa.table(frame).to_pydict()


@pytest.mark.parametrize("kind", FRAMES)
def test_the_same_frame_with_new_columns(scrubber: ns.Scrubber, kind: str) -> None:
    make, container = FRAMES[kind]
    result = scrubber.scrub_frame(make(), text="note", id="note_id", keep=["year"])
    assert isinstance(result, container)
    found = columns_as_lists(result)
    assert list(found) == ["note", "year", "note_id", *NEW]
    assert found["note"] == TEXTS
    assert found["year"] == ROWS["year"]
    assert found["note_id"] == ROWS["note_id"]
    assert found["note_removed_name"] == [1, None, 0, 0]
    assert found["note_removed_contact"] == [1, None, 0, 0]
    assert found["note_removed_date"] == [0, None, 1, 0]
    assert found["note_error"] == [None] * 4
    note = scrubber.scrub(ROWS["note"][0])
    assert found["note_coded"][0] == note.coded_text
    assert found["note_coded"][1] is None
    names = ("code", "start", "end", "group", "negated", "hypothetical", "historical", "possible", "family")
    names += ATTRIBUTES
    wanted = [{name: getattr(c, name) for name in names} for c in note.concepts]
    assert [dict(mention) for mention in found["note_concepts"][0]] == wanted
    assert found["note_concepts"][1] is None


@pytest.mark.parametrize("kind", FRAMES)
def test_columns_that_nobody_named_are_gone(scrubber: ns.Scrubber, kind: str) -> None:
    make, _ = FRAMES[kind]
    found = columns_as_lists(scrubber.scrub_frame(make(), text="note", outputs=["text"]))
    assert list(found) == ["note"]
    assert found["note"] == TEXTS


@pytest.mark.parametrize("kind", [kind for kind in FRAMES if kind != "reader"])
def test_a_frame_without_rows_keeps_its_type(scrubber: ns.Scrubber, kind: str) -> None:
    make, container = FRAMES[kind]
    frame = make()
    none = frame.limit(0) if kind == "duckdb" else frame.slice(0, 0) if hasattr(frame, "slice") else frame[:0]
    result = scrubber.scrub_frame(none, text="note", keep=["year"])
    assert isinstance(result, container)
    assert list(columns_as_lists(result)) == ["note", "year", *NEW]


def test_pandas_keeps_dtypes(scrubber: ns.Scrubber) -> None:
    frame = pd.DataFrame(ROWS, index=pd.Index([9, 9, 4, 1], name="row"))
    frame["note"] = frame["note"].astype("category")
    before = frame.copy()
    asked = {"text": "note", "keep": ["year"], "outputs": ["text", "removed", "error"]}
    with pytest.raises(ns.FrameError, match="index='keep'"):
        scrubber.scrub_frame(frame, **asked)
    with pytest.raises(ns.SettingError, match="not one of keep, drop"):
        scrubber.scrub_frame(frame, **asked, index="reset")
    with pytest.raises(ns.FrameError, match="has no index"):
        scrubber.scrub_frame(pl.DataFrame(ROWS), **asked, index="keep")
    pd.testing.assert_index_equal(scrubber.scrub_frame(frame, **asked, index="keep").index, frame.index)
    result = scrubber.scrub_frame(frame, **asked, index="drop")
    assert result.index.tolist() == [0, 1, 2, 3]
    assert isinstance(result["note"].dtype, pd.CategoricalDtype)
    pd.testing.assert_series_equal(result["year"], frame["year"].reset_index(drop=True))
    pd.testing.assert_frame_equal(frame, before)


def test_broken_rows_get_a_code_and_no_text(scrubber: ns.Scrubber) -> None:
    secret = 6175550123
    frame = pd.DataFrame({"note": ["Dr. Brown.", secret, None, ["Brown"], float("nan")], "n": range(5)})
    result = scrubber.scrub_frame(frame, text="note", keep=["n"])
    assert columns_as_lists(result)["note"] == ["Dr. [NAME].", None, None, None, None]
    assert columns_as_lists(result)["note_error"] == [None, "type", None, "type", None]
    assert "6175550123" not in result.to_csv()
    with pytest.raises(ns.RowError) as caught:
        scrubber.scrub_frame(frame, text="note", keep=["n"], on_error="raise")
    assert caught.value.errors == [(1, "type"), (3, "type")]
    assert str(secret) not in str(caught.value)
    pd.testing.assert_frame_equal(caught.value.result, result)
    numbers = columns_as_lists(scrubber.scrub_frame(pa.table({"note": [1, None, 3]}), text="note"))
    assert numbers["note"] == [None] * 3
    assert numbers["note_error"] == ["type", None, "type"]


def test_what_is_wrong_with_a_call_is_said(scrubber: ns.Scrubber) -> None:
    frame = pd.DataFrame(ROWS)
    with pytest.raises(ns.FrameError, match="no column 'text'"):
        scrubber.scrub_frame(frame, text="text")
    with pytest.raises(ns.FrameError, match="no column 'age'"):
        scrubber.scrub_frame(frame, text="note", keep=["age"])
    with pytest.raises(ns.FrameError, match="2 columns of that name"):
        scrubber.scrub_frame(pd.concat([frame, frame], axis=1), text="note")
    with pytest.raises(ns.FrameError, match="keep must be a list"):
        scrubber.scrub_frame(frame, text="note", keep="year")
    with pytest.raises(ns.FrameError, match="no output 'codes'"):
        scrubber.scrub_frame(frame, text="note", outputs=["codes"])
    with pytest.raises(ns.FrameError, match="'note_error' is kept and would also be written"):
        scrubber.scrub_frame(frame.assign(note_error="x"), text="note", keep=["note_error"])
    with pytest.raises(ns.FrameError, match="dict is no frame"):
        scrubber.scrub_frame(ROWS, text="note")
    with pytest.raises(ValueError, match="raise, mask"):
        scrubber.scrub_frame(frame, text="note", on_error="ignore")
    for call in (scrubber.scrub_many, lambda notes: next(scrubber.scrub_iter(notes))):
        with pytest.raises(ns.NoteTypeError, match=r"use scrub_frame\(frame, text=...\)"):
            call(frame)
        with pytest.raises(ns.NoteTypeError, match=r"use scrub_many\(notes.values\(\)\)"):
            call({"n1": "No fever."})


DATES = {
    "mrn": ["17", "4", None],
    "day": [dt.date(2006, 3, 4), dt.date(2006, 3, 11), dt.date(2006, 3, 4)],
    "at": ["2006-03-04 07:16:59", None, "2006-03-04"],
    "note": ["Seen 3/4/2006.", "Seen 3/11/2006.", "Seen 3/4/2006."],
}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_columns_of_dates_move_with_the_notes(make: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", "2a" * 31 + "17")
    scrubber = ns.Scrubber(ns.Policy("safe", dates="shift", date_order="mdy"))
    frame = make(DATES)
    asked = {"text": "note", "patient": "mrn", "outputs": ["text"]}
    result = columns_as_lists(scrubber.scrub_frame(frame, **asked, dates=["day", "at"]))
    for row in (0, 1):
        assert result["note"][row] == f"Seen {result['day'][row]:%-m/%-d/%Y}."
        assert result["day"][row] != DATES["day"][row]
    assert result["at"][0] == f"{result['day'][0]} 07:16:59"
    assert result["at"][1:] == [None, None]
    assert result["day"][2] is None
    for column in ("day", "at"):
        with pytest.raises(ns.FrameError, match=f"the column '{column}' holds dates"):
            scrubber.scrub_frame(frame, **asked, keep=[column])
        kept = columns_as_lists(scrubber.scrub_frame(frame, **asked, unshifted_dates=[column]))
        assert kept[column] == DATES[column]
    with pytest.raises(ns.FrameError, match="that are no dates"):
        scrubber.scrub_frame(frame, **asked, dates=["mrn"])
    with pytest.raises(ns.FrameError, match="needs the policy"):
        ns.Scrubber().scrub_frame(frame, **asked, dates=["day"])


PEOPLE = {
    "mrn": ["17", "17", "4", None, "9"],
    "name": ["Rose Winters", "Rose Winters", "Will Stone", None, "***"],
    "dob": ["1950-03-04", "1950-03-04", None, None, None],
    "note": ["WINTERS, ROSE slept well.", "No stone.", "No stone. W Stone is well.", "Rose is well.", "Cough."],
}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("dictionary", [False, True])
def test_what_is_known_of_the_patient(
    scrubber: ns.Scrubber, make: object, dictionary: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = make(PEOPLE)
    if dictionary:
        frame = pa.table(PEOPLE).set_column(3, "note", pa.array(PEOPLE["note"]).dictionary_encode())
    options = {"text": "note", "patient": "mrn", "known": ["name", "dob"], "outputs": ["text", "error"]}
    found = columns_as_lists(scrubber.scrub_frame(frame, **options))
    assert list(found) == ["note", "note_error"]
    expected = [
        scrubber.scrub(PEOPLE["note"][0], patient=ns.Patient("17", names=["Rose Winters"])).text,
        "No stone.",
        scrubber.scrub(PEOPLE["note"][2], patient=ns.Patient("4", names=["Will Stone"])).text,
        scrubber.scrub(PEOPLE["note"][3]).text,
        None,
    ]
    assert expected[0] == "[NAME] slept well."
    assert found["note"] == expected
    assert found["note_error"] == [None, None, None, None, "patient"], "a name without a letter cannot be looked for"
    monkeypatch.setenv("NOTESIEVE_KEY", hashlib.sha256(b"a key for tests").hexdigest())
    key = ns.Key.load()
    with_key = columns_as_lists(ns.Scrubber(key=key).scrub_frame(frame, **options))
    assert with_key["mrn"] == [mrn and key.pseudonym("patient", mrn) for mrn in PEOPLE["mrn"]]
    assert with_key["note"] == expected
    mapped = options | {"known": {"name": "names"}}
    assert columns_as_lists(scrubber.scrub_frame(frame, **mapped))["note"] == expected
    with pytest.raises(ns.FrameError, match="no field 'family'"):
        scrubber.scrub_frame(frame, **options | {"known": {"name": "family"}})


def test_a_reader_is_read_batch_by_batch(scrubber: ns.Scrubber) -> None:
    read = 0

    def failing_batches() -> object:
        nonlocal read
        for _ in range(50):
            read += 1
            yield pa.record_batch({"note": ["Dr. Brown has no fever."]})

    source = pa.RecordBatchReader.from_batches(pa.schema({"note": pa.string()}), failing_batches())
    result = scrubber.scrub_frame(source, text="note", outputs=["text"])
    assert read == 0
    assert result.read_next_batch()["note"].to_pylist() == ["Dr. [NAME] has no fever."]
    assert read <= 2


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
import polars as pl
import notesieve as ns

scrubber = ns.Scrubber()
frame = pd.DataFrame({"note": ["Dr. Brown has asthma.", None], "year": [2006, 2007]})
result = scrubber.scrub_frame(frame, text="note", keep=["year"])
assert result["note"][0] == "Dr. [NAME] has asthma.", result
assert result["note_concepts"][0][0]["code"].startswith("mesh:")
assert result["note_removed_name"].tolist() == [1, pd.NA]
assert scrubber.scrub_column(frame["note"].astype("category"))[0] == "Dr. [NAME] has asthma."
result = scrubber.scrub_frame(pl.DataFrame({"note": ["Dr. Brown has asthma.", None]}), text="note")
assert result["note"].to_list() == ["Dr. [NAME] has asthma.", None]
assert scrubber.scrub_column(["Dr. Brown"]) == ["Dr. [NAME]"]
"""


def test_no_library_is_needed_but_the_own() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lean = "import sys, notesieve; sys.exit(bool({'pandas', 'polars', 'pyarrow', 'tqdm'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", lean], check=False).returncode == 0


def test_the_bar_is_off_where_nobody_watches(scrubber: ns.Scrubber, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.DataFrame({"note": ["Dr. Brown."] * 20})
    scrubber.scrub_frame(frame, text="note")
    assert capsys.readouterr() == ("", "")
    scrubber.scrub_frame(frame, text="note", progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "removed=20" in shown.err
    assert "errors=0" in shown.err
    assert "Brown" not in shown.err
