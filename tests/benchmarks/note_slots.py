"""The people, places, dates and numbers that fill the slots of the note templates.

``generate_notes`` requests a slot by its name (``%(doctor2_last)s``); this module defines how its value is made and
which kind of protected information it is. All values are random: exchanges 555, social security numbers from 900 on
and reserved domains are unassigned.
"""

from __future__ import annotations

import datetime as dt
import functools
import itertools
import re
import tomllib
from bisect import bisect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

VALUES: dict[str, dict[str, list[str]]] = tomllib.loads(
    (Path(__file__).parent / "templates" / "values.toml").read_text(encoding="utf-8")
)
PEOPLE, PLACES = VALUES["people"], VALUES["places"]
HOLIDAYS = ["Thanksgiving", "Christmas", "Easter", "Labor Day", "New Year's Eve", "Memorial Day", "Halloween"]
FEMALE_RELATIVES = ["wife", "wife", "daughter", "daughter", "sister", "mother", "niece", "neighbor", "granddaughter"]
MALE_RELATIVES = ["husband", "husband", "son", "son", "brother", "father", "nephew", "neighbor", "grandson"]
# The forms of dates; a note keeps to one of them with few exceptions. %-d is not portable, hence {d}.
DATE_FORMS = [
    "{m:02}/{d:02}/{y}", "{m}/{d}/{y}", "{m}/{d}/{yy:02}", "{m:02}-{d:02}-{y}", "{y}-{m:02}-{d:02}", "{B} {d}, {y}",
    "{b} {d}, {y}", "{d} {B} {y}", "{d:02}-{b}-{y}", "{d:02}{b}{y}", "{A}, {B} {d}, {y}", "{B} {d}{th}, {y}",
    "the {d}{th} of {B}, {y}", "{m}.{d}.{y}",
]  # fmt: skip
DATE_WEIGHTS = list(itertools.accumulate([30, 14, 16, 4, 8, 18, 4, 3, 4, 1, 2, 2, 1, 2]))
PHONE_SHAPES = (
    "(~##) 555-####", "~##-555-####", "~##.555.####", "~## 555 ####", "555-####", "1-~##-555-####",
    "(~##) 555-#### ext. ###", "+1 ~## 555 ####",
)  # fmt: skip
PARTIAL_FORMS = ["{m}/{d}", "{B} {d}", "{B} {d}{th}", "{b} {d}", "the {d}{th} of {B}", "{m:02}/{d:02}"]
MONTH_YEAR_FORMS = ["{B} {y}", "{B} of {y}", "{m}/{y}", "{b} {y}", "{m:02}/{yy:02}"]


MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
]  # fmt: skip
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@functools.lru_cache(maxsize=1 << 16)
def format_date(form: str, day: dt.date) -> str:
    """Return a date in one of the forms above."""
    th = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    month = MONTHS[day.month - 1]
    return form.format(
        d=day.day, m=day.month, y=day.year, yy=day.year % 100, th=th,
        b=month[:3], B=month, A=WEEKDAYS[day.weekday()],
    )  # fmt: skip


def fill_number_shape(rng: random.Random, shape: str) -> str:
    """Return a random number: ``#`` is any digit, ``~`` a digit above 1, ``@`` a capital letter."""
    pick = rng.random
    return "".join([
        "0123456789"[int(pick() * 10)] if c == "#"
        else chr(65 + int(pick() * 26)) if c == "@"
        else "23456789"[int(pick() * 8)] if c == "~" else c
        for c in shape
    ])  # fmt: skip


