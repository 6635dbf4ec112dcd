"""What a note says of a concept, its group, and short forms of several meanings, as Python sees them."""

import json
import pickle
import tomllib
from pathlib import Path

import pytest

import context
import notesieve as ns
from notesieve.cli import main
from notesieve.statuses import GROUPS, STATUSES, has_status, status_names

TEXT = "No fever. Mother had gout. History of stroke; possible pneumonia. Return if cough. Asthma."
SENTENCES = Path(__file__).parents[2] / "corpus" / "status"


def statuses_by_term(mentions: list[ns.ConceptMention], text: str) -> dict[str, set[str]]:
    return {text[one.start : one.end]: {status for status in STATUSES if getattr(one, status)} for one in mentions}


def test_each_status_is_an_attribute(scrubber: ns.Scrubber) -> None:
    found = statuses_by_term(scrubber.autocode(TEXT), TEXT)
    for term, expected in {
        "fever": {"negated"},
        "gout": {"family"},
        "stroke": {"historical"},
        "pneumonia": {"possible"},
        "cough": {"hypothetical"},
        "Asthma": set(),
    }.items():
        assert found[term] == expected, term


def test_a_scrub_says_the_same_and_a_pickle_keeps_it(scrubber: ns.Scrubber) -> None:
    note = scrubber.scrub(TEXT)
    assert statuses_by_term(note.concepts, note.text) == statuses_by_term(scrubber.autocode(TEXT), TEXT)
    assert pickle.loads(pickle.dumps(note)).concepts == note.concepts
    mention = note.concepts[0]
    assert pickle.loads(pickle.dumps(mention)) == mention
    assert mention.reasons == {"negated": "no"}
    assert "negated" in repr(mention)
    assert note.to_dict()["concepts"][0]["negated"] is True


def test_names_before_a_term_change_nothing(scrubber: ns.Scrubber) -> None:
    note = scrubber.scrub("Mr. Zwilbruck Brown (MRN 1234567) denies fever but has a cough.")
    assert statuses_by_term(note.concepts, note.text)["fever"] == {"negated"}
    assert statuses_by_term(note.concepts, note.text)["cough"] == set()


def test_each_form_of_the_sentences_is_measured() -> None:
    texts = context.read_sentences(SENTENCES / "train" / "sentences-1.toml")
    assert len(texts) + len(context.read_sentences(SENTENCES / "test" / "sentences.toml")) > 600
    table = context.scores_by_status(texts, context.notesieve_statuses(texts))
    assert table["negated"]["f1"] > 0.95


def test_groups_of_concepts(scrubber: ns.Scrubber) -> None:
    text = "Patient with chest pain, appendectomy, pneumonia, aspirin in Boston."
    groups = {text[one.start : one.end]: one.group for one in scrubber.autocode(text)}
    assert groups["pneumonia"] == "disorder"
    assert groups["chest pain"] == "finding"
    assert groups["appendectomy"] == "procedure"
    assert groups["aspirin"] == "drug"
    assert groups["Patient"] == "person"
    assert {one.group for one in scrubber.autocode(text, groups=["drug"])} == {"drug"}
    chosen = ns.Scrubber(ns.Policy(groups=["disorder"])).scrub(text)
    assert [one.group for one in chosen.concepts] == ["disorder"]
    assert chosen.text == scrubber.scrub(text).text
    with pytest.raises(ns.PolicyError, match='no group "disorders"'):
        scrubber.autocode(text, groups=["disorders"])
    assert ns.Vocabulary.default().group("mesh:D011014") == "disorder"
    assert ns.Vocabulary.default().group("mesh:nothing") is None


def test_short_forms_of_several_meanings() -> None:
    # Two letters out of any context: the model would take them for initials.
    scrubber = ns.Scrubber(ns.Policy(ambiguous="never"))
    assert scrubber.autocode("ALT 45, AST 30.")[0].code == "mesh:D000410"
    [unclear] = scrubber.autocode("MS.")
    assert (unclear.ambiguous, unclear.code, unclear.codes, unclear.name) == (True, "", [], "")
    assert scrubber.scrub("MS.").codes == []
    assert scrubber.scrub("MS.").coded_text == scrubber.scrub("MS.").text
    [clear] = scrubber.autocode("Relapsing MS.")
    assert clear.name == "Multiple Sclerosis"


def test_a_site_has_cues_of_its_own() -> None:
    text = "Zilch cough. No fever."
    assert statuses_by_term(ns.Scrubber().autocode(text), text)["cough"] == set()
    policy = ns.Policy(cues=["negated forward: zilch", "pseudo: no"])
    found = statuses_by_term(ns.Scrubber(policy).autocode(text), text)
    assert found == {"cough": {"negated"}, "fever": set()}
    for cues, problem in {
        ("terminate: but", "denial forward: nil"): 'line 2: there is no class of cues "denial forward"',
        ("negated forward: nil", "possible forward item: nil"): "line 2: the cue has another class at line 1",
    }.items():
        with pytest.raises(ns.PolicyError, match=problem):
            ns.Policy(cues=list(cues))


def test_the_command_line_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.txt").write_text("No fever, aspirin.", encoding="utf-8")
    assert main(["autocode", str(tmp_path / "note.txt"), "--groups", "finding"]) == 0
    [concept] = json.loads(capsys.readouterr().out)["concepts"]
    assert (concept["negated"], concept["family"], concept["group"]) == (True, False, "finding")
    assert concept["reasons"] == {"negated": "no"}


def test_a_picture_tells_the_reason(scrubber: ns.Scrubber) -> None:
    note = scrubber.scrub("No fever. Asthma.")
    source = note._repr_html_()
    assert "negated: no" in source
    assert source.count("line-through") == 2  # the term, and the legend
    assert "line-through" not in scrubber.scrub("Asthma.")._repr_html_()


def test_what_a_query_asks_for() -> None:
    assert [status_names(bits) for bits in (0, 1, 17)] == [[], ["negated"], ["negated", "family"]]
    assert has_status(17, "any")
    assert not has_status(17, "negated")
    assert not has_status(17, "family")
    assert has_status(12, "historical")
    assert has_status(12, "possible")
    assert not has_status(12, "affirmed")
    assert len(GROUPS) == 5


def test_the_files_of_sentences_are_well_formed() -> None:
    for path in SENTENCES.glob("t*/sentences*.toml"):
        for kind, all_of in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for sentence in all_of["sentences"]:
                text, mentions = context.strip_marks(sentence)
                assert mentions, (kind, sentence)
                assert "{" not in text
                assert all(of <= set(STATUSES) for _, _, of in mentions)
