"""Adapters for frames of each library: read columns, and build a result of the same type.

The result contains nothing that was not requested: no index, attributes or metadata, no unused categories or
dictionary entries.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from notesieve.errors import FrameError, SettingError
from notesieve.frames.columns import (
    has_arrow_interface,
    import_pyarrow,
    library_of,
    pandas_series,
    pandas_source,
    polars_source,
)
from notesieve.frames.metadata import strip_column, strip_series, strip_table
from notesieve.hidden_repr import HiddenRepr

if TYPE_CHECKING:
    from notesieve.frames.column_plan import Plan


class Pandas:
    """A DataFrame of pandas. Columns are selected by position, since their names can be anything.

    A level of the index is treated like a column: it is in the result if it is named.
    """

    def __init__(self, frame: HiddenRepr, index: str | None) -> None:
        if index not in (None, "keep", "drop"):
            raise SettingError(f"index={index!r} is not one of keep, drop")
        self.frame, self.index = _require_columns(frame), index
        columns = list(frame.reveal().columns)
        self.levels = [name for name in frame.reveal().index.names if name is not None and name not in columns]
        self.names = columns + self.levels

    def check_index(self, plan: Plan) -> None:
        """Raise unless the caller decided what happens to the index, which can contain record numbers."""
        index = self.frame.reveal().index
        if self.index is None and not self._kept_levels(plan) and not index.equals(range_index(len(index))):
            raise FrameError(
                "the index of the frame is not 0, 1, 2, ...: index='keep' gives it to the result, so that rows stay "
                "with theirs; index='drop' numbers the rows anew"
            )

    def _kept_levels(self, plan: Plan) -> list[str]:
        return [name for name in self.levels if name in plan.kept]

    def text_source(self, text: str) -> Any:
        """Return the column with the notes as input for the core."""
        return pandas_source(self._series_of_column(text))

    def column_values(self, name: str) -> list[Any]:
        """Return a column as a list."""
        series = self._series_of_column(name)
        objects = series.to_numpy(dtype=object)
        return [None if gone else value for gone, value in zip(series.isna(), objects, strict=True)]

    def _series_of_column(self, name: str) -> Any:
        frame = self.frame.reveal()
        if name in self.levels:
            return frame.index.get_level_values(name).to_series(index=frame.index)
        return frame.iloc[:, self.names.index(name)]

    def keep_rows(self, stays: list[bool]) -> None:
        """Keep some of the rows. A default index is numbered anew."""
        frame = self.frame.reveal()
        numbered = not self.levels and frame.index.equals(range_index(len(frame)))
        rows = frame.loc[sys.modules["numpy"].array(stays, dtype=bool)]
        self.frame = HiddenRepr(rows.reset_index(drop=True) if numbered else rows)

    def build_result(
        self, plan: Plan, table: Any, more: dict[str, list[str | None]], moved: dict[str, list[Any]]
    ) -> Any:
        """Return a frame of the same type with the kept columns and the results."""
        pandas = sys.modules["pandas"]
        frame = self.frame.reveal()
        if plan.text in self.levels:
            raise FrameError(f"{plan.text!r} is a level of the index and no column: reset_index() makes it one")
        like = self._series_of_column(plan.text)
        places = [self.names.index(name) for name in plan.order if name not in self.levels]
        result = frame.iloc[:, places].copy()
        columns = table if isinstance(table, dict) else import_pyarrow("a frame of pandas").table(table)
        new = {plan.text: pandas_series(columns, "text", like)}
        for part, name in plan.new.items():
            values = columns[part]
            if part == "coded":
                new[name] = pandas_series(columns, part, like)
            elif isinstance(values, list):
                dtype = pandas.Int32Dtype() if part.startswith("removed_") else object
                new[name] = pandas.Series(values, index=like.index, dtype=dtype)
            elif part == "error":
                new[name] = pandas.Series(values.to_pandas().array, index=like.index)
            else:
                dtype = pandas.Int32Dtype() if part.startswith("removed_") else pandas.ArrowDtype(values.type)
                new[name] = pandas.Series(dtype.__from_arrow__(values), index=like.index)
        new |= {name: pandas.Series(texts, index=like.index, dtype=object) for name, texts in more.items()}
        new |= {
            name: pandas.Series(values, index=like.index, dtype=self._series_of_column(name).dtype)
            for name, values in moved.items()
        }
        for name, series in new.items():
            result[name] = series.array
        return self._strip_unnamed(result, plan)

    def _strip_unnamed(self, result: Any, plan: Plan) -> Any:
        """Remove what pandas carries along: attributes, unused categories, an index that was not requested."""
        result.attrs, result.columns.names = {}, [None] * result.columns.nlevels
        for at, dtype in enumerate(result.dtypes):
            if hasattr(dtype, "categories"):
                result.isetitem(at, result.iloc[:, at].cat.remove_unused_categories())
            elif isinstance(dtype, sys.modules["pandas"].ArrowDtype):
                pa = import_pyarrow("a column of Arrow")
                values = pa.array(result.iloc[:, at].array)  # chunked if the column is
                chunks = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
                values = strip_column(pa, chunks)
                made = sys.modules["pandas"].ArrowDtype(values.type).__from_arrow__(values)
                result.isetitem(at, sys.modules["pandas"].Series(made, index=result.index))
        if self.index == "keep":
            return result
        kept = self._kept_levels(plan)
        if not kept or self.index == "drop":
            return result.reset_index(drop=True)
        index = result.index.droplevel([at for at, name in enumerate(result.index.names) if name not in kept])
        if hasattr(index, "remove_unused_levels"):
            index = index.remove_unused_levels()
        elif hasattr(index, "remove_unused_categories"):
            index = index.remove_unused_categories()
        return result.set_axis(index)


def open_frame(frame: HiddenRepr, index: str | None = None) -> Any:
    """Open a frame of any library; `index` says whether to keep the index of a pandas frame."""
    kind = library_of(frame.reveal())
    return Pandas(frame, index) if kind == "pandas" else Polars(frame) if kind == "polars" else Arrow(frame)


def range_index(rows: int) -> Any:
    """Return the index 0, 1, 2, ..."""
    return sys.modules["pandas"].RangeIndex(rows)


def _require_columns(frame: HiddenRepr) -> HiddenRepr:
    """Raise if an object has no columns."""
    if not hasattr(frame.reveal(), "columns"):
        raise FrameError(f"a {type(frame.reveal()).__name__} is no frame: use scrub_column(), or its to_frame()")
    return frame


class Polars:
    """A DataFrame of polars."""

    def __init__(self, frame: HiddenRepr) -> None:
        self.frame = _require_columns(frame)
        self.names = list(frame.reveal().columns)

    def text_source(self, text: str) -> Any:
        """Return the column with the notes as input for the core."""
        return polars_source(self.frame.reveal()[text])

    def column_values(self, name: str) -> list[Any]:
        """Return a column as a list."""
        return list(self.frame.reveal()[name].to_list())

    def keep_rows(self, stays: list[bool]) -> None:
        """Keep some of the rows."""
        self.frame = HiddenRepr(self.frame.reveal().filter(sys.modules["polars"].Series(stays, dtype=bool)))

    def build_result(
        self, plan: Plan, table: Any, more: dict[str, list[str | None]], moved: dict[str, list[Any]]
    ) -> Any:
        """Return a frame of the same type with the kept columns and the results."""
        polars = sys.modules["polars"]
        columns = polars.DataFrame(table)
        new = [columns["text"].alias(plan.text), *(columns[part].alias(name) for part, name in plan.new.items())]
        new += [polars.Series(name, texts, dtype=polars.String) for name, texts in more.items()]
        new += [polars.Series(name, values, self.frame.reveal()[name].dtype) for name, values in moved.items()]
        others = [name for name in plan.order if name != plan.text and name not in moved]
        kept = [strip_series(polars, self.frame.reveal()[name]) for name in others]
        return self.frame.reveal().select(plan.order).with_columns([*kept, *new])


class Arrow:
    """Any other object with the Arrow PyCapsule interface: pyarrow, DuckDB, arro3 and others."""

    def __init__(self, frame: HiddenRepr) -> None:
        kind = type(frame.reveal()).__name__
        if not has_arrow_interface(frame.reveal()):
            raise FrameError(f"{kind} is no frame: take one of pandas, polars, pyarrow, DuckDB or Arrow")
        self.frame = frame
        self.table = HiddenRepr(import_pyarrow(kind).table(frame.reveal()))
        self.names = list(self.table.reveal().column_names)

    def text_source(self, text: str) -> Any:
        """Return the column with the notes as input for the core."""
        return self.table.reveal()[text]

    def column_values(self, name: str) -> list[Any]:
        """Return a column as a list."""
        return list(self.table.reveal()[name].to_pylist())

    def keep_rows(self, stays: list[bool]) -> None:
        """Keep some of the rows."""
        mask = import_pyarrow("a frame of Arrow").array(stays, "bool")
        self.table = HiddenRepr(self.table.reveal().filter(mask))

    def build_result(
        self, plan: Plan, table: Any, more: dict[str, list[str | None]], moved: dict[str, list[Any]]
    ) -> Any:
        """Return a frame of the same type with the kept columns and the results."""
        pa = import_pyarrow("a frame of Arrow")
        columns = pa.table(table)
        result = self.table.reveal().select(plan.order)
        result = result.set_column(plan.order.index(plan.text), plan.text, columns["text"])
        for part, name in plan.new.items():
            result = result.append_column(name, columns[part])
        for name, texts in more.items():
            result = result.append_column(name, pa.array(texts, pa.string()))
        for name, values in moved.items():
            at = plan.order.index(name)
            result = result.set_column(at, name, pa.array(values, result.column(at).type))
        result = strip_table(pa, result)
        frame = self.frame.reveal()
        kind = library_of(frame)
        if kind == "duckdb":
            return sys.modules["duckdb"].from_arrow(result)
        if isinstance(frame, pa.RecordBatch):
            # A table without rows has no batches.
            empty = pa.RecordBatch.from_pylist([], schema=result.schema)
            return next(iter(result.combine_chunks().to_batches()), empty)
        if kind != "pyarrow" and hasattr(type(frame), "from_arrow"):
            return type(frame).from_arrow(result)
        return result