class Patient:
    """The attributes of a person that stay the same in all notes."""

    __slots__ = ("age", "born", "fixed", "last_visit", "left", "male", "mrn")

    def __init__(self, rng: random.Random) -> None:
        self.male = rng.random() < 0.5
        first, last = rng.choice(PEOPLE["male" if self.male else "female"]), rng.choice(PEOPLE["surname"])
        self.mrn = fill_number_shape(rng, rng.choice(["#######", "######", "########", "####-###", "###-##-##-#"]))
        self.last_visit = dt.date(2001, 1, 1) + dt.timedelta(days=rng.randrange(365 * 22))
        self.age = min(99, max(18, int(rng.gauss(61, 18))))
        self.born = self.last_visit - dt.timedelta(days=self.age * 365 + self.age // 4 + rng.randrange(364))
        self.left = rng.choice([1, 1, 2, 3, 4, 6, 9])
        female_relative = rng.random() < 0.6
        relation = rng.choice(FEMALE_RELATIVES if female_relative else MALE_RELATIVES)
        if relation in {"wife", "husband"} and self.male != female_relative:
            relation = "partner"
        self.fixed = {
            "patient_first": first,
            "patient_last": last,
            "mrn": self.mrn,
            "relative": rng.choice(PEOPLE["female" if female_relative else "male"]),
            "relation": relation,
            "Relation": relation.capitalize(),
            "city": rng.choice(PLACES["city"]),
            "hospital": rng.choice(PLACES["hospital"]),
            "He": "He" if self.male else "She",
            "he": "he" if self.male else "she",
            "His": "His" if self.male else "Her",
            "his": "his" if self.male else "her",
            "him": "him" if self.male else "her",
            "man": rng.choice(["man", "male", "gentleman"] if self.male else ["woman", "female", "lady"]),
            "Mr": "Mr." if self.male else rng.choice(["Mrs.", "Ms."]),
            "sex": rng.choice(["M", "Male", "male"] if self.male else ["F", "Female", "female"]),
        }


class Slots(dict[str, str]):
    """The values of one note, made when a template first requests them and constant within the note."""

    def __init__(self, patient: Patient, rng: random.Random) -> None:
        super().__init__(patient.fixed)
        self.patient, self.rng = patient, rng
        self.day = patient.last_visit
        self.form = DATE_FORMS[bisect(DATE_WEIGHTS, rng.random() * DATE_WEIGHTS[-1])]

    def __missing__(self, slot: str) -> str:
        value = (MAKERS.get(slot) or MAKERS[slot.rstrip("0123456789")])(self)
        self[slot] = value
        return value

    def pick(self, values: list[str]) -> str:
        """Return a random item of a list; faster than ``random.choice``."""
        return values[int(self.rng.random() * len(values))]

    def date_after_visit(self, least: int, most: int) -> dt.date:
        """Return a random day in a range of days after the visit."""
        return self.day + dt.timedelta(days=least + int(self.rng.random() * (most - least + 1)))

    def full_date_after_visit(self, least: int, most: int) -> str:
        """Return a random full date in a range of days after the visit."""
        form = self.form if self.rng.random() < 0.85 else self.pick(DATE_FORMS)
        return format_date(form, self.date_after_visit(least, most))

    def name(self) -> str:
        """Return a first and last name."""
        return f"{self.pick(PEOPLE['female' if self.rng.random() < 0.5 else 'male'])} {self.surname()}"

    def surname(self) -> str:
        """Return a surname."""
        return self.pick(PEOPLE["surname"])

    def doctor_name(self) -> str:
        """Return a doctor's name, sometimes with a middle initial."""
        first, _, last = self.name().partition(" ")
        middle = f" {self.pick(list('ABCDEFGHJKLMNPRSTW'))}." if self.rng.random() < 0.3 else ""
        return f"{first}{middle} {last}"

    def initials(self) -> str:
        """Return the initials of an author."""
        return "".join(self.pick(list("ABCDEFGHJKLMNPRSTW")) for _ in range(2 + (self.rng.random() < 0.5)))

    def phone(self) -> str:
        """Return a phone number; the exchange 555 is unassigned."""
        return self.number_of_shape(*PHONE_SHAPES)

    def street(self) -> str:
        """Return a street name with its type."""
        return f"{self.pick(PLACES['street'])} {self.pick(PLACES['street_kind'])}"

    def street_line(self) -> str:
        """Return a house number and street, sometimes with an apartment."""
        if self.rng.random() < 0.08:
            return fill_number_shape(self.rng, "P.O. Box ###")
        flat = (
            fill_number_shape(self.rng, self.pick([", Apt #", " #1#", ", Unit #@"])) if self.rng.random() < 0.2 else ""
        )
        return f"{int(self.rng.random() * 1900) + 3} {self.street()}{flat}"

    def dictation_line(self) -> str:
        """Return the line of author and typist at the end of a dictated note."""
        author = self.initials()
        return self.pick([f"{author}:{author[::-1].lower()}", f"{author}/{author[:2].lower()}", author])

    def email(self) -> str:
        """Return an e-mail address in a reserved domain."""
        return f"{self.initials().lower()}.{re.sub('[^a-z]', '', self.surname().lower())}@{self.pick(PLACES['domain'])}"

    def last_first(self, who: str) -> str:
        """Return ``Last, First`` for a slot with a full name."""
        first, _, last = self[who].partition(" ")
        return f"{last}, {first}"

    def number_of_shape(self, *shapes: str) -> str:
        """Return a number of one of these shapes."""
        return fill_number_shape(self.rng, shapes[int(self.rng.random() * len(shapes))])


Maker = Callable[[Slots], str]


def surname_of(who: str) -> Maker:
    """The surname of a person whose full name the same note may contain."""
    return lambda s: re.sub(r"^\S+ (?:\S\. )?", "", s[who])


# How to make the value of every slot of the templates except the pronouns; the table below gives its kind of PHI.
MAKERS: dict[str, Maker] = {
    "patient": lambda s: f"{s['patient_first']} {s['patient_last']}",
    "patient_lf": lambda s: f"{s['patient_last']}, {s['patient_first']}",
    "PATIENT": lambda s: f"{s['patient_last']}, {s['patient_first']}".upper(),
    "doctor": Slots.doctor_name,
    "doctor_lf": lambda s: s.last_first("doctor"),
    "doctor_last": surname_of("doctor"),
    "doctor2_last": surname_of("doctor2"),
    "doctor3_last": surname_of("doctor3"),
    "nurse": Slots.name,
    "nurse_lf": lambda s: s.last_first("nurse"),
    "nurse_first": lambda s: s["nurse"].split(" ")[0],
    "relative": lambda s: s.pick(PEOPLE["female"]),
    "initials": Slots.initials,
    "dictation": Slots.dictation_line,
    "date": lambda s: s.full_date_after_visit(0, 1),
    "date2": lambda s: s.full_date_after_visit(1, 3),
    "date3": lambda s: s.full_date_after_visit(3, 8),
    "admit": lambda s: format_date(s.form, s.day),
    "discharge": lambda s: s.full_date_after_visit(2, 12),
    "future": lambda s: s.full_date_after_visit(14, 90),
    "earlier": lambda s: s.full_date_after_visit(-900, -20),
    "dob": lambda s: format_date(s.form, s.patient.born),
    "md": lambda s: format_date(s.pick(PARTIAL_FORMS), s.date_after_visit(-3, 6)),
    "month_year": lambda s: format_date(s.pick(MONTH_YEAR_FORMS), s.date_after_visit(-2500, -40)),
    "month": lambda s: format_date("{B}", s.date_after_visit(20, 300)),
    "year": lambda s: str(s.day.year - 1 - int(s.rng.random() * 25)),
    "range": lambda s: (
        f"{format_date('{m}/{d}', s.date_after_visit(-90, -60))} to "
        f"{format_date('{m}/{d}/{yy:02}', s.date_after_visit(-58, -50))}"
    ),
    "weekday": lambda s: format_date("{A}", s.date_after_visit(0, 6)),
    "holiday": lambda s: s.pick(HOLIDAYS),
    "age": lambda s: str(s.patient.age),
    "account": lambda s: s.number_of_shape("########", "@@######", "V#########", "##-######"),
    "accession": lambda s: s.number_of_shape("S##-####", "SP-##-#####", "#######", "@##-####", "CT-##########"),
    "ssn": lambda s: s.number_of_shape("9##-##-####", "9########", "9## ## ####"),
    "plan": lambda s: s.number_of_shape("@@@#########", "###-##-####@", "H########-##", "@###### ###"),
    "device": lambda s: s.number_of_shape("@@@######", "######-###", "SN#######@", "#@###@"),
    "npi": lambda s: s.number_of_shape("1#########"),
    "dea": lambda s: s.number_of_shape("@@#######"),
    "plate": lambda s: s.number_of_shape("@@@ ####", "###-@@@", "#@@ ##"),
    "phone": Slots.phone,
    "extension": lambda s: s.number_of_shape("extension ####", "x####"),
    "fax": Slots.phone,
    "pager": lambda s: s.number_of_shape("#####", "####", "555-####"),
    "email": Slots.email,
    "url": lambda s: f"www.{s.pick(PLACES['domain'])}",
    "hospital": lambda s: s.pick(PLACES["hospital"]),
    "HOSPITAL": lambda s: s["hospital"].upper(),
    "hospital_short": lambda s: s.pick(PLACES["hospital_short"]),
    "street_line": Slots.street_line,
    "street_name": Slots.street,
    "city": lambda s: s.pick(PLACES["city"]),
    "state": lambda s: s.pick(PLACES["state"]),
    "zip": lambda s: s.number_of_shape("#####", "#####", "#####-####"),
    "ward": lambda s: s.pick(PLACES["ward"]),
    "room": lambda s: s.number_of_shape("###", "###@", "#-###"),
    "facility": lambda s: s.pick(PLACES["facility"]),
    "employer": lambda s: s.pick(PLACES["employer"]),
    "church": lambda s: s.pick(PLACES["church"]),
}
KINDS: dict[str, tuple[str, str]] = {
    "patient": ("NAME", "PATIENT"), "patient_lf": ("NAME", "PATIENT"), "PATIENT": ("NAME", "PATIENT"),
    "patient_first": ("NAME", "PATIENT"), "patient_last": ("NAME", "PATIENT"),
    "doctor": ("NAME", "DOCTOR"), "doctor_lf": ("NAME", "DOCTOR"), "doctor_last": ("NAME", "DOCTOR"),
    "doctor2_last": ("NAME", "DOCTOR"), "doctor3_last": ("NAME", "DOCTOR"),
    "nurse": ("NAME", "STAFF"), "nurse_lf": ("NAME", "STAFF"), "nurse_first": ("NAME", "STAFF"),
    "relative": ("NAME", "RELATIVE"), "initials": ("NAME", "INITIALS"), "dictation": ("NAME", "INITIALS"),
    "date": ("DATE", "DATE"), "admit": ("DATE", "DATE"), "discharge": ("DATE", "DATE"), "future": ("DATE", "DATE"),
    "earlier": ("DATE", "DATE"), "dob": ("DATE", "DATE"), "md": ("DATE", "DATE_PARTIAL"),
    "month_year": ("DATE", "DATE_MONTHYEAR"), "month": ("DATE", "MONTH"), "year": ("DATE", "YEAR"),
    "range": ("DATE", "DATE"), "weekday": ("DATE", "DAYOFWEEK"), "holiday": ("DATE", "HOLIDAY"),
    "age": ("AGE", "AGE90"), "mrn": ("ID", "MRN"), "account": ("ID", "ACCOUNT"), "accession": ("ID", "ACCESSION"),
    "ssn": ("ID", "SSN"), "plan": ("ID", "HEALTHPLAN"), "device": ("ID", "DEVICE"), "npi": ("ID", "LICENSE"),
    "extension": ("CONTACT", "PHONE"),
    "dea": ("ID", "LICENSE"), "plate": ("ID", "VEHICLE"), "phone": ("CONTACT", "PHONE"), "fax": ("CONTACT", "FAX"),
    "pager": ("CONTACT", "PAGER"), "email": ("CONTACT", "EMAIL"), "url": ("CONTACT", "URL"),
    "hospital": ("LOCATION", "HOSPITAL"), "HOSPITAL": ("LOCATION", "HOSPITAL"),
    "hospital_short": ("LOCATION", "HOSPITAL_ABBR"), "street_line": ("LOCATION", "STREET"),
    "street_name": ("LOCATION", "STREET"), "city": ("LOCATION", "CITY"), "state": ("LOCATION", "STATE"),
    "zip": ("LOCATION", "ZIP"), "ward": ("LOCATION", "WARD"), "room": ("LOCATION", "WARD"),
    "facility": ("LOCATION", "ORGANIZATION"), "employer": ("LOCATION", "ORGANIZATION"),
    "church": ("LOCATION", "ORGANIZATION"),
}  # fmt: skip
OPTIONAL = {"YEAR", "DAYOFWEEK", "STATE"}  # removing or keeping them is neither right nor wrong
