"""De-identify clinical notes by letting through only what is known to be safe.

>>> import notesieve as ns
>>> scrubber = ns.Scrubber()
>>> note = scrubber.scrub("Mr. Brown has diabetes mellitus. Seen on 3/4/2006.")
>>> note.text
'Mr. [NAME] has diabetes mellitus. Seen on [DATE].'
>>> note.concepts[0].code
'mesh:D003920'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from notesieve._core import (
    Concept,
    ConceptMention,
    Decision,
    Finding,
    Key,
    Model,
    Patient,
    Policy,
    Removal,
    ScrubbedBatch,
    ScrubbedNote,
    Vocabulary,
    __version__,
)
from notesieve.errors import (
    AmbiguousNameError,
    BatchError,
    CodeError,
    DisclosureError,
    FetchError,
    FileError,
    FrameError,
    GoldError,
    IndexRowError,
    ModelError,
    NoteError,
    NotesieveError,
    NoteTypeError,
    PatientError,
    PatientTypeError,
    PolicyError,
    QueryError,
    RowError,
    SearchIndexError,
    SecretKeyError,
    SettingError,
    SourceError,
    VerifyError,
    VocabularyError,
)
from notesieve.rules import Rule, rules
from notesieve.scrubber import Scrubber

if TYPE_CHECKING:
    from notesieve import evidence, learning, omop, vocabularies
    from notesieve.display.note_views import show
    from notesieve.display.overview import Overview, overview
    from notesieve.evaluation.altered_text import removed_spans
    from notesieve.evaluation.annotator_agreement import Agreement, agreement, draw_sample, judge_sample, sample_size
    from notesieve.evaluation.further_scores import corpus_statistics
    from notesieve.evaluation.gold import Gold
    from notesieve.evaluation.scores import Evaluation, compare, evaluate
    from notesieve.filling import FilledNote, fill
    from notesieve.index import CountsOnly, Index
    from notesieve.messages import ScrubbedMessage
    from notesieve.verification.checker import VerifiedToken, verify

__all__ = [
    "Agreement",
    "AmbiguousNameError",
    "BatchError",
    "CodeError",
    "Concept",
    "ConceptMention",
    "CountsOnly",
    "Decision",
    "DisclosureError",
    "Evaluation",
    "FetchError",
    "FileError",
    "FilledNote",
    "Finding",
    "FrameError",
    "Gold",
    "GoldError",
    "Index",
    "IndexRowError",
    "Key",
    "Model",
    "ModelError",
    "NoteError",
    "NoteTypeError",
    "NotesieveError",
    "Overview",
    "Patient",
    "PatientError",
    "PatientTypeError",
    "Policy",
    "PolicyError",
    "QueryError",
    "Removal",
    "RowError",
    "Rule",
    "ScrubbedBatch",
    "ScrubbedMessage",
    "ScrubbedNote",
    "Scrubber",
    "SearchIndexError",
    "SecretKeyError",
    "SettingError",
    "SourceError",
    "VerifiedToken",
    "VerifyError",
    "Vocabulary",
    "VocabularyError",
    "__version__",
    "agreement",
    "compare",
    "corpus_statistics",
    "draw_sample",
    "evaluate",
    "evidence",
    "fill",
    "judge_sample",
    "learning",
    "omop",
    "overview",
    "removed_spans",
    "rules",
    "sample_size",
    "show",
    "verify",
    "vocabularies",
]


# Imported on first access, so that a script that only scrubs does not pay for the rest.
_MODULES = ("display", "evaluation", "evidence", "files", "index", "learning", "omop", "verification", "vocabularies")
_NAMES_BY_MODULE = {
    "display.note_views": ("show",),
    "display.overview": ("Overview", "overview"),
    "evaluation.altered_text": ("removed_spans",),
    "evaluation.further_scores": ("corpus_statistics",),
    "evaluation.gold": ("Gold",),
    "evaluation.annotator_agreement": ("Agreement", "agreement", "draw_sample", "judge_sample", "sample_size"),
    "evaluation.scores": ("Evaluation", "compare", "evaluate"),
    "filling": ("FilledNote", "fill"),
    "index": ("CountsOnly", "Index"),
    "messages": ("ScrubbedMessage",),
    "verification.checker": ("VerifiedToken", "verify"),
}
_MODULE_BY_NAME = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _MODULE_BY_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_MODULE_BY_NAME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
