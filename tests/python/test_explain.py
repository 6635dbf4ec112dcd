"""`ScrubbedNote.explain`: what speaks for and against a token, without a word of the note."""

import pickle
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main

TEXT = "Dr. Brown saw Zwilbruck for diabetes mellitus, 5 mg of it."


@pytest.fixture(scope="module")
def note() -> ns.ScrubbedNote:
    return ns.Scrubber().scrub(TEXT)


def test_a_rule_against_a_list(note: ns.ScrubbedNote) -> None:
    first, *evidence = note.explain(TEXT.index("Brown")).split("\n")
    assert first == "4:9 removed (finding), 4:10 of the output stands for it"
    assert evidence[0] == "  against  sure    name-title (name)"
    assert "  for      listed  english" in evidence


def test_a_kept_word_has_its_evidence(note: ns.ScrubbedNote) -> None:
    assert "\n  for      likely  term" in note.explain(TEXT.index("diabetes"))
    assert "\n  for      likely  quantity" in note.explain(TEXT.index("5"))


def test_a_removed_word_has_no_evidence_for_it(note: ns.ScrubbedNote) -> None:
    start, end = TEXT.index("Zwil"), TEXT.index(" for")
    assert note.explain(start).startswith(f"{start}:{end} removed (")
    assert "  for" not in note.explain(start)


def test_every_token_is_explained_without_text(note: ns.ScrubbedNote) -> None:
    for decision in note.decisions:
        told = note.explain(decision.start)
        assert told == note.explain(decision.end - 1)
        assert not any(name in told for name in ("Brown", "Zwilbruck", "brown", "mellitus"))


def test_only_what_the_policy_hears_vouches() -> None:
    silent = ns.Scrubber(ns.Policy("safe", numbers="none")).scrub(TEXT)
    told = silent.explain(TEXT.index("5"))
    assert "removed (unlisted)" in told
    assert "  for" not in told
    assert "\n  for      likely  term" in silent.explain(TEXT.index("diabetes"))


def test_what_the_model_thinks() -> None:
    text = "d/w Grant re dose. No edema."
    note = ns.Scrubber().scrub(text)
    told = note.explain(text.index("Grant")).split("\n")
    judged = next(nth for nth, line in enumerate(told) if line.startswith("  judged   +"))
    assert told[judged].endswith("  name")
    weights = [float(line.split()[0]) for line in told[judged + 1 :]]
    assert len(weights) >= 2 and all(abs(weight) >= 0.2 for weight in weights)
    assert any(line.endswith(" before it)") for line in told[judged + 1 :])
    # What is surely nothing is told in one line.
    assert note.explain(text.index("edema")).split("\n")[-1].startswith("  judged   -")
    silent = ns.Scrubber(ns.Policy("safe", ambiguous="never")).scrub(text)
    assert "judged" not in silent.explain(text.index("Grant"))


def test_survives_a_pickle(note: ns.ScrubbedNote) -> None:
    assert pickle.loads(pickle.dumps(note)).explain(4) == note.explain(4)


def test_says_what_is_wrong(note: ns.ScrubbedNote) -> None:
    with pytest.raises(ns.NoteError, match="no token stands at code point 3 of"):
        note.explain(3)
    (bare,) = ns.Scrubber().scrub_many([TEXT], explain=False)
    with pytest.raises(ns.NoteError, match="explain=True"):
        bare.explain(4)


def test_suspicious_tokens_are_kept_and_in_order() -> None:
    text = "Seen at bedside. Will was there. Dr. Brown left: no fever, 5 mg given."
    note = ns.Scrubber(ns.Policy(strictness=1)).scrub(text)
    found = note.suspicious()
    odds = [one["log_odds"] for one in found]
    assert odds == sorted(odds, reverse=True) and odds[0] < 0
    assert text[found[0]["start"] : found[0]["end"]] == "Will"
    kept = {(d.start, d.end): d for d in note.decisions if d.action != "remove"}
    for one in found:
        decision = kept[one["start"], one["end"]]
        assert (decision.output_start, decision.output_end) == (one["output_start"], one["output_end"])
        assert note.text[one["output_start"] : one["output_end"]] == text[one["start"] : one["end"]]
        assert one["reason"] == decision.reason
    assert note.suspicious(2) == found[:2] and note.suspicious(0) == []
    assert pickle.loads(pickle.dumps(note)).suspicious() == found
    assert ns.Scrubber(ns.Policy(ambiguous="never")).scrub(text).suspicious() == [], "no model judges"
    (bare,) = ns.Scrubber().scrub_many([text], explain=False)
    with pytest.raises(ns.NoteError, match="explain=True"):
        bare.suspicious()


def test_the_command_lists_suspicious_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policy.toml").write_text("strictness = 1\n", encoding="utf-8")
    for nth, text in enumerate(["No fever.", "Seen at bedside. Will was there."]):
        (tmp_path / f"{nth}.txt").write_text(text, encoding="utf-8")
    policy = ["--policy", str(tmp_path / "policy.toml")]
    inputs = [str(tmp_path / "0.txt"), str(tmp_path / "1.txt")]
    assert main(["explain", *inputs, *policy, "--suspicious", "3"]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert "1.txt: 17:21 kept (" in first and ", name -" in first
    assert len(others) == 2 and not any("Will" in line for line in [first, *others])
