"""Notes on a cluster give what they give on one machine, byte by byte, also when a worker dies."""

import hashlib
import os
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.types import LongType, StructField, StructType

import notesieve as ns
from conftest import PACKAGE, Cluster
from notesieve.spark import VocabularyAt, archive_vocabulary, file_vocabulary, local_vocabulary, register, scrub

ROWS = int(os.environ.get("SPARK_ROWS", "200000"))


def note_of_row(at: int) -> str | None:
    if at % 1001 == 7:
        return None
    return (
        f"Mr. Brown, {20 + at % 70} y/o, seen 3/{1 + at % 28}/2006 at the clinic of Dr. Okonkwo for diabetes mellitus. "
        f"BP 1{at % 90:02d}/7{at % 9}, MRN {1_000_000 + at}. No fever. Naïve to insulin."
    )


@pytest.fixture(scope="session")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of the cluster: 200,000 rows in 40 of them."""
    folder = tmp_path_factory.mktemp("notes")
    for part in range(40):
        ids = range(part * ROWS // 40, (part + 1) * ROWS // 40)
        table = pa.table(
            {
                "note_id": pa.array(ids, pa.int64()),
                "mrn": [str(at % 977) for at in ids],
                "note": [note_of_row(at) for at in ids],
                "year": pa.array([2000 + at % 7 for at in ids], pa.int32()),
            }
        )
        pq.write_table(table, folder / f"{part:02}.parquet")
    return folder


@pytest.fixture(scope="session")
def expected(notes: Path) -> pa.Table:
    """The result of one machine."""
    return ns.Scrubber().scrub_frame(pq.read_table(notes), text="note", id="note_id", keep=["year"])


def assert_same_rows(folder: Path, expected: pa.Table) -> None:
    found = pq.read_table(folder).sort_by("note_id")
    assert found.column_names == expected.column_names
    assert found.num_rows == expected.num_rows
    for name in expected.column_names:
        assert found[name].to_pylist() == expected[name].to_pylist(), name


def test_the_result_of_a_cluster_is_that_of_one_machine(
    spark: SparkSession, notes: Path, expected: pa.Table, tmp_path: Path
) -> None:
    frame = spark.read.parquet(str(notes))
    clean = scrub(frame, "note", id="note_id", keep=["year"])
    assert clean.columns == expected.column_names
    clean.write.parquet(str(tmp_path / "clean"))
    assert_same_rows(tmp_path / "clean", expected)


def test_a_worker_that_dies_changes_nothing(
    cluster: Cluster, spark: SparkSession, notes: Path, expected: pa.Table, tmp_path: Path
) -> None:
    clean = scrub(spark.read.parquet(str(notes)).repartition(40), "note", id="note_id", keep=["year"])
    problems: list[Exception] = []

    def write() -> None:
        try:
            clean.write.parquet(str(tmp_path / "clean"))
        except Exception as problem:  # noqa: BLE001 the main thread tells it
            problems.append(problem)

    job = threading.Thread(target=write, daemon=True)
    job.start()
    tracker = spark.sparkContext.statusTracker()
    for _ in range(600):
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and stage.numTasks == 40 and 3 <= stage.numCompletedTasks < 35 for stage in stages):
            break
        time.sleep(0.05)
    else:
        pytest.fail("the job was over before a worker could be killed")
    cluster.kill("two")
    assert job.is_alive(), "the worker died in the middle"
    job.join(240)
    assert not job.is_alive()
    assert not problems, problems
    assert_same_rows(tmp_path / "clean", expected)
    cluster.start_worker("two")


def test_a_function_of_sql(spark: SparkSession, notes: Path, expected: pa.Table) -> None:
    register(spark)
    spark.read.parquet(str(notes / "00.parquet")).createOrReplaceTempView("notes")
    found = spark.sql(
        "SELECT note_id, scrub_note(note) AS note FROM notes WHERE note_id < 400 ORDER BY note_id"
    ).collect()
    assert [row["note"] for row in found] == expected["note"].to_pylist()[:400]


@pytest.fixture(scope="session")
def vocabulary_file() -> Path:
    """The vocabulary inside the package as a file, where the build left it."""
    digest = ns.Vocabulary.default().digest
    for file in Path(__file__).parents[2].glob("target/*/build/notesieve-vocabularies-*/out/*.nsv"):
        if ns.Vocabulary.open(file).digest == digest:
            return file
    return pytest.fail("there is no compiled vocabulary below target/: make develop")


def test_the_vocabulary_is_opened_by_path_and_digest(
    spark: SparkSession, vocabulary_file: Path, tmp_path: Path
) -> None:
    digest = ns.Vocabulary.default().digest
    with zipfile.ZipFile(tmp_path / "shipped.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(vocabulary_file, "inside/default.nsv")
    frame = spark.createDataFrame([("Dr. Brown has asthma.",)] * 4, ["note"]).repartition(4)
    for place in (
        local_vocabulary(vocabulary_file),
        file_vocabulary(spark, vocabulary_file),
        archive_vocabulary(spark, tmp_path / "shipped.zip", "inside/default.nsv", digest),
    ):
        assert place.digest == digest
        rows = scrub(frame, "note", outputs=["text"], vocabulary=place).collect()
        assert [row["note"] for row in rows] == ["Dr. [NAME] has asthma."] * 4
    for place, message in (
        (VocabularyAt("0" * 64, str(vocabulary_file)), "use the same vocabulary on both sides"),
        (VocabularyAt(digest, str(tmp_path / "gone.nsv")), "No such file"),
    ):
        with pytest.raises(PySparkException, match=message) as caught:
            scrub(frame, "note", vocabulary=place).collect()
        assert "Brown" not in str(caught.value)


def test_what_travels_is_small() -> None:
    from pyspark import cloudpickle

    from notesieve.frames import Plan
    from notesieve.spark import _WorkerTask

    vocabulary = ns.Vocabulary.default()
    made_with = (ns.Policy("safe"), VocabularyAt(vocabulary.digest), ns.Model.default(), None)
    work = _WorkerTask(made_with, Plan(["note"], "note"), 1)
    assert len(cloudpickle.dumps(work)) < 3000


def test_a_row_that_fails_does_not_fail_its_task(spark: SparkSession) -> None:
    """Spark's own strings are UTF-8 or nothing is known of them: a cast from bytes does not look."""
    frame = spark.sql(
        "SELECT * FROM VALUES (1, 'Dr. Brown.'), (2, CAST(unhex('4272E9776E') AS STRING)), (3, NULL) AS notes(id, note)"
    )
    rows = {row["id"]: row for row in scrub(frame, "note", keep=["id"]).collect()}
    assert [rows[at]["note"] for at in (1, 2, 3)] == ["Dr. [NAME].", None, None]
    assert [rows[at]["note_error"] for at in (1, 2, 3)] == [None, "utf-8", None]
    numbers = spark.createDataFrame([(6175550123,), (None,)], StructType([StructField("note", LongType())]))
    assert sorted(str(row["note_error"]) for row in scrub(numbers, "note").collect()) == ["None", "type"]


