"""Marks go to annotation tools and come back: what is written is read again, and real exports are read."""

import json
import stat
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import cassis
import pytest

import notesieve as ns
from notesieve.cli import main
from notesieve.evaluation.annotation_tools import TOOLS
from notesieve.evaluation.annotation_tools.annotations import OPTIONAL_LABELS, label_of

ROOT = Path(__file__).parents[2]


def span_row(start: int, end: int, category: str, subtype: str = "", *, hipaa: bool = True) -> dict[str, Any]:
    return {"start": start, "end": end, "category": category, "subtype": subtype, "hipaa": hipaa}


@pytest.fixture
def gold() -> ns.Gold:
    notes = {
        # Beyond the basic plane, where UTF-16 counts two, and line ends that XML and JSON could change.
        "a": "\U0001f600 Seen by Dr. Quill & Co.\r\nin\tLarkmoor <2009>.\n",
        "b": "No fever.",
    }
    text = notes["a"]
    quill, moor, year = text.index("Quill"), text.index("Larkmoor"), text.index("2009")
    spans = [
        span_row(quill, quill + 5, "NAME", "DOCTOR"),
        span_row(moor, moor + 8, "LOCATION"),
        span_row(year, year + 4, "DATE", "YEAR", hipaa=False),
    ]
    return ns.Gold(notes, {"a": spans, "b": []})


@pytest.mark.parametrize("name", TOOLS)
def test_what_is_written_is_read_again(name: str, gold: ns.Gold, tmp_path: Path) -> None:
    assert gold.write(tmp_path / "out", name) == ["noise and clean (the damage of deliberately damaged spans)"]
    for again in (ns.Gold.read(tmp_path / "out"), ns.Gold.read(tmp_path / "out", name)):
        assert (again.notes, again.spans, again.problems) == (gold.notes, gold.spans, [])
    for file in (tmp_path / "out").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


@pytest.mark.parametrize("name", TOOLS)
def test_what_a_format_cannot_hold_is_reported(name: str, gold: ns.Gold, tmp_path: Path) -> None:
    gold.spans["a"][1]["hipaa"] = False
    losses = gold.write(tmp_path, name)
    kept = ns.Gold.read(tmp_path).spans["a"][1]["hipaa"] is False
    assert kept == (name in ("label-studio", "prodigy"))
    assert any("hipaa" in loss for loss in losses) != kept


def test_the_labels_that_may_stay_are_those_of_the_core() -> None:
    label_maps = tomllib.loads((ROOT / "crates/evaluation/src/label_maps.toml").read_text(encoding="utf-8"))
    assert set(label_maps["optional"]) == OPTIONAL_LABELS


def test_an_export_of_label_studio(tmp_path: Path) -> None:
    def region(start: int, end: int, text: str, label: str) -> dict[str, Any]:
        value = {"start": start, "end": end, "text": text, "labels": [label]}
        return {
            "id": "x",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "origin": "manual",
            "value": value,
        }

    text = "\U0001f600 Dr. Quill,\nLarkmoor"
    tasks = [
        {
            "id": 31,
            "data": {"text": text},
            "annotations": [
                {"completed_by": {"id": 1, "email": "anna@example.org"}, "result": [region(6, 11, "Quill", "PERSON")]},
                {"completed_by": 2, "result": [region(7, 12, "Quill", "PERSON"), region(14, 22, "Larkmoor", "LOC")]},
                {"completed_by": 3, "was_cancelled": True, "result": []},
            ],
            "predictions": [{"result": [region(0, 1, "", "PERSON")]}],
        },
        {"id": 32, "data": {"text": "No fever."}, "annotations": [{"completed_by": 2, "result": []}]},
        {"id": 33, "data": {"text": "No cough."}, "annotations": []},
        {"id": 34, "data": {"text": "Dr. Quill"}, "annotations": [{"result": [region(0, 5, "Quill", "PERSON")]}]},
        {"id": 35},
    ]
    file = tmp_path / "project-1.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    with pytest.raises(ns.GoldError, match="read_annotators"):
        ns.Gold.read(file)
    annotators = ns.Gold.read_annotators(file, labels={"PERSON": "NAME", "LOC": "LOCATION/CITY"})
    assert list(annotators) == ["2", "anna@example.org"]
    assert annotators["anna@example.org"].spans == {"31": [span_row(6, 11, "NAME")]}
    # The second counts UTF-16 code units, as versions before 1.6 did.
    assert annotators["2"].spans == {"31": [span_row(6, 11, "NAME"), span_row(13, 21, "LOCATION", "CITY")], "32": []}
    assert [(each["line"], each["problem"]) for each in annotators["2"].problems] == [
        (3, "is marked by nobody"),
        (4, "an annotation holds another text in its place"),
        (5, "is no task with a text and annotations"),
    ]
    tasks[0]["annotations"][1]["ground_truth"] = True
    file.write_text(json.dumps(tasks), encoding="utf-8")
    assert len(ns.Gold.read(file).spans["31"]) == 2


