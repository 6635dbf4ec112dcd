"""The 18 identifiers of the Safe Harbor method, 45 CFR 164.514(b)(2)(i), and what removes each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from notesieve._core import Policy

if TYPE_CHECKING:
    from notesieve.scrubber import Scrubber

# Policy categories of the identifiers of a paragraph; paragraphs that are not listed have category `id`.
_CATEGORIES_BY_PARAGRAPH = {"A": ("name",), "B": ("location",), "C": ("date", "age"), "Q": ()} | dict.fromkeys(
    "DEFNO", ("contact",)
)
_MARK = re.compile(r"\[\[(.+?)\]\]")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier of the Safe Harbor method.

    Attributes
    ----------
    letter : str
        The paragraph of the regulation, ``"A"`` to ``"R"``.
    name : str
        The shortened wording of the regulation.
    kinds : tuple of str
        The kinds of PHI as which notesieve reports it.
    removed_by : str
        The rules, models and lists that find it.
    limit : str
        What can remain, or is not covered.
    examples : tuple of str
        Invented sentences. Text that must be removed is in double square brackets.
    """

    letter: str
    name: str
    kinds: tuple[str, ...]
    removed_by: str
    limit: str
    examples: tuple[str, ...]


SAFE_HARBOR: tuple[Identifier, ...] = (
    Identifier(
        "A",
        "Names",
        ("name", "patient", "relative", "initials", "organisation"),
        "Rules (titles, credentials, labels, relatives), the model of names from the context, the names given with "
        "`Patient`; a name on no list cannot come out. Names of employers are organisations.",
        "A name that is also an ordinary word, with nothing beside it that marks it as a name.",
        (
            "Patient: [[Ada Thornquist]]. Known asthma.",
            "Her husband [[Osric Pellworth]] was called.",
            "Seen with her daughter [[Una]].",
            "Employer: [[Thornquist Kettle Works]]. Retired.",
        ),
    ),
    Identifier(
        "B",
        "All geographic subdivisions smaller than a state",
        ("street", "city", "county", "zip", "hospital", "ward"),
        "Rules (addresses, postal codes, towns before a state), lists of places, the model of names, lists of the "
        "site. "
        'With `zip = "prefix"` three digits stay where more than 20,000 people live.',
        "A place described in words (*the village by the old mill*).",
        (
            "Lives at [[42 Ellery Street]], [[Larkmoor]], MA [[02139]].",
            "Transferred from [[Saint Osric Hospital]].",
            "Home: [[17 Tansy Road]], [[Quillshire County]].",
        ),
    ),
    Identifier(
        "C",
        "All elements of dates except the year; ages over 89",
        (
            "date",
            "day-month",
            "month-year",
            "month",
            "early-year",
            "year",
            "weekday",
            "holiday",
            "season",
            "age-over-89",
        ),
        "Rules (a grammar of dates and ages). Years alone stay, as the regulation permits, except those before 1960 "
        "and "
        'those that tell an age over 89. With `dates = "shift"` dates move by a secret number of weeks instead.',
        "A date described in words (*the day after the storm*). Shifted dates are not removed dates: Safe Harbor "
        "then does not hold.",
        (
            "Admitted on [[03/14/2019]] with fever.",
            "Surgery on [[March 3rd]], home since [[4 July 2018]].",
            "She is a [[93]]-year-old woman, born [[1926]].",
        ),
    ),
    Identifier(
        "D",
        "Telephone numbers",
        ("phone", "pager"),
        "Rules (forms of numbers, labels, spoken digits).",
        "A short number without a label, such as an extension.",
        ("Please call [[617-555-0143]] before noon.", "Cell: [[(413) 555-0178]]. Pager [[55512]]."),
    ),
    Identifier(
        "E",
        "Fax numbers",
        ("fax",),
        "Rules, as for telephone numbers.",
        "As for telephone numbers.",
        ("Fax: [[617-555-0144]].",),
    ),
    Identifier(
        "F",
        "Electronic mail addresses",
        ("email",),
        "A rule for their form, also where `@` and dots are spelt out.",
        "An address spelt out in ordinary words.",
        ("Write to [[ada.thornquist@example.org]].",),
    ),
    Identifier(
        "G",
        "Social security numbers",
        ("ssn",),
        "Rules (form and label); long numbers never come out.",
        "The last digits alone, without a label.",
        ("SSN: [[219-09-9999]].", "Social security number [[078051120]] on file."),
    ),
    Identifier(
        "H",
        "Medical record numbers",
        ("record", "accession"),
        "Rules (labels and forms), the number given with `Patient`; long numbers never come out.",
        "A short number with no label that looks like a measurement.",
        ("MRN [[00482913]] admitted.", "Accession: [[S19-20417]]."),
    ),
    Identifier(
        "I",
        "Health plan beneficiary numbers",
        ("health-plan",),
        "Rules (labels and forms).",
        "As for record numbers.",
        ("Medicare number [[1EG4-TE5-MK73]].", "Member ID: [[XQZ884120913]]."),
    ),
    Identifier(
        "J",
        "Account numbers",
        ("account",),
        "Rules (labels and forms).",
        "As for record numbers.",
        ("Account #[[7718830425]] was billed.",),
    ),
    Identifier(
        "K",
        "Certificate and license numbers",
        ("license",),
        "Rules (labels and forms).",
        "As for record numbers.",
        ("Driver's license [[S58120934]] was copied.", "DEA number [[BQ4471829]]."),
    ),
    Identifier(
        "L",
        "Vehicle identifiers and serial numbers, license plates",
        ("vehicle",),
        "Rules (labels and forms).",
        "As for record numbers.",
        ("License plate [[7QX-M42]].", "VIN [[1M8GDM9AXKP042788]]."),
    ),
    Identifier(
        "M",
        "Device identifiers and serial numbers",
        ("device",),
        "Rules (labels and forms).",
        "The model or brand of a device stays unless `brands = false`.",
        ("Pacemaker serial number [[PJN448120]].", "Implant lot [[88213-C]]."),
    ),
    Identifier(
        "N",
        "Web addresses (URLs)",
        ("url", "handle"),
        "A rule for their form; names of accounts in social media.",
        "An address spelt out in ordinary words.",
        ("See [[https://thornquist.example.org/ada]] for photos.",),
    ),
    Identifier(
        "O",
        "Internet Protocol addresses",
        ("network",),
        "A rule for their form, also of hardware addresses.",
        "An address spelt out in ordinary words.",
        ("Connected from [[203.0.113.77]].",),
    ),
    Identifier(
        "P",
        "Biometric identifiers, including finger and voice prints",
        ("other-id",),
        "Only text is read and written. Codes of such records are removed as identifiers.",
        "A description of a print in words.",
        ("Fingerprint ID: [[FP-2093188]].",),
    ),
    Identifier(
        "Q",
        "Full-face photographs and comparable images",
        (),
        "Only text comes out: images and attachments are not read. Names of files and encoded bytes are on no list.",
        "A description of a face in words. Images beside the notes are outside of what was measured.",
        ("Photo stored as [[IMG_20418.jpg]].",),
    ),
    Identifier(
        "R",
        "Any other unique identifying number, characteristic or code",
        ("other-id", "user-name"),
        "Rules for labelled identifiers; numbers come out only where the grammar of clinical numbers or the model "
        "vouches for them; words on no list do not come out.",
        "Characteristics in ordinary words: a rare disease, event or occupation. See the residual risk.",
        ("User name: [[athornquist9]].", "Study ID [[QX-7731-K]] enrolled."),
    ),
)
"""The identifiers in the order of the regulation."""

