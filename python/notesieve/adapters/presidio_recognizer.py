"""notesieve as a recognizer of Presidio."""

from __future__ import annotations

from typing import Any

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult

from notesieve.adapters.labels import CATEGORIES
from notesieve.scrubber import Scrubber
from notesieve.tracebacks import keep_texts_out_of_tracebacks

# The entity names that Presidio's analyzer and anonymizer use.
_ENTITIES = {
    "NAME": "PERSON",
    "DATE": "DATE_TIME",
    "AGE": "AGE",
    "LOCATION": "LOCATION",
    "CONTACT": "CONTACT",
    "ID": "ID",
}
_KINDS = {
    "hospital": "ORGANIZATION",
    "organisation": "ORGANIZATION",
    "phone": "PHONE_NUMBER",
    "fax": "PHONE_NUMBER",
    "pager": "PHONE_NUMBER",
    "email": "EMAIL_ADDRESS",
    "url": "URL",
    "network": "IP_ADDRESS",
    "ssn": "US_SSN",
}
_UNLISTED = "UNLISTED"


@keep_texts_out_of_tracebacks
class NotesieveRecognizer(EntityRecognizer):  # type: ignore[misc]
    """A recognizer that reports what notesieve would remove.

    Parameters
    ----------
    scrubber : Scrubber, optional
        The scrubber that decides. Default: ``Scrubber()``.
    unlisted : bool, optional
        Whether to report words that nothing vouches for too, as ``UNLISTED``. Without them the recognizer reports only
        recognised PHI, and the default deny of notesieve is lost.
    score : float, optional
        The score of every result, 0 to 1.

    Examples
    --------
    >>> from notesieve.adapters import NotesieveRecognizer
    >>> [found] = NotesieveRecognizer().analyze("Seen by Dr. Brown.", ["PERSON"])
    >>> found.entity_type, found.start, found.end
    ('PERSON', 12, 17)
    """

    def __init__(self, scrubber: Scrubber | None = None, *, unlisted: bool = True, score: float = 0.85) -> None:
        self.scrubber = Scrubber() if scrubber is None else scrubber
        self.score = score
        entities = list(dict.fromkeys([*_ENTITIES.values(), *_KINDS.values(), *([_UNLISTED] * unlisted)]))
        super().__init__(supported_entities=entities, name="notesieve", supported_language="en")

    def load(self) -> None:
        """Do nothing: the scrubber is ready."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> list[RecognizerResult]:
        """Find the spans of a text that would be removed.

        Parameters
        ----------
        text : str
            The text.
        entities : list of str
            The entities to report.
        nlp_artifacts : presidio_analyzer.nlp_engine.NlpArtifacts, optional
            Not used.

        Returns
        -------
        list of presidio_analyzer.RecognizerResult
            The spans in code points.
        """
        del nlp_artifacts
        found = []
        for removed in self.scrubber.scrub(text).removed:
            entity = _presidio_entity(removed.kind, removed.category)
            if entity in entities and entity in self.supported_entities:
                why = AnalysisExplanation(self.name, self.score, textual_explanation=str(removed.kind or _UNLISTED))
                found.append(RecognizerResult(entity, removed.start, removed.end, self.score, why))
        return found


def _presidio_entity(kind: str | None, category: str) -> str:
    """Return the Presidio entity of a kind or a category of PHI."""
    if category not in CATEGORIES:
        return _UNLISTED
    return _KINDS.get(kind or "", _ENTITIES[category])
