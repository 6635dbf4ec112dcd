"""What shifted dates, numbered tags and surrogates do on gold notes, and what each switch of a policy costs.

    python tests/benchmarks/replacements.py FOLDER... [--switches]

Each folder holds ``notes/*.txt`` and ``gold.jsonl``, a span a line: ``{"doc", "start", "end", "text", "category"}``,
offsets in code points. Every note is taken for one of a patient of its own. The key is that of the environment, or one
drawn for this run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import Any

from dateutil import parser as dateutil

import notesieve as ns
from notesieve.verification.output_check import OutputCheck


@dataclass(frozen=True)
class Span:
    """A span that annotators marked."""

    start: int
    end: int
    text: str
    category: str
    text_without_noise: str
    """The text without the noise that was put into it, where that is known."""


@dataclass(frozen=True)
class Note:
    """A note with its marked spans."""

    doc: str
    text: str
    spans: list[Span]


def read_notes(folder: Path) -> list[Note]:
    """Read the notes of a set with their required spans."""
    spans = defaultdict(list)
    for line in (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if item.get("hipaa", True):
            spans[item["doc"]].append(
                Span(item["start"], item["end"], item["text"], item["category"], item.get("clean", item["text"]))
            )
    files = sorted((folder / "notes").glob("*.txt"))
    return [Note(f.stem, f.read_bytes().decode("utf-8"), spans[f.stem]) for f in files]


def scrub(notes: list[Note], policy: ns.Policy) -> tuple[ns.Scrubber, list[ns.ScrubbedNote]]:
    """Scrub each note as that of a separate patient."""
    scrubber = ns.Scrubber(policy, key=ns.Key.load())
    patients = [ns.Patient(note.doc) for note in notes]
    return scrubber, list(scrubber.scrub_many([note.text for note in notes], patients=patients))


def removals_touching(note: ns.ScrubbedNote, span: Span) -> list[ns.Removal]:
    """Return the removals that overlap a span."""
    return [removal for removal in note.removed if removal.start < span.end and span.start < removal.end]


def replacement_text(note: ns.ScrubbedNote, span: Span) -> str:
    """Return the replacement of a span in the output."""
    found = removals_touching(note, span)
    return note.text[found[0].output_start : found[-1].output_end] if found else ""


# ---- dates


class _Years(dateutil.parserinfo):
    def convertyear(self, year: int, century_specified: bool = False) -> int:
        return year if year > 99 or century_specified else (2000 if year <= 30 else 1900) + year


def parse_date(text: str) -> datetime | None:
    """Parse a date with day, month and year, with a parser other than ours."""
    found = []
    for default in (datetime(1995, 1, 1), datetime(2004, 12, 28)):
        try:
            read = dateutil.parse(text, parserinfo=_Years(), default=default, ignoretz=True)
        except (ValueError, OverflowError):
            return None
        found.append(read.replace(hour=0, minute=0, second=0, microsecond=0))
    return found[0] if found[0] == found[1] else None


def date_shape(text: str) -> str:
    """Return the shape of a date: its marks, its case, the positions of its numbers."""

    def shape_of_part(match: re.Match[str]) -> str:
        word = match.group()
        return "9" if word.isdigit() else "A" if word.isupper() else "Aa" if word[0].isupper() else "a"

    return re.sub(r"\d+|[^\W\d]+", shape_of_part, " ".join(text.split()))


def check_dates(notes: list[Note]) -> dict[str, Any]:
    """Compare shifted dates with the marked ones."""
    _, outputs = scrub(notes, ns.Policy(dates="shift", date_order="mdy"))
    count: dict[str, int] = defaultdict(int)
    for note, output in zip(notes, outputs, strict=True):
        offsets = []
        for span in note.spans:
            if span.category != "DATE":
                continue
            count["dates"] += 1
            new = replacement_text(output, span)
            count["unchanged"] += new.strip() == span.text.strip()
            old_day = parse_date(span.text)
            if old_day is None:
                continue
            count["parsed"] += 1
            found = removals_touching(output, span)
            # A date range is one removal but two spans here.
            if len(found) != 1 or sum(s.start < found[0].end and found[0].start < s.end for s in note.spans) != 1:
                count["not alone"] += 1
                continue
            if "[" in new or "*" in new or not new:
                count["tagged"] += 1
                continue
            new_day = parse_date(new)
            count["shifted"] += 1
            count["same shape"] += date_shape(new) == date_shape(note.text[found[0].start : found[0].end])
            count["unread"] += new_day is None
            if new_day is not None:
                offsets.append((new_day - old_day).days)
                count["not a week"] += offsets[-1] % 7 != 0
                count["zero"] += offsets[-1] == 0
        for one, other in combinations(offsets, 2):
            count["pairs"] += 1
            count["pairs kept"] += one == other
    return dict(count)


# ---- people


def folded_name_words(text: str) -> tuple[str, ...]:
    """Normalise a name: words in lower case, the family name last."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    last, comma, first = plain.partition(",")
    folded = f"{first} {last}" if comma and first.strip() else last
    return tuple(re.findall(r"[^\W\d_]+", folded.replace("'", "").replace("’", "")))  # noqa: RUF001


def within_one_edit(one: str, other: str) -> bool:
    """Return whether words differ by at most one letter or one transposition; short words must be equal."""
    if one == other or min(len(one), len(other)) < 5 or abs(len(one) - len(other)) > 1:
        return one == other
    front = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[front:], other[front:]
    return (
        rest[1:] == others[1:]
        or rest == others[1:]
        or rest[1:] == others
        or (rest[:2] == others[1::-1] and rest[2:] == others[2:])
    )


