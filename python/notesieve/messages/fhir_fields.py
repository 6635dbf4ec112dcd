"""What the values of FHIR resources are, by the keys that lead to them. What is not here does not come out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from notesieve.messages.parsed import PUBLISHED, names_in

__all__ = ["role_of"]


_CODES = names_in(
    "resourceType code version status use gender unit comparator intent priority mode language contentType severity"
    " criticality docStatus kind action direction linkId periodUnit durationUnit when dayOfWeek rank type category"
    " clinicalStatus verificationStatus relationship searchMode valueCode valueCodeableConcept subjectType"
    " deceasedBoolean experimental publisher_type operator sequence method outcome etag dataAbsentReason bodySite"
    " contained fhirVersion currency aggregation purpose participantRole statusReason interpretation modality valueUri"
    " frequencyUnit level confidentiality isRequired abatementBoolean lifecycleStatus achievementStatus"
)
_MEASURES = names_in(
    "valueInteger valueDecimal valuePositiveInt valueUnsignedInt total frequency frequencyMax period periodMax repeat"
    " duration durationMax count countMax multipleBirthInteger factor dimensions sequence rank lowerLimit upperLimit"
    " numberOfRepeatsAllowed numberOfSeries numberOfInstances doseNumberPositiveInt seriesDosesPositiveInt origin"
    " interval size offset score probabilityDecimal doseNumberString seriesDosesString numerator denominator data_rate"
)
_TEXTS = names_in(
    "title description comment comments conclusion summary patientInstruction instruction note valueString"
    " valueMarkdown reasonString onsetString text display abatementString additionalInstruction reason protocolApplied"
    " preparation dosageInstruction valueAnnotation outcomeString prefixText question answer statusReasonText details"
    " diagnostics"
)
_QUANTITIES = names_in(
    "valueQuantity valueAge valueDuration valueRange valueRatio low high doseQuantity quantity numerator denominator"
    " rateQuantity boundsDuration boundsRange onsetAge onsetRange abatementAge valueSampledData origin rateRatio"
    " doseRange rateRange dispenseInterval expectedSupplyDuration length maxDosePerPeriod maxDosePerAdministration"
    " detailQuantity detailRange strength amount concentration dose initialFill daysSupply totalVolume"
)
_PEOPLE = names_in(
    "subject patient performer author recorder asserter requester participant actor practitioner generalPractitioner"
    " individual member source informant attester party receiver sender enterer collector verifier signer who target"
    " dispenser agent authorReference onBehalfOf responsible performerActor attendee hospitalist operator"
)
_PLACES = names_in(
    "managingOrganization serviceProvider custodian organization location origin destination hospitalization insurer"
    " payor provider facility partOf issuer publisher assigner manufacturer"
)
_CODED = names_in("coding")
_IDS = names_in(
    "id versionId fullUrl identifier masterIdentifier serialNumber lotNumber accession setId uuid deviceIdentifier udi"
    " carrierHRF distinctIdentifier subscriberId policyNumber licenseNumber valueId valueUuid valueOid username"
)
_DATE_KEY = re.compile(
    r"(?:.*(?:Date|DateTime|Instant|Period)|date|issued|start|end|authored|authoredOn|recorded|lastUpdated|created|sent|"
    r"received|timestamp|instant|occurrence|assertedDate|time|event|expiry|whenPrepared|whenHandedOver|lastModified)"
)
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?)?")
_SITES = names_in("Organization Location HealthcareService Endpoint InsurancePlan")
_THINGS = names_in(
    "Medication Substance Device DeviceDefinition Questionnaire ValueSet CodeSystem StructureDefinition"
    " ActivityDefinition PlanDefinition Measure Library ObservationDefinition"
)


def role_of(path: Sequence[str], parents: Sequence[dict[str, Any]], value: Any) -> str:
    """Say what the value at a path is.

    Examples
    --------
    >>> role_of(["name", "family"], [{}, {}], "Winters"), role_of(["valueQuantity", "value"], [{}, {}], 7.2)
    ('name', 'measure')
    """
    key = path[-1].removeprefix("_") if path else ""
    parent = path[-2] if len(path) > 1 else ""
    if not isinstance(value, str):
        amount = key == "value" and (parent in _QUANTITIES or parent.endswith(("Quantity", "Duration", "Age")))
        return "measure" if amount or key in _MEASURES else "unlisted"
    if key == "birthDate":
        return "birth_date"
    if _DATE_KEY.fullmatch(key) and (_DATE.fullmatch(value) or key != "time"):
        return "date" if _DATE.fullmatch(value) else "unlisted"
    by_place = _by_place(key, parent, path, parents, value)
    if by_place:
        return by_place
    if key in _IDS:
        return "id"
    if key in _CODES:
        return "code" if len(value) < 65 and " " not in value else "text"
    if key in _MEASURES:
        return "measure"
    return "text" if key in _TEXTS else "unlisted"


def _by_place(key: str, parent: str, path: Sequence[str], parents: Sequence[dict[str, Any]], value: str) -> str | None:
    """Say what a value is whose key alone does not tell."""
    if parent in ("name", "valueHumanName", "maiden") and key in ("text", "family", "given", "prefix", "suffix"):
        return "name"
    if key in ("family", "given", "prefix", "suffix", "alias"):
        return "name"
    if parent in ("address", "valueAddress") or key in ("line", "city", "district", "state", "postalCode"):
        if key in ("use", "type") or (key == "country" and re.fullmatch("[A-Z]{2,3}", value)):
            return "code"
        return "location"
    if parent in ("telecom", "valueContactPoint"):
        return "code" if key in ("system", "use", "rank") else "contact"
    if parent.lower().endswith("identifier"):
        if key == "system":
            return _address(value)
        return "code" if key == "use" else "id"
    if key in ("system", "url", "profile", "reference", "instantiatesCanonical", "valueCanonical", "definition"):
        return "reference" if key == "reference" else _address(value)
    if key == "name":
        kind = next((str(item["resourceType"]) for item in reversed(parents) if "resourceType" in item), "")
        return "text" if kind in _THINGS else "location" if kind in _SITES else "name"
    if key == "display":
        return _display(path, parents)
    if key == "div":
        return "narrative"
    return "base64" if key == "data" else None


def _address(value: str) -> str:
    """Say whether an address is one of a published code system or may name an institution."""
    if re.fullmatch("[A-Za-z][A-Za-z-]{0,40}", value):  # the part of an extension
        return "code"
    return "published" if PUBLISHED.fullmatch(value) else "id"


def _display(path: Sequence[str], parents: Sequence[dict[str, Any]]) -> str:
    if "coding" in path or path[-2:-1] in (["valueCoding"], ["class"], ["tag"], ["security"]):
        return "display" if PUBLISHED.fullmatch(str(parents[-1].get("system", ""))) else "text"
    around = set(path[:-1])
    if around & _PLACES and not str(parents[-1].get("reference", "")).startswith(("Pra", "Pat", "Rel")):
        return "location"
    kind = str(parents[-1].get("reference", "")).partition("/")[0]
    if around & _PEOPLE or kind in ("Patient", "Practitioner", "RelatedPerson", "PractitionerRole", "Person"):
        return "name"
    return "text" if kind in ("Medication", "Condition", "Observation", "Procedure", "Specimen") else "name"
