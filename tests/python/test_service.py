"""The service through a client in the same process: answers, limits, who may ask, and errors without text."""

import asyncio
import json
import logging
import re
import threading
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import openapi_spec_validator
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

import notesieve as ns
from notesieve.redacted import Redacted
from notesieve.service import ServiceSettings, answers, create_app
from notesieve.service.endpoints import ENDPOINTS
from notesieve.service.schemas import ANSWERS, REQUESTS

TEXT = "Mr. Winters, seen 3/4/2021 by Dr. Quill for asthma. No fever. \U0001f9e0 BP 128/72."
SECRET = "Zorvexia Quombletree"
TOKEN = "a-token-of-the-tests"
ENOUGH = 10.0


def client_of(scrubber: ns.Scrubber | None = None, **settings: Any) -> TestClient:
    app = create_app(scrubber, ServiceSettings(**settings))
    return TestClient(app, base_url="http://localhost", raise_server_exceptions=True)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with client_of() as client:
        yield client


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """Give what everybody but the client of the test logged, with tracebacks."""
    form = logging.Formatter()
    return "\n".join(form.format(record) for record in caplog.records if not record.name.startswith("http"))


def asked(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    name = next(endpoint.name for endpoint in ENDPOINTS if endpoint.path == path)
    jsonschema.validate(body, REQUESTS[name])
    jsonschema.validate(answer.json(), ANSWERS[name])
    return answer.json()


def test_scrub_gives_what_the_scrubber_gives(client: TestClient) -> None:
    note = ns.Scrubber().scrub(TEXT)
    answer = asked(client, "/scrub", text=TEXT, decisions=True)
    told = note.to_dict()
    assert answer["text"] == note.text
    assert answer["coded_text"] == note.coded_text
    assert answer["concepts"] == told["concepts"]
    assert [{key: each[key] for key in told["removed"][0]} for each in answer["removed"]] == told["removed"]
    assert [each["action"] for each in answer["decisions"]] == [each.action for each in note.decisions]
    assert answer["policy"] == "safe"
    assert "decisions" not in asked(client, "/scrub", text=TEXT)


def test_what_is_known_of_a_patient_is_removed(client: TestClient) -> None:
    answer = asked(
        client, "/scrub", text="the rose bed", patient={"names": ["Rose Winters"], "birth_date": "1950-02-03"}
    )
    assert answer["text"] == "the [NAME] bed"


def test_requests_choose_presets(client: TestClient) -> None:
    texts = {name: ns.Scrubber(name).scrub(TEXT).text for name in ("berman", "readable", "limited-data-set")}
    assert len(set(texts.values())) == 3
    for name, text in texts.items():
        answer = asked(client, "/scrub", text=TEXT, policy=name)
        assert (answer["text"], answer["policy"]) == (text, name)


def test_the_policy_of_the_start_is_the_default() -> None:
    own = ns.Policy("safe", name="our hospital", tags="angle")
    with client_of(ns.Scrubber(own)) as client:
        listed = client.get("/policies").json()
        jsonschema.validate(listed, ANSWERS["policies"])
        assert [each["name"] for each in listed["policies"] if each["default"]] == ["our hospital"]
        assert asked(client, "/scrub", text="Dr. Brown")["text"] == "Dr. <NAME>"
        assert asked(client, "/scrub", text="Dr. Brown", policy="safe")["text"] == "Dr. [NAME]"
        assert client.get("/version").json()["policy_digest"] == own.digest


def test_a_preset_that_was_changed_is_not_taken_for_the_preset() -> None:
    with client_of(ns.Scrubber(ns.Policy("safe", tags="angle"))) as client:
        assert asked(client, "/scrub", text="Dr. Brown")["policy"] == "default"
        assert asked(client, "/scrub", text="Dr. Brown", policy="safe")["text"] == "Dr. [NAME]"


def test_a_batch_keeps_the_order(client: TestClient) -> None:
    texts = ["Known asthma.", "Dr. Brown came.", "rose slept"]
    patients: list[dict[str, Any]] = [{}, {}, {"names": ["Rose Winters"]}]
    notes = asked(client, "/scrub/batch", texts=texts, patients=patients)["notes"]
    assert [note["text"] for note in notes] == ["Known asthma.", "Dr. [NAME] came.", "[NAME] slept"]


def test_autocode(client: TestClient) -> None:
    assert [each["name"] for each in asked(client, "/autocode", text=TEXT)["concepts"]] == ["Asthma", "Fever"]
    text = "Mr. Cotton takes aspirin."
    assert [each["name"] for each in asked(client, "/autocode", text=text, groups=["drug"])["concepts"]] == ["Aspirin"]
    assert len(asked(client, "/autocode", text=text, identifying=True)["concepts"]) > 1


def test_explain(client: TestClient) -> None:
    start = TEXT.index("Quill")
    (token,) = asked(client, "/explain", text=TEXT, start=start)["tokens"]
    assert (token["start"], token["end"], token["action"]) == (start, start + 5, "remove")
    title = token["evidence"][0]
    assert (title["side"], title["weight"], title["source"]) == ("against", "sure", "name-title (name)")
    assert title["about"] == {rule.name: rule.about for rule in ns.rules()}["name-title"]
    assert {each["side"] for each in token["evidence"]} >= {"against", "model", "feature"}
    removed = asked(client, "/explain", text=TEXT)["tokens"]
    assert len(removed) > 1
    assert {each["action"] for each in removed} == {"remove"}
    words = asked(client, "/explain", text=TEXT, start=0, end=12)["tokens"]
    assert [(each["start"], each["end"]) for each in words] == [(0, 2), (2, 3), (4, 11), (11, 12)]


def test_each_line_of_an_explanation_is_read(client: TestClient) -> None:
    note = ns.Scrubber().scrub(TEXT)
    for token in asked(client, "/explain", text=TEXT, start=0, end=len(TEXT))["tokens"]:
        assert len(token["evidence"]) == note.explain(token["start"]).count("\n")


def test_verify(client: TestClient) -> None:
    text = ns.Scrubber().scrub(TEXT).text.replace("\U0001f9e0", "")
    answer = asked(client, "/verify", text=text)
    assert answer["allowed"]
    assert sum(answer["tokens"].values()) == len(ns.verify(text, ns.Scrubber()))
    wrong = asked(client, "/verify", text="Seen by Zorvexia.")
    assert (wrong["allowed"], wrong["not_allowed"]) == (False, [{"start": 8, "end": 16, "kind": "word"}])


def test_health_version_and_openapi(client: TestClient) -> None:
    for endpoint in ("health", "version", "policies"):
        jsonschema.validate(client.get(f"/{endpoint}").json(), ANSWERS[endpoint])
    assert client.get("/version").json() == {"version": ns.__version__, **ns.Scrubber().provenance}
    document = client.get("/openapi.json").json()
    openapi_spec_validator.validate(document)
    assert set(document["paths"]) == {endpoint.path for endpoint in ENDPOINTS}
    with client_of(token=Redacted(TOKEN)) as other:
        openapi_spec_validator.validate(other.get("/openapi.json").json())


def test_metrics_count_requests_and_notes() -> None:
    with client_of() as client:
        client.post("/scrub", json={"text": "Dr. Brown came."})
        client.post("/scrub/batch", json={"texts": ["No fever.", "Call 617-555-0123."]})
        client.post("/scrub", json={"text": 3})
        client.get(f"/{SECRET}?q={SECRET}")
        told = client.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = {family.name: family for family in text_string_to_metric_families(told.text)}
    assert families["notesieve_request_seconds"].type == "histogram"
    assert families["process_resident_memory_bytes"].samples[0].value > 1e6
    lines = told.text.splitlines()
    for line in (
        'notesieve_requests_total{endpoint="scrub",status="200"} 1',
        'notesieve_requests_total{endpoint="scrub",status="422"} 1',
        'notesieve_requests_total{endpoint="scrub_batch",status="200"} 1',
        'notesieve_requests_total{endpoint="other",status="404"} 1',
        'notesieve_request_seconds_bucket{endpoint="scrub",le="+Inf"} 2',
        "notesieve_notes_total 3",
        'notesieve_removed_total{category="NAME"} 1',
        'notesieve_removed_total{category="CONTACT"} 1',
        "notesieve_pending_requests 0",
    ):
        assert line in lines
    assert SECRET.split()[0] not in told.text


JSON = {"content-type": "application/json"}
WORKING = [endpoint.path for endpoint in ENDPOINTS if endpoint.method == "POST"]
BAD = {
    "no JSON": ("/scrub", f"{SECRET}".encode(), JSON, 400),
    "half a JSON": ("/scrub", f'{{"text": "{SECRET}'.encode(), JSON, 400),
    "no UTF-8": ("/scrub", f'{{"text": "{SECRET} \xe9"}}'.encode("latin-1"), JSON, 400),
    "nested without end": ("/scrub", b'{"text": ' + b"[" * 200_000, JSON, 400),
    "a number of thousands of digits": ("/explain", b'{"text": "a", "start": ' + b"9" * 5000 + b"}", JSON, 400),
    "a form": ("/scrub", f"text={SECRET}".encode(), {"content-type": "application/x-www-form-urlencoded"}, 415),
    "no type": ("/scrub", b"{}", {"content-type": ""}, 415),
    "a list": ("/scrub", f'["{SECRET}"]'.encode(), JSON, 422),
    "another field": ("/scrub", f'{{"text": "", "{SECRET}": 1}}'.encode(), JSON, 422),
    "no text": ("/scrub", b"{}", JSON, 422),
    "a text of another type": ("/scrub", f'{{"text": ["{SECRET}"]}}'.encode(), JSON, 422),
    "half of a surrogate pair": ("/scrub", f'{{"text": "{SECRET} \\ud83e"}}'.encode(), JSON, 422),
    "no policy": ("/scrub", f'{{"text": "a", "policy": "{SECRET}"}}'.encode(), JSON, 422),
    "a file of the machine as policy": ("/scrub", b'{"text": "a", "policy": "/etc/passwd.toml"}', JSON, 422),
    "a patient's field": ("/scrub", f'{{"text": "a", "patient": {{"{SECRET}": 1}}}}'.encode(), JSON, 422),
    "a patient's birth": ("/scrub", f'{{"text": "a", "patient": {{"birth_date": "{SECRET}"}}}}'.encode(), JSON, 422),
    "a group": ("/autocode", f'{{"text": "a", "groups": ["{SECRET}"]}}'.encode(), JSON, 422),
    "a place beyond the text": ("/explain", f'{{"text": "{SECRET}", "start": 400}}'.encode(), JSON, 422),
    "a place before the text": ("/explain", f'{{"text": "{SECRET}", "start": -1}}'.encode(), JSON, 422),
    "true as a number": ("/explain", f'{{"text": "{SECRET}", "start": true}}'.encode(), JSON, 422),
    "texts that are one": ("/scrub/batch", f'{{"texts": "{SECRET}"}}'.encode(), JSON, 422),
    "more patients than notes": ("/scrub/batch", b'{"texts": ["a"], "patients": [{}, {}]}', JSON, 422),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_gets_a_reason_and_no_text(
    case: str, client: TestClient, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    path, body, headers, status = BAD[case]
    with caplog.at_level(logging.DEBUG):
        answer = client.post(path, content=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status
    assert answer.json()["detail"]
    everything = answer.text + str(answer.headers) + logged(caplog) + "".join(capfd.readouterr())
    for word in SECRET.split():
        assert word not in everything
    assert "passwd" not in everything


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["text", "texts", "patient", "names"]) | st.text(), inner)
    ),
    max_leaves=8,
)
_FIELDS = sorted({field for schema in REQUESTS.values() for field in schema["properties"]})
_BODY = st.fixed_dictionaries({}, optional=dict.fromkeys(_FIELDS, _JSON | st.text()))


