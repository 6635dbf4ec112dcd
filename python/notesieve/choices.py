"""The values of the policy's and other choices as types, so that a type checker finds ``dates="shfit"``."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Preset: TypeAlias = Literal["safe", "balanced", "berman", "readable", "limited-data-set"]
Terms: TypeAlias = Literal["written", "preferred", "code"]
Numbers: TypeAlias = Literal["none", "strict", "judged", "wide", "all"]
Unknown: TypeAlias = Literal["remove", "judged", "keep"]
Dates: TypeAlias = Literal["tag", "year", "shift"]
Years: TypeAlias = Literal["keep", "remove"]
DateOrder: TypeAlias = Literal["mdy", "dmy", "ymd"]
Replace: TypeAlias = Literal["tag", "numbered", "surrogate", "mask"]
Ages: TypeAlias = Literal["90+", "tag"]
Zip: TypeAlias = Literal["remove", "prefix"]
Ambiguous: TypeAlias = Literal["context", "always", "never"]
Category: TypeAlias = Literal["name", "date", "age", "location", "contact", "id"]
Kind: TypeAlias = Literal[
    "name", "patient", "staff", "relative", "initials",
    "date", "day-month", "month-year", "month", "year", "early-year", "weekday", "holiday", "season", "age-over-89",
    "street", "city", "county", "state", "country", "zip", "hospital", "ward", "organisation",
    "phone", "fax", "pager", "email", "url", "network", "handle",
    "ssn", "record", "account", "accession", "health-plan", "license", "vehicle", "device", "user-name", "other-id",
    "ethnicity",
]  # fmt: skip
Group: TypeAlias = Literal[
    "disorder",
    "finding",
    "procedure",
    "drug",
    "measurement",
    "device",
    "anatomy",
    "organism",
    "physiology",
    "person",
    "place",
    "other",
]
Output: TypeAlias = Literal["text", "coded", "concepts", "removed", "error"]
OnBatchError: TypeAlias = Literal["raise", "empty"]
OnRowError: TypeAlias = Literal["mask", "raise"]
IndexChoice: TypeAlias = Literal["keep", "drop"]
MessageFormat: TypeAlias = Literal["hl7", "json", "xml", "table", "text"]
TextForm: TypeAlias = Literal["text", "coded", "jsonl", "spans"]
DecodingErrors: TypeAlias = Literal["strict", "replace"]


def is_policy_file(policy: str) -> bool:
    """Return whether a string that names a policy is a file and not a preset, as `Scrubber` decides it.

    Examples
    --------
    >>> is_policy_file("site.toml"), is_policy_file("safe")
    (True, False)
    """
    return policy.lower().endswith(".toml") or not {"/", "\\"}.isdisjoint(policy)


def did_you_mean(word: object, known: Iterable[object]) -> str:
    """Suggest the known word nearest to a mistyped one, for the end of a message; empty if none is near.

    Only a close match is suggested: in a file without a header the names of columns can be texts of a note, and a
    message must not quote them.

    Examples
    --------
    >>> did_you_mean("note_txt", ["note_text", "Mrs. Bloom was seen"])
    "; did you mean 'note_text'?"
    >>> did_you_mean("note", ["Mrs. Bloom was seen"])
    ''
    """
    typed = str(word)
    folded = {str(name).casefold(): str(name) for name in known}
    near = get_close_matches(typed.casefold(), folded, 1, 0.75)
    return f"; did you mean {folded[near[0]]!r}?" if near else ""
