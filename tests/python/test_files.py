"""Files and folders: one whole output an input, whatever happens on the way."""

import csv
import gzip
import hashlib
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import notesieve as ns
from generate_notes import generate
from note_files import (
    TEXTS,
    contents_of_folder,
    csv_of,
    jsonl_of,
    note_rows,
    read_manifest,
    run_notesieve,
    write_every_format,
)
from notesieve.cli import main

CLEAN = ["Dr. [NAME] called [CONTACT] about asthma.", "Seen [DATE], BP 128/72.", "No fever."]


def test_every_kind_of_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_every_format(tmp_path / "notes", TEXTS)
    out = tmp_path / "clean"
    assert main(["scrub", str(tmp_path / "notes"), "-o", str(out), "--text", "note", "--keep", "year"]) == 0
    assert capsys.readouterr().err == (
        f"notesieve: 1 file was not taken (1 .out): {tmp_path}/notes/left.out\nnotesieve: 8 files, 18 notes scrubbed\n"
    )
    found = contents_of_folder(out)
    assert sorted(found) == [
        "a.jsonl", "d.csv", "deep/0.txt", "deep/1.txt", "deep/2.txt", "deep/b.jsonl.gz",
        "deep/c.jsonl.zst", "deep/er/e.parquet",
    ]  # fmt: skip
    assert [found[f"deep/{at}.txt"].decode() for at in range(3)] == [text + "\n" for text in CLEAN]
    plain = [json.loads(line) for line in found["a.jsonl"].splitlines()]
    assert [item["note"] for item in plain] == CLEAN
    assert [item["year"] for item in plain] == [2000, 2001, 2002]
    assert "mrn" not in plain[0]
    assert plain[0]["note_removed_name"] == 1
    assert plain[0]["note_concepts"][0]["code"].startswith("mesh:")
    assert gzip.decompress(found["deep/b.jsonl.gz"]) == found["a.jsonl"]
    assert zstandard.ZstdDecompressor().decompressobj().decompress(found["deep/c.jsonl.zst"]) == found["a.jsonl"]
    table = list(csv.DictReader(io.StringIO(found["d.csv"].decode(), newline="")))
    assert [item["note"] for item in table] == CLEAN
    assert json.loads(table[0]["note_concepts"]) == plain[0]["note_concepts"]
    parquet = pq.read_table(out / "deep/er/e.parquet")
    assert parquet["note"].to_pylist() == CLEAN
    assert parquet.column_names[:2] == ["note", "year"]
    assert "mrn" not in parquet.column_names
    head, *lines = read_manifest(out)
    assert head["version"] == ns.__version__
    assert head["vocabulary_digest"] == ns.Vocabulary.default().digest
    assert {line["output"] for line in lines} == set(found)
    assert all(line["rows_in"] == line["rows_out"] and line["failed"] == 0 for line in lines)
    assert not any(b"Brown" in content for content in found.values())


