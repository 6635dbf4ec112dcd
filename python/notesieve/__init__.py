"""De-identify clinical notes by letting through only what is known to be safe.

>>> import notesieve as ns
>>> scrubber = ns.Scrubber()
>>> note = scrubber.scrub("Mr. Brown has diabetes mellitus. Seen on 3/4/2006.")
>>> note.text
'Mr. [NAME] has diabetes mellitus. Seen on [DATE].'
>>> note.concepts[0].code
'mesh:D003920'
"""

from notesieve._core import (
    Concept,
    ConceptMention,
    Decision,
    Finding,
    Key,
    Patient,
    Policy,
    Removal,
    ScrubbedBatch,
    ScrubbedNote,
    Vocabulary,
    __version__,
)
from notesieve.errors import (
    BatchError,
    FileError,
    FrameError,
    GoldError,
    NoteError,
    NotesieveError,
    NoteTypeError,
    PatientError,
    PolicyError,
    RowError,
    SecretKeyError,
    SettingError,
    SourceError,
    VerifyError,
    VocabularyError,
)
from notesieve.evaluation import Evaluation, compare, evaluate
from notesieve.gold import Gold
from notesieve.readers import Agreement, agreement, draw_sample, judge_sample, sample_size
from notesieve.scrubber import Scrubber
from notesieve.verification import VerifiedToken, verify

__all__ = [
    "Agreement",
    "BatchError",
    "Concept",
    "ConceptMention",
    "Decision",
    "Evaluation",
    "FileError",
    "Finding",
    "FrameError",
    "Gold",
    "GoldError",
    "Key",
    "NoteError",
    "NoteTypeError",
    "NotesieveError",
    "Patient",
    "PatientError",
    "Policy",
    "PolicyError",
    "Removal",
    "RowError",
    "ScrubbedBatch",
    "ScrubbedNote",
    "Scrubber",
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
    "draw_sample",
    "evaluate",
    "judge_sample",
    "sample_size",
    "verify",
]
