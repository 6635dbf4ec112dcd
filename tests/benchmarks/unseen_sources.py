"""Written forms from sources that are independent of our rules.

Babel's date patterns, forms that python-dateutil reads back as the same day, phonenumbers' example numbers, Faker's
people, places and numbers, num2words' ages; and what must stay: laboratory values and announced codes. ``unseen_forms``
puts them into sentences and measures the results. Needs the packages of the extra ``bench``.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import itertools
import random
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import phonenumbers
from babel import Locale, dates, localedata
from dateutil import parser as dateutil_parser
from faker import Faker
from num2words import num2words

TEMPLATES = Path(__file__).parent / "templates"
REGIONS = [
    "US", "CA", "GB", "IE", "AU", "NZ", "IN", "ZA", "NG", "KE", "SG", "HK", "PH", "MX", "BR", "AR", "DE", "FR", "ES",
    "IT", "NL", "BE", "CH", "AT", "SE", "NO", "DK", "PL", "PT", "JP",
]  # fmt: skip
# Only locales in Latin letters: words in other scripts are unlisted and removed anyway. it_IT is left out since Faker
# draws its cities from a set, whose order differs between processes.
LOCALES = [
    "en_US", "en_GB", "en_AU", "en_CA", "en_IN", "en_IE", "en_NZ", "de_DE", "fr_FR", "es_ES", "es_MX", "ro_RO", "nl_NL",
    "pt_BR", "pl_PL", "sv_SE", "da_DK", "no_NO", "fi_FI", "tr_TR",
]  # fmt: skip

Span = tuple[int, int, str, str, bool]


@dataclass(frozen=True, slots=True)
class Form:
    """A written form; ``spans`` must go: (start, end, category, subtype, hipaa). Without spans all of it must stay."""

    family: str
    source: str
    text: str
    spans: tuple[Span, ...] = ()


def removed_form(family: str, source: str, text: str, category: str, subtype: str) -> Form:
    """Return a form that must go as a whole."""
    return Form(family, source, text, ((0, len(text), category, subtype, True),))


def date_form(family: str, source: str, text: str) -> Form:
    """Return a date; words that say nothing about the day (era, `week`, `quarter`) may stay or go."""
    spans: list[Span] = []
    at = 0
    for word in [*re.finditer(r"\b(?:week|of|quarter|AD)\b", text), None]:
        end = word.start() if word else len(text)
        if re.search(r"\w", text[at:end]):
            left = at + len(text[at:end]) - len(text[at:end].lstrip())
            spans.append((left, at + len(text[at:end].rstrip()), "DATE", "DATE", True))
        if word:
            spans.append((*word.span(), "DATE", "DATE", False))
            at = word.end()
    return Form(family, source, text, tuple(spans))


def random_days(rng: random.Random, count: int) -> list[dt.date]:
    """Return random days in the years from 1931 to 2024."""
    first = dt.date(1931, 1, 1)
    return [first + dt.timedelta(days=rng.randrange(365 * 94)) for _ in range(count)]


# ---- dates -----------------------------------------------------------------------------------------------------------


def babel_locales() -> list[Locale]:
    """Return all English locales of Babel in Latin letters (others are in the Shavian and Deseret alphabets)."""
    names = localedata.locale_identifiers()
    locales = [Locale.parse(n) for n in sorted(names) if n == "en" or n.startswith("en_")]
    return [locale for locale in locales if locale.script in {None, "Latn"}]


def babel_patterns() -> list[tuple[str, str]]:
    """Return the distinct (family, pattern): patterns of dates and parts of dates, but not of times only."""
    found: dict[str, str] = {}
    for locale in babel_locales():
        for pattern in locale.date_formats.values():
            found.setdefault(pattern.pattern, "date.full")
        for skeleton, pattern in locale.datetime_skeletons.items():
            letters = set(skeleton)
            if letters & set("hHBm") or skeleton in {"d", "M", "y", "E", "MMM", "Ed", "Gy"}:
                continue  # times of day, and a bare day, month or year, which fits no neutral sentence
            family = "date.part"
            if {"y", "M", "d"} <= letters:
                family = "date.full"
            found.setdefault(pattern.pattern, family)
    return sorted((family, pattern) for pattern, family in found.items())


def babel_dates(rng: random.Random) -> Iterator[Form]:
    """Yield every pattern of every English locale, with a few days each."""
    for family, pattern in babel_patterns():
        for day in random_days(rng, 12):
            text = dates.format_date(day, pattern, locale="en")
            yield date_form(f"{family}.babel", pattern, text)


def babel_intervals(rng: random.Random) -> Iterator[Form]:
    """Yield ranges of two dates in each English locale with a format of its own."""
    seen: dict[str, Form] = {}
    for locale in babel_locales():
        for skeleton in ("yMd", "yMMMd", "yMMMEd", "yMMM", "yM", "MMMd", "Md", "MEd", "MMMEd", "yMEd", "yMMMM"):
            for start in random_days(rng, 2):
                end = start + dt.timedelta(days=rng.choice([2, 9, 40, 400]))
                text = dates.format_interval(start, end, skeleton, locale=locale)
                if re.search(r"\d", text):
                    seen.setdefault(
                        text, removed_form("date.range.babel", f"{locale} {skeleton}", text, "DATE", "DATE")
                    )
    yield from rng.sample(list(seen.values()), 700)


def babel_datetimes(rng: random.Random) -> Iterator[Form]:
    """Yield dates with a time of day; only the date must go."""
    locales = babel_locales()
    for _ in range(300):
        locale = rng.choice(locales)
        moment = dt.datetime.combine(random_days(rng, 1)[0], dt.time(rng.randrange(24), rng.randrange(60)))
        form = rng.choice(["short", "medium", "long", "full"])
        day = dates.format_date(moment, form, locale=locale)
        text = f"{day}{rng.choice([' ', ', ', ' at '])}{dates.format_time(moment, 'short', locale=locale)}"
        yield Form("date.time.babel", f"{locale} {form}", text, ((0, len(day), "DATE", "DATE", True),))


ORDERS = ["mdy", "dmy", "ymd"]


def dateutil_candidates(day: dt.date) -> Iterator[tuple[str, str]]:
    """Yield many spellings of a day, good and bad; python-dateutil later selects those that mean that day."""
    th = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    parts = {
        "d": [str(day.day), f"{day.day:02}", f"{day.day}{th}"],
        "m": [str(day.month), f"{day.month:02}", f"{day:%b}", f"{day:%B}", f"{day:%b}.",
              f"{day:%B}".upper(), f"{day:%b}".lower()],
        "y": [str(day.year), f"{day.year % 100:02}", f"'{day.year % 100:02}"],
    }  # fmt: skip
    for order in ORDERS:
        for values in itertools.product(*(parts[c] for c in order)):
            for separator in ["/", "-", ".", " ", ", ", " - ", " / ", ""]:
                yield order, separator.join(values)
            yield order, f"{values[0]} {values[1]}, {values[2]}"
            yield order, f"{values[0]} of {values[1]} {values[2]}"
    for text in (
        day.isoformat(), f"{day:%Y%m%d}", f"{day:%Y-%j}", f"{day:%G-W%V-%u}", f"{day:%GW%V%u}", f"{day}T07:45:00Z",
        f"{day}T07:45", f"{day:%Y%m%d}T0745", f"{day:%a %b %d 07:45:00 %Y}", f"{day:%A, %d-%b-%y 07:45:00 GMT}",
        email.utils.format_datetime(dt.datetime.combine(day, dt.time(7, 45))),
    ):  # fmt: skip
        yield "stamp", text


def dateutil_dates(rng: random.Random, count: int = 1500) -> Iterator[Form]:
    """Yield the forms that python-dateutil reads as the original day."""
    made: list[Form] = []
    for day in random_days(rng, 12):
        default = dt.datetime(2000, 1, 1)
        for order, text in dateutil_candidates(day):
            try:
                if order == "stamp" and re.search(r"W|-\d{3}$", text):
                    read = dateutil_parser.isoparse(text)
                else:
                    read = dateutil_parser.parse(
                        text, default=default, dayfirst=order == "dmy", yearfirst=order == "ymd"
                    )
            except (ValueError, OverflowError):
                continue
            # A bare number, or digits without any separator in an unusual order, is not a written date.
            if read.date() == day and (order == "stamp" or not text.isdigit()):
                family = "date.full.dateutil" if order != "stamp" else "date.stamp.dateutil"
                # A time of day may stay.
                end = re.search(r"T\d|( 07:45:00( GMT)?)", text) if order == "stamp" else None
                stop = end.start() if end and not re.search(r" \d{4}$", text) else len(text)
                made.append(Form(family, order, text, ((0, stop, "DATE", "DATE", True),)))
    stamps = [f for f in made if f.source == "stamp"]
    yield from rng.sample([f for f in made if f.source != "stamp"], count)
    yield from rng.sample(stamps, min(len(stamps), count // 5))


# ---- ages ------------------------------------------------------------------------------------------------------------

AGE_FORMS = [
    "{} years old", "{}-year-old", "{} year old", "{} years of age", "age {}", "aged {}", "at the age of {}",
    "at age {}", "{} yo", "{} y/o", "{} yrs old", "just turned {}", "age: {}",
]  # fmt: skip


def age_forms(rng: random.Random) -> Iterator[Form]:
    """Yield ages over 89, in digits and in the words of num2words."""
    for age in range(90, 121):
        words = num2words(age, lang="en")
        spellings = {words, words.replace("-", " "), words.title(), words.replace(" and ", " "), str(age)}
        for spelling in sorted(spellings):
            for form in rng.sample(AGE_FORMS, 6):
                if "-year" in form:
                    spelling = spelling.replace(" ", "-")
                text = form.format(spelling)
                start = text.index(spelling)
                kind = "digits" if spelling.isdigit() else "words"
                yield Form(f"age.{kind}", form, text, ((start, start + len(spelling), "AGE", "AGE90", True),))


# ---- contact ---------------------------------------------------------------------------------------------------------


def phone_forms(_rng: random.Random) -> Iterator[Form]:
    """Yield the example numbers of 30 regions in every format of phonenumbers."""
    styles = phonenumbers.PhoneNumberFormat
    seen = set()
    for region, kind in itertools.product(REGIONS, phonenumbers.PhoneNumberType.values()):
        number = phonenumbers.example_number_for_type(region, kind)
        if number is None:
            continue
        for style in (styles.E164, styles.INTERNATIONAL, styles.NATIONAL, styles.RFC3966):
            for extension in (None, "437"):
                number.extension = extension
                text = phonenumbers.format_number(number, style)
                if text in seen:
                    continue
                seen.add(text)
                start = text.index(":") + 1 if text.startswith("tel:") else 0
                name = {v: k for k, v in vars(styles).items() if isinstance(v, int)}[style].lower()
                yield Form(f"phone.{name}", region, text, ((start, len(text), "CONTACT", "PHONE", True),))


# ---- people, places and numbers of Faker -----------------------------------------------------------------------------

FAKER: dict[str, tuple[str, str, str]] = {
    "name.full": ("name", "NAME", "PATIENT"),
    "name.last_first": ("last_first", "NAME", "PATIENT"),
    "name.initial": ("initial_last", "NAME", "DOCTOR"),
    "name.titled": ("titled", "NAME", "DOCTOR"),
    "place.address": ("address", "LOCATION", "STREET"),
    "place.street": ("street_address", "LOCATION", "STREET"),
    "place.city": ("city", "LOCATION", "CITY"),
    "place.company": ("company", "LOCATION", "ORGANIZATION"),
    "id.national": ("ssn", "ID", "SSN"),
    "id.plate": ("license_plate", "ID", "VEHICLE"),
    "id.vin": ("vin", "ID", "VEHICLE"),
    "id.passport": ("passport_number", "ID", "LICENSE"),
    "id.iban": ("iban", "ID", "ACCOUNT"),
    "id.account": ("bban", "ID", "ACCOUNT"),
    "id.card": ("credit_card_number", "ID", "ACCOUNT"),
    "id.swift": ("swift", "ID", "ACCOUNT"),
    "id.uuid": ("uuid4", "ID", "OTHER"),
    "id.user": ("user_name", "ID", "OTHER"),
    "contact.email": ("email", "CONTACT", "EMAIL"),
    "contact.url": ("url", "CONTACT", "URL"),
    "contact.ipv4": ("ipv4", "CONTACT", "URL"),
    "contact.ipv6": ("ipv6", "CONTACT", "URL"),
    "contact.mac": ("mac_address", "CONTACT", "URL"),
    "phone.faker": ("phone_number", "CONTACT", "PHONE"),
}


def fake_value(fake: Any, method: str) -> str | None:
    """Return one value from Faker, or None if the locale has none."""
    if method == "last_first":
        return f"{fake.last_name()}, {fake.first_name()}"
    if method == "initial_last":
        return f"{fake.first_name()[0]}. {fake.last_name()}"
    maker: Callable[[], str] | None = getattr(fake, "last_name" if method == "titled" else method, None)
    return str(maker()).strip().replace("\n", ", ") if maker else None


def faker_forms(rng: random.Random, count: int = 15) -> Iterator[Form]:
    """Yield `count` values of each kind in each of 20 locales; honorifics and states are not counted."""
    for locale in LOCALES:
        fake = Faker(locale)
        fake.seed_instance(rng.randrange(1 << 30))
        for family, (method, category, subtype) in FAKER.items():
            for _ in range(count):
                text = fake_value(fake, method)
                if text is None:
                    break
                spans: list[Span] = [(0, len(text), category, subtype, True)]
                if method == "titled":
                    title = rng.choice(["Dr. ", "Mr. ", "Mrs. ", "Prof. "])
                    text, spans = title + text, [(len(title), len(title) + len(text), category, subtype, True)]
                elif method == "name" and (honorific := HONORIFIC.match(text)):
                    spans = [(honorific.end(), len(text), category, subtype, True)]
                elif method == "address" and (state := re.search(r", ([A-Z]{2,3}),? (?=\w*\d)", text)):
                    spans = [
                        (0, state.start(1), category, subtype, True),
                        (state.start(1), state.end(1), "LOCATION", "STATE", False),
                        (state.end(), len(text), "LOCATION", "ZIP", True),
                    ]
                yield Form(family, locale, text, tuple(spans))


HONORIFIC = re.compile(
    r"(?:(?:Mrs?|Ms|Miss|Drs?|Prof|Herrn?|Frau|Sra?|Srta|Dott|Sig|Sig\.ra|Sig\.na|M|Mme|Mlle|pan|pani|Bay|Bayan|Dhr|Mevr|Mw"
    r"|Univ\.Prof|Dipl\.-Ing|Ing)\.? )+"
)


# ---- what must stay --------------------------------------------------------------------------------------------------


def laboratory_forms(rng: random.Random, table: dict[str, Any]) -> Iterator[Form]:
    """Yield laboratory and vital values with their names, with and without units."""
    for (name, unit, low, high, decimals), form in itertools.product(table["laboratory"], table["value_forms"]):
        for _ in range(4):
            value = f"{rng.uniform(low, high):.{decimals}f}"
            text = form.format(name=name, value=value, unit=unit).strip()
            yield Form("keep.laboratory" if unit and unit in text else "keep.laboratory.bare", form, text)


def announced_code_forms(table: dict[str, Any]) -> Iterator[Form]:
    """Yield codes announced by the name of their system."""
    for key, systems in {
        "icd10": ["ICD-10", "ICD-10-CM"], "icd9": ["ICD-9", "ICD9"], "cpt": ["CPT"], "loinc": ["LOINC"],
    }.items():  # fmt: skip
        for code, system, form in itertools.product(table[key], systems, table["code_forms"]):
            yield Form(f"keep.{key}", form, form.format(system=system, code=code))


def all_forms(seed: int) -> list[Form]:
    """Return all forms of all sources, the same for the same seed and versions of the packages."""
    rng = random.Random(seed)
    table = tomllib.loads((TEMPLATES / "negatives.toml").read_text(encoding="utf-8"))
    sources = (babel_dates, babel_intervals, babel_datetimes, dateutil_dates, age_forms, phone_forms, faker_forms)
    made = [form for source in sources for form in source(rng)]
    return [*made, *laboratory_forms(rng, table), *announced_code_forms(table)]
