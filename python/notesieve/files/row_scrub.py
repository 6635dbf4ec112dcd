"""Scrub rows as they are read, in batches of some megabytes, and write them in the format of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeVar

from notesieve.errors import EXPLAINED
from notesieve.files.row_files import Row
from notesieve.frames.column_plan import Plan
from notesieve.frames.dates import refuse_unshifted_dates, shift_dates
from notesieve.frames.findings import row_findings
from notesieve.frames.scrub import row_patients

if TYPE_CHECKING:
    from notesieve.files.table_options import TableOptions
    from notesieve.findings_file import FindingsFile
    from notesieve.progress import Progress
    from notesieve.scrubber import Scrubber

BATCH_BYTES = 8 << 20
"""Bytes of text per batch. A few batches are in memory at once: prefetched, being scrubbed, being written."""

MAX_BATCH_ROWS = 1 << 14
"""The maximum number of rows per batch, for short notes."""

T = TypeVar("T")


@dataclass
class Counts:
    """Counts for one file; also advances a progress bar by the bytes read of the file."""

    bar: Progress | None = None
    rows: int = 0
    failed: int = 0
    place: int = 0

    def __call__(self, rows: int, size: int, removed: int, failed: int) -> None:
        """Add the counts of one batch."""
        self.rows += rows
        self.failed += failed
        if self.bar is not None:
            self.bar(rows, size, removed, failed, done=0)

    def move_to(self, place: int) -> None:
        """Advance the bar to the current position in the input file."""
        if self.bar is not None:
            self.bar(0, 0, 0, 0, done=place - self.place)
        self.place = place


@dataclass(eq=False, repr=False)
class RowScrubber:
    """Scrubs the rows of one file or stream.

    Attributes
    ----------
    scrubber : Scrubber
        The scrubber.
    options : TableOptions
        The columns to read and to write.
    threads : int or None
        The number of threads to use.
    counts : Counts
        The counter of the rows.
    warnings : list of str
        The list to which rows with wrong quotation marks are reported.
    findings : FindingsFile, optional
        Findings of other systems in the notes.
    """

    scrubber: Scrubber
    options: TableOptions
    threads: int | None
    counts: Counts
    warnings: list[str]
    findings: FindingsFile | None = None

    def scrub(self, table: Any, out: Any, *, name: str, keys: Mapping[str, str | None]) -> Iterator[None]:
        """Write the scrubbed rows of an open table; yield after each batch. `keys` are partition keys."""
        keys = {key: value for key, value in keys.items() if key not in (table.names or ())}
        plan = self.options.plan(None if table.names is None else [*table.names, *keys])
        pseudonym = [plan.patient] if plan.patient and self.scrubber.key and plan.patient not in plan.kept else []
        written = [column for column in plan.order if column not in keys]
        passing = [column for column in plan.read if column != plan.text and column not in keys]
        columns = [*written, *plan.new.values(), *pseudonym]
        if table.names is not None:
            table.write(out, columns, [])
        for rows in prefetch(_row_batches(table.read(plan.text, passing))):
            for row in rows:
                row.kept.update(keys)
            self._write(table, out, plan, rows, written, columns)
            self.warnings += _broken_row_warnings(name, rows)
            yield

    def _write(self, table: Any, out: Any, plan: Plan, rows: list[Row], written: list[str], columns: list[str]) -> None:
        values = _column_reader(rows)
        found = row_findings(plan, values, self.findings)
        if plan.excluded is not None and plan.patient is not None:
            stays = plan.excluded.kept_rows(values(plan.patient))
            rows, found = list(compress(rows, stays)), found and list(compress(found, stays))
            values = _column_reader(rows)
        patients, more = row_patients(self.scrubber, plan, values)
        refuse_unshifted_dates(self.scrubber, plan, values)
        for column in plan.dates:
            for row, value in zip(rows, shift_dates(self.scrubber, values(column), patients, column), strict=True):
                row.kept[column] = value
        scrubbed = self.scrubber._scrub_iterable(
            [None if row.error else row.text for row in rows],
            outputs=[*plan.outputs, "error"],
            patients=patients,
            findings=found,
            threads=self.threads,
            progress=self.counts,
        )
        self.counts(0, 0, 0, sum(row.error is not None for row in rows))
        table.write(out, columns, _output_rows(plan, rows, written, scrubbed.columns, more))


def _row_batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Yield rows in batches of limited text and number."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row.text) if isinstance(row.text, str) else 0
        if size >= BATCH_BYTES or len(batch) >= MAX_BATCH_ROWS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _broken_row_warnings(name: str, rows: list[Row]) -> Iterator[str]:
    """Yield a warning for each row with a wrong quotation mark, with the lines lost."""
    for row in rows:
        if row.error in ("quote", "stray"):
            place = f"line {row.line}" if row.lines == 1 else f"lines {row.line} to {row.line + row.lines - 1}"
            yield f"{name}: at {place}: {EXPLAINED[row.error]}"


def _column_reader(rows: list[Row]) -> Callable[[str], list[Any]]:
    """Return a function that returns a column of the rows as a list."""
    return lambda name: [row.kept.get(name) for row in rows]


def _output_rows(
    plan: Plan,
    rows: list[Row],
    written: list[str],
    columns: dict[str, list[Any]],
    more: dict[str, list[str | None]],
) -> Iterator[dict[str, Any]]:
    """Yield the output rows: the kept columns followed by the new ones."""
    for at, row in enumerate(rows):
        item = {name: columns["text"][at] if name == plan.text else row.kept.get(name) for name in written}
        for part, name in plan.new.items():
            item[name] = row.error or columns["error"][at] if part == "error" else columns[part][at]
        yield {**item, **{name: values[at] for name, values in more.items()}}


def prefetch(items: Iterator[T]) -> Iterator[T]:
    """Yield items; a background thread gets the next one while the caller works on the current one."""
    end = object()
    with ThreadPoolExecutor(1, "notesieve-read") as pool:
        coming: Future[Any] = pool.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, items, end)
            yield item
