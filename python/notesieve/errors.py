"""The exceptions of the package. No message ever holds text of a note: positions and kinds only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from notesieve._core import ScrubbedBatch


class NotesieveError(Exception):
    """The base class of all errors of the package."""


class FileError(NotesieveError, OSError):
    """A file could not be read or written."""


class VocabularyError(NotesieveError, ValueError):
    """A compiled vocabulary is truncated, altered, in a foreign format or of another version."""


class ModelError(NotesieveError, ValueError):
    """A model is truncated, altered, in a foreign format or of another version."""


class FetchError(NotesieveError, OSError):
    """A published source cannot be fetched, or the download is incomplete."""


class CodeError(NotesieveError, KeyError):
    """A vocabulary has no concept with the code."""

    __str__ = Exception.__str__  # KeyError would put the message into quotes


class SourceError(NotesieveError, ValueError):
    """A line of a vocabulary source cannot be read."""


class PolicyError(NotesieveError, ValueError):
    """A policy or a list is not valid."""


class FindingError(NotesieveError, ValueError):
    """External findings cannot be used: a span outside its note, an unknown kind, a detector that failed."""


class PatientError(NotesieveError, ValueError):
    """A known identifier of a patient cannot be used. The message names the field, never its value."""


class PatientTypeError(PatientError, TypeError):
    """A known identifier of a patient has an unsupported type. The message names the field and the types it takes."""


class SecretKeyError(NotesieveError, ValueError):
    """The secret key is missing, malformed, readable by others, or not the expected one."""


class GoldError(NotesieveError, ValueError):
    """A gold standard or a prediction cannot be read."""


class SearchIndexError(NotesieveError, ValueError):
    """An index of notes is damaged, or cannot do what is asked of it."""


class DisclosureError(NotesieveError, PermissionError):
    """An answer would reveal something about too few patients, or too many questions were asked."""


class QueryError(NotesieveError, ValueError):
    """A query cannot be understood.

    Attributes
    ----------
    query : str
        The query.
    position : int
        Where in the query the problem begins, in code points.
    """

    def __init__(self, reason: str, query: str, position: int) -> None:
        # Show the line of the problem with a caret below it.
        begin = query.rfind("\n", 0, position) + 1
        line = query[begin : begin + 200].split("\n", 1)[0]
        super().__init__(
            f"the query {reason} (at character {position + 1})\n    {line}\n    {' ' * (position - begin)}^"
        )
        self.reason = reason
        self.query = query
        self.position = position

    def __reduce__(self) -> tuple[type[QueryError], tuple[str, str, int]]:
        return type(self), (self.reason, self.query, self.position)


class AmbiguousNameError(QueryError):
    """A name in a query matches several concepts.

    Attributes
    ----------
    candidates : list of tuple of (str, str)
        Code and name of each matching concept.
    """

    def __init__(self, candidates: list[tuple[str, str]], query: str, position: int) -> None:
        listed = "; ".join(f"code:{code} {name}" for code, name in candidates)
        super().__init__(
            f"names a concept that may be one of {len(candidates)}: {listed}; write its code", query, position
        )
        self.candidates = candidates

    def __reduce__(self) -> tuple[type[AmbiguousNameError], Any]:
        return type(self), (self.candidates, self.query, self.position)


class NoteError(NotesieveError, ValueError):
    """A note cannot be scrubbed."""


class NoteTypeError(NoteError, TypeError):
    """A note is not a string."""


class VerifyError(NotesieveError, ValueError):
    """An output holds tokens that nothing vouches for.

    Parameters
    ----------
    places : list of (int, int, str)
        Start, end (exclusive, in code points) and kind of each.
    """

    def __init__(self, places: list[tuple[int, int, str]]) -> None:
        self.places = sorted(places)
        shown = [f"{kind} at {start}:{end}" for start, end, kind in self.places[:5]]
        if len(places) > len(shown):
            shown.append(f"and {len(places) - len(shown)} more")
        super().__init__(f"{len(places)} token{'s' * (len(places) > 1)} that nothing allows: {', '.join(shown)}")

    def __reduce__(self) -> tuple[type[VerifyError], tuple[list[tuple[int, int, str]]]]:
        """Pickle the places."""
        return type(self), (self.places,)


class BatchError(NoteError):
    """Some notes of a batch could not be scrubbed; the rest were.

    Attributes
    ----------
    batch : ScrubbedBatch
        All notes, with an empty one in the place of each that failed.
    errors : list of tuple of (int, str)
        The index of each note that failed, and the reason.
    """

    def __init__(self, batch: ScrubbedBatch, errors: list[tuple[int, str]]) -> None:
        index, reason = errors[0]
        super().__init__(
            f"{len(errors)} of {len(batch)} notes could not be scrubbed, the first at index {index}: {reason}; "
            "the others are in the attribute `batch`, all failures in `errors`"
        )
        self.batch = batch
        self.errors = errors

    def __reduce__(self) -> tuple[type[BatchError], tuple[ScrubbedBatch, list[tuple[int, str]]]]:
        """Pickle the batch with the error, since a worker process may raise it."""
        return type(self), (self.batch, self.errors)


class SettingError(NotesieveError, ValueError):
    """An environment variable or an option has an invalid value."""


class FrameError(NotesieveError, ValueError):
    """A frame, a column or a file is not what the call says it is."""


class RowError(NoteError):
    """Some rows of a column or a frame could not be scrubbed; the rest were.

    Attributes
    ----------
    result : object
        The whole column or frame, with null in the place of each row that failed.
    failed, rows : int
        The number of rows that failed, and of all rows.
    errors : list of tuple of (int, str)
        The index of each of the first thousand rows that failed, and its error code.
    """

    _failed = "rows could not be scrubbed"
    _others = "the others are in the attribute `result`"

    def __init__(self, result: Any, failed: int, rows: int, errors: list[tuple[int, str]]) -> None:
        index, code = errors[0]
        super().__init__(
            f"{failed} of {rows} {self._failed}, the first at index {index}: {code} "
            f"({EXPLAINED.get(code, 'unknown')}); {self._others}"
        )
        self.result = result
        self.failed = failed
        self.rows = rows
        self.errors = errors

    def __reduce__(self) -> tuple[type[RowError], tuple[Any, int, int, list[tuple[int, str]]]]:
        """Pickle the result with the error, since a worker process may raise it."""
        return type(self), (self.result, self.failed, self.rows, self.errors)


class IndexRowError(RowError, SearchIndexError):
    """Some notes could not be added to an index; the rest were, and can be searched after the next `commit`.

    Attributes
    ----------
    result : int
        The number of notes added.
    failed, rows : int
        The number of notes that failed, and of all notes.
    errors : list of tuple of (int, str)
        The index of each of the first thousand notes that failed, and its error code.
    """

    _failed = "notes could not be indexed"
    _others = "the others were, and the failures are in the attribute `errors`"


EXPLAINED = {
    "type": "the row holds no text",
    "utf-8": "its bytes are not UTF-8, or not of the named encoding",
    "length": "the text is too long to be scrubbed at once",
    "arrow": "the column is damaged there",
    "internal": "a mistake in notesieve",
    "patient": "what is known of the patient cannot be used",
    "findings": "what another system found in the note cannot be used",
    "json": "the line is no JSON object",
    "csv": "the row has not as many fields as the header",
    "quote": "it is no CSV there: a quote is not closed, or a field is too long; no row after it can be told",
    "stray": "it is no CSV there: a quote stands inside a field; inside quotes it is written twice",
    "missing": "the line has no field with the note",
    "note_id": "the note has no note_id",
    "patient_id": "the note has no patient_id, without which patients cannot be counted",
    "year": "the year is no number of four digits",
    "date": "the date is none, such as 2004-03-17",
    "age": "the age is no number of years",
    "sex": "the sex is none of female, male, other, unknown, f and m",
    "years": "the index has no years; Index.create(..., years=True) makes one that has",
    "verify": "the text holds what nothing allows; notesieve.verify says where",
    "null": "the note has no text",
    "duplicate": "a row before it has the same note_id",
    "person_id": "the note has no person_id",
    "note_date": "the note has no note_date, or a date that is none or leaves the calendar when it is shifted",
    "integer": "a column of whole numbers holds something else, or a number out of range",
}
"""What the error codes of rows say."""
