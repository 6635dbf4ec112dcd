"""Structured messages: the same segments, keys and tags come out, and nothing of what was drawn into their fields."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns
from notesieve.cli import main
from notesieve.files import scrub_files
from unseen_messages import BEGIN, count_messages, leaf_values, make_messages

CASES = [
    case
    for file in sorted((Path(__file__).parents[1] / "cases" / "messages").glob("*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
]
HL7 = "MSH|^~\\&|||||20060304||ORU^R01|77001|P|2.5\rPID|1||||Frost^Rose||19460304|F\rNTE|1||{}\r"


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_message_cases_hold(case: dict[str, Any], scrubber: ns.Scrubber, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", "2a" * 31 + "17")
    if "policy" in case:
        scrubber = ns.Scrubber(ns.Policy(**case["policy"]))
    message = scrubber.scrub_message(case["text"], patient=ns.Patient("17") if "policy" in case else None)
    assert message.format == case["form"]
    assert "expect" not in case or message.text == case["expect"]
    assert not [word for word in case.get("gone", []) if word in message.text]
    before, after = (json.loads(text) if "valid" in case else {} for text in (case["text"], message.text))
    for key in case.get("valid", []):
        assert re.sub(r"\d", "0", after[key]) == re.sub(r"\d", "0", before[key])
    assert message.text not in repr(message)


def test_few_identifiers_are_left_in_drawn_messages(scrubber: ns.Scrubber) -> None:
    count = count_messages(make_messages(seed=5, count=24), scrubber)["all"]
    assert count.valid == count.messages == 24
    assert count.leaked <= count.drawn * 0.01
    assert count.fixed_kept >= count.fixed * 0.995


def test_the_generator_marks_what_it_drew() -> None:
    made = make_messages(seed=5, count=12)
    assert made == make_messages(seed=5, count=12)
    for message in made:
        assert BEGIN not in message.text
        marked = dict(leaf_values(message.form, message.marked))
        assert list(marked) == [path for path, _ in leaf_values(message.form, message.text)]
        assert any(BEGIN in value for value in marked.values())


def test_work_grows_with_the_length(scrubber: ns.Scrubber) -> None:
    def count_calls(text: str) -> int:
        count = 0

        def profile(_frame: object, event: str, _argument: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(profile)
        try:
            scrubber.scrub_message(text)
        finally:
            sys.setprofile(None)
        return count

    def large_messages(count: int) -> list[str]:
        cells = "".join(f"<tr><td>{number % 90}</td><td>no fever</td></tr>" for number in range(count))
        segments = "".join(f"OBX|{number}|TX|1^Note^L||no fever on day {number % 90}\r" for number in range(count))
        objects = ", ".join('{"resourceType": "Patient", "name": [{"family": "Frost"}]}' for _ in range(count))
        return [
            f'<ClinicalDocument xmlns="urn:hl7-org:v3"><text><table>{cells}</table></text></ClinicalDocument>',
            HL7.format("no fever") + segments,
            f'{{"resourceType": "Bundle", "entry": [{objects}]}}',
        ]

    for some, twice in zip(large_messages(200), large_messages(400), strict=True):
        assert count_calls(twice) < 2.2 * count_calls(some)


def test_each_message_of_a_batch_has_its_own_patient(scrubber: ns.Scrubber) -> None:
    second = HL7.replace("Frost^Rose", "Carver^Ivy").format("the rose bed")
    text = scrubber.scrub_message(HL7.format("rose slept well") + second).text
    assert text.split("\r")[2] == "NTE|1||[NAME] slept well"
    assert text.split("\r")[5] == "NTE|1||the rose bed"


def test_a_name_across_two_segments(scrubber: ns.Scrubber) -> None:
    lines = "OBX|1|TX|1^Note^L||Mrs. Frost slept well. Rose\rOBX|2|TX|1^Note^L||Ellen was seen today.\r"
    text = scrubber.scrub_message(HL7.replace("Frost^Rose", "Frost^Rose^Ellen").format("") + lines).text
    assert text.split("\r")[3] == "OBX|1|TX|1^Note^L||Mrs. [NAME] slept well. [NAME]"
    assert text.split("\r")[4].removesuffix("was seen today.") in ("OBX|2|TX|1^Note^L||", "OBX|2|TX|1^Note^L||[NAME] ")


def test_known_names_of_the_patient_are_removed(scrubber: ns.Scrubber) -> None:
    patient = ns.Patient(names=["Grace Poole"])
    message = scrubber.scrub_message(HL7.format("grace slept well"), patient=patient)
    assert "grace" not in message.text


def test_dates_are_written_as_the_policy_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", "2a" * 31 + "17")
    shifting = ns.Scrubber(ns.Policy(dates="shift"))
    item = {"resourceType": "Observation", "effectiveDateTime": "2006-03-04T10:00:00Z", "issued": "2006-03-05"}
    made = json.loads(shifting.scrub_message(json.dumps(item), patient=ns.Patient("17")).text)
    note = shifting.scrub("2006-03-04", patient=ns.Patient("17")).text
    assert made["effectiveDateTime"] == f"{note}T10:00:00Z" != item["effectiveDateTime"]
    years = json.loads(ns.Scrubber(ns.Policy(dates="year")).scrub_message(json.dumps(item)).text)
    assert years == {"resourceType": "Observation", "effectiveDateTime": "2006", "issued": "2006"}
    kept = json.loads(ns.Scrubber("limited-data-set").scrub_message(json.dumps(item)).text)
    assert kept == item


@pytest.mark.parametrize(
    ("options", "expected"),
    [({"tags": "angle"}, "<NAME>"), ({"tags": "deid"}, "[**Last name**]"), ({"replace": "mask"}, "***")],
)
def test_tags_are_those_of_the_policy(options: dict[str, str], expected: str) -> None:
    item = '{"resourceType": "Patient", "name": [{"family": "Frost"}]}'
    text = ns.Scrubber(ns.Policy(**options)).scrub_message(item).text  # type: ignore[arg-type]
    assert json.loads(text)["name"][0]["family"] == expected


def test_surrogates_are_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", "2a" * 31 + "17")
    scrubber = ns.Scrubber(ns.Policy(replace="surrogate"))
    item = '{"resourceType": "Patient", "name": [{"family": "Frost", "given": ["Rose"]}]}'
    name = json.loads(scrubber.scrub_message(item, patient=ns.Patient("17")).text)["name"][0]
    assert name["family"].isalpha()
    assert name["family"] not in ("Frost", "NAME")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 5000,
        "<a",
        "<a>" * 5000,
        "MSH",
        "MSH|",
        "MSH|^~\\&\rlower|x",
        '{"a": 1, "a": 2}',
        '"\\ud800"',
        "{}",
    ],
)
def test_every_text_gives_an_output(text: str, scrubber: ns.Scrubber) -> None:
    assert isinstance(scrubber.scrub_message(text).text, str)
    for name in ("hl7", "json", "xml", "table", "text"):
        assert isinstance(scrubber.scrub_message(text, format=name).text, str)


def test_errors_say_what_is_wrong(scrubber: ns.Scrubber) -> None:
    with pytest.raises(ns.NoteTypeError, match="must be str"):
        scrubber.scrub_message(b"{}")  # type: ignore[arg-type]
    with pytest.raises(ns.SettingError, match="not one of hl7"):
        scrubber.scrub_message("{}", format="yaml")


def test_files_of_messages_are_scrubbed(
    tmp_path: Path, scrubber: ns.Scrubber, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for message in make_messages(seed=5, count=12):
        (notes / f"{message.template}.{message.form}").write_bytes(message.text.encode("utf-8"))
    for table in notes.glob("*.csv"):
        table.unlink()  # a file of rows
    report = scrub_files(scrubber, [notes], tmp_path / "clean", progress=False)
    assert not report.problems
    assert report.done == len(list(notes.iterdir()))
    for file in notes.iterdir():
        text = file.read_bytes().decode("utf-8")
        written = (tmp_path / "clean" / file.name).read_bytes().decode("utf-8")
        assert written == scrubber.scrub_message(text).text
    assert main(["scrub", str(notes / "medication.json")]) == 0
    assert json.loads(capsys.readouterr().out)["resourceType"] == "MedicationRequest"


def test_a_fall_back_to_plain_text_is_reported(tmp_path: Path, scrubber: ns.Scrubber) -> None:
    (tmp_path / "broken.json").write_text('{"note": "No fever."', encoding="utf-8")
    report = scrub_files(scrubber, [tmp_path / "broken.json"], tmp_path / "clean", progress=False)
    assert any("broken.json" in line and "plain text" in line for line in report.warnings)
