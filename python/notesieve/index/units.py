"""Units in queries: which indexed values can be compared with the number of a query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from notesieve._core import convert_unit
from notesieve.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from notesieve.index.query import Value, ValueRange

# Significant digits of a converted number: with more, 0.12 g/dL would differ from 120 mg/dL.
_SIGNIFICANT_DIGITS = 12


def value_ranges_by_unit(value: Value, found: Mapping[str, int], query: str) -> dict[str, ValueRange]:
    """Return the smallest and the largest matching number for each unit of the values.

    A query without a unit means the unit that most values have. Values without a unit are compared only with a number
    without one.

    Parameters
    ----------
    value : Value
        The comparison.
    found : mapping of str to int
        The number of notes with values of it, by unit; the empty unit for values without one.
    query : str
        The query, for messages.

    Raises
    ------
    QueryError
        If no values can be converted to the unit of the query, or the query has no unit and the values have several
        that cannot be converted to each other.

    Examples
    --------
    >>> from notesieve.index.query import Code, Value
    >>> value = Value(Code(("mesh:D003404",)), ">=", 2.0, "mg/dL")
    >>> value_ranges_by_unit(value, {"mg/dL": 20, "g/L": 1}, "creatinine>=2 mg/dL")
    {'mg/dL': (2.0, None), 'g/L': (0.02, None)}
    """
    unit = value.unit or _commonest_unit(found, query)
    ranges = {"": value.bounds} if "" in found and not value.unit else {}
    for other in found:
        converted = convert_unit(value.number, unit, other) if other != unit else value.number
        if other and converted is not None:
            ranges[other] = replace(value, number=float(f"{converted:.{_SIGNIFICANT_DIGITS}g}")).bounds
    if found and not ranges:
        message = f"compares with a number of {unit}, and the values here are in {_list_units(found)}"
        raise QueryError(message, query, 0)
    return ranges


def _commonest_unit(found: Mapping[str, int], query: str) -> str:
    """Return the unit that most notes have, if all others can be converted into it."""
    units = [unit for unit in found if unit]
    unit = max(units, key=lambda unit: (found[unit], unit), default="")
    if any(convert_unit(1.0, unit, other) is None for other in units):
        message = (
            f"compares with a number without a unit, and the values here are in {_list_units(found)}: name the unit"
        )
        raise QueryError(message, query, 0)
    return unit


def _list_units(found: Mapping[str, int]) -> str:
    """List units with the number of their notes."""
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{unit or 'no unit'} ({notes} notes)" for unit, notes in ordered)
