"""Roles of NEMSIS elements (ambulance records): by their number, or by the form of their values."""

from __future__ import annotations

import re

_ELEMENT = re.compile(r"[ed][A-Z][A-Za-z]{2,20}(?:\.\d\d)?(?:[A-Z][A-Za-z]{2,20})?")
_ROLES = {
    "name": "ePatient.02 ePatient.03 ePatient.04 ePayment.19 ePayment.20 ePayment.21 ePayment.23 ePayment.24"
    " eHistory.02 eHistory.03 eHistory.04 eOther.12",
    "street": "ePatient.05 ePatient.06 ePatient.11 eScene.10 eScene.11 eScene.13 eScene.15 eScene.16 eScene.17"
    " eScene.20 eDisposition.03 eDisposition.04 ePayment.25",
    "county": "ePatient.07 eScene.21 eDisposition.06",
    "state": "ePatient.08 eScene.18 eDisposition.05",
    "zip": "ePatient.09 eScene.19 eDisposition.07",
    "ssn": "ePatient.12",
    "birth-date": "ePatient.17",
    "contact": "ePatient.18 ePatient.19 eDisposition.08",
    "hospital": "eDisposition.01 eScene.12",
    "other-id": "ePatient.01 ePatient.21 eRecord.01 eResponse.01 eResponse.02 eResponse.03 eResponse.04 eResponse.13"
    " eResponse.14 eCrew.01 eDisposition.02 ePayment.02 ePayment.10 ePayment.17 ePayment.18 eOutcome.03 eOutcome.04",
    "text": "eNarrative.01 eSituation.04 eInjury.10 eMedications.10 eArrest.19",
}
_BY_ELEMENT = {element: role for role, elements in _ROLES.items() for element in elements.split()}
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?")
_CODE = re.compile(r"[A-Z]\d[0-9A-Z](?:\.\d{1,4})?|\d{7}")
_NUMBER = re.compile(r"-?\d{1,3}(?:\.\d{1,3})?")


def is_element(name: str) -> bool:
    """Return whether a name has the form of the standard: ``ePatient.02``, ``eVitals.BloodPressureGroup``."""
    return _ELEMENT.fullmatch(name) is not None


def role_of(element: str, value: str) -> str:
    """Return the role of the text of an element.

    Examples
    --------
    >>> role_of("ePatient.02", "Winters"), role_of("eVitals.06", "142"), role_of("eSituation.11", "R07.9")
    ('name', 'number', 'code')
    """
    role = _BY_ELEMENT.get(element)
    if role:
        return role
    if element.startswith(("dAgency", "dPersonnel")):
        return "other-id"
    if _DATE.fullmatch(value):
        return "date"
    if element == "ePatient.15" and value.isdigit() and int(value) > 89:
        return "age-over-89"
    if _NUMBER.fullmatch(value):
        return "number"
    return "code" if _CODE.fullmatch(value) else "unknown"