def test_formats_of_text_files(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_bytes(b"Dr. Brown\r\nhas asthma.")
    scrubber = ns.Scrubber()
    note = scrubber.scrub("Dr. Brown\r\nhas asthma.")
    for form, name, expected in (
        ("text", "note.txt", note.text + "\n"),
        ("coded", "note.txt", note.coded_text + "\n"),
        ("jsonl", "note.jsonl", json.dumps({"doc": "note", **note.to_dict()}, ensure_ascii=False) + "\n"),
        ("spans", "note.jsonl", '{"doc": "note", "spans": [[4, 9, "NAME"]]}\n'),
    ):
        out = tmp_path / form
        assert main(["scrub", str(tmp_path / "note.txt"), "-o", str(out), "--format", form, "--quiet"]) == 0
        assert contents_of_folder(out) == {name: expected.encode()}


def test_to_standard_output(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("Dr. Brown")
    (tmp_path / "2.txt").write_bytes(b"caf\xe9 Brown")
    done = run_notesieve("scrub", str(tmp_path))
    assert done.stdout == "Dr. [NAME]\n"
    assert done.stderr == f"notesieve: {tmp_path}/2.txt: is not UTF-8 at byte 3\n"
    assert done.returncode == 1
    piped = run_notesieve("scrub", "-", input="Dr. Brown")
    assert piped.stdout == "Dr. [NAME]\n"


def test_broken_rows_cost_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.jsonl").write_bytes(
        b'{"note": "Dr. Brown.", "year": 1}\n'
        b'{"note": "Dr. Brown", \n'
        b'{"note": 6175550123, "year": 3}\n'
        b'{"text": "Dr. Brown", "year": 4}\n'
        b'{"note": "caf\xe9 Brown"}\n'
        b"\n"
        b'{"note": null, "year": 6}\n'
        b'["Brown"]\n' + b"[" * 100_000 + b"\n"
        b'{"note": "No \\ud800fever.", "year": 8}\n'
    )
    (tmp_path / "rows.csv").write_bytes(
        b'mrn,note,year\n1,"Dr. Brown\nhas asthma.",2006\n2,Brown,Dr. Brown,2007\n'
        b"3,caf\xe9 Brown,2008\n\n4,No fever.,2009\n"
    )
    out = tmp_path / "out"
    inputs = [str(tmp_path / "rows.jsonl"), str(tmp_path / "rows.csv")]
    command = ["scrub", *inputs, "-o", str(out), "--text", "note", "--keep", "year", "--outputs", "text,error"]
    assert main(command) == 1
    assert "notesieve: 8 rows could not be scrubbed" in capsys.readouterr().err
    found = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    assert [item["note_error"] for item in found] == [
        None,
        "json",
        "type",
        "missing",
        "utf-8",
        None,
        "json",
        "json",
        None,
    ]
    assert [item["note"] for item in found] == ["Dr. [NAME].", *[None] * 7, ns.Scrubber().scrub("No \ufffdfever.").text]
    table = list(csv.DictReader(io.StringIO((out / "rows.csv").read_text(), newline="")))
    assert [item["note_error"] for item in table] == ["", "csv", "utf-8", ""]
    assert [item["note"] for item in table] == ["Dr. [NAME]\nhas asthma.", "", "", "No fever."]
    assert table[1]["year"] == "", "a row whose fields have shifted keeps nothing"
    assert not any(b"Brown" in content for content in contents_of_folder(out).values())
    assert [line["failed"] for line in read_manifest(out)[1:]] == [6, 2]


def test_a_file_that_cannot_be_read_is_told_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    write_every_format(notes, TEXTS)
    (notes / "bytes.txt").write_bytes(b"Dr. \xff Brown")
    (notes / "cut.jsonl.gz").write_bytes(gzip.compress(jsonl_of(note_rows(TEXTS * 50)))[:-20])
    (notes / "cut.jsonl.zst").write_bytes(zstandard.compress(jsonl_of(note_rows(TEXTS * 50)))[:-20])
    (notes / "no.jsonl.gz").write_bytes(b"Dr. Brown")
    (notes / "no.jsonl.zst").write_bytes(b"Dr. Brown")
    (notes / "no.parquet").write_bytes(b"PAR1 Dr. Brown PAR1")
    (notes / "other.csv").write_bytes(b"a,b\n1,2\n")
    (notes / "empty.csv").write_bytes(b"")
    (notes / "dangling.txt").symlink_to(notes / "gone")
    secret = notes / "secret.txt"
    secret.symlink_to("/proc/self/mem")  # can be opened and not be read, also by those who may read everything
    out = tmp_path / "clean"
    assert main(["scrub", str(notes), "-o", str(out), "--text", "note"]) == 1
    told = capsys.readouterr().err
    for name, why in {
        "bytes.txt": "is not UTF-8 at byte 4",
        "cut.jsonl.gz": "its compressed data is damaged, or ends too early",
        "cut.jsonl.zst": "its compressed data is damaged, or ends too early",
        "no.jsonl.gz": "its compressed data is damaged",
        "no.jsonl.zst": "is damaged, or not what its name says",
        "no.parquet": "is damaged, or not what its name says",
        "other.csv": "no column 'note'",
        "empty.csv": "has no header line",
        "secret.txt": "Input/output error",
        "dangling.txt": "is a broken link",
    }.items():
        assert any(f"{notes / name}: " in line and why in line for line in told.splitlines()), (name, told)
    assert "Brown" not in told
    assert len(contents_of_folder(out)) == 8
    assert "8 files, 18 notes scrubbed" in told
    assert not list(out.rglob(".*"))


def test_what_is_wrong_with_a_call_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "same.txt").write_text("No fever.")
    (tmp_path / "a" / "same.jsonl").write_text('{"text": "No fever."}')
    (tmp_path / "rows.csv").write_text("note\n")
    (tmp_path / "empty").mkdir()
    out = str(tmp_path / "out")
    for arguments, message in (
        ([str(tmp_path / "a"), "-o", out, "--format", "spans"], "a/same.jsonl: scrub them one after the other"),
        ([str(tmp_path / "none"), "-o", out], "there is no such file or folder"),
        (
            [str(tmp_path / "empty"), "-o", out],
            "holds no file of a known kind",
        ),
        ([str(tmp_path / "rows.csv"), str(tmp_path / "a")], "from one input alone: add -o DIR"),
        ([str(tmp_path / "a"), "-o", str(tmp_path / "a")], "would be written over"),
        ([str(tmp_path / "a" / "same.txt"), "-o", str(tmp_path / "a")], "would be written over"),
        (["-", "-o", out], "leave out -o"),
        ([str(tmp_path / "a"), "--resume"], "add -o DIR"),
        ([str(tmp_path / "a"), "-o", out, "--resume", "--overwrite"], "choose one of them"),
        ([str(tmp_path / "a"), "-o", out, "--separator", ";;"], "a separator is one character"),
        ([str(tmp_path / "a"), "-o", out, "--encoding", "cp99"], "there is no text encoding 'cp99'"),
    ):
        assert main(["scrub", *arguments]) == 2, arguments
        assert message in capsys.readouterr().err


