"""Findings from elsewhere: spans of other detectors, patterns of the user's own."""

import json
import pickle
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import notesieve as ns
from notesieve.cli import main
from notesieve.errors import BatchError, FindingError
from notesieve.files import FindingsFile

TEXT = "The kidney stone passed in Kiwi wing."


def find_stone(texts: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """Find the word stone."""
    return [[(found.start(), found.end(), "name") for found in re.finditer("stone", text)] for text in texts]


def test_findings_are_weighed_with_those_of_the_rules() -> None:
    note = ns.Scrubber().scrub(
        "The kidney moved.", findings=[{"start": 4, "end": 10, "kind": "city", "source": "gazetteer"}]
    )
    assert note.text == "The [LOCATION] moved."
    (finding,) = [finding for finding in note.findings if finding.rule == "detector:gazetteer"]
    assert (finding.start, finding.end, finding.kind) == (4, 10, "city")
    assert note.removed[0].kind == "city"
    assert pickle.loads(pickle.dumps(note)) == note


def test_offsets_are_code_points() -> None:
    text = "\N{GREEK SMALL LETTER ALPHA}\N{GRINNING FACE} the kidney moved."
    start = text.index("kidney")
    assert ns.Scrubber().scrub(text, findings=[(start, start + 6, "NAME")]).text.endswith("the [NAME] moved.")


@pytest.mark.parametrize(
    ("finding", "says"),
    [
        ((5, 99, "name"), "5..99 is no span of a note of 12 characters"),
        ((5, 5, "name"), "is no span"),
        ((-3, 5, "name"), "is no span"),
        ((0, 5, "person"), "no such kind"),
        ((0, 5, "name", "certain"), "certainty"),
        ((0, 5, "name", "sure", "two words"), "source"),
        ((0, 5), "a finding is"),
        (("0", "5", "name"), "whole start and end"),
    ],
)
def test_what_is_no_finding_is_refused(finding: tuple[object, ...], says: str) -> None:
    with pytest.raises(FindingError, match=says) as problem:
        ns.Scrubber().scrub("Zwilbruck x.", findings=[finding])
    assert "Zwilbruck" not in str(problem.value)


def test_wrong_findings_are_an_error_of_their_note_and_the_others_count() -> None:
    texts = ["The kidney moved.", "The kidney moved.", "No fever."]
    findings = [[(4, 10, "name")], [(4, 10, "name"), (4, 99, "name")], None]
    with pytest.raises(BatchError) as problem:
        ns.Scrubber().scrub_many(texts, findings=findings)
    assert [index for index, _ in problem.value.errors] == [1]
    assert problem.value.batch.texts == ["The [NAME] moved.", "The [NAME] moved.", "No fever."]


def test_detectors_are_asked_by_every_way_of_scrubbing() -> None:
    scrubber = ns.Scrubber(detectors=[find_stone])
    wanted = "The kidney [NAME] passed."
    text = "The kidney stone passed."
    assert scrubber.scrub(text).text == wanted
    assert scrubber.scrub_many([text, ""]).texts == [wanted, ""]
    assert next(scrubber.scrub_iter([text])).text == wanted
    assert pickle.loads(pickle.dumps(scrubber)).scrub(text).text == wanted


def test_a_detector_that_fails_shows_no_text() -> None:
    def failing_detector(texts: Sequence[str]) -> list[list[object]]:
        raise ValueError(texts[0])

    with pytest.raises(FindingError, match="the detector failing_detector failed with ValueError") as problem:
        ns.Scrubber(detectors=[failing_detector]).scrub("Zwilbruck.")
    assert "Zwilbruck" not in str(problem.value)
    assert problem.value.__cause__ is None
    with pytest.raises(FindingError, match="findings for 0 of 1 texts"):
        ns.Scrubber(detectors=[lambda _: []]).scrub("Zwilbruck.")


def test_patterns_of_the_policy(tmp_path: Path) -> None:
    study = {"name": "study", "regex": r"\bST-\d{3}\b", "kind": "other-id", "examples": ["in ST-123"]}
    brand = {"name": "brand", "regex": "(?i)zorblax", "action": "keep", "certainty": "sure"}
    policy = ns.Policy(patterns=[study, brand])
    note = ns.Scrubber(policy).scrub("Zorblax in ST-123.")
    assert note.text == "Zorblax in [ID]."
    assert ns.verify(note.text, ns.Scrubber(policy))[0].allowed_by == "pattern"
    assert pickle.loads(pickle.dumps(policy)) == policy
    file = tmp_path / "patterns.toml"
    file.write_text("[[pattern]]\nname = 'study'\nregex = 'ST-\\d{3}'\nkind = 'other-id'\n", encoding="utf-8")
    assert ns.Scrubber(ns.Policy(patterns=file)).scrub("In ST-123.").text == "In [ID]."
    with pytest.raises(ns.PolicyError, match="there is no kind"):
        ns.Policy(patterns=[{**study, "kind": "person"}])


def test_the_number_of_sources_that_a_process_has_seen_changes_nothing() -> None:
    scrubber = ns.Scrubber()
    given = [
        [(4, 10, "patient", "likely", f"source{nth}"), (11, 16, "patient", "likely", f"source{nth}")]
        for nth in range(80)
    ]
    assert len({scrubber.scrub("The kidney stone passed.", findings=findings).text for findings in given}) == 1


# ---- columns, frames and messages


FOUND = [{"start": 4, "end": 10, "kind": "city", "source": "gazetteer"}]
WRONG = [{"start": 4, "end": 99, "kind": "city"}]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "category"])
def test_a_column_of_a_frame_has_findings(library: str) -> None:
    texts = ["The kidney moved.", "The kidney moved.", "The kidney moved.", None]
    cells = [json.dumps(FOUND), None, json.dumps(WRONG), json.dumps(FOUND)]
    frame = pd.DataFrame({"note": pd.Series(texts, dtype=object), "found": cells})
    if library == "category":
        frame["note"] = frame["note"].astype("category")
    elif library == "polars":
        frame = pl.from_pandas(frame)
    elif library == "pyarrow":
        frame = pa.Table.from_pandas(frame)
    done = ns.Scrubber().scrub_frame(frame, text="note", findings="found", outputs=["error"])
    rows = pa.table(done).to_pylist() if library != "category" else pa.Table.from_pandas(done).to_pylist()
    assert rows == [
        {"note": "The [LOCATION] moved.", "note_error": None},
        {"note": "The kidney moved.", "note_error": None},
        {"note": None, "note_error": "findings"},
        {"note": None, "note_error": None},
    ]


