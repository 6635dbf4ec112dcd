"""Measure speed and size of an index of synthetic notes, compared with SQLite's FTS5 on the same notes.

    python tests/benchmarks/index_speed.py [--notes 200000] [-o report/index.json]

The notes are generated, then scrubbed and added to an index without a pause, since the index works in the background
while the next notes are scrubbed. Then the scrubbed notes are added to a second index, and to SQLite, which also gets
what it needs to answer the same queries: the words, and each code with all broader codes as words of a second column.
Both must return the same numbers of patients, or the run fails. The exit status is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import notesieve as ns
from generate_notes import Note, generate
from marked_text import write_figures_if_asked

CHUNK = 5000
NOTES_PER_SECOND, SIZE, QUERY_MS, VALUE_MS = 10_000, 1.5, 5.0, 10.0
WORDS = "fever insulin pain lisinopril cough edema hemoglobin walker thyroidectomy constipation warfarin rash".split()
PHRASES = [
    "chest pain", "room air", "no acute distress", "shortness of breath", "coronary artery disease", "blood pressure",
    "lower extremity", "atrial fibrillation", "type 2 diabetes", "kidney disease",
]  # fmt: skip
# Diabetes, respiratory tract diseases, heart diseases, kidney diseases, neoplasms, infections, anti-inflammatory
# agents, arrhythmias, pneumonia, hypertension.
CODES = ["D003920", "D012140", "D006331", "D007674", "D009369", "D007239", "D000893", "D001145", "D011014", "D006973"]
# SQLite has no values for comparison.
VALUES = [
    "creatinine>2",
    "creatinine>2 mg/dL",
    "hba1c>=8.0 %",
    "sodium<130",
    '"blood pressure">140',
    "any:creatinine>2",
]
COHORTS = [
    ("code:mesh:D003920", "insulin", "code:mesh:D006331"),
    ("code:mesh:D012140", "cough", "code:mesh:D009369"),
    ("code:mesh:D007674", '"blood pressure"', "lisinopril"),
    ("fever", "code:mesh:D007239", "warfarin"),
    ("code:mesh:D001145", "warfarin", "fever"),
]


def note_chunks(notes: list[Note]) -> Iterator[list[Note]]:
    """Yield the notes in chunks."""
    return (notes[at : at + CHUNK] for at in range(0, len(notes), CHUNK))


class Sqlite:
    """The same notes in SQLite: FTS5 for words and codes, a table for patients."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(path)
        self.connection.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
            "CREATE VIRTUAL TABLE notes USING fts5(text, tokenize='unicode61');"
            "CREATE VIRTUAL TABLE codes USING fts5(code, content='', detail=none);"
            "CREATE TABLE facts (id INTEGER PRIMARY KEY, note TEXT, patient TEXT, type TEXT, year INTEGER);"
        )
        self.count = 0

    def add(self, rows: list[tuple[str, str, str, str, str, int]]) -> None:
        """Add text, codes, note, patient, type and year of several notes."""
        first = self.count + 1
        self.count += len(rows)
        for table, column in (("notes", "text"), ("codes", "code")):
            insert = f"INSERT INTO {table} (rowid, {column}) VALUES (?, ?)"
            place = 0 if table == "notes" else 1
            self.connection.executemany(insert, [(at, row[place]) for at, row in enumerate(rows, first)])
        facts = "INSERT INTO facts VALUES (?, ?, ?, ?, ?)"
        self.connection.executemany(facts, ((at, *row[2:]) for at, row in enumerate(rows, first)))
        self.connection.commit()

    def count_patients(self, match: str) -> int:
        """Count the patients of a full-text query."""
        query = f"SELECT COUNT(DISTINCT patient) FROM facts WHERE id IN ({rows_matching(match)})"
        return int(self.connection.execute(query, [match]).fetchone()[0])

    def count_cohort(self, both: str, also: str, without: str) -> int:
        """Count the patients with a note of each of two kinds and none of a third."""
        parts = [f"SELECT patient FROM facts WHERE id IN ({rows_matching(match)})" for match in (both, also, without)]
        query = f"SELECT COUNT(*) FROM ({parts[0]} INTERSECT {parts[1]} EXCEPT {parts[2]})"
        return int(self.connection.execute(query, [both, also, without]).fetchone()[0])

    def best_notes(self, match: str) -> list[tuple[str, str]]:
        """Return the ten best notes with a snippet."""
        query = (
            "SELECT note, snippet(notes, 0, '«', '»', '…', 20) FROM notes JOIN facts ON facts.id = notes.rowid"
            " WHERE notes MATCH ? ORDER BY rank LIMIT 10"
            if is_text(match)
            else f"SELECT note, substr(text, 1, 200) FROM notes JOIN facts ON facts.id = notes.rowid"
            f" WHERE notes.rowid IN ({rows_matching(match)}) LIMIT 10"
        )
        return list(self.connection.execute(query, [match]))


def is_text(match: str) -> bool:
    """Return whether a full-text query is for words and not for codes."""
    return match.startswith('"')


