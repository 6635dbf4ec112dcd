"""Read the sources of word lists of the default vocabulary: English, names, places, and word frequencies."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from readers import Extract

LONGEST_WORD = 25
RAREST, RARE = -20.5, -17.5  # log shares: of a missing form; minimum for a word without a cluster


def read_english_words(files: dict[str, bytes]) -> Extract:
    """Read the lower-case words of SCOWL, in the sizes with generally known words."""
    out = Extract()
    wanted = re.compile(r"(english|american|british)-words\.(10|20|35|40|50)")
    for name, data in sorted(files.items()):
        if not wanted.fullmatch(name):
            continue
        for word in data.decode("latin-1").split():
            out.counts["read"] += 1
            if re.fullmatch("[a-z]+", word):
                out.add_word("words.txt", word, 0)
            else:
                out.counts["dropped_not_lower_case_letters"] += 1
    return out


def read_census_names(names: Callable[[str], Iterable[tuple[str | None, int]]]) -> Extract:
    """Read surnames and first names with the number of bearers; `names` reads a table of the package."""
    out = Extract()
    for table, list_name in (
        ("census_2020.parquet", "surnames.tsv"),
        ("census_2020_first_names.parquet", "first-names.tsv"),
    ):
        for name, count in names(table):
            out.counts["read"] += 1
            if name and name.isalpha():
                out.add_word(list_name, name.lower(), count)
            else:
                out.counts["dropped_no_name"] += 1
    return out


def spellings_of_city(city: str) -> set[str]:
    """Return the spellings of a city in notes.

    Examples
    --------
    >>> sorted(spellings_of_city("Fort Wayne"))
    ['Fort Wayne', 'Ft Wayne', 'Ft. Wayne']
    """
    forms = {city, city.removesuffix(" City") if city == "New York City" else city}
    for full, short in (("Saint", "St"), ("Fort", "Ft"), ("Mount", "Mt")):
        for start in (f"{full} ", f"{short}. "):
            if city.startswith(start):
                rest = city.removeprefix(start)
                forms |= {f"{full} {rest}", f"{short} {rest}", f"{short}. {rest}"}
    return forms


def read_places(tables: dict[str, bytes]) -> Extract:
    """Read cities of more than 15,000 people (5,000 in the United States), counties, states and countries."""
    out = Extract()
    cities = list(json.loads(tables["cities15000.json"]).values())
    cities += [city for city in json.loads(tables["cities5000.json"]).values() if city["countrycode"] == "US"]
    for city in cities:
        out.counts["read"] += 1
        name = city["name"].strip()
        if len(name) < 4:
            out.counts["dropped_short_cities"] += 1
            continue
        for form in spellings_of_city(name):
            out.add_word("cities.tsv", form, city["population"])
    kinds = re.compile(
        r" (County|Parish|Borough|Census Area|City and Borough|Municipality|Municipio|Island|District|City"
        r"|Planning Region)$"
    )
    for county in json.loads(tables["us_counties.json"]):
        out.counts["read"] += 1
        out.add_word("counties.tsv", kinds.sub("", kinds.sub("", county["name"])).strip(), 0)
    for state in json.loads(tables["us_states.json"]).values():
        out.counts["read"] += 1
        out.add_word("states.tsv", state["name"], 0)
        out.add_word("states.tsv", state["code"], 0)
    for country in json.loads(tables["countries.json"]).values():
        out.counts["read"] += 1
        out.add_word("countries.tsv", country["name"].removeprefix("The "), country["population"])
    return out


def read_lists(folder: Path, *files: str) -> dict[str, int]:
    """Read the words of lists that are already written, with their counts."""
    lines = (line for file in files for line in (folder / file).read_text(encoding="utf-8").splitlines())
    rows = (line.partition("\t") for line in lines if not line.startswith("#"))
    return {word.casefold(): int(count or 0) for word, _, count in rows}


def read_literature_words(rows: str, folder: Path) -> Extract:
    """Read words seen at least five times that are not names, places, months or weekdays, and the counts of names."""
    out = Extract()
    ordinary = read_lists(folder, "english/words.txt").keys()
    names = read_lists(folder, "census/surnames.tsv", "census/first-names.tsv")
    calendar = read_lists(folder, "lexicon/month.txt", "lexicon/weekday.txt", "lexicon/holiday.txt")
    kinds = ("cities", "counties", "states", "countries")
    places_written = [f"places/{kind}.tsv" for kind in kinds]
    where = read_lists(folder, *places_written, "lexicon/state.txt", "lexicon/country.txt").keys() - ordinary
    for row in rows.splitlines():
        word, _, count = row.partition("\t")
        out.counts["read"] += 1
        if word in names and int(count) > 1 and re.fullmatch("[a-z]{3,}", word):
            # Evidence of how common a name is as a word; it never vouches for the word.
            out.words.setdefault("counts.tsv", {})[word] = int(count)
        if int(count) < 5:
            out.counts["dropped_rare"] += 1
        elif not re.fullmatch("[a-z]{3,}", word):
            # Two letters may be initials; the two-letter words that notes need are in the lexicon.
            out.counts["dropped_short_or_not_letters"] += 1
        elif word in names:
            out.counts["dropped_names"] += 1
        elif word in where or word in calendar:
            out.counts["dropped_places_and_dates"] += 1
        else:
            out.add_word("words.tsv", word, int(count))
    return out


def read_usage(clusters: bytes, logarithms: bytes) -> Extract:
    """Read word usage in general English: JSON with the Brown cluster and the log share of each form.

    Clusters are numbered in the order of their paths, so that clusters with near numbers have similar usage. `Usage` in
    the core documents the numbers.
    """
    path = json.loads(gzip.decompress(clusters))
    share = json.loads(gzip.decompress(logarithms))
    numbers = {
        cluster: number for number, cluster in enumerate(sorted(set(path.values()), key=lambda bits: f"{bits:b}"[::-1]))
    }
    if len(numbers) > 1024 or numbers[0] != 0:
        raise ValueError("more clusters than ten bits can tell")
    extract = Extract()
    words = {form.lower() for form in share if form.isascii() and form.isalpha() and len(form) < LONGEST_WORD}
    counted: dict[str, int] = {}
    for word in sorted(words):
        extract.counts["read"] += 1
        lower, capital, upper = (share.get(form, RAREST) for form in (word, word.capitalize(), word.upper()))
        small, large = (numbers[path.get(form, 0)] for form in (word, word.capitalize()))
        if max(lower, capital, upper) < RARE and not small and not large:
            extract.counts["dropped_rare"] += 1
            continue
        most = max(lower, capital)
        writing = (
            round_within(15, capital - lower + 7)
            | round_within(15, most + 20) << 4
            | round_within(7, (upper - most) / 1.5 + 4) << 8
        )
        counted[word] = small | large << 10 | writing << 20
    extract.words["usage.tsv"] = counted
    return extract


def round_within(most: int, value: float) -> int:
    """Round to a whole number from 0 to `most`."""
    return max(0, min(most, round(value)))
