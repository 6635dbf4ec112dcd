"""notesieve as a component of a spaCy pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from notesieve.scrubber import Scrubber
from notesieve.statuses import STATUSES

if TYPE_CHECKING:
    from notesieve._core import ScrubbedNote

# The key of `doc.spans`.
_KEY = "notesieve"


class NotesieveComponent:
    """A spaCy component that annotates each document with the results of notesieve and leaves its text unchanged.

    It sets

    * ``doc.spans["notesieve"]``: what would be removed, labelled with the category (``UNLISTED`` for words that nothing
      vouches for); ``span._.notesieve_kind`` is the kind;
    * ``doc.spans["notesieve_concepts"]``: the medical concepts, labelled with their semantic group;
      ``span._.notesieve_codes`` holds the codes and ``span._.notesieve_status`` the assertion statuses;
    * ``doc._.notesieve``: the `ScrubbedNote`, whose ``text`` is the de-identified text.

    A span covers every spaCy token that is removed or coded in part or as a whole.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber that decides.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> component = nlp.add_pipe("notesieve", config={"policy": "safe"})
    >>> doc = nlp("Seen by Dr. Brown. No asthma.")
    >>> [(span.text, span.label_, span._.notesieve_kind) for span in doc.spans["notesieve"]]
    [('Brown', 'NAME', 'staff')]
    >>> [(span.text, span._.notesieve_status) for span in doc.spans["notesieve_concepts"]]
    [('asthma', ('negated',))]
    >>> doc._.notesieve.text
    'Seen by Dr. [NAME]. No asthma.'
    """

    def __init__(self, scrubber: Scrubber) -> None:
        self.scrubber = scrubber
        extensions = {"notesieve_kind": None, "notesieve_codes": (), "notesieve_status": ()}
        for name, default in extensions.items():
            if not Span.has_extension(name):
                Span.set_extension(name, default=default)
        if not Doc.has_extension(_KEY):
            Doc.set_extension(_KEY, default=None)

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document."""
        return self._annotate(doc, self.scrubber.scrub(doc.text))

    def pipe(self, stream: Any, *, batch_size: int = 256) -> Iterator[Doc]:
        """Annotate many documents, in batches and on all cores."""
        from notesieve.batches import batches

        for docs in batches(iter(stream), batch_size):
            notes = self.scrubber.scrub_many([doc.text for doc in docs])
            yield from (self._annotate(doc, note) for doc, note in zip(docs, notes, strict=True))

    def _annotate(self, doc: Doc, note: ScrubbedNote) -> Doc:
        """Write the results for a note to the spans and attributes of its document."""
        removed, concepts = [], []
        for found in note.removed:
            span = _doc_span(doc, found.start, found.end, found.category)
            span._.notesieve_kind = found.kind
            removed.append(span)
        for concept in note.concepts:
            span = _doc_span(doc, concept.source_start, concept.source_end, concept.group)
            span._.notesieve_codes = tuple(concept.codes)
            span._.notesieve_status = tuple(status for status in STATUSES if getattr(concept, status))
            concepts.append(span)
        doc.spans[_KEY], doc.spans["notesieve_concepts"] = removed, concepts
        doc._.notesieve = note
        return doc

    def to_bytes(self, **_: Any) -> bytes:
        """Return nothing: the configuration of the pipeline holds everything."""
        return b""

    def from_bytes(self, _: bytes, **__: Any) -> NotesieveComponent:
        """Read nothing."""
        return self

    def to_disk(self, _: Any, **__: Any) -> None:
        """Write nothing: the configuration of the pipeline holds everything."""

    def from_disk(self, _: Any, **__: Any) -> NotesieveComponent:
        """Read nothing."""
        return self


def _doc_span(doc: Doc, start: int, end: int, label: str) -> Span:
    return doc.char_span(start, end, label=label, alignment_mode="expand")


@Language.factory(  # type: ignore[untyped-decorator]
    "notesieve",
    default_config={"policy": "safe", "vocabulary": None, "model": None, "key": False},
    assigns=["doc.spans", "doc._.notesieve", "span._.notesieve_kind"],
)
def make_component(
    nlp: Language, name: str, policy: str, vocabulary: str | None, model: str | None, key: bool
) -> NotesieveComponent:
    """Create the component of the entry point: ``nlp.add_pipe("notesieve", config={...})``.

    Parameters
    ----------
    nlp : spacy.language.Language
        The pipeline.
    name : str
        The name of the component in the pipeline.
    policy : str
        A preset or the path of a TOML file.
    vocabulary, model : str or None
        Paths. Default: those inside the package.
    key : bool
        Whether to load the key of ``NOTESIEVE_KEY`` or ``NOTESIEVE_KEY_FILE``, for shifted dates and surrogates.
    """
    from notesieve._core import Key, Vocabulary

    del nlp, name
    opened = None if vocabulary is None else Vocabulary.open(vocabulary)
    return NotesieveComponent(Scrubber(policy, opened, key=Key.load() if key else None, model=model))
