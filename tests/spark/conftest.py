"""A real standalone cluster of Spark on the loopback: a master and two workers, each with one core."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import SparkSession

import notesieve

HOME = Path(pyspark.__file__).parent
PACKAGE = Path(notesieve.__file__).parents[1]


class Cluster:
    """The processes of Spark, each in a session of its own so that it can be killed with its children."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.start("master", "org.apache.spark.deploy.master.Master", "--port", "0", "--webui-port", "0")
        self.url = self.wait_for_log("master", "Starting Spark master at ").strip()
        for name in ("one", "two"):
            self.start_worker(name)

    def start(self, name: str, entry: str, *arguments: str) -> None:
        environment = os.environ | {
            "SPARK_HOME": str(HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(self.folder / f"work-{name}"),
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": str(PACKAGE),
            "SPARK_DAEMON_MEMORY": "256m",
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [HOME / "bin" / "spark-class", entry, "--host", "127.0.0.1", *arguments],
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=environment,
                start_new_session=True,
            )

    def start_worker(self, name: str) -> None:
        self.start(
            name,
            "org.apache.spark.deploy.worker.Worker",
            "--cores",
            "1",
            "--memory",
            "1g",
            "--webui-port",
            "0",
            self.url,
        )
        self.wait_for_log(name, "Successfully registered with master")

    def wait_for_log(self, name: str, words: str) -> str:
        """Wait for a line of a log, and give what follows the words."""
        for _ in range(1200):
            log = (self.folder / f"{name}.log").read_text("utf-8", "replace")
            if words in log:
                return log.split(words, 1)[1].split("\n", 1)[0]
            if self.processes[name].poll() is not None:
                break
            time.sleep(0.1)
        pytest.fail(f"{name} did not come up:\n{(self.folder / f'{name}.log').read_text('utf-8', 'replace')[-3000:]}")

    def kill(self, name: str) -> None:
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for name in list(self.processes):
            self.kill(name)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    assert shutil.which("java"), "Spark needs Java 17 or 21; on Debian: apt-get install openjdk-17-jre-headless"
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.stop()


@pytest.fixture(scope="session")
def spark(cluster: Cluster) -> Iterator[SparkSession]:
    os.environ |= {"SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    session = (
        SparkSession.builder.master(cluster.url)
        .config("spark.executor.memory", "700m")
        .config("spark.driver.memory", "700m")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        # What a dead worker was to send is asked for once more, not for minutes.
        .config("spark.shuffle.io.maxRetries", "1")
        .config("spark.shuffle.io.retryWait", "1s")
        .config("spark.executorEnv.PYTHONPATH", str(PACKAGE))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
        .getOrCreate()
    )
    yield session
    session.stop()