BEYOND_SAFE_HARBOR: tuple[str, ...] = ("staff", "state", "country", "ethnicity")
"""Kinds that can be removed although the regulation does not list them; `ethnicity` only where the policy asks."""


def split_marked_example(example: str) -> tuple[str, list[str]]:
    """Return the text of an example and the identifiers marked in it.

    Examples
    --------
    >>> split_marked_example("Seen by [[Una]].")
    ('Seen by Una.', ['Una'])
    """
    return _MARK.sub(r"\1", example), _MARK.findall(example)


@dataclass(frozen=True, slots=True)
class CheckedIdentifier:
    """The outcome of the examples of an identifier under a policy.

    Attributes
    ----------
    identifier : Identifier
        The row of the table.
    removed, examples : int
        The number of identifiers in the examples that were removed completely, and of all of them.
    kept_by_policy : tuple of str
        The kinds that the policy keeps on purpose.
    replaced_by : str
        How the policy replaces them, if that matters for Safe Harbor; otherwise empty.
    """

    identifier: Identifier
    removed: int
    examples: int
    kept_by_policy: tuple[str, ...]
    replaced_by: str


def check_identifiers(scrubber: Scrubber) -> list[CheckedIdentifier]:
    """Scrub the examples of each identifier and count the removed ones.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber with the policy, model and vocabulary of the evidence.

    Returns
    -------
    list of CheckedIdentifier
        One for each of the 18 identifiers.

    Examples
    --------
    >>> import notesieve as ns
    >>> [row.identifier.letter for row in check_identifiers(ns.Scrubber()) if row.removed < row.examples]
    []
    >>> kept = check_identifiers(ns.Scrubber(ns.Policy(keep=["city"])))[1]
    >>> kept.identifier.letter, kept.kept_by_policy
    ('B', ('city',))
    """
    return [_check_identifier(scrubber, identifier) for identifier in SAFE_HARBOR]


def _check_identifier(scrubber: Scrubber, identifier: Identifier) -> CheckedIdentifier:
    removed = total = 0
    for example in identifier.examples:
        text, identifiers = split_marked_example(example)
        note = scrubber.scrub(text)
        ranges = [(span.start, span.end) for span in note.removed]
        at = 0
        for found in identifiers:
            start = text.index(found, at)
            at = start + len(found)
            gone = {place for first, last in ranges for place in range(first, last)}
            total += 1
            removed += all(place in gone for place in range(start, at) if text[place].isalnum())
    return CheckedIdentifier(
        identifier, removed, total, _kept_kinds(scrubber.policy, identifier), _replaced_by(scrubber.policy, identifier)
    )


def _kept_kinds(policy: Policy, identifier: Identifier) -> tuple[str, ...]:
    """Return the kinds and categories of an identifier that the policy keeps. The regulation permits years."""
    names = {*identifier.kinds, *_CATEGORIES_BY_PARAGRAPH.get(identifier.letter, ("id",))} - {"year"}
    return tuple(name.lower() for name in policy.keep if name.lower() in names)


def _replaced_by(policy: Policy, identifier: Identifier) -> str:
    if identifier.letter == "C" and policy.dates == "shift":
        return "dates are shifted, not removed"
    if identifier.letter == "B" and policy.zip == "prefix":
        return "first three digits of postal codes stay"
    return ""
