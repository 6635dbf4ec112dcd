"""Runs over files that meet other runs, other encodings and other kinds of files: nothing is lost in silence."""

import csv
import gzip
import io
import json
import os
import subprocess
import threading
from pathlib import Path

import docx
import pytest
import zstandard

import notesieve as ns
from note_files import COMMAND, contents_of_folder, run_notesieve
from notesieve.cli import main
from notesieve.files import FileReport, TableOptions, scrub_files
from notesieve.files.output_folder import OutputFolder, atomic_write

# ---- two runs, one folder


def test_a_folder_has_one_run_at_a_time_by_whatever_name(tmp_path: Path) -> None:
    notes, out, link = tmp_path / "notes.jsonl", tmp_path / "out", tmp_path / "link"
    notes.write_text('{"text": "Dr. Brown."}\n')
    with OutputFolder(out).lock_against_other_runs():
        link.symlink_to(out)
        for folder, more in ((out, []), (link, []), (out, ["--manifest", str(tmp_path / "other")])):
            done = run_notesieve("scrub", str(notes), "-o", str(folder), *more)
            assert done.returncode == 2
            assert "another run writes into this folder" in done.stderr
    assert contents_of_folder(out) == {}
    assert main(["scrub", str(notes), "-o", str(link), "--quiet"]) == 0
    assert (tmp_path / "out.manifest.jsonl").exists(), "the manifest lies beside the folder and not beside its link"


def test_two_that_write_one_file_do_not_mix(tmp_path: Path) -> None:
    """Without a lock, as where a file system has none."""
    target, both = tmp_path / "rows.jsonl", threading.Barrier(2)

    def write(letter: str) -> None:
        with atomic_write(target) as partial, partial.open("w") as file:
            for _ in range(100):
                both.wait(10)
                file.write(letter * 50 + "\n")
                file.flush()

    threads = [threading.Thread(target=write, args=(letter,)) for letter in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(target.read_text()) - {"\n"}) == 1
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_killed_run_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("Dr. Brown")
    out = tmp_path / "out"
    out.mkdir()
    (out / ".1.txt.01234567.partial").write_text("half")
    (out / ".2.txt.01234567.partial").write_text("of another")
    assert main(["scrub", str(tmp_path / "1.txt"), "-o", str(out), "--quiet"]) == 0
    assert sorted(contents_of_folder(out)) == [".2.txt.01234567.partial", "1.txt"]


# ---- what is there already


def test_what_is_there_is_replaced_only_if_somebody_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("1.txt", "2.txt"):
        (tmp_path / name).write_text("Dr. Brown felt a quombled toe.")
    out = tmp_path / "out"
    command = ["scrub", str(tmp_path / "1.txt"), "-o", str(out)]
    assert main(command) == 0
    before, record = contents_of_folder(out), (tmp_path / "out.manifest.jsonl").read_bytes()
    other = ["scrub", str(tmp_path / "2.txt"), "-o", str(out)]
    for again in (command, other, [*command, "--policy", "berman"], [*other, "--manifest", str(tmp_path / "m")]):
        assert main(again) == 2, again
        assert "out: holds a file already, such as 1.txt: --resume continues" in capsys.readouterr().err
    assert main([*other, "--resume", "--policy", "berman"]) == 2, "policies are not mixed"
    assert "was made with other policy" in capsys.readouterr().err
    assert main([*other, "--resume", "--manifest", str(tmp_path / "m")]) == 2
    assert "no manifest tells what made its files" in capsys.readouterr().err
    assert (contents_of_folder(out), (tmp_path / "out.manifest.jsonl").read_bytes()) == (before, record)
    assert main([*other, "--resume"]) == 0
    assert sorted(contents_of_folder(out)) == ["1.txt", "2.txt"]
    capsys.readouterr()
    assert main([*other, "--overwrite", "--policy", "berman"]) == 0
    assert "1 file of earlier runs stays, such as 1.txt" in capsys.readouterr().err
    assert contents_of_folder(out)["2.txt"] != before["1.txt"] == contents_of_folder(out)["1.txt"]


def test_a_manifest_replaces_no_other_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "1.txt").write_text("No fever.")
    precious = tmp_path / "precious.csv"
    precious.write_text("a,b\n1,2\n")
    command = ["scrub", str(tmp_path / "1.txt"), "-o", str(tmp_path / "out"), "--manifest", str(precious)]
    for more, why in (([], "is there already"), (["--resume"], "is no manifest"), (["--overwrite"], "is no manifest")):
        assert main([*command, *more]) == 2
        assert why in capsys.readouterr().err
    assert precious.read_text() == "a,b\n1,2\n"


