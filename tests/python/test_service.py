"""The service through a client in the same process: what it answers."""

from typing import Any, get_args

import jsonschema
import openapi_spec_validator
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

import notesieve as ns
from notesieve import choices
from notesieve.hidden_repr import HiddenRepr
from notesieve.service.endpoints import ENDPOINTS
from notesieve.service.schemas import ANSWERS, REQUESTS
from service_client import SECRET, make_client

TEXT = "Mr. Winters, seen 3/4/2021 by Dr. Quill for asthma. No fever. \U0001f9e0 BP 128/72."


def post_json(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    name = next(endpoint.name for endpoint in ENDPOINTS if endpoint.path == path)
    jsonschema.validate(body, REQUESTS[name])
    jsonschema.validate(answer.json(), ANSWERS[name])
    return answer.json()


def test_scrub_gives_what_the_scrubber_gives(client: TestClient) -> None:
    note = ns.Scrubber().scrub(TEXT)
    answer = post_json(client, "/scrub", text=TEXT, decisions=True)
    told = note.to_dict()
    assert answer["text"] == note.text
    assert answer["coded_text"] == note.coded_text
    assert answer["concepts"] == told["concepts"]
    assert [{key: each[key] for key in told["removed"][0]} for each in answer["removed"]] == told["removed"]
    assert [each["action"] for each in answer["decisions"]] == [each.action for each in note.decisions]
    assert answer["policy"] == "safe"
    assert "decisions" not in post_json(client, "/scrub", text=TEXT)


def test_what_is_known_of_a_patient_is_removed(client: TestClient) -> None:
    answer = post_json(
        client, "/scrub", text="the rose bed", patient={"names": ["Rose Winters"], "birth_date": "1950-02-03"}
    )
    assert answer["text"] == "the [NAME] bed"


def test_requests_choose_presets(client: TestClient) -> None:
    texts = {name: ns.Scrubber(name).scrub(TEXT).text for name in ("berman", "readable", "limited-data-set")}
    assert len(set(texts.values())) == 3
    for name, text in texts.items():
        answer = post_json(client, "/scrub", text=TEXT, policy=name)
        assert (answer["text"], answer["policy"]) == (text, name)


def test_the_policy_of_the_start_is_the_default() -> None:
    own = ns.Policy("safe", name="our hospital", tags="angle")
    with make_client(ns.Scrubber(own)) as client:
        listed = client.get("/policies").json()
        jsonschema.validate(listed, ANSWERS["policies"])
        assert [each["name"] for each in listed["policies"] if each["default"]] == ["our hospital"]
        assert post_json(client, "/scrub", text="Dr. Brown")["text"] == "Dr. <NAME>"
        assert post_json(client, "/scrub", text="Dr. Brown", policy="safe")["text"] == "Dr. [NAME]"
        assert client.get("/version").json()["policy_digest"] == own.digest


def test_a_preset_that_was_changed_is_not_taken_for_the_preset() -> None:
    with make_client(ns.Scrubber(ns.Policy("safe", tags="angle"))) as client:
        assert post_json(client, "/scrub", text="Dr. Brown")["policy"] == "default"
        assert post_json(client, "/scrub", text="Dr. Brown", policy="safe")["text"] == "Dr. [NAME]"


def test_a_batch_keeps_the_order(client: TestClient) -> None:
    texts = ["Known asthma.", "Dr. Brown came.", "rose slept"]
    patients: list[dict[str, Any] | None] = [None, {}, {"names": ["Rose Winters"]}]
    notes = post_json(client, "/scrub/batch", texts=texts, patients=patients)["notes"]
    assert [note["text"] for note in notes] == ["Known asthma.", "Dr. [NAME] came.", "[NAME] slept"]


def test_autocode_gives_the_concepts(client: TestClient) -> None:
    assert [each["name"] for each in post_json(client, "/autocode", text=TEXT)["concepts"]] == [
        "Asthma",
        "Fever",
        "Blood Pressure",
    ]
    text = "Mr. Cotton takes aspirin."
    assert [each["name"] for each in post_json(client, "/autocode", text=text, groups=["drug"])["concepts"]] == [
        "Aspirin"
    ]
    for group in get_args(choices.Group):
        post_json(client, "/autocode", text=text, groups=[group])
    assert len(post_json(client, "/autocode", text=text, identifying=True)["concepts"]) > 1


def test_explain_gives_the_evidence_of_a_token(client: TestClient) -> None:
    start = TEXT.index("Quill")
    (token,) = post_json(client, "/explain", text=TEXT, start=start)["tokens"]
    assert (token["start"], token["end"], token["action"]) == (start, start + 5, "remove")
    title = token["evidence"][0]
    assert (title["side"], title["weight"], title["source"]) == ("against", "sure", "name-title (name)")
    assert title["about"] == {rule.name: rule.about for rule in ns.rules()}["name-title"]
    assert {each["side"] for each in token["evidence"]} >= {"against", "model", "feature"}
    removed = post_json(client, "/explain", text=TEXT)["tokens"]
    assert len(removed) > 1
    assert {each["action"] for each in removed} == {"remove"}
    words = post_json(client, "/explain", text=TEXT, start=0, end=12)["tokens"]
    assert [(each["start"], each["end"]) for each in words] == [(0, 2), (2, 3), (4, 11), (11, 12)]


def test_each_line_of_an_explanation_is_read(client: TestClient) -> None:
    note = ns.Scrubber().scrub(TEXT)
    for token in post_json(client, "/explain", text=TEXT, start=0, end=len(TEXT))["tokens"]:
        assert len(token["evidence"]) == note.explain(token["start"]).count("\n")


def test_verify_checks_a_text(client: TestClient) -> None:
    text = ns.Scrubber().scrub(TEXT).text.replace("\U0001f9e0", "")
    answer = post_json(client, "/verify", text=text)
    assert answer["allowed"]
    assert sum(answer["tokens"].values()) == len(ns.verify(text, ns.Scrubber()))
    wrong = post_json(client, "/verify", text="Seen by Zorvexia.")
    assert (wrong["allowed"], wrong["not_allowed"]) == (False, [{"start": 8, "end": 16, "kind": "word"}])


def test_health_version_and_openapi(client: TestClient) -> None:
    for endpoint in ("health", "version", "policies"):
        jsonschema.validate(client.get(f"/{endpoint}").json(), ANSWERS[endpoint])
    assert client.get("/version").json() == {"version": ns.__version__, **ns.Scrubber().provenance}
    document = client.get("/openapi.json").json()
    openapi_spec_validator.validate(document)
    assert set(document["paths"]) == {endpoint.path for endpoint in ENDPOINTS}
    with make_client(token=HiddenRepr("a-token-of-the-tests")) as other:
        openapi_spec_validator.validate(other.get("/openapi.json").json())


def test_metrics_count_requests_and_notes() -> None:
    with make_client() as client:
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
