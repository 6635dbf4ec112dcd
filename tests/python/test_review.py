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


def annotators() -> dict[str, ns.Gold]:
    notes = {"a": TEXTS[0], "b": TEXTS[1]}
    brown, date = ({"start": 12, "end": 17, "category": "NAME"}, {"start": 21, "end": 29, "category": "DATE"})
    doctor = {"start": 8, "end": 17, "category": "NAME", "subtype": "DOCTOR"}
    gout = {"start": 0, "end": 4, "category": "LOCATION"}
    return {
        "anna": ns.Gold(notes, {"a": [brown, date], "b": []}),
        "ben": ns.Gold({**notes, "c": "No fever."}, {"a": [doctor, date], "b": [gout]}),
    }


def test_readers_are_adjudicated(tmp_path: Path) -> None:
    review = Review.adjudicate(annotators(), folder=tmp_path / "kept")
    assert review.title == "a: 2 disputes to settle"
    assert "".join(piece["text"] for piece in review.pieces) == TEXTS[0]
    assert [piece["title"] for piece in review.pieces if piece["text"] in ("Brown", "3/4/2024", "Dr. ")] == [
        "NAME/DOCTOR: ben", "NAME/DOCTOR: ben; NAME: anna", "DATE: anna, ben",
    ]  # fmt: skip
    assert [(each["doc"], each["start"], each["annotators"]) for each in review.disputes()] == [
        ("a", 8, ["ben"]), ("a", 12, ["anna"]), ("b", 0, ["ben"]),
    ]  # fmt: skip
    # What nobody settled is required; what all marked stands.
    assert [len(spans) for spans in review.gold().spans.values()] == [3, 1]
    review.mark(0, "leak", 12, 17, "NAME")
    review.mark(1, "needless", 0, 4)
    assert (review.disputes(), review.title) == ([], "a: 0 disputes to settle")
    assert review.gold().spans == {
        "a": [{"start": 12, "end": 17, "category": "NAME"}, {"start": 21, "end": 29, "category": "DATE"}],
        "b": [],
    }
    assert review.gold().notes.keys() == {"a", "b"}
    again = Review.adjudicate(annotators(), folder=tmp_path / "kept")
    assert again.gold().spans == review.gold().spans
    again.save()
    assert len(ns.Gold.read(tmp_path / "kept").spans["a"]) == 2
    # What an annotator marked keeps what the annotator said of it.
    again.marks = {"0": [{"kind": "leak", "start": 8, "end": 17, "category": "NAME"}]}
    assert again.gold().spans["a"][0]["subtype"] == "DOCTOR"
    assert "Brown" not in repr(again)


def test_what_cannot_be_adjudicated() -> None:
    anna, ben = annotators().values()
    with pytest.raises(ns.NotesieveError, match="two annotators"):
        Review.adjudicate({"anna": anna})
    with pytest.raises(ns.NotesieveError, match="no note that all"):
        Review.adjudicate({"anna": anna, "cy": ns.Gold({"c": "No fever."})})
    with pytest.raises(ns.NotesieveError, match="not the same text") as problem:
        Review.adjudicate({"ben": ben, "cy": ns.Gold({"a": "Dr. Brown"})})
    assert "Brown" not in str(problem.value)
