"""Folders with every kind of file of notes, and what stands in a folder and in its manifest."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

TEXTS = ["Dr. Brown called 617-555-0123 about asthma.", "Seen 3/4/2006, BP 128/72.", "No fever."]
COMMAND = [sys.executable, "-m", "notesieve"]


def run_notesieve(*command: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    given = {"capture_output": True, "text": True, "timeout": 120, "check": False, "encoding": "utf-8"} | options
    done = subprocess.run([*COMMAND, *command], **given)
    assert "Traceback" not in (done.stderr or "")
    return done


def note_rows(texts: list[str]) -> list[dict[str, object]]:
    return [{"mrn": "100", "note": text, "year": 2000 + at} for at, text in enumerate(texts)]


def csv_of(items: list[dict[str, object]]) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(items[0]), restval="")
    writer.writeheader()
    writer.writerows(items)
    return buffer.getvalue().encode()


def jsonl_of(items: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)


def write_every_format(folder: Path, texts: list[str], copies: int = 1) -> None:
    """A folder with every kind of file."""
    (folder / "deep" / "er").mkdir(parents=True)
    for at, text in enumerate(texts):
        (folder / "deep" / f"{at}.txt").write_text(text)
    items = note_rows(texts * copies)
    (folder / "a.jsonl").write_bytes(jsonl_of(items))
    (folder / "deep" / "b.jsonl.gz").write_bytes(gzip.compress(jsonl_of(items)))
    (folder / "deep" / "c.jsonl.zst").write_bytes(zstandard.compress(jsonl_of(items)))
    (folder / "d.csv").write_bytes(csv_of(items))
    pq.write_table(pa.Table.from_pylist(items), folder / "deep" / "er" / "e.parquet", row_group_size=50)
    (folder / "left.out").write_text("Dr. Brown")


def contents_of_folder(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def read_manifest(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in folder.with_name(folder.name + ".manifest.jsonl").read_text().splitlines()]