def test_inputs_of_one_name_get_their_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for at, folder in enumerate(("a/notes", "b/notes", "c")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "same.txt").write_text(f"Seen for {at + 3} days.")
    inputs = [tmp_path / "a" / "notes", tmp_path / "b" / "notes" / "same.txt", tmp_path / "c"]
    assert main(["scrub", *map(str, inputs), "-o", str(tmp_path / "out")]) == 0
    assert {name: text.decode() for name, text in contents_of_folder(tmp_path / "out").items()} == {
        "a/notes/same.txt": "Seen for 3 days.\n",
        "b/notes/same.txt": "Seen for 4 days.\n",
        f"{tmp_path.name}/c/same.txt": "Seen for 5 days.\n",
    }
    # One after the other: the second does not take the place of the first.
    two = [["scrub", str(tmp_path / name), "-o", str(tmp_path / "two")] for name in ("a/notes", "c")]
    assert main(two[0]) == 0
    assert main([*two[1], "--resume"]) == 2
    assert "same.txt: was made of" in capsys.readouterr().err
    assert contents_of_folder(tmp_path / "two")["same.txt"] == b"Seen for 3 days.\n"


def test_no_note_comes_out_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("all/a", "all/b"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "same.txt").write_text(f"Seen in {folder[-1]}.")
    every, one, out = tmp_path / "all", tmp_path / "all" / "a", tmp_path / "out"
    assert main(["scrub", str(one), str(every), str(one / "same.txt"), "-o", str(tmp_path / "both")]) == 0
    assert sorted(contents_of_folder(tmp_path / "both")) == ["b/same.txt", "same.txt"]
    assert main(["scrub", str(one), "-o", str(out)]) == 0
    before = contents_of_folder(out)
    for more in ([every], [one, tmp_path / "all" / "b"]):
        assert main(["scrub", *map(str, more), "-o", str(out), "--resume"]) == 2
        assert "is done already as same.txt, and would come out again as a/same.txt" in capsys.readouterr().err
        assert contents_of_folder(out) == before
    (one / "other.txt").write_text("No fever.")
    assert main(["scrub", str(one), str(one / "other.txt"), "-o", str(out), "--resume"]) == 0


def test_what_cannot_be_read_is_told_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("No fever.")
    refused = OSError(13, "Permission denied", str(tmp_path / "a.txt"))

    def raise_file_error(*_: object, **__: object) -> None:
        message = f"{refused.filename}: {refused.strerror}"
        raise ns.FileError(message) from refused

    monkeypatch.setattr("notesieve.cli.scrub.scrub_files", raise_file_error)
    assert main(["scrub", str(tmp_path / "a.txt"), "-o", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert "a.txt: Permission denied" in told
    assert "manifest" not in told
    assert "stopped after" not in told


def test_no_output_lies_in_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("No fever.")
    command = ["scrub", str(tmp_path / "a.txt"), "-o"]
    assert main([*command, str(tmp_path / "out" / "first")]) == 0
    for more in ([], ["--resume"], ["--overwrite"], ["--manifest", str(tmp_path / "m")]):
        assert main([*command, str(tmp_path / "out" / "first" / "x" / "y"), *more]) == 2
        assert "the output of another run; take a folder outside" in capsys.readouterr().err
        assert main([*command, str(tmp_path / "out"), *more]) == 2
        assert "first, the output of another run" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "out" / "second")]) == 0


# ---- encodings and separators

TEXT = "Met at a café. Dr. Brown, fever — 38.5 °C."


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_encodings_of_every_kind_of_file(tmp_path: Path, name: str) -> None:
    """A byte order mark tells; what has none is UTF-8 unless somebody says otherwise."""
    notes, out = tmp_path / "notes", tmp_path / "out"
    notes.mkdir()
    (notes / "1.txt").write_bytes(TEXT.encode(name))
    (notes / "2.txt.gz").write_bytes(gzip.compress(TEXT.encode(name)))
    (notes / "3.txt.zst").write_bytes(zstandard.compress(TEXT.encode(name)))
    (notes / "4.jsonl").write_bytes((json.dumps({"text": TEXT}, ensure_ascii=False) + "\n").encode(name))
    (notes / "5.csv").write_bytes(f'id,text\r\n7,"{TEXT}"\r\n'.encode(name))
    options = {"encoding": name} if name == "cp1252" else {}
    report = scrub_files(ns.Scrubber(), [notes], out, table=TableOptions(outputs=("text",)), **options)  # type: ignore[arg-type]
    assert (report.problems, report.failed) == ([], 0)
    clean = ns.Scrubber().scrub(TEXT).text
    assert "Brown" not in clean
    found = contents_of_folder(out)
    assert found["1.txt"].decode() == clean + "\n"
    assert gzip.decompress(found["2.txt.gz"]) == found["1.txt"]
    assert zstandard.ZstdDecompressor().decompressobj().decompress(found["3.txt.zst"]) == found["1.txt"]
    assert json.loads(found["4.jsonl"]) == {"text": clean}
    assert list(csv.DictReader(io.StringIO(found["5.csv"].decode(), newline=""))) == [{"text": clean}]