def test_patients_and_keys(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = hashlib.sha256(b"a key for tests").hexdigest()
    monkeypatch.setenv("NOTESIEVE_KEY", secret)
    key = ns.Key.load()
    frame = spark.createDataFrame(
        [(1, "17", "Rose Winters", "WINTERS, ROSE slept well.")], ["id", "mrn", "name", "note"]
    )
    options = {"id": "id", "patient": "mrn", "known": ["name"], "outputs": ["text"]}
    # The workers of this cluster have no key, and say so; the key itself does not travel.
    with pytest.raises(PySparkException, match="NOTESIEVE_KEY") as caught:
        scrub(frame, "note", key=key.fingerprint, **options).collect()
    assert secret not in str(caught.value)
    (row,) = scrub(frame, "note", **options).collect()
    assert row.asDict() == {"id": 1, "note": "[NAME] slept well."}


def test_names_with_dots(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("Dr. Brown.", 1)], ["the.note", "a`b"])
    (row,) = scrub(frame, "the.note", keep=["a`b"], outputs=["text"]).collect()
    assert row.asDict() == {"the.note": "Dr. [NAME].", "a`b": 1}
    with pytest.raises(ns.FrameError, match="no column 'note'"):
        scrub(frame, "note")
    with pytest.raises(ns.FrameError, match=r"notesieve\.spark\.scrub"):
        ns.Scrubber().scrub_frame(frame, text="the.note")


CONNECT = """
from pyspark.sql import SparkSession
from notesieve.spark import register, scrub

spark = SparkSession.builder.remote("local[2]").config("spark.driver.memory", "700m").getOrCreate()
assert "connect" in type(spark).__module__
frame = spark.createDataFrame([(1, "Dr. Brown has asthma."), (2, None)], ["id", "note"])
rows = scrub(frame, "note", id="id").orderBy("id").collect()
assert [row["note"] for row in rows] == ["Dr. [NAME] has asthma.", None], rows
assert rows[0]["note_concepts"][0]["code"].startswith("mesh:")
assert rows[0]["note_removed_name"] == 1
register(spark)
frame.createOrReplaceTempView("notes")
found = spark.sql("SELECT scrub_note(note) AS note FROM notes WHERE id = 1").collect()
assert found[0]["note"] == "Dr. [NAME] has asthma."
spark.stop()
"""


def test_spark_connect_gives_the_same() -> None:
    environment = os.environ | {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(PACKAGE),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    done = subprocess.run(
        [sys.executable, "-c", CONNECT], env=environment, capture_output=True, text=True, check=False, timeout=180
    )
    assert done.returncode == 0, done.stderr[-3000:]