def rows_matching(match: str) -> str:
    """Return the SQL that selects the rows of a full-text query."""
    table = "notes" if is_text(match) else "codes"
    return f"SELECT rowid FROM {table} WHERE {table} MATCH ?"


def to_fts_query(query: str) -> str:
    """Convert one of our queries to the syntax of FTS5."""
    if query.startswith("code:mesh:"):
        return f"mesh{query.removeprefix('code:mesh:').lower()}"
    return query if query.startswith('"') else f'"{query}"'


def fastest_milliseconds(ask: Callable[[], Any], times: int = 5) -> float:
    """Return the fastest of several runs, in processor time: nothing here uses more than one thread."""
    found = []
    for _ in range(times):
        begin = time.process_time()
        ask()
        found.append(time.process_time() - begin)
    return 1e3 * min(found)


def build_indexes(count: int, folder: Path) -> dict[str, Any]:
    """Build both indexes and return the time of each, in seconds."""
    notes = list(generate(count))
    scrubber = ns.Scrubber()
    batches = []
    seconds: dict[str, float] = {}
    processor: dict[str, float] = {}

    @contextmanager
    def timing(part: str) -> Iterator[None]:
        begin, busy = time.perf_counter(), time.process_time()
        yield
        seconds[part] = seconds.get(part, 0) + time.perf_counter() - begin
        processor[part] = processor.get(part, 0) + time.process_time() - busy

    with timing("whole"), ns.Index.create(folder / "notesieve", scrubber, years=True, given_pseudonyms=True) as index:
        for chunk in note_chunks(notes):
            batches.append(scrubber.scrub_many([note.text for note in chunk]))
            add_to_index(index, batches[-1], chunk)
    with timing("index"), ns.Index.create(folder / "again", scrubber, years=True, given_pseudonyms=True) as again:
        for chunk, batch in zip(note_chunks(notes), batches, strict=True):
            add_to_index(again, batch, chunk)
    shutil.rmtree(folder / "again")
    sqlite = Sqlite(folder / "sqlite.db")
    size = 0
    for chunk, batch in zip(note_chunks(notes), batches, strict=True):
        texts = batch.texts
        size += sum(len(text.encode()) for text in texts)
        rows = [
            (text, codes, note.note_id, note.mrn, note.note_type, note.year)
            for text, codes, note in zip(texts, codes_as_words(index, batch), chunk, strict=True)
        ]
        with timing("sqlite"):
            sqlite.add(rows)
        print(f"\r{sqlite.count:,} notes", end="", file=sys.stderr)
    with timing("sqlite"):
        sqlite.connection.execute("INSERT INTO notes(notes) VALUES('optimize')")
        sqlite.connection.commit()
    print(file=sys.stderr)
    return {
        "seconds": seconds,
        "processor_seconds": processor,
        "text_bytes": size,
        "index_bytes": sum(file.stat().st_size for file in index.path.rglob("*") if file.is_file()),
        "sqlite_bytes": sqlite.path.stat().st_size,
    }


def add_to_index(index: ns.Index, batch: ns.ScrubbedBatch, notes: list[Note]) -> None:
    """Add scrubbed notes to the index."""
    index.add(
        batch,
        note_id=[note.note_id for note in notes],
        patient_id=[note.mrn for note in notes],
        note_type=[note.note_type for note in notes],
        year=[note.year for note in notes],
    )


def codes_as_words(index: ns.Index, batch: ns.ScrubbedBatch) -> list[str]:
    """Return for each note the codes that a code query would match, with all broader codes, as words for SQLite."""
    known: dict[tuple[str, ...], set[str]] = {}
    found = []
    for note in batch:
        words: set[str] = set()
        for codes in {tuple(concept.codes) for concept in note.concepts if concept.affirmed}:
            if codes not in known:
                broader = {up for code in codes for up in index._concepts.broader(code)}
                known[codes] = {re.sub(r"\W", "", code).lower() for code in broader}
            words |= known[codes]
        found.append(" ".join(words))
    return found


def time_queries(folder: Path) -> dict[str, dict[str, float]]:
    """Return the milliseconds of each kind of query in both indexes; the answers must be the same."""
    index, sqlite = ns.Index.open(folder / "notesieve"), sqlite3.connect(folder / "sqlite.db")
    other = Sqlite.__new__(Sqlite)
    other.connection = sqlite
    kinds = {
        "word": WORDS,
        "phrase": [f'"{phrase}"' for phrase in PHRASES],
        "code with narrower": [f"code:mesh:{code}" for code in CODES],
    }
    rows: dict[str, dict[str, float]] = {}
    every: dict[str, list[float]] = {"count": [], "search": [], "sqlite count": [], "sqlite search": []}

    def record_times(kind: str, times: dict[str, list[float]]) -> None:
        rows[kind] = {name: median(values) for name, values in times.items() if values}
        for name, values in times.items():
            every[name] += values

    for kind, queries in kinds.items():
        times: dict[str, list[float]] = {name: [] for name in every}
        for query in queries:
            match = to_fts_query(query)
            patients, theirs = index.count(query).patients, other.count_patients(match)
            assert patients == theirs, f"{query}: {patients} patients, SQLite {theirs}"
            asked: dict[str, Callable[[], Any]] = {
                "count": partial(index.count, query),
                "search": partial(search_page, index, query),
                "sqlite count": partial(other.count_patients, match),
                "sqlite search": partial(other.best_notes, match),
            }
            for name, act in asked.items():
                times[name].append(fastest_milliseconds(act))
        record_times(kind, times)
    values = [fastest_milliseconds(partial(index.count, query)) for query in VALUES]
    rows["value"] = {"count": median(values)}
    times = {name: [] for name in every}
    for parts in COHORTS:
        matches = [to_fts_query(part) for part in parts]
        patients, theirs = count_cohort(index, *parts), other.count_cohort(*matches)
        assert patients == theirs, f"{parts}: {patients} patients, SQLite {theirs}"
        times["count"].append(fastest_milliseconds(partial(count_cohort, index, *parts)))
        times["sqlite count"].append(fastest_milliseconds(partial(other.count_cohort, *matches)))
    record_times("cohort of three", times)
    rows["all"] = {name: median(values) for name, values in every.items()}
    return rows


