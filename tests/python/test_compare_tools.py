"""Other de-identifiers beside notesieve: `make compare`."""

import json
import sys
from pathlib import Path

import pytest

import compare_tools
import compared_tool
import notesieve as ns

NOTES = {"a": "Seen by Dr. Quill on 3/4/05. Asthma.", "b": "No fever."}
GOLD = ns.Gold(
    NOTES,
    {"a": [{"start": 12, "end": 17, "category": "NAME"}, {"start": 21, "end": 27, "category": "DATE"}]},
)
# A tool that finds figures and calls them dates.
FAKE = """
import json, re, sys
for line in sys.stdin:
    note = json.loads(line)
    found = [[m.start(), m.end(), "DATE"] for m in re.finditer(r"[0-9][0-9/]*", note["text"])]
    print(json.dumps({"doc": note["doc"], "spans": found}))
print(json.dumps({"tool": sys.argv[2], "version": "7", "seconds": 0.5, "unfinished": 0}))
"""


def write_tool_environment(folder: Path, tool: str, code: str) -> None:
    program = folder / f"{tool}.py"
    program.write_text(code, encoding="utf-8")
    python = folder / tool / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{program}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)


def test_tools_are_scored_on_the_same_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    GOLD.write(tmp_path / "gold", "brat")
    write_tool_environment(tmp_path, "presidio", FAKE)
    out = tmp_path / "rows.json"
    asked = [str(tmp_path / "gold"), "--environments", str(tmp_path), "--tools", "presidio", "openmed", "-o", str(out)]
    compare_tools.main(asked)
    ours, theirs = json.loads(out.read_text(encoding="utf-8"))
    assert (ours["tool"], ours["recall"], ours["kept"], ours["clean"], ours["strict_f1"]) == ("notesieve", 1, 1, 1, 1)
    assert (theirs["tool"], theirs["precision"], theirs["clean"], theirs["notes_per_second"]) == ("presidio", 1, 0.5, 4)
    assert theirs["recall"] == 0.75
    seen = capsys.readouterr()
    assert "openmed is left out" in seen.err
    assert "| presidio | 7 | 0.7500 | 1.000 | 1.0000 | 0.500 | 0.667 | 4.0 | 0 |" in seen.out
    assert "Quill" not in seen.out + seen.err


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; print(sys.stdin.read(), file=sys.stderr); sys.exit(3)", "openmed: exit code 3"),
        ("import sys; sys.argv = ['', 'openmed']; print('Quill', file=sys.stderr); sys.exit('openmed: KeyError')",
         "openmed: KeyError"),
    ],
)  # fmt: skip
def test_a_tool_that_stops_is_no_row(tmp_path: Path, capfd: pytest.CaptureFixture[str], code: str, reason: str) -> None:
    write_tool_environment(tmp_path, "openmed", code)
    with pytest.raises(SystemExit, match=f"^a tool stopped: {reason}$"):
        compare_tools.run_tool(tmp_path / "openmed" / "bin" / "python", "openmed", NOTES, tmp_path / "none.py")
    assert "Quill" not in "".join(capfd.readouterr())


def test_presidio_runs_with_its_model() -> None:
    scrub, package = compared_tool.presidio()
    text = "Barbara Quill can be reached at barbara@hospital.com."
    assert package == "presidio-analyzer"
    assert {(text[start:end], kind) for start, end, kind in scrub(text)} >= {("barbara@hospital.com", "CONTACT")}


def test_labels_spans_and_asterisks() -> None:
    assert list(map(compared_tool.scorer_category, ("PERSON", "us_ssn", "NRP"))) == ["NAME", "ID", "NRP"]
    spans = [(0.5, (0, 9, "NAME")), (0.9, (4, 6, "ID")), (0.9, (10, 12, "AGE")), (0.2, (12, 15, "DATE"))]
    assert compared_tool.resolve_overlaps(spans) == [(4, 6, "ID"), (10, 12, "AGE"), (12, 15, "DATE")]
    assert list(compared_tool.masked_spans("A*b cd e", "A** ** e")) == [(2, 3), (4, 6)]
    with pytest.raises(ValueError, match="not as long"):
        compared_tool.masked_spans("ab", "*")
