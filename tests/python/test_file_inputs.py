"""What can be handed in: streams of rows, links, pipes, tables of Delta, partitions, HTML and RTF."""

import csv
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import notesieve as ns
from note_files import run_notesieve
from notesieve.cli import main
from notesieve.files import TableOptions, scrub_files

ROWS = [{"mrn": "1", "year": 2006, "note": "Seen by Dr. Brown."}, {"mrn": "2", "year": 2007, "note": "No fever."}]
JSONL = "".join(json.dumps(row) + "\n" for row in ROWS)
CSV = "mrn,year,note\n1,2006,Seen by Dr. Brown.\n2,2007,No fever.\n"
OPTIONS = ["--text", "note", "--keep", "year", "--outputs", "text"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (JSONL, '{"year": 2006, "note": "Seen by Dr. [NAME]."}\n{"year": 2007, "note": "No fever."}\n'),
        (CSV, "year,note\r\n2006,Seen by Dr. [NAME].\r\n2007,No fever.\r\n"),
        (CSV.replace(",", ";"), "year;note\r\n2006;Seen by Dr. [NAME].\r\n2007;No fever.\r\n"),
    ],
)
def test_rows_pass_from_standard_input_to_standard_output(rows: str, expected: str, tmp_path: Path) -> None:
    done = run_notesieve("scrub", "-", *OPTIONS, input=rows)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", expected.replace("\r\n", "\n"))
    (tmp_path / "notes.jsonl").write_text(JSONL)
    if rows == JSONL:
        assert run_notesieve("scrub", str(tmp_path / "notes.jsonl"), *OPTIONS).stdout == expected


def test_a_row_of_a_stream_costs_itself() -> None:
    done = run_notesieve("scrub", "-", "--text=note", "--id=mrn", "--outputs=text,error", input=JSONL + "{Brown\n")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert "1 row could not be scrubbed" in done.stderr
    assert rows[2]["note"] is None
    assert rows[2]["note_error"] == "json"
    assert [row["mrn"] for row in rows] == ["1", "2", None]


def test_without_a_column_standard_input_is_one_note() -> None:
    assert run_notesieve("scrub", "-", input="Seen by Dr. Brown.").stdout == "Seen by Dr. [NAME].\n"


def test_each_input_costs_only_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "ok.txt").write_text("No fever.")
    (notes / "self.txt").symlink_to("self.txt")
    os.mkfifo(notes / "pipe.txt")
    out = tmp_path / "out"
    assert main(["scrub", str(notes), str(tmp_path / "gone.txt"), "-o", str(out), "--quiet"]) == 1
    err = capsys.readouterr().err
    assert (out / "ok.txt").read_text() == "No fever.\n"
    assert "self.txt: is a broken link" in err
    assert "gone.txt: there is no such file" in err
    assert "1 pipe or device" in err


def test_records_of_a_delta_table_are_no_notes(tmp_path: Path) -> None:
    table = tmp_path / "table"
    (table / "_delta_log").mkdir(parents=True)
    (table / "_delta_log" / "000.json").write_text('{"add": {}}')
    pq.write_table(pa.table({"note": ["No fever."]}), table / "part-0.parquet")
    report = scrub_files(ns.Scrubber(), [table], tmp_path / "out", table=TableOptions("note", outputs=("text",)))
    assert [path.name for path, why in report.ignored if why == "of a table log"] == ["000.json"]
    assert any("earlier versions" in warning for warning in report.warnings)


def test_partition_keys_come_out_if_they_are_named(tmp_path: Path) -> None:
    for patient, year in (("Rose", 2019), ("Olive", 2020)):
        folder = tmp_path / "in" / f"patient_name={patient}" / f"year={year}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"note": [f"{patient} slept well."]}), folder / "part.parquet")
        (folder / "part.jsonl").write_text(json.dumps({"note": f"{patient} slept well."}) + "\n")
    table = TableOptions("note", keep=("year",), known=("patient_name",), outputs=("text",))
    report = scrub_files(ns.Scrubber(), [tmp_path / "in"], tmp_path / "out", table=table)
    assert not report.problems
    written = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("part*")}
    assert written == {f"year={year}/part.{form}" for year in (2019, 2020) for form in ("jsonl", "parquet")}
    for year in (2019, 2020):
        one = pq.ParquetFile(tmp_path / "out" / f"year={year}" / "part.parquet").read().to_pylist()
        assert one == [{"note": "[NAME] slept well."}]
        assert json.loads((tmp_path / "out" / f"year={year}" / "part.jsonl").read_text()) == one[0]
    # Without a level in the path, names that meet are numbered.
    again = TableOptions("note", outputs=("text",))
    scrub_files(ns.Scrubber(), [tmp_path / "in"], tmp_path / "flat", table=again)
    names = {path.name for path in (tmp_path / "flat").iterdir()}
    assert names == {"part.jsonl", "part-2.jsonl", "part.parquet", "part-2.parquet"}