def test_an_export_of_prodigy(tmp_path: Path) -> None:
    lines: list[Any] = [
        {
            "text": "Seen by Dr. Quill.",
            "tokens": [{"text": "Seen", "start": 0, "end": 4, "id": 0}],
            "spans": [{"start": 12, "end": 17, "token_start": 3, "token_end": 3, "label": "NAME/DOCTOR"}],
            "_input_hash": 1, "_task_hash": 2, "_annotator_id": "anna", "answer": "accept", "meta": {"doc": "n1"},
        },
        {"text": "Unsure.", "answer": "ignore", "_annotator_id": "anna"},
        {"text": "No fever.", "answer": "accept", "_annotator_id": "ben"},
        {"text": "Short.", "spans": [{"start": 2, "end": 9, "label": "NAME"}], "answer": "accept"},
    ]  # fmt: skip
    file = tmp_path / "notes.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n{broken\n", encoding="utf-8")
    annotators = ns.Gold.read_annotators(file)
    assert {name: one.spans for name, one in annotators.items()} == {
        "anna": {"n1": [span_row(12, 17, "NAME", "DOCTOR")]},
        "ben": {"3": []},
    }
    assert [each["line"] for each in annotators["ben"].problems] == [2, 4, 5]
    assert "Short" not in str(annotators["ben"].problems)


