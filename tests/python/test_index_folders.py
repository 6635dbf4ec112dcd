"""The folder of an index: committed, opened again, merged, killed, damaged, of another key or format."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import notesieve as ns
from index_notes import KEY, TEXTS, build_index, given_key, keyed_scrubber
from notesieve.errors import FileError, SearchIndexError

key = pytest.fixture(given_key, scope="module")
scrubber = pytest.fixture(keyed_scrubber, scope="module")


def test_what_could_not_be_written_is_not_committed(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = build_index(tmp_path / "notes", scrubber)
    saved = tmp_path / "saved"
    shutil.copytree(tmp_path / "notes", saved)
    index.add(scrubber.scrub_many(["No rash."]), note_id=["n6"], patient_id=["p6"])
    # Renamed in one step: threads of the writer may make files while a folder is being emptied.
    (tmp_path / "notes" / "segments").rename(tmp_path / "gone")
    with pytest.raises(FileError, match="segments: "):
        index.commit()
    with pytest.raises(FileError, match="could not be written"):
        index.add(scrubber.scrub_many(["No rash."]), note_id=["n7"], patient_id=["p7"])
    index.close()
    assert ns.Index.open(saved).count("*").notes == len(TEXTS)


def test_an_index_that_grows_by_some_notes_at_a_time_is_merged(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    notes = scrubber.scrub_many(TEXTS * 100)
    ns.Index.create(tmp_path / "notes", scrubber).close()
    for day in range(9):
        with ns.Index.open(tmp_path / "notes", scrubber=scrubber) as index:
            names = [f"{day}/{number}" for number in range(len(notes))]
            index.add(notes, note_id=names, patient_id=names)
    written = json.loads((tmp_path / "notes" / "segments" / "meta.json").read_text())
    assert len(written["segments"]) < 8, "eight segments are merged, and `close` waits for that"
    assert ns.Index.open(tmp_path / "notes").count("*").notes == 9 * len(notes)


def test_open_reads_what_was_committed(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    index = build_index(tmp_path / "notes", scrubber)
    reader = ns.Index.open(tmp_path / "notes")
    index.add([scrubber.scrub("Rhabdomyolysis.")], note_id=["n9"], patient_id=["p9"])
    assert reader.count('code:"rhabdomyolysis"').notes == 0
    index.commit()
    reader.refresh()
    assert reader.count('code:"rhabdomyolysis"').notes == 1
    with pytest.raises(SearchIndexError, match="reading only"):
        reader.add([], note_id=[], patient_id=[])
    with pytest.raises(FileError, match="somebody else is adding"):
        ns.Index.open(tmp_path / "notes", scrubber=scrubber)
    index.close()


def test_another_policy_or_key_is_not_mixed_in(
    tmp_path: Path, scrubber: ns.Scrubber, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_index(tmp_path / "notes", scrubber).close()
    monkeypatch.setenv("NOTESIEVE_KEY", KEY[::-1])
    other_key = ns.Scrubber(key=ns.Key.load())
    other_policy = ns.Scrubber("readable", key=scrubber.key)
    for other, word in ((other_key, "key"), (other_policy, "policy")):
        with pytest.raises(SearchIndexError, match=word):
            ns.Index.open(tmp_path / "notes", scrubber=other)
    with ns.Index.open(tmp_path / "notes", scrubber=other_policy, mix=True) as index:
        index.add(other_policy.scrub_many(["No cough."]), note_id=["n8"], patient_id=["p1"])
    assert len(index.info()["provenance"]) == 2
    # The note says what made it, and may be of the scrubber of the index only.
    with ns.Index.open(tmp_path / "notes", scrubber=scrubber) as index:
        for notes in (other_policy.scrub_many(["x-ray"]), [other_policy.scrub("x-ray")]):
            with pytest.raises(SearchIndexError, match="made by another"):
                index.add(notes, note_id=["n7"], patient_id=["p1"])


def test_foreign_and_damaged_folders(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    with pytest.raises(FileError, match="no index"):
        ns.Index.open(tmp_path)
    (tmp_path / "notes-index").mkdir()
    (tmp_path / "notes-index" / "file").touch()
    with pytest.raises(FileError, match="there already"):
        ns.Index.create(tmp_path / "notes-index", scrubber)
    build_index(tmp_path / "notes", scrubber).close()
    manifest = tmp_path / "notes" / "notesieve-index.json"
    content = manifest.read_text()
    manifest.write_text(content.replace('"notesieve index": 7', '"notesieve index": 99'))
    with pytest.raises(SearchIndexError, match=r"format 99, .* build the index again"):
        ns.Index.open(tmp_path / "notes")
    manifest.write_text(content[:40])
    with pytest.raises(SearchIndexError, match="damaged"):
        ns.Index.open(tmp_path / "notes")
    manifest.write_text(content)
    concepts = tmp_path / "notes" / "concepts.jsonl"
    written = concepts.read_text()
    concepts.write_text('{"codes": 1}\n' + written)
    with pytest.raises(SearchIndexError, match="line 1 is damaged"):
        ns.Index.open(tmp_path / "notes")
    concepts.write_text(written)
    (tmp_path / "notes" / "segments" / "meta.json").unlink()
    with pytest.raises(SearchIndexError, match="has no list of its files"):
        ns.Index.open(tmp_path / "notes")


BUILD = """
import sys
import notesieve as ns
scrubber = ns.Scrubber()
folder, start = sys.argv[1], int(sys.argv[2])
index = ns.Index.open(folder, scrubber=scrubber)
terms = ["asthma", "pneumonia", "diabetes mellitus", "chest pain", "fever", "cough", "rhabdomyolysis", "gout"]
for at in range(start, 1000):
    note = scrubber.scrub(f"Known {terms[at % len(terms)]} and {terms[at // 8 % len(terms)]}.")
    index.add([note], note_id=[f"n{at}"], patient_id=[f"p{at // 3}"])
    if at % 5 == 4:
        index.commit()
        print(at + 1, flush=True)
"""


def test_a_killed_build_leaves_the_last_commit(tmp_path: Path) -> None:
    ns.Index.create(tmp_path / "notes", ns.Scrubber(), given_pseudonyms=True).close()
    committed = 0
    chance = random.Random(4)
    for _ in range(3):
        # Begins before what is committed: those notes come a second time.
        command = [sys.executable, "-c", BUILD, str(tmp_path / "notes"), str(max(0, committed - 7))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(chance.randint(2, 4)):
                committed = max(committed, int(process.stdout.readline()))
            os.kill(process.pid, signal.SIGKILL)
            # A commit may have been made that nobody could tell of any more.
            told = [int(line) for line in process.stdout]
        committed = max([committed, *told])
        with (tmp_path / "notes" / "concepts.jsonl").open("a") as file:
            file.write('{"codes": ["mesh:D0')  # what a write that was cut off leaves
        index = ns.Index.open(tmp_path / "notes")
        counted = index.count("*")
        assert committed <= counted.notes <= committed + 5
        assert counted.patients == -(-counted.notes // 3)
        for name in ("asthma", "gout"):
            assert index.count(f'code:"{name}"') == index.count(name)
        committed = counted.notes
