"""The public `Scrubber`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from typing import TYPE_CHECKING

from notesieve import messages
from notesieve.batches import batches
from notesieve.detectors import normalize_findings
from notesieve.errors import BatchError, NoteTypeError, PatientError, SettingError
from notesieve.frame_scrubber import FrameScrubber
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import Patient, ScrubbedBatch, ScrubbedNote
    from notesieve.choices import MessageFormat, OnBatchError
    from notesieve.detectors import FindingLike
    from notesieve.messages import ScrubbedMessage

# The number of notes that `scrub_iter` reads ahead: enough to keep every core busy, few enough to save memory.
_AHEAD = 256


def require_texts(texts: HiddenRepr) -> None:
    """Refuse a single text where several are expected: iterating over it would yield notes of one letter."""
    if isinstance(texts.reveal(), (str, bytes)) or not isinstance(texts.reveal(), Iterable):
        kind = type(texts.reveal()).__name__
        raise NoteTypeError(f"texts must be a list or another iterable of str, not {kind}; scrub() takes one note")
    if hasattr(texts.reveal(), "columns") and hasattr(texts.reveal(), "__getitem__"):
        kind = type(texts.reveal()).__name__
        message = f"a {kind} would give the names of its columns: use scrub_frame(frame, text=...), or one column"
        raise NoteTypeError(message)
    if isinstance(texts.reveal(), Mapping):
        raise NoteTypeError("a dict would give its keys: use scrub_many(notes.values()), which keeps the order")


def _raise_when_patients_end() -> Iterator[None]:
    """Raise an error if a patient is requested after the last one."""
    raise PatientError("there are more notes than patients: give one Patient or None a note")
    yield


@keep_texts_out_of_tracebacks
class Scrubber(FrameScrubber):
    """De-identify and autocode clinical notes.

    Parameters
    ----------
    policy : Policy or str or path-like, optional
        What may come out and what replaces the rest: a policy, the name of a preset (``"safe"``, ``"balanced"``,
        ``"berman"``, ``"readable"``, ``"limited-data-set"``), or the path of a TOML file. Default: ``"safe"``.
    vocabulary : Vocabulary or path-like, optional
        The word lists, terms and concepts, or their compiled file. Default: the one inside the package.
    key : Key, optional
        The secret from which date shifts and surrogates are derived. Default: `Key.load`, if the policy needs one. A
        pickle holds only its fingerprint: the process that reads the pickle loads the key from its own environment.

    model : Model or path-like, optional
        The trained model, or its file. Default: the one inside the package.
    detectors : sequence of callable, optional
        Other detectors of PHI. Each takes a list of texts and returns the findings of each text, see `scrub`;
        `notesieve.adapters` has some. Every way of scrubbing runs them on all free text; their findings are weighed
        together with those of the rules and the model.

    Raises
    ------
    ModelError
        If the model cannot be read.
    PolicyError
        If the policy is unknown or invalid.
    SecretKeyError
        If the policy needs a key and none is available.
    VocabularyError
        If the vocabulary cannot be read.

    Examples
    --------
    >>> import notesieve as ns
    >>> scrubber = ns.Scrubber()
    >>> scrubber.scrub("Seen by Dr. Brown for asthma.").text
    'Seen by Dr. [NAME] for asthma.'

    >>> import re
    >>> def badges(texts):
    ...     return [[(*found.span(), "other-id") for found in re.finditer("badge [a-z]+", text)] for text in texts]
    >>> ns.Scrubber(detectors=[badges]).scrub("Let in with badge blue.").text
    'Let in with [ID].'
    """

    def scrub(
        self, text: str, *, patient: Patient | None = None, findings: Iterable[FindingLike] | None = None
    ) -> ScrubbedNote:
        """De-identify one note.

        Parameters
        ----------
        text : str
            The note.
        patient : Patient, optional
            The known identifiers of the patient, removed in every written form.
        findings : iterable of finding, optional
            The findings of another system in the note: objects or mappings with ``start`` and ``end`` in code points,
            ``kind`` (a kind or category of PHI), and optionally ``certainty`` (``"weak"``, ``"likely"``, ``"sure"``)
            and ``source``; or tuples in this order. A token that a finding covers in part is removed as a whole. A term
            of several words outweighs a weak finding.

        Returns
        -------
        ScrubbedNote
            The de-identified text, and the findings, removals and codes, with a reason for every decision.

        Raises
        ------
        FindingError
            If a finding is not a span of the note or has no known kind, or a detector failed.
        NoteTypeError
            If the note is not a string.
        NoteError
            If the note is longer than 2 GB.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Scrubber().scrub("Lives by the mill.", findings=[(13, 17, "street", "sure", "gazetteer")]).text
        'Lives by the [LOCATION].'
        """
        hidden, text = HiddenRepr(text), ""
        return self._scrub(hidden.reveal(), patient=patient, findings=normalize_findings(findings))

    def scrub_many(
        self,
        texts: Iterable[str],
        *,
        patients: Iterable[Patient | None] | None = None,
        findings: Iterable[Iterable[FindingLike] | None] | None = None,
        threads: int | None = None,
        explain: bool = False,
        on_error: OnBatchError = "raise",
    ) -> ScrubbedBatch:
        """De-identify many notes at once, on all cores.

        Parameters
        ----------
        texts : iterable of str
            The notes.
        patients : iterable of Patient or None, optional
            The patient of each note, in the order of `texts`. Known identifiers of a patient are removed from the
            patient's notes in every written form.
        findings : iterable of iterable of finding, optional
            The findings of another system in each note, in the order of `texts`, see `scrub`. Invalid findings are an
            error of their note only; the valid findings of that note still count.
        threads : int, optional
            The number of threads. Default: the environment variable ``NOTESIEVE_THREADS``, or one per core. The result
            does not depend on it.
        explain : bool, optional
            Whether each note records the decision on every token. Default: no, to save memory.
        on_error : {"raise", "empty"}, optional
            What to do if notes cannot be scrubbed: raise, after all others are done, a `BatchError` that holds the
            batch; or leave an empty note in the place of each.

        Returns
        -------
        ScrubbedBatch
            The notes, in the order of `texts`.

        Raises
        ------
        BatchError
            If a note cannot be scrubbed or findings cannot be used, and `on_error` is ``"raise"``.
        FindingError
            If a detector failed.
        NoteTypeError
            If `texts` is a single text, or not an iterable of texts.
        PatientError
            If there are more or fewer patients than notes.

        Examples
        --------
        >>> import notesieve as ns
        >>> scrubber = ns.Scrubber()
        >>> scrubber.scrub_many(["BP 128/72.", "Please call 617-555-0123."]).texts
        ['BP 128/72.', 'Please call [CONTACT].']

        >>> rose = ns.Patient(names=["Rose Winters"])
        >>> scrubber.scrub_many(["rose slept well", "the rose bed"], patients=[rose, None]).texts
        ['[NAME] slept well', 'the rose bed']
        """
        if on_error not in ("raise", "empty"):
            raise SettingError(f"on_error={on_error!r} is not one of raise, empty")
        hidden, texts = HiddenRepr(texts), ()  # keep the texts out of tracebacks that show arguments
        require_texts(hidden)
        found = None if findings is None else map(normalize_findings, findings)
        batch, errors = self._scrub_many(hidden, patients=patients, findings=found, threads=threads, explain=explain)
        if errors and on_error == "raise":
            raise BatchError(batch, errors)
        return batch

    def scrub_message(
        self,
        text: str,
        *,
        format: MessageFormat | None = None,  # noqa: A002 the name that users know
        patient: Patient | None = None,
        threads: int | None = None,
    ) -> ScrubbedMessage:
        """De-identify a structured message; the result has the same segments, keys or tags.

        Keys, tags, codes and table headings stay. The field decides on a value: a name, a date, a place or an
        identification number is removed whatever it says, a measured value stays, and free text is scrubbed as text.
        Names, numbers, birth date, phones and addresses in the fields of a message are removed from all of its texts.
        Values of unknown fields do not come out.

        Parameters
        ----------
        text : str
            The message: HL7 version 2 (one or several), FHIR or other JSON, C-CDA or other XML, or a note with a table.
        format : {"hl7", "json", "xml", "table", "text"}, optional
            The format. Default: detected from its beginning. A message that cannot be parsed is scrubbed as plain text.
        patient : Patient, optional
            Known identifiers of the patient in addition to those in the message.
        threads : int, optional
            The number of threads. Default: ``NOTESIEVE_THREADS``, or one per core.

        Returns
        -------
        ScrubbedMessage
            The message, its detected format, and the number of removals by category.

        Raises
        ------
        NoteError
            If a text in it is too long to be scrubbed at once.
        NoteTypeError
            If the message is not a string.
        SettingError
            If the format is unknown.

        Examples
        --------
        >>> import notesieve as ns
        >>> message = ns.Scrubber().scrub_message(
        ...     '{"resourceType": "Patient", "name": [{"family": "Winters", "given": ["Rose"]}], "gender": "female"}'
        ... )
        >>> message.text
        '{"resourceType": "Patient", "name": [{"family": "[NAME]", "given": ["[NAME]"]}], "gender": "female"}'
        >>> message
        ScrubbedMessage(format='fhir', removed={'NAME': 2})
        """
        return messages.scrub_message(self, text, format=format, patient=patient, threads=threads)

    def scrub_iter(
        self,
        texts: Iterable[str],
        *,
        patients: Iterable[Patient | None] | None = None,
        threads: int | None = None,
    ) -> Iterator[ScrubbedNote]:
        """De-identify notes lazily, in order, reading some hundred ahead.

        Parameters
        ----------
        texts : iterable of str
            The notes; it may be infinite.
        patients : iterable of Patient or None, optional
            The patient of each note, in the order of `texts`.
        threads : int, optional
            The number of threads. Default: ``NOTESIEVE_THREADS``, or one per core.

        Yields
        ------
        ScrubbedNote
            The notes, in the order of `texts`. If `texts` itself fails, the notes before it come first, then its error.

        Raises
        ------
        BatchError
            If a note cannot be scrubbed, after the notes before it were yielded.
        NoteTypeError
            If `texts` is a single text, or not an iterable of texts.
        PatientError
            If the patients run out before the notes.

        Examples
        --------
        >>> import notesieve as ns
        >>> next(ns.Scrubber().scrub_iter(iter(["No fever."]))).text
        'No fever.'
        """
        hidden, texts = HiddenRepr(texts), ()
        require_texts(hidden)
        whose = repeat(None) if patients is None else chain(patients, _raise_when_patients_end())
        for ahead in batches(zip(hidden, whose, strict=False), _AHEAD):
            some, of = zip(*ahead, strict=True)
            batch, errors = self._scrub_many(HiddenRepr(some), patients=of, threads=threads)
            yield from batch[: errors[0][0]] if errors else batch
            if errors:
                raise BatchError(batch, errors)
