"""How well are structured messages handled? HL7 version 2, FHIR, C-CDA and tables with drawn names and numbers.

    python unseen_messages.py -o report/messages            # 200 messages from templates/messages
    python unseen_messages.py -o report/messages --seed 2   # the same templates, other names and numbers

Each message is read before and after by readers that know nothing of notesieve's own: the values must stand at the same
paths. Counted are the drawn words that came out, the keys and codes that did not, and the other words of values.
"""

from __future__ import annotations

import argparse
import base64
import csv
import json
import re
import uuid
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from notesieve import Scrubber
from unseen_layouts import Values
from unseen_sources import TEMPLATES

BEGIN, END = "\ue000", "\ue001"
SLOT = re.compile(r"\{([A-Z]+)(\d*)\}")
BASE64 = re.compile(r"\{BASE64\}")
WORD = re.compile(r"\w+")
FOLDER = TEMPLATES / "messages"
NOTES = (FOLDER / "notes.txt").read_text(encoding="utf-8").splitlines()


class Record:
    """The values of one message; a slot has the same value everywhere in it."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.drawn: dict[str, str] = {}

    def draw_value(self, kind: str, number: str) -> str:
        """Return the value of a slot, between marks."""
        name = kind + number
        if kind in ("YMD", "STAMP", "ISO", "ISOT"):
            self.drawn.setdefault(f"day{number}", self._draw_day())
            day, time = self.drawn[f"day{number}"].split()
            plain = day.replace("-", "")
            made = {"YMD": plain, "STAMP": plain + time.replace(":", ""), "ISO": day, "ISOT": f"{day}T{time}Z"}[kind]
            return f"{BEGIN}{made}{END}"
        if name not in self.drawn:
            self.drawn[name] = self._draw(kind)
        return self.drawn[name]

    def _draw_day(self) -> str:
        rng = self.values.rng
        day = f"{rng.randint(1935, 2024)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        return f"{day} {rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}"

    def _draw(self, kind: str) -> str:
        if kind == "UUID":
            made = str(uuid.UUID(int=self.values.rng.getrandbits(128), version=4))
        elif kind == "WORD":
            made = re.sub(r"\W", "", self.values.last().lower()) or "brown"
        elif kind == "HOSP":
            name, noun = self.values.hospital().split("|")
            return f"{BEGIN}{name}{END} {noun}"
        else:
            made = self.values.draws[kind][1]()
        return f"{BEGIN}{made}{END}"

    def fill_template(self, template: str, write: Callable[[str], str]) -> str:
        """Return a template with filled slots; `write` escapes a value for the format."""

        def fill_slot(slot: re.Match[str]) -> str:
            if slot[1] == "NOTE":
                return self.fill_template(self.values.rng.choice(NOTES), write)
            return write(self.draw_value(slot[1], slot[2]))

        template = BASE64.sub(lambda _: self._draw_attachment(), template)
        return SLOT.sub(fill_slot, template)

    def _draw_attachment(self) -> str:
        text = "\n".join(self.fill_template(self.values.rng.choice(NOTES), str) for _ in range(3))
        return base64.b64encode(text.encode("utf-8")).decode("ascii")


@dataclass
class Message:
    """A message with marks around its random values."""

    form: str
    template: str
    marked: str

    @property
    def text(self) -> str:
        """The message without marks."""
        if '"data":"' in self.marked:
            return strip_marks(re.sub(r'(?<="data":")[^"]+', lambda m: _reencode_attachment(m[0]), self.marked))
        return strip_marks(self.marked)


def _reencode_attachment(data: str) -> str:
    return base64.b64encode(strip_marks(base64.b64decode(data).decode("utf-8")).encode("utf-8")).decode("ascii")


def strip_marks(text: str) -> str:
    """Return a text without the marks."""
    return text.replace(BEGIN, "").replace(END, "")


def _escape_hl7(value: str) -> str:
    for mark, name in (("\\", "E"), ("|", "F"), ("^", "S"), ("&", "T"), ("~", "R")):
        value = value.replace("#", "").replace(mark, f"\\{name}\\")
    return value


WRITERS: dict[str, Callable[[str], str]] = {
    "hl7": _escape_hl7,
    "json": lambda value: json.dumps(value, ensure_ascii=False)[1:-1],
    "xml": lambda value: escape(value, {'"': "&quot;"}),
    "csv": lambda value: re.sub('[,|"]', "", value),
}


def make_messages(seed: int = 1, count: int = 200) -> list[Message]:
    """Return `count` messages, cycling through the templates."""
    values = Values(seed)
    files = sorted(file for file in FOLDER.iterdir() if file.suffix[1:] in WRITERS)
    made = []
    for number in range(count):
        file = files[number % len(files)]
        form = file.suffix[1:]
        template = file.read_text(encoding="utf-8")
        marked = Record(values).fill_template(template, WRITERS[form])
        made.append(Message(form, file.stem, marked.replace("\n", "\r") if form == "hl7" else marked))
    return made


# ---- readers: path and value of every leaf of a message


def leaf_values(form: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield paths and values; fail if the message is not valid."""
    yield from {
        "hl7": _hl7_values,
        "json": lambda text: _json_values(json.loads(text), "$"),
        "xml": _xml_values,
        "csv": _csv_values,
    }[form](text)


