"""Run the service with uvicorn until a signal stops it."""

from __future__ import annotations

import logging
import signal
import socket

import uvicorn

from notesieve.errors import SettingError
from notesieve.scrubber import Scrubber
from notesieve.service.application import create_app
from notesieve.service.settings import ServiceSettings

#: The maximum number of open connections; further ones are answered with 503.
_CONNECTIONS = 4096
_BACKLOG = 2048


def serve(
    scrubber: Scrubber | None = None, settings: ServiceSettings | None = None, *, access_log: bool = False
) -> None:
    """Run the service until SIGTERM or Ctrl-C, then finish pending requests and return.

    Parameters
    ----------
    scrubber : Scrubber, optional
        The scrubber. Default: ``Scrubber()``.
    settings : ServiceSettings, optional
        Address, token and limits. Default: loopback.
    access_log : bool, default False
        Whether to log each request to standard error: method, path, status and time, without query or body.

    Raises
    ------
    SettingError
        If the address cannot be used, or the certificate cannot be read.
    """
    settings = settings or ServiceSettings()
    app = create_app(scrubber, settings)
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=max(1, round(settings.timeout)),
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.certificate_key,
    )
    _log_to_stderr(access_log)
    try:
        config.load()
    except OSError as problem:
        message = f"{settings.certificate}: the certificate or its key cannot be used: {problem.strerror}"
        raise SettingError(message) from None
    listener = _bind_socket(settings)
    # uvicorn raises the signal again after shutdown; ignore it.
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        _print_address(listener, settings)
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, before)
        listener.close()


def _bind_socket(settings: ServiceSettings) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except OSError as problem:
        message = f"{settings.host}:{settings.port}: {problem.strerror or 'cannot be used'}; --port takes another one"
        raise SettingError(message) from None


def _print_address(listener: socket.socket, settings: ServiceSettings) -> None:
    scheme = "http" if settings.certificate is None else "https"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    port = listener.getsockname()[1]
    log = logging.getLogger("notesieve.service")
    log.warning("notesieve serves on %s://%s:%d/ (Ctrl-C ends it)", scheme, host, port)
    if not settings.is_local and settings.certificate is None:
        log.warning("notes and token cross the network in the clear: add --certificate, or put a proxy with TLS before")


def _log_to_stderr(access_log: bool) -> None:
    """Log the service, and warnings of uvicorn, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    for name, level in (("notesieve.service", logging.INFO if access_log else logging.WARNING),
                        ("uvicorn", logging.WARNING)):  # fmt: skip
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
