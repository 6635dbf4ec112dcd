"""Threads, forked and spawned processes, and the environment variable: the same result, and nothing hangs."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import joblib
import pytest

import notesieve as ns

NOTES = [f"Dr. Brown saw no fever on 3/{day}/2006, BP 1{day}/72." for day in range(1, 29)] * 4

FORKED = """
import os
import signal
import sys
import threading
import time
import notesieve as ns

scrubber = ns.Scrubber()
notes = [f"Dr. Brown saw no fever on 3/{day}/2006." for day in range(1, 20)]
expected = scrubber.scrub_many(notes, threads=2).texts
stop = threading.Event()

def busy(threads):
    while not stop.is_set():
        scrubber.scrub_many(notes, threads=threads)

for threads in (2, 3):
    threading.Thread(target=busy, args=(threads,), daemon=True).start()

def child(generations):
    # The alarm ends a child that hangs, with a signal that the parent sees.
    signal.alarm(20)
    right = scrubber.scrub_many(notes, threads=2).texts == expected
    right &= ns.Scrubber().scrub_column(notes, threads=2) == expected
    if right and generations:
        grandchild = os.fork()
        if grandchild == 0:
            child(generations - 1)
        right = os.waitpid(grandchild, 0)[1] == 0
    os._exit(0 if right else 3)

for attempt in range(40):
    time.sleep(0.003)
    process = os.fork()
    if process == 0:
        child(3 if attempt == 0 else 0)
    status = os.waitpid(process, 0)[1]
    if status:
        sys.exit(f"child {attempt} ended with {status}")
stop.set()
"""


@pytest.fixture(scope="module")
def expected(scrubber: ns.Scrubber) -> list[str]:
    return [scrubber.scrub(note).text for note in NOTES]


def test_the_number_of_threads_changes_nothing(scrubber: ns.Scrubber, expected: list[str]) -> None:
    for threads in (None, 1, 2, 5, 16):
        assert scrubber.scrub_many(NOTES, threads=threads).texts == expected


def test_a_process_forked_while_threads_work_does_not_hang() -> None:
    """The pools' lock may be held by another thread at the very moment of a fork; the child has a place of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def scrub_texts(scrubber: ns.Scrubber, notes: list[str]) -> list[str]:
    return scrubber.scrub_many(notes, threads=2).texts


def test_spawned_processes_give_the_same(scrubber: ns.Scrubber, expected: list[str]) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        halves = pool.starmap(scrub_texts, [(scrubber, NOTES[:50]), (scrubber, NOTES[50:])])
    assert halves[0] + halves[1] == expected


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib_gives_the_same(scrubber: ns.Scrubber, expected: list[str], backend: str) -> None:
    parts = joblib.Parallel(n_jobs=2, backend=backend)(
        joblib.delayed(scrub_texts)(scrubber, NOTES[first : first + 40]) for first in range(0, len(NOTES), 40)
    )
    assert [text for part in parts for text in part] == expected


def test_threads_share_a_scrubber(scrubber: ns.Scrubber, expected: list[str]) -> None:
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda threads: scrubber.scrub_many(NOTES, threads=threads).texts, [1, 2, 3, 2] * 6))
    assert all(result == expected for result in results)