def test_findings_of_a_column_may_be_lists() -> None:
    notes = pa.array(["The kidney moved."] * 3)
    frame = pa.table({"note": notes, "found": pa.array([FOUND, [], None])})
    for table in (frame, pl.DataFrame(frame), frame.to_pandas()):
        done = ns.Scrubber().scrub_frame(table, text="note", findings="found", outputs=["text"])
        assert list(done["note"] if not hasattr(done, "to_pydict") else done.to_pydict()["note"]) == [
            "The [LOCATION] moved.",
            "The kidney moved.",
            "The kidney moved.",
        ]
    with pytest.raises(ns.RowError, match=r"1 of 1 rows .* findings"):
        wrong = pd.DataFrame({"note": ["The kidney moved."], "found": ["Zwilbruck"]})
        ns.Scrubber().scrub_frame(wrong, text="note", findings="found", on_error="raise")
    with pytest.raises(ns.FrameError, match="no column 'found'"):
        ns.Scrubber().scrub_frame(pd.DataFrame({"note": []}), text="note", findings="found")


def test_detectors_are_asked_about_columns_frames_and_messages() -> None:
    scrubber = ns.Scrubber(detectors=[find_stone])
    text, wanted = "The kidney stone passed.", "The kidney [NAME] passed."
    assert scrubber.scrub_column([text, None]) == [wanted, None]
    for column in (pa.array([text, None, text]), pa.array([text, None, text]).dictionary_encode()):
        assert scrubber.scrub_column(column).to_pylist() == [wanted, None, wanted]
    frame = pd.DataFrame({"note": [text, "The kidney moved."], "found": [None, FOUND]})
    done = scrubber.scrub_frame(frame, text="note", findings="found", outputs=["text"])
    assert list(done["note"]) == [wanted, "The [LOCATION] moved."]
    message = scrubber.scrub_message('{"resourceType": "Observation", "note": [{"text": "The kidney stone passed."}]}')
    assert wanted in message.text
    assert scrubber.scrub_message(text, format="text").text == wanted


def test_terms_that_a_detector_finds_are_not_coded() -> None:
    text = "Chronic kidney disease, kidney stone."
    coded = [text[term.start : term.end] for term in ns.Scrubber().autocode(text)]
    assert coded == ["Chronic kidney disease", "kidney stone"]
    scrubber = ns.Scrubber(detectors=[find_stone])
    assert [text[term.start : term.end] for term in scrubber.autocode(text)] == ["Chronic kidney disease"]
    assert len(scrubber.autocode(text, identifying=True)) == 2


def test_there_is_one_list_of_findings_a_note() -> None:
    for scrubber in (ns.Scrubber(), ns.Scrubber(detectors=[find_stone])):
        with pytest.raises(FindingError, match="more notes than lists of findings"):
            scrubber.scrub_many(["No fever.", "No fever."], findings=[[]])
        with pytest.raises(FindingError, match="more lists of findings than notes"):
            scrubber.scrub_many(["No fever."], findings=[[], []])
        assert scrubber.scrub_many(["The kidney moved."], findings=[FOUND]).texts == ["The [LOCATION] moved."]


