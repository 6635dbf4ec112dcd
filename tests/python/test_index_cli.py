"""The command `notesieve index`, and the form of what it writes for OpenSearch."""

import csv
import gzip
import json
import re
from pathlib import Path

import pytest

import notesieve as ns
from index_notes import KEY
from notesieve.cli import main
from notesieve.cli.meanings import replace_name_by_code
from notesieve.index import export_opensearch

ROWS = [
    {"note_id": "n1", "patient_id": "p1", "note_type": "letter", "year": 2003, "text": "Mr. Brown: diabetes mellitus."},
    {"note_id": "n2", "patient_id": "p1", "note_type": "letter", "year": 2004, "text": "Type 2 diabetes, [stable]."},
    {"note_id": "n3", "patient_id": "p2", "note_type": "nursing", "year": 2005, "text": "Fever and cough for 3 days."},
]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.setenv("NOTESIEVE_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    Path("notes.ndjson").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    assert main(["index", "build", "notes.ndjson", "-o", "notes.index", "--years"]) == 0
    assert capsys.readouterr().out == "notes.index: 3 notes of 2 patients\n"
    return tmp_path / "notes.index"


@pytest.mark.usefixtures("built")
def test_build_twice_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "build", "notes.ndjson", "-o", "notes.index"]) == 0
    assert capsys.readouterr().out.endswith("3 notes of 2 patients\n")


