"""Transform a NOTE table into de-identified NOTE and NOTE_NLP tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from notesieve._core import Patient, __version__
from notesieve.choices import Group, did_you_mean
from notesieve.errors import BatchError, FrameError, SettingError
from notesieve.frames.columns import import_pyarrow, library_of
from notesieve.hidden_repr import HiddenRepr
from notesieve.omop.cdm import NOTE, NOTE_NLP, schema, truncate_texts
from notesieve.omop.known import columns_of
from notesieve.omop.mentions import NlpRows
from notesieve.omop.pseudonyms import Pseudonyms
from notesieve.omop.rows import NoteRow, Problem, read_rows
from notesieve.progress import Progress
from notesieve.statuses import GROUPS
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve.omop.athena import Concepts
    from notesieve.scrubber import Scrubber

BATCH_NOTES = 1000
"""The number of notes in memory at once."""

_UTF8_CONCEPT_ID = 32678
_KEYS = ("note_id", "person_id", "provider_id", "visit_occurrence_id", "visit_detail_id")


@dataclass(frozen=True, repr=False)
class Tables:
    """The tables made from notes.

    Attributes
    ----------
    note, note_nlp : frame
        The tables, in the library of the input.
    problems : list of Problem
        The rows that are not in the output.
    provenance : dict
        Versions and digests of everything that determined the tables.
    """

    note: Any
    note_nlp: Any
    problems: list[Problem] = field(default_factory=list)
    provenance: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Tables(note, note_nlp, {len(self.problems)} problems)"


class NoteTransform:
    """Makes the rows of both tables from batches of NOTE rows.

    Parameters
    ----------
    scrubber, concepts, patients, ids, groups, processed, threads
        As for `scrub_notes`, with the same errors.
    """

    def __init__(
        self,
        scrubber: Scrubber,
        concepts: Concepts | None = None,
        *,
        patients: Mapping[int, Patient] | None = None,
        ids: str = "keep",
        groups: Sequence[Group] | None = GROUPS,
        processed: dt.datetime | None = None,
        threads: int | None = None,
    ) -> None:
        policy = scrubber.policy
        self.shifts = policy.dates == "shift"
        if not self.shifts and "date" not in policy.keep:
            raise FrameError(
                "NOTE has a date in each row: take a policy with dates='shift' and a key, or one that keeps dates, "
                "such as limited-data-set"
            )
        if ids not in ("keep", "pseudonym"):
            raise SettingError(f"ids={ids!r} is not one of keep, pseudonym")
        if ids == "pseudonym" and scrubber.key is None:
            raise SettingError("ids='pseudonym' needs a key: Scrubber(..., key=ns.Key.load())")
        for group in groups or ():
            if group not in get_args(Group):
                known = get_args(Group)
                raise SettingError(f"{group!r} is no group of {', '.join(known)}{did_you_mean(group, known)}")
        self.scrubber, self.threads, self.concepts = scrubber, threads, concepts
        self.known = patients or {}
        self.pseudonyms = Pseudonyms(scrubber.key) if ids == "pseudonym" and scrubber.key is not None else None
        self.processed = (processed or dt.datetime.now(dt.UTC)).replace(tzinfo=None, microsecond=0)
        made_by = scrubber.provenance
        system = f"notesieve {__version__}; vocabulary {str(made_by['vocabulary_digest'])[:12]}; "
        system += f"model {str(made_by['model_digest'])[:12]}; policy {str(made_by['policy_digest'])[:12]}"
        self.mentions = NlpRows(scrubber.vocabulary, concepts, groups, system, self.processed)
        self.seen: set[int] = set()
        self.problems: list[Problem] = []
        self.rows = 0
        self._patients: dict[int, Patient] = {}

    @property
    def provenance(self) -> dict[str, Any]:
        """Versions and digests of everything that determines the tables."""
        return {
            **self.scrubber.provenance,
            "cdm_version": "5.4",
            "concepts_digest": None if self.concepts is None else self.concepts.digest,
            "concepts_release": None if self.concepts is None else self.concepts.release,
            "ids": "keep" if self.pseudonyms is None else "pseudonym",
            "nlp_datetime": self.processed.isoformat(),
        }

    def transform_rows(self, names: Iterable[str], values: Callable[[str], Sequence[Any]]) -> tuple[Any, Any, int]:
        """Make Arrow tables from some rows, and count the spans that were removed.

        Rows that cannot be written go to `problems`.
        """
        pa = import_pyarrow("OMOP")
        rows, problems, count = read_rows(names, values, self.rows, self.seen)
        self.problems += problems
        self.rows += count
        ready = [row for row in rows if self._shift_dates(row)]
        texts = HiddenRepr([row.text.reveal() for row in ready])
        patients = [self._patient_of_person(row.fields["person_id"]) for row in ready]
        notes, failed = self._scrub(texts, patients)
        for place, code in failed.items():
            self.problems.append(Problem(ready[place].at, code))
        done = [(row, note) for place, (row, note) in enumerate(zip(ready, notes, strict=True)) if place not in failed]
        self._scrub_fields([row for row, _ in done])
        for row, note in done:
            self._replace_identifiers(row)
            self.mentions.add(row.fields["note_id"], note)
        columns: dict[str, list[Any]] = {each.name: [row.fields.get(each.name) for row, _ in done] for each in NOTE}
        columns["note_text"] = [note.text for _, note in done]
        truncate_texts(NOTE, columns)
        table = pa.table(columns, schema=schema(NOTE))
        nlp = self.mentions.take_columns()
        truncate_texts(NOTE_NLP, nlp)
        self.problems.sort()
        return table, pa.table(nlp, schema=schema(NOTE_NLP)), sum(len(note.removed) for _, note in done)

    def _scrub(self, texts: HiddenRepr, patients: list[Patient]) -> tuple[Any, dict[int, str]]:
        """Scrub notes; also return the error code of each note that failed."""
        try:
            return self.scrubber.scrub_many(texts, patients=patients, threads=self.threads), {}
        except BatchError as problem:
            return problem.batch, {place: "length" for place, _ in problem.errors}

    def _patient_of_person(self, person: int) -> Patient:
        """Return the known data of a person as a patient, cached per person."""
        if person not in self._patients:
            known = self.known.get(person)
            fields = ("names", "mrn", "birth_date", "phones", "addresses", "other")
            given = {} if known is None else {name: getattr(known, name) for name in fields}
            # The patient's id is the person_id, so that dates of other tables can be shifted alike by it.
            self._patients[person] = Patient(person, **given)
        return self._patients[person]

    def _shift_dates(self, row: NoteRow) -> bool:
        """Shift the dates of a row; record a problem and return False if one leaves the calendar."""
        if not self.shifts:
            return True
        days = dt.timedelta(days=self.scrubber._shift_days(str(row.fields["person_id"])) or 0)
        try:
            for name in ("note_date", "note_datetime"):
                if row.fields[name] is not None:
                    row.fields[name] += days
        except OverflowError:
            self.problems.append(Problem(row.at, "note_date"))
            return False
        return True

    def _scrub_fields(self, rows: list[NoteRow]) -> None:
        """Scrub the short texts of a note, whose title can name a person; what cannot be scrubbed becomes null."""
        for name in ("note_title", "note_source_value"):
            having = [row for row in rows if row.short[name].reveal() is not None]
            notes, failed = self._scrub(
                HiddenRepr([row.short[name].reveal() for row in having]),
                [self._patient_of_person(row.fields["person_id"]) for row in having],
            )
            for place, (row, note) in enumerate(zip(having, notes, strict=True)):
                row.fields[name] = None if place in failed else note.text

    def _replace_identifiers(self, row: NoteRow) -> None:
        """Replace identifiers by pseudonyms; drop the link to an event, which can be in any table."""
        row.fields["encoding_concept_id"] = _UTF8_CONCEPT_ID
        if self.pseudonyms is None:
            return
        for name in _KEYS:
            if row.fields[name] is not None:
                row.fields[name] = self.pseudonyms.pseudonym_of(name, row.fields[name])
        row.fields["note_event_id"] = row.fields["note_event_field_concept_id"] = None


@keep_texts_out_of_tracebacks
def scrub_notes(
    scrubber: Scrubber,
    notes: Any,
    concepts: Concepts | None = None,
    *,
    patients: Mapping[int, Patient] | None = None,
    ids: Literal["keep", "pseudonym"] = "keep",
    groups: Sequence[Group] | None = GROUPS,
    processed: dt.datetime | None = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> Tables:
    """De-identify a NOTE table, and make a NOTE_NLP table of the concepts in it.

    Parameters
    ----------
    scrubber : Scrubber
        Under ``dates="shift"``, ``note_date`` and ``note_datetime`` are shifted like the dates in the notes of the same
        person. A policy that keeps dates keeps them too. Any other policy is an error, since NOTE requires dates.
    notes : DataFrame, Table, relation
        The table, of pandas, polars, pyarrow, DuckDB or Arrow, with the columns of the model in any case and order.
        Other columns are dropped.
    concepts : Concepts, optional
        The concept ids of codes, see `Concepts.open`. Default: none; all concept ids of mentions are 0.
    patients : mapping of int to Patient, optional
        Known data of persons, by ``person_id``; it is removed from their notes in all written forms.
        `known_persons` reads it from a table.
    ids : {"keep", "pseudonym"}, optional
        Whether ``person_id``, ``note_id``, ``visit_occurrence_id``, ``visit_detail_id`` and ``provider_id`` are kept,
        or replaced by `Pseudonyms`, which requires a key. ``note_event_id`` has no pseudonym.
    groups : sequence of str, optional
        The semantic groups of the mentions in NOTE_NLP; None for all. Default: disorders, findings, procedures, drugs,
        measurements.
    processed : datetime, optional
        The value of ``nlp_date`` and ``nlp_datetime``. Default: now, in UTC.
    threads : int, optional
        The number of threads. Default: the value of ``NOTESIEVE_THREADS``, or one per core.
    progress : bool, optional
        Whether to show a progress bar. Default: in a terminal or notebook.

    Returns
    -------
    Tables
        ``note`` and ``note_nlp``, in the library of `notes`, and the rows that are not in them.

    Raises
    ------
    FrameError
        If a column that the model requires is missing, or the policy removes dates.
    SettingError
        If pseudonyms are requested and there is no key.

    Examples
    --------
    >>> import datetime as dt
    >>> import pyarrow as pa
    >>> import notesieve as ns
    >>> from notesieve import omop
    >>> notes = pa.table(
    ...     {
    ...         "note_id": [1],
    ...         "person_id": [7],
    ...         "note_date": [dt.date(2020, 3, 1)],
    ...         "note_text": ["Dr. Brown: no asthma."],
    ...     }
    ... )
    >>> concepts = omop.Concepts({"mesh:D001249": 45614293}, {45614293: [317009]})
    >>> tables = omop.scrub_notes(ns.Scrubber("limited-data-set"), notes, concepts)
    >>> tables.note["note_text"][0].as_py()
    'Dr. [NAME]: no asthma.'
    >>> tables.note_nlp.select(["lexical_variant", "note_nlp_concept_id", "term_exists"]).to_pylist()
    [{'lexical_variant': 'asthma', 'note_nlp_concept_id': 317009, 'term_exists': 'N'}]
    """
    hidden, notes = HiddenRepr(notes), None
    kind = library_of(hidden.reveal())
    pa = import_pyarrow("OMOP")
    transform = NoteTransform(
        scrubber, concepts, patients=patients, ids=ids, groups=groups, processed=processed, threads=threads
    )
    columns = columns_of(hidden)
    total = max((len(column.reveal()) for column in columns.values()), default=0)
    made = []
    with Progress(progress, total=total) as bar:
        for first in range(0, max(total, 1), BATCH_NOTES):
            parts = {name: column.reveal()[first : first + BATCH_NOTES] for name, column in columns.items()}
            before = len(transform.problems)
            note, nlp, removed = transform.transform_rows(parts, parts.__getitem__)
            made.append((note, nlp))
            rows, size = min(BATCH_NOTES, total - first), sum(map(len, note["note_text"].to_pylist()))
            bar(rows, size, removed, len(transform.problems) - before)
    note, nlp = (_to_library(kind, pa.concat_tables(tables)) for tables in zip(*made, strict=True))
    return Tables(note, nlp, transform.problems, transform.provenance)


def _to_library(kind: str, table: Any) -> Any:
    """Convert an Arrow table to the library of the input."""
    if kind == "pandas":
        return table.to_pandas(types_mapper=__import__("pandas").ArrowDtype)
    if kind == "polars":
        return __import__("polars").from_arrow(table)
    return __import__("duckdb").from_arrow(table) if kind == "duckdb" else table
