"""Residual risk of an output: counts of facts that may point to a person, with small counts suppressed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from notesieve.evidence.attributes import CHARACTERISTICS, Attributes, merge_attributes, read_attributes
from notesieve.evidence.suppression import MIN_SHOWN_COUNT, suppress_small_count, suppress_small_counts

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote
    from notesieve.scrubber import Scrubber

QUASI_IDENTIFIERS: dict[str, tuple[str, ...]] = {
    "age group, sex": ("age_group", "sex"),
    "age group, sex, year": ("age_group", "sex", "years"),
    "age group, sex, year, place kept": ("age_group", "sex", "years", "places"),
    "age group, sex, year, place kept, rare codes": ("age_group", "sex", "years", "places", "rare_codes"),
}
"""The combinations for which classes are counted, each with one more fact that an outsider may know."""

_BINS = (("alone", 1, 1), ("with 1 to 3 others", 2, 4), ("with 4 to 9 others", 5, 10), ("with 10 or more", 11, None))
_GROUPS = ("disorder", "finding", "procedure")
_MAX_CODES = 40
_MIN_UNIQUE_WORDS = 5


@dataclass(frozen=True)
class ResidualRisk:
    """The facts that remain in an output. No value is note text; counts below `least` are None.

    Attributes
    ----------
    unit : {"note", "patient"}
        What is counted.
    units, least : int
        The number of units; the smallest count that is shown.
    known : dict of str to dict
        The number of units in which each fact is ``stated`` and ``not stated``, and the number of its ``values``.
    age_groups : dict of str to int or None
        The number of units that state an age of each group, the youngest first.
    classes : dict of str to dict
        For each combination of facts, the number of units by how many others share all of them; and the size of the
        ``smallest`` class, None if below `least`.
    rare_codes : list of tuple of (str, str, str)
        Code, name and group of concepts in fewer than `least` units; at most the 40 rarest, sorted by group and name.
    rare_code_count : int
        The number of such codes.
    standing_out : int or None
        The number of units with an unusually large share of words and codes that no other unit has.
    to_read : list of dict
        The names of units that stand out or are alone, with reasons: for people who may read the notes, never for a
        page.
    """

    unit: str
    units: int
    least: int
    known: dict[str, dict[str, int | None]]
    age_groups: dict[str, int | None]
    classes: dict[str, dict[str, int | None]]
    rare_codes: list[tuple[str, str, str]]
    rare_code_count: int
    standing_out: int | None
    to_read: list[dict[str, str]]

    def __repr__(self) -> str:
        """Return the number of units only, no content."""
        return f"ResidualRisk({self.units} {self.unit}s)"

    def to_dict(self) -> dict[str, Any]:
        """Return everything that may be shown, for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "to_read"}


def residual_risk(
    notes: Iterable[tuple[str, ScrubbedNote]],
    scrubber: Scrubber,
    *,
    patients: Mapping[str, str] | None = None,
    least: int = MIN_SHOWN_COUNT,
) -> ResidualRisk:
    """Measure the residual risk of scrubbed notes.

    Parameters
    ----------
    notes : iterable of (str, ScrubbedNote)
        The name of each note and the note, with its decisions.
    scrubber : Scrubber
        The scrubber that made them.
    patients : mapping of str to str, optional
        The patient of each note. Default: each note counts as a patient of its own.
    least : int, optional
        Counts below this are suppressed.

    Returns
    -------
    ResidualRisk

    Examples
    --------
    >>> import notesieve as ns
    >>> scrubber = ns.Scrubber()
    >>> texts = ["47 year old man with cough."] * 12 + ["A plumber with Fabry disease."]
    >>> notes = enumerate(scrubber.scrub_many(texts, explain=True))
    >>> found = residual_risk(((str(at), note) for at, note in notes), scrubber)
    >>> found.rare_codes
    [('mesh:D000795', 'Fabry Disease', 'disorder')]
    >>> found.classes["age group, sex"]["alone"] is None  # one note, suppressed
    True
    """
    names: dict[str, tuple[str, str]] = {}
    parts: dict[str, list[Attributes]] = {}
    own = _UniqueWords()
    for doc, note in notes:
        told = read_attributes(note, scrubber.policy, scrubber.vocabulary)
        unit = (patients or {}).get(doc, doc)
        own.add(unit, told.words)
        told.words = frozenset()  # not needed any more, and a release has many
        parts.setdefault(unit, []).append(told)
        names |= {mention.code: (mention.name, mention.group) for mention in note.concepts if mention.code}
    units = {unit: merge_attributes(some) if len(some) > 1 else some[0] for unit, some in parts.items()}
    frequency = Counter(code for told in units.values() for code in told.codes)
    rare = {code for code, count in frequency.items() if count < least}
    rarest = sorted(rare, key=lambda code: (frequency[code] > 2, _group_rank(names[code][1]), frequency[code], code))
    classes, alone = _count_equivalence_classes(units, rare, least)
    out = own.outlier_units()
    return ResidualRisk(
        unit="note" if patients is None else "patient",
        units=len(units),
        least=least,
        known=_count_stated_attributes(list(units.values()), least),
        age_groups=_count_age_groups(list(units.values()), least),
        classes=classes,
        rare_codes=sorted(((code, *names[code]) for code in rarest[:_MAX_CODES]), key=_rare_code_sort_key),
        rare_code_count=len(rare),
        standing_out=suppress_small_count(len(out), least),
        to_read=_units_to_read(alone, out),
    )


