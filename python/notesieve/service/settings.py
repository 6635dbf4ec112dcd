"""The settings of the service."""

from __future__ import annotations

import hmac
import os
import stat
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from notesieve.errors import SettingError
from notesieve.files.reading_errors import as_file_errors
from notesieve.hidden_repr import HiddenRepr

#: The minimum length; shorter tokens could be guessed.
_SHORTEST_TOKEN = 16


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is loopback.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def read_token(path: Path) -> str:
    """Read the token of the service from a file.

    Parameters
    ----------
    path : Path
        A file with one line of at least 16 visible ASCII characters, readable only by its owner.

    Returns
    -------
    str
        The token.

    Raises
    ------
    FileError
        If the file cannot be read.
    SettingError
        If others can read it, or if it contains no valid token. The message never contains the token.
    """
    with as_file_errors(path):
        content = path.read_bytes()
        mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        raise SettingError(f"{path}: others can read the token (mode {mode:03o}): chmod 600 {path}")
    token = content.strip()
    if len(token) < _SHORTEST_TOKEN or not all(33 <= byte <= 126 for byte in token):
        message = f"{path}: a token is one line of at least {_SHORTEST_TOKEN} visible ASCII characters, without spaces"
        raise SettingError(message)
    return token.decode("ascii")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """Where the service listens, who may use it, and its limits.

    Parameters
    ----------
    host : str, default "127.0.0.1"
        The address to listen on. Any address but loopback requires a token.
    port : int, default 8765
        The port; 0 selects a free one.
    token : HiddenRepr, optional
        The token that requests must carry as ``Authorization: Bearer TOKEN``.
    allowed_hosts : tuple of str, optional
        Additional ``Host`` names that a service without a token accepts, such as the public name of a proxy in front of
        it. Other names are refused, which prevents DNS rebinding by pages of other sites.
    max_body : int, default 4,194,304
        The maximum size of a request body in bytes.
    max_batch : int, default 1,000
        The maximum number of notes in a batch.
    timeout : float, default 30
        The maximum time in seconds for a body to arrive, and for its processing including the wait.
    threads : int, optional
        The number of requests processed at once. Default: one per core.
    max_waiting : int, default 1,000
        The maximum number of pending requests. Further ones are answered with 503.
    certificate, certificate_key : Path, optional
        PEM files for TLS.

    Raises
    ------
    SettingError
        If a value is out of range, or if the address is not loopback and there is no token.

    Examples
    --------
    >>> ServiceSettings().host
    '127.0.0.1'
    >>> ServiceSettings(host="0.0.0.0")
    Traceback (most recent call last):
    notesieve.errors.SettingError: 0.0.0.0 can be reached from other machines: it needs a token, --token-file FILE
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: HiddenRepr | None = None
    allowed_hosts: tuple[str, ...] = ()
    max_body: int = 4 << 20
    max_batch: int = 1000
    timeout: float = 30.0
    threads: int | None = None
    max_waiting: int = 1000
    certificate: Path | None = None
    certificate_key: Path | None = None

    def __post_init__(self) -> None:
        """Raise for values that cannot work."""
        if not self.is_local and self.token is None:
            raise SettingError(f"{self.host} can be reached from other machines: it needs a token, --token-file FILE")
        if not 0 <= self.port <= 65535:
            raise SettingError(f"port {self.port} is not one of 0 to 65535")
        for name in ("max_body", "max_batch", "timeout", "threads", "max_waiting"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise SettingError(f"{name} must be above 0, not {value}")
        if (self.certificate is None) != (self.certificate_key is None):
            raise SettingError("TLS needs both a certificate and its key")

    @property
    def is_local(self) -> bool:
        """Whether the address is loopback."""
        return is_loopback(self.host)

    def accepts(self, token: str) -> bool:
        """Return whether a token is correct, in constant time."""
        return self.token is None or hmac.compare_digest(token.encode(), str(self.token.reveal()).encode())
