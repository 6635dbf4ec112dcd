"""Attributes of the patient that remain in a de-identified text: age, sex, year, place, codes, origin and others."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from sys import intern
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesieve._core import Policy, ScrubbedNote, Vocabulary

CHARACTERISTICS: dict[str, tuple[tuple[str, ...], str]] = {
    "origin": (
        ("mesh:D044469", "mesh:D005006", "mesh:D012067"),
        "african african-american afro-caribbean arab arabic armenian asian bengali brazilian buddhist cantonese "
        "caribbean catholic chinese christian creole cuban dutch egyptian ethiopian filipino german greek "
        "gypsy haitian hindu hispanic hmong immigrant indigenous iranian iraqi irish italian jamaican japanese "
        "jewish khmer korean latina latino mandarin mexican migrant mormon muslim nigerian "
        "pakistani persian polish portuguese protestant punjabi refugee romanian russian samoan sikh somali "
        "spanish sudanese swedish syrian thai turkish ukrainian vietnamese",
    ),
    "occupation": (
        ("mesh:D009274", "mesh:D009790"),
        "accountant actor actress architect artist astronaut athlete author baker banker barber bartender blacksmith "
        "boxer bricklayer builder butcher carpenter cashier chauffeur chef clergyman coach cobbler "
        "composer conductor cook coroner councillor dancer designer detective diplomat diver electrician engineer "
        "farmer firefighter fireman fisherman florist gardener glazier hairdresser historian janitor jeweller jockey "
        "journalist judge lawyer lecturer librarian locksmith machinist magician mason mayor mechanic miner "
        "minister missionary musician nun officer painter pastor photographer pianist pilot plumber "
        "politician policeman postman priest professor rabbi ranger realtor reporter roofer sailor "
        "scientist sculptor senator seamstress shepherd singer soldier solicitor surveyor tailor teacher "
        "trucker veteran veterinarian violinist waiter waitress weaver welder writer zookeeper",
    ),
    "event": (
        ("mesh:D000059", "mesh:D014754", "mesh:D004190", "mesh:D003415", "mesh:D014857"),
        "abducted abduction arrested arson assault assassination avalanche bombing deported derailment drowning "
        "earthquake electrocuted electrocution eviction evicted explosion gunshot homicide hostage hurricane "
        "imprisoned incarcerated jailed kidnapped landslide lawsuit lightning lottery massacre murder murdered "
        "newspaper parole pileup prison rape raped riot robbery shipwreck shooting stabbed stabbing "
        "suicide television tornado torture tortured trampled trafficking tsunami war wildfire wreck",
    ),
}  # fmt: skip
"""Of each characteristic the concepts whose descendants tell it, and words without a code that do."""

_STAFF = "mesh:D006282"
_AGE = re.compile(
    r"\b(?P<years>\d{1,2})(?:\s*-?\s*(?:years?|yrs?)(?:[-\s]+old|\s+of\s+age)|\s*-?\s*(?:y\.?\s?/?\s?o\.?|yo)\b"
    r"|\s?(?=[MF]\b))|\bage[d:]?\s*(?:is\s+|of\s+)?(?P<after>\d{1,2})|(?P<over>90\+)",
    re.IGNORECASE,
)
_SEX = re.compile(
    r"\b(?:(?P<female>female|woman|women|girl|lady|she|her|hers|mother)|(?P<male>male|man|boy|gentleman|he|his|him))\b"
    r"|(?:\d|y/?o|old|sex:?)[\s-]*(?P<letter>[MF])\b",
    re.IGNORECASE,
)
_UNITS = r"\s*(?:m[lgm]|mcg|cc|kcal|cal|units?|cells|steps|calories|hours|hrs|g|iu|/)\b"
_YEAR = re.compile(rf"(?<![\d.,:#])(?P<year>(?:19|20)\d\d)(?![\d,:]|\.\d|{_UNITS})", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(slots=True)
class Attributes:
    """The patient attributes in an output. Never shown themselves: only counts over many outputs are.

    Attributes
    ----------
    age_group, sex : str or None
        A decade such as ``"40-49"``, or ``"90+"``; ``"female"`` or ``"male"``.
    years, places, codes : frozenset of str
        Years; places that the policy keeps; codes of concepts.
    characteristics : dict of str to frozenset of str
        Words and codes that indicate an origin, an occupation or an event; only characteristics that occur.
    words : frozenset of str
        All words and codes, to find outlier texts.
    """

    age_group: str | None = None
    sex: str | None = None
    years: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    characteristics: dict[str, frozenset[str]] = field(default_factory=dict)
    words: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        """Return the number of codes only, no content."""
        return f"Attributes({len(self.codes)} codes)"


def read_attributes(note: ScrubbedNote, policy: Policy, vocabulary: Vocabulary) -> Attributes:
    """Extract the patient attributes that remain in a scrubbed note, from the output alone.

    Parameters
    ----------
    note : ScrubbedNote
        The note, with its decisions.
    policy : Policy
        The policy of the scrubber: places can remain only if it keeps some categories or kinds.
    vocabulary : Vocabulary
        The vocabulary in which the concepts of characteristics are looked up.

    Returns
    -------
    told : Attributes
        The attributes.

    Examples
    --------
    >>> import notesieve as ns
    >>> scrubber = ns.Scrubber()
    >>> note = scrubber.scrub("A 47 year old plumber, by lightning in 2004. He has Fabry disease.")
    >>> told = read_attributes(note, scrubber.policy, scrubber.vocabulary)
    >>> told.age_group, told.sex, sorted(told.years), sorted(told.characteristics["occupation"])
    ('40-49', 'male', ['2004'], ['plumber'])
    """
    text = note.text
    words = {word.casefold() for word in _WORD.findall(text)}
    codes = frozenset(intern(mention.code) for mention in note.concepts if mention.code)
    told = {
        name: words & _words_of_characteristic(name) | codes & _codes_of_characteristic(name, vocabulary)
        for name in CHARACTERISTICS
    }
    return Attributes(
        age_group=_age_group(text),
        sex=_stated_sex(text),
        years=frozenset(found["year"] for found in _YEAR.finditer(text)),
        places=_kept_places(note) if policy.keep else frozenset(),
        codes=codes,
        characteristics={name: frozenset(map(intern, found)) for name, found in told.items() if found},
        words=frozenset(words) | codes,
    )


def _age_group(text: str) -> str | None:
    found = _AGE.search(text)
    if found is None:
        return None
    decade = 90 if found["over"] else int(found["years"] or found["after"]) // 10 * 10
    return "90+" if decade >= 90 else f"{decade}-{decade + 9}"


def _stated_sex(text: str) -> str | None:
    counts: Counter[str] = Counter()
    for found in _SEX.finditer(text):
        letter = {"f": "female", "m": "male"}.get((found["letter"] or "").lower())
        counts[letter or ("female" if found["female"] else "male")] += 1
    return max(sorted(counts), key=counts.__getitem__, default=None)


def _kept_places(note: ScrubbedNote) -> frozenset[str]:
    """Return the places that the policy kept: location findings that were not removed."""
    places = set()
    removed = [(span.start, span.end) for span in note.removed]
    for finding in note.findings:
        if finding.category != "LOCATION":
            continue
        if any(start < finding.end and finding.start < end for start, end in removed):
            continue
        inside = [d for d in note.decisions if finding.start <= d.start and d.end <= finding.end]
        if inside:
            places.add(note.text[inside[0].output_start : inside[-1].output_end].casefold())
    return frozenset(places)


@cache
def _words_of_characteristic(characteristic: str) -> frozenset[str]:
    return frozenset(CHARACTERISTICS[characteristic][1].split())


@cache
def _codes_of_characteristic(characteristic: str, vocabulary: Vocabulary) -> frozenset[str]:
    roots = CHARACTERISTICS[characteristic][0]
    staff = _code_and_descendants(_STAFF, vocabulary)  # staff are in most notes
    return frozenset().union(*(_code_and_descendants(root, vocabulary) for root in roots)) - staff


def _code_and_descendants(code: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return a code and all its descendants; empty if the vocabulary has no such code."""
    if vocabulary.concept(code) is None:
        return frozenset()
    return frozenset({code, *(concept.code for concept in vocabulary.descendants(code))})


def merge_attributes(parts: list[Attributes]) -> Attributes:
    """Return the merged attributes of the outputs of one patient.

    Examples
    --------
    >>> one, other = Attributes(sex="female", years=frozenset({"2004"})), Attributes(age_group="40-49")
    >>> merge_attributes([one, other]).sex, merge_attributes([one, other]).age_group
    ('female', '40-49')
    """

    def union_of_sets(sets: list[frozenset[str]]) -> frozenset[str]:
        return frozenset().union(*sets)

    return Attributes(
        age_group=next((part.age_group for part in parts if part.age_group), None),
        sex=next((part.sex for part in parts if part.sex), None),
        years=union_of_sets([part.years for part in parts]),
        places=union_of_sets([part.places for part in parts]),
        codes=union_of_sets([part.codes for part in parts]),
        characteristics={
            name: union_of_sets([part.characteristics[name] for part in parts if name in part.characteristics])
            for name in dict.fromkeys(name for part in parts for name in part.characteristics)
        },
        words=union_of_sets([part.words for part in parts]),
    )