def _group_rank(group: str) -> int:
    """Return the sort rank of a semantic group: the most identifying first."""
    return _GROUPS.index(group) if group in _GROUPS else len(_GROUPS)


def _rare_code_sort_key(row: tuple[str, str, str]) -> tuple[int, str]:
    """Return the sort key of a row of rare codes."""
    return _group_rank(row[2]), row[1].casefold()


def _units_to_read(alone: set[str], out: set[str]) -> list[dict[str, str]]:
    """Return the units that stand out or are alone, with the reasons, for people to read."""
    reasons = [("alone in age group, sex, year and place", alone), ("many words and codes that no other has", out)]
    return [
        {"unit": unit, "why": "; ".join(words for words, units in reasons if unit in units)}
        for unit in sorted(alone | out)
    ]


def _attribute_values(told: Attributes, rare: set[str], names: Sequence[str]) -> tuple[object, ...]:
    """Return the values of the named attributes of a unit."""
    return tuple(told.codes & rare if name == "rare_codes" else getattr(told, name) for name in names)


def _count_equivalence_classes(
    units: Mapping[str, Attributes], rare: set[str], least: int
) -> tuple[dict[str, dict[str, int | None]], set[str]]:
    """Count units by the size of their equivalence class; also return the units that are alone without rare codes."""
    found: dict[str, dict[str, int | None]] = {}
    alone: set[str] = set()
    for title, names in QUASI_IDENTIFIERS.items():
        facts = {unit: _attribute_values(told, rare, names) for unit, told in units.items()}
        sizes = Counter(facts.values())
        counts = {
            label: sum(size for size in sizes.values() if size >= low and (high is None or size <= high))
            for label, low, high in _BINS
        }
        smallest = min(sizes.values(), default=0)
        found[title] = {**suppress_small_counts(counts, least), "smallest": suppress_small_count(smallest, least)}
        if "rare_codes" not in names:
            alone = {unit for unit, values in facts.items() if sizes[values] == 1}
    return found, alone


def _count_stated_attributes(units: Sequence[Attributes], least: int) -> dict[str, dict[str, int | None]]:
    """Count for each attribute the units that state it and its distinct values."""
    readings: dict[str, list[Iterable[str] | None]] = {
        "age": [told.age_group for told in units],
        "sex": [told.sex for told in units],
        "year": [told.years for told in units],
        "place kept": [told.places for told in units],
    }
    readings |= {name: [told.characteristics.get(name) for told in units] for name in CHARACTERISTICS}
    table = {}
    for name, values in readings.items():
        stated = sum(bool(value) for value in values)
        shown = suppress_small_counts({"stated": stated, "not stated": len(values) - stated}, least)
        distinct = {one for value in values if value for one in ([value] if isinstance(value, str) else value)}
        table[name] = {**shown, "values": None if shown["stated"] is None else len(distinct)}
    return table


def _count_age_groups(units: Sequence[Attributes], least: int) -> dict[str, int | None]:
    """Count the units that state an age, by group. If their total is suppressed, so is every group."""
    counts = Counter(told.age_group for told in units if told.age_group)
    order = [group for group in (*(f"{age}-{age + 9}" for age in range(0, 90, 10)), "90+") if counts[group]]
    stated = sum(counts.values())
    total = suppress_small_counts({"stated": stated, "not stated": len(units) - stated}, least)["stated"]
    if total is None:
        return dict.fromkeys(order)
    return suppress_small_counts([(group, counts[group]) for group in order], least)


class _UniqueWords:
    """Words and codes that occur in only one unit, and the number of words of each unit."""

    def __init__(self) -> None:
        self._only_unit: dict[str, str | None] = {}
        self._sizes: Counter[str] = Counter()

    def add(self, unit: str, words: Iterable[str]) -> None:
        """Add the words of one output."""
        for word in words:
            if self._only_unit.setdefault(word, unit) != unit:
                self._only_unit[word] = None
            self._sizes[unit] += 1

    def outlier_units(self) -> set[str]:
        """Return the units whose share of unique words is above the upper fence of Tukey's box plot."""
        if len(self._sizes) < 4:
            return set()
        own = Counter(unit for unit in self._only_unit.values() if unit is not None)
        shares = {unit: own[unit] / size for unit, size in self._sizes.items()}
        low, _, high = quantiles(shares.values(), n=4)
        fence = high + 1.5 * (high - low)
        return {unit for unit, share in shares.items() if share > fence and own[unit] >= _MIN_UNIQUE_WORDS}
