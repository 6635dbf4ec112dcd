"""The OpenAPI description of the service."""

from __future__ import annotations

from typing import Any

from notesieve._core import __version__
from notesieve.service.endpoints import ENDPOINTS, Endpoint
from notesieve.service.schemas import ANSWERS, REQUESTS, Schema

_PROBLEM: Schema = {
    "type": "object",
    "required": ["status", "title", "detail"],
    "properties": {
        "status": {"type": "integer"},
        "title": {"type": "string"},
        "detail": {"type": "string", "description": "Why; never text of the request."},
    },
}
_FAILURES = {
    "400": "The body is not JSON.",
    "408": "The body did not arrive in time.",
    "413": "The body is too large.",
    "415": "The body is of another type than JSON.",
    "422": "The body is not what the schema says.",
    "503": "Too many requests wait, or the work took too long.",
}


def openapi_document(*, token: bool) -> dict[str, Any]:
    """Return the OpenAPI description of the service.

    Parameters
    ----------
    token : bool
        Whether requests need a token.

    Returns
    -------
    dict
        An OpenAPI 3.1 document.

    Examples
    --------
    >>> sorted(openapi_document(token=False)["paths"])[:3]
    ['/autocode', '/explain', '/health']
    """
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "notesieve",
            "version": __version__,
            "summary": "De-identifies clinical notes and codes their medical terms.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "."}],
        "paths": {each.path: {each.method.lower(): _operation_object(each, token)} for each in ENDPOINTS},
        "components": {
            "schemas": {
                "Problem": _PROBLEM,
                **_schemas_by_title(REQUESTS, "Request"),
                **_schemas_by_title(ANSWERS, "Answer"),
            }
        },
    }
    if token:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return document


def _schemas_by_title(schemas: dict[str, Schema], suffix: str) -> dict[str, Schema]:
    """Rename schemas as is usual in OpenAPI: `scrub_batch` becomes `ScrubBatch` with a suffix."""
    return {_title_case(name) + suffix: schema for name, schema in schemas.items()}


def _title_case(name: str) -> str:
    return name.title().replace("_", "")


def _operation_object(endpoint: Endpoint, token: bool) -> dict[str, Any]:
    name = _title_case(endpoint.name)
    answer: dict[str, Any] = {"description": endpoint.summary + "."}
    if endpoint.name in ANSWERS:
        answer["content"] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}Answer"}}}
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "responses": {"200": answer},
    }
    if endpoint.about:
        operation["description"] = endpoint.about
    failures = dict(_FAILURES) if endpoint.name in REQUESTS else {}
    if token and endpoint.needs_token:
        operation["security"] = [{"token": []}]
        failures["401"] = "The token is missing or wrong."
    if endpoint.name in REQUESTS:
        schema = {"$ref": f"#/components/schemas/{name}Request"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    operation["responses"] |= {status: {"description": why, "content": problem} for status, why in failures.items()}
    return operation
