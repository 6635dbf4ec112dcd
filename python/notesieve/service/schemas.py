"""The JSON schemas of requests and answers, used both for validation and for OpenAPI."""

from __future__ import annotations

from typing import Any, get_args

from notesieve.choices import Group
from notesieve.statuses import STATUSES

Schema = dict[str, Any]


def _object_schema(required: str, properties: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _array_schema(items: Schema, about: str) -> Schema:
    return {"type": "array", "items": items, "description": about}


def _schema_of_type(kind: str, about: str) -> Schema:
    """Return the schema of a type."""
    return {"type": kind, "description": about}


def _nullable_schema(kind: str, about: str) -> Schema:
    """Return the schema of a type or null."""
    return {"type": [kind, "null"], "description": about}


_STRING: Schema = {"type": "string"}
_POSITION: Schema = {"type": "integer", "minimum": 0}

_TEXT = _schema_of_type("string", "The note.")
_POLICY = _schema_of_type(
    "string", "A policy that GET /policies lists. Default: the one that the service was started with."
)
_PATIENT: Schema = {
    "description": "What is known of the patient: removed from the note in every written form.",
    **_object_schema(
        "",
        {
            "id": _schema_of_type("string", "Tells patients apart; shifts of dates and surrogates are drawn from it."),
            "names": _array_schema(_STRING, "Names, as `Rose Winters` or `Winters, Rose`."),
            "mrn": _schema_of_type("string", "The medical record number."),
            "birth_date": _schema_of_type("string", "As YYYY-MM-DD."),
            "phones": _array_schema(_STRING, "Telephone numbers."),
            "addresses": _array_schema(_STRING, "Postal addresses."),
            "other": _array_schema(_STRING, "Whatever else stands for the patient."),
        },
    ),
}
_GROUPS = _array_schema(
    {"type": "string", "enum": list(get_args(Group))},
    "Only concepts of these semantic groups. Default: those of the policy.",
)

#: The body of each request, by the name of its endpoint.
REQUESTS: dict[str, Schema] = {
    "scrub": _object_schema(
        "text",
        {
            "text": _TEXT,
            "policy": _POLICY,
            "patient": _PATIENT,
            "decisions": _schema_of_type("boolean", "Whether the answer has the decision on every token. Default: no."),
        },
    ),
    "scrub_batch": _object_schema(
        "texts",
        {
            "texts": _array_schema(_STRING, "The notes."),
            "patients": _array_schema(
                {**_PATIENT, "type": ["object", "null"]},
                "The patient of each note, in the order of `texts`; null where nothing is known.",
            ),
            "policy": _POLICY,
        },
    ),
    "autocode": _object_schema(
        "text",
        {
            "text": _TEXT,
            "policy": _POLICY,
            "groups": _GROUPS,
            "identifying": _schema_of_type(
                "boolean", "Whether terms that a scrub removes are listed too. Default: no."
            ),
        },
    ),
    "explain": _object_schema(
        "text",
        {
            "text": _TEXT,
            "policy": _POLICY,
            "patient": _PATIENT,
            "start": {**_POSITION, "description": "First code point of the note to explain. Default: all removals."},
            "end": {**_POSITION, "description": "One past the last code point. Default: one after `start`."},
        },
    ),
    "verify": _object_schema("text", {"text": _schema_of_type("string", "A de-identified text."), "policy": _POLICY}),
}

_SPAN = {"start": _POSITION, "end": _POSITION}
_OUTPUT = {"output_start": _POSITION, "output_end": _POSITION}
_VALUES = {
    "value": _nullable_schema("string", "The value as the note writes it."),
    "number": _nullable_schema("number", "The value as a number."),
    "unit": _nullable_schema("string", "The unit of the value."),
    "comparator": _nullable_schema("string", "What stands before the value, as `<`."),
    "flag": _nullable_schema(
        "string", "`high`, `low`, `abnormal` or `critical`; of smoking `current`, `former` or `never`."
    ),
    "dose": _nullable_schema("string", "The dose of a drug."),
    "route": _nullable_schema("string", "The route of a drug."),
    "frequency": _nullable_schema("string", "How often a drug is taken."),
}
_CONCEPT = _object_schema(
    " ".join(("start end code name codes group ambiguous reasons further", *_VALUES, *STATUSES)),
    {
        **_SPAN,
        "code": _schema_of_type("string", "The best concept, as `mesh:D003920`."),
        "name": _schema_of_type("string", "The preferred name of the concept."),
        "codes": _array_schema(_STRING, "All concepts of the term."),
        "group": _schema_of_type("string", "The semantic group."),
        **_VALUES,
        "further": _array_schema(
            _object_schema(" ".join(_VALUES), _VALUES), "Other values or doses of the term, in order of the text."
        ),
        **{status: _schema_of_type("boolean", f"Whether the note presents it as {status}.") for status in STATUSES},
        "ambiguous": _schema_of_type(
            "boolean", "Whether the term has several meanings and the note does not tell which."
        ),
        "reasons": {"type": "object", "additionalProperties": _STRING, "description": "The cue of each status."},
    },
)
_REMOVAL = _object_schema(
    "start end output_start output_end category kind",
    {
        **_SPAN,
        **_OUTPUT,
        "category": _schema_of_type("string", "NAME, DATE, AGE, LOCATION, CONTACT, ID or UNLISTED."),
        "kind": _nullable_schema("string", "The kind, as `patient` or `hospital`; null for what is on no list."),
    },
)
_DECISION = _object_schema(
    "start end output_start output_end action reason rule",
    {
        **_SPAN,
        **_OUTPUT,
        "action": {"type": "string", "enum": ["keep", "code", "remove"]},
        "reason": _schema_of_type("string", "Why, as `finding`, `list`, `term` or `unlisted`."),
        "rule": _nullable_schema("string", "The rule behind the reason."),
    },
)
_EVIDENCE = _object_schema(
    "side weight source about",
    {
        "side": {
            "type": "string",
            "enum": ["against", "for", "model", "feature"],
            "description": "Against the token, for it, the judgement of the model, or a feature of that judgement.",
        },
        "weight": _schema_of_type("string", "`sure`, `likely`, `weak` or `listed`; log-odds for the model."),
        "source": _schema_of_type("string", "The rule, the list, or what the model saw."),
        "about": _nullable_schema("string", "What the rule does."),
    },
)
_EXPLANATION = _object_schema(
    "start end output_start output_end action reason rule evidence",
    {**_DECISION["properties"], "evidence": _array_schema(_EVIDENCE, "The strongest first.")},
)
_NOTE: dict[str, Schema] = {
    "text": _schema_of_type("string", "The de-identified text."),
    "concepts": _array_schema(_CONCEPT, "The terms of the text."),
    "removed": _array_schema(_REMOVAL, "What was removed; `start` and `end` are places in the note."),
}
_NOTED = "text concepts removed"

#: The body of each answer, by the name of its endpoint.
ANSWERS: dict[str, Schema] = {
    "scrub": _object_schema(
        _NOTED + " coded_text policy",
        {
            **_NOTE,
            "coded_text": _schema_of_type("string", "The text with the code of each term after it."),
            "policy": _schema_of_type("string", "The policy that was used."),
            "decisions": _array_schema(_DECISION, "The decision on every token, if asked for."),
        },
    ),
    "scrub_batch": _object_schema(
        "notes policy",
        {"notes": _array_schema(_object_schema(_NOTED, _NOTE), "In the order of `texts`."), "policy": _STRING},
    ),
    "autocode": _object_schema(
        "concepts policy", {"concepts": _array_schema(_CONCEPT, "In order."), "policy": _STRING}
    ),
    "explain": _object_schema("tokens policy", {"tokens": _array_schema(_EXPLANATION, "In order."), "policy": _STRING}),
    "verify": _object_schema(
        "allowed tokens not_allowed policy",
        {
            "allowed": _schema_of_type("boolean", "Whether every token is allowed."),
            "tokens": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "description": "How many tokens each allowance admits; empty if any token is not allowed.",
            },
            "not_allowed": _array_schema(
                _object_schema("start end kind", {**_SPAN, "kind": _STRING}), "What nothing allows."
            ),
            "policy": _STRING,
        },
    ),
    "health": _object_schema("status", {"status": {"type": "string", "enum": ["ok"]}}),
    "version": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
    "policies": _object_schema(
        "policies",
        {
            "policies": _array_schema(
                _object_schema(
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