def test_an_export_of_doccano(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    text = "Seen by Dr. Quill in Larkmoor."
    anna = {"id": 7, "text": text, "label": [[21, 29, "LOCATION"], [12, 17, "NAME"]], "Comments": []}
    ben = {"id": 7, "text": text, "entities": [{"id": 1, "label": "NAME", "start_offset": 12, "end_offset": 17}]}
    (folder / "anna.jsonl").write_text(json.dumps(anna), encoding="utf-8")
    (folder / "ben.jsonl").write_text(json.dumps(ben), encoding="utf-8")
    annotators = ns.Gold.read_annotators(folder)
    assert annotators["anna"].spans == {"7": [span_row(12, 17, "NAME"), span_row(21, 29, "LOCATION")]}
    assert annotators["ben"].spans == {"7": [span_row(12, 17, "NAME")]}
    assert ns.Gold.read(folder / "ben.jsonl").spans == annotators["ben"].spans
    assert ns.agreement(annotators)["pairs"][0]["F1"] < 1
    assert main(["agreement", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == ns.agreement(annotators)["pairs"]


def test_cassis_reads_what_is_written(gold: ns.Gold, tmp_path: Path) -> None:
    gold.write(tmp_path, "xmi")
    types = cassis.load_typesystem(tmp_path / "TypeSystem.xml")
    cas = cassis.load_cas_from_xmi(tmp_path / "a.xmi", typesystem=types)
    assert cas.sofa_string == gold.notes["a"]
    entity = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
    found = [(each.get_covered_text(), each.value) for each in cas.select(entity)]
    assert found == [("Quill", "NAME/DOCTOR"), ("Larkmoor", "LOCATION"), ("2009", "DATE/YEAR")]


def test_what_inception_exports_is_read(tmp_path: Path) -> None:
    types = cassis.TypeSystem()
    token = types.create_type("de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token", "uima.tcas.Annotation")
    layer = types.create_type("custom.Identifier", "uima.tcas.Annotation")
    types.create_feature(layer, "Kind", "uima.cas.String")
    for annotator, end in (("anna", 15), ("ben", 12)):
        cas = cassis.Cas(types)
        cas.sofa_string, cas.sofa_mime = "\U0001f600 Seen by Quill.", "text/plain"
        cas.add(token(begin=2, end=6))
        cas.add(layer(begin=10, end=end, Kind="PER"))
        file = tmp_path / "annotation" / "note-1.txt" / f"{annotator}.xmi"
        file.parent.mkdir(parents=True, exist_ok=True)
        cas.to_xmi(file)
    # INCEpTION packs each with its type system, and adds the note before anybody marked it.
    with zipfile.ZipFile(file.with_suffix(".zip"), "w") as archive:
        archive.write(file, "ben.xmi")
        archive.writestr("TypeSystem.xml", types.to_xml())
    file.rename(file.with_name("INITIAL_CAS.xmi"))
    annotators = ns.Gold.read_annotators(tmp_path / "annotation", labels={"PER": "NAME/PATIENT"})
    assert annotators["anna"].notes == {"note-1": "\U0001f600 Seen by Quill."}
    assert annotators["anna"].spans == {"note-1": [span_row(10, 15, "NAME", "PATIENT")]}
    assert annotators["ben"].spans == {"note-1": [span_row(10, 12, "NAME", "PATIENT")]}


TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue
#T_SP=webanno.custom.Identifier|certain|kind
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value
#T_RL=webanno.custom.Relation|BT_webanno.custom.Identifier


#Sentence.id=7
#Text=😀 Seen by Quill \\\\ Moor\\nin A[1]
1-1\t0-2\t😀\tX\t_\t_\t_\t_\t_\t
1-2\t3-7\tSeen\tVB\t_\t_\t_\t_\t_\t
1-3\t11-16\tQuill\tNN\t*[1]\tORG[1]\t*[2]|*[3]\tPER[2]|DATE[3]\t1-2[0_1]\t
1-4\t19-23\tMoor\tNN\t*[1]\tORG[1]\t*[2]\tPER[2]\t_\t
1-4.1\t19-21\tMo\t_\t_\t_\t*\tAGE\t_\t
1-5\t27-31\tA\\[1\\]\tNN\t_\t_\t*\tLOC\\_B\t_\t

#Text=Well
#Text=then
2-1\t34-38\tWell\tNN\t_\t_\t_\t_\t_\t
2-2\t39-43\tthen\tNN\tyes\tID\t_\t_\t_\t
"""


def test_what_inception_exports_as_tsv_is_read(tmp_path: Path) -> None:
    for annotator, content in (("anna", TSV), ("ben", TSV.replace("PER", "DATE")), ("INITIAL_CAS", TSV)):
        file = tmp_path / "annotation" / "note-1.txt" / f"{annotator}.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.replace("\n", "\r\n").encode())
    (tmp_path / "annotation" / "words.tsv").write_text("a\tb\n", encoding="utf-8")
    annotators = ns.Gold.read_annotators(tmp_path / "annotation", labels={"PER": "NAME/PATIENT", "LOC_B": "LOCATION"})
    assert list(annotators) == ["anna", "ben"]
    assert annotators["anna"].notes == {"note-1": "😀 Seen by Quill \\ Moor\nin A[1]\n\n\nWell\nthen"}
    found = [(each["start"], each["end"], each["category"]) for each in annotators["anna"].spans["note-1"]]
    assert found == [
        (10, 15, "DATE"),
        (10, 22, "ORG"),
        (10, 22, "NAME"),
        (18, 20, "AGE"),
        (26, 30, "LOCATION"),
        (38, 42, "ID"),
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("1-2\t3-7", "1-2 3-7"), "is no token with its place"),
        (("\t_\t_\t_\t_\t_\t\n1-2", "\t_\n1-2"), "has too few columns"),
        (("2-1\t34-38\tWell", "2-1\t34-38\tQuill"), "a token does not stand in its sentence"),
        (("2-1\t34", "2-1\t9"), "a token does not stand in its sentence"),
        (("2-2\t39-43", "2-2\t39-99"), "an annotation does not lie in its text"),
    ],
)
def test_a_broken_tsv_is_named_without_its_text(tmp_path: Path, change: tuple[str, str], problem: str) -> None:
    (tmp_path / "a.tsv").write_text(TSV.replace(*change), encoding="utf-8")
    with pytest.raises(ns.GoldError, match=f"{problem}$"):
        ns.Gold.read(tmp_path, "webanno-tsv")
    with pytest.raises(ns.GoldError, match="takes a folder"):
        ns.Gold({"a": "Ok."}).write(tmp_path / "out.tsv", "webanno-tsv")


@pytest.mark.parametrize(
    "text",
    ["", " \n", "\n\n Quill\t\n  \n\nand Moor \n", "A_b [NAME] 5*3 -> \\n; x|y\r\n\r\nQuill\u2028Moor\x0b",
     "QuillMoor😀\n😀"],
)  # fmt: skip
def test_any_text_and_marks_inside_tokens_come_back_from_tsv(tmp_path: Path, text: str) -> None:
    places = [(at, at + 5) for at in [text.find("Quill")] if at >= 0]
    places += [(start, start + 7) for start, _ in places]
    gold = ns.Gold({"a": text}, {"a": [span_row(start, end, "NA_ME|", "B[1]") for start, end in places]})
    gold.write(tmp_path, "webanno-tsv")
    again = ns.Gold.read(tmp_path)
    assert (again.notes, again.problems) == (gold.notes, [])
    assert [label_of(each) for each in again.spans["a"]] == ["NA_ME|/B[1]"] * len(places)
    assert [text[each["start"] : each["end"]].strip() for each in again.spans["a"]] == [
        text[start:end].strip() for start, end in places
    ]


def test_broken_files_are_named_without_their_text(tmp_path: Path) -> None:
    (tmp_path / "a.xmi").write_text("<xmi Quill", encoding="utf-8")
    (tmp_path / "tasks.json").write_text('["Quill"', encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text('"Quill"', encoding="utf-8")
    for file, name in (("a.xmi", "xmi"), ("tasks.json", "label-studio"), ("lines.jsonl", "prodigy")):
        with pytest.raises(ns.GoldError) as problem:
            ns.Gold.read(tmp_path / file, name)
        assert "Quill" not in str(problem.value)
    with pytest.raises(ns.GoldError, match="takes a folder"):
        ns.Gold({"a": "Ok."}).write(tmp_path / "out.xmi", "xmi")
    assert any("control" in loss for loss in ns.Gold({"a": "a\x0bb"}).write(tmp_path / "out", "xmi"))


def test_the_command_converts(gold: ns.Gold, tmp_path: Path) -> None:
    gold.write(tmp_path / "gold")
    for name in TOOLS:
        assert main(["gold", str(tmp_path / "gold"), "--to", name, "-o", str(tmp_path / name)]) == 0
        assert main(["gold", str(tmp_path / name), "-o", str(tmp_path / f"{name}-back")]) == 0
        assert ns.Gold.read(tmp_path / f"{name}-back").spans == ns.Gold.read(tmp_path / "gold").spans


def test_a_format_that_is_not_known_is_named(gold: ns.Gold, tmp_path: Path) -> None:
    wrong: Any = "doccanno"
    with pytest.raises(ns.GoldError, match=r"among jsonl, .*webanno-tsv; did you mean 'doccano'"):
        gold.write(tmp_path / "out", wrong)
    with pytest.raises(ns.GoldError, match="did you mean 'doccano'"):
        ns.Gold.read(tmp_path, wrong)
