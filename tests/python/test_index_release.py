"""What leaves an index is logged: searches, exports and releases; and what may be added after a site list has grown."""

import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import notesieve as ns
from index_notes import KEY, NOTES, PATIENTS, TEXTS, TYPES, YEARS, build_index, given_key, keyed_scrubber
from notesieve.cli import main

key = pytest.fixture(given_key, scope="module")


@pytest.fixture
def index(tmp_path: Path, key: ns.Key) -> ns.Index:
    made = build_index(tmp_path / "index", keyed_scrubber(key))
    made.close()
    return made


def read_json_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_release_has_the_notes_of_its_patients_and_a_record(index: ns.Index, tmp_path: Path) -> None:
    cohort = index.cohort("insulin")
    folder = index.release(cohort, tmp_path / "out", purpose="Diabetes study, IRB 17-204", user="ann")
    rows = read_json_lines(folder / "notes.ndjson")
    # All notes of the patient, not only that with the word.
    assert sorted(str(row["text"]) for row in rows) == sorted(hit.text for hit in index.search("diabetes").all())
    record = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    assert (record["patients"], record["notes"], record["cohort"], record["query"]) == (1, 2, "insulin", "*")
    assert record["sha256"] == hashlib.sha256((folder / "notes.ndjson").read_bytes()).hexdigest()
    assert record["made_by"][0]["version"] == ns.__version__
    (entry,) = read_json_lines(index.path / "releases.jsonl")
    assert (entry["user"], entry["purpose"], entry["sha256"]) == ("ann", record["purpose"], record["sha256"])
    assert index.verify() > 0
    again = index.release(cohort, tmp_path / "again", purpose="Another", user="ben", query="year:2004")
    assert len(read_json_lines(again / "notes.ndjson")) == 1
    assert [entry["user"] for entry in read_json_lines(index.path / "releases.jsonl")] == ["ann", "ben"]


def test_releases_for_two_purposes_cannot_be_joined(index: ns.Index, tmp_path: Path, key: ns.Key) -> None:
    everybody = index.cohort("*")
    first, second = (
        read_json_lines(index.release(everybody, tmp_path / name, purpose=name, user="ann", key=key) / "notes.ndjson")
        for name in ("one", "two")
    )
    for name in ("note", "patient"):
        of_first, of_second = ({row[name] for row in rows} for rows in (first, second))
        assert of_first.isdisjoint(of_second)
        assert of_first.isdisjoint({getattr(hit, name) for hit in index.search("*").all()})
    assert len({row["patient"] for row in first}) == len(set(PATIENTS))


def test_what_is_no_release(index: ns.Index, tmp_path: Path) -> None:
    cohort = index.cohort("fever")
    with pytest.raises(ns.SearchIndexError, match="needs a purpose"):
        index.release(cohort, tmp_path / "out", purpose=" ", user="ann")
    with pytest.raises(ns.SearchIndexError, match="needs a user"):
        index.release(cohort, tmp_path / "out", purpose="A study", user="")
    with pytest.raises(ns.FileError, match="is there already"):
        index.release(cohort, index.path, purpose="A study", user="ann")
    index.release(cohort, tmp_path / "out", purpose="A study", user="ann")
    log = index.path / "releases.jsonl"
    log.write_text(log.read_text().replace('"ann"', '"eve"') + "{}\n")
    with pytest.raises(ns.SearchIndexError, match="was altered"):
        index.release(cohort, tmp_path / "other", purpose="A study", user="ann")
    # What cannot be logged is not given.
    assert not (tmp_path / "other" / "notes.ndjson").exists()


def test_searches_and_exports_are_logged(index: ns.Index, tmp_path: Path) -> None:
    log = tmp_path / "reads.jsonl"
    open_index = ns.Index.open(index.path, log=log, user="ann")
    open_index.search("fever", limit=1).to_csv(tmp_path / "fever.csv")
    open_index.count("cough")
    told = [{name: entry[name] for name in entry if name not in ("time", "previous")} for entry in read_json_lines(log)]
    assert told == [
        {"user": "ann", "action": "search", "query": "fever", "notes": 2, "shown": 1},
        {"user": "ann", "action": "export", "query": "fever", "notes": 2},
    ]
    with pytest.raises(ns.SearchIndexError, match="needs a user"):
        ns.Index.open(index.path, log=log)


def test_a_name_in_a_site_list_does_not_close_the_index(tmp_path: Path, key: ns.Key) -> None:
    before, after = (ns.Vocabulary.default().with_lists(staff=staff) for staff in (["Zorvex"], ["Zorvex", "Quombel"]))
    build_index(tmp_path / "index", ns.Scrubber(vocabulary=before, key=key)).close()
    scrubber = ns.Scrubber(vocabulary=after, key=key)
    with ns.Index.open(tmp_path / "index", scrubber=scrubber) as index:
        index.add([scrubber.scrub("quombel saw asthma")], note_id=["n9"], patient_id=["p9"])
    assert index.count("*").notes == len(TEXTS) + 1
    assert len(index.info()["provenance"]) == 2
    # A code that there is not is an error as before.
    with pytest.raises(ns.QueryError):
        ns.Index.open(tmp_path / "index").count("code:mesh:D999999")
    with pytest.raises(ns.SearchIndexError, match="another policy_digest"):
        ns.Index.open(tmp_path / "index", scrubber=ns.Scrubber("berman", after, key=key))


def test_parquet_and_site_lists_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    texts = [*TEXTS[:4], None]
    table = {
        "note_id": range(5),
        "patient_id": PATIENTS,
        "note_type": TYPES,
        "year": YEARS,
        "text": texts,
        "ssn": NOTES,
    }
    pq.write_table(pa.table({name: list(column) for name, column in table.items()}), "notes.parquet")
    Path("site").mkdir()
    Path("site/deny.txt").write_text("metoprolol\n", encoding="utf-8")
    build = ["index", "build", "notes.parquet", "-o", "notes.index", "--years", "--site", "site"]
    assert main(build) == 1
    told = capsys.readouterr()
    assert told.out == "notes.index: 4 notes of 3 patients\n"
    assert "notes.parquet: line 5: the row holds no text" in told.err
    assert main(["index", "search", "notes.index", "aspirin", "--log", "reads.jsonl", "--user", "ann"]) == 0
    assert "metoprolol" not in capsys.readouterr().out
    assert [entry["action"] for entry in read_json_lines(Path("reads.jsonl"))] == ["search"]
    Path("site/deny.txt").write_text("metoprolol\nalbuterol\n", encoding="utf-8")
    assert main(build) == 1
    release = ["index", "release", "notes.index", "diabetes", "-o", "out", "--purpose", "A study", "--user", "ann"]
    assert main([*release, "--new-pseudonyms"]) == 0
    assert capsys.readouterr().out.endswith("out: 2 notes of 1 patient\n")
