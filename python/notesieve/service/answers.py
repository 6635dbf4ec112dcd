"""Answers of the service: plain functions of a scrubber and a request body, run in threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from notesieve._core import ConceptMention, Patient, ScrubbedNote
from notesieve.errors import BatchError, NoteError, PatientError, VerifyError
from notesieve.hidden_repr import HiddenRepr
from notesieve.scrubber import Scrubber
from notesieve.service.explanations import decision_fields, explain_decision
from notesieve.service.problems import Problem
from notesieve.statuses import attributes_of_mention
from notesieve.verification.checker import verify


def _concept_fields(concept: ConceptMention) -> dict[str, Any]:
    """Return a concept as fields for JSON."""
    names = ("start", "end", "code", "name", "codes")
    return {name: getattr(concept, name) for name in names} | attributes_of_mention(concept)


def _note_fields(note: ScrubbedNote) -> dict[str, Any]:
    """Return a scrubbed note as fields for JSON."""
    names = ("start", "end", "output_start", "output_end", "category", "kind")
    return {
        "text": note.text,
        "concepts": [_concept_fields(concept) for concept in note.concepts],
        "removed": [{name: getattr(removal, name) for name in names} for removal in note.removed],
    }


def _make_patient(known: Mapping[str, Any] | None, name: str = "patient") -> Patient | None:
    """Make the patient of a request; raise Problem if a value cannot be used."""
    if known is None:
        return None
    try:
        return Patient(**known)
    except PatientError as problem:
        # The error names the field, never its value.
        raise Problem(422, f"{name}: {problem}") from None


def _scrub_body(scrubber: Scrubber, body: HiddenRepr) -> ScrubbedNote:
    """Scrub the note of a request; raise Problem if it cannot be scrubbed."""
    patient = _make_patient(body.reveal().get("patient"))
    try:
        return scrubber.scrub(body.reveal()["text"], patient=patient)
    except NoteError as problem:
        raise Problem(422, str(problem)) from None


def scrub(scrubber: Scrubber, body: HiddenRepr) -> dict[str, Any]:
    """Scrub a note."""
    note = _scrub_body(scrubber, body)
    answer = _note_fields(note) | {"coded_text": note.coded_text}
    if body.reveal().get("decisions"):
        answer["decisions"] = [decision_fields(decision) for decision in note.decisions]
    return answer


def scrub_batch(scrubber: Scrubber, body: HiddenRepr) -> dict[str, Any]:
    """Scrub many notes. If one cannot be scrubbed, the batch fails and the problem gives its index."""
    texts, known = body.reveal()["texts"], body.reveal().get("patients")
    if known is not None and len(known) != len(texts):
        raise Problem(422, f"there are {len(texts)} texts and {len(known)} patients")
    patients = None if known is None else [_make_patient(one, f"patients[{at}]") for at, one in enumerate(known)]
    try:
        return {"notes": [_note_fields(note) for note in scrubber.scrub_many(texts, patients=patients)]}
    except BatchError as problem:
        index, why = problem.errors[0]
        raise Problem(422, f"texts[{index}] could not be scrubbed: {why}") from None


def autocode(scrubber: Scrubber, body: HiddenRepr) -> dict[str, Any]:
    """Find the terms of a note."""
    asked = body.reveal()
    groups = asked.get("groups")
    try:
        found = scrubber.autocode(asked["text"], identifying=asked.get("identifying", False), groups=groups)
    except NoteError as problem:
        raise Problem(422, str(problem)) from None
    return {"concepts": [_concept_fields(concept) for concept in found]}


def explain(scrubber: Scrubber, body: HiddenRepr) -> dict[str, Any]:
    """Explain why tokens were kept or removed."""
    start = body.reveal().get("start")
    note = _scrub_body(scrubber, body)
    if start is None:
        chosen = [decision for decision in note.decisions if decision.action == "remove"]
    else:
        end = body.reveal().get("end", start + 1)
        chosen = [decision for decision in note.decisions if decision.start < end and start < decision.end]
        if not chosen:
            raise Problem(422, f"no token stands between code points {start} and {end}")
    return {"tokens": [explain_decision(note, decision) for decision in chosen]}


def verify_text(scrubber: Scrubber, body: HiddenRepr) -> dict[str, Any]:
    """Verify a de-identified text independently of the scrubber's code."""
    try:
        tokens = verify(body.reveal()["text"], scrubber)
    except VerifyError as problem:
        places = [{"start": start, "end": end, "kind": kind} for start, end, kind in problem.places]
        return {"allowed": False, "tokens": {}, "not_allowed": places}
    except NoteError as problem:
        raise Problem(422, str(problem)) from None
    return {"allowed": True, "tokens": dict(Counter(token.allowed_by for token in tokens)), "not_allowed": []}


#: The function that answers each request, by the name of its endpoint.
ANSWER_FUNCTIONS = {
    "scrub": scrub,
    "scrub_batch": scrub_batch,
    "autocode": autocode,
    "explain": explain,
    "verify": verify_text,
}
