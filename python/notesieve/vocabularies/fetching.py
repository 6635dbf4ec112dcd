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

# The year in use lies in the first folder, others in one of their own.
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
    """Download a source from its publisher, or go on with a download that was interrupted.

    Parameters
    ----------
    what : {"mesh", "mesh-supplementary"}
        NLM's descriptors or supplementary concepts in XML.
    year : int
        The year of MeSH.
    folder : path, optional
        Where the file goes. What is there already is checked and not fetched again.
    sha256 : str, optional
        The digest that the file must have, where the publisher or a colleague tells it.
    url : str, optional
        A mirror with the same folders.
    progress : bool, optional
        Whether to show a bar. Default: in a terminal or notebook.

    Returns
    -------
    Path
        The file, complete and whole: its length is the announced one, and it unpacks to its end.

    Raises
    ------
    FetchError
        If it cannot be fetched or is not whole. What came so far is kept; the next call goes on there.
    PolicyError
        If there is no such source.
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
    """Refuse an address that is neither HTTPS nor of this machine."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1")):
        raise PolicyError(f"url={url!r} must begin with https://")


def _download_from_first(addresses: list[str], target: Path, *, show: bool | None) -> None:
    """Try the addresses; what came of an earlier try is gone on with if the file is still the same."""
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
        _version_of(partial).unlink(missing_ok=True)
        return


def _version_of(partial: Path) -> Path:
    """Give the file that tells of which version of the file a part was fetched."""
    return partial.with_name(partial.name + ".json")


def _resume_download(address: str, partial: Path, *, show: bool | None) -> None:
    """Download an address; go on with a part that is there if its version is the same."""
    have = partial.stat().st_size if partial.exists() else 0
    version = json.loads(_version_of(partial).read_text()) if have and _version_of(partial).exists() else {}
    if version.get("address") != address or not version.get("tag"):
        have = 0
    headers = {"User-Agent": "notesieve", "Accept-Encoding": "identity"}
    if have:
        # If the file changed meanwhile, the server sends all of the new one.
        headers |= {"Range": f"bytes={have}-", "If-Range": version["tag"]}
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - `_require_https` saw the scheme
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
            _version_of(partial).write_text(json.dumps({"address": address, "tag": tag, "length": total}))
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
    """Unpack the file to its end; gzip holds a check sum. Compare the digest where one is told."""
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
