"""What a careless or hostile caller meets: errors of our own that say what to do, no text of a note, no lost rows."""

import copy
import datetime as dt
import decimal
import math
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import notesieve as ns
from note_files import run_notesieve
from notesieve.cli import main
from notesieve.files import scrub_files

SHORT = {"outputs": ["text", "error"], "progress": False}


@pytest.mark.parametrize("texts", ["Dr. Brown", b"Dr. Brown", None, 3])
def test_what_is_no_list_of_notes_is_refused(scrubber: ns.Scrubber, texts: Any) -> None:
    """One text would be taken for notes of one letter."""
    for call in (scrubber.scrub_many, lambda texts: list(scrubber.scrub_iter(texts))):
        with pytest.raises(ns.NoteTypeError, match="texts must be a list") as problem:
            call(texts)
        assert "Brown" not in str(problem.value)


@pytest.mark.parametrize("threads", [-1, "2", 2.0, 10**30])
def test_threads_are_a_whole_number(scrubber: ns.Scrubber, threads: Any) -> None:
    frame = pd.DataFrame({"note": ["No fever."]})
    for call in (
        lambda: scrubber.scrub_many(["No fever."], threads=threads),
        lambda: scrubber.scrub_column(["No fever."], threads=threads),
        lambda: scrubber.scrub_frame(frame, text="note", threads=threads),
    ):
        with pytest.raises(ns.SettingError, match="threads must be a whole number"):
            call()


def test_wrong_options_are_errors_of_the_package(scrubber: ns.Scrubber) -> None:
    frame = pd.DataFrame({"note": ["No fever."]})
    for call in (
        lambda: scrubber.scrub_many([], on_error="skip"),
        lambda: scrubber.scrub_column([], on_error="skip"),
        lambda: scrubber.scrub_frame(frame, text="note", on_error="skip"),
    ):
        with pytest.raises(ns.SettingError, match="on_error='skip' is not one of raise"):
            call()
    for wrong in (frame["note"], pl.Series("note", ["No fever."])):
        with pytest.raises(ns.FrameError, match="is no frame: use scrub_column"):
            scrubber.scrub_frame(wrong, text="note")
    for wrong in (frame, pl.DataFrame(frame)):
        with pytest.raises(ns.FrameError, match="is no column: take one of its columns"):
            scrubber.scrub_column(wrong)
    with pytest.raises(ns.FrameError, match="outputs must be a list"):
        scrubber.scrub_frame(frame, text="note", outputs="error")
    for output in (scrubber.scrub("No fever."), None, b"No fever."):
        with pytest.raises(ns.NoteTypeError, match="must be a str"):
            ns.verify(output, scrubber)  # type: ignore[arg-type]


def test_failures_are_told_in_the_order_of_the_notes(scrubber: ns.Scrubber) -> None:
    texts: list[Any] = ["Dr. Brown", "a" * (1 << 29), None, "BP 128/72."]
    with pytest.raises(ns.BatchError, match="the first at index 1: a text has 536870912 bytes") as problem:
        scrubber.scrub_many(texts)
    assert [index for index, _ in problem.value.errors] == [1, 2]
    assert problem.value.batch.texts == ["Dr. [NAME]", "", "", "BP 128/72."]


# ---- pickles


def scrub_batch(scrubber: ns.Scrubber, texts: list[Any]) -> ns.ScrubbedBatch:
    return scrubber.scrub_many(texts, explain=True)


def scrub_column(scrubber: ns.Scrubber, texts: list[Any]) -> Any:
    return scrubber.scrub_column(texts)


def test_batches_and_errors_come_back_from_other_processes(scrubber: ns.Scrubber) -> None:
    texts = ["Zephyrine has asthma.", "Dr. Brown, BP 128/72."]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(scrub_batch, scrubber, texts).result()
        expected = scrub_batch(scrubber, texts)
        assert list(found) == list(expected)
        assert found.provenance == expected.provenance
        assert found[0].explain(0) == expected[0].explain(0)
        with pytest.raises(ns.BatchError, match="1 of 3 notes") as failed:
            pool.submit(scrub_batch, scrubber, [*texts, None]).result()
        assert failed.value.batch.texts[:2] == expected.texts
        with pytest.raises(ns.RowError, match="1 of 3 rows") as rows:
            pool.submit(scrub_column, scrubber, [*texts, 3]).result()
        assert rows.value.result == [*expected.texts, None]
    assert b"Zephyrine" not in pickle.dumps(expected)


