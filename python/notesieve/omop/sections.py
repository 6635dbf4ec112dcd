"""Sections of a note: headings at the start of a line, and the LOINC codes of their sections."""

from __future__ import annotations

import re

from notesieve.tracebacks import keep_texts_out_of_tracebacks

_HEADINGS = {
    "10154-3": "chief complaint|chief complaints|cc|presenting complaint|presenting complaints",
    "29299-5": "reason for visit|reason for consultation|reason for consult",
    "42349-1": "reason for referral",
    "10164-2": "history of present illness|history of the present illness|hpi|present illness|interval history",
    "11348-0": "past medical history|pmh|pmhx|medical history|past history|history of past illness",
    "10167-5": "past surgical history|psh|pshx|surgical history",
    "11450-4": "problem list|problems|active problems",
    "10160-0": "medications|current medications|home medications|meds|medication list|outpatient medications",
    "42346-7": "medications on admission|admission medications",
    "10183-2": "discharge medications|medications on discharge|medications at discharge",
    "48765-2": "allergies|allergies and adverse reactions|drug allergies|adverse reactions|allergy",
    "10157-6": "family history|fh|fhx|family medical history",
    "29762-2": "social history|sh|shx|personal and social history",
    "11369-6": "immunizations|immunisations|vaccinations|immunization history",
    "10187-3": "review of systems|ros",
    "8716-3": "vital signs|vitals|vs",
    "29545-1": "physical examination|physical exam|exam|examination|pe|on examination",
    "47420-5": "functional status",
    "30954-2": "laboratory data|laboratory results|laboratory studies|labs|lab results|results|pertinent results|"
    "diagnostic studies",
    "18748-4": "imaging|imaging studies|radiology|diagnostic imaging",
    "18782-3": "findings|radiology findings",
    "19005-8": "impression|radiology impression",
    "47519-4": "procedures|major procedures|major surgical or invasive procedure|procedures performed",
    "46241-6": "admission diagnosis|admission diagnoses|admitting diagnosis",
    "11535-2": "discharge diagnosis|discharge diagnoses|final diagnosis|final diagnoses",
    "8648-8": "hospital course|brief hospital course|course in hospital",
    "8653-8": "discharge instructions|instructions on discharge",
    "10219-4": "preoperative diagnosis|pre-operative diagnosis|preoperative diagnoses",
    "10218-6": "postoperative diagnosis|post-operative diagnosis|postoperative diagnoses",
    "51848-0": "assessment",
    "51847-2": "assessment and plan|assessment & plan|assessment/plan|a/p|a&p|impression and plan",
    "18776-5": "plan|plan of care|treatment plan|recommendations",
}

SECTIONS = {heading: code for code, headings in _HEADINGS.items() for heading in headings.split("|")}
"""The LOINC code of each heading, in lower case."""

_HEADING = re.compile(
    r"^[ \t#*>-]*(" + "|".join(sorted(map(re.escape, SECTIONS), key=len, reverse=True)) + r")[ \t*]*(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
# An unknown heading, capitals with a colon at the start of a line, ends the previous section.
_OTHER = re.compile(r"^[ \t#*>-]*[A-Z*\[][A-Z*\]&/ -]{3,60}:", re.MULTILINE)


@keep_texts_out_of_tracebacks
def sections(text: str) -> list[tuple[int, str]]:
    r"""Find the sections of a note.

    Parameters
    ----------
    text : str
        The note.

    Returns
    -------
    list of (int, str)
        The offset of each section in code points, and its LOINC code, which is empty for a heading that is not in
        `SECTIONS`.

    Examples
    --------
    >>> sections("HPI: cough.\nTRANSPORT NOTES: none\nFamily history\nasthma")
    [(0, '10164-2'), (12, ''), (34, '10157-6')]
    """
    found = {match.start(): "" for match in _OTHER.finditer(text)}
    found |= {match.start(): SECTIONS[match[1].lower()] for match in _HEADING.finditer(text)}
    return sorted(found.items())
