"""How much of the recall on gold notes depends on their names and forms? The same notes with other identifiers.

    python redrawn.py GOLD -o report/redrawn/gold --seed 1    # GOLD holds notes/ and gold.jsonl

Each gold span is replaced by one in another form: names of 20 locales and ordinary words, dates in two dozen formats,
telephone numbers and identifiers in other shapes, other streets, towns and hospitals (those of `unseen_layouts`). The
sentence around it, the order of the parts of a name and its capitalisation stay; months, weekdays, ages and state codes
stay unchanged. Equal spans of one note stay equal. The output has the format of the input, for the same scorer.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from unseen_layouts import Values

HOUSE = re.compile(r"hospital|clinic|cent(er|re)|home|hospice|infirmary|health|medical|memorial", re.IGNORECASE)
FIRM = re.compile(r"\b(inc|llc|sons|associates|school|university|college|pharmacy|group|practice)\b", re.IGNORECASE)
FIRMS = "Associates,Pharmacy,University,High School,Elementary School,Inc,LLC,Logistics,Family Practice,Plumbing".split(
    ","
)
ROOM = re.compile(r"\b(rm|room|unit|bed|ward|floor|icu)\b", re.IGNORECASE)


class SpanRedrawer:
    """Draws replacements of spans."""

    def __init__(self, seed: int) -> None:
        self.values = Values(seed)
        self.rng = self.values.rng

    def draw(self, category: str, text: str) -> str:
        """Return another text of the category, with the same capitalisation."""
        new = {
            "NAME": self.draw_name,
            "DATE": self.draw_date,
            "ID": self.draw_identifier,
            "CONTACT": self.draw_contact,
            "LOCATION": self.draw_place,
        }
        drawn = new[category](" ".join(text.split())) if category in new else text
        if text.isupper() and not drawn.isupper():
            return drawn.upper()
        return drawn.lower() if text.islower() else drawn

    def draw_name(self, text: str) -> str:
        """Return a name with as many parts in the same order; initials for two or three capitals."""
        words = text.replace(",", " ").split()
        letter = self.rng.choice("ABCDEFGHJKLMRST")
        if len(text) <= 3 and text.isupper():
            return self.values.random_code("A" * len(text))
        if "," in text:
            return f"{self.values.last()}, {self.values.first()}" + (f" {letter}." if len(words) > 2 else "")
        if len(words) == 1:
            return self.rng.choice([self.values.last, self.values.first])()
        middle = f" {letter}. " if len(words) > 2 else " "
        return f"{self.values.first()}{middle}{self.values.last()}"

    def draw_date(self, text: str) -> str:
        """Return a date with the same parts (day, month, year); a year for a year."""
        if re.fullmatch(r"(19|20)\d\d", text):
            return str(self.rng.randint(1950, 2024))
        if not re.search(r"\d", text) or re.fullmatch(r"\d+(st|nd|rd|th)", text.lower()):
            return text
        whole, part = self.values.whole_and_partial_dates()
        numbers = re.findall(r"\d+", text)
        if len(numbers) == 1 and len(numbers[0]) == 4:
            return self.rng.choice(part[2:])
        if len(numbers) == 1 or (len(numbers) == 2 and not re.search(r"[A-Za-z]", text)):
            return self.rng.choice(part[:2]) if max(map(len, numbers)) < 3 else part[3]
        return self.rng.choice(whole)

    def draw_identifier(self, _text: str) -> str:
        """Return a record number."""
        return self.values.identifier()

    def draw_contact(self, text: str) -> str:
        """Return a telephone number, a short one for a short one, an e-mail address or a URL."""
        if "@" in text:
            return self.values.mail()
        if re.search(r"www|http", text.lower()):
            return f"www.{re.sub('[^a-z]', '', self.values.last().lower())}clinic.com"
        return (
            self.values.phone()
            if len(re.findall(r"\d", text)) > 6
            else self.values.random_code("9999", "99999", "9-9999")
        )

    def draw_place(self, text: str) -> str:
        """Return a street for a street, a hospital for a hospital, a firm for a firm, otherwise a town."""
        if re.fullmatch(r"[A-Z]{2,5}|[a-z]{2}", text) or ROOM.search(text) or re.fullmatch(r"\d+ \w+", text):
            return text
        if re.match(r"\d", text):
            return self.values.street() if re.search(r"[A-Za-z]", text) else self.values.fakers[0].postcode()
        if FIRM.search(text):
            return f"{self.values.last()} {self.rng.choice(FIRMS)}"
        if HOUSE.search(text):
            return self.values.hospital().replace("|", " ")
        return self.rng.choice(self.values.english).city()


def redraw_note(text: str, spans: list[dict[str, Any]], draw: SpanRedrawer) -> tuple[str, list[dict[str, Any]]]:
    """Return the note with redrawn spans, and their new positions."""
    parts, gold, at, length = [], [], 0, 0
    known: dict[tuple[str, str], str] = {}
    for span in sorted(spans, key=lambda span: (span["start"], -span["end"])):
        start, end = span["start"], span["end"]
        if start < at:
            continue
        old = text[start:end]
        key = (span["category"], old)
        if key not in known:
            known[key] = draw.draw(*key)
        length += start - at
        gold.append({**span, "start": length, "end": length + len(known[key]), "text": known[key]})
        parts += [text[at:start], known[key]]
        length += len(known[key])
        at = end
    return "".join([*parts, text[at:]]), gold


def redraw_folder(folder: Path, output: Path, seed: int = 1) -> int:
    """Write the notes of a gold folder with other identifiers; return the number of spans."""
    spans = defaultdict(list)
    for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        span = json.loads(line)
        spans[span["doc"]].append(span)
    (output / "notes").mkdir(parents=True, exist_ok=True)
    draw = SpanRedrawer(seed)
    rows = []
    for path in sorted((folder / "notes").glob("*.txt")):
        with path.open(encoding="utf-8", newline="") as file:
            text, gold = redraw_note(file.read(), spans[path.stem], draw)
        with (output / "notes" / path.name).open("w", encoding="utf-8", newline="") as file:
            file.write(text)
        rows += gold
    (output / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if (folder / "meta.jsonl").exists():
        (output / "meta.jsonl").write_bytes((folder / "meta.jsonl").read_bytes())
    return len(rows)


def main(arguments: list[str] | None = None) -> None:
    """Redraw one gold folder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gold", type=Path, help="a folder with notes/ and gold.jsonl")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder to write")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(f"{redraw_folder(given.gold, given.output, given.seed)} identifiers drawn again in {given.output}")


if __name__ == "__main__":
    main()
