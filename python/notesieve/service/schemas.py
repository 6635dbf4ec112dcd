"""The JSON schemas of requests and answers: what OpenAPI publishes is what requests are checked with."""

from __future__ import annotations

from typing import Any, get_args

from notesieve.choices import Group
from notesieve.statuses import STATUSES

__all__ = ["ANSWERS", "REQUESTS", "Schema"]

Schema = dict[str, Any]


def _object(required: str, properties: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(items: Schema, about: str) -> Schema:
    return {"type": "array", "items": items, "description": about}


def _of_type(kind: str, about: str) -> Schema:
    """Make the schema of a value of a type."""
    return {"type": kind, "description": about}


def _nullable(kind: str, about: str) -> Schema:
    """Make the schema of a value of a type, or null."""
    return {"type": [kind, "null"], "description": about}


_STRING: Schema = {"type": "string"}
_POSITION: Schema = {"type": "integer", "minimum": 0}

_TEXT = _of_type("string", "The note.")
_POLICY = _of_type("string", "A policy that GET /policies lists. Default: the one that the service was started with.")
_PATIENT: Schema = {
    "description": "What is known of the patient: removed from the note in every written form.",
    **_object(
        "",
        {
            "id": _of_type("string", "Tells patients apart; shifts of dates and surrogates are drawn from it."),
            "names": _list(_STRING, "Names, as `Rose Winters` or `Winters, Rose`."),
            "mrn": _of_type("string", "The medical record number."),
            "birth_date": _of_type("string", "As YYYY-MM-DD."),
            "phones": _list(_STRING, "Telephone numbers."),
            "addresses": _list(_STRING, "Postal addresses."),
            "other": _list(_STRING, "Whatever else stands for the patient."),
        },
    ),
}
_GROUPS = _list(
    {"type": "string", "enum": list(get_args(Group))},
    "Only concepts of these semantic groups. Default: those of the policy.",
)

#: The body of each request, by the name of its endpoint.
REQUESTS: dict[str, Schema] = {
    "scrub": _object(
        "text",
        {
            "text": _TEXT,
            "policy": _POLICY,
            "patient": _PATIENT,
            "decisions": _of_type("boolean", "Whether the answer has the decision on every token. Default: no."),
        },
    ),
    "scrub_batch": _object(
        "texts",
        {
            "texts": _list(_STRING, "The notes."),
            "patients": _list(
                {**_PATIENT, "type": ["object", "null"]},
                "The patient of each note, in the order of `texts`; null where nothing is known.",
            ),
            "policy": _POLICY,
        },
    ),
    "autocode": _object(
        "text",
        {
            "text": _TEXT,
            "policy": _POLICY,
            "groups": _GROUPS,
            "identifying": _of_type("boolean", "Whether terms that a scrub removes are listed too. Default: no."),
        },
    ),
    "explain": _object(
        "text",
        {
            "text": _TEXT,
            "policy": _POLICY,
            "patient": _PATIENT,
            "start": {**_POSITION, "description": "First code point of the note to explain. Default: all removals."},
            "end": {**_POSITION, "description": "One past the last code point. Default: one after `start`."},
        },
    ),
    "verify": _object("text", {"text": _of_type("string", "A de-identified text."), "policy": _POLICY}),
}

_SPAN = {"start": _POSITION, "end": _POSITION}
_OUTPUT = {"output_start": _POSITION, "output_end": _POSITION}
_VALUES = {
    "value": _nullable("string", "The value as the note writes it."),
    "number": _nullable("number", "The value as a number."),
    "unit": _nullable("string", "The unit of the value."),
    "comparator": _nullable("string", "What stands before the value, as `<`."),
    "flag": _nullable("string", "`high`, `low`, `abnormal` or `critical`; of smoking `current`, `former` or `never`."),
    "dose": _nullable("string", "The dose of a drug."),
    "route": _nullable("string", "The route of a drug."),
    "frequency": _nullable("string", "How often a drug is taken."),
}
_CONCEPT = _object(
    " ".join(("start end code name codes group ambiguous reasons further", *_VALUES, *STATUSES)),
    {
        **_SPAN,
        "code": _of_type("string", "The best concept, as `mesh:D003920`."),
        "name": _of_type("string", "The preferred name of the concept."),
        "codes": _list(_STRING, "All concepts of the term."),
        "group": _of_type("string", "The semantic group."),
        **_VALUES,
        "further": _list(
            _object(" ".join(_VALUES), _VALUES), "Other values or doses of the term, in order of the text."
        ),
        **{status: _of_type("boolean", f"Whether the note presents it as {status}.") for status in STATUSES},
        "ambiguous": _of_type("boolean", "Whether the term has several meanings and the note does not tell which."),
        "reasons": {"type": "object", "additionalProperties": _STRING, "description": "The cue of each status."},
    },
)
_REMOVAL = _object(
    "start end output_start output_end category kind",
    {
        **_SPAN,
        **_OUTPUT,
        "category": _of_type("string", "NAME, DATE, AGE, LOCATION, CONTACT, ID or UNLISTED."),
        "kind": _nullable("string", "The kind, as `patient` or `hospital`; null for what is on no list."),
    },
)
_DECISION = _object(
    "start end output_start output_end action reason rule",
    {
        **_SPAN,
        **_OUTPUT,
        "action": {"type": "string", "enum": ["keep", "code", "remove"]},
        "reason": _of_type("string", "Why, as `finding`, `list`, `term` or `unlisted`."),
        "rule": _nullable("string", "The rule behind the reason."),
    },
)
_EVIDENCE = _object(
    "side weight source about",
    {
        "side": {
            "type": "string",
            "enum": ["against", "for", "model", "feature"],
            "description": "Against the token, for it, the judgement of the model, or a feature of that judgement.",
        },
        "weight": _of_type("string", "`sure`, `likely`, `weak` or `listed`; log-odds for the model."),
        "source": _of_type("string", "The rule, the list, or what the model saw."),
        "about": _nullable("string", "What the rule does."),
    },
)
_EXPLANATION = _object(
    "start end output_start output_end action reason rule evidence",
    {**_DECISION["properties"], "evidence": _list(_EVIDENCE, "The strongest first.")},
)
_NOTE: dict[str, Schema] = {
    "text": _of_type("string", "The de-identified text."),
    "concepts": _list(_CONCEPT, "The terms of the text."),
    "removed": _list(_REMOVAL, "What was removed; `start` and `end` are places in the note."),
}
_NOTED = "text concepts removed"

#: The body of each answer, by the name of its endpoint.
ANSWERS: dict[str, Schema] = {
    "scrub": _object(
        _NOTED + " coded_text policy",
        {
            **_NOTE,
            "coded_text": _of_type("string", "The text with the code of each term after it."),
            "policy": _of_type("string", "The policy that was used."),
            "decisions": _list(_DECISION, "The decision on every token, if asked for."),
        },
    ),
    "scrub_batch": _object(
        "notes policy",
        {"notes": _list(_object(_NOTED, _NOTE), "In the order of `texts`."), "policy": _STRING},
    ),
    "autocode": _object("concepts policy", {"concepts": _list(_CONCEPT, "In order."), "policy": _STRING}),
    "explain": _object("tokens policy", {"tokens": _list(_EXPLANATION, "In order."), "policy": _STRING}),
    "verify": _object(
        "allowed tokens not_allowed policy",
        {
            "allowed": _of_type("boolean", "Whether every token is allowed."),
            "tokens": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "description": "How many tokens each allowance admits; empty if any token is not allowed.",
            },
            "not_allowed": _list(_object("start end kind", {**_SPAN, "kind": _STRING}), "What nothing allows."),
            "policy": _STRING,
        },
    ),
    "health": _object("status", {"status": {"type": "string", "enum": ["ok"]}}),
    "version": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
    "policies": _object(
        "policies",
        {
            "policies": _list(
                _object(
                    "name about default digest",
                    {
                        "name": _STRING,
                        "about": _STRING,
                        "default": {"type": "boolean"},
                        "digest": _STRING,
                    },
                ),
                "The default first.",
            )
        },
    ),
}