def search_page(index: ns.Index, query: str) -> list[str]:
    """Return the ten best notes with a snippet."""
    return [hit.snippet() for hit in index.search(query, limit=10)]


def count_cohort(index: ns.Index, both: str, also: str, without: str) -> int:
    """Count the patients with a note of each of two kinds and none of a third."""
    return len(index.cohort(both) & index.cohort(also) - index.cohort(without))


def report_lines(figures: dict[str, Any]) -> tuple[str, bool]:
    """Return the tables in Markdown, and whether every target is met."""
    notes, seconds, text = figures["notes"], figures["build"]["seconds"], figures["build"]["text_bytes"]
    speed, whole, theirs = (notes / seconds[part] for part in ("index", "whole", "sqlite"))
    costs = {part: busy / notes * 1e6 for part, busy in figures["build"]["processor_seconds"].items()}
    size, sqlite_size = figures["build"]["index_bytes"] / text, figures["build"]["sqlite_bytes"] / text
    lines = [
        f"{figures['machine']}; {notes:,} notes, {text / 1e6:,.0f} MB of de-identified text, "
        f"{figures['patients']:,} patients",
        "",
        "| | notesieve | SQLite FTS5 | ratio | target |",
        "|---|--:|--:|--:|--:|",
        f"| scrubbed notes to index, notes/s | {speed:,.0f} | {theirs:,.0f} | {speed / theirs:.2f} | |",
        f"| raw notes to index, notes/s | {whole:,.0f} | | | {NOTES_PER_SECOND:,} |",
        f"| the first, µs of processor a note | {costs['index']:.0f} | {costs['sqlite']:.0f} "
        f"| {costs['index'] / costs['sqlite']:.2f} | |",
        f"| the second, µs of processor a note | {costs['whole']:.0f} | | | |",
        f"| size, times the text | {size:.2f} | {sqlite_size:.2f} | {size / sqlite_size:.2f} | {SIZE} |",
        "",
        "| median, ms of one processor | count patients | SQLite | ratio | first ten notes, marked | SQLite | ratio |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for kind, row in figures["queries"].items():
        cells = [kind]
        for ours, other in (("count", "sqlite count"), ("search", "sqlite search")):
            times = [row[name] for name in (ours, other) if name in row]
            ratio = [times[0] / times[1]] if len(times) > 1 else []
            figures_of_row = [f"{figure:.2f}" for figure in times + ratio]
            cells += figures_of_row + [""] * (3 - len(figures_of_row))
        lines.append("| " + " | ".join(cells) + " |")
    met = whole >= NOTES_PER_SECOND and size < SIZE and figures["queries"]["all"]["search"] < QUERY_MS
    met = met and figures["queries"]["all"]["count"] < QUERY_MS
    met = met and figures["queries"]["value"]["count"] < VALUE_MS
    return "\n".join(lines) + "\n", met


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure the index.")
    parser.add_argument("--notes", type=int, default=200_000)
    parser.add_argument("--folder", type=Path, default=Path("target/bench/index"), help="where the indexes go")
    parser.add_argument("--keep", action="store_true", help="use the indexes that are there")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    made = options.folder / "build.json"
    if not (options.keep and made.exists()):
        shutil.rmtree(options.folder, ignore_errors=True)
        options.folder.mkdir(parents=True)
        # In a separate process: its memory would affect the timing of the queries.
        with get_context("spawn").Pool(1) as pool:
            built = pool.apply(build_indexes, (options.notes, options.folder))
        made.write_text(json.dumps(built), encoding="utf-8")
    counted = ns.Index.open(options.folder / "notesieve").count("*")
    figures = {
        "machine": f"{os.cpu_count()} processors, Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}",
        "notes": counted.notes,
        "patients": counted.patients,
        "build": json.loads(made.read_text(encoding="utf-8")),
        "queries": time_queries(options.folder),
    }
    write_figures_if_asked(options.output, figures)
    text, met = report_lines(figures)
    print(text, end="")
    if not met:
        sys.exit("a target is missed")


if __name__ == "__main__":
    main()
