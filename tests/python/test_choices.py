"""Choices as types, schemas of policies and runs, suggestions, and runs from one file."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import pytest

import notesieve as ns
from notesieve import choices
from notesieve.choices import did_you_mean
from notesieve.cli import main
from notesieve.files.run_file import RunFile
from notesieve.schema import policy_schema, run_schema, validate

KEY = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SINGLE = [  # those of one value
    "preset",
    "terms",
    "numbers",
    "unknown",
    "dates",
    "years",
    "date_order",
    "replace",
    "ages",
    "zip",
    "ambiguous",
]


def enum_values(name: str) -> list[str]:
    found = policy_schema()["properties"][name]
    return list(found.get("enum") or found["items"]["enum"])


def test_the_schema_has_the_choices_of_a_policy() -> None:
    assert set(policy_schema()["properties"]) == {"preset", *ns.Policy().to_dict()}


@pytest.mark.parametrize("preset", get_args(choices.Preset))
def test_presets_are_valid_by_the_schema(preset: Any) -> None:
    told = {name: value for name, value in ns.Policy(preset).to_dict().items() if value is not None}
    validate(told, policy_schema())


@pytest.mark.parametrize("name", SINGLE)
def test_the_core_takes_each_choice_and_no_other(name: str) -> None:
    for value in enum_values(name):
        policy = ns.Policy(**{name: value})
        assert name == "preset" or getattr(policy, name) == value
    with pytest.raises(ns.PolicyError) as problem:
        ns.Policy(**{name: "no such choice"})
    told = str(problem.value)
    assert all(value in told for value in enum_values(name))


@pytest.mark.parametrize("name", ["keep", "groups", "rules_off"])
def test_the_core_takes_each_member(name: str) -> None:
    assert set(getattr(ns.Policy(**{name: enum_values(name)}), name)) == set(enum_values(name))


def test_kinds_and_groups_are_those_of_the_core() -> None:
    wrong: Any = ["no such kind"]
    with pytest.raises(ns.PolicyError) as problem:
        ns.Policy(keep=wrong)
    assert set(str(problem.value).rpartition("known are ")[2].split(", ")) == set(enum_values("keep"))
    page = (Path(__file__).parents[2] / "docs/how-to/policies.md").read_text("utf-8")
    listed = re.findall(r"`([^`]+)`", page.partition("\n## Kinds\n")[2].partition("\n## ")[0].partition("|---")[2])
    assert set(listed) == set(enum_values("keep")), "the page lists what there is"
    with pytest.raises(ns.PolicyError) as problem:
        ns.Policy(groups=wrong)
    assert set(str(problem.value).rpartition("known are ")[2].split(", ")) == set(get_args(choices.Group))


def test_schemas_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policy", "schema"]) == 0
    assert json.loads(capsys.readouterr().out) == policy_schema()
    assert main(["run", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == run_schema()


def test_every_property_is_described() -> None:
    def check_descriptions(schema: dict[str, Any]) -> None:
        for name, part in schema.get("properties", {}).items():
            assert part["description"], name
            check_descriptions(part)
        for part in schema.get("anyOf", []):
            check_descriptions(part)

    check_descriptions(policy_schema())
    check_descriptions(run_schema())


# ---- suggestions


def test_a_column_that_is_nearly_there_is_named() -> None:
    frame, wrong = pd.DataFrame({"note_text": ["Cough."], "year": [2004]}), ["codes"]
    with pytest.raises(ns.FrameError, match="did you mean 'note_text'"):
        ns.Scrubber().scrub_frame(frame, "note_txt")
    with pytest.raises(ns.FrameError, match="did you mean 'year'"):
        ns.Scrubber().scrub_frame(frame, "note_text", keep=["Year"])
    with pytest.raises(ns.FrameError, match="did you mean 'coded'"):
        ns.Scrubber().scrub_frame(frame, "note_text", outputs=wrong)  # type: ignore[arg-type]


def test_a_frame_without_a_header_is_not_quoted() -> None:
    frame = pd.DataFrame({"Mrs. Bloom was seen for cough.": ["Well."]})
    with pytest.raises(ns.FrameError) as problem:
        ns.Scrubber().scrub_frame(frame, "note")
    assert "Bloom" not in str(problem.value)
    assert did_you_mean("text", ["Mrs. Bloom was seen", "12345"]) == ""


def test_a_vocabulary_is_named_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(ns.FileError, match=r"none\.vocabulary"):
        ns.Scrubber(vocabulary=tmp_path / "none.vocabulary")
    (tmp_path / "terms.csv").write_text("code,term\nsite:1,zorblax fever\n", encoding="utf-8")
    made = ns.vocabularies.build(tmp_path / "own.vocabulary", delimited=tmp_path / "terms.csv")
    assert ns.Scrubber(vocabulary=made.path).scrub("Zorblax fever.").text == "Zorblax fever."
    assert ns.Scrubber(vocabulary=str(made.path)).vocabulary.digest == made.vocabulary.digest


# ---- runs


def run_file(folder: Path, text: str) -> Path:
    file = folder / "run.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_run_from_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", KEY)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "allow.txt").write_text("zorblax\n", encoding="utf-8")
    row = {"note": "Seen by Dr. Quill, zorblax.", "pid": "p1", "year": 2004, "mrn": "00482913"}
    (tmp_path / "notes.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    file = run_file(
        tmp_path,
        """
