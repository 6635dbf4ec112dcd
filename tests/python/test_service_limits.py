"""The service through a client in the same process: limits of size and time, who may ask, and headers."""

import asyncio
import json
import re
import threading
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import notesieve as ns
from notesieve.hidden_repr import HiddenRepr
from notesieve.service import ServiceSettings, answers, create_app
from service_client import JSON, SECRET, make_client

TOKEN = "a-token-of-the-tests"
ENOUGH = 10.0


def test_large_bodies_and_batches_are_refused() -> None:
    with make_client(max_body=1000, max_batch=2) as client:
        assert client.post("/scrub", json={"text": "a" * 900}).status_code == 200
        answer = client.post("/scrub", json={"text": "a" * 1000})
        assert (answer.status_code, answer.json()["detail"]) == (413, "the body has more than 1000 bytes")
        assert client.post("/scrub", content=iter([b" " * 600] * 2), headers=JSON).status_code == 413
        huge = {**JSON, "content-length": str(1 << 40)}
        assert client.post("/scrub", content=b"", headers=huge).status_code == 413
        assert client.post("/scrub/batch", json={"texts": ["a"] * 3}).status_code == 413
        assert client.post("/scrub/batch", json={"texts": ["a"] * 2}).status_code == 200


def test_a_body_that_does_not_arrive() -> None:
    app = create_app(None, ServiceSettings(timeout=0.05))
    sent: list[Any] = []
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/scrub", "headers": headers, "query_string": b""}

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(ENOUGH)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 408
    assert dict(sent[0]["headers"])[b"connection"] == b"close"
    assert json.loads(sent[1]["body"])["detail"] == "the body did not arrive within 0.05 seconds"


def test_work_that_takes_too_long_and_too_much_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def wait(*_: object) -> dict[str, Any]:
        go_on.wait(ENOUGH)
        return {}

    with make_client(timeout=0.1, threads=1, max_waiting=2) as client:
        with monkeypatch.context() as patch:
            patch.setitem(answers.ANSWER_FUNCTIONS, "explain", wait)
            first = client.post("/explain", json={"text": "a"})
            # The thread is busy: this one waits in vain, and is dropped. Its place is free again.
            second = client.post("/scrub", json={"text": "a"})
            third = client.post("/scrub", json={"text": "a"})
        for answer in (first, second, third):
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
            assert answer.json()["detail"] == "the work was not done within 0.1 seconds"
        assert "notesieve_pending_requests 1" in client.get("/metrics").text
        go_on.set()
        for _ in range(100):
            if "notesieve_pending_requests 0" in client.get("/metrics").text:
                break
        assert client.post("/scrub", json={"text": "a"}).status_code == 200


def test_more_requests_than_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, begun = threading.Event(), threading.Event()

    def wait(*_: object) -> dict[str, Any]:
        begun.set()
        go_on.wait(ENOUGH)
        return {"concepts": []}

    monkeypatch.setitem(answers.ANSWER_FUNCTIONS, "autocode", wait)
    statuses = []
    with make_client(threads=1, max_waiting=1) as client:
        one = threading.Thread(target=lambda: statuses.append(client.post("/autocode", json={"text": "a"}).status_code))
        one.start()
        assert begun.wait(ENOUGH)
        answer = client.post("/scrub", json={"text": "a"})
        go_on.set()
        one.join()
    assert (answer.status_code, answer.json()["detail"]) == (503, "1 requests wait already")
    assert statuses == [200]


def test_without_a_token_only_this_machine_may_ask(client: TestClient) -> None:
    for host in ("localhost:8765", "127.0.0.1", "[::1]:8765"):
        assert client.get("/health", headers={"host": host}).status_code == 200
    for host in ("example.org", "127.0.0.1.example.org:80", "localhost@example.org"):
        assert client.get("/health", headers={"host": host}).status_code == 421
    with make_client(allowed_hosts=("notes.example.org",)) as behind_a_proxy:
        assert behind_a_proxy.get("/health", headers={"host": "notes.example.org"}).status_code == 200


def test_pages_of_other_sites_may_not_ask(client: TestClient) -> None:
    for site, status in (("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)):
        answer = client.post("/scrub", json={"text": "a"}, headers={"sec-fetch-site": site})
        assert answer.status_code == status
        assert "access-control-allow-origin" not in answer.headers


def test_requests_without_the_token_are_refused() -> None:
    with make_client(host="0.0.0.0", token=HiddenRepr(TOKEN)) as client:
        for path in ("/", "/page.js", "/health", "/openapi.json"):
            assert client.get(path, headers={"host": "example.org"}).status_code == 200
        for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
            for answer in (client.post("/scrub", json={"text": SECRET}, headers=given),
                           client.get("/metrics", headers=given), client.get("/policies", headers=given)):  # fmt: skip
                assert answer.status_code == 401
                assert answer.headers["www-authenticate"] == "Bearer"
        right = {"authorization": f"Bearer {TOKEN}"}
        assert client.post("/scrub", json={"text": "a"}, headers=right).status_code == 200
        assert client.get("/metrics", headers=right).status_code == 200


def test_settings_that_cannot_work(tmp_path: Path) -> None:
    assert "a-token" not in repr(ServiceSettings(token=HiddenRepr(TOKEN)))
    for wrong in ({"host": "0.0.0.0"}, {"host": "example.org"}, {"port": 70_000}, {"max_body": 0}, {"timeout": -1.0},
                  {"threads": 0}, {"certificate": tmp_path}):  # fmt: skip
        with pytest.raises(ns.SettingError):
            ServiceSettings(**wrong)  # type: ignore[arg-type]


def test_every_answer_has_the_headers_of_safety(client: TestClient) -> None:
    answers = [client.get(path) for path in ("/", "/page.css", "/page.js", "/metrics", "/unknown")]
    answers += [client.post("/scrub", json={"text": "a"}), client.post("/scrub", content=b"")]
    answers.append(client.get("/", headers={"host": "example.org"}))
    for answer in answers:
        assert answer.headers["content-security-policy"].startswith("default-src 'self';")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_page_needs_nothing_from_elsewhere(client: TestClient) -> None:
    folder = files("notesieve.service") / "page"
    names = {file.name for file in folder.iterdir()}
    html = client.get("/").text
    assert "<title>notesieve</title>" in html
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", html)
    for name in names:
        content = (folder / name).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|@import|url\(", content), name
        path = "/" if name == "index.html" else f"/{name}"
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.text == (folder / name).read_text(encoding="utf-8")
