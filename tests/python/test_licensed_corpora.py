"""Corpora of licence holders: files of the same form, made up here."""

import gzip
import json
import re
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main
from notesieve.evaluation.licensed_corpora import CORPORA, read_corpus

I2B2_2006 = """<?xml version="1.0" encoding="UTF-8"?>
<ROOT>
<RECORD ID="517"><TEXT>
Patient <PHI TYPE="PATIENT">Zwilbruck , Ada</PHI> was seen on <PHI TYPE="DATE">03/04</PHI> for asthma .
</TEXT></RECORD>
</ROOT>
"""
I2B2_2014 = """<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2>
<TEXT><![CDATA[Record date: 2091-03-04

Mr. Zwilbruck has asthma. Dr. Quill, Larkmoor.
]]></TEXT>
<TAGS>
<DATE id="P0" start="13" end="23" text="2091-03-04" TYPE="DATE" comment="" />
<NAME id="P1" start="29" end="38" text="Zwilbruck" TYPE="PATIENT" comment="" />
<NAME id="P2" start="55" end="60" text="Quill" TYPE="DOCTOR" comment="" />
<LOCATION id="P3" start="62" end="70" text="Larkmoor" TYPE="CITY" comment="" />
</TAGS>
</deIdi2b2>
"""
PHYSIONET_TEXT = """START_OF_RECORD=1||||1||||
Zwilbruck had a good night. Wife in at 2pm.
||||END_OF_RECORD
"""
PHYSIONET_PHI = """Patient 1\tNote 1
0\t0\t9
"""
MIMIC_III = """"ROW_ID","SUBJECT_ID","CATEGORY","TEXT"
1,7,"Nursing","Seen by Dr. [**Last Name (STitle) 12**] on [**2151-7-16**].
No fever, asthma."
2,7,"Nursing","Mr. Zwilbruck is well."
"""
MIMIC_IV = """note_id,subject_id,text
7-DS-1,7,"Name:  ___  Unit No: ___
No fever."
"""


@pytest.fixture
def corpora(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "2014").mkdir()
    (tmp_path / "2014" / "110-01.xml").write_text(I2B2_2014, encoding="utf-8")
    (tmp_path / "2006.xml").write_text(I2B2_2006, encoding="utf-8")
    (tmp_path / "deid").mkdir()
    (tmp_path / "deid" / "id.text").write_text(PHYSIONET_TEXT, encoding="utf-8")
    (tmp_path / "deid" / "id.phi").write_text(PHYSIONET_PHI, encoding="utf-8")
    with gzip.open(tmp_path / "NOTEEVENTS.csv.gz", "wt", encoding="utf-8") as file:
        file.write(MIMIC_III)
    return {
        "i2b2-2006": tmp_path / "2006.xml", "i2b2-2014": tmp_path / "2014", "n2c2-2016": tmp_path / "2014",
        "physionet": tmp_path / "deid", "mimic": tmp_path / "NOTEEVENTS.csv.gz",
    }  # fmt: skip


@pytest.mark.parametrize("name", CORPORA)
def test_no_text_leaves_a_benchmark(
    name: str, corpora: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "figures.json"
    assert main(["benchmark", name, str(corpora[name]), "-o", str(out)]) == 0
    seen = capsys.readouterr()
    digest = re.compile("[0-9a-f]{64}")
    whole = digest.sub("", seen.out + seen.err + out.read_text(encoding="utf-8"))
    for word in (
        "Zwilbruck",
        "Quill",
        "Larkmoor",
        "asthma",
        "Aaa",
        "517",
        "110-01",
        "Last Name",
        "2151",
        str(tmp_path),
    ):
        assert word not in whole, word
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["corpus"] == name
    assert found["documents"] == (2 if name == "mimic" else 1)
    assert found["token"]["fn"] == 0
    for each in CORPORA[name].published:
        assert each.system in seen.out
        assert each.source in seen.out


def test_figures_stand_beside_the_published_ones(
    corpora: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spans = {"doc": "110-01", "spans": [[13, 23, "DATE"], [29, 38, "NAME"], [55, 60, "LOCATION"]]}
    (tmp_path / "theirs.jsonl").write_text(json.dumps(spans), encoding="utf-8")
    asked = ["benchmark", "i2b2-2014", str(corpora["i2b2-2014"]), "--predictions", str(tmp_path / "theirs.jsonl")]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    (tokens,) = (line for line in lines if line.startswith("the predictions") and "tokens  " in line)
    assert tokens.split()[-5:] == ["83.33", "100.00", "90.91", "this", "run"]
    (strict,) = (line for line in lines if "entities, strict" in line)
    assert strict.split()[-5:-2] == ["50.00", "66.67", "57.14"]
    assert any("97.38" in line and "98.32" in line and "97.85" in line for line in lines)


def test_what_mimic_left_is_counted(
    corpora: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = read_corpus("mimic", corpora["mimic"])
    assert [gold.notes["1"][span["start"] : span["end"]] for span in gold.spans["1"]] == [
        "[**Last Name (STitle) 12**]",
        "[**2151-7-16**]",
    ]
    assert main(["benchmark", "mimic", str(corpora["mimic"])]) == 0
    assert "removed as NAME" in capsys.readouterr().out
    assert list(read_corpus("mimic", corpora["mimic"], notes=1).notes) == ["1"]
    table = tmp_path / "discharge.csv"
    table.write_text(MIMIC_IV, encoding="utf-8")
    found = read_corpus("mimic", table)
    assert [len(found.spans[doc]) for doc in found.notes] == [2]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a,b\n1,Zwilbruck\n", "is no table of MIMIC"),
        (b"", "is no table of MIMIC"),
        (b"note_id,text\n1,\xff\xfe\n", "is not UTF-8"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "notes.csv").write_bytes(content)
    with pytest.raises(ns.NotesieveError, match=problem):
        read_corpus("mimic", tmp_path / "notes.csv")
    with pytest.raises(ns.GoldError, match="there is no corpus `n2c2`"):
        read_corpus("n2c2", tmp_path)
    with pytest.raises(ns.NotesieveError):
        read_corpus("mimic", tmp_path / "none.csv")
