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
    GoldError,
    NoteError,
    NotesieveError,
    NoteTypeError,
    PolicyError,
    SourceError,
    VocabularyError,
)
from notesieve.scrubber import Scrubber

__all__ = [
    "BatchError",
    "Concept",
    "ConceptMention",
    "Decision",
    "FileError",
    "Finding",
    "GoldError",
    "NoteError",
    "NoteTypeError",
    "NotesieveError",
    "Policy",
    "PolicyError",
    "Removal",
    "ScrubbedBatch",
    "ScrubbedNote",
    "Scrubber",
    "SourceError",
    "Vocabulary",
    "VocabularyError",
    "__version__",
]
