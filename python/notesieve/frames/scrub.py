"""Data frames of any library: rows in, the same kind of frame with the same rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from notesieve.errors import FrameError, RowError
from notesieve.frames.column_plan import OUTPUTS, Plan
from notesieve.frames.columns import check_on_error, import_pyarrow, library_of, speaks_arrow
from notesieve.frames.dates import refuse_unshifted_dates, shift_dates
from notesieve.frames.excluded import ExcludedPatients
from notesieve.frames.findings import row_findings
from notesieve.frames.libraries import Arrow, Pandas, Polars
from notesieve.frames.patients import RowPatient, patients_of_rows, pseudonyms_of_rows
from notesieve.hidden_repr import HiddenRepr
from notesieve.progress import Progress
from notesieve.tracebacks import without_texts

if TYPE_CHECKING:
    from notesieve._core import Scrubber
    from notesieve.findings_file import FindingsFile


def scrub_frame(
    scrubber: Scrubber,
    frame: HiddenRepr,
    text: str,
    *,
    id: str | None = None,  # noqa: A002 the name that users know
    keep: Sequence[str] = (),
    patient: str | None = None,
    known: Sequence[str] | Mapping[str, str] = (),
    outputs: Sequence[str] = OUTPUTS,
    dates: Sequence[str] = (),
    unshifted_dates: Sequence[str] = (),
    findings: str | None = None,
    exclude_patients: Iterable[object] | ExcludedPatients | None = None,
    index: str | None = None,
    on_error: str = "mask",
    threads: int | None = None,
    progress: bool | None = None,
) -> Any:
    """Do what `Scrubber.scrub_frame` says."""
    check_on_error(on_error)
    kind = library_of(frame.reveal())
    columns: dict[str, Any] = {
        "id": id,
        "keep": keep,
        "patient": patient,
        "known": known,
        "outputs": outputs,
        "dates": dates,
        "unshifted_dates": unshifted_dates,
        "findings": findings,
        "exclude_patients": None if exclude_patients is None else ExcludedPatients.from_identifiers(exclude_patients),
    }
    rest: dict[str, Any] = {**columns, "on_error": on_error, "threads": threads}
    if kind in ("pyspark", "dask"):
        other, page = (
            ("notesieve.spark.scrub(frame, ...)", "spark") if kind == "pyspark" else ("map_partitions", "dask")
        )
        raise FrameError(f"the rows of this frame are spread over workers: use {other}, see docs/how-to/{page}.md")
    if kind == "polars" and hasattr(frame.reveal(), "collect_schema") and hasattr(frame.reveal(), "collect"):
        return _scrub_lazy_polars(scrubber, frame.reveal(), text, rest)
    if kind == "pyarrow" and hasattr(frame.reveal(), "read_next_batch"):
        return _scrub_record_batches(scrubber, frame.reveal(), text, rest)
    if index is not None and kind != "pandas":
        raise FrameError("index= is for frames of pandas; this one has no index")
    opened: Any = Pandas(frame, index) if kind == "pandas" else Polars(frame) if kind == "polars" else Arrow(frame)
    plan = Plan(opened.names, text, **columns)
    if kind == "pandas":
        opened.check_index(plan)
    rows = len(frame.reveal()) if hasattr(frame.reveal(), "__len__") and kind != "duckdb" else None
    with Progress(progress, total=rows) as bar:
        result, failed, errors = _scrub(scrubber, opened, plan, threads, bar)
    if failed and on_error == "raise":
        raise RowError(result, failed, bar.rows, errors)
    return result


def scrub_table(
    scrubber: Scrubber,
    table: Any,
    plan: Plan,
    *,
    threads: int | None,
    progress: Callable[[int, int, int, int], object] | None,
    findings: FindingsFile | None = None,
) -> tuple[Any, int, list[tuple[int, str]]]:
    """Scrub a table of pyarrow by a plan made for it; tell how many rows failed, and the first of them."""
    return _scrub(scrubber, Arrow(HiddenRepr(table)), plan, threads, progress, findings)


def _scrub(
    scrubber: Scrubber,
    opened: Any,
    plan: Plan,
    threads: int | None,
    progress: Callable[[int, int, int, int], object] | None,
    findings: FindingsFile | None = None,
) -> tuple[Any, int, list[tuple[int, str]]]:
    found = row_findings(plan, opened.column_values, findings)
    if plan.excluded is not None and plan.patient is not None:
        stays = plan.excluded.kept_rows(opened.column_values(plan.patient))
        opened.keep_rows(stays)
        found = found and list(compress(found, stays))
    source = HiddenRepr(opened.text_source(plan.text))
    scrub = scrubber._scrub_arrow if speaks_arrow(source.reveal()) else scrubber._scrub_iterable
    refuse_unshifted_dates(scrubber, plan, opened.column_values)
    patients, stands_for = row_patients(scrubber, plan, opened.column_values)
    scrubbed = scrub(
        source.reveal(),
        outputs=plan.outputs,
        patients=patients,
        findings=found,
        threads=threads,
        progress=progress,
    )
    moved = {name: shift_dates(scrubber, opened.column_values(name), patients, name) for name in plan.dates}
    return opened.build_result(plan, scrubbed.columns, stands_for, moved), scrubbed.failed, scrubbed.errors


def row_patients(
    scrubber: Scrubber, plan: Plan, values: Callable[[str], list[Any]]
) -> tuple[list[RowPatient] | None, dict[str, list[str | None]]]:
    """Give the patient of each row, and the column of their pseudonyms if there is a key.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber, for its key.
    plan : Plan
        Which columns tell of patients.
    values : callable
        Gives a column as a list.
    """
    if not plan.patient_columns:
        return None, {}
    column = values(plan.patient) if plan.patient is not None else None
    patients = patients_of_rows(column, {name: values(name) for name in plan.fields}, plan.fields)
    if plan.patient is None or column is None or scrubber.key is None or plan.patient in plan.kept:
        return patients, {}
    return patients, {plan.patient: pseudonyms_of_rows(scrubber.key, column)}


def _scrub_lazy_polars(scrubber: Scrubber, frame: Any, text: str, rest: dict[str, Any]) -> Any:
    @without_texts
    def scrub(part: Any) -> Any:
        return scrub_frame(scrubber, HiddenRepr(part), text, progress=False, **rest)

    # What comes out of no rows has the columns of what comes out of many.
    schema = scrub(frame.head(0).collect()).schema
    return frame.map_batches(scrub, schema=schema, streamable=True)


def _scrub_record_batches(scrubber: Scrubber, reader: Any, text: str, rest: dict[str, Any]) -> Any:
    pa = import_pyarrow("a RecordBatchReader")
    empty = scrub_frame(scrubber, HiddenRepr(reader.schema.empty_table()), text, progress=False, **rest)

    @without_texts
    def scrub_batches() -> Iterator[Any]:
        for batch in reader:
            yield from scrub_frame(scrubber, HiddenRepr(pa.table(batch)), text, progress=False, **rest).to_batches()

    return pa.RecordBatchReader.from_batches(empty.schema, scrub_batches())
