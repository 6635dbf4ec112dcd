"""The review widget: what it marks becomes a gold standard, and what it prints holds no text.

What happens in a browser is in ``tests/browser``.
"""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

import notesieve as ns
from notesieve.review import Review

# Without the model, so that what is found in these few words changes with no training.
RULES = ns.Scrubber(ns.Policy("safe", ambiguous="never"))
TEXTS = ["Seen by Dr. Brown on 3/4/2024, zorvex given.", "Gout;\r\nthe quombled toe."]


@pytest.fixture
def review() -> Review:
    return Review(RULES.scrub_many(TEXTS), TEXTS, ["a", "b"])


def test_it_turns_pages(review: Review) -> None:
    assert review.title == "a"
    assert "".join(piece["text"] for piece in review.pieces) == TEXTS[0]
    assert [piece["text"] for piece in review.pieces if piece["title"].startswith("removed")] == [
        "Brown",
        "3/4/2024",
        "zorvex",
    ]
    review.at = 1
    assert (review.title, "".join(piece["text"] for piece in review.pieces)) == ("b", TEXTS[1])
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
    evaluation = ns.evaluate(tmp_path / "gold", RULES, draws=0)
    # The leak that was marked is one for the evaluation, too.
    assert evaluation["token"]["recall"] < 1


def test_what_cannot_be_marked(review: Review) -> None:
    for arguments in (
        (0, "leak", 5, 5),
        (0, "leak", 0, 999),
        (0, "other", 0, 4),
        (7, "leak", 0, 1),
        (-1, "leak", 0, 1),
    ):
        with pytest.raises(ns.NotesieveError, match="lies inside"):
            review.mark(*arguments)
    with pytest.raises(ns.NotesieveError, match="one original"):
        Review(ns.Scrubber().scrub_many(TEXTS), TEXTS[:1])


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["../../x", "b"], "the id at index 0 has a character"),
        (["a", "/b"], "the id at index 1 has a character"),
        (["a", "b\\c"], "the id at index 1 has a character"),
        (["..", "b"], "the id at index 0 is empty"),
        (["a", ""], "the id at index 1 is empty"),
        (["a", "b" * 300], "too long"),
        (["same", "Same"], "the ids at 0 and 1 are the same"),
        ([1, 2], "the id at index 0 is no text"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(ids: list[Any], message: str) -> None:
    with pytest.raises(ns.NotesieveError, match=message) as problem:
        Review(ns.Scrubber().scrub_many(TEXTS), TEXTS, ids)
    assert "../" not in str(problem.value)


def test_a_gold_standard_stays_in_its_folder(tmp_path: Path) -> None:
    for name in ("../x", "/tmp/x", "a/../../x", ""):
        with pytest.raises(ns.GoldError, match="leads out of the folder"):
            ns.Gold({name: "No fever."}).write(tmp_path / "gold")
    assert list(tmp_path.iterdir()) == []


def test_originals_are_their_owners_alone(review: Review, tmp_path: Path) -> None:
    folder = review.save(tmp_path / "gold")
    for path in (folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    ns.Gold({"a": "No fever."}).write(tmp_path / "other")
    assert stat.S_IMODE((tmp_path / "other" / "notes" / "a.txt").stat().st_mode) == 0o600


def test_a_review_that_was_saved_is_loaded(review: Review, tmp_path: Path) -> None:
    review.mark(1, "leak", 7, 10, "NAME")
    review.save(tmp_path / "gold")
    again = Review.load(tmp_path / "gold", ns.Scrubber(ns.Policy("berman", ambiguous="never")))
    assert (again.marks, again.gold().notes) == (review.marks, review.gold().notes)
    assert again.gold().spans["b"] == [{"start": 7, "end": 10, "category": "NAME"}]
    again.mark(0, "leak", 0, 4)
    again.save()
    assert len(Review.load(tmp_path / "gold", ns.Scrubber()).marks) == 2
    with pytest.raises(ns.NotesieveError, match="say where to"):
        review.save()
    with pytest.raises(ns.NotesieveError, match=r"marks\.json: No such file"):
        Review.load(tmp_path, ns.Scrubber())
    (tmp_path / "gold" / "marks.json").write_text('{"digests": {"../../x": ""}, "marks": {}}')
    with pytest.raises(ns.NotesieveError, match="the name of a file cannot have"):
        Review.load(tmp_path / "gold", ns.Scrubber())
    (tmp_path / "gold" / "marks.json").write_text("{}")
    with pytest.raises(ns.GoldError, match="is no saved review"):
        Review.load(tmp_path / "gold", ns.Scrubber())


def test_marks_are_kept_as_they_are_made(tmp_path: Path) -> None:
    """As the page sends them: the kernel may end at any time."""
    notes = ns.Scrubber().scrub_many(TEXTS)
    review = Review(notes, TEXTS, ["a", "b"], folder=tmp_path / "kept")
    assert (tmp_path / "kept" / "marks.json").exists() is False
    leak = {"kind": "leak", "start": 0, "end": 4, "category": "NAME"}
    review.set_state({"marks": {"1": [leak]}, "sent": 1})
    assert review.taken == 1
    kept = (tmp_path / "kept" / "marks.json").read_text()
    assert json.loads(kept)["marks"] == {"b": [leak]}
    assert not [word for word in ("Brown", "Gout", "zorvex") if word in kept]
    assert Review(notes, TEXTS, ["a", "b"], folder=tmp_path / "kept").marks == {"1": [leak]}
    with pytest.raises(ns.NotesieveError, match="marks of other notes"):
        Review(notes, TEXTS, ["b", "a"], folder=tmp_path / "kept")
    with pytest.raises(ns.NotesieveError, match="marks of other notes"):
        review_of_others = Review(ns.Scrubber().scrub_many(["No fever."]), ["No fever."])
        review_of_others.save(tmp_path / "kept")
