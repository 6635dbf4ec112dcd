"""The review widget: what it marks becomes a gold standard, and what it prints holds no text."""

from pathlib import Path

import pytest

import notesieve as ns
from notesieve.review import Review

TEXTS = ["Seen by Dr. Brown on 3/4/2024, zorvex given.", "Gout; the quombled toe."]


@pytest.fixture
def review() -> Review:
    return Review(ns.Scrubber().scrub_many(TEXTS), TEXTS, ["a", "b"])


def test_it_turns_pages(review: Review) -> None:
    assert "Brown" in review.page
    assert "Original text" in review.page
    review.at = 1
    assert "quombled" in review.page
    assert "Brown" not in review.page
    assert not [word for word in ("Brown", "quombled") if word in repr(review)]


def test_marks_become_gold(review: Review, tmp_path: Path) -> None:
    start = TEXTS[0].index("zorvex")
    review.mark(0, "needless", start, start + 6)
    review.mark(1, "leak", 0, 4, "NAME")
    gold = review.gold()
    assert [(s["category"], gold.notes["a"][s["start"] : s["end"]]) for s in gold.spans["a"]] == [
        ("NAME", "Brown"),
        ("DATE", "3/4/2024"),
    ]
    assert gold.spans["b"] == [{"start": 0, "end": 4, "category": "NAME"}]
    review.save(tmp_path / "gold")
    assert (tmp_path / "gold" / "allow.txt").read_text() == "zorvex\n"
    evaluation = ns.evaluate(tmp_path / "gold", ns.Scrubber(), draws=0)
    # The leak that was marked is one for the evaluation, too.
    assert evaluation["token"]["recall"] < 1


def test_what_cannot_be_marked(review: Review) -> None:
    for arguments in ((0, "leak", 5, 5), (0, "leak", 0, 999), (0, "other", 0, 4)):
        with pytest.raises(ns.NotesieveError, match="lies inside"):
            review.mark(*arguments)
    with pytest.raises(ns.NotesieveError, match="one original"):
        Review(ns.Scrubber().scrub_many(TEXTS), TEXTS[:1])
