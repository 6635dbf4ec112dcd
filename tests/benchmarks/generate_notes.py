"""Generate synthetic clinical notes, with gold spans on request: the text of the benchmarks and of the examples.

Nothing here comes from a real note: sentences and word lists are our own (``templates/``), and names are combined at
random. The same seed gives the same notes on every machine, and a shorter run gives the first notes of a longer one.
Paragraphs are rendered once into pools; one formatting call joins a few of them and fills in the names, dates and
numbers of the patient, so that gigabytes take minutes.

    python generate_notes.py --notes 1000 --seed 1 -o notes.jsonl
    python generate_notes.py --notes 300 -o gold/                    # notes/*.txt, gold.jsonl, meta.jsonl
    python generate_notes.py --megabytes 64 -o target/bench/notes.txt  # notes separated by form feeds
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import json
import random
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from note_slots import KINDS, OPTIONAL, VALUES, Patient, Slots

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMPLATES = Path(__file__).parent / "templates"
POOL = 192  # paragraphs per section: enough that a megabyte of notes repeats few of them
ACTIVE_PATIENTS = 64
SLOT = re.compile(r"%\((\w+)\)s")
MEDICAL_SLOT = re.compile(r"\{([^{}]+)\}|\[([^\[\]]+)\]")
RANGE = re.compile(r"(\d+)(?:\.(\d+))?-(\d+)(?:\.\d+)?$")
PRONOUNS = {"He", "he", "His", "his", "him", "relation", "Relation"}


@dataclass(frozen=True, slots=True)
class Note:
    """A note; ``spans`` are (start, end, category, subtype, hipaa) in code points, empty unless requested."""

    note_id: str
    mrn: str
    note_type: str
    year: int
    text: str
    spans: list[tuple[int, int, str, str, bool]] = field(default_factory=list)

    def to_row(self) -> dict[str, Any]:
        """Return the note as a row of a JSON Lines file or a data frame."""
        return {
            "note_id": self.note_id,
            "mrn": self.mrn,
            "note_type": self.note_type,
            "year": self.year,
            "text": self.text,
        }

    def gold_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the spans as lines of a gold file."""
        for start, end, category, subtype, hipaa in self.spans:
            yield {
                "doc": self.note_id,
                "start": start,
                "end": end,
                "text": self.text[start:end],
                "category": category,
                "subtype": subtype,
                "hipaa": hipaa,
            }


# ---- templates -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Section:
    """The sentences of a section, the number of them in a paragraph, and how they are joined."""

    sentences: list[str]
    least: int
    most: int
    lines: bool
    numbered: bool
    inline: bool  # is inside a sentence of the layout: no capital

    def fill_paragraph(self, medical: dict[str, list[str]], rng: random.Random) -> str:
        """Return a paragraph in which only the slots of the patient remain."""
        count = min(rng.randint(self.least, self.most), len(self.sentences))
        # Keep the order of the file: findings from head to foot, a history from its beginning.
        places = sorted(rng.sample(range(len(self.sentences)), count))
        chosen = [fill_medical(self.sentences[i], medical, rng, not self.inline) for i in places]
        if self.numbered:
            chosen = [f"{i}. {s}" for i, s in enumerate(chosen, 1)]
        return ("\n" if self.lines else " ").join(chosen)


def fill_medical(sentence: str, medical: dict[str, list[str]], rng: random.Random, capital: bool = True) -> str:
    """Fill ``{drug}``, ``{60-100}`` and ``[a|b]``; a sentence that begins with a slot is capitalised."""

    def fill_slot(match: re.Match[str]) -> str:
        name, choices = match.groups()
        if choices is not None:
            return rng.choice(str(choices).split("|"))
        if name in PRONOUNS:
            return f"%({name})s"
        if bounds := RANGE.match(name):
            low, decimals, high = bounds.groups()
            if decimals is None:
                return str(rng.randint(int(low), int(high)))
            edges = [float(x) for x in name.split("-")]
            return f"{rng.uniform(*edges):.{len(decimals)}f}"
        return rng.choice(medical[name])

    filled = sentence.replace("%", "%%").replace("%%(", "%(")
    while MEDICAL_SLOT.search(filled):
        filled = MEDICAL_SLOT.sub(fill_slot, filled)
    # Escape the per cent signs in the values.
    filled = re.sub(r"(?<!%)%(?![(%])", "%%", filled)
    filled = re.sub(r"\b([Aa]) (?=[aeio](?!ne\b))", r"\1n ", filled)
    return filled[0].upper() + filled[1:] if capital and sentence.startswith("{") else filled


