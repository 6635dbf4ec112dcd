"""Rows of NOTE_NLP: one per standard concept of each mention."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from notesieve.omop.cdm import NOTE_NLP
from notesieve.omop.sections import sections

if TYPE_CHECKING:
    import datetime as dt

    from notesieve._core import ConceptMention, ScrubbedNote, Vocabulary
    from notesieve.choices import Group
    from notesieve.omop.athena import Concepts

_SNIPPET = 250
_SNIPPET_CONTEXT = 100


class NlpRows:
    """Collects rows of NOTE_NLP.

    Parameters
    ----------
    vocabulary : Vocabulary
        The vocabulary, which says which codes of other systems are equivalent.
    concepts : Concepts, optional
        The concept ids of codes.
    groups : sequence of str, optional
        The semantic groups of the mentions to include; None for all.
    system : str
        The value of ``nlp_system``.
    processed : datetime
        The value of ``nlp_datetime``.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        concepts: Concepts | None,
        groups: Sequence[Group] | None,
        system: str,
        processed: dt.datetime,
    ) -> None:
        self.vocabulary, self.concepts = vocabulary, concepts
        self.groups = None if groups is None else frozenset(groups)
        self.always = (system, processed.date(), processed)
        self.last_id = 0
        self.rows: list[tuple[Any, ...]] = []
        self._found: dict[tuple[str, ...], tuple[int, tuple[int, ...]]] = {}

    def add(self, note_id: int, note: ScrubbedNote) -> None:
        """Add the mentions of a note; all texts come from the scrubbed note."""
        text = note.text
        begins = sections(text)
        starts = [start for start, _ in begins]
        for mention in note.concepts:
            if self.groups is not None and mention.group not in self.groups:
                continue
            place = bisect_right(starts, mention.start)
            code = begins[place - 1][1] if place else ""
            source, standards = self._concepts_of_mention(tuple(mention.codes))
            exists = not (mention.negated or mention.family or mention.hypothetical)
            for standard in standards or (0,):
                self.last_id += 1
                row = (
                    self.last_id, note_id, self._concepts_of_mention((f"loinc:{code}",))[0] if code else 0,
                    snippet_of(text, mention.start, mention.end), str(mention.start), text[mention.start : mention.end],
                    standard, source, *self.always, "Y" if exists else "N",
                    "Past" if mention.historical else "Present", term_modifiers(mention),
                )  # fmt: skip
                self.rows.append(row)

    def take_columns(self) -> dict[str, list[Any]]:
        """Return the collected rows by column and start anew; ids continue."""
        columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in NOTE_NLP)
        taken = {field.name: list(column) for field, column in zip(NOTE_NLP, columns, strict=True)}
        self.rows = []
        return taken

    def _concepts_of_mention(self, codes: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
        """Look up the codes of a mention, followed by the codes that their sources declare equivalent."""
        if self.concepts is None:
            return 0, ()
        if codes not in self._found:
            concepts = [self.vocabulary.concept(code) for code in codes]
            same = [other for concept in concepts if concept is not None for other in concept.same_as]
            self._found[codes] = self.concepts.concepts_of_codes([*codes, *same])
        return self._found[codes]


def term_modifiers(mention: ConceptMention) -> str:
    """Return the assertion status of a mention in the words of the model, so that it can be parsed again.

    Examples
    --------
    >>> import notesieve as ns
    >>> term_modifiers(ns.Scrubber().autocode("Mother denies fever.")[-1])
    'Negation=true,Subject=patient,Conditional=false,Uncertain=false,History=false'
    """
    said = {
        "Negation": mention.negated,
        "Conditional": mention.hypothetical,
        "Uncertain": mention.possible,
        "History": mention.historical,
    }
    words = {name: "true" if value else "false" for name, value in said.items()}
    negation = words.pop("Negation")
    subject = "family" if mention.family else "patient"
    return ",".join([f"Negation={negation}", f"Subject={subject}", *(f"{name}={word}" for name, word in words.items())])


def snippet_of(text: str, start: int, end: int) -> str:
    """Return the words around a term of a scrubbed text, on one line and at most 250 characters long.

    Examples
    --------
    >>> snippet_of("Dr. [NAME] saw her for asthma.", 23, 29)
    'Dr. [NAME] saw her for asthma.'
    """
    around = max(0, min(_SNIPPET_CONTEXT, (_SNIPPET - (end - start)) // 2))
    first, last = max(0, start - around), min(len(text), end + around)
    # Cut at whole words: half a placeholder would read as a word of its own.
    if first and not text[first - 1].isspace():
        first += next((at for at, letter in enumerate(text[first:start]) if letter.isspace()), start - first)
    if last < len(text) and not text[last].isspace():
        last -= next((at for at, letter in enumerate(reversed(text[end:last])) if letter.isspace()), last - end)
    return " ".join(text[first:last].split())[:_SNIPPET]
