"""Model files: what they say of themselves, and that none is taken that is damaged or foreign."""

import hashlib
import pickle
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main

DEFAULT = Path(__file__).resolve().parents[2] / "models" / "default.model"


def test_what_a_result_depends_on_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    origin = ns.Scrubber().provenance
    assert capsys.readouterr().out.splitlines() == [
        f"notesieve {origin['version']}",
        f"vocabulary {origin['vocabulary_digest']}",
        f"model {origin['model_digest']}",
        f"statuses {origin['status_digest']}",
        f"entities {origin['entities_digest']}",
    ]


def test_the_file_is_that_of_the_package() -> None:
    model = ns.Model.open(DEFAULT)
    assert model.digest == ns.Model.default().digest
    assert model.provenance["notes"] >= 3000
    text = "Discussed with Grant at bedside."
    assert ns.Scrubber(model=model).scrub(text).text == ns.Scrubber().scrub(text).text


def error_of_model(file: Path, content: bytes) -> str:
    file.write_bytes(content)
    with pytest.raises(ns.ModelError) as raised:
        ns.Model.open(file)
    assert isinstance(raised.value, ValueError)
    assert str(file) in str(raised.value)
    return str(raised.value)


def test_files_that_are_not_whole(tmp_path: Path) -> None:
    content, file = DEFAULT.read_bytes(), tmp_path / "site.model"
    assert "truncated" in error_of_model(file, content[:-1])
    assert "added to" in error_of_model(file, content + b"x")
    for at in (200, len(content) // 2, len(content) - 1):
        altered = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        assert "altered" in error_of_model(file, altered)


def test_files_of_no_model_are_errors(tmp_path: Path) -> None:
    content, file = DEFAULT.read_bytes(), tmp_path / "site.model"
    assert "not a model of notesieve" in error_of_model(file, b"PK\x03\x04" + content)
    assert "not a model of notesieve" in error_of_model(file, b"")
    (version,) = content[16:17]
    assert f"format version {version + 1}" in error_of_model(file, content[:16] + bytes([version + 1]) + content[17:])
    at = 40  # the digest of the names of all lists
    assert "other lists" in error_of_model(file, content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])


def test_the_command_line_names_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, note = tmp_path / "site.model", tmp_path / "note.txt"
    file.write_bytes(hashlib.sha256(b"").digest())
    note.write_text("Gout.", encoding="utf-8")
    assert main(["scrub", str(note), "--model", str(file)]) != 0
    told = capsys.readouterr().err
    assert str(file) in told
    assert "Gout" not in told


def test_a_pickle_opens_the_model_again(tmp_path: Path) -> None:
    file = tmp_path / "site.model"
    file.write_bytes(DEFAULT.read_bytes())
    scrubber = ns.Scrubber(model=ns.Model.open(file))
    kept = pickle.dumps(scrubber)
    assert pickle.loads(kept).provenance == scrubber.provenance
