"""Errors as answers: a status and a reason in the format of RFC 9457, never with text of the request."""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import JSONResponse, Response


class Problem(Exception):
    """A request that cannot be answered.

    Parameters
    ----------
    status : int
        The HTTP status.
    reason : str
        The reason for people. Contains positions, field names and limits only, never text of the request.
    headers : dict of str to str, optional
        Headers of the answer.
    """

    def __init__(self, status: int, reason: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, reason)
        self.status = status
        self.reason = reason
        self.headers = headers


def problem_response(problem: Problem) -> Response:
    """Return the answer that reports a problem."""
    content = {"status": problem.status, "title": HTTPStatus(problem.status).phrase, "detail": problem.reason}
    return JSONResponse(content, problem.status, problem.headers, media_type="application/problem+json")
