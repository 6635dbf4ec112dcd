"""Evaluation from Python: what people bring in, what they get back, and the commands."""

import json
import os
import xml.etree.ElementTree as ET
from hashlib import sha256
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main
from notesieve.evaluation.measured import percent
from notesieve.evaluation.plots import recall_by_group

FIXTURES = Path(__file__).parents[1] / "fixtures" / "gold"
NOTES = {"a": "Mrs. Iris Bloom met Dr. Fay on 7/8/09.", "b": "Born in 1931 to Una."}
ROWS = [
    {"doc": "a", "start": 5, "end": 15, "category": "NAME", "subtype": "PATIENT"},
    {"doc": "a", "start": 24, "end": 27, "category": "NAME", "subtype": "DOCTOR"},
    {"doc": "a", "start": 31, "end": 37, "category": "DATE", "subtype": "DATE"},
    {"doc": "b", "start": 16, "end": 19, "category": "NAME", "subtype": "RELATIVE"},
]


@pytest.fixture
def gold() -> ns.Gold:
    return ns.Gold.from_frame(ROWS, NOTES)


class Frame:
    """What pandas, polars and pyarrow have in common: a method that gives rows."""

    def __init__(self, method: str, rows: list[dict[str, object]]) -> None:
        setattr(self, method, lambda *_: rows)


@pytest.mark.parametrize("method", ["to_dicts", "to_pylist", "to_dict"])
def test_frames_of_any_kind(gold: ns.Gold, method: str) -> None:
    notes = Frame(method, [{"doc": doc, "text": text} for doc, text in NOTES.items()])
    missing = [row | {"noise": None, "clean": float("nan")} for row in ROWS]
    assert ns.Gold.from_frame(Frame(method, missing), notes) == gold
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    assert ns.Gold.from_frame(columns, NOTES) == gold
    assert gold.to_rows() == ROWS
    assert ns.evaluate(gold, Frame(method, ROWS))["token"]["recall"] == 1.0
    assert ns.evaluate(gold, columns)["span"]["exact_typed"]["recall"] == 1.0


@pytest.mark.parametrize("name", ["jsonl", "csv", "i2b2-2014", "i2b2-2006", "physionet", "brat", "philter"])
def test_formats_come_in_and_go_out(name: str, tmp_path: Path) -> None:
    gold = ns.Gold.read(FIXTURES / name)
    gold.write(tmp_path / "out", name)
    assert ns.Gold.read(tmp_path / "out", name) == gold
    assert gold.notes == ns.Gold.read(FIXTURES / "jsonl").notes


def test_a_scrubber_is_run_and_tells_its_reasons(gold: ns.Gold) -> None:
    result = ns.evaluate(gold, ns.Scrubber(), name="safe", draws=50)
    assert result["token"]["fn"] == 0
    assert {row["reason"] for row in result.rows("over_scrubbed")} <= set(_removal_reasons(gold))
    assert result["concepts"]["documents"] == 2
    digests = {"policy", "vocabulary", "model", "status model", "entity model", "gold standard"}
    assert set(result.provenance) == {"notesieve version", "policy", *(f"{name} digest" for name in digests)}


def test_a_leak_tells_which_list_let_it_out() -> None:
    gold = ns.Gold({"a": "The cough of Iris."}, {"a": [{"start": 4, "end": 9, "category": "NAME"}]})
    result = ns.evaluate(gold, ns.Scrubber(), draws=0)
    assert [row["reason"] for row in result.rows("leak_forms")] in (["list"], ["term"])
    assert '<td class="left">term</td>' in result.to_html() or '<td class="left">list</td>' in result.to_html()


def _removal_reasons(gold: ns.Gold) -> list[str]:
    notes = ns.Scrubber().scrub_many(gold.notes.values(), explain=True)
    return [decision.rule or decision.reason for note in notes for decision in note.decisions]


def test_two_systems_are_compared(gold: ns.Gold) -> None:
    found = ns.compare(gold, {"a": [(5, 15)]}, {"a": [[5, 15, "NAME"], [24, 27]]}, draws=50)
    assert found["mcnemar"]["only_second"] == 1
    assert found["measures"]["recall"]["difference"] == pytest.approx(1 / 7)


def test_agreement_of_annotators(gold: ns.Gold) -> None:
    fewer = ns.Gold.from_frame(ROWS[:3], NOTES)
    found = ns.agreement({"one": gold, "two": fewer, "three": gold})
    assert found.majority.spans == ns.Gold.from_frame([row | {"hipaa": True} for row in ROWS], NOTES).spans
    assert [pair["F1"] for pair in found["pairs"]] == pytest.approx([12 / 13, 1.0, 12 / 13])
    with pytest.raises(ns.PolicyError, match="two people or more"):
        ns.agreement({"one": gold})


