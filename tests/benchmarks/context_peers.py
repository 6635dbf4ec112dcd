"""Assertion status by medspaCy or negspaCy, for `context.py`: texts from standard input, statuses to standard output.

    python tests/benchmarks/context_peers.py medspacy|negspacy < TEXTS.json

It runs in an environment that has both packages, and receives the positions of the concepts.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import spacy
from loguru import logger
from medspacy.context import ConText  # noqa: F401 registers the component
from negspacy.negation import Negex  # noqa: F401 registers the component
from negspacy.termsets import termset
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import filter_spans

CONTEXT_ATTRIBUTES = {
    "negated": "is_negated",
    "hypothetical": "is_hypothetical",
    "historical": "is_historical",
    "possible": "is_uncertain",
    "family": "is_family",
}


def medspacy() -> tuple[Language, Callable[[Doc], Doc], dict[str, str]]:
    """Return a pipeline with medspaCy's sentence splitter, its ConText, and its attributes by status."""
    nlp = spacy.blank("en")
    nlp.add_pipe("medspacy_pyrush")
    context = nlp.create_pipe("medspacy_context")
    return nlp, context, CONTEXT_ATTRIBUTES


def negspacy() -> tuple[Language, Callable[[Doc], Doc], dict[str, str]]:
    """Return a pipeline with spaCy's sentence splitter, negspaCy with its clinical terms, and its attribute."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    negex = nlp.create_pipe("negex", config={"neg_termset": termset("en_clinical").get_patterns()})
    return nlp, negex, {"negated": "negex"}


PEERS = {"medspacy": medspacy, "negspacy": negspacy}


def main() -> None:
    logger.remove()  # medspaCy logs every token
    nlp, judge, attributes = PEERS[sys.argv[1]]()
    asked = json.load(sys.stdin)
    statuses = []
    seconds = 0.0
    for text, places in asked:
        start = time.perf_counter()
        doc = nlp(text)
        spans = [doc.char_span(first, last, label="CONCEPT", alignment_mode="expand") for first, last in places]
        doc.ents = filter_spans([span for span in spans if span is not None])
        judge(doc)
        seconds += time.perf_counter() - start
        statuses.append([_statuses_of(span, doc, attributes) for span in spans])
    json.dump({"statuses": statuses, "seconds": seconds / max(len(asked), 1)}, sys.stdout)


def _statuses_of(span: Span | None, doc: Doc, attributes: dict[str, str]) -> list[str]:
    over = [entity for entity in doc.ents if span is not None and entity.start < span.end and span.start < entity.end]
    return [status for status, attribute in attributes.items() if any(getattr(one._, attribute) for one in over)]


if __name__ == "__main__":
    main()
