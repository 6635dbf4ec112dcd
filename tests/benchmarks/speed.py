"""Print one table of all speeds: the steps in Rust, adversarial texts, Python, and other matchers on the same text.

    python tests/benchmarks/speed.py target/bench/notes.txt [--natural FOLDER] [--peers-megabytes 4] [-o FILE]

Runs ``cargo bench --bench scrub`` (divan), then the installed package, then ``peers.py``, one after the other on one
processor. The fastest pass counts everywhere, since on a shared machine it says most about the program. The exit status
is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from marked_text import write_figures_if_asked
from peers import markdown_table, read_notes
from published.notes import read_notes as read_marked_notes

HERE = Path(__file__).parent
# Each of the first steps, by its name in the benchmark, includes all before it; the last is the whole, without a model.
STEPS = {
    "Fold": "fold",
    "Tokenize": "tokenise",
    "Read": "look words up, read numbers and layout",
    "FindTerms": "find terms",
    "Rules": "rules",
    "scrub": "decide, status, render: the whole scrub",
}
LOOKUPS = {"HashAndTrie": "the hash table and the trie", "Fst": "FSTs"}
MATCHING, SCRUB, PYTHON_SHARE, SLOW_SHARE = 150.0, 60.0, 0.6, 0.1
OPEN_MS, IMPORT_MS = 5.0, 100.0
UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1.0, "s": 1e3}
SIZES = {"B/s": 1e-6, "KB/s": 1e-3, "MB/s": 1.0, "GB/s": 1e3, "TB/s": 1e6}
TIMES = re.compile(r"^[│├╰─ ]*(?P<name>.*?) +(?P<value>[\d.]+) (?P<unit>ns|µs|ms|s) +│")
SPEED = re.compile(r"^[│ ]* (?P<value>[\d.]+) (?P<unit>[KMGT]?B/s) +│")


def run_rust_benchmarks() -> dict[str, dict[str, float]]:
    """Return milliseconds and MB/s of the fastest pass of every benchmark in ``scrub``."""
    command = ["cargo", "bench", "--quiet", "-p", "notesieve", "--bench", "scrub"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found: dict[str, dict[str, float]] = {}
    name = ""
    for line in lines:
        if speed := SPEED.match(line):
            found[name]["megabytes_per_second"] = float(speed["value"]) * SIZES[speed["unit"]]
        elif times := TIMES.match(line):
            name = times["name"]
            found[name] = {"milliseconds": float(times["value"]) * UNITS[times["unit"]]}
    return found


def import_milliseconds() -> float:
    """Return the time of ``import notesieve`` in a new process."""
    code = "import time; t = time.perf_counter(); import notesieve; print(1e3 * (time.perf_counter() - t))"
    runs = [subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE).stdout for _ in range(7)]
    return min(map(float, runs))


def natural_notes(path: Path) -> list[str]:
    """Return notes that people wrote: a marked batch or a folder of batches, without heads and marks."""
    return [note.text for note in read_marked_notes(sorted(path.glob("*.txt")) if path.is_dir() else [path])]


def measure_scrub_many(notes: list[str]) -> float:
    """Return MB/s of one thread from Python strings to Python strings, with the built-in models."""
    import notesieve

    scrubber = notesieve.Scrubber()
    size = sum(len(note.encode()) for note in notes)
    seconds = []
    for _ in range(5):
        begin = time.perf_counter()
        texts = scrubber.scrub_many(notes, threads=1).texts
        seconds.append(time.perf_counter() - begin)
        assert len(texts) == len(notes)
    return size / 1e6 / min(seconds)


def describe_machine() -> str:
    """Describe the machine in one line."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    model = re.search(r"model name\s*: (.*)", info)
    compiler = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    load = os.getloadavg()[0]
    return (
        f"{model[1] if model else 'unknown processor'}, {os.cpu_count()} processors, {compiler}, "
        f"Python {sys.version.split()[0]}, load {load:.1f}"
    )


