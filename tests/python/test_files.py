"""Files and folders: one whole output an input, whatever happens on the way."""

import csv
import gzip
import hashlib
import io
import json
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import notesieve as ns
from generate_notes import generate
from notesieve.cli import main
from notesieve.files import Table, scrub_files

TEXTS = ["Dr. Brown called 617-555-0123 about asthma.", "Seen 3/4/2006, BP 128/72.", "No fever."]
CLEAN = ["Dr. [NAME] called [CONTACT] about asthma.", "Seen [DATE], BP 128/72.", "No fever."]
COMMAND = [sys.executable, "-m", "notesieve"]


def rows(texts: list[str]) -> list[dict[str, object]]:
    return [{"mrn": "100", "note": text, "year": 2000 + at} for at, text in enumerate(texts)]


def csv_of(items: list[dict[str, object]]) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(items[0]), restval="")
    writer.writeheader()
    writer.writerows(items)
    return buffer.getvalue().encode()


def jsonl_of(items: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)


def fill(folder: Path, texts: list[str], copies: int = 1) -> None:
    """A folder with every kind of file."""
    (folder / "deep" / "er").mkdir(parents=True)
    for at, text in enumerate(texts):
        (folder / "deep" / f"{at}.txt").write_text(text)
    items = rows(texts * copies)
    (folder / "a.jsonl").write_bytes(jsonl_of(items))
    (folder / "deep" / "b.jsonl.gz").write_bytes(gzip.compress(jsonl_of(items)))
    (folder / "deep" / "c.jsonl.zst").write_bytes(zstandard.compress(jsonl_of(items)))
    (folder / "d.csv").write_bytes(csv_of(items))
    pq.write_table(pa.Table.from_pylist(items), folder / "deep" / "er" / "e.parquet", row_group_size=50)
    (folder / "left.out").write_text("Dr. Brown")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def manifest(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in folder.with_name(folder.name + ".manifest.jsonl").read_text().splitlines()]


def test_every_kind_of_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path / "notes", TEXTS)
    out = tmp_path / "clean"
    assert main(["scrub", str(tmp_path / "notes"), "-o", str(out), "--text", "note", "--keep", "year"]) == 0
    assert capsys.readouterr().err == (
        f"notesieve: 1 file was not taken (1 .out): {tmp_path}/notes/left.out\nnotesieve: 8 files, 18 notes scrubbed\n"
    )
    found = contents(out)
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
    head, *lines = manifest(out)
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
        assert contents(out) == {name: expected.encode()}


