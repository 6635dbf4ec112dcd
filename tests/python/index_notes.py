"""Notes of a small index, the scrubber with a key that made them, and what is expected of each such index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import notesieve as ns

KEY = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
TEXTS = [
    "Known diabetes mellitus. No chest pain today.",
    "Type 2 diabetes, on insulin. Chest x-ray is clear.",
    "Mr. Brown had a heart attack in 2004. Takes aspirin and metoprolol.",
    "Fever and cough for 3 days. Pneumonia of the left lower lobe.",
    "No fever. Asthma is stable, albuterol as needed.",
]
NOTES = ["n1", "n2", "n3", "n4", "n5"]
PATIENTS = ["p1", "p1", "p2", "p3", "p3"]
TYPES = ["letter", "letter", "Discharge summary", "letter", None]
YEARS = [2003, 2004, 2004, 2006, None]


def given_key() -> Iterator[ns.Key]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("NOTESIEVE_KEY", KEY)
        yield ns.Key.load()


def keyed_scrubber(key: ns.Key) -> ns.Scrubber:
    return ns.Scrubber(key=key)


def build_index(path: Path, scrubber: ns.Scrubber) -> ns.Index:
    index = ns.Index.create(path, scrubber, years=True)
    notes = scrubber.scrub_many(TEXTS)
    assert index.add(notes, note_id=NOTES, patient_id=PATIENTS, note_type=TYPES, year=YEARS) == len(TEXTS)
    index.commit()
    return index


def check_concept_facets(index: ns.Index) -> None:
    """The facets by concept are what counting the notes by the best codes of their affirmed terms gives."""
    best = [
        {codes[0] for (_, _, codes), said in zip(hit.concepts, hit.said, strict=True) if not said}
        for hit in index.search("*").all()
    ]
    expected = {code: sum(code in codes for codes in best) for code in set().union(*best)}
    found = index.facets("*", "concept", limit=1000, groups=None)
    assert {facet.value: facet.notes for facet in found} == expected
