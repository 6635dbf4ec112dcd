"""Runs over files that are stopped, by whatever: no half of a file is left, and the next run goes on."""

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

import notesieve as ns
from generate_notes import generate
from note_files import (
    COMMAND,
    TEXTS,
    contents_of_folder,
    jsonl_of,
    note_rows,
    read_manifest,
    run_notesieve,
    write_every_format,
)
from notesieve.cli import main
from notesieve.files import TableOptions, scrub_files


def test_a_folder_that_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "notes"
    write_every_format(notes, TEXTS)
    import shutil

    from notesieve.files import run as files

    group = files.FileRun._scrub_group

    def then_vanish(self: files.FileRun, texts: list[object]) -> None:
        group(self, texts)
        shutil.rmtree(notes, ignore_errors=True)

    monkeypatch.setattr(files.FileRun, "_scrub_group", then_vanish)
    report = scrub_files(ns.Scrubber(), [notes], tmp_path / "clean", table=TableOptions("note"))
    assert report.done == 3
    assert len(report.problems) == 5
    assert all(problem.endswith("No such file or directory") for problem in report.problems)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """The limit on the size of a file stands for a disk that takes no more; both are errors of a write."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "big.jsonl").write_bytes(jsonl_of(note_rows(TEXTS * 2000)))
    pq.write_table(
        pa.Table.from_pylist(note_rows([f"{text} {at}" for at in range(3000) for text in TEXTS])), notes / "big.parquet"
    )
    (notes / "small.jsonl").write_bytes(jsonl_of(note_rows(TEXTS)))
    out = tmp_path / "clean"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))

    done = run_notesieve("scrub", str(notes), "-o", str(out), "--text", "note", preexec_fn=limit)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("File too large") == 2, done.stderr
    assert list(contents_of_folder(out)) == ["small.jsonl"], "no half of a file is left"


def test_resume_skips_what_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes, out = tmp_path / "notes", tmp_path / "clean"
    write_every_format(notes, TEXTS)
    command = ["scrub", str(notes), "-o", str(out), "--text", "note"]
    assert main(command) == 0
    before = contents_of_folder(out)
    capsys.readouterr()
    assert main([*command, "--resume"]) == 0
    assert "0 files, 0 notes scrubbed, 8 files done before" in capsys.readouterr().err
    (notes / "deep" / "0.txt").write_text("Dr. Green.")
    (out / "d.csv").write_text("damaged")
    (out / "a.jsonl").unlink()
    assert main([*command, "--resume"]) == 0
    assert "3 files, 7 notes scrubbed, 5 files done before" in capsys.readouterr().err
    assert contents_of_folder(out) == {**before, "deep/0.txt": b"Dr. [NAME].\n"}
    assert main([*command, "--resume", "--policy", "berman"]) == 2
    assert "was made with other policy, policy_digest:" in capsys.readouterr().err
    assert main([*command, "--resume", "--keep", "year"]) == 2
    assert "was made with other options" in capsys.readouterr().err


def test_two_runs_do_not_write_one_folder(tmp_path: Path) -> None:
    from notesieve.files.run_manifest import RunManifest

    (tmp_path / "1.txt").write_text("Dr. Brown")
    with RunManifest(tmp_path / "clean.manifest.jsonl", {}, resume=False):
        assert main(["scrub", str(tmp_path / "1.txt"), "-o", str(tmp_path / "clean")]) == 2
    assert main(["scrub", str(tmp_path / "1.txt"), "-o", str(tmp_path / "clean"), "--quiet"]) == 0


@pytest.fixture(scope="module")
def folder_of_many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many") / "notes"
    texts = [note.text for note in generate(notes=40, seed=3)]
    write_every_format(folder, texts, copies=8)
    return folder


def test_killed_at_twenty_moments_and_resumed(folder_of_many: Path, tmp_path: Path) -> None:
    """kill -9 loses nothing and doubles nothing: the outputs are those of a run that nobody disturbed."""
    command = [*COMMAND, "scrub", str(folder_of_many), "--text", "note", "--keep", "year", "--quiet", "-o"]
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
    assert contents_of_folder(out) == contents_of_folder(tmp_path / "whole")
    assert (
        sum(line["rows_out"] for line in {line["output"]: line for line in read_manifest(out)[1:]}.values())
        == 40 + 5 * 320
    )


def test_ctrl_c_keeps_what_is_done(folder_of_many: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = subprocess.Popen(
        [*COMMAND, "scrub", str(folder_of_many), "--text", "note", "-o", str(out), "--threads", "1"],
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (out / "a.jsonl").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=60)[1]
    if process.returncode != 0:  # it may have been faster
        assert process.returncode == 130, told
        assert "files, which are whole; --resume continues" in told
    assert "Traceback" not in told
    assert not list(out.rglob(".*"))
    # The key may be struck after a file was put in its place and before the manifest tells of it: a whole file more.
    stopped = contents_of_folder(out)
    assert {str(line["output"]) for line in read_manifest(out)[1:]} <= set(stopped)
    subprocess.run([*COMMAND, "scrub", str(folder_of_many), "--text", "note", "-o", str(out), "--resume"], check=True)
    done = contents_of_folder(out)
    assert {str(line["output"]) for line in read_manifest(out)[1:]} == set(done)
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
