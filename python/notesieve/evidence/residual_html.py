"""The residual risk section of the evidence page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from notesieve.evidence.html_parts import boxed_paragraph, code_element, count_or_suppressed, paragraph, table
from notesieve.evidence.statements import MARKED_NOTES

if TYPE_CHECKING:
    from notesieve.evidence.collected import EvidenceData
    from notesieve.evidence.residual import ResidualRisk

_MIN_UNITS = 5000
"""In fewer notes than these, one that is alone says little about the release."""


def residual_section(evidence: EvidenceData) -> str:
    """Return the section on the residual risk: counts and codes, never note text."""
    risk = evidence.residual
    units = f"{risk.unit}s"
    known = [
        (name, count_or_suppressed(row["stated"]), "-" if row["values"] is None else row["values"])
        for name, row in risk.known.items()
    ]
    bins = [name for name in next(iter(risk.classes.values())) if name != "smallest"]
    classes = [
        (
            name,
            *(count_or_suppressed(row[one]) for one in bins),
            f"below {risk.least}" if row["smallest"] is None else row["smallest"],
        )
        for name, row in risk.classes.items()
    ]
    return (
        paragraph(
            "What stays can point to a person although every identifier is gone. This section counts it in the "
            f"output of {evidence.residual_of}: {risk.units:,} {units}. Counts of {units} below {risk.least}, and "
            "others from which they could be derived, are suppressed. No text of a note is shown."
        )
        + _few_patients_section(evidence)
        + table(
            f"Facts that stay, by {risk.unit}",
            ("fact", f"{units} that state it", "different values"),
            known,
            numbers=(1, 2),
        )
        + table(
            "Ages that stay, in groups of ten years",
            ("age group", units),
            [(group, count_or_suppressed(number)) for group, number in risk.age_groups.items()],
            numbers=(1,),
        )
        + table(
            f"k-anonymity: {units} that share all facts of a combination",
            ("combination", *bins, "smallest class (k)"),
            classes,
            numbers=range(1, len(bins) + 2),
        )
        + paragraph(
            f"A {risk.unit} that is alone in this sample need not be alone in the population; whoever knows that a "
            "person is in the data knows more. A fact that is not stated counts as a value of its own. Rare codes "
            f"are those of fewer than {risk.least} {units}."
        )
        + paragraph(
            f"Texts that stand out, with a far larger share of words and codes that no other {risk.unit} has (above "
            f"the upper fence of the box plot): {count_or_suppressed(risk.standing_out)}. They and those alone in age "
            "group, sex, year and place are named in `notes-to-read.csv`, for those who may read the notes: read them "
            "before a release."
        )
        + _rare_codes_section(risk)
    )


def _few_patients_section(evidence: EvidenceData) -> str:
    risk = evidence.residual
    if evidence.residual_of != MARKED_NOTES or risk.units >= _MIN_UNITS:
        return ""
    return boxed_paragraph(
        f"In {risk.units:,} {risk.unit}s nearly every code is rare and nearly everybody is alone. Count over the "
        "whole release: `notesieve evidence --notes NOTES`."
    )


def _rare_codes_section(risk: ResidualRisk) -> str:
    if not risk.rare_codes:
        return paragraph(f"No code is in fewer than {risk.least} {risk.unit}s.")
    listed = "".join(
        f'<li>{escape(name)} {code_element(one).markup} <span class="grey">{escape(group)}</span></li>'
        for one, name, group in risk.rare_codes
    )
    some = len(risk.rare_codes) < risk.rare_code_count
    return (
        f"<h3>Rare codes that stay: {risk.rare_code_count:,}</h3>"
        + paragraph(
            f"Each is in fewer than {risk.least} {risk.unit}s."
            + (f" The list has {len(risk.rare_codes)} of the rarest, diseases first." if some else "")
        )
        + f'<ul class="codes">{listed}</ul>'
    )