def test_the_output_folder_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("Dr. Brown")
    for more in ([], ["--overwrite"], ["--resume"]):
        assert main(["scrub", str(tmp_path), "-o", str(tmp_path / "clean"), "--quiet", *more]) == 0
        assert list(contents_of_folder(tmp_path / "clean")) == ["1.txt"]


def test_threads_change_no_byte(tmp_path: Path) -> None:
    write_every_format(tmp_path / "notes", [note.text for note in generate(notes=30, seed=7)], copies=3)
    for threads in ("1", "3"):
        command = ["scrub", str(tmp_path / "notes"), "-o", str(tmp_path / threads), "--text", "note", "--quiet"]
        assert main([*command, "--threads", threads]) == 0
    assert contents_of_folder(tmp_path / "1") == contents_of_folder(tmp_path / "3")


def test_what_is_known_of_the_patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [{"mrn": "17", "name": "Rose Winters", "note": "WINTERS, ROSE slept well."}, {"mrn": "", "note": "Cough."}]
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.jsonl").write_bytes(jsonl_of(items))
    (notes / "b.csv").write_bytes(csv_of(items))
    pq.write_table(pa.Table.from_pylist(items), notes / "c.parquet")
    monkeypatch.setenv("NOTESIEVE_KEY", hashlib.sha256(b"a key for tests").hexdigest())
    command = [
        "scrub",
        str(notes),
        "-o",
        str(tmp_path / "out"),
        "--text",
        "note",
        "--patient",
        "mrn",
        "--known",
        "name",
    ]
    assert main([*command, "--key", "--outputs", "text", "--quiet"]) == 0
    pseudonym = ns.Key.load().pseudonym("patient", "17")
    expected = [{"note": "[NAME] slept well.", "mrn": pseudonym}, {"note": "Cough.", "mrn": None}]
    assert [json.loads(line) for line in (tmp_path / "out/a.jsonl").read_text().splitlines()] == expected
    assert pq.read_table(tmp_path / "out/c.parquet").to_pylist() == expected
    table = list(csv.DictReader(io.StringIO((tmp_path / "out/b.csv").read_text(), newline="")))
    assert table == [expected[0], {"note": "Cough.", "mrn": ""}]
    assert read_manifest(tmp_path / "out")[0]["key_fingerprint"] == ns.Key.load().fingerprint


def test_a_section_that_no_note_has_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.txt").write_text("HISTORY: Cough.\n\nSOCIAL HISTORY: Retired.\n")
    (tmp_path / "site.toml").write_text('drop_sections = ["social history", "habits and hobbies"]\n')
    arguments = [
        "scrub",
        str(tmp_path / "note.txt"),
        "-o",
        str(tmp_path / "out"),
        "--policy",
        str(tmp_path / "site.toml"),
    ]
    assert main(arguments) == 0
    told = capsys.readouterr().err
    assert "no note had a section 'habits and hobbies'" in told
    assert "'social history'" not in told
