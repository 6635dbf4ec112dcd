"""A scrubber that runs other detectors before the core decides, on every code path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from notesieve import _core
from notesieve._core import Vocabulary
from notesieve.detectors import detector_findings, detector_name
from notesieve.errors import FindingError
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    import os
    from typing import Self

    from notesieve._core import ColumnResult, ConceptMention, Key, Model, Policy, ScrubbedBatch, ScrubbedNote
    from notesieve.choices import Group
    from notesieve.detectors import Detector, Span


@keep_texts_out_of_tracebacks
class DetectingScrubber(_core.Scrubber):
    """The scrubber of the core with detectors.

    Every method that passes text to the core is overridden here, so that none bypasses the detectors.

    Parameters
    ----------
    policy, vocabulary, key, model, detectors
        See `Scrubber`.
    """

    _detectors: tuple[Detector, ...] = ()

    def __new__(
        cls,
        policy: Policy | str | os.PathLike[str] | None = None,
        vocabulary: Vocabulary | str | os.PathLike[str] | None = None,
        *,
        key: Key | None = None,
        model: Model | str | os.PathLike[str] | None = None,
        detectors: Sequence[Detector] = (),
    ) -> Self:
        """Create a scrubber."""
        if vocabulary is not None and not isinstance(vocabulary, Vocabulary):
            vocabulary = Vocabulary.open(vocabulary)
        names = [detector_name(detector) for detector in detectors]
        self = super().__new__(cls, policy, vocabulary, key=key, model=model, detectors=names)
        self._detectors = tuple(detectors)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore_scrubber, (*super().__reduce__(), self._detectors))

    @property
    def detectors(self) -> tuple[Detector, ...]:
        """The other detectors of PHI."""
        return self._detectors

    def _detect_in_texts(self, texts: HiddenRepr) -> list[list[Span]]:
        """Run the detectors; a text that is not a string has no findings."""
        readable = [text if isinstance(text, str) else "" for text in texts.reveal()]
        return detector_findings(self._detectors, HiddenRepr(readable))

    def _scrub(self, text: str, **options: Any) -> ScrubbedNote:
        hidden, text = HiddenRepr(text), ""
        if self._detectors:
            options["findings"] = [
                *(options.get("findings") or ()),
                *self._detect_in_texts(HiddenRepr([hidden.reveal()]))[0],
            ]
        return super()._scrub(hidden.reveal(), **options)

    def autocode(
        self, text: str, *, identifying: bool = False, groups: Sequence[Group] | None = None
    ) -> list[ConceptMention]:
        """Find the terms of a note that come out when it is scrubbed. Offsets refer to the note.

        Parameters
        ----------
        text : str
            The note.
        identifying : bool, default False
            Whether to return every term as written. This includes names that are also terms, such as Cotton and Amber,
            with their offsets: the result identifies people.
        groups : sequence of str, optional
            The semantic groups to report. Default: those of the policy.

        Returns
        -------
        list of ConceptMention
            The terms with their codes, in the order of the text.

        Raises
        ------
        NoteTypeError
            If the note is not a string.
        FindingError
            If a detector failed.

        Examples
        --------
        >>> import notesieve as ns
        >>> text = "Mr. Cotton has asthma."
        >>> [text[term.start : term.end] for term in ns.Scrubber().autocode(text)]
        ['asthma']
        >>> text = "Chest pain, given aspirin."
        >>> [found.name for found in ns.Scrubber().autocode(text, groups=["drug"])]
        ['Aspirin']
        """
        hidden, text = HiddenRepr(text), ""
        terms = super().autocode(hidden.reveal(), identifying=identifying, groups=groups)
        if identifying or not self._detectors:
            return terms
        removed = self._scrub(hidden.reveal()).removed
        return [term for term in terms if not any(gone.start < term.end and term.start < gone.end for gone in removed)]

    def _scrub_many(self, texts: Iterable[str], **options: Any) -> tuple[ScrubbedBatch, list[tuple[int, str]]]:
        hidden, texts = HiddenRepr(texts), ()
        given = None if options.get("findings") is None else iter(options["findings"])
        options["findings"] = given
        if self._detectors:
            hidden = HiddenRepr(list(hidden))
            found = self._detect_in_texts(hidden)
            options["findings"] = found if given is None else map(list.__add__, found, given)
        result = super()._scrub_many(hidden, **options)
        if given is not None and next(given, None) is not None:
            raise FindingError("there are more lists of findings than notes: give one list a note")
        return result

    def _scrub_arrow(self, column: Any, **options: Any) -> ColumnResult:
        return super()._scrub_arrow(column, detect=self._batch_detection(), **options)

    def _scrub_iterable(self, objects: Iterable[object], **options: Any) -> ColumnResult:
        return super()._scrub_iterable(objects, detect=self._batch_detection(), **options)

    def _batch_detection(self) -> Callable[[list[str]], list[list[Span]]] | None:
        """Return a function that runs the detectors on a batch of texts; None if there are none."""
        return partial(_detect_without_traceback, self._detect_in_texts) if self._detectors else None

    def _scrub_fields(self, fields: list[Any], **options: Any) -> Any:
        texts = HiddenRepr([text if role == "text" else "" for role, text, _, _ in fields])
        found = self._detect_in_texts(texts) if self._detectors else [[] for _ in fields]
        asked = [
            (role, text, starts, given + more) for (role, text, starts, given), more in zip(fields, found, strict=True)
        ]
        return super()._scrub_fields(asked, **options)


def _restore_scrubber(
    restore: Callable[..., DetectingScrubber], arguments: tuple[Any, ...], detectors: tuple[Detector, ...]
) -> DetectingScrubber:
    """Restore a scrubber from a pickle."""
    plain = restore(*arguments)
    if not detectors:
        return plain
    return type(plain)(plain.policy, plain.vocabulary, key=plain.key, model=plain.model, detectors=detectors)


def _detect_without_traceback(detect: Callable[[HiddenRepr], list[list[Span]]], texts: list[str]) -> list[list[Span]]:
    """Run a detection on texts without showing them in a traceback."""
    hidden, texts = HiddenRepr(texts), []
    return detect(hidden)