def may_be_same_person(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two normalised names may be of one person: each word of the shorter matches one of the longer."""
    short, long = sorted((one, other), key=len)

    def matches_a_word(word: str) -> bool:
        return any(within_one_edit(word, w) or (min(len(word), len(w)) == 1 and word[0] == w[0]) for w in long)

    return all(map(matches_a_word, short)) and any(
        len(word) > 1 and within_one_edit(word, w) for word in short for w in long
    )


def check_people(notes: list[Note]) -> dict[str, Any]:
    """Compare the numbers of tags with the marked names, pair by pair."""
    _, outputs = scrub(notes, ns.Policy(replace="numbered"))
    count: dict[str, int] = defaultdict(int)
    for note, output in zip(notes, outputs, strict=True):
        names = []
        for span in note.spans:
            number = re.findall(r"\[NAME-(\d+)\]", replacement_text(output, span))
            words = folded_name_words(span.text_without_noise)
            if span.category == "NAME" and words and any(len(word) > 1 for word in words):
                count["names"] += 1
                count["without one number"] += len(set(number)) != 1
                names.append((words, number[0] if number else None))
        full = {words for words, _ in names if len(words) > 1}
        for (one, first), (other, second) in combinations(names, 2):
            # A single word that matches two people of the note cannot be assigned.
            unclear = any(
                len(words) == 1 and sum(may_be_same_person(words, name) for name in full) > 1 for words in (one, other)
            )
            if unclear or first is None or second is None:
                continue
            count["pairs"] += 1
            together = may_be_same_person(one, other)
            count["pairs of one person"] += together
            count["pairs agreed"] += together == (first == second)
    return dict(count)


# ---- surrogates


def check_surrogates(notes: list[Note]) -> dict[str, Any]:
    """Check that texts with surrogates verify and hold no name or identifier of their note."""
    scrubber, outputs = scrub(notes, ns.Policy(replace="surrogate", dates="shift", date_order="mdy"))
    check = OutputCheck(scrubber)
    count: dict[str, int] = defaultdict(int)
    for note, output in zip(notes, outputs, strict=True):
        secret = {
            word.lower()
            for span in note.spans
            if span.category in ("NAME", "ID")
            for word in re.findall(r"[^\W_]+", span.text)
            if len(word) > 1
        }
        for removal in output.removed:
            new = output.text[removal.output_start : removal.output_end]
            count["removals"] += 1
            count["surrogates"] += not re.search(r"[\[*]", new)
            count["with a word of the original"] += bool(
                removal.category not in ("DATE", "AGE") and secret & set(re.findall(r"[^\W_]+", new.lower()))
            )
        count["verified" if check.passes(output.text) else "not verified"] += 1
    return dict(count)


# ---- the cost of switches


def compared_policies() -> Iterator[tuple[str, ns.Policy]]:
    """Yield the policies to compare."""
    for preset in ("safe", "balanced", "berman", "readable", "limited-data-set"):
        yield preset, ns.Policy(preset)
    for name, value in [
        ("ambiguous", "always"),
        ("ambiguous", "never"),
        ("numbers", "none"),
        ("numbers", "wide"),
        ("numbers", "all"),
        ("ordinary_words", False),
        ("drop_sections", ["social history", "family history"]),
        ("keep", ["year"]),
        ("keep", ["state", "country"]),
        ("keep", ["hospital", "ward"]),
    ]:
        yield f"{name} = {json.dumps(value)}", ns.Policy("safe", **{name: value})


def scrub_quality(notes: list[Note], policy: ns.Policy) -> tuple[float, float, float]:
    """Return token recall, share of notes without a leak, share of other tokens kept."""
    outputs = ns.Scrubber(policy).scrub_many([note.text for note in notes])
    found = wanted = kept = others = clean = 0
    for note, output in zip(notes, outputs, strict=True):
        gone = {at for removal in output.removed for at in range(removal.start, removal.end)}
        secret = {at for span in note.spans for at in range(span.start, span.end)}
        leaks = 0
        for match in re.finditer(r"[^\W_]+", note.text):
            places = range(match.start(), match.end())
            removed = all(at in gone for at in places)
            if any(at in secret for at in places):
                wanted += 1
                found += removed
                leaks += not removed
            else:
                others += 1
                kept += not removed
        clean += leaks == 0
    return found / max(wanted, 1), clean / len(notes), kept / max(others, 1)


def main() -> None:
    """Print one table per check."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="+", type=Path, help="gold sets")
    options.add_argument("--switches", action="store_true", help="measure what switches cost instead")
    given = options.parse_args()
    if not (os.environ.get("NOTESIEVE_KEY") or os.environ.get("NOTESIEVE_KEY_FILE")):
        os.environ["NOTESIEVE_KEY"] = secrets.token_hex(32)
    sets = {folder.name: read_notes(folder) for folder in given.folders}
    if given.switches:
        print("| policy | " + " | ".join(sets) + " |\n|---|" + "---|" * len(sets))
        for name, policy in compared_policies():
            cells = ["{:.4f} / {:.3f} / {:.4f}".format(*scrub_quality(notes, policy)) for notes in sets.values()]
            print(f"| {name} | " + " | ".join(cells) + " |")
        return
    for name, notes in sets.items():
        print(f"{name}: {len(notes)} notes")
        for measure in (check_dates, check_people, check_surrogates):
            print(f"  {measure.__name__}: " + ", ".join(f"{key} {value}" for key, value in measure(notes).items()))


if __name__ == "__main__":
    main()
