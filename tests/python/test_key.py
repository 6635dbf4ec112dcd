"""The key: where it comes from, and that it never shows."""

import copy
import logging
import os
import pickle
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main

CANARY = "c0ffee" * 10 + "0ddb"


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTESIEVE_KEY", raising=False)
    monkeypatch.delenv("NOTESIEVE_KEY_FILE", raising=False)


def shows_key(text: str | bytes) -> bool:
    data = text.encode() if isinstance(text, str) else text
    low = data.lower()
    return CANARY.encode() in low or bytes.fromhex(CANARY) in data or CANARY[:16].encode() in low


def test_the_command_makes_a_new_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret.key"
    assert main(["key", "new", "-o", str(file)]) == 0
    digits = file.read_text().strip()
    assert len(digits) == 64
    assert file.stat().st_mode & 0o777 == 0o600
    printed = capsys.readouterr()
    assert digits not in printed.out + printed.err
    monkeypatch.setenv("NOTESIEVE_KEY_FILE", str(file))
    key = ns.Key.load()
    assert key.fingerprint in printed.out
    assert main(["key", "fingerprint"]) == 0
    assert capsys.readouterr().out.strip() == key.fingerprint
    assert main(["key", "new", "-o", str(file)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert file.read_text().strip() == digits
    other = tmp_path / "other.key"
    assert main(["key", "new", "-o", str(other)]) == 0
    assert ns.Key.open(other) != key


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_file_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "secret.key"
    file.write_text(CANARY)
    file.chmod(mode)
    with pytest.raises(ns.SecretKeyError, match="others than the owner") as problem:
        ns.Key.open(file)
    assert not shows_key(str(problem.value))
    file.chmod(0o600)
    assert ns.Key.open(file).fingerprint


@pytest.mark.parametrize("wrong", ["", CANARY[1:], CANARY + "0", CANARY[:-1] + "x", "00" * 32, "é" * 64])
def test_what_is_no_key_is_refused_without_showing_it(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret.key"
    file.write_text(wrong, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(ns.SecretKeyError) as problem:
        ns.Key.open(file)
    assert not shows_key(str(problem.value))
    monkeypatch.setenv("NOTESIEVE_KEY", wrong)
    with pytest.raises(ns.SecretKeyError) as problem:
        ns.Key.load()
    assert not shows_key(str(problem.value))


def test_where_a_key_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ns.SecretKeyError, match="there is no key"):
        ns.Key.load()
    with pytest.raises(TypeError):
        ns.Key(CANARY)  # type: ignore[call-arg]
    with pytest.raises(ns.FileError):
        ns.Key.open(tmp_path / "nothing")
    with pytest.raises(ns.SecretKeyError, match="is no file"):
        ns.Key.open(tmp_path)
    monkeypatch.setenv("NOTESIEVE_KEY", CANARY)
    assert ns.Key.load() == ns.Key.load()
    monkeypatch.setenv("NOTESIEVE_KEY_FILE", str(tmp_path / "secret.key"))
    with pytest.raises(ns.SecretKeyError, match="both set"):
        ns.Key.load()


def test_pseudonyms_depend_on_key_and_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", CANARY)
    key = ns.Key.load()
    one = key.pseudonym("patient", "17")
    assert one == key.pseudonym("patient", "17")
    assert len({one, key.pseudonym("visit", "17"), key.pseudonym("patient", "18")}) == 3
    assert len(one) == 32
    assert int(one, 16)


def test_the_key_never_shows(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("NOTESIEVE_KEY", CANARY)
    key = ns.Key.load()
    scrubber = ns.Scrubber(key=key)
    shown = [repr(key), str(key), f"{key}", repr(scrubber), str(scrubber.provenance), str(vars(scrubber))]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="cannot be pickled") as problem:
            pickle.dumps(key, protocol)
        shown.append("".join(traceback.format_exception(problem.value)))
        shown.append(repr(pickle.dumps(scrubber, max(2, protocol))))
    with pytest.raises(TypeError):
        copy.copy(key)
    shown += [repr(getattr(key, name)) for name in dir(key)]
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("test").debug("%r %s", key, scrubber)
        scrubber.scrub_many(["No fever.", None], on_error="empty")  # type: ignore[list-item]
    shown.append(caplog.text)
    assert not [text for text in shown if shows_key(text)]
    assert key.fingerprint in repr(key)


def test_the_key_is_in_no_process_list(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    file.write_text(CANARY)
    file.chmod(0o600)
    code = (
        "import notesieve as ns, sys, pathlib; s = ns.Scrubber(key=ns.Key.load()); s.scrub_many(['No fever.'] * 9); "
        "p = pathlib.Path('/proc/self'); "
        "sys.stdout.buffer.write(b''.join((p / f).read_bytes() for f in ('cmdline', 'environ', 'comm')))"
    )
    environment = os.environ | {"NOTESIEVE_KEY_FILE": str(file)}
    seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert b"secret.key" in seen.stdout
    assert not shows_key(seen.stdout + seen.stderr)
