"""Fetch published sources: the only part of notesieve that opens a connection, and only when it is called."""

from __future__ import annotations

import gzip
import hashlib
import json
import urllib.error
import urllib.request
import zlib
from http.client import HTTPException
from os import PathLike
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from notesieve.errors import FetchError, PolicyError
from notesieve.progress import progress_bar

# The current year is in the first folder, each other year in a folder of its own.
MESH: Final = "https://nlmpubs.nlm.nih.gov/projects/mesh"
FOLDERS: Final = ("MESH_FILES/xmlmesh", "{year}/xmlmesh")
FILES: Final = {"mesh": "desc{year}.gz", "mesh-supplementary": "supp{year}.gz"}
_CHUNK: Final = 1 << 20
_MISSING: Final = 404
_PARTIAL: Final = 206
_NO_SUCH_RANGE: Final = 416
_SECONDS: Final = 60


def fetch(
    what: str = "mesh",
    *,
    year: int,
    folder: str | PathLike[str] = ".",
    sha256: str | None = None,
    url: str = MESH,
    progress: bool | None = None,
) -> Path:
    """Download a source from its publisher, or resume an interrupted download.

    Parameters
    ----------
    what : {"mesh", "mesh-supplementary"}
        NLM's descriptors or supplementary concepts in XML.
    year : int
        The year of MeSH.
    folder : path, optional
        The target folder. An existing file is checked and not downloaded again.
    sha256 : str, optional
        The expected digest, if known from the publisher or a colleague.
    url : str, optional
        A mirror with the same folders.
    progress : bool, optional
        Whether to show a bar. Default: in a terminal or notebook.

    Returns
    -------
    Path
        The complete file: it has the announced length and decompresses to its end.

    Raises
    ------
    FetchError
        If the download fails or is damaged. A partial download is kept; the next call resumes it.
    PolicyError
        If the source is unknown.
    """
    if what not in FILES:
        raise PolicyError(f"there is nothing to fetch under {what!r}: take one of {', '.join(FILES)}")
    _require_https(url)
    target = Path(folder) / FILES[what].format(year=year)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        addresses = [f"{url.rstrip('/')}/{part.format(year=year)}/{target.name}" for part in FOLDERS]
        _download_from_first(addresses, target, show=progress)
    _check_download(target, sha256)
    return target


def _require_https(url: str) -> None:
    """Refuse a URL that is neither HTTPS nor on this machine."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1")):
        raise PolicyError(f"url={url!r} must begin with https://")


def _download_from_first(addresses: list[str], target: Path, *, show: bool | None) -> None:
    """Try the addresses in turn; resume a partial download if the file on the server is still the same."""
    partial = target.with_name(target.name + ".partial")
    for last, address in ((address == addresses[-1], address) for address in addresses):
        try:
            _resume_download(address, partial, show=show)
        except urllib.error.HTTPError as problem:
            if problem.code == _MISSING and not last:
                continue
            raise FetchError(
                f"{address}: there is no such file; look at the publisher's page which years there are"
                if problem.code == _MISSING
                else f"{address}: the server answers {problem.code}; try again later"
            ) from None
        except (OSError, HTTPException) as problem:
            reason = getattr(problem, "reason", None) or problem
            raise FetchError(f"{address}: {reason}; what came is kept in {partial}: call again to go on") from None
        partial.replace(target)
        _version_file(partial).unlink(missing_ok=True)
        return


def _version_file(partial: Path) -> Path:
    """Return the path of the JSON file that records which version a partial download belongs to."""
    return partial.with_name(partial.name + ".json")


def _resume_download(address: str, partial: Path, *, show: bool | None) -> None:
    """Download a URL; resume a partial download if its version is the same."""
    have = partial.stat().st_size if partial.exists() else 0
    version = json.loads(_version_file(partial).read_text()) if have and _version_file(partial).exists() else {}
    if version.get("address") != address or not version.get("tag"):
        have = 0
    headers = {"User-Agent": "notesieve", "Accept-Encoding": "identity"}
    if have:
        # If the file has changed in the meantime, the server sends the new one as a whole.
        headers |= {"Range": f"bytes={have}-", "If-Range": version["tag"]}
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - `_require_https` checked the scheme
    try:
        answer = urllib.request.urlopen(request, timeout=_SECONDS)  # noqa: S310 - as above
    except urllib.error.HTTPError as problem:
        if problem.code == _NO_SUCH_RANGE and have == version.get("length"):
            return
        raise
    with answer:
        if answer.status != _PARTIAL:
            have = 0
        length = int(answer.headers.get("Content-Length") or 0)
        total = have + length if length else None
        tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
        if not have:
            _version_file(partial).write_text(json.dumps({"address": address, "tag": tag, "length": total}))
        name = address.rsplit("/", 1)[-1]
        with (
            partial.open("ab" if have else "wb") as out,
            progress_bar(show, desc=name, total=total, initial=have, unit="B", unit_scale=True) as bar,
        ):
            while chunk := answer.read(_CHUNK):
                out.write(chunk)
                bar.update(len(chunk))
            size = out.tell()
    if total is not None and size != total:
        raise OSError(f"{size:,} of {total:,} bytes came")


def _check_download(file: Path, sha256: str | None) -> None:
    """Decompress the file to its end, which verifies gzip's checksum. Compare the digest if one is given."""
    again = f"delete {file} and fetch it again"
    try:
        with gzip.open(file) as stream:
            while stream.read(_CHUNK):
                pass
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise FetchError(f"{file}: is damaged: {again}") from None
    except OSError as problem:
        raise FetchError(f"{file}: {problem.strerror}") from None
    if sha256 is not None:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if digest != sha256.lower():
            raise FetchError(f"{file}: has SHA-256 {digest}, not {sha256.lower()}: {again}")