@settings(deadline=None, max_examples=300)
@given(path=st.sampled_from(WORKING), body=st.binary() | (_BODY | _JSON).map(lambda value: json.dumps(value).encode()))
def test_no_body_breaks_the_service(client: TestClient, path: str, body: bytes) -> None:
    answer = client.post(path, content=body, headers=JSON)
    assert answer.status_code in (200, 400, 422)
    if answer.status_code != 200:
        assert answer.json().keys() == {"status", "title", "detail"}


def test_other_paths_and_methods(client: TestClient) -> None:
    assert client.get("/scrub").status_code == 405
    answer = client.get(f"/{SECRET}")
    assert answer.status_code == 404
    assert SECRET.split()[0] not in answer.text
    assert client.options("/scrub").status_code == 405


def test_a_mistake_of_ours_tells_no_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    def break_down(_: ns.Scrubber, body: Redacted) -> dict[str, Any]:
        text = body.get()["text"]
        raise KeyError(text)

    monkeypatch.setitem(answers.ANSWERED, "scrub", break_down)
    with client_of() as client, caplog.at_level(logging.DEBUG):
        answer = client.post(f"/scrub?note={SECRET}", json={"text": SECRET})
    assert answer.status_code == 500
    assert "POST /scrub failed: KeyError at break_down" in caplog.text
    assert SECRET.split()[0] not in answer.text + logged(caplog) + "".join(capfd.readouterr())