@pytest.mark.parametrize("part", ["concepts", "removed", "findings", "decisions", "codes"])
def test_what_a_note_holds_is_pickled_and_copied_without_it(scrubber: ns.Scrubber, part: str) -> None:
    items = getattr(scrubber.scrub("Zephyrine Zwilbruck, 93 y/o, MRN 7734419, has Marfan syndrome; BP 128/72."), part)
    assert items
    for item in items:
        written = pickle.dumps(item)
        assert pickle.loads(written) == copy.copy(item) == copy.deepcopy(item) == item
        assert repr(pickle.loads(written)) == repr(item)
        for text in ("Zephyrine", "Zwilbruck", "7734419"):
            assert text.lower().encode() not in written.lower()
            assert text.lower() not in repr(item).lower()


def test_a_pickle_of_another_version_says_so(scrubber: ns.Scrubber) -> None:
    note = scrubber.scrub("Dr. Brown has asthma.")
    for item, known in ((note.removed[0], "staff"), (note.findings[0], "name-title"), (note.decisions[0], "keep")):
        written = pickle.dumps(item).replace(known.encode(), known[::-1].encode())
        with pytest.raises(ValueError, match=r"another version of notesieve; load it with that version, or scrub"):
            pickle.loads(written)


# ---- frames


def test_a_column_may_be_called_anything(scrubber: ns.Scrubber) -> None:
    assert scrubber.scrub_frame(pd.DataFrame({0: ["Dr. Brown"]}), text=0, **SHORT)[0].tolist() == ["Dr. [NAME]"]
    levels = pd.DataFrame([[1, "Dr. Brown"]], columns=pd.MultiIndex.from_tuples([("a", "id"), ("a", "note")]))
    scrubbed = scrubber.scrub_frame(levels, text=("a", "note"), **SHORT)  # type: ignore[arg-type]
    assert scrubbed[("a", "note")].tolist() == ["Dr. [NAME]"]
    assert list(scrubbed.columns) == [("a", "note"), ("a", "note_error")]


def test_a_column_of_nothing(scrubber: ns.Scrubber) -> None:
    """A frame of polars in which no note is there, or none yet, has a column without a type."""
    for rows in ([None, None], []):
        frame = pl.DataFrame({"note": rows})
        assert scrubber.scrub_frame(frame, text="note", progress=False)["note"].to_list() == rows
        assert scrubber.scrub_column(frame["note"]).to_list() == rows
        assert scrubber.scrub_frame(frame.lazy(), text="note").collect()["note"].to_list() == rows
    missing = np.array(["Dr. Brown", float("nan"), None], dtype=object)
    assert scrubber.scrub_column(missing).tolist() == ["Dr. [NAME]", None, None]


UNUSABLE = [b"Rose", {"first": "Rose"}, {"Rose"}, object(), ["Winters", b"Rose"], [["Rose"]], dt.timedelta(3)]
NUMBERS = [math.inf, decimal.Decimal("Infinity")]