def read_templates(path: Path) -> tuple[list[tuple[int, str]], dict[str, Section]]:
    """Read one file of ``templates/notes``: the weighted layouts, and the sections."""
    layouts: list[tuple[int, str]] = []
    sections: dict[str, Section] = {}
    weight, body, section = 0, [""], None

    def add_layout() -> None:
        if weight:
            layouts.append((weight, "\n".join(body).strip("\n") + "\n"))

    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith("#") and not weight:
            continue
        if head := re.fullmatch(r"\[note (\d+)\]", line):
            add_layout()
            weight, body, section = int(head[1]), [], None
        elif head := re.fullmatch(r"\[section (\w+) (\d+)-(\d+)((?: \w+)*)\]", line):
            add_layout()
            flags = head[4].split()
            section = Section([], int(head[2]), int(head[3]), *(f in flags for f in ("lines", "numbered", "inline")))
            weight, sections[head[1]] = 0, section
        elif section is not None:
            if line:
                section.sentences.append(line)
        else:
            body.append(line)
    add_layout()
    return layouts, sections


# ---- notes -----------------------------------------------------------------------------------------------------------


class Generator:
    """Generates notes without end; the same seed gives the same notes.

    Parameters
    ----------
    seed
        Any integer.
    pool
        Paragraphs rendered in advance per section: more of them take longer to start and repeat less.

    Examples
    --------
    >>> note = next(Generator(seed=1, pool=8).notes(gold=True))
    >>> all(note.text[s:e] for s, e, *_ in note.spans)
    True
    """

    def __init__(self, seed: int = 1, pool: int = POOL) -> None:
        self.rng = random.Random(seed)
        shared = [TEMPLATES / "notes" / name for name in ("common.txt", "prose.txt")]
        common = {name: section for path in shared for name, section in read_templates(path)[1].items()}
        # A layout alternates literal text and pools.
        self.layouts: list[tuple[str, list[str | list[str]]]] = []
        pools = self.fill_sections(common, pool)
        for path in sorted((TEMPLATES / "notes").glob("*.txt")):
            layouts, sections = read_templates(path)
            here = pools | (self.fill_sections(sections, pool) if layouts else {})
            for weight, layout in layouts:
                parts: list[str | list[str]] = []
                for i, part in enumerate(re.split(r"<<(\w+)>>", layout)):
                    parts.append(here[part] if i % 2 else fill_medical(part, VALUES["medical"], self.rng))
                self.layouts += [(path.stem, parts)] * weight

    def fill_sections(self, sections: dict[str, Section], pool: int) -> dict[str, list[str]]:
        """Return the pools of paragraphs of the sections."""
        return {
            name: [section.fill_paragraph(VALUES["medical"], self.rng) for _ in range(pool)]
            for name, section in sections.items()
        }

    def notes(self, gold: bool = False) -> Iterator[Note]:
        """Yield notes without end, with their spans if `gold`; the text is the same either way."""
        rng, pick, layouts = self.rng, self.rng.random, self.layouts
        patients = [Patient(rng) for _ in range(ACTIVE_PATIENTS)]
        for number in itertools.count():
            place = int(pick() * ACTIVE_PATIENTS)
            patient = patients[place]
            patient.left -= 1
            if patient.left <= 0:
                patients[place] = Patient(rng)
            kind, layout = layouts[int(pick() * len(layouts))]
            template = "".join([p if p.__class__ is str else p[int(pick() * len(p))] for p in layout])
            slots = Slots(patient, rng)
            text = template % slots
            spans = spans_of(template, slots) if gold else []
            yield Note(f"note-{number:07d}", patient.mrn, kind, slots.day.year, text, spans)
            patient.last_visit += dt.timedelta(days=1 + int(pick() * 160))
            patient.age = (patient.last_visit - patient.born).days * 100 // 36525


