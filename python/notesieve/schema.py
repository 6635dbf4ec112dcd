"""JSON schemas of policy and run files, for completion and validation in an editor."""

from __future__ import annotations

from typing import Any, get_args

from notesieve import choices
from notesieve.choices import did_you_mean
from notesieve.errors import SettingError

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def _choice_schema(choice: Any, description: str) -> dict[str, Any]:
    """Return the schema of one of the values of a `Literal`."""
    return {"enum": list(get_args(choice)), "description": description}


def _string_schema(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a string."""
    return {"type": "string", "description": description, **more}


def _strings_schema(description: str) -> dict[str, Any]:
    """Return the schema of a list of strings."""
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _choices_schema(names: list[str], description: str) -> dict[str, Any]:
    """Return the schema of a list of choices without duplicates."""
    return {"type": "array", "items": {"enum": names}, "uniqueItems": True, "description": description}


def _boolean_schema(description: str) -> dict[str, Any]:
    """Return the schema of a boolean."""
    return {"type": "boolean", "description": description}


def _object_schema(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


_NUMBER = {"type": "integer", "minimum": 0, "description": "How many harmless words may be lost for one leak."}
_STRICTNESS = {
    "description": "How many harmless words may be lost for one leak: a number, or one per category.",
    "anyOf": [
        _NUMBER,
        _object_schema({name: _NUMBER for key in get_args(choices.Category) for name in (key, key.upper())}),
    ],
}
_PATTERN = {"type": "object", "description": "An own pattern: see the page on own patterns."}
_KEPT = list(dict.fromkeys([*get_args(choices.Category), *get_args(choices.Kind)]))
_POLICY = {
    "preset": _choice_schema(choices.Preset, "The policy to begin with."),
    "name": _string_schema("What the policy is called; no part of its digest."),
    "ordinary_words": _boolean_schema("Whether ordinary words stay, or only stop words and terms."),
    "terms": _choice_schema(choices.Terms, "How a term is written."),
    "numbers": _choice_schema(choices.Numbers, "Which numbers stay outside terms."),
    "unknown": _choice_schema(choices.Unknown, "What happens to words on no list."),
    "mask": _string_schema("What stands for a word on no list.", pattern=r"^\*+$"),
    "keep": _choices_schema(_KEPT, "Categories and kinds of PHI that stay. What stays can identify people."),
    "dates": _choice_schema(choices.Dates, "What stands for a date. `shift` needs a key and patients."),
    "years": _choice_schema(choices.Years, "Whether years that stand alone stay."),
    "season": _boolean_schema("Whether shifted dates keep the season."),
    "date_order": _choice_schema(choices.DateOrder, "How dates in figures are read."),
    "replace": _choice_schema(choices.Replace, "What stands for what was removed."),
    "tags": _string_schema("square, angle, deid, or marks with {category} or {kind}."),
    "ages": _choice_schema(choices.Ages, "What stands for an age over 89."),
    "zip": _choice_schema(choices.Zip, "Whether the first three digits of a postal code stay."),
    "ambiguous": _choice_schema(choices.Ambiguous, "When an ordinary word that is a name too goes."),
    "ethnicity": _boolean_schema("Whether words for ethnicity and nationality go too."),
    "drop_header": _boolean_schema("Whether the header of a note goes whole."),
    "drop_sections": _strings_schema("Headings of sections that go whole."),
    "placeholders": _strings_schema("Placeholders of earlier de-identification that stay, such as [**...**]."),
    "doctors": _strings_schema("Names of staff that are removed everywhere."),
    "hospitals": _strings_schema("Names of hospitals that are removed everywhere."),
    "wards": _strings_schema("Names of wards that are removed everywhere."),
    "cues": _strings_schema("Own cues of assertion statuses, as `negated forward: no trace of`."),
    "groups": _choices_schema(list(get_args(choices.Group)), "The semantic groups of the concepts that are reported."),
    "brands": _boolean_schema("Whether brands of drugs and devices stay outside terms."),
    "lists_off": _strings_schema("Lists of the vocabulary whose words do not come out for standing on them."),
    "strictness": _STRICTNESS,
    "sections": {
        "type": "object",
        "description": "Choices for sections, by their headings.",
        "additionalProperties": _object_schema({"strictness": _STRICTNESS}, required=["strictness"]),
    },
    "rules_off": _choices_schema(list(get_args(choices.Category)), "For measurements; never for data to share."),
    "patterns": {
        "description": "Own regular expressions, or the path of a file of them.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": _PATTERN}],
    },
}
_COLUMNS = {
    "text": _string_schema("The column with the notes."),
    "id": _string_schema("A column that names the note; it comes out as it is."),
    "patient": _string_schema("A column that tells patients apart."),
    "known": _strings_schema("Columns with what is known of the patient; they do not come out."),
    "keep": _strings_schema("Further columns that come out as they are."),
    "dates": _strings_schema("Columns of dates that move with the notes of the same patient."),
    "unshifted_dates": _strings_schema("Columns of dates that stay although they tell the shift."),
    "outputs": _choices_schema(list(get_args(choices.Output)), "What comes out beside the text."),
    "separator": _string_schema("What stands between the fields of a CSV.", minLength=1, maxLength=1),
}


def policy_schema() -> dict[str, Any]:
    """Return the JSON schema of a policy file.

    Examples
    --------
    >>> policy_schema()["properties"]["dates"]["enum"]
    ['tag', 'year', 'shift']
    """
    return {"$schema": _DRAFT, "title": "notesieve policy", **_object_schema(_POLICY)}


def run_schema() -> dict[str, Any]:
    """Return the JSON schema of a run file, for `notesieve run`.

    Examples
    --------
    >>> run_schema()["required"]
    ['inputs', 'output']
    """
    policy = {
        "description": "A preset, the path of a policy file, or the choices themselves.",
        "anyOf": [{"type": "string"}, _object_schema(_POLICY)],
    }
    properties = {
        "inputs": {**_strings_schema("Files and folders of notes."), "minItems": 1},
        "output": _string_schema("The folder of the outputs."),
        "policy": policy,
        "vocabulary": _string_schema("A compiled vocabulary. Default: the built-in."),
        "model": _string_schema("What `notesieve train` wrote. Default: the built-in."),
        "site": _string_schema("The folder of the site's lists."),
        "key": _boolean_schema("Whether to use the key of NOTESIEVE_KEY or NOTESIEVE_KEY_FILE."),
        "format": _choice_schema(choices.TextForm, "What is written of a text file."),
        "encoding": _string_schema("How texts without a byte order mark are read."),
        "errors": _choice_schema(choices.DecodingErrors, "What becomes of bytes that cannot be read."),
        "exclude_patients": _string_schema("A file with the patients whose rows are left out, one per line."),
        "manifest": _string_schema("The record of what is done. Default: beside the output folder."),
        "threads": {"type": "integer", "minimum": 1, "description": "Default: one per core."},
        "columns": _object_schema(_COLUMNS, description="How files of rows are read."),
    }
    return {"$schema": _DRAFT, "title": "notesieve run", **_object_schema(properties, required=["inputs", "output"])}


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "array": (list,), "object": (dict,), "boolean": (bool,), "integer": (int,),
}  # fmt: skip


def validate(value: Any, schema: dict[str, Any], where: str = "") -> None:
    """Raise an error if a value does not match a schema of this module.

    Parameters
    ----------
    value : object
        The value, as parsed.
    schema : dict
        One of the schemas here, or a part of one.
    where : str, optional
        The key of the value, for the message.

    Raises
    ------
    SettingError
        If it does not match. Names the key, and the nearest valid one.

    Examples
    --------
    >>> validate({"inputs": ["notes"], "outptu": "clean"}, run_schema())
    Traceback (most recent call last):
    notesieve.errors.SettingError: there is no key `outptu`; did you mean 'output'?
    """
    if "anyOf" in schema:
        kind = next((one for one in schema["anyOf"] if isinstance(value, _TYPES[one["type"]])), None)
        schema = kind or {"type": schema["anyOf"][0]["type"]}
    if "enum" in schema:
        if value not in schema["enum"]:
            given = ", ".join(map(str, schema["enum"]))
            raise SettingError(f"`{where}` is none of {given}{did_you_mean(value, schema['enum'])}")
        return
    if not isinstance(value, _TYPES[schema["type"]]) or (schema["type"] == "integer" and isinstance(value, bool)):
        raise SettingError(f"`{where}` must be of the type {schema['type']}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            raise SettingError(f"`{where}` is empty")
        for at, one in enumerate(value):
            validate(one, schema["items"], f"{where}[{at}]")
    elif isinstance(value, dict):
        _check_keys(value, schema, where)
    elif schema["type"] == "integer" and value < schema.get("minimum", value):
        raise SettingError(f"`{where}` must be {schema['minimum']} or more")


def _check_keys(value: dict[str, Any], schema: dict[str, Any], where: str) -> None:
    before = f"{where}." if where else ""
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key, one in value.items():
        if key in properties:
            validate(one, properties[key], before + key)
        elif isinstance(others, dict):
            validate(one, others, before + key)
        elif not others:
            raise SettingError(f"there is no key `{before}{key}`{did_you_mean(key, properties)}")
    for key in schema.get("required", ()):
        if key not in value:
            raise SettingError(f"the key `{before}{key}` is missing")