def test_count_and_search(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "count", str(built), "code:mesh:D003920"]) == 0
    assert capsys.readouterr().out == "1 patient, 2 notes\n"
    assert main(["index", "count", str(built), "*", "--by", "type"]) == 0
    assert capsys.readouterr().out.split() == ["2", "letter", "1", "nursing"]
    assert main(["index", "search", str(built), "cough"]) == 0
    assert "Fever and «cough» for 3 days." in capsys.readouterr().out
    assert main(["index", "search", str(built), "year:2003", "--format", "ndjson"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["text"] == "Mr. [NAME]: diabetes mellitus."
    assert main(["index", "search", str(built), "diabetes", "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["index", "search", str(built), "type:letter", "--format", "csv"]) == 0
    printed = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    ns.Index.open(built).search("type:letter").to_csv("letters.csv")
    with Path("letters.csv").open(encoding="utf-8", newline="") as file:
        assert printed == list(csv.DictReader(file))
    assert all(json.loads(row["mentions"]) for row in printed) and not any("[" in row["negated"] for row in printed)
    assert main(["index", "info", str(built)]) == 0
    assert json.loads(capsys.readouterr().out)["patients"] == 2


def test_counts_with_a_log_suppress_small_numbers(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["index", "count", str(built), "diabetes", "--log", "audit.jsonl"]
    assert main(command) == 2
    assert "--log needs --user" in capsys.readouterr().err
    assert main([*command, "--user", "ann"]) == 0
    assert capsys.readouterr().out == "fewer than 11 patients\n"
    assert main([*command, "--user", "ann", "--by", "type"]) == 0
    assert "total    not told" in capsys.readouterr().out
    assert len(Path("audit.jsonl").read_text().splitlines()) == 4


def test_errors_are_for_people(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "count", str(built), "code:cold"]) == 2
    assert "code:mesh:D003080 Cold Temperature" in capsys.readouterr().err
    assert main(["index", "count", "nowhere", "fever"]) == 2
    assert "is no index" in capsys.readouterr().err


def build_from(name: str, content: bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    Path(name).write_bytes(content)
    code = main(["index", "build", name, "-o", "notes.index"])
    told = capsys.readouterr()
    assert "zwilbr" not in told.err.lower()
    return code, told.out, told.err


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_good_lines_around_bad_ones_are_indexed(suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        b'{"note_id": "n4", "patient_id": 0, "text": "No fever."}',
        b'{"note_id": Zwilbruck',
        b"",
        b'{"note_id": "Zwilbr\xfcck"}',
        b'["Zwilbruck"]',
        b'{"note_id": "n5", "patient_id": "p5"}',
        b'{"note_id": "n6", "patient_id": "p5", "text": 6}',
        b'{"note_id": "n7", "text": "Zwilbruck."}',
        b'{"note_id": "n8", "patient_id": "p5", "text": "No rash.", "year": "Zwilbruck"}',
        b'{"note_id": "n\\ud800", "patient_id": "p5", "text": "No rash."}',
        b'{"note_id": "n9", "patient_id": "p5", "text": "No cough."}',
    ]
    content = b"\n".join(lines)
    code, out, err = build_from(f"bad.ndjson{suffix}", gzip.compress(content) if suffix else content, capsys)
    assert code == 1
    assert out == "notes.index: 5 notes of 4 patients\n"
    assert err.splitlines() == [
        f"notesieve: bad.ndjson{suffix}: line 2: the line is no JSON object",
        f"notesieve: bad.ndjson{suffix}: line 4: its bytes are not UTF-8, or not of the named encoding",
        f"notesieve: bad.ndjson{suffix}: line 5: the line is no JSON object",
        f"notesieve: bad.ndjson{suffix}: line 6: the line has no field with the note",
        f"notesieve: bad.ndjson{suffix}: line 7: the row holds no text",
        f"notesieve: bad.ndjson{suffix}: line 8: the note has no patient_id, without which patients cannot be counted",
        f"notesieve: bad.ndjson{suffix}: line 9: the year is no number of four digits",
        f"notesieve: bad.ndjson{suffix}: line 10: its bytes are not UTF-8, or not of the named encoding",
        "notesieve: 8 rows could not be indexed, the others were; fix and run the same command again: a note that is "
        "in the index already is replaced",
    ]


@pytest.mark.usefixtures("built")
def test_good_rows_of_csv_around_bad_ones_are_indexed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = b'note_id,patient_id,text\nn4,p4,"No fever,\nno cough."\nn5,p5,Zwilbr\xfcck\nn6,p6\nn7,p4,No rash.\n'
    code, out, err = build_from("bad.csv", rows, capsys)
    assert (code, out) == (1, "notes.index: 5 notes of 3 patients\n")
    assert err.startswith(
        "notesieve: bad.csv: line 4: its bytes are not UTF-8, or not of the named encoding\n"
        "notesieve: bad.csv: line 5: the row has"
    )
    # Behind a quote that nobody closes no row can be told; what stands before it goes in.
    code, out, err = build_from("bad.csv", b'note_id,patient_id,text\nn8,p4,No fever.\nn9,p4,"Zwilbruck\n', capsys)
    assert (code, out) == (1, "notes.index: 6 notes of 3 patients\n")
    assert "bad.csv: line 3: it is no CSV there: a quote is not closed" in err


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("between", ["\t", ";"])
def test_fields_between_other_signs(between: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "note_id,patient_id,text\nn4,p4,No fever.\n".replace(",", between).encode()
    code, out, _ = build_from("more.tsv", rows, capsys)
    assert (code, out) == (0, "notes.index: 4 notes of 3 patients\n")


@pytest.mark.usefixtures("built")
def test_many_bad_rows_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = build_from("bad.ndjson", b"Zwilbruck\n" * 1500, capsys)
    told = err.splitlines()
    assert code == 1
    assert len(told) == 22
    assert told[20] == "notesieve: and 1,480 more rows"
    assert told[21].startswith("notesieve: 1,500 rows could not be indexed")


@pytest.mark.usefixtures("built")
def test_a_bad_file_does_not_stop_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.csv").write_text("Zwilbruck,patient_id,text\nn4,p4,No fever.\n", encoding="utf-8")
    Path("bad.ndjson.gz").write_bytes(gzip.compress(b"{}" * 1000)[:-9])
    Path("bad.parquet").write_bytes(b"PAR1")
    Path("good.ndjson").write_text('{"note_id": "n4", "patient_id": "p4", "text": "No fever."}\n', encoding="utf-8")
    command = ["index", "build", "bad.csv", "bad.ndjson.gz", "bad.parquet", "good.ndjson", "-o", "notes.index"]
    assert main(command) == 1
    told = capsys.readouterr()
    assert told.out.endswith("4 notes of 3 patients\n")
    assert "Zwilbruck" not in told.err
    assert "bad.csv: the frame has no column 'note_id'" in told.err
    assert "bad.ndjson.gz: its compressed data is damaged, or ends too early" in told.err
    assert "bad.parquet: is damaged, or not what its name says" in told.err
    for name, message in (("nowhere.csv", "there is no such file"), (".", "is a folder; give the files in it")):
        assert main(["index", "build", "good.ndjson", name, "-o", "other.index"]) == 2
        assert message in capsys.readouterr().err
        assert not Path("other.index").exists()


@pytest.mark.usefixtures("built")
def test_scrubbed_texts_are_verified(capsys: pytest.CaptureFixture[str]) -> None:
    Path("clean.csv").write_text("id,who,text\nn7,p7,No fever today.\n", encoding="utf-8")
    command = ["index", "build", "clean.csv", "-o", "notes.index", "--scrubbed"]
    command += ["--note-id", "id", "--patient-id", "who"]
    assert main(command) == 0
    assert capsys.readouterr().out.endswith("4 notes of 3 patients\n")
    Path("clean.csv").write_text("id,who,text\nn8,p7,Seen by Zwilbruck.\nn9,p7,No cough.\n", encoding="utf-8")
    assert main(command) == 1
    told = capsys.readouterr()
    assert told.out.endswith("5 notes of 3 patients\n")
    assert "clean.csv: line 2: the text holds what nothing allows" in told.err
    assert "Zwilbruck" not in told.err


def test_a_name_is_replaced_by_the_chosen_code() -> None:
    assert replace_name_by_code("code:cold AND fever", 5, "mesh:D003080") == "code:mesh:D003080 AND fever"
    assert replace_name_by_code('(code:"common cold"! OR x)', 6, "mesh:D003139") == "(code:mesh:D003139! OR x)"


def test_export_has_the_form_of_bulk_requests(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["index", "export", str(built), "--opensearch", "bulk", "--parts", "2", "--name", "clinic", "--annotated"]
    assert main(command) == 0
    assert capsys.readouterr().out.split() == ["bulk/part-00000.ndjson", "bulk/part-00001.ndjson"]
    properties = json.loads(Path("bulk/mapping.json").read_text())["mappings"]["properties"]
    documents = {}
    for part in sorted(Path("bulk").glob("part-*.ndjson")):
        text = part.read_text(encoding="utf-8")
        assert not text or text.endswith("\n")
        lines = [json.loads(line) for line in text.splitlines()]
        for action, document in zip(lines[::2], lines[1::2], strict=True):
            assert action == {"index": {"_index": "clinic", "_id": document["note"]}}
            # The mapping is strict: a field that it does not name would be refused.
            assert document.keys() <= properties.keys()
            documents[document["note"]] = document
    assert len(documents) == 3
    first = next(document for document in documents.values() if "Type 2" in document["text"])
    assert "mesh:D003924" in first["codes"]
    assert "mesh:D003920" in first["broader"]
    assert set(first["codes"]) <= set(first["broader"])
    assert first["annotated"].startswith("[Type 2 diabetes](")
    assert "mesh%3AD003924" in first["annotated"]
    # Brackets in the text of a note cannot be taken for an annotation.
    assert len(re.findall(r"\[[^\]]*\]\(", first["annotated"])) == len(re.findall(r"\]", first["annotated"]))
    assert first["provenance"].keys() <= properties["provenance"]["properties"].keys()


def test_parts_can_be_written_one_by_one(built: Path) -> None:
    index = ns.Index.open(built)
    export_opensearch(index, "together", parts=3)
    for part in range(3):
        written = export_opensearch(index, "apart", parts=3, only=part)
        assert [path.name for path in written] == [f"part-{part:05}.ndjson"]
    assert not Path("apart/mapping.json").exists()
    for path in sorted(Path("together").glob("part-*")):
        assert path.read_bytes() == (Path("apart") / path.name).read_bytes()
    with pytest.raises(ns.SearchIndexError, match="no part 3 of 3"):
        export_opensearch(index, "apart", parts=3, only=3)


def test_search_template_renders_to_json(built: Path) -> None:
    export_opensearch(ns.Index.open(built), "bulk")
    source = json.loads(Path("bulk/search-template.json").read_text())["script"]["source"]

    def render_template(**given: object) -> dict[str, object]:
        """The part of Mustache that the template uses: toJson, values, and sections for what is missing."""
        text = re.sub(r"{{#toJson}}(\w+){{/toJson}}", lambda m: json.dumps(given[m[1]]), source)
        text = re.sub(r"{{\^(\w+)}}(.*?){{/\1}}", lambda m: "" if m[1] in given else m[2], text)
        text = re.sub(r"{{(\w+)}}", lambda m: str(given.get(m[1], "")), text)
        assert "{{" not in text
        return dict(json.loads(text))

    body = render_template(query='"chest pain"', codes=["mesh:D003920"], first_year=2004)
    assert body["size"] == 20
    must = body["query"]["bool"]  # type: ignore[index]
    assert must["must"][0]["simple_query_string"]["query"] == '"chest pain"'
    assert must["filter"][1]["range"]["year"] == {"gte": 2004, "lte": 9999}


def test_a_policy_file_says_whether_there_are_years(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (built.parent / "site.toml").write_text('preset = "safe"\ndates = "year"\n', encoding="utf-8")
    assert main(["index", "build", "notes.ndjson", "-o", "other.index", "--policy", "site.toml"]) == 0
    assert main(["index", "count", "other.index", "year:2004"]) == 0
    assert capsys.readouterr().out.endswith("1 patient, 1 note\n")
    command = ["index", "build", "notes.ndjson", "-o", "third.index", "--policy", "site.toml", "--keep", "year"]
    assert main(command) == 2
    assert '--keep goes with a preset: write keep = ["year"] into site.toml' in capsys.readouterr().err
    # The index of another policy takes none of these notes.
    assert main(["index", "build", "notes.ndjson", "-o", "notes.index", "--policy", "site.toml"]) == 2
    assert "policy" in capsys.readouterr().err
