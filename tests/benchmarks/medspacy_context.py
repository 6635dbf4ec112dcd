"""medspaCy's ConText on sentences from standard input; `context.py` calls it in an environment that has medspacy."""

from __future__ import annotations

import json
import sys
import time

import spacy
from loguru import logger
from medspacy.context import ConText  # noqa: F401 registers the component
from spacy.util import filter_spans

NAMES = {
    "negated": "is_negated",
    "hypothetical": "is_hypothetical",
    "historical": "is_historical",
    "possible": "is_uncertain",
    "family": "is_family",
}


def main() -> None:
    logger.remove()  # it logs every token
    nlp = spacy.blank("en")
    nlp.add_pipe("medspacy_pyrush")
    context = nlp.add_pipe("medspacy_context")
    asked = json.load(sys.stdin)
    statuses = []
    seconds = 0.0
    for text, places in asked:
        start = time.perf_counter()
        doc = nlp.make_doc(text)
        for name, pipe in nlp.pipeline:
            if name != "medspacy_context":
                doc = pipe(doc)
        spans = [doc.char_span(first, last, label="CONCEPT", alignment_mode="expand") for first, last in places]
        doc.ents = filter_spans([span for span in spans if span is not None])
        context(doc)
        seconds += time.perf_counter() - start
        found = []
        for span in spans:
            over = [
                entity
                for entity in doc.ents
                if span is not None and entity.start < span.end and span.start < entity.end
            ]
            found.append([name for name, theirs in NAMES.items() if any(getattr(one._, theirs) for one in over)])
        statuses.append(found)
    json.dump({"statuses": statuses, "seconds": seconds / max(len(asked), 1)}, sys.stdout)


if __name__ == "__main__":
    main()
