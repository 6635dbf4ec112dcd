"""Columns of any library: notes in, a column of the same type out.

Columns are exchanged as Arrow (PyCapsule interface), so that texts are read in place without a copy, or as Python
objects, one by one. This module imports no library by itself; it uses the library of the column that the caller passes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from notesieve.batches import batches
from notesieve.errors import FrameError, RowError, SettingError
from notesieve.hidden_repr import HiddenRepr
from notesieve.progress import Progress
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import Scrubber

# The number of texts read ahead from an iterator.
_LAZY_BATCH = 256


def scrub_column(
    scrubber: Scrubber,
    column: HiddenRepr,
    *,
    threads: int | None = None,
    on_error: str = "raise",
    progress: bool | None = None,
) -> Any:
    """Implement `Scrubber.scrub_column`."""
    check_on_error(on_error)
    if isinstance(column.reveal(), (str, bytes)):
        raise FrameError("a column is expected, not one text: use scrub(), or put it into a list")
    if isinstance(column.reveal(), Iterator):
        return _scrub_lazily(scrubber, column.reveal(), threads, on_error)
    with Progress(progress, total=len(column.reveal()) if hasattr(column.reveal(), "__len__") else None) as bar:
        source, restore = _source_and_restorer(column)
        scrub = scrubber._scrub_arrow if has_arrow_interface(source.reveal()) else scrubber._scrub_iterable
        scrubbed = scrub(source.reveal(), outputs=["text"], threads=threads, progress=bar)
        result = restore(scrubbed.columns)
    if scrubbed.failed and on_error == "raise":
        raise RowError(result, scrubbed.failed, bar.rows, scrubbed.errors)
    return result


@keep_texts_out_of_tracebacks
def _scrub_lazily(scrubber: Scrubber, texts: Iterator[Any], threads: int | None, on_error: str) -> Iterator[str | None]:
    """Scrub texts in batches on demand. The results before an error are yielded first."""
    first = 0
    for ahead in batches(texts, _LAZY_BATCH):
        scrubbed = scrubber._scrub_iterable(ahead, outputs=["text"], threads=threads)
        texts_out = scrubbed.columns["text"]
        if scrubbed.failed and on_error == "raise":
            errors = [(first + row, code) for row, code in scrubbed.errors]
            yield from texts_out[: scrubbed.errors[0][0]]
            raise RowError(texts_out, scrubbed.failed, len(ahead), errors)
        yield from texts_out
        first += len(ahead)


def check_on_error(on_error: str) -> None:
    """Raise if the value of `on_error` is unknown."""
    if on_error not in ("raise", "mask"):
        raise SettingError(f"on_error={on_error!r} is not one of raise, mask")


def has_arrow_interface(source: Any) -> bool:
    """Return whether an object has the Arrow interface for Python (`__arrow_c_stream__` or `__arrow_c_array__`)."""
    return hasattr(source, "__arrow_c_array__") or hasattr(source, "__arrow_c_stream__")


def library_of(thing: Any) -> str:
    """Return the name of the package of an object's class; also ``pandas`` for subclasses of pandas classes."""
    for kind in type(thing).__mro__:
        root = kind.__module__.partition(".")[0].lstrip("_")
        if root in ("pandas", "polars", "pyarrow", "duckdb", "numpy", "arro3", "pyspark", "dask"):
            return root
    return ""


def import_pyarrow(why: str) -> Any:
    """Return pyarrow, or raise an error that says how to install it."""
    try:
        import pyarrow
    except ImportError:
        raise FrameError(f"{why} needs pyarrow: pip install 'notesieve[frames]'") from None
    return pyarrow


