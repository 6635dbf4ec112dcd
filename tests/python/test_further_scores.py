"""Figures beside those of the core: both classes, sums behind means, words by dictionary, statistics, altered text."""

import json
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns
from notesieve.cli import main


def span_of_word(text: str, word: str, category: str, **more: Any) -> dict[str, Any]:
    start = text.index(word)
    return {"start": start, "end": start + len(word), "category": category, **more}


TEXT = "Seen by Dr. Brown and Zwilbruck on 3/4/05 in Boston. Brown spots, May 2001."


@pytest.fixture
def gold() -> ns.Gold:
    spans = [
        span_of_word(TEXT, "Brown", "NAME", subtype="DOCTOR"),
        span_of_word(TEXT, "Zwilbruck", "NAME"),
        span_of_word(TEXT, "3/4/05", "DATE"),
        span_of_word(TEXT, "Boston", "LOCATION"),
        span_of_word(TEXT, "2001", "DATE", subtype="YEAR", hipaa=False),
    ]
    return ns.Gold({"a": TEXT, "b": "No fever."}, {"a": spans})


def removed_words(*words: str) -> dict[str, list[tuple[int, int]]]:
    return {"a": [(TEXT.index(word), TEXT.index(word) + len(word)) for word in words]}


def test_both_classes_by_hand(gold: ns.Gold) -> None:
    found = ns.evaluate(gold, removed_words("Zwilbruck", "3/4/05", "Seen"), draws=0)
    # Of six PHI tokens two are left; of twelve others one is lost; 2001 may stay.
    assert found["confusion"] == {
        "phi_removed": 4, "phi_left": 2, "other_removed": 1, "other_kept": 10, "accuracy": 14 / 17,
    }  # fmt: skip
    rest = found["other_tokens"]
    assert (rest["precision"], rest["recall"]) == (10 / 12, 10 / 11)
    assert rest["F1"] == pytest.approx(20 / 23)
    assert "PHI 4 removed, 2 left; others 1 removed, 10 kept" in found.summary()
    assert "<td>4</td><td>2</td>" in found.to_html()
    sums = found["sokolova_sums"]
    # NAME, DATE and LOCATION in `a`, of which DATE is wholly removed; nothing in `b`.
    assert sums["category"]["exact_matches"] == 1
    assert sums["category"]["sum_of_F"] == pytest.approx(2 * 1 / 4 + 1)
    assert sums["category"]["one_errors"] == 1
    assert sums["leaked"]["docs"] == 2


def test_words_of_identifiers_by_dictionary(gold: ns.Gold) -> None:
    found = ns.evaluate(gold, removed_words("Brown", "Boston"), draws=0, vocabulary=ns.Vocabulary.default())
    rows = {row["status"]: (row["tokens"], row["token_leaks"]) for row in found["dictionary"]}
    assert rows["in none"] == (1, 1)  # Zwilbruck
    assert rows["words and names"][1] == 0  # Brown
    assert rows["numbers"] == (3, 3)
    assert sum(tokens for tokens, _ in rows.values()) == found["tokens"]["phi"] == 6
    assert "words in none" in found.summary()
    ours = ns.evaluate(gold, ns.Scrubber(), draws=0)
    assert sum(row["tokens"] for row in ours.rows("dictionary")) == 6
    assert "dictionary" not in ns.evaluate(gold, {}, draws=0).report


def test_statistics_of_a_corpus(gold: ns.Gold, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = ns.corpus_statistics(gold)
    assert (found["notes"], found["phi"], found["spans"], found["optional"]) == (2, 6, 4, 1)
    assert found["words"] == found["phi"] + found["other"] + 1  # 2001
    names = next(row for row in found["categories"] if row["name"] == "NAME")
    assert names == {"name": "NAME", "tokens": 2, "share": 2 / 17, "spans": 2, "per_note": 1.0, "notes": 1}
    assert "NAME/DOCTOR" in {row["name"] for row in found["subtypes"]}
    gold.write(tmp_path / "gold")
    assert main(["gold", str(tmp_path / "gold"), "--stats"]) == 0
    seen = capsys.readouterr().out
    assert "2 notes, 18 words (9.0 a note), 6 PHI tokens in 4 spans" in seen
    assert "Zwilbruck" not in seen
    with pytest.raises(SystemExit):
        main(["gold", str(tmp_path / "gold")])


def test_agreement_has_the_lowest_and_the_highest_annotator() -> None:
    notes = {"a": "Seen by Dr. Quill in Larkmoor."}
    text = notes["a"]
    both = [span_of_word(text, "Quill", "NAME"), span_of_word(text, "Larkmoor", "LOCATION")]
    annotators = {"one": ns.Gold(notes, {"a": both}), "two": ns.Gold(notes, {"a": both[:1]}), "three": ns.Gold(notes)}
    found = ns.agreement(annotators, ns.Gold(notes, {"a": both}))
    one, two, three = found["by_readers"]
    assert (one["minimum"]["recall"], one["maximum"]["recall"], one["recall"]) == (0.0, 1.0, 0.5)
    assert (two["minimum"]["recall"], two["maximum"]["recall"]) == (0.5, 1.0)
    assert three["minimum"]["recall"] == three["maximum"]["recall"] == three["recall"] == 1.0
    # Without adjudication the majority is the reference.
    assert ns.agreement(annotators)["by_readers"][0]["maximum"]["F1"] == 1.0


def test_altered_text_is_scored(gold: ns.Gold, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Another name for a name, a mask, a date that moved, a name that stayed, a word that went.
    output = "Seen by Dr. Green and *** on 3/9/04 in Boston. Brown, May 2001."
    spans = ns.removed_spans(gold.notes, {"a": output})
    assert [TEXT[start:end] for start, end in spans["a"]] == ["Brown", "Zwilbruck", "3/4/05", "spots"]
    gold.write(tmp_path / "gold")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "a.txt").write_text(output, encoding="utf-8")
    (tmp_path / "theirs" / "b.txt").write_text("No fever.", encoding="utf-8")
    assert (
        main(["evaluate", str(tmp_path / "gold"), "--outputs", str(tmp_path / "theirs"), "--json", "--draws", "0"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["name"] == "theirs"
    assert found["confusion"]["phi_left"] == 1  # Boston
    assert found["confusion"]["other_removed"] == 1
    with pytest.raises(ns.GoldError, match="of which there is no note"):
        ns.removed_spans(gold.notes, {"c": output})
    assert ns.removed_spans({"a": ""}, {"a": "Brown"}) == {"a": []}