def _hl7_values(text: str) -> Iterator[tuple[str, str]]:
    mark, component = text[3], text[4]
    for row, line in enumerate(text.split("\r")):
        for at, content in enumerate(line.split(mark)):
            if line.startswith("MSH") and at == 1:
                yield f"{row}.MSH.1", content
                continue
            for place, part in enumerate(re.split(f"[{re.escape(component)}&~]", content)):
                yield f"{row}.{line[:3]}.{at}.{place}", part


def _json_values(item: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(item, dict):
        for key, value in item.items():
            yield from _json_values(value, f"{path}.{key}")
    elif isinstance(item, list):
        for number, value in enumerate(item):
            yield from _json_values(value, f"{path}[{number}]")
    elif path.endswith(".div"):
        yield from ((f"{path}{inner}", value) for inner, value in _xml_values(item))
    elif path.endswith(".data"):
        yield path, base64.b64decode(item).decode("utf-8")
    else:
        yield path, json.dumps(item) if not isinstance(item, str) else item


def _xml_values(text: str) -> Iterator[tuple[str, str]]:
    for number, element in enumerate(ET.fromstring(text).iter()):
        path = f"/{number}:{element.tag}"
        yield from ((f"{path}@{name}", value) for name, value in element.attrib.items())
        yield f"{path}.text", element.text or ""
        yield f"{path}.tail", element.tail or ""


def _csv_values(text: str) -> Iterator[tuple[str, str]]:
    for row, line in enumerate(text.splitlines()):
        table = line.count("|") > 2 or line.count(",") > 4
        cells = next(csv.reader([line], delimiter="|" if "|" in line else ",")) if table else [line]
        yield from ((f"{row}.{at}", cell) for at, cell in enumerate(cells))


# ---- the count


@dataclass
class Count:
    """The counts over several messages."""

    messages: int = 0
    valid: int = 0
    drawn: int = 0
    leaked: int = 0
    fixed: int = 0  # keys, tags, segments, codes, measured values
    fixed_kept: int = 0
    words: int = 0  # other words of values
    words_kept: int = 0
    leaks: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def add(self, message: Message, output: str) -> None:
        """Add the counts of one message."""
        self.messages += 1
        before = list(leaf_values(message.form, message.marked))
        try:
            after = dict(leaf_values(message.form, output))
        except (ValueError, ET.ParseError, csv.Error, IndexError):
            after = {}
        self.valid += list(after) == [path for path, _ in before]
        for path, marked in before:
            self.fixed += 1
            self.fixed_kept += path in after
            self._count_value(f"{message.template} {path}", marked, after.get(path, ""))

    def _count_value(self, path: str, marked: str, written: str) -> None:
        parts = re.split(f"{BEGIN}(.*?){END}", marked, flags=re.DOTALL)
        # Adjacent digits and letters count as one word, also across a mark.
        drawn = Counter(word for part in parts[1::2] for word in WORD.findall(part) if word != "s")
        others = Counter(word for part in parts[::2] for word in WORD.findall(part))
        out = Counter(WORD.findall(written))
        self.drawn += drawn.total()
        left = Counter({word: min(drawn[word], max(0, out[word] - others[word])) for word in drawn})
        self.leaked += left.total()
        self.leaks += [f"{path}: {word}" for word in (+left)]
        kept = (others & out).total()
        fixed = not drawn and " " not in marked.strip()
        if fixed:
            self.fixed += others.total()
            self.fixed_kept += kept
        else:
            self.words += others.total()
            self.words_kept += kept
        self.lost += [f"{'code' if fixed else 'word'} {path}: {word}" for word in others - out]


def count_messages(made: list[Message], scrubber: Scrubber | None = None) -> dict[str, Count]:
    """Scrub messages and count, by format and in total."""
    scrubber = scrubber or Scrubber()
    counts: dict[str, Count] = {}
    for message in made:
        output = scrubber.scrub_message(message.text).text
        for name in (message.form, "all"):
            counts.setdefault(name, Count()).add(message, output)
    return counts


def main() -> None:
    """Measure the messages and write a report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    counts = count_messages(make_messages(options.seed, options.count))
    options.output.mkdir(parents=True, exist_ok=True)
    print("form  messages  valid  recall  keys and codes kept  other words kept")
    for name, count in counts.items():
        print(
            f"{name:5} {count.messages:8} {count.valid / count.messages:6.3f} {1 - count.leaked / count.drawn:7.4f}"
            f" {count.fixed_kept / count.fixed:20.4f} {count.words_kept / count.words:17.4f}"
        )
    for name in ("leaks", "lost"):
        lines = Counter(getattr(counts["all"], name)).most_common()
        text = "".join(f"{number} {line}\n" for line, number in lines)
        (options.output / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
