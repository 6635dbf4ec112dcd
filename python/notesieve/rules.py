"""The table of rules, by their names in findings and explanations."""

from __future__ import annotations

from dataclasses import dataclass

from notesieve._core import rule_table


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, which recognises a written form as identifying, or vouches for it as medical.

    Attributes
    ----------
    name : str
        The name in findings and explanations.
    about : str
        What it removes or keeps, with examples. All names and numbers in the examples are invented.
    """

    name: str
    about: str


def rules() -> list[Rule]:
    """List all rules in the order of the table in the code.

    Returns
    -------
    list of Rule

    Examples
    --------
    >>> import notesieve as ns
    >>> {rule.name: rule.about for rule in ns.rules()}["street"]
    'Streets with the number of a house: `20 Ellery Street`.'
    """
    return [Rule(name, about) for name, about in rule_table()]