def _source_and_restorer(given: HiddenRepr) -> tuple[HiddenRepr, Callable[[Any], Any]]:
    """Return the core's input for a column, and a function that converts the result to a column of the same type."""
    column = given.reveal()
    kind, name = library_of(column), type(column).__name__
    if hasattr(column, "columns") and kind in ("pandas", "polars"):
        raise FrameError(f"a {name} is no column: take one of its columns, or use scrub_frame()")
    if kind == "pandas":
        return HiddenRepr(pandas_source(column)), lambda table: pandas_series(table, "text", column)
    if kind == "polars":
        polars = sys.modules["polars"]
        return HiddenRepr(polars_source(column)), lambda table: polars.DataFrame(table)["text"].alias(column.name)
    if kind == "numpy":
        if column.ndim != 1:
            raise FrameError(f"an array of {column.ndim} dimensions is no column: take one of its columns")
        # A caller with a numpy array has imported numpy; without it, importing notesieve is twice as fast.
        numpy = sys.modules["numpy"]
        return HiddenRepr(column.tolist()), lambda lists: numpy.array(lists["text"], dtype=object)
    if kind == "duckdb":
        return _duckdb_source_and_restorer(column)
    if not has_arrow_interface(column):
        if not isinstance(column, Iterable):
            raise FrameError(
                f"{name} is no column: take a list, a Series or any object with the Arrow PyCapsule interface"
            )
        is_tuple = isinstance(column, tuple)
        return given, lambda lists: tuple(lists["text"]) if is_tuple else lists["text"]
    if kind == "pyarrow" and hasattr(column, "__arrow_c_array__"):
        return given, lambda table: _combine_chunks(import_pyarrow("an Array").table(table)["text"])
    if kind == "arro3":
        from arro3.core import ChunkedArray, Table

        chunked = isinstance(column, ChunkedArray)

        def restore(table: Any) -> Any:
            text = Table.from_arrow(table)["text"]
            return text if chunked else text.combine_chunks()

        return given, restore
    return given, lambda table: import_pyarrow(name).table(table)["text"]


def _combine_chunks(chunks: Any) -> Any:
    """Combine chunks into one array, even where pyarrow returns chunks."""
    array = chunks.combine_chunks()
    return array.chunk(0) if hasattr(array, "chunk") and array.num_chunks == 1 else array


def _duckdb_source_and_restorer(relation: Any) -> tuple[HiddenRepr, Callable[[Any], Any]]:
    """Do the same for a DuckDB relation with one column."""
    if len(relation.columns) != 1:
        message = f"a relation of {len(relation.columns)} columns is no column: project one, or use scrub_frame()"
        raise FrameError(message)
    (name,) = relation.columns
    source = import_pyarrow("a DuckDB relation").table(relation)[0]

    def restore(table: Any) -> Any:
        return sys.modules["duckdb"].from_arrow(import_pyarrow("a DuckDB relation").table(table).rename_columns([name]))

    return HiddenRepr(source), restore


def polars_source(series: Any) -> Any:
    """Return the core's input for a polars Series. One of type Null is cast to strings."""
    polars = sys.modules["polars"]
    return series.cast(polars.String) if series.dtype == polars.Null else series


# ---- pandas


def pandas_source(series: Any) -> Any:
    """Return the core's input for a pandas Series: its Arrow memory if it has any, otherwise its objects."""
    pandas = sys.modules["pandas"]
    dtype = series.dtype
    in_arrow = isinstance(dtype, pandas.ArrowDtype) or getattr(dtype, "storage", None) == "pyarrow"
    if in_arrow or (isinstance(dtype, pandas.CategoricalDtype) and find_spec("pyarrow") is not None):
        return import_pyarrow("a Series of pandas").array(series.array)
    missing = series.isna().to_numpy()
    # None, nan, NA and NaT all mean missing.
    return [None if gone else value for gone, value in zip(missing, series.to_numpy(dtype=object), strict=True)]


def pandas_series(table: Any, name: str, like: Any) -> Any:
    """Convert a column of the result to a Series with the dtype, the index and the name of another."""
    pandas = sys.modules["pandas"]
    dtype = like.dtype
    if isinstance(table, dict):
        texts: Sequence[str | None] = table[name]
        if isinstance(dtype, pandas.CategoricalDtype):
            return pandas.Series(pandas.Categorical(texts), index=like.index, name=like.name)
        text = isinstance(dtype, pandas.StringDtype)
        return pandas.Series(texts, index=like.index, name=like.name, dtype=dtype if text else object)
    chunks = import_pyarrow("a Series of pandas").table(table)[name]
    if isinstance(dtype, pandas.CategoricalDtype):
        values = chunks.unify_dictionaries().combine_chunks().to_pandas()
    elif import_pyarrow("a Series of pandas").types.is_null(chunks.type):
        values = pandas.Series([None] * len(chunks), dtype=object).astype(dtype)
    else:
        values = dtype.__from_arrow__(chunks)
    result = pandas.Series(values, name=like.name)
    result.index = like.index
    return result