def test_the_page_is_whole_and_shows_no_phi(gold: ns.Gold, tmp_path: Path) -> None:
    nothing, safe = ns.evaluate(gold, {}, name="<nothing>", draws=20), ns.evaluate(gold, ns.Scrubber(), draws=20)
    files = {file.name: file.read_text("utf-8") for file in nothing.write(tmp_path / "report", [safe])}
    page = files["report.html"]
    assert page.count("<svg") == page.count("</svg>") == 3
    assert "&lt;nothing&gt;" in page and "<nothing>" not in page
    assert "src=" not in page and "href=" not in page
    for text in files.values():
        assert not any(word in text for word in ("Iris", "Bloom", "Una", "7/8"))
    assert json.loads(files["report.json"])["token"]["fn"] == 7
    assert "<svg" in nothing._repr_html_()
    shown = ns.evaluate(gold, {}, with_context=True, draws=0)
    assert "Iris Bloom" in shown.to_html() and "It is PHI" in shown.to_html()


def test_a_share_that_is_not_whole_never_looks_so() -> None:
    assert percent(1.0) == "100.00 %"
    assert percent(0.99999) == "99.999 %"
    assert percent(0.999, 0) == "99.9 %"
    assert percent(1e-12) == "0.0000000 %" or float(percent(1e-12).split()[0]) < 1e-6


def test_long_names_of_groups_fit_into_the_drawing() -> None:
    group = {"tokens": 9, "token_leaks": 0, "token_recall": 1.0, "token_interval": {"low": 0.66, "high": 1.0}}
    drawing = ET.fromstring(recall_by_group({"NAME": group, "LOCATION/HOSPITAL_ABBREVIATION": group}, "recall"))
    names = [each for each in drawing if each.get("text-anchor") == "end"]
    assert len(names) == 2
    assert all(float(each.get("x", 0)) >= 8 * len(each.text or "") for each in names)


def test_errors_name_the_option_and_no_text(gold: ns.Gold) -> None:
    with pytest.raises(ns.PolicyError, match="unknown field `colour`"):
        ns.evaluate(gold, {}, colour="red")
    with pytest.raises(ns.PolicyError, match="`Quill`, which the gold standard has not"):
        ns.evaluate(gold, {"Quill": []})
    with pytest.raises(ns.GoldError, match="needs numbers") as caught:
        ns.evaluate(gold, [{"doc": "a", "start": "Iris", "end": 3}])
    assert "Iris" not in str(caught.value)
    named = [{"document": "a", "start": 0, "end": 1}]
    for give in (lambda: ns.Gold.from_frame(named, NOTES), lambda: ns.evaluate(gold, named)):
        with pytest.raises(ns.GoldError, match="a row has no `doc`: rename the column that holds it"):
            give()
    with pytest.raises(ns.GoldError, match="a row has no `text`"):
        ns.Gold.from_frame(ROWS, [{"doc": "a", "note": "No fever."}])
    with pytest.raises(ns.GoldError, match="different lengths: 1, 1, 0"):
        ns.Gold.from_frame({"doc": ["a"], "start": [1], "end": []}, NOTES)
    with pytest.raises(ns.GoldError, match="no note `d`"):
        ns.evaluate(ns.Gold({"c": "x"}, {"d": []}), {})
    outside = ns.evaluate(ns.Gold({"c": "x", "d": "y"}, {"c": [{"start": 0, "end": 9, "category": "NAME"}]}), {})
    assert outside["documents"] == 1
    assert outside["problems"][0]["problem"] == "annotation 1 of `c` does not lie in its text"


def test_the_commands_of_evaluation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fixture = str(FIXTURES / "jsonl")
    assert main(["evaluate", fixture, "--json", "--draws", "10"]) == 0
    assert json.loads(capsys.readouterr().out)["documents"] == 3
    assert main(["evaluate", fixture, "--predictions", fixture, "--policy", "safe", "-o", str(tmp_path / "r")]) == 0
    assert "McNemar" in capsys.readouterr().out and (tmp_path / "r" / "report.html").is_file()
    assert main(["agreement", fixture, str(FIXTURES / "brat"), "--majority", str(tmp_path / "m")]) == 0
    assert "Fleiss" in capsys.readouterr().out and (tmp_path / "m" / "gold.jsonl").is_file()
    assert main(["gold", fixture, "--to", "physionet", "-o", str(tmp_path / "p")]) == 0
    assert "cannot hold: subtypes" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "none")]) == 2
    assert "is not there" in capsys.readouterr().err


def test_a_broken_file_is_named_and_the_rest_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for doc in ("1-1", "1-2"):
        text = (FIXTURES / "i2b2-2014" / f"{doc}.xml").read_text("utf-8")
        (tmp_path / f"{doc}.xml").write_text(text.replace("</TEXT>", "") if doc == "1-2" else text, encoding="utf-8")
    assert main(["evaluate", str(tmp_path), "--draws", "0"]) == 1
    out = capsys.readouterr().out
    assert "1 notes" in out and "1-2.xml" in out