HTML = "<html><head><title>Brown</title></head><body><p>Seen by <b>Dr. Br</b>own for asthma.<img alt='Rose'></p>"


def test_documents_are_read_as_what_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text(HTML + "<table><tr><td>Temp<td>37.2 &deg;C</table>")
    (tmp_path / "b.rtf").write_bytes(rb"{\rtf1\ansi\f0 Seen by \b Dr. Brown\b0  for asthma.\par }")
    (tmp_path / "c.rtf").write_text("no document")
    assert main(["scrub", str(tmp_path), "-o", str(tmp_path / "out"), "--quiet"]) == 1
    err = capsys.readouterr().err
    assert (tmp_path / "out" / "a.html.txt").read_text() == "Seen by Dr. [NAME] for asthma.\nTemp\t37.2 °C\n"
    assert (tmp_path / "out" / "b.rtf.txt").read_text().strip() == "Seen by Dr. [NAME] for asthma."
    assert "1 file was read as HTML" in err
    assert "c.rtf: is no RTF document" in err
    assert "Rose" not in "".join(file.read_text() for file in (tmp_path / "out").iterdir())


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_columns_of_dates_of_files_move(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", "2a" * 31 + "17")
    scrubber = ns.Scrubber(ns.Policy("safe", dates="shift", date_order="mdy"))
    row = {"mrn": "17", "day": "2006-03-14", "note": "Seen 2006-03-14."}
    source = tmp_path / f"notes.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist([row]), source)
    else:
        source.write_text(json.dumps(row) if form == "jsonl" else "mrn,day,note\n" + ",".join(row.values()) + "\n")
    common = {"text": "note", "patient": "mrn", "outputs": ("text",)}
    refused = scrub_files(scrubber, [source], tmp_path / "a", table=TableOptions(**common, keep=("day",)))  # type: ignore[arg-type]
    assert "holds dates" in refused.problems[0]
    scrub_files(scrubber, [source], tmp_path / "b", table=TableOptions(**common, dates=("day",)))  # type: ignore[arg-type]
    out = tmp_path / "b" / source.name
    if form == "parquet":
        (found,) = pq.read_table(out).to_pylist()
    else:
        found = json.loads(out.read_text()) if form == "jsonl" else next(csv.DictReader(out.read_text().splitlines()))
    assert found["note"] == f"Seen {found['day']}."
    assert found["day"] != row["day"]


def test_a_bulk_export_is_read_as_resources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patient = {
        "resourceType": "Patient",
        "id": "p1",
        "name": [{"family": "Frost", "given": ["Rose"]}],
        "gender": "female",
    }
    report = {
        "resourceType": "Observation",
        "id": "o1",
        "status": "final",
        "note": [{"text": "Rose Frost has no fever."}],
    }
    folder = tmp_path / "export"
    folder.mkdir()
    lines = json.dumps(patient) + "\n" + json.dumps(report) + "\n"
    (folder / "Patient.ndjson").write_text(lines * 40)
    (folder / "notes.ndjson").write_text(JSONL)
    (folder / "one.fhir").write_text(json.dumps(patient))
    assert main(["scrub", str(folder), "-o", str(tmp_path / "out"), "--quiet", *OPTIONS]) == 0
    assert "plain text" not in capsys.readouterr().err
    made = [json.loads(line) for line in (tmp_path / "out/Patient.ndjson").read_text().splitlines()]
    assert len(made) == 80
    assert made[0]["name"] == [{"family": "[NAME]", "given": ["[NAME]"]}]
    assert made[1]["note"][0]["text"].endswith("has no fever.")
    assert json.loads((tmp_path / "out/one.fhir").read_text())["gender"] == "female"
    assert json.loads((tmp_path / "out/notes.ndjson").read_text().splitlines()[1]) == {
        "year": 2007,
        "note": "No fever.",
    }
    for file in (tmp_path / "out").rglob("*.*"):
        assert "Frost" not in file.read_text(), file