@pytest.mark.parametrize("value", [*UNUSABLE, *NUMBERS], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", ["name", "mrn", "dob", "address"])
def test_a_known_value_that_cannot_be_looked_for_costs_the_row(scrubber: ns.Scrubber, name: str, value: Any) -> None:
    frame = pd.DataFrame({"note": ["the rose bed", "the rose bed"], name: pd.Series([value, None], dtype=object)})
    scrubbed = scrubber.scrub_frame(frame, text="note", known=[name], **SHORT)
    assert scrubbed["note"].isna().tolist() == [True, False]
    assert scrubbed["note_error"][0] == "patient"


def test_lists_of_known_values() -> None:
    # What is known alone: the model has a mind of its own of a few words out of any context.
    scrubber = ns.Scrubber(ns.Policy(ambiguous="never"))
    names = [["Rose", "Winters"], None]
    notes = ["the rose bed of winters", "the rose bed"]
    expected = ["the [NAME] bed of [NAME]", "the rose bed"]
    arrays = pd.DataFrame({"note": notes, "name": pd.Series([np.array(names[0]), None], dtype=object)})
    table = pa.table({"note": notes, "name": names})
    structs = pa.table({"note": notes, "name": [{"first": "Rose"}, None]})
    assert scrubber.scrub_frame(arrays, text="note", known=["name"], **SHORT)["note"].tolist() == expected
    assert scrubber.scrub_frame(table, text="note", known=["name"], **SHORT)["note"].to_pylist() == expected
    scrubbed = scrubber.scrub_frame(structs, text="note", known=["name"], **SHORT)
    assert scrubbed["note"].to_pylist() == [None, "the rose bed"]


# ---- patients, policies, vocabularies


@pytest.mark.parametrize(
    "fields",
    [{"names": "Rose"}, {"names": [None]}, {"mrn": 1.5}, {"mrn": True}, {"birth_date": 1946}, {"phones": [617]}],
)
def test_patients_of_wrong_types_are_errors_of_the_package(fields: dict[str, Any]) -> None:
    with pytest.raises(ns.PatientTypeError, match=next(iter(fields))) as problem:
        ns.Patient(**fields)
    assert isinstance(problem.value, TypeError)
    assert isinstance(problem.value, ns.PatientError)


def test_odd_values_of_patients(scrubber: ns.Scrubber) -> None:
    assert ns.Patient(mrn=10**30).mrn == str(10**30)
    assert ns.Patient(np.int64(17)).id == "17"
    with pytest.raises(ns.PatientError, match="birth_date is no date"):
        ns.Patient(birth_date="1946-02-30")
    # A name is read as a note is.
    broken = ns.Patient(names=["Ro\ud800se Winters"])
    assert scrubber.scrub("ro\ud800se bed", patient=broken).text.endswith(" bed")
    assert scrubber.scrub("the winters bed", patient=broken).text.endswith("[NAME] bed")


def test_files_of_another_kind_are_not_quoted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Ms. Zephyrine Quill has asthma.")
    for command in (["scrub", "--policy", str(note), str(note)], ["policy", "show", str(note)]):
        assert main(command) == 2
        problem = capsys.readouterr().err
        assert "is no TOML at line 1" in problem
        assert "Zephyrine" not in problem
    with pytest.raises(ns.PolicyError, match="doctors: must be a list of texts") as refused:
        ns.Policy("safe", doctors="Zephyrine Quill")
    assert "Quill" not in str(refused.value)
    with pytest.raises(ns.FileError, match="is a directory"):
        ns.Vocabulary.open(tmp_path)


def test_a_gold_standard_of_nothing_scores_nothing(scrubber: ns.Scrubber) -> None:
    outside = ns.Gold({"a": "Zephyrine"}, {"a": [{"start": 5, "end": 99, "category": "NAME"}]})
    for gold in (ns.Gold({}, {}), outside):
        with pytest.raises(ns.GoldError, match="has no note that can be scored"):
            ns.evaluate(gold, scrubber)


# ---- the command line


@pytest.mark.parametrize("command", ["scrub", "autocode", "verify"])
def test_a_closed_input_and_a_full_output_are_reported(tmp_path: Path, command: str) -> None:
    closed = f"exec {sys.executable} -m notesieve {command} - <&-"
    done = subprocess.run(["bash", "-c", closed], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "notesieve: standard input: is closed\n")
    note = tmp_path / "note.txt"
    note.write_text("No fever.")
    with Path("/dev/full").open("w") as full:
        done = run_notesieve(command, str(note), capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, "notesieve: standard output: No space left on device\n")


def test_output_is_utf_8_on_every_system(tmp_path: Path) -> None:
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    assert (
        run_notesieve("scrub", "-", input="Temp 37 °C, given 5 µg.", env=environment).stdout
        == "Temp 37 °C, given 5 µg.\n"
    )
    notes = tmp_path / "notes"
    notes.mkdir()
    if sys.platform == "linux":  # other systems have no such names
        (notes / os.fsdecode(b"caf\xe9.txt")).write_text("No fever.")
    (notes / "note.txt").write_text("No fever.")
    for form in ("jsonl", "spans"):
        assert run_notesieve("scrub", str(notes), "--format", form).returncode == 0
        assert run_notesieve("scrub", str(notes), "-o", str(tmp_path / form), "--format", form).returncode == 0


def test_nothing_is_written_where_a_file_is(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    note = tmp_path / "note.txt"
    note.write_text("No fever.")
    with pytest.raises(ns.FrameError, match=r"note\.txt: is no folder"):
        scrub_files(scrubber, [note], note)
    assert list(tmp_path.iterdir()) == [note]
    assert run_notesieve("scrub", str(note), "-o", str(tmp_path / "out"), "--outputs", "text,eror").returncode == 2
    assert not (tmp_path / "out").exists()


def test_verify_reads_on_behind_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9")
    (tmp_path / "b.txt").write_text("No fever, quombled.")
    assert main(["verify", str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert "b.txt:10:18: word" in shown.out
    assert "a.txt: is not UTF-8 at byte 3" in shown.err
    site = tmp_path / "site"
    site.mkdir()
    (site / "allow.txt").write_text("quombled\n")
    assert main(["verify", str(tmp_path / "b.txt"), "--site", str(site)]) == 0
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["verify", str(empty)]) == 2, "nothing was verified"
    assert "has no .txt file" in capsys.readouterr().err


def test_a_sample_that_cannot_be_drawn_is_reported(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("Zephyrine Quill")
    (tmp_path / "wrong.csv").write_text("doc,kind\na,b\n")
    (tmp_path / "bytes.csv").write_bytes(b"doc,stratum\ncaf\xe9,b\n")
    draw = ("sample", "draw", str(notes), "-n", "1", "-o", str(tmp_path / "out"))
    assert "1 or more" in run_notesieve("sample", "draw", str(notes), "-n", "0", "-o", str(tmp_path / "out")).stderr
    assert "missing.csv: No such file" in run_notesieve(*draw, "--strata", str(tmp_path / "missing.csv")).stderr
    assert (
        "wrong.csv: needs the columns doc and stratum"
        in run_notesieve(*draw, "--strata", str(tmp_path / "wrong.csv")).stderr
    )
    assert "bytes.csv: is not UTF-8 at byte 15" in run_notesieve(*draw, "--strata", str(tmp_path / "bytes.csv")).stderr
    (notes / "b.txt").write_bytes(b"caf\xe9 Quill")
    failed = run_notesieve("sample", "draw", str(notes), "-n", "2", "-o", str(tmp_path / "out"))
    assert failed.returncode == 2
    assert failed.stderr == f"notesieve: {notes}/b.txt: is not UTF-8 at byte 3\n"


def test_folders_that_cannot_be_made_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    blocked = tmp_path / "file" / "index"
    with pytest.raises(ns.FileError, match="index: Not a directory"):
        ns.Index.create(blocked, ns.Scrubber(), given_pseudonyms=True)
    with pytest.raises(ns.FileError):
        ns.CountsOnly(_build_index(tmp_path), log=blocked, user="ann")


def test_an_index_without_all_its_codes_is_refused(tmp_path: Path) -> None:
    """It would find them in no note, and give those that are added the numbers of others."""
    path = _build_index(tmp_path)
    index = ns.Index.open(path)
    assert index.count("any:mesh:D001249").patients == 1
    with pytest.raises(ns.SearchIndexError, match="must be 0 or more"):
        index.search("*", limit=-1)
    concepts = path / "concepts.jsonl"
    content = concepts.read_bytes()
    for left in (content[:-3], content[: content.index(b"\n") + 1], b"", None):
        if left is None:
            concepts.unlink()
        else:
            concepts.write_bytes(left)
        with pytest.raises(ns.SearchIndexError, match=r"concepts\.jsonl: is missing or ends too early"):
            ns.Index.open(path)
    concepts.write_bytes(content + b'{"codes": ["half')
    assert ns.Index.open(path).count("any:mesh:D001249").patients == 1, "what a killed process left does no harm"


def _build_index(folder: Path) -> Path:
    scrubber = ns.Scrubber()
    with ns.Index.create(folder / "notes.index", scrubber, given_pseudonyms=True) as index:
        index.add(scrubber.scrub_many(["No fever, asthma."]), note_id=["n"], patient_id=["p"])
    return folder / "notes.index"


def test_what_may_not_be_read_or_written_is_reported(
    tmp_path: Path,
    scrubber: ns.Scrubber,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    notes = tmp_path / "notes"
    (notes / "ward").mkdir(parents=True)
    for name in ("a.txt", "ward/b.txt"):
        (notes / name).write_text("No fever.")
    out = tmp_path / "out"
    out.mkdir()
    (out / "ward").write_text("")
    report = scrub_files(scrubber, [notes], out, overwrite=True)
    assert (report.done, report.problems) == (1, [f"{notes}/ward/b.txt: its output: File exists"])

    def walk_with_error(path: Path, onerror: Any) -> list[Any]:
        if path != notes:
            return []
        onerror(PermissionError(13, "Permission denied", f"{path}/ward"))
        return [(str(path), [], ["a.txt"])]

    monkeypatch.setattr("notesieve.files.reading_errors.os.walk", walk_with_error)
    other = scrub_files(scrubber, [notes], tmp_path / "other")
    assert (other.done, other.problems) == (1, [f"{notes}/ward: Permission denied"])
    for command in ("verify", "autocode"):
        assert main([command, str(notes)]) == 1
        assert "ward: Permission denied" in capsys.readouterr().err
