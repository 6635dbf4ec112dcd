"""The service through a client in the same process: no wrong request and no mistake lets text out."""

import json
import logging
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import notesieve as ns
from notesieve.hidden_repr import HiddenRepr
from notesieve.service import answers
from notesieve.service.schemas import REQUESTS
from service_client import JSON, SECRET, WORKING, make_client


def logged_text(caplog: pytest.LogCaptureFixture) -> str:
    """Give what everybody but the client of the test logged, with tracebacks."""
    form = logging.Formatter()
    return "\n".join(form.format(record) for record in caplog.records if not record.name.startswith("http"))


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
    everything = answer.text + str(answer.headers) + logged_text(caplog) + "".join(capfd.readouterr())
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
    def break_down(_: ns.Scrubber, body: HiddenRepr) -> dict[str, Any]:
        text = body.reveal()["text"]
        raise KeyError(text)

    monkeypatch.setitem(answers.ANSWER_FUNCTIONS, "scrub", break_down)
    with make_client() as client, caplog.at_level(logging.DEBUG):
        answer = client.post(f"/scrub?note={SECRET}", json={"text": SECRET})
    assert answer.status_code == 500
    assert "POST /scrub failed: KeyError at break_down" in caplog.text
    assert SECRET.split()[0] not in answer.text + logged_text(caplog) + "".join(capfd.readouterr())


def test_the_log_has_paths_that_are_known(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "notesieve.service"):
        client.get("/health?name=Zorvexia")
        client.get("/Zorvexia")
    told = [record.getMessage() for record in caplog.records if record.name == "notesieve.service"]
    assert [re.sub(r"\d+ ms", "", line) for line in told] == ["GET /health 200 ", "GET (unknown path) 404 "]