def test_what_is_not_of_the_encoding_costs_its_note(tmp_path: Path) -> None:
    notes, out = tmp_path / "notes", tmp_path / "out"
    notes.mkdir()
    (notes / "1.txt").write_bytes(b"caf\x81 Brown")
    (notes / "2.csv").write_bytes(b"text\ncaf\x81 Brown\nNo fever.\n")
    (notes / "3.jsonl").write_bytes(
        '{"text": "No fever."}\n{"text": "'.encode("utf-16") + b"\x00\xd8" + '"}\n'.encode("utf-16-le")
    )
    table = TableOptions(outputs=("text", "error"))
    report = scrub_files(ns.Scrubber(), [notes], out, table=table, encoding="cp1252")
    assert report.problems == [f"{notes}/1.txt: is not cp1252 at byte 3"]
    rows = list(csv.DictReader(io.StringIO(contents_of_folder(out)["2.csv"].decode(), newline="")))
    assert [row["text_error"] for row in rows] == ["utf-8", ""]
    lines = [json.loads(line) for line in contents_of_folder(out)["3.jsonl"].splitlines()]
    assert [line["text_error"] for line in lines] == [None, "utf-8"]
    replaced = scrub_files(
        ns.Scrubber(), [notes], out, table=table, encoding="cp1252", errors="replace", overwrite=True
    )
    assert (replaced.problems, replaced.failed) == ([], 0)
    assert "No fever." in contents_of_folder(out)["2.csv"].decode()


