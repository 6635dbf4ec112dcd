"""Provenance of the evidence: digests of everything on which the figures depend."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from notesieve import _core
from notesieve.evaluation.scores import digest_of_gold
from notesieve.files.run_manifest import size_and_sha256

if TYPE_CHECKING:
    from notesieve.evaluation.gold import Gold
    from notesieve.scrubber import Scrubber

_BUILT_IN = {
    "vocabulary_digest": "vocabulary, with the lists of the site",
    "model_digest": "model of names",
    "status_digest": "model of assertion statuses",
    "entities_digest": "model of entities",
    "policy_digest": "policy",
}


def collect_digests(
    scrubber: Scrubber, golds: Mapping[str, Gold], site: str | PathLike[str] | None = None
) -> dict[str, str]:
    """Return the SHA-256 digests of everything on which the figures depend, by a description of each.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber that was measured.
    golds : mapping of str to Gold
        The gold standards by name.
    site : path, optional
        The folder with the site lists.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> import notesieve as ns
    >>> list(collect_digests(ns.Scrubber(), {"gold": ns.Gold({"a": "Well."})}))[:3]
    ['compiled program', 'vocabulary, with the lists of the site', 'model of names']
    """
    found = {"compiled program": size_and_sha256(Path(_core.__file__))[1]}
    provenance = scrubber.provenance
    found |= {name: str(provenance[key]) for key, name in _BUILT_IN.items() if provenance.get(key)}
    found |= {} if site is None else site_digests(site)
    found |= {f"gold standard {name}": digest_of_gold(gold) for name, gold in golds.items()}
    found |= {f"software bill of materials {name}": value for name, value in bills_of_materials().items()}
    if provenance.get("key_fingerprint"):
        found["key (its fingerprint, which tells nothing else of it)"] = str(provenance["key_fingerprint"])
    return found


def site_digests(site: str | PathLike[str]) -> dict[str, str]:
    """Return the digest of each site list.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "staff.txt").write_text("Ambrosius Thackle")
    >>> list(site_digests(folder))
    ['site list staff.txt']
    """
    names = ("allow", "deny", "staff", "places")
    files = [file for name in names if (file := Path(site) / f"{name}.txt").exists()]
    return {f"site list {file.name}": size_and_sha256(file)[1] for file in files}


def bills_of_materials() -> dict[str, str]:
    """Return the digests of the software bills of materials (CycloneDX) of the installed package.

    Examples
    --------
    >>> all(name.endswith(".json") for name in bills_of_materials())
    True
    """
    try:
        files = distribution("notesieve").files or []
    except PackageNotFoundError:
        return {}
    bills = [file for file in files if ".dist-info" in str(file) and "sboms" in file.parts]
    return {file.name: sha256(Path(str(file.locate())).read_bytes()).hexdigest() for file in bills}


def runtime_environment() -> dict[str, str]:
    """Return the versions of package and Python and the platform, without the name of the machine.

    Examples
    --------
    >>> list(runtime_environment())
    ['notesieve', 'Python', 'system']
    """
    return {
        "notesieve": _core.__version__,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
