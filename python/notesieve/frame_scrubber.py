"""A scrubber of columns and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar, Unpack, overload

from notesieve.detecting_scrubber import DetectingScrubber
from notesieve.frames.column_plan import OUTPUTS
from notesieve.frames.columns import scrub_column
from notesieve.frames.excluded import ExcludedPatients
from notesieve.frames.scrub import scrub_frame
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve.choices import IndexChoice, OnRowError, Output

AnyFrame = TypeVar("AnyFrame")
AnySeries = TypeVar("AnySeries", bound="_Series")


class _Series(Protocol):
    """A column of pandas, polars or numpy; the result has the type of the input."""

    @property
    def dtype(self) -> Any: ...


class _ColumnOptions(TypedDict, total=False):
    threads: int | None
    on_error: OnRowError
    progress: bool | None


@keep_texts_out_of_tracebacks
class FrameScrubber(DetectingScrubber):
    """The part of `Scrubber` that handles columns and data frames of other libraries."""

    @overload
    def scrub_column(
        self, column: list[str] | list[str | None], **options: Unpack[_ColumnOptions]
    ) -> list[str | None]: ...
    @overload
    def scrub_column(
        self, column: tuple[str | None, ...], **options: Unpack[_ColumnOptions]
    ) -> tuple[str | None, ...]: ...
    @overload
    def scrub_column(self, column: Iterator[str | None], **options: Unpack[_ColumnOptions]) -> Iterator[str | None]: ...
    @overload
    def scrub_column(self, column: AnySeries, **options: Unpack[_ColumnOptions]) -> AnySeries: ...
    @overload
    def scrub_column(self, column: object, **options: Unpack[_ColumnOptions]) -> Any: ...

    def scrub_column(
        self, column: Any, *, threads: int | None = None, on_error: OnRowError = "raise", progress: bool | None = None
    ) -> Any:
        """De-identify a column of notes; the result is of the same kind.

        Texts of Arrow columns are read in place, without a copy. In a dictionary column (``category``) each distinct
        text is scrubbed once.

        Parameters
        ----------
        column : Series, array, list, iterator
            A Series of pandas or polars; an Array or ChunkedArray of pyarrow or arro3; a relation of DuckDB with one
            column; a numpy array of objects; any list; any other object with the Arrow PyCapsule interface. For an
            iterator the result is an iterator that reads some hundred notes ahead. ``None`` and other missing values
            stay missing.
        threads : int, optional
            The number of threads. Default: the environment variable ``NOTESIEVE_THREADS``, or one per core. The result
            does not depend on it.
        on_error : {"raise", "mask"}, optional
            What to do if rows do not hold text: raise, after all others are done, a `RowError` that holds the result;
            or leave them missing.
        progress : bool, optional
            Whether to show a progress bar. Default: in a terminal or notebook.

        Returns
        -------
        same kind as `column`
            The de-identified notes, in the same order.

        Raises
        ------
        RowError
            If rows do not hold text and `on_error` is ``"raise"``.
        FrameError
            If the argument is not a column.
        SettingError
            If ``NOTESIEVE_THREADS`` is not a number.

        Examples
        --------
        >>> import notesieve as ns
        >>> ns.Scrubber().scrub_column(["Seen by Dr. Brown.", None])
        ['Seen by Dr. [NAME].', None]
        """
        hidden, column = HiddenRepr(column), None
        return scrub_column(self, hidden, threads=threads, on_error=on_error, progress=progress)

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
        findings: str | None = None,
        exclude_patients: Iterable[str | int] | None = None,
        index: IndexChoice | None = None,
        on_error: OnRowError = "mask",
        threads: int | None = None,
        progress: bool | None = None,
    ) -> AnyFrame:
        """De-identify the notes of a data frame; the result is the same kind of frame, with the same rows.

        **Columns that are not named do not come out**: a record number or a name next to the note would identify it.

        Parameters
        ----------
        frame : DataFrame, Table, relation
            A DataFrame or LazyFrame of polars; a DataFrame of pandas; a Table, RecordBatch or RecordBatchReader of
            pyarrow; a relation of DuckDB; any other object with the Arrow PyCapsule interface. A LazyFrame and
            a reader are scrubbed in parts as they are read.
        text : str
            The column with the notes. The scrubbed text replaces it under the same name.
        id : str, optional
            A column that names the note; it comes out as it is.
        patient : str, optional
            A column that identifies the patient: the `id` of `Patient`, from which date shifts and surrogates are
            derived. With a key its pseudonym comes out under its name; without one it does not come out.
        known : sequence of str, or mapping of str to str, optional
            Columns with known identifiers of the patient of each row, to remove from the note in every written form. A
            mapping gives the field of `Patient` that each fills; otherwise its name decides: ``last_name``,
            ``birth_date``, ``phone``, ``address``, ``mrn``; all others go to ``other``. They do not come out.
        keep : sequence of str, optional
            Other columns that come out as they are. Their contents are not checked.
        outputs : sequence of {"text", "coded", "concepts", "removed", "error"}, optional
            The outputs, in columns named after `text`, here ``note``: ``note_coded``, the text with the code of each
            term after it; ``note_concepts``, a list of code, start and end in code points of the new text,
            semantic group and assertion status (``negated``, ``hypothetical``, ``historical``, ``possible``,
            ``family``); ``note_removed_name`` and so on for ``date``, ``age``, ``location``, ``contact``, ``id`` and
            ``unlisted``, the number of spans of each category that were removed; ``note_error``, why a row could not
            be scrubbed. Default: all.
        dates : sequence of str, optional
            Columns of dates, or texts like ``2021-03-01 07:16``, that come out shifted by the same number of days as
            the notes of the same `patient`, under a policy with ``dates="shift"``. A date without a patient is missing.
        unshifted_dates : sequence of str, optional
            Columns of dates that come out as they are next to shifted notes. One such date reveals the shift of all
            dates of its patient, so `keep` refuses them.
        findings : str, optional
            A column with the findings of other systems in the note of each row: a list of findings as `scrub` takes
            them, or the same as JSON; a missing value means no findings. A row with an invalid finding does not come
            out. The column itself does not come out either.
        exclude_patients : iterable of str or int, optional
            Patients whose rows to leave out, by their identifiers in the column `patient`. A row without an identifier
            is left out too, since it could belong to one of them.
        index : {"keep", "drop"}, optional
            Whether to keep a pandas index that is not 0, 1, 2, ..., or to number the rows anew. An index can hold
            record numbers, so the choice is required unless `keep` or `id` names levels of it.
        on_error : {"mask", "raise"}, optional
            What to do with rows that do not hold text: leave the text missing and write an error code; or raise, after
            all others are done, a `RowError` that holds the result.
        threads : int, optional
            The number of threads. Default: ``NOTESIEVE_THREADS``, or one per core.
        progress : bool, optional
            Whether to show a progress bar. Default: in a terminal or notebook.

        Returns
        -------
        same kind as `frame`
            The same rows in the same order, without those of excluded patients. Nothing else in the frame comes out: no
            attributes, no metadata, no category that no row has.

        Raises
        ------
        FrameError
            If a column is missing or would be overwritten, if a kept column reveals the date shift, if the choice for
            an index is missing, or if the argument is not a frame.
        RowError
            If rows do not hold text and `on_error` is ``"raise"``.
        SettingError
            If ``NOTESIEVE_THREADS`` is not a number.

        Examples
        --------
        >>> import notesieve as ns
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"mrn": ["123"], "year": [2006], "note": ["Seen by Dr. Brown for asthma."]})
        >>> ns.Scrubber().scrub_frame(frame, text="note", keep=["year"], outputs=["text"])
           year                            note
        0  2006  Seen by Dr. [NAME] for asthma.
        """
        hidden = HiddenRepr(frame)
        del frame  # keep the notes out of tracebacks that show arguments
        columns = {
            "text": text, "id": id, "patient": patient, "known": known, "keep": keep, "outputs": outputs,
            "dates": dates, "unshifted_dates": unshifted_dates, "findings": findings,
            "exclude_patients": None if exclude_patients is None else ExcludedPatients(exclude_patients),
        }  # fmt: skip
        scrubbed: AnyFrame = scrub_frame(
            self, hidden, columns, index=index, on_error=on_error, threads=threads, progress=progress
        )
        return scrubbed
