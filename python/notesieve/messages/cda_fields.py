"""Roles of texts and attributes in HL7 version 3 documents and XHTML, by their position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources

from notesieve.messages.parsed import PUBLISHED, UNITS_OF_AGE, name_set

ELEMENTS = name_set(
    re.sub(
        "^#.*\n",
        "",
        resources.files("notesieve.messages").joinpath("cda_elements.txt").read_text(encoding="ascii"),
        flags=re.MULTILINE,
    )
)
"""The element names of the standard."""

BLOCKS = name_set(
    "text div p paragraph title td th tr item li caption table thead tbody list ul ol section h1 h2 h3 h4 h5 h6 pre"
    " blockquote originalText"
)
"""Elements that begin a new line; the others are inline."""

_PEOPLE = name_set(
    "patient assignedPerson guardianPerson relatedPerson associatedPerson informationRecipient person subject"
    " assignedAuthor assignedEntity guardian participantRole patientPatient relatedSubject"
)
_INSTITUTIONS = name_set(
    "representedOrganization representedCustodianOrganization custodianOrganization providerOrganization"
    " guardianOrganization"
    " serviceProviderOrganization scopingOrganization wholeOrganization receivedOrganization scopingEntity"
    " manufacturerOrganization location place healthCareFacility serviceProvider birthplace assignedOrganization"
    " representedLegalOrganization asOrganizationPartOf participantOrganization territorialAuthority"
)
_THINGS = name_set(
    "manufacturedMaterial manufacturedLabeledDrug playingEntity playingDevice manufacturedProduct manufacturedMedicine"
    " genericMedicine ingredientSubstance activeMoiety asSpecializedKind containerPackagedMedicine"
    " containerPackagedProduct"
    " activeIngredientSubstance inactiveIngredientSubstance generalizedMaterialKind"
)
_TEXTS = name_set(
    "text title originalText desc paragraph content td th caption item list table tbody thead tfoot tr br footnote sub"
    " sup"
    " footnoteRef a small big tt dl dt dd q cite section"
    " div p b i u em strong span ul ol li h1 h2 h3 h4 h5 h6 pre code blockquote linkHtml reasonText"
)
_CODES = name_set(
    "codeSystem codeSystemVersion classCode moodCode typeCode determinerCode type nullFlavor compression"
    " use operator inclusive institutionSpecified negationInd contextConductionInd contextControlCode mediaType"
    " representation align valign border width height colspan rowspan cellpadding cellspacing scope frame"
    " rules listType revised qualifier partType inversionInd independentInd separatableInd lang space isCriterionInd"
    " unsorted alignment schemaVersion specializationType valueSet valueSetVersion sdtcType currency axis char span"
    " class start language version standalone rel inverted integrityCheckAlgorithm"
)
_DATES = name_set(
    "effectiveTime low high center time birthTime deceasedTime signatureTime availabilityTime existenceTime"
    " expirationTime existenceDate validTime"
)
_NUMBERS = name_set(
    "value low high center width numerator denominator doseQuantity rateQuantity quantity repeatNumber sequenceNumber"
    " versionNumber priorityCode maxDoseQuantity period lengthOfStay multipleBirthOrderNumber increment origin scale"
    " probability qty"
)
_ADDRESS = {"city": "city", "county": "county", "state": "state", "postalCode": "zip", "country": "country"}
_FLAGS = re.compile(r"true|false|[01]")
_STAMP = re.compile(r"(?:18|19|20)\d{2}(?:\d\d){0,5}(?:\.\d+)?(?:[+-]\d{4}|Z)?")
_NAMESPACE = re.compile(r"(?:https?://|urn:)[A-Za-z0-9./:#_-]{3,120}|[\w.-]{1,40}\.xsd")
_STYLE = re.compile(r"[A-Za-z][A-Za-z -]{0,60}")


def attribute_role(path: Sequence[str], name: str, beside: dict[str, str], value: str) -> str:
    """Return the role of an attribute: a role of the core, ``anchor`` for a name within the document, or ``fixed``.

    Examples
    --------
    >>> attribute_role(["patient", "birthTime"], "value", {"value": "19460304"}, "19460304")
    'birth-date'
    >>> attribute_role(["observation", "value"], "value", {"value": "7.2", "unit": "%"}, "7.2")
    'number'
    """
    element = path[-1]
    plain = name.rpartition(":")[2]
    published = _is_published(f"urn:oid:{beside.get('codeSystem', '')}")
    if name.startswith("xmlns") or plain in ("schemaLocation", "noNamespaceSchemaLocation"):
        return "fixed" if all(_NAMESPACE.fullmatch(part) for part in value.split()) else "other-id"
    if plain == "root":
        known = element in ("templateId", "typeId", "conformsTo") or _is_published(f"urn:oid:{value}")
        return "fixed" if known and re.fullmatch(r"[\d.]{3,64}", value) else "other-id"
    if plain == "extension":
        return "code" if element in ("templateId", "typeId") else "other-id"
    if plain in ("ID", "IDREF", "referencedObject") or (value.startswith("#") and plain in ("href", "value")):
        return "anchor"
    if plain in ("id", "href") or (element == "reference" and plain == "value"):
        return "other-id"
    if plain == "displayName":
        return "display" if published else "local-display"
    if plain in ("codeSystemName", "unit", "assigningAuthorityName"):
        return "hospital" if plain.startswith("assigning") else "display"
    if plain == "styleCode":
        return "fixed" if _STYLE.fullmatch(value) else "unknown"
    if plain == "value":
        return _value_role(path, beside, value)
    if plain == "code":
        return "code" if published or "codeSystem" not in beside else "local-code"
    return "code" if plain in _CODES else "unknown"


def _value_role(path: Sequence[str], beside: dict[str, str], value: str) -> str:
    element = path[-1]
    if element == "birthTime":
        return "birth-date"
    if element == "telecom":
        return "contact"
    if element.endswith("Ind") or beside.get("type") == "BL":
        return "fixed" if _FLAGS.fullmatch(value) else "unknown"
    # A bound of an interval is a date or a number, depending on the elements around it.
    measured = beside.get("unit") is not None or any(part in _NUMBERS - _DATES for part in path[-2:])
    if element in _DATES and not measured:
        return "date" if _STAMP.fullmatch(value) else "unknown"
    if _STAMP.fullmatch(value) and len(value) > 7:
        return "date"
    if element in _NUMBERS:
        old = beside.get("unit", "").lower() in UNITS_OF_AGE and re.fullmatch(r"\d{2,3}(?:\.\d+)?", value)
        return "age-over-89" if old and float(value) > 89 else "number"
    return "text" if beside.get("type", "").rpartition(":")[2] == "ST" else "unknown"


def text_role(path: Sequence[str], attributes: Sequence[dict[str, str]]) -> str:
    """Return the role of the text of an element."""
    last = path[-1]
    for at in range(len(path) - 1, -1, -1):
        element = path[at]
        if element in ("addr", "telecom"):
            return "contact" if element == "telecom" else _ADDRESS.get(last, "street")
        if element == "name":
            return _name_role(path[:at], last)
        if element in ("th", "title", "caption"):
            return "local-display"
        if element in ("text", "div", "originalText"):
            return _block_role(path[at:], attributes[-1])
    if last in ("given", "family"):
        return "name"
    if last in ("lotNumberText", "serialNumber"):
        return "other-id"
    if last in ("manufacturerModelName", "softwareName", "paragraph", "content", "td", "item", "li", "p", "desc"):
        return "text"
    if last == "value" and attributes[-1].get("type", "").rpartition(":")[2] in ("ST", "ED"):
        return "text"
    return "unknown"


def _name_role(above: Sequence[str], last: str) -> str:
    """Return the role of a name: an institution's, a thing's, or else a person's."""
    if is_institution(above):
        return "hospital"
    if above and above[-1] in _THINGS:
        return "text"
    return "title" if last in ("prefix", "suffix") else "name"


def is_person(above: Sequence[str]) -> bool:
    """Return whether the parent elements of a name mark it as a person's."""
    return bool(above) and above[-1] in _PEOPLE


def is_institution(above: Sequence[str]) -> bool:
    """Return whether the parent elements of a name mark it as an institution's."""
    return not _INSTITUTIONS.isdisjoint(above[-2:]) and not is_person(above)


def _block_role(path: Sequence[str], attributes: dict[str, str]) -> str:
    """Return the role of text within a block; attachments in base64 are removed."""
    if attributes.get("representation") == "B64":
        return "unknown"
    return "text" if all(part in _TEXTS for part in path[1:]) else "unknown"


def _is_published(address: str) -> bool:
    known = PUBLISHED.fullmatch(address) is not None
    return known or re.fullmatch(r"[A-Za-z]{1,20}\.xsd|urn:[a-z0-9:-]*hl7[a-z0-9:-]*", address) is not None
