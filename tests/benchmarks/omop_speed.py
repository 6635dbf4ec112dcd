"""Time NOTE in Parquet to a de-identified NOTE and NOTE_NLP on one core, and count the mentions again in DuckDB.

python omop_speed.py --notes 10000
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import secrets
import tempfile
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

import notesieve as ns
from generate_notes import generate
from notesieve import omop


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["NOTESIEVE_KEY"] = secrets.token_hex(32)
    scrubber = ns.Scrubber(ns.Policy(dates="shift"))
    notes = list(generate(options.notes, options.seed))
    people = {mrn: at for at, mrn in enumerate(sorted({note.mrn for note in notes}), 1)}
    table = {
        "note_id": list(range(1, len(notes) + 1)),
        "person_id": [people[note.mrn] for note in notes],
        "note_date": [dt.date(note.year, 6, 1) for note in notes],
        "note_title": [note.note_type for note in notes],
        "note_text": [note.text for note in notes],
    }
    # Each code gets an invented source concept and an invented standard one, as if Athena had all of them.
    codes = sorted({concept.code for note in scrubber.scrub_many(table["note_text"][:500]) for concept in note.codes})
    sources = {code: at for at, code in enumerate(codes, 1)}
    concepts = omop.Concepts(sources, {at: [at + len(codes)] for at in sources.values()})
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "note.parquet"), Path(folder, "out")
        pq.write_table(pa.table(table), source)
        begin, processor = time.perf_counter(), time.process_time()
        problems = omop.scrub_parquet(scrubber, source, out, concepts, threads=1, progress=False)
        # On a shared machine processor time is more reliable than wall-clock time.
        seconds, processor = time.perf_counter() - begin, time.process_time() - processor
        connection = duckdb.connect()
        connection.execute(omop.ddl())
        for name in ("note", "note_nlp"):
            connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM read_parquet('{out / name}.parquet')")
        (rows, mapped, denied), *_ = connection.sql(
            "SELECT count(*), count(*) FILTER (note_nlp_concept_id > 0), count(*) FILTER (term_exists = 'N') "
            "FROM note_nlp"
        ).fetchall()
        size = sum(map(len, table["note_text"])) / 1e6
    result = {
        "notes": len(notes), "megabytes": round(size, 1), "problems": len(problems),
        "seconds": round(seconds, 1), "processor_seconds": round(processor, 1),
        "note_nlp": rows, "with_concept": mapped, "term_exists_n": denied,
    }  # fmt: skip
    print(json.dumps(result))


if __name__ == "__main__":
    main()
