"""Middleware around all endpoints: access control, security headers, metrics, the log, and errors without text."""

from __future__ import annotations

import logging
import time
import traceback

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from notesieve.service.endpoints import ASSETS, ENDPOINTS, endpoint_name
from notesieve.service.metrics import Metrics
from notesieve.service.problems import Problem, problem_response
from notesieve.service.settings import ServiceSettings, is_loopback
from notesieve.tracebacks import clear_variables

LOGGER = logging.getLogger("notesieve.service")

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
#: Values of ``Sec-Fetch-Site`` that browsers send for the page itself; other clients do not send the header.
_SAME_SITE = ("none", "same-origin")
_OPEN = {*ASSETS, *(endpoint.path for endpoint in ENDPOINTS if not endpoint.needs_token)}


class Guard:
    """Middleware around the whole application.

    Parameters
    ----------
    app : ASGI application
        The application.
    settings : ServiceSettings
        The settings, which determine who has access.
    metrics : Metrics
        The metrics that count requests.
    """

    def __init__(self, app: ASGIApp, settings: ServiceSettings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = 0

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            self._check_access(scope)
            await self._app(scope, receive, send_guarded)
        except Problem as problem:
            await problem_response(problem)(scope, receive, send_guarded)
        except Exception as problem:  # noqa: BLE001 - a traceback in the server's log could contain text
            _log_failure(scope, problem)
            if status == 0:
                await problem_response(Problem(500, "a mistake in notesieve"))(scope, receive, send_guarded)
        seconds = time.perf_counter() - begin
        name = endpoint_name(scope["path"])
        self._metrics.count_request(name, status, seconds)
        LOGGER.info("%s %s %d %.0f ms", scope["method"], _path_for_log(scope["path"]), status, seconds * 1000)

    def _check_access(self, scope: Scope) -> None:
        """Raise for requests from other origins, for unknown host names (DNS rebinding), and for a missing token."""
        headers = Headers(scope=scope)
        token = self._settings.token
        host = headers.get("host", "").lower().rpartition("@")[2]
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        if token is None and not is_loopback(name) and name not in self._settings.allowed_hosts:
            raise Problem(421, "the service is not known by the name in the Host header; --allow-host NAME adds one")
        if scope["method"] not in ("GET", "HEAD") and headers.get("sec-fetch-site", "none") not in _SAME_SITE:
            raise Problem(403, "a page of another origin asks")
        scheme, _, given = headers.get("authorization", "").partition(" ")
        accepted = scheme.lower() == "bearer" and self._settings.accepts(given.strip())
        if token is not None and scope["path"] not in _OPEN and not accepted:
            raise Problem(401, "the token is missing or wrong", {"www-authenticate": "Bearer"})


def _path_for_log(path: str) -> str:
    """Return a path for the log; unknown paths are replaced, since they could contain anything."""
    return "(unknown path)" if endpoint_name(path) == "other" else path


def _log_failure(scope: Scope, problem: Exception) -> None:
    """Log the type and the place of an error, but not its message and variables, which could contain text."""
    place = traceback.extract_tb(problem.__traceback__)[-1]
    kind = type(problem).__name__
    clear_variables(problem)
    LOGGER.error(
        "%s %s failed: %s at %s:%s", scope["method"], _path_for_log(scope["path"]), kind, place.name, place.lineno
    )
