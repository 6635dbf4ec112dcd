"""Roles of values in FHIR resources, by the type that the specification gives their element."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any

from notesieve.messages.parsed import PUBLISHED, UNITS_OF_AGE, ParsedMessage, name_set


def _read_elements() -> dict[str, frozenset[str]]:
    text = resources.files("notesieve.messages").joinpath("fhir_elements.txt").read_text(encoding="ascii")
    parts = re.split(r"^\[([\w-]+)\]\n", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
    return {name: name_set(names) for name, names in zip(parts[1::2], parts[2::2], strict=True)}


_ELEMENTS = _read_elements()
_ALL = frozenset().union(*(names for kind, names in _ELEMENTS.items() if kind != "resource")) | {"resourceType"}
_PEOPLE = name_set("Patient Practitioner PractitionerRole RelatedPerson Person")
_SITES = name_set("Organization Location HealthcareService Endpoint InsurancePlan")
_THINGS = name_set(
    "Medication Substance Device DeviceDefinition Condition Observation Procedure Specimen Encounter Goal CarePlan"
    " DiagnosticReport Immunization AllergyIntolerance MedicationRequest ServiceRequest Media Claim"
    " DocumentReference"
    " Questionnaire QuestionnaireResponse ValueSet CodeSystem StructureDefinition ActivityDefinition PlanDefinition"
    " Measure"
    " Library ObservationDefinition EpisodeOfCare Coverage CareTeam Group ImagingStudy Appointment Composition Binary"
)
# Strings that are used like codes.
_CODES = name_set(
    "version fhirVersion etag linkId contentType currency language unit periodUnit durationUnit resourceType valueCode"
    " status use"
)
_NAMES_OF_SITES = name_set("alias publisher")
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?)?")
_TIME = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?")
_MIME = re.compile(
    r"[\w.+-]+/[\w.+-]+(?:\s*;\s*charset=\"?(?:utf-?8|us-ascii|iso-8859-\d+|windows-125\d)\"?)?", re.IGNORECASE
)
_LOCAL_TYPE = re.compile(r"(?:.*/)?([A-Z][A-Za-z]+)/[^/]+(?:/_history/.*)?")
_ADDRESS = {"city": "city", "district": "county", "state": "state", "postalCode": "zip"}

TypeOfReference = Callable[[str], str]
"""Returns the type of the resource that a reference within the bundle points to; an empty string if unknown."""


def is_element(name: str) -> bool:
    """Return whether the specification defines an element of that name."""
    return name.removeprefix("_") in _ALL or name in ("fhir_comments", "$schema")


def is_type(name: str) -> bool:
    """Return whether the specification defines a resource type of that name."""
    return name in _ELEMENTS["resource"]


def is_coordinate(path: Sequence[str], parents: Sequence[dict[str, Any]]) -> bool:
    """Return whether a number is part of a geographic position."""
    place = name_set("latitude longitude altitude")
    return path[-1] in place or (bool(parents) and parents[-1].get("url") in place)


def code_text_beside_value(path: Sequence[str], parents: Sequence[dict[str, Any]]) -> str:
    """Return the text of the ``code`` next to a value, which is the question it answers; empty if there is none."""
    code = parents[-1].get("code") if parents else None
    if path[-1].startswith(("value", "answer")) and isinstance(code, dict):
        texts = [code.get("text"), *(coding.get("display") for coding in _dicts_of(code.get("coding")))]
        return next((text for text in texts if isinstance(text, str)), "")
    return ""


def role_of(
    path: Sequence[str], parents: Sequence[dict[str, Any]], value: Any, type_of: TypeOfReference = lambda _: ""
) -> str:
    """Return the role of the value at a path: one of the core, or ``narrative``, ``base64``, ``reference``, ``fixed``.

    Examples
    --------
    >>> role_of(["name", "family"], [{}, {}], "Winters"), role_of(["valueQuantity", "value"], [{}, {}], 7.2)
    ('name', 'number')
    """
    key = path[-1].removeprefix("_") if path else ""
    beside = parents[-1] if parents else {}
    if key not in _ALL or is_coordinate(path, parents):
        return "unknown"
    if not isinstance(value, str):
        units = {str(beside.get(name, "")).lower() for name in ("code", "unit")}
        old = key == "value" and units & UNITS_OF_AGE and not isinstance(value, bool) and value > 89
        return "age-over-89" if old else "number"
    parent = path[-2] if len(path) > 1 else ""
    if key == "value" and parent.endswith("Age") and re.fullmatch(r"(?:9\d|1\d\d)(?:\.\d+)?", value):
        return "age-over-89"
    role = _role_by_type(key, parent, parents, value) or _role_by_resource(key, parent, parents, type_of)
    return role or _role_of_primitive(key, value)


def _role_of_primitive(key: str, value: str) -> str:
    def is_field_of(*kinds: str) -> bool:
        return any(key in _ELEMENTS[kind] for kind in kinds)

    if key == "birthDate":
        return "birth-date"
    if is_field_of("date") and _DATE.fullmatch(value):
        return "date"
    if (is_field_of("time") or key in ("availableStartTime", "availableEndTime")) and _TIME.fullmatch(value):
        return "fixed"
    if is_field_of("boolean") and value in ("true", "false"):
        return "fixed"
    if key in ("contentType", "mimeType") and _MIME.fullmatch(value):
        return "fixed"
    if is_field_of("number") and re.fullmatch(r"[-+.\deE]+", value):
        return "number"
    if key == "authorString":
        return "name"
    if is_field_of("uri") and ":" in value:
        return _role_of_uri(value)
    if is_field_of("code") or key in _CODES:
        return "display" if key == "unit" else "code"
    if is_field_of("id") and key != "linkId":
        return "other-id"
    if is_field_of("uri"):
        return _role_of_uri(value)
    return "text" if is_field_of("text", "time", "date") else "unknown"


def _role_by_type(key: str, parent: str, parents: Sequence[dict[str, Any]], value: str) -> str | None:
    """Return the role of a value inside one of the data types; None if the type does not determine it."""
    beside = parents[-1] if parents else {}
    if key in ("family", "given") or (parent in _ELEMENTS["HumanName"] and key == "text"):
        return "name"
    if key in ("prefix", "suffix") and parent in _ELEMENTS["HumanName"]:
        return "title"
    if parent in _ELEMENTS["Address"] and key not in ("use", "type", "country", "value", "start", "end"):
        return _ADDRESS.get(key, "street")
    if key in ("line", "postalCode", "city", "district"):
        return _ADDRESS.get(key, "street")
    if key == "country":
        return "code" if re.fullmatch("[A-Z]{2,3}", value) else "country"
    if parent in _ELEMENTS["ContactPoint"] and key == "value":
        return "contact"
    if parent in _ELEMENTS["Identifier"] and key in ("value", "id"):
        return "other-id"
    if key == "reference":
        return "reference"
    if parent in _ELEMENTS["Coding"] or {"system", "code"} <= beside.keys():
        published = PUBLISHED.fullmatch(str(beside.get("system", ""))) is not None
        if key == "code":
            return "fixed" if PUBLISHED.fullmatch(value) else "code" if published else "local-code"
        if key == "display":
            return "display" if published else "local-display"
    codings = _dicts_of(beside.get("coding"))
    if key == "text" and parent in _ELEMENTS["CodeableConcept"] and codings:
        if value in (coding.get("display") for coding in codings):
            return "display"  # repeats the display of the coding
        if any(PUBLISHED.fullmatch(str(coding.get("system", ""))) for coding in codings):
            return "local-display"
    return None


def _role_by_resource(key: str, parent: str, parents: Sequence[dict[str, Any]], type_of: TypeOfReference) -> str | None:
    """Return the role of a value by the resource that contains it; None if the resource does not determine it."""
    kind = next((str(item["resourceType"]) for item in reversed(parents) if "resourceType" in item), "")
    if key == "name":
        site = kind in _SITES and parent != "contact"
        person = parent in ("contact", "author", "editor", "reviewer", "endorser") or kind in _PEOPLE
        return "hospital" if site else "name" if person or not kind else "text"
    if key in _NAMES_OF_SITES:
        return "organisation"
    if key == "display":
        target = kind_of_target(parent, parents[-1] if parents else {}, type_of)
        return {"person": "name", "site": "hospital", "thing": "local-display", "": "name"}[target]
    return {"div": "narrative", "data": "base64"}.get(key)


def kind_of_target(element: str, reference: dict[str, Any], type_of: TypeOfReference) -> str:
    """Return what a reference points to: ``person``, ``site`` or ``thing``; empty if it may be a person."""
    literal = str(reference.get("reference", ""))
    found = _LOCAL_TYPE.fullmatch(literal)
    kind = (
        str(reference.get("type") or "") or type_of(literal) or (found[1] if found else "") or literal.partition("?")[0]
    )
    for target, kinds in (("person", _PEOPLE), ("site", _SITES), ("thing", _THINGS)):
        if kind in kinds:
            return target
    if element in _ELEMENTS["person-reference"]:
        return ""
    return "site" if element in _ELEMENTS["place-reference"] else "thing"


def _role_of_uri(value: str) -> str:
    """Return ``fixed`` for a URI of a published code system; other URIs may name an institution."""
    if re.fullmatch(r"[A-Za-z][A-Za-z-]{0,40}(?:[.-]\d{1,2})*(?:-[a-z]{1,20}){0,6}", value):  # a nested extension's URL
        return "local-display"
    return "fixed" if PUBLISHED.fullmatch(value) else "other-id"


def _dicts_of(value: Any) -> list[dict[str, Any]]:
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]


def add_patient_fields(
    parsed: ParsedMessage, item: dict[str, Any], path: Sequence[str], type_of: TypeOfReference
) -> None:
    """Add the names, addresses, contacts and identifiers in an object to the message, by their types alone."""

    def strings_at(*keys: str) -> list[str]:
        found = []
        for key in keys:
            value = item.get(key)
            found += [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str)]
        return found

    last = path[-1] if path else ""
    if last in _ELEMENTS["HumanName"] and {"family", "given", "text"} & item.keys():
        parsed.add_patient_field("names", " ".join(strings_at("given", "family")))
        for text in strings_at("text"):
            parsed.add_patient_field("names", text)
    elif last in _ELEMENTS["Address"] and {"line", "postalCode", "city"} & item.keys():
        parsed.add_patient_field("addresses", ", ".join(strings_at("line", "city", "state", "postalCode")))
    elif last in _ELEMENTS["ContactPoint"]:
        for text in strings_at("value"):
            parsed.add_patient_field("other" if item.get("system") in ("email", "url") else "phones", text)
    elif last in _ELEMENTS["Identifier"]:
        for text in strings_at("value"):
            parsed.add_patient_field("other", text)
    for text in strings_at("birthDate"):
        parsed.add_patient_field("birth_date", text)
    if item.get("resourceType") == "Patient":
        for text in [*strings_at("id"), *(str(part.get("value", "")) for part in _dicts_of(item.get("identifier")))]:
            parsed.add_patient_field("id", text)
    if "display" in item and {"reference", "identifier", "type"} & item.keys():
        target = kind_of_target(last, item, type_of)
        for text in strings_at("display"):
            if target == "person":
                parsed.add_patient_field("names", text)
            elif target == "site":
                parsed.add_institution(text)
    if item.get("resourceType") in _SITES:
        for text in strings_at("name"):
            parsed.add_institution(text)
