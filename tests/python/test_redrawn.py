"""Gold notes with other identifiers: the sentences stay, the spans hold what was drawn, a seed gives the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import redrawn

NOTE = (
    "PATIENT: MARCH, HELEN\nSeen by Helen T. March on 3/4/2011 and again in March 2011, MRN 4411902."
    " Mr. March lives in Dallas.\r\nEnd"
)


def gold_rows(*parts: tuple[str, str]) -> list[dict[str, object]]:
    rows, at = [], 0
    for category, text in parts:
        at = NOTE.index(text, at)
        rows.append({"doc": "a", "start": at, "end": at + len(text), "text": text, "category": category})
        at += len(text)
    return rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = gold_rows(
        ("NAME", "MARCH, HELEN"), ("NAME", "Helen T. March"), ("DATE", "3/4/2011"), ("DATE", "March 2011"),
        ("ID", "4411902"), ("NAME", "March"), ("LOCATION", "Dallas"),
    )  # fmt: skip
    (tmp_path / "in" / "notes").mkdir(parents=True)
    (tmp_path / "in" / "notes" / "a.txt").write_bytes(NOTE.encode())
    (tmp_path / "in" / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_sentences_stay_and_spans_hold_what_was_drawn(folder: Path) -> None:
    redrawn.main([str(folder / "in"), "-o", str(folder / "out"), "--seed", "3"])
    text = (folder / "out" / "notes" / "a.txt").read_bytes().decode()
    rows = [json.loads(line) for line in (folder / "out" / "gold.jsonl").read_text().splitlines()]
    assert [text[row["start"] : row["end"]] for row in rows] == [row["text"] for row in rows]
    left = text
    for row in reversed(rows):
        left = left[: row["start"]] + "|" + left[row["end"] :]
    assert left == "PATIENT: |\nSeen by | on | and again in |, MRN |. Mr. | lives in |.\r\nEnd"
    assert rows[0]["text"].isupper()
    assert "," in rows[0]["text"]
    assert "MARCH" not in rows[0]["text"]


def test_a_seed_gives_the_same_notes(folder: Path) -> None:
    texts = []
    for name, seed in (("one", 3), ("two", 3), ("other", 4)):
        assert redrawn.redraw_folder(folder / "in", folder / name, seed) == 7
        texts.append((folder / name / "notes" / "a.txt").read_bytes())
    assert texts[0] == texts[1] != texts[2]


def test_equal_spans_of_a_note_stay_equal() -> None:
    text = "Wood saw Wood."
    spans = [{"start": at, "end": at + 4, "category": "NAME"} for at in (0, 9)]
    drawn, rows = redrawn.redraw_note(text, spans, redrawn.SpanRedrawer(1))
    assert rows[0]["text"] == rows[1]["text"] != "Wood"
    assert drawn == f"{rows[0]['text']} saw {rows[1]['text']}."