def test_sources_appear_in_provenance_explanations_and_evaluation() -> None:
    scrubber = ns.Scrubber(detectors=[find_stone, lambda texts: [[] for _ in texts]])
    assert scrubber.provenance["detectors"] == "find_stone, -lambda-"
    assert "detectors" not in ns.Scrubber().provenance
    assert "detectors" not in ns.Scrubber().scrub_many(["No fever."]).provenance
    assert ns.Scrubber(detectors=[find_stone]).scrub("No fever.").provenance["detectors"] == "find_stone"
    batch = pickle.loads(pickle.dumps(ns.Scrubber(detectors=[find_stone]))).scrub_many(["No fever."])
    assert pickle.loads(pickle.dumps(batch)).provenance["detectors"] == "find_stone"
    text = "The kidney stone passed."
    note = scrubber.scrub(text)
    assert "detector:find_stone" in str(note.explain(11))
    gold = ns.Gold({"a": text}, {"a": []})
    result = ns.evaluate(gold, scrubber, draws=0)
    assert result.provenance["detectors"] == "find_stone, -lambda-"
    assert "detector:find_stone" in json.dumps(result.to_dict())


# ---- files


def test_findings_of_files_of_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in "ab":
        (notes / f"{name}.txt").write_text("The kidney moved.", encoding="utf-8")
    found = tmp_path / "found.jsonl"
    found.write_text(json.dumps({"id": "a", "findings": FOUND}) + "\n", encoding="utf-8")
    assert main(["scrub", str(notes), "-o", str(tmp_path / "out"), "--findings", str(found), "--quiet"]) == 0
    assert (tmp_path / "out" / "a.txt").read_text() == "The [LOCATION] moved.\n"
    assert (tmp_path / "out" / "b.txt").read_text() == "The kidney moved.\n"
    assert main(["scrub", str(notes / "a.txt"), "--findings", str(found)]) == 0
    assert capsys.readouterr().out == "The [LOCATION] moved.\n"
    found.write_text(json.dumps({"id": "c", "findings": FOUND}) + "\n\n", encoding="utf-8")
    assert main(["scrub", str(notes), "-o", str(tmp_path / "other"), "--findings", str(found), "--quiet"]) == 1
    assert "found.jsonl: 1 of its notes are not among the inputs" in capsys.readouterr().err
    assert main(["scrub", str(notes), "-o", str(tmp_path / "out"), "--findings", str(found), "--resume"]) == 2
    assert "was made with other findings" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["id", "row"])