inputs = ["notes.jsonl"]
output = "clean"
site = "lists"
key = true
errors = "replace"
threads = 1

[policy]
preset = "balanced"
dates = "shift"

[columns]
text = "note"
patient = "pid"
keep = ["year"]
outputs = ["text"]
""",
    )
    assert main(["run", str(file)]) == 0
    assert "1 file, 1 note scrubbed" in capsys.readouterr().err
    out = json.loads((tmp_path / "clean" / "notes.jsonl").read_text("utf-8"))
    assert out["note"] == "Seen by Dr. [NAME], zorblax." and out["year"] == 2004
    assert "mrn" not in out and out["pid"] != "p1"
    assert RunFile.read(file).scrubber().policy.dates == "shift"
    assert main(["run", str(file), "--resume", "--quiet"]) == 0
    assert main(["run", str(file)]) == 2, "the output folder holds something"
    assert main(["run", str(file), "--overwrite"]) == 0


def test_a_policy_file_and_a_preset(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text('preset = "safe"\nname = "ours"\n', encoding="utf-8")
    head = 'inputs = ["a.txt"]\noutput = "clean"\n'
    assert RunFile.read(run_file(tmp_path, head + 'policy = "site.toml"')).scrubber().policy.name == "ours"
    assert RunFile.read(run_file(tmp_path, head + 'policy = "berman"')).scrubber().policy == ns.Policy("berman")
    assert RunFile.read(run_file(tmp_path, head)).scrubber().policy == ns.Policy()


HEAD = 'inputs = ["a"]\noutput = "b"\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('inputs = ["a"]', "the key `output` is missing"),
        ('inputs = []\noutput = "b"', "`inputs` is empty"),
        ('inputs = "a"\noutput = "b"', "`inputs` must be of the type array"),
        ('inputs = [1]\noutput = "b"', "`inputs[0]` must be of the type string"),
        (HEAD + 'polcy = "safe"', "there is no key `polcy`; did you mean 'policy'?"),
        (HEAD + 'format = "txt"', "`format` is none of text, coded, jsonl, spans; did you mean 'text'?"),
        (HEAD + "threads = 0", "`threads` must be 1 or more"),
        (HEAD + "threads = true", "`threads` must be of the type integer"),
        (HEAD + '[columns]\ntxt = "n"', "no key `columns.txt`; did you mean 'text'?"),
        (HEAD + '[policy]\ndates = "shfit"', "`policy.dates` is none of tag, year, shift; did you mean 'shift'?"),
        (HEAD + '[policy]\nkeep = ["yeer"]', "`policy.keep[0]` is none of"),
        (HEAD + "[policy]\nstrictness = {nme = 3}", "no key `policy.strictness.nme`; did you mean 'NAME'?"),
        (
            HEAD + "[policy.sections.plan]\nstrict = 3",
            "no key `policy.sections.plan.strict`; did you mean 'strictness'",
        ),
        (HEAD + "policy = 3", "`policy` must be of the type string"),
        ("inputs = [", "is no TOML"),
    ],
)
def test_mistakes_in_a_run_file(text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(run_file(tmp_path, text))]) == 2
    told = capsys.readouterr().err
    assert problem in told and "run.toml" in told


def test_no_run_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run"]) == 2
    assert "name a run file" in capsys.readouterr().err
    assert main(["run", str(tmp_path / "none.toml")]) == 2
    assert "none.toml: No such file" in capsys.readouterr().err
