"""What a note may say of a concept, and what of it a search asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from notesieve._core import ConceptMention
    from notesieve.choices import Group

#: In the order of their bits in the core.
STATUSES = ("negated", "hypothetical", "historical", "possible", "family")

#: The groups that tables and facets show by default: what a patient has, and what is done about it.
GROUPS: tuple[Group, ...] = ("disorder", "finding", "procedure", "drug", "measurement")

#: What a note says beside a concept: the value of a measurement, the dose of a drug. All but ``number`` are texts.
ATTRIBUTES = ("value", "unit", "comparator", "flag", "dose", "route", "frequency", "number")

_NEGATED, _FAMILY = 1, 16

#: What a field of a query asks for: a name for each status, ``affirmed`` for none of them, and ``any``.
ASKED = ("affirmed", "any", *STATUSES)


def status_names(bits: int) -> list[str]:
    """Give the names of the statuses that some bits stand for.

    Examples
    --------
    >>> status_names(17)
    ['negated', 'family']
    """
    return [status for place, status in enumerate(STATUSES) if bits >> place & 1]


def has_status(bits: int, asked: str) -> bool:
    """Return whether what is said of a term is what a query asks for.

    A status asks for terms of which it is said, and which are neither negated nor somebody else's unless it asks for
    that: what was never there is not historical.

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
    """Give what a note says of a concept, for JSON."""
    return {
        "group": concept.group,
        **{name: getattr(concept, name) for name in ATTRIBUTES},
        "further": concept.further,
        **{status: getattr(concept, status) for status in STATUSES},
        "ambiguous": concept.ambiguous,
        "reasons": concept.reasons,
    }
