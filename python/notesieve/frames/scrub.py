"""Data frames of any library: rows in, a frame of the same type with the same rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any

from notesieve.errors import FrameError, RowError
from notesieve.frames.column_plan import Plan
from notesieve.frames.columns import check_on_error, has_arrow_interface, import_pyarrow, library_of
from notesieve.frames.dates import refuse_unshifted_dates, shift_dates
from notesieve.frames.findings import row_findings
from notesieve.frames.libraries import open_frame
from notesieve.frames.patients import RowPatient, patients_of_rows, pseudonyms_of_rows
from notesieve.hidden_repr import HiddenRepr
from notesieve.progress import Progress
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import Scrubber
    from notesieve.findings_file import FindingsFile


def scrub_frame(
    scrubber: Scrubber,
    frame: HiddenRepr,
    columns: Mapping[str, Any],
    *,
    index: str | None = None,
    on_error: str = "mask",
    threads: int | None = None,
    progress: bool | None = None,
) -> Any:
    """Implement `Scrubber.scrub_frame`; `columns` are the arguments of a `Plan`."""
    check_on_error(on_error)
    kind = library_of(frame.reveal())
    if kind in ("pyspark", "dask"):
        other, page = (
            ("notesieve.spark.scrub(frame, ...)", "spark") if kind == "pyspark" else ("map_partitions", "dask")
        )
        raise FrameError(f"the rows of this frame are spread over workers: use {other}, see docs/how-to/{page}.md")
    scrub_part = partial(scrub_frame, scrubber, columns=columns, on_error=on_error, threads=threads, progress=False)
    if kind == "polars" and hasattr(frame.reveal(), "collect_schema") and hasattr(frame.reveal(), "collect"):
        return _scrub_lazy_polars(frame.reveal(), scrub_part)
    if kind == "pyarrow" and hasattr(frame.reveal(), "read_next_batch"):
        return _scrub_record_batches(frame.reveal(), scrub_part)
    if index is not None and kind != "pandas":
        raise FrameError("index= is for frames of pandas; this one has no index")
    opened = open_frame(frame, index)
    plan = Plan(opened.names, **columns)
    if kind == "pandas":
        opened.check_index(plan)
    rows = len(frame.reveal()) if hasattr(frame.reveal(), "__len__") and kind != "duckdb" else None
    with Progress(progress, total=rows) as bar:
        result, failed, errors = scrub_table(scrubber, opened, plan, threads=threads, progress=bar)
    if failed and on_error == "raise":
        raise RowError(result, failed, bar.rows, errors)
    return result


def scrub_table(
    scrubber: Scrubber,
    opened: Any,
    plan: Plan,
    *,
    threads: int | None,
    progress: Callable[[int, int, int, int], object] | None,
    findings: FindingsFile | None = None,
) -> tuple[Any, int, list[tuple[int, str]]]:
    """Scrub a frame of `notesieve.frames.libraries`; return the result, the number of failures and the first errors."""
    found = row_findings(plan, opened.column_values, findings)
    if plan.excluded is not None and plan.patient is not None:
        stays = plan.excluded.kept_rows(opened.column_values(plan.patient))
        opened.keep_rows(stays)
        found = found and list(compress(found, stays))
    source = HiddenRepr(opened.text_source(plan.text))
    scrub = scrubber._scrub_arrow if has_arrow_interface(source.reveal()) else scrubber._scrub_iterable
    refuse_unshifted_dates(scrubber, plan, opened.column_values)
    patients, pseudonym_column = row_patients(scrubber, plan, opened.column_values)
    scrubbed = scrub(
        source.reveal(),
        outputs=plan.outputs,
        patients=patients,
        findings=found,
        threads=threads,
        progress=progress,
    )
    moved = {name: shift_dates(scrubber, opened.column_values(name), patients, name) for name in plan.dates}
    return opened.build_result(plan, scrubbed.columns, pseudonym_column, moved), scrubbed.failed, scrubbed.errors


def row_patients(
    scrubber: Scrubber, plan: Plan, values: Callable[[str], list[Any]]
) -> tuple[list[RowPatient] | None, dict[str, list[str | None]]]:
    """Return the patient of each row, and the column of their pseudonyms if there is a key.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber, for its key.
    plan : Plan
        The plan, which names the columns with patient data.
    values : callable
        Returns a column as a list.
    """
    if not plan.patient_columns:
        return None, {}
    column = values(plan.patient) if plan.patient is not None else None
    patients = patients_of_rows(column, {name: values(name) for name in plan.fields}, plan.fields)
    if plan.patient is None or column is None or scrubber.key is None or plan.patient in plan.kept:
        return patients, {}
    return patients, {plan.patient: pseudonyms_of_rows(scrubber.key, column)}


def _scrub_lazy_polars(frame: Any, scrub_part: Callable[[HiddenRepr], Any]) -> Any:
    @keep_texts_out_of_tracebacks
    def scrub(part: Any) -> Any:
        return scrub_part(HiddenRepr(part))

    # The result for no rows has the same schema as any other.
    schema = scrub(frame.head(0).collect()).schema
    return frame.map_batches(scrub, schema=schema, streamable=True)


def _scrub_record_batches(reader: Any, scrub_part: Callable[[HiddenRepr], Any]) -> Any:
    pa = import_pyarrow("a RecordBatchReader")
    empty = scrub_part(HiddenRepr(reader.schema.empty_table()))

    @keep_texts_out_of_tracebacks
    def scrub_batches() -> Iterator[Any]:
        for batch in reader:
            yield from scrub_part(HiddenRepr(pa.table(batch))).to_batches()

    return pa.RecordBatchReader.from_batches(empty.schema, scrub_batches())
