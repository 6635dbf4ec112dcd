"""Features as arrays, training on one's own notes, and the choice of what to mark next."""

import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import notesieve as ns
from notesieve.cli import main
from notesieve.errors import NotesieveError
from notesieve.learning import Training, features, importance, suggest, train
from notesieve.learning.gain import information_gain

NAMES = (
    "rose grant page early banks love summer case hunter brown reed field stone marsh wood lake hill bush moss fern"
).split()


def note_with_name(name: str, at: int) -> str:
    return f"d/w {name} re plan for day {at % 9 + 1}. slept well, pain ok.\nlabs ok, cont. lasix 40 mg.\n"


def gold_with_names(names: list[str], write: Callable[[str, int], str] = note_with_name) -> ns.Gold:
    notes, spans = {}, {}
    for at, name in enumerate(names):
        text = write(name, at)
        notes[f"n{at:03}"] = text
        start = text.index(name)
        spans[f"n{at:03}"] = [{"start": start, "end": start + len(name), "category": "NAME"}]
    return ns.Gold(notes, spans)


@pytest.fixture(scope="module")
def gold() -> ns.Gold:
    return gold_with_names(NAMES)


@pytest.fixture(scope="module")
def training(gold: ns.Gold) -> Training:
    return train(gold, folds=4)


def test_features_are_rows_of_tokens_with_labels(gold: ns.Gold) -> None:
    found = features(ns.Scrubber(), gold)
    texts = list(gold.notes.values())
    assert found.shape == (len(found.indptr) - 1, len(found.hashes)) == (len(found.score), len(found.names))
    assert found.indptr[-1] == len(found.indices) == len(found.data)
    for row, (at, start, end) in enumerate(zip(found.note, found.start, found.end, strict=True)):
        word = texts[at][start:end]
        assert (found.label[row] == 1) == (word == NAMES[at])
        columns = found.indices[found.indptr[row] : found.indptr[row + 1]]
        assert (np.diff(columns) > 0).all()


def test_features_are_the_same_whatever_the_threads(gold: ns.Gold) -> None:
    one, three = (features(ns.Scrubber(), gold, threads=threads) for threads in (1, 3))
    for name in ("indptr", "indices", "label", "score", "hashes", "kinds", "note", "start", "end"):
        assert np.array_equal(getattr(one, name), getattr(three, name))


def test_offsets_of_features_are_code_points() -> None:
    text = "Zoë 😀 fièvre. Dr. Quill"
    gold = ns.Gold({"a": text}, {"a": [{"start": 18, "end": 23, "category": "NAME"}]})
    found = features(ns.Scrubber(), gold)
    assert [text[s:e] for s, e in zip(found.start, found.end, strict=True)] == ["Zoë", "fièvre", "Dr", "Quill"]
    assert found.label.tolist() == [0, 0, 0, 1]


def test_rare_features_can_be_left_out(gold: ns.Gold) -> None:
    everything, common = features(ns.Scrubber(), gold), features(ns.Scrubber(), gold, min_documents=3)
    assert common.shape[0] == everything.shape[0]
    assert 0 < common.shape[1] < everything.shape[1]


def test_scipy_and_scikit_learn_take_features(gold: ns.Gold) -> None:
    found = features(ns.Scrubber(), gold)
    matrix = found.to_scipy()
    assert matrix.shape == found.shape
    assert matrix.has_canonical_format
    model = LogisticRegression().fit(matrix, found.label)
    assert model.score(matrix, found.label) == 1


def test_the_kind_of_feature_that_separates_tells_most(gold: ns.Gold) -> None:
    found = importance(features(ns.Scrubber(), gold))
    assert found == sorted(found, key=lambda one: (-one.gain, one.kind))
    gains = {one.kind: one.gain for one in found}
    # No name comes twice, and all stand between the same words.
    assert found[0].gain == gains["the words on both sides"] > 4 * gains["the word itself"]
    # A feature of all that identifies and of nothing else tells everything; one of every other token nothing.
    assert information_gain(np.array([2, 4]), np.array([2, 2]), 8, 4).tolist() == pytest.approx([0.3113, 0.0], abs=1e-4)
    assert information_gain(np.array([4]), np.array([4]), 8, 4).tolist() == [1.0]