def test_the_environment_says_how_many_threads(
    scrubber: ns.Scrubber, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTESIEVE_THREADS", "1")
    assert scrubber.scrub_many(NOTES).texts == expected
    # A thread takes its name when it first runs, which may be after the batch is done.
    program = """
import os, sys, time
import notesieve as ns

def named():
    return sum('notesieve' in open(f'/proc/self/task/{task}/comm').read() for task in os.listdir('/proc/self/task'))

ns.Scrubber().scrub_many(['No fever.'] * 500)
until = time.monotonic() + 20
while named() < int(sys.argv[1]) and time.monotonic() < until:
    time.sleep(0.01)
print(named())
"""
    if sys.platform == "linux":
        for asked in (1, 3):
            environment = os.environ | {"NOTESIEVE_THREADS": str(asked)}
            expected_threads = 0 if asked == 1 else asked
            shown = subprocess.run(
                [sys.executable, "-c", program, str(expected_threads)],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            assert int(shown.stdout) == expected_threads
    monkeypatch.setenv("NOTESIEVE_THREADS", "many")
    with pytest.raises(ns.SettingError, match="NOTESIEVE_THREADS must be a whole number"):
        scrubber.scrub_many(NOTES)
    with pytest.raises(ns.SettingError):
        scrubber.scrub_column(NOTES)
    assert scrubber.scrub_many(NOTES, threads=2).texts == expected, "what the call says goes first"


def test_a_scrubber_pickles_small(scrubber: ns.Scrubber) -> None:
    """What travels to a worker is the policy, and the path and digest of the vocabulary; never its bytes."""
    state = pickle.dumps(scrubber)
    assert len(state) < 2000
    assert pickle.loads(state).scrub(NOTES[0]).text == scrubber.scrub(NOTES[0]).text


def test_ctrl_c_stops_a_long_column() -> None:
    program = """
import os, signal, sys, threading
import notesieve as ns
signal.signal(signal.SIGINT, signal.default_int_handler)
scrubber = ns.Scrubber()
steps = []
def interrupt(*step):
    steps.append(step)
    if len(steps) == 2:
        os.kill(os.getpid(), signal.SIGINT)
try:
    scrubber._scrub_arrow(__import__("pyarrow").array(["No fever."] * 2_000_000), outputs=["text"], progress=interrupt)
except KeyboardInterrupt:
    sys.exit(0 if len(steps) < 10 else 4)
sys.exit(5)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0


def notes_then_error(count: int) -> Iterator[str]:
    yield from NOTES[:count]
    raise OSError("the source failed")


@pytest.mark.parametrize("count", [3, len(NOTES)])
def test_what_was_read_before_a_source_failed_is_given(count: int) -> None:
    scrubber = ns.Scrubber()
    for scrub in (scrubber.scrub_iter, scrubber.scrub_column):
        found: list[Any] = []
        with pytest.raises(OSError, match="the source failed"):
            found.extend(scrub(notes_then_error(count)))  # type: ignore[operator]
        found = [note if isinstance(note, str) else note.text for note in found]
        assert found == scrubber.scrub_many(NOTES[:count]).texts


def test_notes_before_one_that_fails_are_given() -> None:
    scrubber = ns.Scrubber()
    notes: list[Any] = [*NOTES[:5], 7, NOTES[5]]
    for scrub in (scrubber.scrub_iter, lambda texts: scrubber.scrub_column(iter(texts))):
        found = []
        with pytest.raises((ns.BatchError, ns.RowError), match="the first at index 5"):
            found.extend(scrub(notes))  # type: ignore[operator]
        assert len(found) == 5
    patients = [ns.Patient(names=["Rose"])] * 5
    found = []
    with pytest.raises(ns.PatientError, match="more notes than patients"):
        found.extend(scrubber.scrub_iter(NOTES, patients=patients))
    assert len(found) == 5


def test_threads_have_a_cap() -> None:
    """More threads than that would only cost memory, and time until they all stand."""
    program = (
        "import notesieve as ns, os; ns.Scrubber().scrub_many(['No fever.'] * 10, threads=5000); "
        "print(len(os.listdir('/proc/self/task')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 8 * (os.cpu_count() or 1) + 8


@pytest.mark.parametrize("call", [ns.Scrubber.scrub, lambda scrubber, text: scrubber.scrub_many([text])])
def test_ctrl_c_ends_a_call_inside_one_long_text(call: Any) -> None:
    scrubber, text = ns.Scrubber(), "Seen by Dr. Brown for asthma, BP 128/72. " * 400_000
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    # A shell that runs the tests in the background lets them ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call(scrubber, text)
    finally:
        signal.signal(signal.SIGINT, before)
    # The text was not finished: the thread that works on it is still there.
    threads = [(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]
    assert "notesieve-long" in threads