def test_standard_input_and_output_know_encodings(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_bytes(TEXT.encode("latin-1", "replace"))
    for inputs in ([str(tmp_path / "1.txt")], ["-"]):
        done = subprocess.run(
            [*COMMAND, "scrub", *inputs, "--encoding", "latin-1"],
            input=(tmp_path / "1.txt").read_bytes(), capture_output=True, check=True,
        )  # fmt: skip
        assert done.stdout.decode().startswith("Met at a café. Dr. [NAME]")


@pytest.mark.parametrize(
    ("name", "between", "asked", "said"),
    [
        ("a.csv", ";", None, "its fields are separated by semicolons"),
        ("a.csv", "\t", None, "its fields are separated by tabs"),
        ("a.tsv", "\t", None, None),
        ("a.tsv.gz", "\t", None, None),
        ("a.csv", "|", "|", None),
        ("a.csv", ",", None, None),
    ],
)
def test_separators_of_csv_are_detected(
    tmp_path: Path, name: str, between: str, asked: str | None, said: str | None
) -> None:
    content = f'"id"{between}"year"{between}text\n7{between}2006{between}"Dr. Brown{between} fever"\n'.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    report = scrub_files(
        ns.Scrubber(),
        [tmp_path / name],
        tmp_path / "out",
        table=TableOptions(keep=("year",), outputs=("text",), separator=asked),
    )
    assert report.warnings == ([f"{tmp_path / name}: {said}"] if said else [])
    written = (tmp_path / "out" / name).read_bytes()
    text = (gzip.decompress(written) if name.endswith(".gz") else written).decode()
    (row,) = csv.DictReader(io.StringIO(text, newline=""), delimiter=between)
    assert row["year"] == "2006"
    assert row["text"].startswith("Dr. [NAME]")


def test_rows_before_a_quote_that_is_never_closed_come_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Behind it nobody knows where a row begins: a piece of a note could stand for a column that passes."""
    (tmp_path / "a.csv").write_text('text,ward\nDr. Brown came.,4B\n"Dr. Green,4B\nNo fever.,Brown\nNo fever.,4B\n')
    command = [
        "scrub",
        str(tmp_path / "a.csv"),
        "-o",
        str(tmp_path / "out"),
        "--keep",
        "ward",
        "--outputs",
        "text,error",
    ]
    assert main(command) == 1
    told = capsys.readouterr().err
    assert "a.csv: at lines 3 to 5: it is no CSV there: a quote is not closed" in told
    assert "1 row could not be scrubbed" in told
    assert (tmp_path / "out" / "a.csv").read_text().splitlines() == [
        "text,ward,text_error",
        "Dr. [NAME] came.,4B,",
        ",,quote",
    ]


@pytest.mark.parametrize(
    ("rows", "read"),
    [
        ('No "fever.,4B\nx,"b"c\nNo rash.,4C\nNo "pain".,4D', ['No "fever.,4B', ",", "No rash.,4C", 'No "pain".,4D']),
        ('x,"b"c\nNo rash.,4C\nx,"b"c\nNo pain.,4D', [",", "No rash.,4C", ",", "No pain.,4D"]),
        ('"No\nrash" x,4B\nNo pain.,4D', [",", "No pain.,4D"]),
        # The note goes on: what looks like a row is a piece of it.
        ('4B,"He said "hi\nBrown,Boston\nhere" to me"\nNo pain.,4D', [",", "No pain.,4D"]),
        ('"Open,4B\nNo pain.,4D\n"Closed,4D\nNo rash.,4E', [",", "No rash.,4E"]),
        ('"Open,4B\nNo pain.,4D\n"No\nBrown,Boston\nhome",4D\nNo rash.,4E', [",", "No rash.,4E"]),
        ('x,"b"c,"Open\nNo pain.,4D', [","]),
    ],
)
def test_a_row_with_a_wrong_quote_costs_itself(tmp_path: Path, rows: str, read: list[str]) -> None:
    (tmp_path / "a.csv").write_text(f"text,ward\n{rows}\n")
    report = scrub_files(
        ns.Scrubber(), [tmp_path / "a.csv"], tmp_path / "out", table=TableOptions(keep=("ward",), outputs=())
    )
    with (tmp_path / "out" / "a.csv").open(newline="") as out:
        assert list(map(",".join, csv.reader(out)))[1:] == read
    assert report.failed == len(report.warnings) == read.count(",")


# ---- what is not taken


def test_files_that_are_not_taken_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (tmp_path / "elsewhere").mkdir()
    for name in ("1.txt", "scan.pdf", "two.PDF", "table.json", "README", ".hidden.txt"):
        (notes / name).write_text("Dr. Brown")
    (notes / "gone.pdf").symlink_to(notes / "nothing")
    (notes / "ward").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(notes / "pipe.txt")
    assert main(["scrub", str(notes), "-o", str(tmp_path / "out"), "--quiet"]) == 0
    told = capsys.readouterr().err
    assert "notesieve: 7 files were not taken (2 .pdf, " in told
    assert "table.json: could not be read as a message" in told
    for kind in ("1 no suffix", "1 hidden", "1 broken link", "1 linked folder", "1 pipe or device"):
        assert kind in told
    report = FileReport()
    scrub_files(ns.Scrubber(), [notes], tmp_path / "again", report=report)
    assert len(report.ignored) == 7
    assert main(["scrub", str(notes)]) == 0
    assert "7 files were not taken" in capsys.readouterr().err


def test_word_documents_are_scrubbed(tmp_path: Path) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Patient: Rose Winters"
    document.add_paragraph("Seen by Dr. Brown for asthma.")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "BP", "128/72"
    document.save(str(tmp_path / "letter.docx"))
    (tmp_path / "broken.docx").write_bytes(b"Dr. Brown")
    (tmp_path / "letter.txt").write_text("No fever.")
    report = scrub_files(ns.Scrubber(), [tmp_path], tmp_path / "out")
    assert report.problems == [f"{tmp_path}/broken.docx: is damaged, or no Word document"]
    found = contents_of_folder(tmp_path / "out")
    assert sorted(found) == ["letter.docx.txt", "letter.txt"]
    text = found["letter.docx.txt"].decode()
    assert "Seen by Dr. [NAME] for asthma." in text
    assert "128/72" in text
    assert not [word for word in ("Rose", "Winters", "Brown") if word in text]


def test_verify_and_autocode_tell_what_they_did_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean = tmp_path / "clean"
    clean.mkdir()
    (clean / "1.txt").write_text("No fever.")
    (clean / "2.txt.gz").write_bytes(gzip.compress(b"No quombled fever."))
    assert main(["verify", str(clean)]) == 1
    assert "2.txt.gz:3:11: word" in capsys.readouterr().out
    (clean / "2.txt.gz").write_bytes(gzip.compress(b"No fever."))
    (clean / ".hidden").write_text("")
    assert main(["verify", str(clean)]) == 0
    assert capsys.readouterr().out.startswith("2 texts")
    (clean / "rows.jsonl").write_text('{"text": "Dr. Brown"}')
    assert main(["verify", str(clean)]) == 1
    assert "1 file was not taken (1 .jsonl)" in capsys.readouterr().err
    assert main(["autocode", str(clean)]) == 0
    assert "2 files were not taken" in capsys.readouterr().err
