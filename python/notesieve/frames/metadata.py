"""Remove the metadata of columns: field metadata, unused categories and unused dictionary entries.

Types can be nested: each function also handles the fields inside a column.
"""

from __future__ import annotations

from typing import Any

# ---- Arrow


def strip_table(pa: Any, table: Any) -> Any:
    """Return a table without its metadata and that of its columns."""
    columns = [strip_column(pa, column) for column in table.columns]
    fields = [
        pa.field(field.name, column.type, nullable=field.nullable)
        for field, column in zip(table.schema, columns, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def strip_column(pa: Any, column: Any) -> Any:
    """Return a column without the metadata of its nested fields and without unused dictionary entries."""
    kind = _strip_type(pa, column.type)
    if pa.types.is_dictionary(kind):
        values = [chunk.dictionary_decode().dictionary_encode() for chunk in column.chunks]
        return pa.chunked_array([value.cast(kind) for value in values], type=kind)
    if "dictionary<" in str(kind):
        return pa.chunked_array([pa.array(chunk.to_pylist(), kind) for chunk in column.chunks], type=kind)
    if kind.equals(column.type, check_metadata=True):
        return column
    # Types compare equal with and without metadata; only a round trip through IPC drops it.
    stream = pa.BufferOutputStream()
    schema = pa.schema([pa.field("", kind)])
    with pa.ipc.new_stream(stream, schema) as writer:
        writer.write_table(pa.Table.from_arrays([column], schema=schema))
    return pa.ipc.open_stream(stream.getvalue()).read_all().column(0)


def _strip_type(pa: Any, kind: Any) -> Any:
    """Return a type without the metadata of its nested fields."""

    def strip_field(field: Any) -> Any:
        return field.remove_metadata().with_type(_strip_type(pa, field.type))

    if pa.types.is_struct(kind):
        return pa.struct([strip_field(kind.field(at)) for at in range(kind.num_fields)])
    if pa.types.is_union(kind):
        return pa.union([strip_field(kind.field(at)) for at in range(kind.num_fields)], kind.mode, kind.type_codes)
    if pa.types.is_map(kind):
        return pa.map_(strip_field(kind.key_field), strip_field(kind.item_field), kind.keys_sorted)
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _strip_type(pa, kind.value_type), kind.ordered)
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(strip_field(kind.value_field), kind.list_size)
    for name, of in (("list", "list_"), ("large_list", "large_list"), ("list_view", "list_view")):
        if getattr(pa.types, f"is_{name}", lambda _: False)(kind):
            return getattr(pa, of)(strip_field(kind.value_field))
    return kind


# ---- polars


def strip_series(polars: Any, series: Any) -> Any:
    """Return a polars Series without unused categories."""
    plain = _without_categories(polars, series.dtype)
    if plain == series.dtype:
        return series
    return series.cast(plain).cast(_with_used_categories(polars, series.dtype, series))


def _without_categories(polars: Any, dtype: Any) -> Any:
    """Replace categorical types inside a type by strings."""
    if isinstance(dtype, polars.Enum | polars.Categorical):
        return polars.String()
    return _map_inner_types(polars, dtype, lambda inner, _: _without_categories(polars, inner))


def _with_used_categories(polars: Any, dtype: Any, values: Any) -> Any:
    """Reduce categorical types inside a type to the categories that occur in the values."""
    if isinstance(dtype, polars.Enum):
        used = set(values.drop_nulls().unique().to_list())
        return polars.Enum([category for category in dtype.categories if category in used])
    if isinstance(dtype, polars.Categorical):
        return polars.Categorical()
    return _map_inner_types(polars, dtype, lambda inner, take: _with_used_categories(polars, inner, take(values)))


def _map_inner_types(polars: Any, dtype: Any, change: Any) -> Any:
    """Apply a function to the types inside a nested type; it also gets a function that extracts their values."""
    if isinstance(dtype, polars.Struct):
        fields = {
            field.name: change(field.dtype, lambda values, name=field.name: values.struct.field(name))
            for field in dtype.fields
        }
        return polars.Struct(fields)
    if isinstance(dtype, polars.List):
        return polars.List(change(dtype.inner, lambda values: values.explode()))
    if isinstance(dtype, polars.Array):
        return polars.Array(change(dtype.inner, lambda values: values.explode()), dtype.size)
    return dtype
