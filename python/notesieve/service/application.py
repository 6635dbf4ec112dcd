"""The ASGI application: routes and handlers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from notesieve._core import __version__, threads
from notesieve.hidden_repr import HiddenRepr
from notesieve.scrubber import Scrubber
from notesieve.service.answers import ANSWER_FUNCTIONS
from notesieve.service.bodies import read_json
from notesieve.service.endpoints import ASSETS, ENDPOINTS
from notesieve.service.guard import Guard
from notesieve.service.metrics import Metrics
from notesieve.service.openapi import openapi_document
from notesieve.service.policies import ScrubberPool
from notesieve.service.problems import Problem, problem_response
from notesieve.service.schemas import REQUESTS
from notesieve.service.settings import ServiceSettings
from notesieve.service.work import WorkQueue

_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def create_app(scrubber: Scrubber | None = None, settings: ServiceSettings | None = None) -> ASGIApp:
    """Make the service as an ASGI application, to run it in your own server.

    Parameters
    ----------
    scrubber : Scrubber, optional
        The scrubber. Its policy is the default for requests; its vocabulary, model and key are used for all policies.
        Default: ``Scrubber()``.
    settings : ServiceSettings, optional
        Token and limits. Your server determines address, port and TLS. Default: no token, and only requests to the
        names of this machine.

    Returns
    -------
    ASGI application
        The application. Its lifespan shuts down the threads.

    Examples
    --------
    >>> from starlette.testclient import TestClient
    >>> client = TestClient(create_app(), base_url="http://localhost")
    >>> client.post("/scrub", json={"text": "Seen by Dr. Brown."}).json()["text"]
    'Seen by Dr. [NAME].'
    """
    return _Service(scrubber or Scrubber(), settings or ServiceSettings()).app()


class _Service:
    """State shared by all requests."""

    def __init__(self, scrubber: Scrubber, settings: ServiceSettings) -> None:
        self._settings = settings
        self._scrubbers = ScrubberPool(scrubber)
        self._metrics = Metrics()
        self._work = WorkQueue(threads(settings.threads), settings.max_waiting, settings.timeout)

    def app(self) -> ASGIApp:
        given: dict[str, Callable[[], Response]] = {
            "health": lambda: JSONResponse({"status": "ok"}),
            "version": lambda: JSONResponse({"version": __version__, **self._scrubbers.default.provenance}),
            "policies": lambda: JSONResponse({"policies": self._scrubbers.descriptions()}),
            "openapi": lambda: JSONResponse(openapi_document(token=self._settings.token is not None)),
            "metrics": self._metrics_text,
        }
        routes = [
            Route(each.path, self._handler_with_body(each.name), methods=[each.method])
            if each.name in REQUESTS
            else Route(each.path, _handler_without_body(given[each.name]), methods=[each.method])
            for each in ENDPOINTS
        ]
        page = files("notesieve.service") / "page"
        for path, (name, kind) in ASSETS.items():
            answer = partial(Response, (page / name).read_bytes(), media_type=kind)
            routes.append(Route(path, _handler_without_body(answer)))
        app = Starlette(
            routes=routes,
            lifespan=self._lifespan,
            exception_handlers={Problem: _problem_response, HTTPException: _http_problem, Exception: _internal_error},
        )
        return Guard(app, self._settings, self._metrics)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        del app
        yield
        self._work.close()

    def _metrics_text(self) -> Response:
        text = self._metrics.prometheus_text(pending=self._work.pending, version=__version__)
        return Response(text, media_type="text/plain; version=0.0.4")

    def _handler_with_body(self, name: str) -> _Handler:
        """Return the handler of an endpoint that reads a body and processes it in a thread."""

        async def handle(request: Request) -> Response:
            settings = self._settings
            schema = REQUESTS[name]
            body = await read_json(request, schema, max_body=settings.max_body, timeout=settings.timeout)
            if len(body.reveal().get("texts", ())) > settings.max_batch:
                raise Problem(413, f"a batch has at most {settings.max_batch} notes")
            content, notes = await self._work.run(lambda: self._answer_in_thread(name, body))
            for note in notes:
                self._metrics.count_note(len(note["text"]), (each["category"] for each in note["removed"]))
            return Response(content, media_type="application/json")

        return handle

    def _answer_in_thread(self, name: str, body: HiddenRepr) -> tuple[bytes, list[dict[str, Any]]]:
        """Answer a request in a worker thread; return the JSON and the scrubbed notes."""
        policy, scrubber = self._scrubbers.scrubber_of_policy(body.reveal().get("policy"))
        answer = ANSWER_FUNCTIONS[name](scrubber, body)
        notes = answer["notes"] if name == "scrub_batch" else [answer] if name == "scrub" else []
        return json.dumps(answer | {"policy": policy}, ensure_ascii=False).encode(), notes


def _handler_without_body(give: Callable[[], Response]) -> _Handler:
    """Return the handler of an endpoint that reads no body."""

    async def handle(request: Request) -> Response:
        del request
        return give()

    return handle


async def _problem_response(request: Request, problem: Exception) -> Response:
    del request
    assert isinstance(problem, Problem)  # noqa: S101 - the type for which the handler is registered
    return problem_response(problem)


async def _http_problem(request: Request, problem: Exception) -> Response:
    """Report an unknown path or method, without Starlette's message."""
    del request
    assert isinstance(problem, HTTPException)  # noqa: S101 - the type for which the handler is registered
    known = ", ".join(f"{each.method} {each.path}" for each in ENDPOINTS)
    reason = {404: "there is no such path", 405: "the path takes another method"}.get(problem.status_code, "refused")
    return problem_response(Problem(problem.status_code, f"{reason}; known are GET /, {known}"))


async def _internal_error(request: Request, problem: Exception) -> Response:
    """Answer a request that failed unexpectedly; `Guard` logs the error."""
    del request, problem
    return problem_response(Problem(500, "a mistake in notesieve"))
