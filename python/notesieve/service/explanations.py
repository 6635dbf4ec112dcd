"""Explanations of tokens as data: the lines of `ScrubbedNote.explain`, with a description of each rule."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from notesieve._core import Decision, ScrubbedNote
from notesieve.rules import rules

_LINE = re.compile(r"  (?P<side>against|for|judged|       )\s+(?P<weight>\S+)\s+(?P<source>.+)")
_SIDES = {"against": "against", "for": "for", "judged": "model"}


@cache
def _rule_descriptions() -> dict[str, str]:
    return {rule.name: rule.about for rule in rules()}


def decision_fields(decision: Decision) -> dict[str, Any]:
    """Return a decision as fields for JSON."""
    names = ("start", "end", "output_start", "output_end", "action", "reason", "rule")
    return {name: getattr(decision, name) for name in names}


def explain_decision(note: ScrubbedNote, decision: Decision) -> dict[str, Any]:
    """Return the decision on a token with the evidence for and against it.

    Parameters
    ----------
    note : ScrubbedNote
        The note.
    decision : Decision
        One of its decisions.

    Returns
    -------
    dict
        The fields of the decision and ``evidence``. Contains no text of the note.

    Examples
    --------
    >>> import notesieve as ns
    >>> note = ns.Scrubber().scrub("Seen by Dr. Brown.")
    >>> told = explain_decision(note, next(each for each in note.decisions if each.start == 12))
    >>> [(each["side"], each["source"]) for each in told["evidence"]][0]
    ('against', 'name-title (name)')
    """
    evidence = []
    for line in note.explain(decision.start).splitlines()[1:]:
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        # Some lists have the same name as the rule that reads them.
        rule = None if found["weight"] == "listed" else found["source"].partition(" ")[0]
        evidence.append(
            {
                "side": _SIDES.get(found["side"], "feature"),
                "weight": found["weight"],
                "source": found["source"],
                "about": _rule_descriptions().get(rule or ""),
            }
        )
    return decision_fields(decision) | {"evidence": evidence}
