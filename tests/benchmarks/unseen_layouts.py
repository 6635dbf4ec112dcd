"""Measure how well whole notes with unforeseen layouts are handled: headers, lists, messages, letters, forms.

    python unseen_layouts.py -o report/layouts            # 800 notes from the layouts of templates/layouts.txt
    python unseen_layouts.py -o report/layouts --seed 2   # the same layouts, other names and numbers

Half of the names are ordinary words (`Frost`, `Hand`, `Grace`), the others are Faker's from 20 locales; dates,
telephone numbers and identifiers have dozens of forms. The counts are of the words that must go and of the words around
them, as in `unseen_forms`; the report has a row for each kind.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from faker import Faker

from unseen_forms import Case, Tally, count_right_tokens, scrub_cases, write_gold, write_report
from unseen_sources import LOCALES, TEMPLATES, Form, Span

LAST = (
    "Frost Marsh Hope Field Banks Bishop Cook Young Long Short Price Sharp Little Rich Love Day Knight Pope King"
    " Bush Rice Berry Wolf Fox Swan Crane Drake Finch Hall Hill Woods Stone Rivers Waters Brooks Lake Ford Bridges"
    " Church Temple Castle Power Strong Moody Savage Grant Chase Pierce Case Cross Bell Horn Reed Barrow Carver"
    " Mason Potter Turner Walker Parker Archer Fisher Hunter Shepherd Miller Baker Butler Carpenter Sawyer Cooper"
    " Fuller Glover Tanner Weaver Gray Green Brown White Black Blue Snow Storm Summers Winter Noble Bright Wise"
    " Good Best Cash Penny Sterling Steel Silver Gold Diamond Pearl Flowers Plant Root Branch Forest Heath Moss"
    " Thorn Rose Lily Poole Wells Burns Paine Hurt Sellers Bond Law Justice Wright Early Friend Guest Battle Wood"
    " Head Foote Hand Legg Bone Heard Blood"
).split()
FIRST = (
    "Grace Faith Hope Joy Rose Lily Violet Iris Daisy Ivy Olive Hazel Ruby Pearl Amber Crystal Dawn Summer Autumn"
    " April May June Will Mark Art Frank Rich Bill Rob Drew Chase Grant Pierce Dean Guy Gene Ray Earl Duke Rusty"
    " Sandy Ginger Penny Patience Mercy Charity Constance Honor Sky Star Jack Miles Chuck Cliff Dale Glen Heath"
    " Brook River Forest Reed Clay Rocky"
).split()
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
CREDENTIALS = "MD,M.D.,DO,RN,NP,PA-C,FNP-BC,PharmD,DPT,LCSW,MBBS,FRCS,PhD,MBChB,RRT,OTR/L,CRNA,DDS,RD,CNM".split(",")
HONOURS = "Mr.,Mrs.,Ms.,Miss,Mr,Mrs,Dr.,Dr".split(",")
STREETS = "St,Ave,Rd,Dr,Ln,Ct,Blvd,Way,Pl,Ter,Cir,Pkwy,Crescent,Close,Lane,Road".split(",")
HOUSES = (
    "Memorial Hospital,General Hospital,Regional Medical Center,Family Practice,Health Centre,Children's Hospital,"
    "Medical Center,Valley Clinic,Community Hospital,Nursing Home,Rehabilitation Center"
).split(",")
SLOT = re.compile(r"\{([A-Z]+)\}")


class Values:
    """Draws the values of the slots."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.fakers = [Faker(locale) for locale in LOCALES]
        for faker in self.fakers:
            faker.seed_instance(seed)
        self.english = self.fakers[:6]
        draws: dict[str, tuple[str, Callable[[], str]]] = {
            "NAME": ("NAME", self.name), "FL": ("NAME", lambda: f"{self.first()} {self.last()}"),
            "FIRST": ("NAME", self.first), "LAST": ("NAME", self.last), "DATE": ("DATE", self.date),
            "FDATE": ("DATE", self.whole_date), "ID": ("ID", self.identifier), "PHONE": ("CONTACT", self.phone),
            "EXT": ("CONTACT", lambda: self.random_code("9999", "99999", "9-9999")),
            "STREET": ("LOCATION", self.street), "CITY": ("LOCATION", lambda: self.rng.choice(self.english).city()),
            "ST": ("LOCATION", self.fakers[0].state_abbr), "ZIP": ("LOCATION", self.fakers[0].postcode),
            "HOSP": ("LOCATION", self.hospital), "MAIL": ("CONTACT", self.mail),
            "URL": ("CONTACT", lambda: f"www.{self.last().lower()}clinic.com"), "USER": ("ID", self.user_name),
        }  # fmt: skip
        self.draws = draws
        self.plain: dict[str, Callable[[], str]] = {
            "CRED": lambda: self.rng.choice(CREDENTIALS), "HON": lambda: self.rng.choice(HONOURS),
            "AGE": lambda: str(self.rng.randint(1, 88)), "SEX": lambda: self.rng.choice("MF"), "TIME": self.time,
        }  # fmt: skip

    def random_code(self, *shapes: str) -> str:
        """Return a code of one of the shapes, with a digit for each 9 and a capital letter for each A."""
        digit, letter = (lambda: self.rng.choice("0123456789")), (lambda: self.rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ"))
        return re.sub("[9A]", lambda sign: digit() if sign[0] == "9" else letter(), self.rng.choice(shapes))

    def first(self) -> str:
        """Return a first name."""
        faker = self.rng.choice(self.fakers)
        return self.rng.choice(FIRST) if self.rng.random() < 0.3 else faker.first_name().split()[0]

    def last(self) -> str:
        """Return a family name."""
        faker = self.rng.choice(self.fakers)
        return self.rng.choice(LAST) if self.rng.random() < 0.4 else faker.last_name()

    def name(self) -> str:
        """Return a full name in one of the orders that headers use."""
        first, last, letter = self.first(), self.last(), self.rng.choice("ABCDEFGHJKLMRST")
        forms = [
            f"{first} {last}", f"{first} {letter}. {last}", f"{last}, {first}", f"{last}, {first} {letter}",
            f"{last.upper()}, {first.upper()}", f"{last.upper()}, {first}", f"{first} {last.upper()}",
            f"{first} {last}-{self.last()}", f"{first} {letter} {last}", f"{first[0]}. {last}",
            f"{last.upper()}, {first.upper()} {letter}",
        ]  # fmt: skip
        return self.rng.choice(forms)

    def whole_and_partial_dates(self) -> tuple[list[str], list[str]]:
        """Return a full date in every form, and its forms without day or year."""
        day, month, year = self.rng.randint(1, 28), self.rng.randint(1, 12), self.rng.randint(1998, 2024)
        name, short, week = MONTHS[month - 1], MONTHS[month - 1][:3], self.rng.choice(DAYS)
        th = "th" if 10 <= day <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
        whole = [
            f"{month}/{day}/{year}", f"{month:02}/{day:02}/{year % 100:02}", f"{year}-{month:02}-{day:02}",
            f"{day}-{short}-{year}", f"{day:02}{short.upper()}{year}", f"{day:02}{short.upper()}{year % 100:02}",
            f"{name} {day}, {year}", f"{day} {name} {year}", f"{short} {day} {year}", f"{short}. {day}, {year}",
            f"{day}.{month}.{year}", f"{day:02}.{month:02}.{year % 100:02}", f"{week}, {name} {day}, {year}",
            f"{week[:3]} {day} {short} {year}", f"{name} {day}{th}, {year}", f"the {day}{th} of {name} {year}",
            f"{month}-{day}-{year % 100:02}", f"{year}/{month:02}/{day:02}", f"{year}{month:02}{day:02}",
            f"{day}/{short}/{year % 100:02}", f"{short}-{day}-{year}", f"{year}.{month:02}.{day:02}",
            f"{short} {day} '{year % 100:02}", f"{day}{th} {name} {year}",
        ]  # fmt: skip
        return whole, [f"{short} {day}", f"{day} {short}", f"{name} {year}", f"{month}/{year}"]

    def date(self) -> str:
        """Return a date, full or partial."""
        whole, part = self.whole_and_partial_dates()
        return self.rng.choice(whole + part)

    def whole_date(self) -> str:
        """Return a date with day, month and year."""
        return self.rng.choice(self.whole_and_partial_dates()[0])

    def time(self) -> str:
        """Return a time of day."""
        hour, minute = self.rng.randint(0, 23), self.rng.randint(0, 59)
        return self.rng.choice(
            [f"{hour:02}:{minute:02}", f"{hour % 12 + 1}:{minute:02} {self.rng.choice(['am', 'PM'])}"]
        )

    def identifier(self) -> str:
        """Return a record, lot or claim number."""
        return self.random_code(
            "9999999", "99999999", "9999999999", "999-999-999", "A9999999", "AA-999999", "99-99-99", "AAA99999",
            "9999 9999", "999999-9", "00999999", "A99-99999", "9999-AA-9999", "99999A", "#999999", "999 999 9999",
            "AA99AA999", "999999999A", "9999.9999",
        )  # fmt: skip

    def phone(self) -> str:
        """Return a telephone number."""
        return self.random_code(
            "(299) 399-9999", "299-399-9999", "299.399.9999", "299 399 9999", "+1 299 399 9999", "1-299-399-9999",
            "399-9999", "+44 20 7999 9999", "09999 999999", "020 7999 9999", "(299)399-9999", "[299] 399-9999",
            "299/399-9999", "+91 98999 99999", "0499 999 999", "(99) 9999 9999", "2993999999",
        )  # fmt: skip

    def street(self) -> str:
        """Return a house number and street."""
        if self.rng.random() < 0.7:
            return self.rng.choice(self.english).street_address().split("\n")[0]
        return f"{self.rng.randint(1, 9999)} {self.rng.choice(LAST)} {self.rng.choice(STREETS)}"

    def hospital(self) -> str:
        """Return a hospital's name and its type, separated by `|`."""
        names = [self.rng.choice(LAST), self.rng.choice(self.english).city().split()[0], f"St. {self.first()}'s"]
        return f"{self.rng.choice(names)}|{self.rng.choice(HOUSES)}"

    def mail(self) -> str:
        """Return an e-mail address."""
        first, last, house = self.first(), self.last(), self.rng.choice(LAST)
        return f"{first[0]}.{last.replace(' ', '')}@{house}health.org".lower()

    def user_name(self) -> str:
        """Return a user name."""
        return self.rng.choice([f"{self.first()[0].lower()}{self.last().lower()}9", self.random_code("AAA999").lower()])


def fill_layout(layout: str, values: Values) -> tuple[str, list[Span]]:
    """Return the text of a layout, and the spans to remove."""
    text, at = "", 0
    spans: list[Span] = []
    for slot in SLOT.finditer(layout):
        text += layout[at : slot.start()]
        at = slot.end()
        if slot[1] in values.plain:
            text += values.plain[slot[1]]()
            continue
        category, draw = values.draws[slot[1]]
        name, _, noun = draw().partition("|")
        spans.append((len(text), len(text) + len(name), category, slot[1], True))
        text += name
        if noun:
            spans.append((len(text) + 1, len(text) + 1 + len(noun), category, slot[1], False))
            text += f" {noun}"
    return text + layout[at:], spans


def make_cases(seed: int = 1, count: int = 800) -> list[Case]:
    """Return `count` notes, cycling through the layouts."""
    layouts = (TEMPLATES / "layouts.txt").read_text(encoding="utf-8").strip().split("\n%%\n")[1:]
    values = Values(seed)
    made = []
    for nth in range(count):
        text, spans = fill_layout(layouts[nth % len(layouts)], values)
        form = Form(f"layout.{nth % len(layouts):02}", "layouts.txt", text, tuple(spans))
        made.append(Case(f"layout-{nth:05}", form, text, 0))
    return made


def tally_by_kind(some: Sequence[Case], removed: Sequence[Sequence[tuple[int, int]]]) -> dict[str, Tally]:
    """Tally by the kind of the removed span; ``sentences`` tallies the words around."""
    tallies: dict[str, Tally] = {}
    for case, gone in zip(some, removed, strict=True):
        for span in case.form.spans:
            if not span[4]:
                continue
            one = Case(
                case.doc,
                Form(f"{span[2].lower()}.{span[3].lower()}", case.form.source, case.text, (span,)),
                case.text,
                0,
            )
            tokens, right, _, _ = count_right_tokens(one, gone)
            tally = tallies.setdefault(one.form.family, Tally())
            tally.add(tokens, right)
            if tokens != right:
                tally.failures.append((one, case.text[max(0, span[0] - 40) : span[1] + 25].replace("\n", " ⏎ ")))
        _, _, outside, kept = count_right_tokens(case, gone)
        tallies.setdefault("sentences", Tally()).add(outside, kept)
    return tallies


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure notesieve on notes of many layouts.")
    parser.add_argument("-o", "--output", required=True, type=Path, help="folder for gold notes and report")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--notes", type=int, default=800)
    options = parser.parse_args(arguments)
    some = make_cases(options.seed, options.notes)
    write_gold(some, options.output)
    tallies = tally_by_kind(some, list(scrub_cases(some, None)))
    write_report(tallies, options.output)
    print((options.output / "unseen.md").read_text(encoding="utf-8"), end="")
    leaking = {case.doc for name, tally in tallies.items() if name != "sentences" for case, _ in tally.failures}
    print(f"notes of which nothing is left that must go: {1 - len(leaking) / len(some):.3f}")


if __name__ == "__main__":
    main()