def spans_of(template: str, slots: Slots) -> list[tuple[int, int, str, str, bool]]:
    """Return the spans and categories of the values in a filled template."""
    spans = []
    at = 0
    for i, piece in enumerate(SLOT.split(template)):
        value = slots[piece] if i % 2 else piece.replace("%%", "%")
        kind = (KINDS.get(piece) or KINDS.get(piece.rstrip("0123456789"))) if i % 2 else None
        if kind and not (kind[0] == "AGE" and slots.patient.age < 90):
            spans.append((at, at + len(value), *kind, kind[1] not in OPTIONAL))
        at += len(value)
    return spans


def generate(notes: int, seed: int = 1, gold: bool = False, pool: int = POOL) -> Iterator[Note]:
    """Yield the first `notes` notes of a seed."""
    return itertools.islice(Generator(seed, pool).notes(gold), notes)


# ---- command line ----------------------------------------------------------------------------------------------------


def write_folder(notes: Iterator[Note], folder: Path) -> None:
    """Write ``notes/*.txt``, ``gold.jsonl`` and ``meta.jsonl``, the format of the scorer."""
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    with (
        (folder / "gold.jsonl").open("w", encoding="utf-8") as gold,
        (folder / "meta.jsonl").open("w", encoding="utf-8") as meta,
    ):
        for note in notes:
            (folder / "notes" / f"{note.note_id}.txt").write_text(note.text, encoding="utf-8", newline="")
            gold.writelines(json.dumps(g, ensure_ascii=False) + "\n" for g in note.gold_rows())
            row = note.to_row()
            del row["text"]
            meta.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_file(notes: Iterator[Note], out: TextIO, plain: bool, gold: TextIO | None) -> None:
    """Write JSON Lines, or plain text with a form feed between notes."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    for note in notes:
        out.write(note.text + "\f" if plain else encode(note.to_row()) + "\n")
        if gold:
            gold.writelines(encode(g) + "\n" for g in note.gold_rows())


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Make synthetic clinical notes.")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--notes", type=int, default=1000, help="how many notes (default 1000)")
    size.add_argument("--megabytes", type=float, help="as many notes as make this size of text")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", required=True, help="FILE.jsonl, FILE.txt, a folder, or - for JSON lines")
    parser.add_argument("--gold", help="write the gold spans of FILE.jsonl or FILE.txt here")
    options = parser.parse_args(arguments)

    folder = options.output != "-" and Path(options.output).suffix not in {".jsonl", ".txt"}
    notes: Iterator[Note] = Generator(options.seed).notes(gold=folder or bool(options.gold))
    notes = (
        take_until_size(notes, options.megabytes * 1e6) if options.megabytes else itertools.islice(notes, options.notes)
    )
    if folder:
        write_folder(notes, Path(options.output))
    elif options.output == "-":
        write_file(notes, sys.stdout, False, None)
    else:
        path = Path(options.output)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="", buffering=1 << 20) as out:
            if options.gold:
                with Path(options.gold).open("w", encoding="utf-8") as gold:
                    write_file(notes, out, path.suffix == ".txt", gold)
            else:
                write_file(notes, out, path.suffix == ".txt", None)


def take_until_size(notes: Iterator[Note], size: float) -> Iterator[Note]:
    """Yield notes until their text reaches a size in bytes."""
    for note in notes:
        yield note
        size -= len(note.text.encode())
        if size <= 0:
            return


if __name__ == "__main__":
    main()
