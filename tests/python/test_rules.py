"""The rules as people are told of them: each example is found by its rule, and the page lists what the code has."""

import json
import re
import runpy
from pathlib import Path

import pytest

import notesieve as ns
from notesieve.cli import main

ROOT = Path(__file__).parents[2]
# In long rows, in tables, by what the site and the caller know, by what is found elsewhere, by raised letters, by the
# model.
WITHOUT_EXAMPLE = {"code-row", "cell", "site-list", "known", "name-propagated", "raised-letters", "judged", "field"}


def rules_in_explanations(scrubber: ns.Scrubber, text: str) -> set[str]:
    """Name all that speaks for or against some token of a text."""
    note = scrubber.scrub(text)
    told = "\n".join(note.explain(decision.start) for decision in note.decisions)
    return set(re.findall(r"^  (?:against|for) +\w+ +([\w-]+)", told, re.MULTILINE))


@pytest.mark.parametrize("rule", ns.rules(), ids=lambda rule: rule.name)
def test_a_rule_finds_its_examples(rule: ns.Rule, scrubber: ns.Scrubber) -> None:
    examples = re.findall(r"`([^`]+)`", rule.about)
    assert bool(examples) == (rule.name not in WITHOUT_EXAMPLE)
    for example in examples:
        places = (example, f"Seen today, {example} as before.")
        assert any(rule.name in rules_in_explanations(scrubber, place) for place in places), example


def test_the_page_lists_the_rules() -> None:
    made = runpy.run_path(str(ROOT / "docs/rules_page.py"))["rules_page"]()
    assert (ROOT / "docs/rules.md").read_text(encoding="utf-8") == made, "run `python docs/rules_page.py`"


def test_the_picture_of_the_page_shows_what_is_made_now() -> None:
    shown = runpy.run_path(str(ROOT / "tests/browser/page_picture.py"))["shown_result"]()
    record = json.loads((ROOT / "docs/pictures/page.json").read_text(encoding="utf-8"))
    assert record == shown, "run `make picture`"


def test_explain_tells_why_without_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Seen by Dr. Brown for a cough.", encoding="utf-8")
    assert main(["explain", str(note)]) == 0
    told = capsys.readouterr().out
    assert "12:17 removed (finding)" in told
    assert "name-title (name)" in told
    assert "Brown" not in told
    assert main(["explain", str(note), "--at", "24"]) == 0
    assert "kept as a term" in capsys.readouterr().out


def test_explain_lists_rules_and_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--rules"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ns.rules())
    assert main(["explain", "--rule", "street"]) == 0
    assert capsys.readouterr().out.startswith("street ")
    assert main(["explain", "--rule", "stret"]) == 2
    assert "near it: street" in capsys.readouterr().err
    assert main(["explain"]) == 2
    assert "name a text, or --rules" in capsys.readouterr().err