def test_to_standard_output(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("Dr. Brown")
    (tmp_path / "2.txt").write_bytes(b"caf\xe9 Brown")
    done = subprocess.run([*COMMAND, "scrub", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.stdout == "Dr. [NAME]\n"
    assert done.stderr == f"notesieve: {tmp_path}/2.txt: is not UTF-8 at byte 3\n"
    assert done.returncode == 1
    piped = subprocess.run([*COMMAND, "scrub", "-"], input="Dr. Brown", capture_output=True, text=True, check=True)
    assert piped.stdout == "Dr. [NAME]\n"
    with Path("/dev/full").open("w") as full:
        failed = subprocess.run(
            [*COMMAND, "scrub", str(tmp_path / "1.txt")], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert failed.returncode == 2
    assert failed.stderr == "notesieve: standard output: No space left on device\n"


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
    assert not any(b"Brown" in content for content in contents(out).values())
    assert [line["failed"] for line in manifest(out)[1:]] == [6, 2]


def test_a_file_that_cannot_be_read_is_told_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    fill(notes, TEXTS)
    (notes / "bytes.txt").write_bytes(b"Dr. \xff Brown")
    (notes / "cut.jsonl.gz").write_bytes(gzip.compress(jsonl_of(rows(TEXTS * 50)))[:-20])
    (notes / "cut.jsonl.zst").write_bytes(zstandard.compress(jsonl_of(rows(TEXTS * 50)))[:-20])
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
        "dangling.txt": "is a link that leads nowhere",
    }.items():
        assert any(f"{notes / name}: " in line and why in line for line in told.splitlines()), (name, told)
    assert "Brown" not in told
    assert len(contents(out)) == 8
    assert "8 files, 18 notes scrubbed" in told
    assert not list(out.rglob(".*"))


def test_a_folder_that_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "notes"
    fill(notes, TEXTS)
    import shutil

    from notesieve.files import run as files

    group = files.Run._group

    def then_vanish(self: files.Run, texts: list[object]) -> None:
        group(self, texts)
        shutil.rmtree(notes, ignore_errors=True)

    monkeypatch.setattr(files.Run, "_group", then_vanish)
    report = scrub_files(ns.Scrubber(), [notes], tmp_path / "clean", table=Table("note"))
    assert report.done == 3
    assert len(report.problems) == 5
    assert all(problem.endswith("No such file or directory") for problem in report.problems)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """The limit on the size of a file stands for a disk that takes no more; both are errors of a write."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "big.jsonl").write_bytes(jsonl_of(rows(TEXTS * 2000)))
    pq.write_table(
        pa.Table.from_pylist(rows([f"{text} {at}" for at in range(3000) for text in TEXTS])), notes / "big.parquet"
    )
    (notes / "small.jsonl").write_bytes(jsonl_of(rows(TEXTS)))
    out = tmp_path / "clean"
    done = subprocess.run(
        [*COMMAND, "scrub", str(notes), "-o", str(out), "--text", "note"],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000)),
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("File too large") == 2, done.stderr
    assert list(contents(out)) == ["small.jsonl"], "no half of a file is left"


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
            "holds no .txt, .jsonl, .csv, .tsv, .parquet, .docx, .hl7, .json or .xml file",
        ),
        ([str(tmp_path / "rows.csv")], "needs an output folder: add -o DIR"),
        ([str(tmp_path / "a"), "-o", str(tmp_path / "a")], "would be written over"),
        ([str(tmp_path / "a" / "same.txt"), "-o", str(tmp_path / "a")], "would be written over"),
        (["-", "-o", out], "leave out -o"),
        ([str(tmp_path / "a"), "--resume"], "add -o DIR"),
        ([str(tmp_path / "a"), "-o", out, "--resume", "--overwrite"], "say one of them"),
        ([str(tmp_path / "a"), "-o", out, "--separator", ";;"], "a separator is one character"),
        ([str(tmp_path / "a"), "-o", out, "--encoding", "cp99"], "there is no text encoding 'cp99'"),
    ):
        assert main(["scrub", *arguments]) == 2, arguments
        assert message in capsys.readouterr().err


def test_the_output_folder_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("Dr. Brown")
    for more in ([], ["--overwrite"], ["--resume"]):
        assert main(["scrub", str(tmp_path), "-o", str(tmp_path / "clean"), "--quiet", *more]) == 0
        assert list(contents(tmp_path / "clean")) == ["1.txt"]


def test_resume_skips_what_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes, out = tmp_path / "notes", tmp_path / "clean"
    fill(notes, TEXTS)
    command = ["scrub", str(notes), "-o", str(out), "--text", "note"]
    assert main(command) == 0
    before = contents(out)
    capsys.readouterr()
    assert main([*command, "--resume"]) == 0
    assert "0 files, 0 notes scrubbed, 8 were done before" in capsys.readouterr().err
    (notes / "deep" / "0.txt").write_text("Dr. Green.")
    (out / "d.csv").write_text("damaged")
    (out / "a.jsonl").unlink()
    assert main([*command, "--resume"]) == 0
    assert "3 files, 7 notes scrubbed, 5 were done before" in capsys.readouterr().err
    assert contents(out) == {**before, "deep/0.txt": b"Dr. [NAME].\n"}
    assert main([*command, "--resume", "--policy", "berman"]) == 2
    assert "was made with other policy, policy_digest:" in capsys.readouterr().err
    assert main([*command, "--resume", "--keep", "year"]) == 2
    assert "was made with other options" in capsys.readouterr().err


def test_threads_change_no_byte(tmp_path: Path) -> None:
    fill(tmp_path / "notes", [note.text for note in generate(notes=30, seed=7)], copies=3)
    for threads in ("1", "3"):
        command = ["scrub", str(tmp_path / "notes"), "-o", str(tmp_path / threads), "--text", "note", "--quiet"]
        assert main([*command, "--threads", threads]) == 0
    assert contents(tmp_path / "1") == contents(tmp_path / "3")


def test_two_runs_do_not_write_one_folder(tmp_path: Path) -> None:
    from notesieve.files.run_manifest import RunManifest

    (tmp_path / "1.txt").write_text("Dr. Brown")
    with RunManifest(tmp_path / "clean.manifest.jsonl", {}, resume=False):
        assert main(["scrub", str(tmp_path / "1.txt"), "-o", str(tmp_path / "clean")]) == 2
    assert main(["scrub", str(tmp_path / "1.txt"), "-o", str(tmp_path / "clean"), "--quiet"]) == 0


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
    assert manifest(tmp_path / "out")[0]["key_fingerprint"] == ns.Key.load().fingerprint


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many") / "notes"
    texts = [note.text for note in generate(notes=40, seed=3)]
    fill(folder, texts, copies=8)
    return folder


def test_killed_at_twenty_moments_and_resumed(many: Path, tmp_path: Path) -> None:
    """kill -9 loses nothing and doubles nothing: the outputs are those of a run that nobody disturbed."""
    command = [*COMMAND, "scrub", str(many), "--text", "note", "--keep", "year", "--quiet", "-o"]
    begin = time.perf_counter()
    subprocess.run([*command, str(tmp_path / "whole")], check=True)
    longest = time.perf_counter() - begin
    out = tmp_path / "killed"
    rng = random.Random(20)
    killed = begun = 0
    while killed < 20:
        if begun % 5 == 0:
            # From nothing again, so that every part of the work is struck.
            for path in (out, out.with_name("killed.manifest.jsonl")):
                subprocess.run(["rm", "-rf", str(path)], check=True)
        begun += 1
        process = subprocess.Popen([*command, str(out), "--resume"], stderr=subprocess.PIPE)
        try:
            process.wait(rng.uniform(0.1, 1.0) * longest)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            killed += 1
        else:
            # The machine is faster now than it was, or nothing was left to do.
            longest, begun = longest * 0.9, 0
        error = process.communicate()[1]
        assert process.returncode in (0, -signal.SIGKILL), error
    subprocess.run([*command, str(out), "--resume"], check=True)
    assert contents(out) == contents(tmp_path / "whole")
    assert (
        sum(line["rows_out"] for line in {line["output"]: line for line in manifest(out)[1:]}.values()) == 40 + 5 * 320
    )


def test_ctrl_c_keeps_what_is_done(many: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = subprocess.Popen(
        [*COMMAND, "scrub", str(many), "--text", "note", "-o", str(out), "--threads", "1"],
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (out / "a.jsonl").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    if process.returncode != 0:  # it may have been faster
        assert process.returncode == 130, told
        assert "files, which are whole; --resume goes on" in told
    assert "Traceback" not in told
    assert not list(out.rglob(".*"))
    # The key may be struck after a file was put in its place and before the manifest tells of it: a whole file more.
    stopped = contents(out)
    assert {str(line["output"]) for line in manifest(out)[1:]} <= set(stopped)
    subprocess.run([*COMMAND, "scrub", str(many), "--text", "note", "-o", str(out), "--resume"], check=True)
    done = contents(out)
    assert {str(line["output"]) for line in manifest(out)[1:]} == set(done)
    assert all(done[name] == text for name, text in stopped.items())


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Three times the rows, the same memory but for a part of a row group."""
    text = " ".join(TEXTS) * 20
    peaks = []
    for copies in (6_000, 18_000):
        source = tmp_path / f"{copies}.jsonl"
        with source.open("wb") as file:
            for at in range(copies):
                file.write(json.dumps({"note": f"{at} {text}"[: 250 + at % 3000]}).encode() + b"\n")
        program = (
            "import sys; from notesieve.cli import main; code = main(sys.argv[1:]); "
            "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]); sys.exit(code)"
        )
        command = [
            "scrub",
            str(source),
            "-o",
            str(tmp_path / f"out{copies}"),
            "--text",
            "note",
            "--quiet",
            "--outputs",
            "text",
        ]
        done = subprocess.run([sys.executable, "-c", program, *command], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout) / 1024)
    # Three threads at most keep the buffers of the longest notes of their own.
    assert peaks[1] < peaks[0] + 100, peaks
    assert (tmp_path / "18000.jsonl").stat().st_size > 20e6
