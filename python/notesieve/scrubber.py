"""The scrubber: what people use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat, zip_longest
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from notesieve import _core, messages
from notesieve._core import Vocabulary
from notesieve.batches import batches
from notesieve.detectors import detector_findings, normalized
from notesieve.errors import BatchError, NoteTypeError, PatientError, SettingError
from notesieve.frames.column_plan import OUTPUTS
from notesieve.frames.columns import scrub_column
from notesieve.frames.scrub import scrub_frame
from notesieve.redacted import Redacted
from notesieve.tracebacks import without_texts

if TYPE_CHECKING:
    import os
    from typing import Self

    from notesieve._core import Key, Model, Patient, Policy, ScrubbedBatch, ScrubbedNote
    from notesieve.choices import IndexChoice, MessageForm, OnBatchError, OnRowError, Output
    from notesieve.detectors import Detector, FindingLike
    from notesieve.messages import ScrubbedMessage

__all__ = ["Scrubber", "require_texts"]

AnyFrame = TypeVar("AnyFrame")
AnySeries = TypeVar("AnySeries", bound="_Series")


class _Series(Protocol):
    """A column of pandas, polars or numpy; each comes back as it came."""

    @property
    def dtype(self) -> Any: ...


# Notes that `scrub_iter` reads ahead: enough to keep every core busy, few enough to stay small.
_AHEAD = 256


def require_texts(redacted: Redacted) -> None:
    """Refuse one text where several are expected: it would be taken for notes of one letter."""
    if isinstance(redacted.get(), (str, bytes)) or not isinstance(redacted.get(), Iterable):
        kind = type(redacted.get()).__name__
        message = f"texts must be a list or another iterable of str, not {kind}; scrub() takes one note"
        raise NoteTypeError(message)
    if hasattr(redacted.get(), "columns") and hasattr(redacted.get(), "__getitem__"):
        kind = type(redacted.get()).__name__
        message = f"a {kind} would give the names of its columns: use scrub_frame(frame, text=...), or one column"
        raise NoteTypeError(message)
    if isinstance(redacted.get(), Mapping):
        message = "a dict would give its keys: use scrub_many(notes.values()), which keeps the order"
        raise NoteTypeError(message)


def _ended() -> Iterator[None]:
    """Say that there are no more patients, when another is asked for."""
    raise PatientError("there are more notes than patients: give one Patient or None a note")
    yield


@without_texts
class Scrubber(_core.Scrubber):
    """De-identify and autocode clinical notes.

    Parameters
    ----------
    policy : Policy or str or path-like, optional
        What may come out, and in what form: a policy, the name of a preset (``"safe"``, ``"balanced"``, ``"berman"``,
        ``"readable"``, ``"limited-data-set"``), or the path of a TOML file. Default: ``"safe"``.
    vocabulary : Vocabulary or path-like, optional
        What is known to be safe, or the compiled file of it. Default: the one inside the package.
    key : Key, optional
        The secret from which shifts of dates and surrogates are drawn. Default: `Key.load`, if the policy needs one. A
        pickle holds its fingerprint alone: the process that reads the pickle loads the key from its own environment.

    model : Model or path-like, optional
        What was learned from marked notes, or the file of it. Default: the one inside the package.
    detectors : sequence of callable, optional
        Other detectors of PHI. Each takes a list of texts and gives for each text its findings, see `scrub`. They are asked
        by `scrub`, `scrub_many` and `scrub_iter`, and what they find is weighed with what the rules and the model find.

    Raises
    ------
    ModelError
        If the model cannot be read.
    PolicyError
        If there is no such policy.
    SecretKeyError
        If the policy needs a key and there is none.
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
    ...     return [[(found.start(), found.end(), "other-id") for found in re.finditer("badge [a-z]+", text)] for text in texts]
    >>> ns.Scrubber(detectors=[badges]).scrub("Let in with badge blue.").text
    'Let in with [ID].'
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
        if vocabulary is not None and not isinstance(vocabulary, Vocabulary):
            vocabulary = Vocabulary.open(vocabulary)
        self = super().__new__(cls, policy, vocabulary, key=key, model=model)
        self._detectors = tuple(detectors)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), {"_detectors": self._detectors})

    @property
    def detectors(self) -> tuple[Detector, ...]:
        """Other detectors of PHI."""
        return self._detectors

    def scrub(
        self, text: str, *, patient: Patient | None = None, findings: Iterable[FindingLike] | None = None
    ) -> ScrubbedNote:
        """De-identify one note.

        Parameters
        ----------
        text : str
            The note.
        patient : Patient, optional
            What is known of the patient; it is removed in every written form.
        findings : iterable of finding, optional
            What another system found in the note: objects or mappings with ``start`` and ``end`` in code points and
            ``kind`` (a kind or category of PHI), and if wanted ``certainty`` (``"weak"``, ``"likely"``, ``"sure"``) and
            ``source``; or tuples in this order. A token of which a part was found goes as a whole. A term of several
            words outweighs a weak finding.

        Returns
        -------
        ScrubbedNote
            The new text, and what was found, removed and coded, with a reason for every decision.

        Raises
        ------
        FindingError
            If a finding is no span of the note or has no known kind, or a detector failed.
        NoteTypeError
            If the note is no text.
        NoteError
            If the note is longer than 2 GB.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Scrubber().scrub("Lives by the mill.", findings=[(13, 17, "street", "sure", "gazetteer")]).text
        'Lives by the [LOCATION].'
        """
        redacted, text = Redacted(text), ""
        spans = normalized(findings)
        if self._detectors and isinstance(redacted.get(), str):
            spans += detector_findings(self._detectors, Redacted([redacted.get()]))[0]
        return self._scrub(redacted.get(), patient=patient, findings=spans or None)

    def _findings(self, texts: Redacted, given: Iterable[Iterable[FindingLike] | None] | None) -> Redacted | None:
        """Join the findings of each text that the caller gives with those of the detectors."""
        all_found = None if given is None else [normalized(findings) for findings in given]
        if not self._detectors:
            return None if all_found is None else Redacted(all_found)
        readable = Redacted([text if isinstance(text, str) else "" for text in texts.get()])
        found = detector_findings(self._detectors, readable)
        if all_found is None:
            return Redacted(found)
        return Redacted([one + other for one, other in zip_longest(all_found, found, fillvalue=[])])

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
            The patient of each note, in the order of `texts`. What is known of a patient is removed from the patient's
            notes in every written form.
        findings : iterable of iterable of finding, optional
            Of each note what another system found in it, in the order of `texts`, see `scrub`. Findings that cannot be used
            are an error of their note; its others count.
        threads : int, optional
            How many threads to use. Default: what the environment variable ``NOTESIEVE_THREADS`` says, or one per core.
            The result is the same for any number.
        explain : bool, optional
            Whether each note tells the decision on every token. Default: no, to save memory.
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
            If `texts` is one text, or nothing that holds texts.
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
            message = f"on_error={on_error!r} is not one of raise, empty"
            raise SettingError(message)
        redacted, texts = Redacted(texts), ()  # a traceback that shows arguments shows these
        require_texts(redacted)
        if findings is not None or self._detectors:
            redacted = Redacted(list(redacted.get()))
        found = self._findings(redacted, findings)
        batch, errors = self._scrub_many(redacted, patients=patients, findings=found, threads=threads, explain=explain)
        if errors and on_error == "raise":
            raise BatchError(batch, errors)
        return batch

    def scrub_message(
        self,
        text: str,
        *,
        form: MessageForm | None = None,
        patient: Patient | None = None,
        threads: int | None = None,
    ) -> ScrubbedMessage:
        """De-identify a structured message; what comes out has the same segments, keys or tags.

        Keys, tags, codes and heads of tables stay. A value is judged by its field: a name, a date, a place, a number of
        identification goes whatever it says, a measured value stays, and free text is scrubbed as text. Names, numbers,
        birth date, phones and addresses in the fields of a message are removed from all of its texts. Values of fields
        that are not known do not come out.

        Parameters
        ----------
        text : str
            The message: HL7 version 2 (one or several), FHIR or other JSON, C-CDA or other XML, or a note with a table.
        form : {"hl7", "json", "xml", "table", "text"}, optional
            What it is. Default: what its beginning tells. What cannot be read as such is scrubbed as plain text.
        patient : Patient, optional
            What is known of the patient beside what the message says.
        threads : int, optional
            How many threads to use. Default: what ``NOTESIEVE_THREADS`` says, or one per core.

        Returns
        -------
        ScrubbedMessage
            The message, what it was read as, and how much of each category was removed.

        Raises
        ------
        NoteError
            If a text in it is too long to be scrubbed at once.
        NoteTypeError
            If the message is no text.
        SettingError
            If there is no such form.

        Examples
        --------
        >>> import notesieve as ns
        >>> message = ns.Scrubber().scrub_message(
        ...     '{"resourceType": "Patient", "name": [{"family": "Winters", "given": ["Rose"]}], "gender": "female"}'
        ... )
        >>> message.text
        '{"resourceType": "Patient", "name": [{"family": "[NAME]", "given": ["[NAME]"]}], "gender": "female"}'
        >>> message
        ScrubbedMessage(form='fhir', removed={'NAME': 2})
        """
        return messages.scrub_message(self, text, form=form, patient=patient, threads=threads)

    def scrub_iter(
        self,
        texts: Iterable[str],
        *,
        patients: Iterable[Patient | None] | None = None,
        threads: int | None = None,
    ) -> Iterator[ScrubbedNote]:
        """De-identify notes one after the other as they are asked for, some hundred ahead.

        Parameters
        ----------
        texts : iterable of str
            The notes; it may be endless.
        patients : iterable of Patient or None, optional
            The patient of each note, in the order of `texts`.
        threads : int, optional
            How many threads to use. Default: what ``NOTESIEVE_THREADS`` says, or one per core.

        Yields
        ------
        ScrubbedNote
            The notes, in the order of `texts`. Where `texts` itself fails, those before come first, and then its error.

        Raises
        ------
        BatchError
            If a note cannot be scrubbed, when those before it were given.
        NoteTypeError
            If `texts` is one text, or nothing that holds texts.
        PatientError
            If the patients end before the notes.

        Examples
        --------
        >>> import notesieve as ns
        >>> next(ns.Scrubber().scrub_iter(iter(["No fever."]))).text
        'No fever.'
        """
        redacted, texts = Redacted(texts), ()
        require_texts(redacted)
        whose = repeat(None) if patients is None else chain(patients, _ended())
        for ahead in batches(zip(redacted, whose, strict=False), _AHEAD):
            some, of = zip(*ahead, strict=True)
            redacted_some = Redacted(some)
            found = self._findings(redacted_some, None)
            batch, errors = self._scrub_many(redacted_some, patients=of, findings=found, threads=threads)
            yield from batch[: errors[0][0]] if errors else batch
            if errors:
                raise BatchError(batch, errors)

    @overload
    def scrub_column(
        self,
        column: list[str] | list[str | None],
        *,
        threads: int | None = ...,
        on_error: OnRowError = ...,
        progress: bool | None = ...,
    ) -> list[str | None]: ...
    @overload
    def scrub_column(
        self,
        column: tuple[str | None, ...],
        *,
        threads: int | None = ...,
        on_error: OnRowError = ...,
        progress: bool | None = ...,
    ) -> tuple[str | None, ...]: ...
    @overload
    def scrub_column(
        self,
        column: Iterator[str | None],
        *,
        threads: int | None = ...,
        on_error: OnRowError = ...,
        progress: bool | None = ...,
    ) -> Iterator[str | None]: ...
    @overload
    def scrub_column(
        self,
        column: AnySeries,
        *,
        threads: int | None = ...,
        on_error: OnRowError = ...,
        progress: bool | None = ...,
    ) -> AnySeries: ...
    @overload
    def scrub_column(
        self,
        column: object,
        *,
        threads: int | None = ...,
        on_error: OnRowError = ...,
        progress: bool | None = ...,
    ) -> Any: ...

    def scrub_column(
        self, column: Any, *, threads: int | None = None, on_error: OnRowError = "raise", progress: bool | None = None
    ) -> Any:
        """De-identify a column of notes; what comes back is of the same kind.

        Texts of Arrow columns are read where they are, without a copy. A dictionary (``category``) has each distinct
        text scrubbed once.

        Parameters
        ----------
        column : Series, array, list, iterator
            A Series of pandas or polars; an Array or ChunkedArray of pyarrow or arro3; a relation of DuckDB with one
            column; a numpy array of objects; any list; whatever else speaks Arrow. An iterator gives an iterator that
            reads some hundred notes ahead. ``None`` and other missing values stay missing.
        threads : int, optional
            How many threads to use. Default: what the environment variable ``NOTESIEVE_THREADS`` says, or one per core.
            The result is the same for any number.
        on_error : {"raise", "mask"}, optional
            What to do if rows hold no text: raise, after all others are done, a `RowError` that holds the result; or
            leave them missing.
        progress : bool, optional
            Whether a bar is shown. Default: in a terminal or notebook.

        Returns
        -------
        same kind as `column`
            The de-identified notes, in the same order.

        Raises
        ------
        RowError
            If rows hold no text and `on_error` is ``"raise"``.
        FrameError
            If this is no column.
        SettingError
            If ``NOTESIEVE_THREADS`` is no number.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Scrubber().scrub_column(["Seen by Dr. Brown.", None])
        ['Seen by Dr. [NAME].', None]
        """
        redacted, column = Redacted(column), None
        return scrub_column(self, redacted, threads=threads, on_error=on_error, progress=progress)

    def scrub_frame(
        self,
        frame: AnyFrame,
        text: str,
        *,
        id: str | None = None,  # noqa: A002 the name that users know
        patient: str | None = None,
        known: Sequence[str] | Mapping[str, str] = (),
        keep: Sequence[str] = (),
        outputs: Sequence[Output] = OUTPUTS,
        dates: Sequence[str] = (),
        unshifted_dates: Sequence[str] = (),
        index: IndexChoice | None = None,
        on_error: OnRowError = "mask",
        threads: int | None = None,
        progress: bool | None = None,
    ) -> AnyFrame:
        """De-identify the notes of a data frame; what comes back is the same kind of frame, with the same rows.

        **Columns that are not named do not come out**: a record number or a name beside the note would undo everything.

        Parameters
        ----------
        frame : DataFrame, Table, relation
            A DataFrame or LazyFrame of polars; a DataFrame of pandas; a Table, RecordBatch or RecordBatchReader of
            pyarrow; a relation of DuckDB; whatever else speaks Arrow. A LazyFrame and a reader are scrubbed part by
            part as they are read.
        text : str
            The column with the notes. The scrubbed text takes its place and its name.
        id : str, optional
            A column that names the note; it comes out as it is.
        patient : str, optional
            A column that tells patients apart: the `id` of `Patient`, from which shifts of dates and surrogates are
            drawn. With a key its pseudonym comes out under its name; without one it does not come out.
        known : sequence of str, or mapping of str to str, optional
            Columns with what is known of the patient of each row; it is removed from the note in every written form. A
            mapping says which field of `Patient` each fills; otherwise its name tells: ``last_name``, ``birth_date``,
            ``phone``, ``address``, ``mrn``; whatever it does not tell goes to ``other``. They do not come out.
        keep : sequence of str, optional
            Further columns that come out as they are. Nothing looks at what they hold.
        outputs : sequence of {"text", "coded", "concepts", "removed", "error"}, optional
            What comes out, in columns named after `text`, here ``note``: ``note_coded``, the text with the code of each
            term after it; ``note_concepts``, a list of code, start and end in code points of the new text,
            semantic group and what the note says of it (``negated``, ``hypothetical``, ``historical``, ``possible``,
            ``family``); ``note_removed_name`` and so on for ``date``, ``age``, ``location``, ``contact``, ``id`` and
            ``unlisted``, how many stretches of each category were removed; ``note_error``, why a row could not be
            scrubbed. Default: all.
        dates : sequence of str, optional
            Columns of dates, or texts like ``2021-03-01 07:16``, that come out moved as the dates in the notes of the
            same `patient` are, under a policy with ``dates="shift"``. A date without a patient is missing.
        unshifted_dates : sequence of str, optional
            Columns of dates that come out as they are beside shifted notes. One such date tells the shift of all dates
            of its patient, so `keep` refuses them.
        index : {"keep", "drop"}, optional
            What becomes of an index of pandas that is not 0, 1, 2, ...: it stays, or rows are numbered anew. It can
            hold record numbers, so it must be said, unless `keep` or `id` names levels of it.
        on_error : {"mask", "raise"}, optional
            What to do with rows that hold no text: leave the text missing and write an error code; or raise, after all
            others are done, a `RowError` that holds the result.
        threads : int, optional
            How many threads to use. Default: what ``NOTESIEVE_THREADS`` says, or one per core.
        progress : bool, optional
            Whether a bar is shown. Default: in a terminal or notebook.

        Returns
        -------
        same kind as `frame`
            The same rows in the same order. Nothing else that the frame carries comes out: no attributes, no metadata,
            no category that no row has.

        Raises
        ------
        FrameError
            If a column is missing or would be overwritten, if a kept column tells the shift of dates, if nothing says
            what becomes of an index, or if this is no frame.
        RowError
            If rows hold no text and `on_error` is ``"raise"``.
        SettingError
            If ``NOTESIEVE_THREADS`` is no number.

        Examples
        --------
        >>> import notesieve as ns
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"mrn": ["123"], "year": [2006], "note": ["Seen by Dr. Brown for asthma."]})
        >>> ns.Scrubber().scrub_frame(frame, text="note", keep=["year"], outputs=["text"])
           year                            note
        0  2006  Seen by Dr. [NAME] for asthma.
        """
        redacted = Redacted(frame)
        del frame  # a traceback that shows arguments shows none
        scrubbed: AnyFrame = scrub_frame(
            self,
            redacted,
            text,
            id=id,
            patient=patient,
            known=known,
            keep=keep,
            outputs=outputs,
            dates=dates,
            unshifted_dates=unshifted_dates,
            index=index,
            on_error=on_error,
            threads=threads,
            progress=progress,
        )
        return scrubbed
