"""Read the body of a request: limited in size and time, parsed as JSON, validated with a schema."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.requests import ClientDisconnect, Request

from notesieve.files.row_files import is_utf8
from notesieve.hidden_repr import HiddenRepr
from notesieve.service.problems import Problem
from notesieve.service.schemas import Schema

#: The number of bytes beyond the limit that are read and discarded, so that a client that sends everything before it
#: reads gets the answer instead of a reset connection.
_MAX_DISCARDED = 16 << 20

_TYPES: dict[str, tuple[type, str]] = {
    "object": (dict, "an object"),
    "array": (list, "an array"),
    "string": (str, "a string"),
    "integer": (int, "an integer"),
    "boolean": (bool, "true or false"),
}


async def read_json(request: Request, schema: Schema, *, max_body: int, timeout: float) -> HiddenRepr:
    """Read and validate a body.

    Parameters
    ----------
    request : Request
        The request.
    schema : dict
        The schema of the body.
    max_body : int
        The maximum size in bytes.
    timeout : float
        The maximum time in seconds.

    Returns
    -------
    HiddenRepr
        The object in the body.

    Raises
    ------
    Problem
        With the status 400 (not JSON), 408 (too slow), 413 (too large), 415 (wrong type) or 422 (fails validation).
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "the body must be JSON, with the header Content-Type: application/json")
    try:
        async with asyncio.timeout(timeout):
            body = await _read_body(request, max_body)
    except TimeoutError:
        raise Problem(408, f"the body did not arrive within {timeout:g} seconds", {"connection": "close"}) from None
    except ClientDisconnect:
        raise Problem(400, "the client disconnected before the body had arrived") from None
    value = _parse_json(body)
    validate_body(value, schema, "the body")
    return HiddenRepr(value)


async def _read_body(request: Request, max_body: int) -> bytes:
    too_large = Problem(413, f"the body has more than {max_body} bytes", {"connection": "close"})
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > max_body + _MAX_DISCARDED:
        raise too_large
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > max_body:
            chunks.clear()
        else:
            chunks.append(chunk)
        if size > max_body + _MAX_DISCARDED:
            raise too_large
    if size > max_body:
        raise too_large
    return b"".join(chunks)


def _parse_json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except UnicodeDecodeError as problem:
        place = problem.start
        raise Problem(400, f"the body is not UTF-8 at byte {place}") from None
    except json.JSONDecodeError as problem:
        place = problem.pos
        raise Problem(400, f"the body is not JSON at character {place}") from None
    except (RecursionError, ValueError):
        # Too deeply nested arrays, or a number with thousands of digits.
        raise Problem(400, "the body is not JSON that can be read") from None


def validate_body(value: Any, schema: Schema, name: str) -> None:
    """Validate a value with the part of JSON Schema that `REQUESTS` uses.

    Parameters
    ----------
    value : object
        The value.
    schema : dict
        The schema.
    name : str
        The name of the value in the error message.

    Raises
    ------
    Problem
        With the status 422, the name of the field and the requirement. Unknown keys may be text of a note, so they are
        not named.

    Examples
    --------
    >>> validate_body({"text": 3}, {"type": "object", "properties": {"text": {"type": "string"}}}, "the body")
    Traceback (most recent call last):
    notesieve.service.problems.Problem: (422, 'text must be a string')
    """
    wanted = schema["type"]
    if isinstance(wanted, list):
        if value is None and "null" in wanted:
            return
        wanted = wanted[0]
    kind, called = _TYPES[wanted]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Problem(422, f"{name} must be {called}")
    if isinstance(value, dict):
        properties: dict[str, Schema] = schema["properties"]
        if not value.keys() <= properties.keys():
            raise Problem(422, f"{name} has an unknown field; the known ones are {', '.join(properties)}")
        missing = [field for field in schema.get("required", ()) if field not in value]
        if missing:
            raise Problem(422, f"{name} lacks {', '.join(missing)}")
        for field, each in value.items():
            validate_body(each, properties[field], field if name == "the body" else f"{name}.{field}")
    elif isinstance(value, list):
        for place, each in enumerate(value):
            validate_body(each, schema["items"], f"{name}[{place}]")
    elif isinstance(value, str) and not is_utf8(value):
        raise Problem(422, f"{name} holds half of a surrogate pair, which is no character")
    elif isinstance(value, str) and value not in schema.get("enum", (value,)):
        raise Problem(422, f"{name} must be one of {', '.join(schema['enum'])}")
    elif isinstance(value, int) and value < schema.get("minimum", value):
        raise Problem(422, f"{name} must be {schema['minimum']} or more")