def test_the_log_has_paths_that_are_known(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "notesieve.service"):
        client.get("/health?name=Zorvexia")
        client.get("/Zorvexia")
    told = [record.getMessage() for record in caplog.records if record.name == "notesieve.service"]
    assert [re.sub(r"\d+ ms", "", line) for line in told] == ["GET /health 200 ", "GET (unknown path) 404 "]


def test_size_limits() -> None:
    with client_of(max_body=1000, max_batch=2) as client:
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

    with client_of(timeout=0.1, threads=1, max_waiting=2) as client:
        with monkeypatch.context() as patch:
            patch.setitem(answers.ANSWERED, "explain", wait)
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

    monkeypatch.setitem(answers.ANSWERED, "autocode", wait)
    statuses = []
    with client_of(threads=1, max_waiting=1) as client:
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
    with client_of(allowed_hosts=("notes.example.org",)) as behind_a_proxy:
        assert behind_a_proxy.get("/health", headers={"host": "notes.example.org"}).status_code == 200


def test_pages_of_other_sites_may_not_ask(client: TestClient) -> None:
    for site, status in (("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)):
        answer = client.post("/scrub", json={"text": "a"}, headers={"sec-fetch-site": site})
        assert answer.status_code == status
        assert "access-control-allow-origin" not in answer.headers


def test_the_token() -> None:
    with client_of(host="0.0.0.0", token=Redacted(TOKEN)) as client:
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
    assert "a-token" not in repr(ServiceSettings(token=Redacted(TOKEN)))
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
