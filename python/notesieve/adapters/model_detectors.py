"""Models of other libraries as detectors for `notesieve.Scrubber`: each takes texts and returns spans with kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from notesieve.adapters.labels import PRESIDIO_KINDS, SPACY_KINDS, TRANSFORMERS_KINDS, check_labels, plain_label

# Start, end, kind, certainty; the source is the name of the detector.
Found: TypeAlias = tuple[int, int, str, str]


class SpacyDetector:
    """A spaCy pipeline as a detector: the entities of each text whose label is mapped.

    Parameters
    ----------
    nlp : spacy.language.Language
        The pipeline, which sets ``doc.ents``.
    labels : mapping of str to str, optional
        The kind or category of PHI of each label; entities of other labels are ignored. Default: `SPACY_KINDS`.
    certainty : {"weak", "likely", "sure"}, optional
        The certainty of all findings: spaCy returns no score. A weak finding is outweighed by a medical term of several
        words.
    batch_size : int, optional
        The batch size of the pipeline. Default: that of the pipeline itself.
    name : str, optional
        The source name of its findings in results.

    Raises
    ------
    SettingError
        If a label maps to an unknown kind or category.

    Examples
    --------
    >>> import notesieve as ns, spacy
    >>> from notesieve.adapters import SpacyDetector
    >>> nlp = spacy.blank("en")
    >>> nlp.add_pipe("entity_ruler").add_patterns([{"label": "ORG", "pattern": "The Blue Door"}])
    >>> scrubber = ns.Scrubber(detectors=[SpacyDetector(nlp)])
    >>> scrubber.scrub("She works at The Blue Door.").text
    'She works at [LOCATION].'
    """

    def __init__(
        self,
        nlp: Any,
        labels: Mapping[str, str] = SPACY_KINDS,
        *,
        certainty: str = "weak",
        batch_size: int | None = None,
        name: str = "spacy",
    ) -> None:
        self.nlp, self.labels, self.certainty = nlp, check_labels(labels), certainty
        self.batch_size, self.name = batch_size, name

    def __call__(self, texts: Sequence[str]) -> Iterator[list[Found]]:
        """Find the entities of each text."""
        for doc in self.nlp.pipe(texts, batch_size=self.batch_size):
            yield [
                (entity.start_char, entity.end_char, self.labels[entity.label_], self.certainty)
                for entity in doc.ents
                if entity.label_ in self.labels
            ]


class TransformersDetector:
    """A token-classification pipeline of transformers as a detector.

    Parameters
    ----------
    pipeline : transformers.TokenClassificationPipeline
        The pipeline. With ``aggregation_strategy="simple"`` (or another except ``"none"``) it returns whole entities.
        The pipeline itself must split texts that are too long for its model (its option ``stride``).
    labels : mapping of str to str, optional
        The kind or category of PHI of each label, without a prefix such as ``B-``; other labels are ignored. Default:
        `TRANSFORMERS_KINDS`.
    scores : tuple of (float, float, float), optional
        The minimum score, 0 to 1, of a weak, a likely and a sure finding; lower scores are ignored.
    batch_size : int, optional
        The batch size of the pipeline.
    name : str, optional
        The source name of its findings in results.

    Raises
    ------
    SettingError
        If a label maps to an unknown kind or category.

    Examples
    --------
    >>> import notesieve as ns
    >>> from notesieve.adapters import TransformersDetector
    >>> def pipeline(texts, batch_size):  # as transformers.pipeline("token-classification", ...) answers
    ...     return [[{"entity_group": "PATIENT", "score": 0.99, "word": "olive", "start": 0, "end": 5}] for _ in texts]
    >>> ns.Scrubber(detectors=[TransformersDetector(pipeline)]).scrub("olive slept well.").text
    '[NAME] slept well.'
    """

    def __init__(
        self,
        pipeline: Any,
        labels: Mapping[str, str] = TRANSFORMERS_KINDS,
        *,
        scores: tuple[float, float, float] = (0.0, 0.5, 0.95),
        batch_size: int = 8,
        name: str = "transformers",
    ) -> None:
        self.pipeline, self.labels, self.scores = pipeline, check_labels(labels), scores
        self.batch_size, self.name = batch_size, name

    def __call__(self, texts: Sequence[str]) -> Iterator[list[Found]]:
        """Find the entities of each text."""
        full = [text for text in texts if text.strip()]  # some tokenizers fail on an empty text
        found = iter(self.pipeline(full, batch_size=self.batch_size) if full else ())
        for text in texts:
            entities = next(found) if text.strip() else ()
            yield list(self._findings_of_entities(entities))

    def _findings_of_entities(self, entities: Iterable[Mapping[str, Any]]) -> Iterator[Found]:
        """Yield start, end, kind and certainty of the entities whose label is mapped."""
        for entity in entities:
            kind = self.labels.get(plain_label(entity.get("entity_group") or entity.get("entity") or ""))
            certainty = _certainty_of_score(float(entity["score"]), self.scores)
            if kind and certainty and entity["start"] is not None:
                yield int(entity["start"]), int(entity["end"]), kind, certainty


class PresidioDetector:
    """Presidio's analyzer as a detector.

    Parameters
    ----------
    analyzer : presidio_analyzer.AnalyzerEngine
        The analyzer.
    labels : mapping of str to str, optional
        The kind or category of PHI of each entity; only these entities are searched for. Default: `PRESIDIO_KINDS`.
    scores : tuple of (float, float, float), optional
        The minimum score, 0 to 1, of a weak, a likely and a sure finding; lower scores are ignored.
    language : str, optional
        The language of the texts.
    batch_size : int, optional
        The batch size of the analyzer.
    name : str, optional
        The source name of its findings in results.

    Raises
    ------
    SettingError
        If a label maps to an unknown kind or category.
    """

    def __init__(
        self,
        analyzer: Any,
        labels: Mapping[str, str] = PRESIDIO_KINDS,
        *,
        scores: tuple[float, float, float] = (0.3, 0.6, 0.95),
        language: str = "en",
        batch_size: int = 32,
        name: str = "presidio",
    ) -> None:
        self.analyzer, self.labels, self.scores = analyzer, check_labels(labels), scores
        self.language, self.batch_size, self.name = language, batch_size, name

    def __call__(self, texts: Sequence[str]) -> Iterator[list[Found]]:
        """Find the entities of each text."""
        from presidio_analyzer import BatchAnalyzerEngine

        supported = set(self.analyzer.get_supported_entities(self.language))
        results = BatchAnalyzerEngine(self.analyzer).analyze_iterator(
            list(texts),
            self.language,
            batch_size=self.batch_size,
            entities=[label for label in self.labels if label in supported],
        )
        for found in results:
            yield [
                (one.start, one.end, self.labels[one.entity_type], certainty)
                for one in found
                if (certainty := _certainty_of_score(one.score, self.scores))
            ]


def _certainty_of_score(score: float, scores: tuple[float, float, float]) -> str:
    """Return the certainty of a score; the empty string if it is below the lowest threshold."""
    weak, likely, sure = scores
    return "sure" if score >= sure else "likely" if score >= likely else "weak" if score >= weak else ""
