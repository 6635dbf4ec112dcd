"""The published systems on a handful of invented notes: each learns, removes what is plain, and never cuts outside a note."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from published.comparison import markdown_table, measure_system, recall_at
from published.counts import count_words, literature_counts
from published.detectors import Detectors
from published.dictionary import Dictionary, lists_of_near_words, words_one_edit_away
from published.expressions import EXPRESSIONS, expression_matches
from published.figures import (
    REST,
    cosines_to_public_text,
    documentation_paragraphs,
    figures_report,
    log_frequencies,
    normalised_information,
    pointwise_information,
    principal_components,
    sample_public_texts,
    tag_profiles,
)
from published.groups import f_measure, system_variants
from published.groups import groups_table as table_of_groups
from published.hmm import HiddenMarkov
from published.importance import importance_tables as importance_tables
from published.importance import information_gain_of_column, information_gains_by_class, permutation_importance_by_class
from published.local_context import CLASSES, LocalContext, token_features
from published.name_search import NameSearch
from published.notes import Note, draw_notes, parse_marked_note, read_notes, split_by_batch
from published.pathology import Pathology, ProperLessCommon, ProperNames
from published.policies import ConceptMatch, Lists, Rules
from published.public_text import FEATURE_GROUPS, NAMES, PublicText
from published.public_text import features as public_features
from published.reading import labels_of, lists_of, noun_phrases, read_note, tokens_of
from published.redraw import NAME_SOURCES, redraw_notes
from published.reimplementation import compare_kernels, feature_classes, training_sizes
from published.relations import Relations, spelling_features, viterbi
from published.selectional import Selectional, slots_of_candidate
from published.systems import System
from published.tokens import ambiguous_tokens, measure_tokens, precision_recall_f, shares_of_both_classes, token_table
from published.typed import TypedSVM
from published.variants import measure_systems

# TextBlob leaves the files of its tagger open.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")

PEOPLE = ["Quill", "Ostrander", "Marchbanks", "Pell", "Winterbourne", "Abernathy", "Tamsin", "Horvat"]
BODIES = [
    "Seen by Dr. [[NAME/S:{a}]] on [[DATE:{n}/14/2024]] for asthma.\nPlan: albuterol 2 puffs every 4 hours.",
    "Mr. [[NAME/P:{a}]] has chest pain since the morning.\nCall [[CONTACT:617-555-01{n}0]] about the ECG.",
    "[[NAME/P:{a}, {b}]]\nHistory: type 2 diabetes, hypertension. In [[?DATE:2019]] pneumonia, treated at home.",
    "No fever. Lungs clear. BP 128/72. Discussed with [[NAME/S:{b}]], MD; MRN [[ID:44{n}1093]].",
]
NOTES = [
    parse_marked_note(
        f"n{at}", f"B{at % 4}", BODIES[(at // 4) % 4].format(a=PEOPLE[at % 8], b=PEOPLE[(at * 3 + 1) % 8], n=at % 9 + 1)
    )
    for at in range(48)
]
LEARNED: list[type[System]] = [Detectors, HiddenMarkov, Selectional, LocalContext, Relations, TypedSVM, PublicText]
FIXED: list[type[System]] = [
    Lists,
    Rules,
    Dictionary,
    NameSearch,
    ConceptMatch,
    Pathology,
    ProperNames,
    ProperLessCommon,
]


def test_a_batch_is_read_with_its_marks(tmp_path: Path) -> None:
    batch = tmp_path / "T1.txt"
    batch.write_text("=== a-1 | note | US\nSeen by [[NAME/S:Pell]] in [[?DATE:2019]].\n\n=== a-2 | note | US\nWell.\n")
    first, second = read_notes([batch])
    assert (first.doc, first.batch, first.text) == ("a-1", "T1", "Seen by Pell in 2019.\n")
    assert [(mark.start, mark.end, mark.category, mark.required) for mark in first.marks] == [
        (8, 12, "NAME", True),
        (16, 20, "DATE", False),
    ]
    assert second.marks == ()


def test_folds_keep_a_batch_together() -> None:
    for train, test in split_by_batch(NOTES, 4):
        assert not {note.batch for note in train} & {note.batch for note in test}
    assert sum(len(test) for _, test in split_by_batch(NOTES, 4)) == len(NOTES)
    with pytest.raises(SystemExit, match="5 folds need as many batches, and there are 4"):
        split_by_batch(NOTES, 5)


def test_tokens_keep_dates_whole_and_leave_possessives_out() -> None:
    text = "Pell's BP 128/72 on 3/4/06, x@y.org."
    assert [text[start:end] for start, end in tokens_of(text)] == [
        "Pell", "BP", "128/72", "on", "3/4/06", ",", "x@y.org", ".",
    ]  # fmt: skip


def test_a_token_is_optional_where_its_mark_is() -> None:
    note = parse_marked_note("a", "b", "[[NAME/P:Pell]], [[?DATE:2019]].")
    assert labels_of(note, tokens_of(note.text)) == ["NAME", "", None, ""]


def test_no_repr_shows_a_note() -> None:
    assert "Quill" not in repr(NOTES[0])
    assert "Quill" not in repr(read_note(NOTES[0]))


def test_a_reading_has_tags_lemmas_concepts_and_headings() -> None:
    note = Note("r", "b", "Lungs clear.\nPlan: treat asthma.\n\nHome.", ())
    reading = read_note(note)
    at = reading.words.index("asthma")
    assert reading.lemmas[0] == "lung"
    assert "C08" in reading.mesh[at]
    assert "mesh:D001249" in reading.concepts[at]
    assert reading.headings[at] == "plan"
    assert reading.headings[-1] == ""
    assert len(reading.tags) == len(reading.words) == len(reading.spans)


@pytest.mark.parametrize("kind", [*LEARNED, *FIXED])
def test_a_system_removes_a_titled_name_of_another_batch(kind: type[System]) -> None:
    train, _ = split_by_batch(NOTES, 4)[0]
    system = kind()
    system.fit(train)
    text = "Seen by Dr. Horvat on 3/14/2024 for asthma."
    (found,) = system.predict([Note("x", "x", text, ())])
    gone = {at for start, end in found for at in range(start, end)}
    # Lists alone know no titles, and leave what is also a word.
    if kind is not Lists:
        assert set(range(12, 18)) <= gone
    assert all(0 <= start < end <= len(text) for start, end in found)


@pytest.mark.parametrize("kind", LEARNED)
def test_a_learner_leaves_plain_words_and_gives_the_same_twice(kind: type[System]) -> None:
    train, test = split_by_batch(NOTES, 4)[1]
    first, second = kind(), kind()
    first.fit(train)
    second.fit(train)
    assert first.predict(test) == second.predict(test)
    text = "No fever. Lungs clear."
    assert first.predict([Note("y", "y", text, ())]) == [[]]
    assert first.predict([Note("z", "z", "", ())]) == [[]]


def test_every_feature_belongs_to_one_class() -> None:
    for row in token_features(read_note(NOTES[0])):
        for name in row:
            assert sum(name.startswith(starts) for starts in CLASSES.values()) == 1


def test_the_features_of_2013_stand_in_four_groups() -> None:
    assert sorted(at for group in FEATURE_GROUPS.values() for at in group) == list(range(len(NAMES)))
    rows = public_features(NOTES[:2])
    assert rows.shape[1] == len(NAMES)
    words = read_note(NOTES[0]).words
    assert rows[words.index("Dr") + 2, NAMES.index("doctor")] == 1.0
    assert rows[words.index("asthma"), NAMES.index("doctor")] == 0.0
    assert rows[words.index("asthma"), NAMES.index("mesh")] > 0.0


def test_neighbours_of_equal_features_are_of_both_sides() -> None:
    bodies = ["[[NAME/S:Brook]]"] * 150 + ["Brook"] * 150
    system = PublicText(rounds=1)
    system.fit([parse_marked_note(f"n{at}", "B", body) for at, body in enumerate(bodies)])
    # Half of the equal tokens identify, so the filter has no say.
    assert abs(system.scores([Note("x", "x", "Brook", ())])[0]) < 0.1


def test_frequencies_are_with_and_without_part_of_speech_and_of_pairs() -> None:
    counts = count_words(["The patient has asthma.\nPatient well.", "Asthma of the patient, 12/3."])
    assert (counts.words["patient"], counts.pairs["the", "patient"], counts.pairs[".", "patient"]) == (3, 2, 0)
    word, tagged, _, _, before, after = counts.frequencies("patient", "NN", "the", "of")
    assert word == np.log1p(3)
    assert 0.0 < tagged <= word
    assert (before, after) == pytest.approx((np.log1p(2), 0.0))
    # A number counts as its form, so that no count of a table holds one.
    assert counts.words["00/0"] == 1
    assert "patient\tNN\t3" in list(counts.tsv_lines())
    assert literature_counts().words["asthma"] > 0


def test_a_phrase_has_the_categories_of_its_head_at_all_levels() -> None:
    assert list(noun_phrases(["DT", "JJ", "NN", "VBD", "NN", "NN"])) == [(0, 2, 3), (4, 5, 6)]
    reading = read_note(Note("m", "b", "The severe asthma was treated.", ()))
    at = reading.words.index("severe")
    assert {"C08", "C08.127", "C08.127.108"} <= set(reading.mesh[at])
    assert reading.mesh[reading.words.index("treated")] == ()


def test_a_feature_that_separates_has_gain_and_its_exchange_costs() -> None:
    positive = np.arange(100) < 50
    assert information_gain_of_column(np.arange(100), positive) == pytest.approx(1.0)
    assert information_gain_of_column(np.zeros(100), positive) == 0.0
    train, test = split_by_batch(NOTES, 2)[0]
    gains, falls = information_gains_by_class(train), permutation_importance_by_class(train, test)
    assert set(gains) == set(falls) == set(CLASSES)
    assert gains["form"][0] > gains["heading"][0]
    assert max(falls.values()) > 0.0
    assert len(importance_tables(train, test)) == 5 + len(CLASSES) + len(NAMES)


def test_a_table_has_a_line_a_system() -> None:
    divided = split_by_batch(NOTES, 2)
    row, notes, scores = measure_system(lambda _: LocalContext(), divided, with_scores=True)
    assert row.f1 > 0.9
    assert scores is not None
    assert recall_at(notes, scores, 0.5) >= recall_at(notes, scores, 1.0)
    assert LocalContext.name in markdown_table([row]).splitlines()[2]


def test_the_experiments_of_2010_run() -> None:
    train, test = split_by_batch(NOTES, 2)[0]
    assert len(feature_classes(train, test)) == 1 + 2 * len(CLASSES)
    assert [one["what"] for one in compare_kernels(train, test)] == ["linear", "quadratic", "gaussian"]
    assert [one["documents"] for one in training_sizes(train, test, (4, 12))] == [4, 12, len(train)]


def test_each_group_of_2013_is_measured_alone_and_left_out() -> None:
    train, test = split_by_batch(NOTES, 2)[0]
    lines = table_of_groups(train, test)
    assert len(lines) == 2 + len(system_variants()) == 2 + 4 + 2 * len(FEATURE_GROUPS)
    assert PublicText(["known"], rounds=1)._columns == list(FEATURE_GROUPS["known"])
    # Recall counts a hundred times as much as precision.
    assert f_measure(0.5, 1.0) == pytest.approx(101 * 0.5 / 51)
    assert f_measure(1.0, 0.5) < f_measure(0.5, 1.0)


def test_ambiguous_words_are_those_marked_here_and_not_there() -> None:
    wanted = np.array([1, 0, 0, 1, -1])
    chosen = ambiguous_tokens(["pell", "pell", "fever", "horvat", "horvat"], wanted)
    assert chosen.tolist() == [True, True, False, False, False]
    assert precision_recall_f(wanted, np.array([True, True, False, False, True])) == (0.5, 0.5, 0.5)


def test_identifiers_and_the_rest_are_measured_by_token() -> None:
    wanted, found = np.array([1, 1, 0, 0, 0, -1]), np.array([True, False, False, False, True, True])
    assert shares_of_both_classes(wanted, found) == pytest.approx((0.5, 0.5, 0.5, 2 / 3, 2 / 3, 2 / 3))
    note = parse_marked_note("a", "b", "[[NAME/P:Pell]] has fever, [[DATE:3/4/2024]].")
    measured = measure_tokens([note], [[(0, 2), (14, 16), (16, 24)]])
    # Half a name is a name that is left, and a date is neither way where names alone count.
    assert measured["all words"][:3] == (0.5, 0.5, 0.5)
    assert measured["names alone"][1] == 0.0
    assert ".500 / .500 / .500" in token_table([("x", measured)])


def test_every_system_is_measured_on_every_variant() -> None:
    row, *_ = measure_systems(NOTES, 4, [LocalContext])
    assert row.tokens["all words"][2] > 0.9
    assert len(draw_notes(NOTES, 10)) == 10
    for way in NAME_SOURCES:
        notes = redraw_notes(NOTES, way)
        for old, new in zip(NOTES, notes, strict=True):
            assert [mark.category for mark in old.marks] == [mark.category for mark in new.marks]
            dates = [
                [note.text[mark.start : mark.end] for mark in note.marks if mark.category == "DATE"]
                for note in (old, new)
            ]
            assert dates[0] == dates[1]
    unknown = redraw_notes(NOTES, "names in no dictionary")
    drawn = {
        note.text[mark.start : mark.end].lower() for note in unknown for mark in note.marks if mark.category == "NAME"
    }
    assert all(not lists_of(word) for name in drawn for word in name.split(", "))


def test_verbs_and_classes_tell_persons_from_places() -> None:
    people = [f"{name} complained of pain." for name in PEOPLE]
    places = [f"Admitted to {name} today." for name in ("Marlow", "Selby", "Tenby", "Ludlow", "Ripon", "Wells")]
    notes = [
        parse_marked_note(f"p{at}", "B1", f"[[NAME/P:{text.split()[0]}]]{text[len(text.split()[0]) :]}")
        for at, text in enumerate(people)
    ]
    notes += [parse_marked_note(f"q{at}", "B2", text) for at, text in enumerate(places)]
    system = Selectional()
    system.fit(notes)
    texts = ["Kestwyn complained of pain.", "Admitted to Kestwyn today."]
    assert system.predict([Note(text, "x", text, ()) for text in texts]) == [[(0, 7)], []]
    reading = read_note(Note("s", "x", texts[0], ()))
    assert {"subject=complain", "before=start"} <= set(slots_of_candidate(reading, 0, 0, 1))


def test_the_best_assignment_obeys_the_relations() -> None:
    entities = np.array([[0.4, 0.5], [1.0, -1.0]])
    assert viterbi(entities, [None]).tolist() == [1, 0]
    # A relation of the first category with itself outweighs what the first token says.
    assert viterbi(entities, [np.array([[0.5, 0.0], [0.0, 0.0]])]).tolist() == [0, 0]
    assert viterbi(np.zeros((0, 2)), []).tolist() == []
    assert "s=initial" in spelling_features("J", "Jane")
    assert "s=same" in spelling_features("Pell", "PELL")


def test_a_typed_learner_names_the_category() -> None:
    system = TypedSVM()
    system.fit(split_by_batch(NOTES, 4)[0][0])
    kinds = system.kinds([Note("k", "x", "Seen by Dr. Horvat on 3/14/2024 for asthma.", ())])
    assert kinds[4] == "NAME"
    assert kinds[6] == "DATE"
    assert kinds[-2] == ""


def test_a_pathology_report_comes_out_with_tags_and_codes() -> None:
    text = "Patient: QUILL, TAMSIN\nAccession: S04-12345\nMs. Quill has asthma, seen at Lantern Hospital on 3/4/2004.\n"
    coded = Pathology().code(text)
    assert coded.text == (
        "Patient: **PATIENT\nAccession: **NUMBER\nMs. **PATIENT has asthma, seen at **HOSPITAL on **DATE.\n"
    )
    ((start, end, _),) = [one for one in coded.concepts if "mesh:D001249" in one[2]]
    assert coded.text[start:end] == "asthma"
    assert "Quill" not in repr(coded)
    # A common word that is a name stays where it stands on a list of common words, and goes where lists of names decide.
    brown = "The Brown nodule."
    assert ProperLessCommon().predict([Note("b", "x", brown, ())]) == [[]]
    assert ProperNames().predict([Note("b", "x", brown, ())]) == [[(4, 9)]]


def test_a_near_miss_of_a_place_goes_and_of_a_common_word_stays() -> None:
    assert {"chicago", "chicag", "hcicage"} <= words_one_edit_away("chicage")
    assert "city" in lists_of_near_words("chicage")
    assert lists_of_near_words("abdomin") <= {"english", "stop", "clinical", "term", "literature", "brand"}
    text = "Lives in Chicage. Abdomin soft."
    assert Dictionary().predict([Note("d", "x", text, ())]) == [[(9, 16)]]


def test_each_kind_of_identifier_has_its_expressions() -> None:
    text = (
        "Dr. Pell, Mr. Horvat, 93 y/o, 12 Elm Street, Lantern Hospital, S04-12345, 617-555-0110, a@b.org, March 4, 2004"
    )
    assert {kind for kind, _, _ in expression_matches(text)} == set(EXPRESSIONS)


def test_the_tag_that_tells_the_kind_has_all_information() -> None:
    tags, kinds, values = pointwise_information(NOTES)
    assert values.shape == (len(tags), len(kinds))
    assert values[tags.index("NNP"), kinds.index("NAME")] > values[tags.index("NNP"), kinds.index(REST)]
    assert values.min() == -1.0
    assert 0.0 < normalised_information(NOTES) < 1.0


def test_identifiers_are_rarer_and_further_from_public_text() -> None:
    counts = count_words(["Seen for asthma.", "He has chest pain since the morning."])
    found = log_frequencies(NOTES, counts)
    assert len(found["word"]["identifiers"]) == sum(
        len(re.findall("[A-Z][a-z]+", note.text[mark.start : mark.end]))
        for note in NOTES
        for mark in note.marks
        if mark.required
    )
    assert set(found) == {"word", "word with part of speech"}
    assert found["word"]["identifiers"].mean() < found["word"][REST].mean()
    texts = documentation_paragraphs()[:20]
    assert not any(mark in text for text in texts for mark in "`[")
    tags, sides = tag_profiles(NOTES, texts)
    assert sides["public text"].shape == (20, len(tags))
    places, variance = principal_components(sides)
    assert places[REST].shape == (len(NOTES), 2)
    assert variance[0] >= variance[1] > 0.0
    cosine = cosines_to_public_text(sides)
    assert np.median(cosine["identifiers"]) < np.median(cosine["public text"])


def test_public_text_is_read_by_path(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "Well."}\n{"id": 2, "text": "No fever."}\n')
    (tmp_path / "b.txt").write_text("Home.")
    assert sample_public_texts(tmp_path) == ["Well.", "No fever.", "Home."]


def test_the_numbers_of_all_figures_are_told() -> None:
    lines = figures_report(NOTES, documentation_paragraphs()[:10], None)
    assert sum("census names" in line for line in lines) == 2
    assert not any(name in "\n".join(lines) for name in PEOPLE)
