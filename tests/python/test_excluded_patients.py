"""Patients who are left out of a run: no row of theirs comes out, and none that could be."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import notesieve as ns
from notesieve.cli import main
from notesieve.files import TableOptions, scrub_files
from notesieve.frames.excluded import ExcludedPatients

ROWS = [
    {"pid": "17", "note": "Cough.", "nid": "a"},
    {"pid": "18", "note": "Fever.", "nid": "b"},
    {"pid": None, "note": "Gout.", "nid": "c"},
    {"pid": " 17 ", "note": "Asthma.", "nid": "d"},
    {"pid": "19", "note": "Cough, seen by Zorbal.", "nid": "e"},
]
LEFT = ["b", "e"]


@pytest.fixture(scope="module")
def scrubber() -> ns.Scrubber:
    return ns.Scrubber()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.Table.from_pylist])
def test_rows_of_excluded_patients_are_left_out_of_frames(scrubber: ns.Scrubber, make: Any) -> None:
    choices: dict[str, Any] = {"id": "nid", "patient": "pid", "outputs": ["text"]}
    clean = scrubber.scrub_frame(make(ROWS), "note", **choices, exclude_patients=[17])
    assert type(clean) is type(make(ROWS))
    assert list(pl.DataFrame(clean)["nid"]) == LEFT
    assert list(pl.DataFrame(clean)["note"]) == ["Fever.", "Cough, seen by [NAME]."]
    everybody = ["17", "18", 19]
    assert len(scrubber.scrub_frame(make(ROWS), "note", **choices, exclude_patients=everybody)) == 0


def test_indices_lazy_frames_and_relations(scrubber: ns.Scrubber) -> None:
    choices: dict[str, Any] = {"id": "nid", "patient": "pid", "outputs": ["text"], "exclude_patients": ["17"]}
    numbered = scrubber.scrub_frame(pd.DataFrame(ROWS), "note", **choices)
    assert list(numbered.index) == [0, 1]
    frame = pd.DataFrame(ROWS, index=[f"row {at}" for at in range(5)])
    assert list(scrubber.scrub_frame(frame, "note", **choices, index="keep").index) == ["row 1", "row 4"]
    assert scrubber.scrub_frame(pl.LazyFrame(ROWS), "note", **choices).collect()["nid"].to_list() == LEFT
    relation = duckdb.from_arrow(pa.Table.from_pylist(ROWS))
    assert [row[0] for row in scrubber.scrub_frame(relation, "note", **choices).project("nid").fetchall()] == LEFT


def test_findings_stay_with_their_rows(scrubber: ns.Scrubber) -> None:
    frame = pd.DataFrame(ROWS).assign(found=[None, '[{"start": 0, "end": 5, "kind": "name"}]', None, None, None])
    clean = scrubber.scrub_frame(frame, "note", patient="pid", findings="found", exclude_patients=["17"])
    assert list(clean["note"]) == ["[NAME].", "Cough, seen by [NAME]."]


def test_wrong_lists_of_excluded_patients_are_errors(scrubber: ns.Scrubber) -> None:
    frame = pd.DataFrame(ROWS)
    with pytest.raises(ns.FrameError, match="name the column that tells patients apart"):
        scrubber.scrub_frame(frame, "note", exclude_patients=["17"])
    wrong: Any
    for wrong in ([], "17", [None], [b"17"]):
        with pytest.raises(ns.FrameError, match="must be a list of identifiers") as problem:
            scrubber.scrub_frame(frame, "note", patient="pid", exclude_patients=wrong)
        assert "17" not in str(problem.value)
    with pytest.raises(ns.SettingError, match="--patient"):
        TableOptions(exclude_patients=ExcludedPatients(["17"]))


def write_notes(folder: Path, form: str) -> Path:
    path = folder / f"notes.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def note_ids(path: Path) -> list[str]:
    if path.suffix == ".parquet":
        return [*map(str, pq.read_table(path)["nid"].to_pylist())]
    return [json.loads(line)["nid"] for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_of_excluded_patients_are_left_out_of_files(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out.txt").write_text("17\n\n0042\n", encoding="utf-8")
    notes, clean = write_notes(tmp_path, form), tmp_path / "clean"
    told = ["--text", "note", "--id", "nid", "--patient", "pid", "--exclude-patients", str(tmp_path / "out.txt")]
    assert main(["scrub", str(notes), "-o", str(clean), *told]) == 0
    shown = capsys.readouterr().err
    assert "2 notes scrubbed, 3 of excluded patients left out" in shown
    assert "1 of 2 patients to exclude have no row" in shown and "0042" not in shown
    assert note_ids(clean / notes.name) == LEFT
    manifest = (tmp_path / "clean.manifest.jsonl").read_text("utf-8")
    run, done = map(json.loads, manifest.splitlines())
    assert (done["rows_in"], done["rows_out"], done["excluded"]) == (5, 2, 3)
    assert run["options"]["exclude_patients"] == 2
    assert main(["scrub", str(notes), "-o", str(clean), *told, "--resume"]) == 0
    assert main(["scrub", str(notes), "-o", str(clean), *told[:-2], "--resume"]) == 2, "made with other patients"


def test_rows_by_number_keep_their_findings(scrubber: ns.Scrubber, tmp_path: Path) -> None:
    """Findings name rows of the input: what is left out before must not move them."""
    (tmp_path / "found.jsonl").write_text('{"row": 2, "findings": [{"start": 0, "end": 5, "kind": "name"}]}\n')
    table = TableOptions("note", "nid", patient="pid", exclude_patients=ExcludedPatients(["17"]))
    for form in ("jsonl", "parquet"):
        clean = tmp_path / form
        scrub_files(scrubber, [write_notes(tmp_path, form)], clean, table=table, findings=tmp_path / "found.jsonl")
        (made,) = (path for path in clean.iterdir() if path.suffix == f".{form}")
        lines = (
            pq.read_table(made).to_pylist()
            if form == "parquet"
            else map(json.loads, made.read_text("utf-8").splitlines())
        )
        assert [row["note"] for row in lines] == ["[NAME].", "Cough, seen by [NAME]."]


def test_standard_output_and_single_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out.txt").write_text("17\n", encoding="utf-8")
    told = ["--text", "note", "--id", "nid", "--patient", "pid", "--exclude-patients", str(tmp_path / "out.txt")]
    assert main(["scrub", str(write_notes(tmp_path, "jsonl")), *told]) == 0
    shown = capsys.readouterr()
    assert [json.loads(line)["nid"] for line in shown.out.splitlines()] == LEFT
    assert "3 notes of excluded patients left out" in shown.err
    (tmp_path / "note.txt").write_text("Cough.", encoding="utf-8")
    for more in ([], ["-o", str(tmp_path / "clean")]):
        assert main(["scrub", str(tmp_path / "note.txt"), *told, *more]) == 2
        assert "notes without a patient column" in capsys.readouterr().err
    assert not (tmp_path / "clean").exists()
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    assert main(["scrub", str(write_notes(tmp_path, "jsonl")), *told[:-1], str(tmp_path / "empty.txt")]) == 2


def test_a_run_file(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("17\n", encoding="utf-8")
    write_notes(tmp_path, "jsonl")
    columns = '[columns]\ntext = "note"\nid = "nid"\npatient = "pid"\n'
    text = f'inputs = ["notes.jsonl"]\noutput = "clean"\nexclude_patients = "out.txt"\n{columns}'
    (tmp_path / "run.toml").write_text(text, encoding="utf-8")
    assert main(["run", str(tmp_path / "run.toml"), "--quiet"]) == 0
    assert note_ids(tmp_path / "clean" / "notes.jsonl") == LEFT
