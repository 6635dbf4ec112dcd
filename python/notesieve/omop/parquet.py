"""NOTE in Parquet files, read and written in batches."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve.errors import EXPLAINED, FileError, FrameError
from notesieve.files.output_folder import OutputFolder, atomic_write
from notesieve.files.reading_errors import explain_file_error, is_file_error
from notesieve.frames.columns import import_pyarrow
from notesieve.omop.cdm import NOTE, NOTE_NLP, schema
from notesieve.omop.note_tables import BATCH_NOTES, NoteTransform
from notesieve.progress import Progress
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve.omop.athena import Concepts
    from notesieve.omop.rows import Problem
    from notesieve.scrubber import Scrubber

_OUTPUTS = ("note.parquet", "note_nlp.parquet", "problems.csv", "provenance.json")


@keep_texts_out_of_tracebacks
def scrub_parquet(
    scrubber: Scrubber,
    source: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    concepts: Concepts | None = None,
    *,
    overwrite: bool = False,
    progress: bool | None = None,
    **options: Any,
) -> list[Problem]:
    """De-identify a NOTE table in Parquet, with one batch of notes in memory at a time.

    Parameters
    ----------
    scrubber : Scrubber
        As for `scrub_notes`.
    source : path-like
        A Parquet file, or a folder of them.
    folder : path-like
        The folder for ``note.parquet``, ``note_nlp.parquet``, ``problems.csv`` (row and reason of each row that is not
        in the output) and ``provenance.json``. Each file is written atomically.
    concepts : Concepts, optional
        As for `scrub_notes`.
    overwrite : bool, optional
        Whether to replace existing outputs.
    progress : bool, optional
        Whether to show a progress bar. Default: in a terminal or notebook.
    **options
        ``patients``, ``ids``, ``groups``, ``processed``, ``threads``, as for `scrub_notes`.

    Returns
    -------
    list of Problem
        The rows that are not in the output.

    Raises
    ------
    FileError
        If the source cannot be read.
    FrameError
        If a column that the model requires is missing, outputs exist already, or the policy removes dates.

    Examples
    --------
    >>> import datetime as dt, tempfile
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> import notesieve as ns
    >>> from notesieve import omop
    >>> rows = {"note_id": [1, 2], "person_id": [7, 7], "note_date": [dt.date(2020, 3, 1)] * 2}
    >>> rows["note_text"] = ["No fever.", None]
    >>> with tempfile.TemporaryDirectory() as place:
    ...     pq.write_table(pa.table(rows), f"{place}/in.parquet")
    ...     omop.scrub_parquet(ns.Scrubber("limited-data-set"), f"{place}/in.parquet", f"{place}/out")
    [Problem(row=1, code='null')]
    """
    if not Path(source).exists():
        raise FileError(f"{source}: there is no such file or folder")
    transform = NoteTransform(scrubber, concepts, **options)
    out = OutputFolder(Path(folder))
    with out.lock_against_other_runs(), ExitStack() as stack:
        there = [name for name in _OUTPUTS if (out.path / name).exists()]
        if there and not overwrite:
            raise FrameError(f"{out.path}: has {there[0]} already; take another folder, or overwrite it (--overwrite)")
        partial = {name: stack.enter_context(atomic_write(out.path / name)) for name in _OUTPUTS}
        _write_tables(transform, Path(source), partial, progress)
        with partial["problems.csv"].open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["row", "code", "meaning"])
            lines.writerows([row, code, EXPLAINED[code]] for row, code in transform.problems)
        provenance = {**transform.provenance, "rows": transform.rows, "not_written": len(transform.problems)}
        partial["provenance.json"].write_text(json.dumps(provenance, indent=1) + "\n", encoding="utf-8")
    return transform.problems


def _column_reader(rows: Any) -> Callable[[str], list[Any]]:
    """Return a function that returns a column of a record batch as a list."""
    return lambda name: list(rows[name].to_pylist())


def _write_tables(transform: NoteTransform, source: Path, partial: dict[str, Path], progress: bool | None) -> None:
    import_pyarrow("OMOP")
    from pyarrow import dataset, parquet

    wanted = {field.name for field in NOTE}
    try:
        read = dataset.dataset(source, format="parquet")
        names = [name for name in read.schema.names if name.lower() in wanted]
        with (
            parquet.ParquetWriter(partial["note.parquet"], schema(NOTE)) as notes,
            parquet.ParquetWriter(partial["note_nlp.parquet"], schema(NOTE_NLP)) as mentions,
            Progress(progress, total=read.count_rows()) as bar,
        ):
            for rows in read.to_batches(columns=names, batch_size=BATCH_NOTES):
                before = len(transform.problems)
                note, nlp, removed = transform.transform_rows(names, _column_reader(rows))
                notes.write_table(note)
                mentions.write_table(nlp)
                size = rows.get_total_buffer_size()
                bar(rows.num_rows, size, removed, len(transform.problems) - before)
    except FrameError:
        raise
    except Exception as problem:
        if not is_file_error(problem):
            raise
        raise FileError(f"{source}: {explain_file_error(problem)}") from None
