"""The endpoints: their names, paths and purposes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint of the service."""

    name: str
    """The name in metrics and schemas."""
    method: str
    """``GET`` or ``POST``."""
    path: str
    """The path."""
    summary: str
    """A short description."""
    about: str = ""
    """Further details, for OpenAPI."""
    needs_token: bool = True
    """Whether requests must carry the token, if the service has one."""


ENDPOINTS = (
    Endpoint("scrub", "POST", "/scrub", "De-identify a note", "Positions count code points."),
    Endpoint("scrub_batch", "POST", "/scrub/batch", "De-identify many notes", "The answer keeps the order."),
    Endpoint("autocode", "POST", "/autocode", "Find medical terms with their codes and statuses"),
    Endpoint("explain", "POST", "/explain", "Say why words were kept or removed", "The answer holds no text."),
    Endpoint("verify", "POST", "/verify", "Check a de-identified text independently of the scrubber"),
    Endpoint("policies", "GET", "/policies", "List the policies that requests may choose"),
    Endpoint("health", "GET", "/health", "Report whether the service answers", needs_token=False),
    Endpoint("version", "GET", "/version", "Give the version and the digests of model, vocabulary and policy"),
    Endpoint("metrics", "GET", "/metrics", "Give counts and times in the text form of Prometheus"),
    Endpoint("openapi", "GET", "/openapi.json", "Give this description", needs_token=False),
)

#: The files of the page, by path: their names and types. They contain no notes, so they need no token.
ASSETS = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/render.js": ("render.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}

_NAMES = {endpoint.path: endpoint.name for endpoint in ENDPOINTS}


def endpoint_name(path: str) -> str:
    """Return the name of the endpoint of a path. Unknown paths may contain anything, so all of them are ``other``.

    Examples
    --------
    >>> endpoint_name("/scrub/batch"), endpoint_name("/page.css"), endpoint_name("/Rose Winters")
    ('scrub_batch', 'page', 'other')
    """
    return _NAMES.get(path, "page" if path in ASSETS else "other")
