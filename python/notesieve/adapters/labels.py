"""Mappings from the labels of other models to kinds or categories of PHI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from notesieve.choices import Kind
from notesieve.errors import SettingError

CATEGORIES = ("NAME", "DATE", "AGE", "LOCATION", "CONTACT", "ID")
"""The categories of PHI."""

# OntoNotes. Its dates include durations, frequencies and ages ("daily", "two weeks", "61-year-old"), which the rules
# of notesieve tell apart: that label is left out, and so are those that identify nobody (quantities, ...).
SPACY_KINDS: Mapping[str, str] = {
    "PERSON": "name",
    "PER": "name",
    "GPE": "city",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "organisation",
}
"""The labels of spaCy's models for English (OntoNotes)."""

TRANSFORMERS_KINDS: Mapping[str, str] = {
    # CoNLL 2003 and OntoNotes
    **SPACY_KINDS,
    # i2b2 2006 and 2014, and the models trained on them
    "NAME": "name",
    "PATIENT": "patient",
    "DOCTOR": "staff",
    "STAFF": "staff",
    "HCW": "staff",
    "USERNAME": "user-name",
    "DATE": "date",
    "LOCATION": "LOCATION",
    "HOSPITAL": "hospital",
    "HOSP": "hospital",
    "ORGANIZATION": "organisation",
    "PATORG": "organisation",
    "VENDOR": "organisation",
    "STREET": "street",
    "CITY": "city",
    "STATE": "state",
    "COUNTRY": "country",
    "ZIP": "zip",
    "LOCATION-OTHER": "LOCATION",
    "CONTACT": "CONTACT",
    "PHONE": "phone",
    "FAX": "fax",
    "EMAIL": "email",
    "URL": "url",
    "IPADDR": "network",
    "ID": "ID",
    "IDNUM": "ID",
    "MEDICALRECORD": "record",
    "SSN": "ssn",
    "ACCOUNT": "account",
    "LICENSE": "license",
    "VEHICLE": "vehicle",
    "DEVICE": "device",
    "BIOID": "ID",
    "HEALTHPLAN": "health-plan",
    "OTHERPHI": "ID",
}
"""The labels of de-identification models (i2b2) and models of names (CoNLL). Ages are left out: those up to 89 stay."""

PRESIDIO_KINDS: Mapping[str, str] = {
    "PERSON": "name",
    "LOCATION": "LOCATION",
    "ORGANIZATION": "organisation",
    "PHONE_NUMBER": "phone",
    "URL": "url",
    "IP_ADDRESS": "network",
    "MAC_ADDRESS": "network",
    "US_SSN": "ssn",
    "US_ITIN": "ID",
    "US_PASSPORT": "ID",
    "US_DRIVER_LICENSE": "license",
    "US_BANK_NUMBER": "account",
    "US_MBI": "health-plan",
    "US_NPI": "license",
    "MEDICAL_LICENSE": "license",
    "CREDIT_CARD": "account",
    "IBAN_CODE": "account",
    "CRYPTO": "account",
    "UK_NHS": "record",
    "UK_NINO": "ID",
    "AU_MEDICARE": "health-plan",
    "UUID": "ID",
}
"""Presidio's entities.

``DATE_TIME`` is left out, as it also covers durations and ages, and so is ``NRP``; ``EMAIL_ADDRESS``, since Presidio
downloads a list of domains when it first finds one. The rules of notesieve find dates and addresses of mail.
"""


def check_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Check that labels map to kinds or categories of PHI.

    Parameters
    ----------
    labels : mapping of str to str
        The kind or category of each label.

    Returns
    -------
    dict of str to str
        The labels, unchanged.

    Raises
    ------
    SettingError
        If a kind or category is unknown.

    Examples
    --------
    >>> check_labels({"PERSON": "name", "GPE": "LOCATION"})
    {'PERSON': 'name', 'GPE': 'LOCATION'}
    """
    known = {*CATEGORIES, *get_args(Kind)}
    for label, kind in labels.items():
        if kind not in known:
            raise SettingError(f"labels[{label!r}]: there is no kind or category {kind!r}")
    return dict(labels)


def plain_label(label: str) -> str:
    """Strip the prefix that marks the position of a token in its entity.

    Examples
    --------
    >>> plain_label("B-PATIENT"), plain_label("L_DATE"), plain_label("PERSON")
    ('PATIENT', 'DATE', 'PERSON')
    """
    if label[:1] in "BILUSE" and label[1:2] in ("-", "_"):
        return label[2:]
    return label
