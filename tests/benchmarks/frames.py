"""Scrub notes from Parquet to Parquet, end to end, on one core and on two.

    python frames.py --notes 1000000 -o report/frames.json

The notes are those of ``generate_notes.py --seed 1``. Each run is a separate process, the command ``notesieve scrub``,
bound to its cores; its time includes opening the vocabulary and computing the digests of the manifest. The same run
also measures the core alone (`scrub_column` in memory, one thread), a loop over `scrub`, and philter-lite on a sample.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import notesieve as ns
from generate_notes import generate
from marked_text import write_figures_if_asked
from notesieve.batches import batches

FOLDER = Path("target/bench")
PEAK = (
    "import sys; from notesieve.cli import main; code = main(sys.argv[1:]); "
    "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]); sys.exit(code)"
)


def write_parquet(notes: int) -> Path:
    """Write the notes as Parquet, in row groups of 20,000, and return the path."""
    path = FOLDER / f"notes-{notes}.parquet"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema({"note_id": "string", "mrn": "string", "note_type": "string", "year": "int32", "text": "string"})
    partial = path.with_suffix(".partial")
    with pq.ParquetWriter(partial, schema, compression="zstd") as writer:
        for some in batches(generate(notes=notes, seed=1), 20_000):
            writer.write_table(pa.Table.from_pylist([note.to_row() for note in some], schema))
    partial.rename(path)
    return path


def end_to_end(path: Path, cores: int, outputs: str) -> tuple[float, float]:
    """Return the seconds and the peak memory in MB of one run of the command on a number of cores."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        arguments = [str(path), "-o", f"{folder}/out", "--id", "note_id", "--keep", "year", "--outputs", outputs]
        begin = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", PEAK, "scrub", *arguments, "--threads", str(cores), "--quiet"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores]),
        )
        return time.perf_counter() - begin, int(done.stdout) / 1024


def philter_speed(texts: list[str]) -> float | None:
    """Return the speed of philter-lite in MB/s, or None if it is not installed."""
    script = Path(__file__).with_name("compared_tool.py")
    lines = "".join(json.dumps({"doc": str(at), "text": text}) + "\n" for at, text in enumerate(texts))
    done = subprocess.run(
        [sys.executable, script, "philter-lite"], input=lines, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"philter-lite did not run: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return sum(len(text.encode()) for text in texts) / 1e6 / float(json.loads(done.stdout.splitlines()[-1])["seconds"])


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    cli = argparse.ArgumentParser(description="Scrub notes from Parquet to Parquet on one core and on two.")
    cli.add_argument("--notes", type=int, default=1_000_000, help="how many notes (default one million, 2.5 GB)")
    cli.add_argument("--sample", type=int, default=20, help="notes for philter-lite (default 20)")
    cli.add_argument("-o", "--output", type=Path, required=True, help="the figures, JSON")
    options = cli.parse_args(arguments)

    path = write_parquet(options.notes)
    size = 0
    sample = None
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(20_000, columns=["text"]):
            size += sum(len(text.as_buffer()) for text in batch["text"])
            sample = sample or batch["text"]
    megabytes = size / 1e6
    figures: dict[str, Any] = {"notes": options.notes, "megabytes": round(megabytes, 1)}

    scrubber = ns.Scrubber()
    texts = sample.slice(0, 8000)
    part = sum(len(text.as_buffer()) for text in texts) / 1e6
    plain = texts.to_pylist()
    own = os.sched_getaffinity(0)
    begin = time.perf_counter()
    scrubber.scrub_column(texts, threads=1)
    figures["core_1"] = part / (time.perf_counter() - begin)
    begin = time.perf_counter()
    for text in plain:
        scrubber.scrub(text)
    figures["loop"] = part / (time.perf_counter() - begin)
    for name, outputs in (("all", "text,coded,concepts,removed,error"), ("text", "text")):
        for cores in range(1, min(2, len(own)) + 1):
            seconds, peak = end_to_end(path, cores, outputs)
            figures[f"{name}_{cores}"] = megabytes / seconds
            figures[f"{name}_{cores}_peak_mb"] = round(peak)
    figures["philter_lite"] = philter_speed(plain[: options.sample])
    figures["outside_core"] = 1 - figures["text_1"] / figures["core_1"]
    write_figures_if_asked(options.output, figures)

    print(f"{options.notes:,} notes, {megabytes:,.0f} MB of text, Parquet to Parquet\n")
    print("| | MB/s | peak memory, MB |\n|---|--:|--:|")
    for name, label in (("text", "text alone"), ("all", "text, coded text, concepts, counts, error codes")):
        for cores in (1, 2):
            if f"{name}_{cores}" in figures:
                speed, peak = figures[f"{name}_{cores}"], figures[f"{name}_{cores}_peak_mb"]
                print(f"| {label}, {cores} core{'s' * (cores - 1)} | {speed:.1f} | {peak:,} |")
    print(f"| the core alone, in memory, 1 thread | {figures['core_1']:.1f} | |")
    print(f"| a loop over `scrub`, which explains each token | {figures['loop']:.1f} | |")
    if figures["philter_lite"]:
        print(f"| philter-lite, {options.sample} notes, tagger of TextBlob | {figures['philter_lite']:.4f} | |")
    print(f"\nshare of the time outside the core, one core, text alone: {figures['outside_core']:.2f}")
    for name in ("text", "all"):
        if f"{name}_2" in figures:
            print(f"two cores to one, {name}: {figures[f'{name}_2'] / figures[f'{name}_1']:.2f}")
    print(f"to a loop over scrub, one core: {figures['text_1'] / figures['loop']:.2f}")
    if figures["philter_lite"]:
        print(f"to philter-lite, one core: {figures['text_1'] / figures['philter_lite']:,.0f}")


if __name__ == "__main__":
    main()