@pytest.mark.parametrize("name", ["notes.parquet", "notes.jsonl", "notes.csv"])
def test_a_sample_of_a_table(name: str, tmp_path: Path) -> None:
    rows = [
        {"note_id": f"n{at}", "body": f"Seen by Dr. Quill, zorblax {at}.", "ward": f"w{at % 2}"} for at in range(10)
    ]
    table = tmp_path / name
    if name.endswith("parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), table)
    elif name.endswith("jsonl"):
        table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        lines = [f'{row["note_id"]},"{row["body"]}",{row["ward"]}\n' for row in rows]
        table.write_text("note_id,body,ward\n" + "".join(lines), encoding="utf-8")
    site, model = tmp_path / "site", tmp_path / "site.model"
    site.mkdir()
    (site / "allow.txt").write_text("zorblax\n", encoding="utf-8")
    ns.Model.default().save(model)
    columns = ["--text", "body", "--id", "note_id", "--stratum", "ward"]
    draw = ["sample", "draw", str(table), "-n", "4", "-o", str(tmp_path / "out"), *columns, "--seed", "3"]
    assert main([*draw, "--site", str(site), "--model", str(model), "--policy", "balanced"]) == 0
    drawn = sorted(file.stem for file in (tmp_path / "out" / "scrubbed").glob("*.txt"))
    assert len(drawn) == 4
    assert all("zorblax" in (tmp_path / "out" / "scrubbed" / f"{doc}.txt").read_text("utf-8") for doc in drawn)
    told = json.loads((tmp_path / "out" / "provenance.json").read_text("utf-8"))
    assert told["strata"] == {"w0": {"drawn": 2, "of": 5}, "w1": {"drawn": 2, "of": 5}}
    assert told["source"] == {"file": name, "sha256": sha256(table.read_bytes()).hexdigest()}
    assert (told["seed"], told["drawn"], told["of"], told["site_lists"]["allow"]) == (3, 4, 10, 1)
    assert told["scrubber"]["policy_digest"] == ns.Policy.from_toml(told["policy"]).digest
    assert "Quill" not in json.dumps(told) and told["scrubber"]["entities_digest"]
    assert "notes" not in {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("rows", "columns", "problem"),
    [
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], [], "row 2: its `id` occurs twice"),
        ([{"id": "../a", "text": "x"}], [], "row 1: its `id` cannot be the name of a file"),
        ([{"id": "a", "text": 7}], [], "row 1: its `text` holds no text"),
        (
            [{"id": "a", "text": "x"}],
            ["--text", "note"],
            "line 1 cannot be read: the line has no field with the note (missing)",
        ),
    ],
)
def test_a_table_that_cannot_be_sampled(
    rows: list[object], columns: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "notes.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["sample", "draw", str(table), "-n", "1", "-o", str(tmp_path / "out"), *columns]) == 2
    assert problem in capsys.readouterr().err


def test_a_sample_is_drawn_and_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sample", "size", "--recall", "0.99", "--correlation", "0", "--phi-per-note", "10"]) == 0
    planned = capsys.readouterr().out
    assert planned.startswith("30 notes: 299 pieces") and "If recall is 0.995: 195 notes" in planned
    assert main(["sample", "size", "--expected", "0.995"]) == 0
    assert "not one piece" not in capsys.readouterr().out
    for at in range(8):
        folder = tmp_path / "in" / ("ward" if at < 6 else "clinic")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{at}.txt").write_text(f"Seen by Dr. Quill, visit {at}.", encoding="utf-8")
    draw = ["sample", "draw", str(tmp_path / "in"), "-n", "4", "-o", str(tmp_path / "out")]
    assert main(draw) == 0
    sheet = tmp_path / "out" / "sheet.csv"
    rows = sheet.read_text("utf-8").splitlines()
    assert [row.split(",")[1] for row in rows[1:]] == ["clinic", "ward", "ward", "ward"]
    drawn = sorted((tmp_path / "out" / "scrubbed").rglob("*.txt"))
    assert len(drawn) == 4 and not any("Quill" in file.read_text("utf-8") for file in drawn)
    originals = sorted((tmp_path / "out" / "notes").rglob("*.txt"))
    assert len(originals) == 4
    if os.name == "posix":
        assert {file.stat().st_mode & 0o777 for file in [*originals, sheet]} == {0o600}
    assert main([*draw[:-1], str(tmp_path / "all"), "-n", "9"]) == 0
    assert "there are no more than 8 notes" in capsys.readouterr().err
    assert main(["sample", "judge", str(sheet)]) == 2, "a note that nobody read proves nothing"
    filled = rows[:1] + [row.replace(",,", ",100,0") for row in rows[1:]]
    sheet.write_text("\n".join(filled), encoding="utf-8")
    capsys.readouterr()
    assert main(draw) == 2, "a sheet that is filled in is not replaced"
    assert "is not empty: take another folder" in capsys.readouterr().err
    assert sheet.read_text("utf-8") == "\n".join(filled)
    assert main(["sample", "judge", str(sheet), "--correlation", "0"]) == 0
    assert main(["sample", "judge", str(sheet), "--recall", "0.999"]) == 1
    assert "is NOT shown" in capsys.readouterr().out
