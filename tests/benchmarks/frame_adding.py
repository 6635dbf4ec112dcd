"""What adding a frame to an index costs, in times of its scrub: processor time of one thread.

    python tests/benchmarks/frame_adding.py [BATCH.txt|GOLD ...] [--notes 3000]

Without paths the notes are generated, and several share sentences. The notes of batches are all different.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import pandas as pd

import notesieve as ns
from generate_notes import generate
from notesieve.verification.output_check import OutputCheck
from published.notes import read_notes


def seconds_of_adding(scrubber: ns.Scrubber, frame: pd.DataFrame, *, verify: bool) -> float:
    """Add a frame to a new index; return the seconds of processor time."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ns.Index.create(Path(folder) / "index", scrubber, given_pseudonyms=True) as index,
    ):
        began = time.process_time()
        index.add(frame, verify=verify)
        index.commit()
        return time.process_time() - began


def main() -> None:
    """Print one row for each way of adding."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--notes", type=int, default=3000)
    asked = parser.parse_args()
    os.environ["NOTESIEVE_THREADS"] = "1"
    texts = [note.text for note in (read_notes(asked.paths) if asked.paths else generate(notes=asked.notes, seed=1))]
    scrubber = ns.Scrubber()
    scrubber.scrub_many(texts[:20])
    began = time.process_time()
    outputs = [note.text for note in scrubber.scrub_many(texts)]
    scrub = time.process_time() - began
    # The index refuses texts that do not verify, which would distort the measurement.
    outputs = list(filter(OutputCheck(scrubber).passes, outputs))
    names = [f"n{at}" for at in range(len(outputs))]
    frame = pd.DataFrame({"text": outputs, "note_id": names, "patient_id": names})
    print(f"{len(outputs)} notes, scrub {1e3 * scrub / len(texts):.2f} ms a note")
    for verify in (False, True):
        seconds = seconds_of_adding(scrubber, frame, verify=verify)
        print(f"verify={verify}: {1e3 * seconds / len(outputs):.2f} ms a note, {seconds / scrub:.2f} times the scrub")


if __name__ == "__main__":
    main()