@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_findings_of_files_of_rows(form: str, key: str, tmp_path: Path) -> None:
    table = pa.table({"id": ["n1", "n2"], "text": ["The kidney moved.", "The kidney moved."]})
    source = tmp_path / f"notes.{form}"
    if form == "parquet":
        pq.write_table(table, source)
    elif form == "csv":
        table.to_pandas().to_csv(source, index=False)
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()), encoding="utf-8")
    found = tmp_path / "found.jsonl"
    found.write_text(json.dumps({key: "n2" if key == "id" else 2, "findings": FOUND}), encoding="utf-8")
    arguments = [
        "scrub",
        str(source),
        "-o",
        str(tmp_path / "out"),
        "--findings",
        str(found),
        "--outputs",
        "text",
        "--quiet",
    ]
    assert main([*arguments, "--id", "id"]) == 0
    out = tmp_path / "out" / source.name
    if form == "parquet":
        texts = pq.read_table(out)["text"].to_pylist()
    elif form == "csv":
        texts = list(pd.read_csv(out)["text"])
    else:
        texts = [json.loads(line)["text"] for line in out.read_text().splitlines()]
    assert texts == ["The kidney moved.", "The [LOCATION] moved."]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_field_of_rows_has_findings(form: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    rows = [{"text": "The kidney moved.", "found": FOUND}, {"text": "The kidney moved.", "found": WRONG}]
    source = tmp_path / f"notes.{form}"
    if form == "csv":
        frame = pd.DataFrame([row | {"found": json.dumps(row["found"])} for row in rows])
        frame.to_csv(source, index=False)
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    main(["scrub", str(source), "--findings-column", "found", "--outputs", "error"])
    out = capfdbinary.readouterr().out.decode()
    assert "The [LOCATION] moved." in out
    assert out.count("kidney") == 0
    assert "findings" in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2: must be an object"),
        ("[]", "line 2: must be an object"),
        ('{"findings": []}', "line 2: must be an object"),
        ('{"id": "a", "row": 1, "findings": []}', "line 2: must be an object"),
        ('{"id": "a", "findings": [[1, 2]]}', "line 2: a finding is"),
        ('{"id": "a", "findings": [["Zwilbruck", 2, "name"]]}', "line 2: findings\\[0\\] needs"),
    ],
)
def test_wrong_lines_of_a_findings_file_are_named(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(ns.FrameError, match=f"found.jsonl, {says}") as problem:
        FindingsFile(path)
    assert "Zwilbruck" not in str(problem.value)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ("[[pattern]]\nname = 'a'\nregex = 'x'\nkind = 'name'\nwithn = 3\n", "line 5: .*withn"),
        ("\n[[pattern]]\nname = 'a'\nregex = '('\nkind = 'name'\n", 'line 2: pattern "a": regex: unclosed group'),
        ("[[pattern]]\nname = 'a'\nregex = 'x*'\nkind = 'name'\n", 'pattern "a": regex: finds the empty text'),
        ("[[pattern]]\nname = 'a'\nregex = 'x'\nkind = 'name'\nexamples = ['y']\n", 'pattern "a": examples\\[0\\]'),
        (
            "[[pattern]]\nname = 'a'\nregex = 'x'\naction = 'keep'\nkind = 'name'\n",
            'pattern "a": kind: a pattern that keeps',
        ),
        ("[[pattern]]\nname = 'a'\nregex = 'x'\n", 'pattern "a": kind: a pattern that removes needs one'),
        ("[[pattern]]\nname = 'a b'\nregex = 'x'\nkind = 'name'\n", 'pattern "a b": name'),
        ("[[pattern]]\nname = 'a'\nregex = '[a-z]{9999}{99}'\nkind = 'name'\n", 'pattern "a": regex: .*size limit'),
    ],
)
def test_errors_of_patterns_name_file_line_and_pattern(toml: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "patterns.toml"
    path.write_text(toml, encoding="utf-8")
    with pytest.raises(ns.PolicyError, match=f"patterns.toml, (line \\d+: )?{says}"):
        ns.Policy(patterns=path)


def test_patterns_ask_for_words_around(tmp_path: Path) -> None:
    locker = {"name": "locker", "regex": r"\b(?P<phi>kidney) room", "kind": "other-id", "before": ["to"], "within": 2}
    scrubber = ns.Scrubber(ns.Policy(patterns=[locker]))
    assert scrubber.scrub("Brought to the kidney room.").text == "Brought to the [ID] room."
    assert scrubber.scrub("To a bed in the kidney room.").text == "To a bed in the kidney room."
    policy = tmp_path / "site.toml"
    policy.write_text('preset = "safe"\npatterns = "patterns.toml"\n', encoding="utf-8")
    (tmp_path / "patterns.toml").write_text("[[pattern]]\nname='w'\nregex='kidney'\nkind='name'\n", encoding="utf-8")
    assert ns.Scrubber(policy).scrub("The kidney moved.").text == "The [NAME] moved."


@pytest.mark.parametrize(
    ("certainty", "wanted"),
    [
        ("weak", "Chronic obstructive pulmonary disease of the [NAME]."),
        ("likely", "Chronic [NAME] pulmonary disease of the [NAME]."),
        ("sure", "Chronic [NAME] pulmonary disease of the [NAME]."),
    ],
)
def test_certainty_against_terms(certainty: str, wanted: str) -> None:
    text = "Chronic obstructive pulmonary disease of the kidney."
    found = [(text.index(word), text.index(word) + len(word), "name", certainty) for word in ("obstructive", "kidney")]
    assert ns.Scrubber().scrub(text, findings=found).text == wanted


@pytest.mark.parametrize(
    ("keeps", "removes", "stays"),
    [("weak", "weak", False), ("likely", "weak", True), ("likely", "likely", False), ("sure", "likely", True)],
)
def test_certainty_of_a_pattern_that_keeps(keeps: str, removes: str, stays: bool) -> None:
    scrubber = ns.Scrubber(ns.Policy(patterns=[{"name": "w", "regex": "kidney", "action": "keep", "certainty": keeps}]))
    text = "The kidney moved."
    assert scrubber.scrub(text, findings=[(4, 10, "name", removes)]).text == (text if stays else "The [NAME] moved.")


def test_a_pattern_that_keeps_surely_keeps_what_the_model_takes_for_a_name() -> None:
    drug = {"name": "drug", "regex": "Zorblax", "action": "keep"}
    text = "She takes Zorblax."
    assert "Zorblax" not in ns.Scrubber(ns.Policy(patterns=[drug])).scrub(text).text
    assert ns.Scrubber(ns.Policy(patterns=[drug | {"certainty": "sure"}])).scrub(text).text == text
