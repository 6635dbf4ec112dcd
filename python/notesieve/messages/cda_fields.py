"""What texts and attributes of C-CDA documents and of XHTML are, by their place. What is not here does not come out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from notesieve.messages.parsed import PUBLISHED, UNITS_OF_AGE, names_in

__all__ = ["PLACED", "attribute_role", "text_role"]


PLACED = names_in(
    "representedOrganization representedCustodianOrganization custodianOrganization providerOrganization"
    " serviceProviderOrganization scopingOrganization wholeOrganization receivedOrganization scopingEntity"
    " manufacturerOrganization location place healthCareFacility serviceProvider birthplace"
    " representedLegalOrganization asOrganizationPartOf standardIndustryClassCode participantOrganization"
)
"""Elements whose name is that of an institution or a place."""

_TEXTS = names_in(
    "text title originalText desc paragraph content td th caption item list table tbody thead tr br footnote sub sup"
    " div p b i u em strong span ul ol li h1 h2 h3 h4 h5 h6 pre code blockquote linkHtml reasonText"
)
_CODES = names_in(
    "code codeSystem codeSystemName codeSystemVersion classCode moodCode typeCode determinerCode type unit nullFlavor"
    " use operator inclusive institutionSpecified negationInd contextConductionInd contextControlCode mediaType"
    " representation styleCode align valign border width height colspan rowspan cellpadding cellspacing scope frame"
    " rules listType revised qualifier partType inversionInd independentInd separatableInd lang space isCriterionInd"
    " unsorted alignment assigningAuthorityName_ schemaVersion specializationType valueSet valueSetVersion sdtcType"
    " class start language"
)
_DATES = names_in(
    "effectiveTime low high center time birthTime deceasedTime signatureTime availabilityTime existenceTime"
    " expirationTime existenceDate validTime"
)
_MEASURES = names_in(
    "value low high center width numerator denominator doseQuantity rateQuantity quantity repeatNumber sequenceNumber"
    " versionNumber priorityCode maxDoseQuantity period lengthOfStay multipleBirthOrderNumber increment origin scale"
)
_FLAGS = re.compile(r"true|false|[01]")
_LOCAL = re.compile(r"#?[A-Za-z_][A-Za-z_.-]{0,30}\d{0,4}")
_STAMP = re.compile(r"(?:18|19|20)\d{2}(?:\d\d){0,5}(?:\.\d+)?(?:[+-]\d{4}|Z)?")


def attribute_role(path: Sequence[str], name: str, beside: dict[str, str], value: str) -> str:
    """Say what an attribute is.

    Examples
    --------
    >>> attribute_role(["patient", "birthTime"], "value", {"value": "19460304"}, "19460304")
    'birth_date'
    >>> attribute_role(["observation", "value"], "value", {"value": "7.2", "unit": "%"}, "7.2")
    'measure'
    """
    element = path[-1]
    plain = name.rpartition(":")[2]
    if name.startswith("xmlns") or plain in ("schemaLocation", "noNamespaceSchemaLocation"):
        return "published" if all(_is_published(part) for part in value.split()) else "id"
    if plain == "root":
        published = element in ("templateId", "typeId", "conformsTo") or _is_published(f"urn:oid:{value}")
        return "published" if published and re.fullmatch(r"[\d.]{3,64}", value) else "id"
    if plain == "extension":
        return "code" if element in ("templateId", "typeId") else "id"
    if plain in ("ID", "IDREF", "href", "referencedObject", "id") or (element == "reference" and plain == "value"):
        return "code" if _LOCAL.fullmatch(value) else "id"
    if plain == "displayName":
        return "display" if _is_published(f"urn:oid:{beside.get('codeSystem', '')}") else "text"
    if plain == "codeSystemName":
        return "display"
    if plain == "value":
        return _value_role(path, beside, value)
    return "code" if plain in _CODES else "unlisted"


def _value_role(path: Sequence[str], beside: dict[str, str], value: str) -> str:
    element = path[-1]
    if element == "birthTime":
        return "birth_date"
    if element == "telecom":
        return "contact"
    if element.endswith("Ind"):
        return "code" if _FLAGS.fullmatch(value) else "unlisted"
    # A border of an interval is a date or a number, by what it lies in.
    measured = beside.get("unit") is not None or any(part in _MEASURES - _DATES for part in path[-2:])
    if element in _DATES and not measured:
        return "date" if _STAMP.fullmatch(value) else "unlisted"
    if _STAMP.fullmatch(value) and len(value) > 7:
        return "date"
    if element in _MEASURES:
        old = beside.get("unit", "").lower() in UNITS_OF_AGE and re.fullmatch(r"\d{2,3}(?:\.\d+)?", value)
        return "old" if old and float(value) > 89 else "measure"
    return "unlisted"


def text_role(path: Sequence[str], attributes: Sequence[dict[str, str]]) -> str:
    """Say what the text of an element is."""
    for at in range(len(path) - 1, -1, -1):
        element = path[at]
        if element == "addr":
            return "location"
        if element == "name":
            return "location" if PLACED.intersection(path[max(0, at - 2) : at]) else _name_role(path[:at])
        if element in ("telecom", "desc_phone"):
            return "contact"
        if element in ("th", "title", "caption"):
            return "display"
        if element in ("text", "div", "originalText"):
            return _block_role(path[at:], attributes[-1])
    if path[-1] in ("given", "family", "prefix", "suffix"):
        return "name"
    if path[-1] in ("lotNumberText", "serialNumber"):
        return "id"
    if path[-1] in ("manufacturerModelName", "softwareName"):
        return "text"
    if path[-1] == "value" and attributes[-1].get("type", "").rpartition(":")[2] in ("ST", "ED"):
        return "text"
    return "text" if path[-1] in ("paragraph", "content", "td", "item", "desc") else "unlisted"


def _name_role(above: Sequence[str]) -> str:
    """Tell the names of people from those of materials."""
    return (
        "text"
        if above and above[-1] in ("manufacturedMaterial", "manufacturedLabeledDrug", "playingEntity")
        else "name"
    )


def _block_role(path: Sequence[str], attributes: dict[str, str]) -> str:
    """Text within a block; of an attachment in base64 nothing comes out."""
    if attributes.get("representation") == "B64":
        return "unlisted"
    return "text" if all(part in _TEXTS or part == path[0] for part in path) else "unlisted"


def _is_published(address: str) -> bool:
    known = PUBLISHED.fullmatch(address) is not None
    return known or re.fullmatch(r"[A-Za-z]{1,20}\.xsd|urn:[a-z0-9:-]*hl7[a-z0-9:-]*", address) is not None
