"""The assertion statuses of a concept, and how a search selects them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesieve._core import ConceptMention
    from notesieve.choices import Group

#: In the order of their bits in the core.
STATUSES = ("negated", "hypothetical", "historical", "possible", "family")

#: The groups that tables and facets show by default: what a patient has, and how it is examined and treated.
GROUPS: tuple[Group, ...] = ("disorder", "finding", "procedure", "drug", "measurement")

#: The attributes of a concept: the value of a measurement, the dose of a drug. All except ``number`` are strings.
ATTRIBUTES = ("value", "unit", "comparator", "flag", "dose", "route", "frequency", "number")

_NEGATED, _FAMILY = 1, 16

#: The values of a query field: a name for each status, ``affirmed`` for none of them, and ``any``.
ASKED = ("affirmed", "any", *STATUSES)


def status_names(bits: int) -> list[str]:
    """Return the names of the statuses in a bitmask.

    Examples
    --------
    >>> status_names(17)
    ['negated', 'family']
    """
    return [status for place, status in enumerate(STATUSES) if bits >> place & 1]


def has_status(bits: int, asked: str) -> bool:
    """Return whether the statuses of a term match the one that a query asks for.

    A status matches terms that have it and are neither negated nor about the family, unless the query asks for that:
    what was never there is not historical.

    Examples
    --------
    >>> has_status(0, "affirmed"), has_status(1, "affirmed")
    (True, False)
    >>> has_status(5, "historical"), has_status(4, "historical"), has_status(17, "any")
    (False, True, True)
    """
    if asked == "any":
        return True
    if asked == "affirmed":
        return bits == 0
    asked_bit = 1 << STATUSES.index(asked)
    return bool(bits & asked_bit) and not bits & (_NEGATED | _FAMILY) & ~asked_bit


def attributes_of_mention(concept: ConceptMention) -> dict[str, object]:
    """Return the attributes and statuses of a concept, for JSON."""
    return {
        "group": concept.group,
        **{name: getattr(concept, name) for name in ATTRIBUTES},
        "further": concept.further,
        **{status: getattr(concept, status) for status in STATUSES},
        "ambiguous": concept.ambiguous,
        "reasons": concept.reasons,
    }