def speed_report(figures: dict[str, Any]) -> tuple[str, bool]:
    """Return the tables in Markdown, and whether every target is met."""
    benches = figures["rust"]
    speed = {name: row.get("megabytes_per_second", 0.0) for name, row in benches.items()}
    scrub = speed["scrub"]
    slow = {name: speed[name] for name in speed if name.startswith('"')}
    slowest = min(slow, key=lambda name: slow[name])
    targets = {"FindTerms": MATCHING, "scrub": SCRUB}
    lines = ["| step | all up to it, MB/s | alone, ns a byte | target |", "|---|--:|--:|--:|"]
    before = 0.0
    for name, label in STEPS.items():
        taken = 1e3 / speed[name]
        lines.append(f"| {label} | {speed[name]:.0f} | {taken - before:.2f} | {targets.get(name, '')} |")
        before = taken
    lines.append(
        f"| `scrub_many`, one thread, from Python | {figures['scrub_many']:.1f} | | {PYTHON_SHARE * scrub:.0f} |"
    )
    for name, label in LOOKUPS.items():
        lines.append(f"| words and terms of the same tokens, looked up in {label} | {speed[name]:.0f} | | |")
    lines.append(f"| the same on natural notes, without repetition | {figures['scrub_many_natural']:.1f} | | |")
    lines.append(
        f"| slowest of {len(slow)} texts made to be slow: `{slowest}` | {slow[slowest]:.1f} | "
        f"| {SLOW_SHARE * scrub:.1f} |"
    )
    opening = benches["open_vocabulary"]["milliseconds"]
    lines += ["", "| | ms | target |", "|---|--:|--:|"]
    lines.append(f"| opening the default vocabulary | {opening:.2f} | {OPEN_MS} |")
    lines.append(f"| `import notesieve` | {figures['import_milliseconds']:.0f} | {IMPORT_MS} |")
    if figures["peers"]:
        matching = {
            "matcher": "all up to the terms, in Rust",
            "version": "",
            "megabytes_per_second": speed["FindTerms"],
        }
        rest = dict.fromkeys(("matches", "whole_words", "build_seconds", "build_megabytes"), "")
        lines += ["", markdown_table([matching | rest, *figures["peers"]]).rstrip()]
    lines += ["", "Texts made to be slow, MB/s: " + ", ".join(f"`{name}` {slow[name]:.0f}" for name in slow) + "."]
    met = (
        speed["FindTerms"] >= MATCHING
        and scrub >= SCRUB
        and figures["scrub_many"] >= PYTHON_SHARE * scrub
        and slow[slowest] >= SLOW_SHARE * scrub
        and opening < OPEN_MS
        and figures["import_milliseconds"] < IMPORT_MS
    )
    return "\n".join(lines) + "\n", met


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure everything once, on one core.")
    parser.add_argument("notes", type=Path, help="text file, a form feed between notes")
    parser.add_argument(
        "--natural", type=Path, default=HERE.parents[1] / "corpus/train", help="marked notes (default corpus/train)"
    )
    parser.add_argument("--megabytes", type=float, default=16, help="how much of the text Python reads (default 16)")
    parser.add_argument("--peers-megabytes", type=float, default=4, help="how much other matchers read; 0 for no peers")
    parser.add_argument("-o", "--output", type=Path, help="write all figures here as JSON")
    options = parser.parse_args(arguments)

    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.environ["NOTESIEVE_BENCH_TEXT"] = str(options.notes.resolve())
    figures: dict[str, Any] = {"machine": describe_machine(), "rust": run_rust_benchmarks()}
    figures["import_milliseconds"] = import_milliseconds()
    figures["scrub_many"] = measure_scrub_many(read_notes(options.notes, options.megabytes))
    figures["scrub_many_natural"] = measure_scrub_many(natural_notes(options.natural))
    figures["peers"] = []
    if options.peers_megabytes:
        rows = options.notes.with_name("peers.json")
        command = [sys.executable, str(HERE / "peers.py"), str(options.notes), "-o", str(rows)]
        command += ["--megabytes", str(options.peers_megabytes)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        figures["peers"] = json.loads(rows.read_text(encoding="utf-8"))
    write_figures_if_asked(options.output, figures)
    text, met = speed_report(figures)
    print(figures["machine"] + "\n\n" + text, end="")
    if not met:
        sys.exit("a target is missed")


if __name__ == "__main__":
    main()