def test_texts_without_marks_have_no_importance() -> None:
    with pytest.raises(NotesieveError, match="features of a gold standard"):
        importance(features(ns.Scrubber(), ["Seen by Dr. Quill."]))


def test_without_scipy_the_extra_is_named(gold: ns.Gold, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(ns.NotesieveError, match=r"notesieve\[learning\]"):
        features(ns.Scrubber(), gold).to_scipy()


def test_training_finds_what_the_site_writes(training: Training) -> None:
    unseen = [note_with_name(name, 3) for name in ("rivers", "long", "young")]
    after = [text for text in ns.Scrubber(model=training.model).scrub_many(unseen).texts if "[NAME]" in text]
    assert len(after) == 3
    assert all("labs ok, cont. lasix 40 mg." in text for text in after)


def test_training_tells_what_got_better(training: Training) -> None:
    assert training.before is not None
    assert training.after is not None
    assert training.after["token"]["recall"] > training.before["token"]["recall"]
    (row,) = training.changes()
    assert row["leaks_after"] < row["leaks_before"]
    assert "NAME" in training.summary()
    assert training.strictness is not None
    kept = [found["retained_nonphi"]["value"] for found in (training.before, training.after)]
    assert training.strictness >= ns.Policy("safe").strictness
    assert kept[1] <= kept[0] or training.strictness > 8 * ns.Policy("safe").strictness


def test_training_is_the_same_whatever_the_threads(gold: ns.Gold, training: Training) -> None:
    for threads in (1, 3):
        assert train(gold, folds=0, threads=threads).model == training.model


def test_training_measures_at_one_strictness(gold: ns.Gold) -> None:
    for policy in (ns.Policy(strictness={"name": 40}), ns.Policy(sections={"plan": {"strictness": 40}})):
        with pytest.raises(ns.SettingError, match="at one strictness"):
            train(gold, scrubber=ns.Scrubber(policy), folds=4)


def test_a_model_from_nothing(gold: ns.Gold) -> None:
    model = train(gold, folds=0, from_scratch=True).model
    assert model.provenance["adapted_from"] is None
    assert "[NAME]" in ns.Scrubber(model=model).scrub(note_with_name("west", 3)).text


@pytest.mark.parametrize("from_scratch", [False, True])
def test_words_of_fewer_than_five_notes_leave_no_trace(from_scratch: bool) -> None:
    def model_with_canary(canary: str, documents: int) -> ns.Model:
        gold = gold_with_names([canary] * documents + NAMES[: 20 - documents])
        # Marked as what nobody expects there: what is judged right already moves no weight.
        for doc in list(gold.spans)[:documents]:
            gold.spans[doc][0]["category"] = "ID"
        return train(gold, folds=0, from_scratch=from_scratch).model

    canaries = "zorvexik", "qualvimb"
    assert all(not ns.Vocabulary.default().lists(word) for word in canaries)
    one, other = (model_with_canary(word, 4) for word in canaries)
    assert one.digest == other.digest
    one, other = (model_with_canary(word, 12) for word in canaries)
    assert one.digest != other.digest


def test_a_model_of_memory_is_pickled_and_saved(training: Training, tmp_path: Path) -> None:
    model = training.model
    assert pickle.loads(pickle.dumps(model)) == model
    training.save(tmp_path / "site.model")
    opened = ns.Model.open(tmp_path / "site.model")
    assert opened == model
    opened.save(tmp_path / "site.model")
    assert ns.Model.open(tmp_path / "site.model") == model
    assert model.provenance["adapted_from"] == ns.Model.default().digest
    assert pickle.loads(pickle.dumps(ns.Scrubber(model=model))).model == model


def test_bad_marks_cost_their_document(gold: ns.Gold) -> None:
    notes = gold.notes | {"far": "No fever.", "over": "Dr. Quill May", "kind": "Dr. Quill"}
    spans = gold.spans | {
        "far": [{"start": 3, "end": 99, "category": "NAME"}],
        "over": [{"start": 4, "end": 13, "category": "NAME"}, {"start": 10, "end": 13, "category": "DATE"}],
        "kind": [{"start": 4, "end": 9, "category": "PHYSIQUE"}],
    }
    found = train(ns.Gold(notes, spans), folds=0)
    assert {row["doc"] for row in found.problems} == {"far", "over", "kind"}
    assert found.notes == len(gold) + 1
    assert "Quill" not in json.dumps(found.problems)


def test_nothing_to_learn_from_is_reported() -> None:
    with pytest.raises(ns.GoldError, match="no note to learn from"):
        train(ns.Gold({"a": "x"}, {"a": [{"start": 0, "end": 9, "category": "NAME"}]}))
    with pytest.raises(ns.SettingError, match="folds=5"):
        train(gold_with_names(NAMES[:3]))


def test_hardly_any_marks_are_refused_or_warned_of(
    gold: ns.Gold, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    may_stay = {doc: [{**span, "hipaa": False} for span in spans] for doc, spans in gold.spans.items()}
    for nothing in ({}, may_stay):
        with pytest.raises(ns.GoldError, match=r"nothing that identifies is marked in these notes \(20\)"):
            train(ns.Gold(gold.notes, nothing), folds=0)
    with pytest.warns(UserWarning, match="only 20 of 20 notes have a mark .* 50 or more are recommended") as told:
        train(gold, folds=0)
    assert told[0].filename == __file__
    few = ns.Gold(gold.notes, {doc: gold.spans[doc] for doc in list(gold.notes)[:9]})
    with pytest.warns(UserWarning, match="only 9 of 20 notes .* leave them out if nobody has read them"):
        train(few, folds=0)
    few.write(tmp_path / "gold")
    assert main(["train", str(tmp_path / "gold"), "-o", str(tmp_path / "m"), "--folds", "0", "--quiet"]) == 0
    assert capsys.readouterr().err.startswith("notesieve: only 9 of 20 notes have a mark")


def test_what_belongs_together_is_left_out_together(gold: ns.Gold) -> None:
    with pytest.raises(ns.SettingError, match="groups of notes"):
        train(gold, folds=3, by=dict.fromkeys(gold.notes, "one ward"))


def test_the_command_line_trains_and_takes_the_model(
    gold: ns.Gold, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold.write(tmp_path / "gold")
    model = tmp_path / "site.model"
    assert main(["train", str(tmp_path / "gold"), "-o", str(model), "--folds", "3", "--quiet"]) == 0
    (tmp_path / "note.txt").write_text(note_with_name("west", 3), encoding="utf-8")
    capsys.readouterr()
    assert main(["scrub", str(tmp_path / "note.txt"), "--model", str(model)]) == 0
    assert "d/w [NAME] re plan" in capsys.readouterr().out
    assert main(["evaluate", str(tmp_path / "gold"), "--model", str(model), "--draws", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["token"]["recall"] > 0.9


def test_suggestions_are_unsure_and_unlike_each_other() -> None:
    sure = ["BP 128/72. No fever."] * 5
    unsure = ["d/w zorvex re goals", "d/w zorvex re goals", "Seen at Quillby w/ marn in bay 4, Ozorn called"]
    chosen = suggest(sure + unsure, 2)
    assert max(chosen) == 7
    assert len({at for at in chosen if at >= 5}) == 2
    assert set(chosen) != {5, 6}
    assert 5 not in suggest(sure + unsure, 1, marked=unsure[:1])
    assert suggest([], 3) == []
    with pytest.raises(ns.SettingError, match="n=0"):
        suggest(sure, 0)
