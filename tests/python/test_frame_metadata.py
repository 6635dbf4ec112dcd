"""What frames carry beside their rows does not come out: only columns that are named do."""

import io
import pickle

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import notesieve as ns

SECRET = "Winters"
NOTES = ["Dr. Brown came.", "No fever."]


def all_bytes_of_frame(frame: object) -> bytes:
    """All that somebody who is given the frame can find in it."""
    if isinstance(frame, pa.Table | pa.RecordBatch):
        stream = io.BytesIO()
        with pa.ipc.new_stream(stream, frame.schema) as writer:
            writer.write(frame)
        return stream.getvalue()
    return pickle.dumps(frame)


def test_pandas_metadata_does_not_come_out(scrubber: ns.Scrubber) -> None:
    names = pd.Categorical(["a", "b", SECRET], categories=["a", "b", SECRET, "Brown"])
    frame = pd.DataFrame({"note": [*NOTES, None], "ward": names, "year": 2006}).iloc[:2]
    frame["note"] = pd.Categorical(frame["note"], categories=[*NOTES, f"Seen by {SECRET}."])
    frame.attrs = {"patient": SECRET}
    frame.columns.name = SECRET
    frame.index = pd.Index([SECRET, "Brown"])
    assert SECRET.encode() in all_bytes_of_frame(frame)
    result = scrubber.scrub_frame(frame, text="note", keep=["ward", "year"], index="drop")
    assert SECRET.encode() not in all_bytes_of_frame(result)
    assert b"Brown" not in all_bytes_of_frame(result)
    assert result["ward"].tolist() == ["a", "b"]
    assert frame.attrs == {"patient": SECRET}, "the caller's frame stays as it was"
    assert SECRET.encode() not in all_bytes_of_frame(scrubber.scrub_column(pd.Series(frame["note"].array)))


def test_an_index_comes_out_if_it_is_named(scrubber: ns.Scrubber) -> None:
    index = pd.MultiIndex.from_arrays([[7, 8], [SECRET, "Brown"]], names=["row", "mrn"])
    frame = pd.DataFrame({"note": NOTES, "n": [1, 2]}, index=index)
    result = scrubber.scrub_frame(frame, text="note", id="row", keep=["n"], known=["mrn"], outputs=["text"])
    assert result.index.names == ["row"]
    assert result.index.tolist() == [7, 8]
    assert list(result.columns) == ["note", "n"]
    assert SECRET.encode() not in all_bytes_of_frame(result)
    assert scrubber.scrub_frame(frame, text="note", outputs=["text"], index="drop").index.tolist() == [0, 1]
    both = scrubber.scrub_frame(frame, text="note", keep=["row", "mrn"], outputs=["text"])
    pd.testing.assert_index_equal(both.index, index, exact=True)
    with pytest.raises(ns.FrameError, match=r"reset_index\(\) makes it one"):
        scrubber.scrub_frame(frame.set_index("note"), text="note", index="drop")
    named = scrubber.scrub_frame(
        pd.DataFrame({"note": NOTES}, index=pd.Index(["x", "y"], name="id")), text="note", id="id"
    )
    assert named.index.tolist() == ["x", "y"]


def test_polars_metadata_does_not_come_out(scrubber: ns.Scrubber) -> None:
    wards = pl.Enum(["a", "b", SECRET])
    frame = pl.DataFrame({"note": NOTES, "ward": pl.Series(["a", "b"], dtype=wards)})
    result = scrubber.scrub_frame(frame, text="note", keep=["ward"])
    assert result["ward"].to_list() == ["a", "b"]
    assert SECRET not in str(result.schema)
    lazily = scrubber.scrub_frame(frame.lazy(), text="note", outputs=["text"]).collect()
    assert SECRET not in str(lazily.schema)
    many = pl.DataFrame({"note": [*NOTES, "x"], "ward": pl.Series(["a", "b", SECRET], dtype=pl.Categorical())})
    few = scrubber.scrub_frame(many.head(2), text="note", keep=["ward"])
    assert SECRET not in str(few["ward"].to_arrow())
    assert SECRET.encode() not in all_bytes_of_frame(few)


def test_polars_types_in_types(scrubber: ns.Scrubber) -> None:
    names = pl.Enum(["a", "b", SECRET])
    columns = {
        "struct": pl.Series(
            [{"x": "a", "y": 1}, None, {"x": SECRET, "y": 2}], dtype=pl.Struct({"x": names, "y": pl.Int8})
        ),
        "list": pl.Series([["a", None], [], [SECRET]], dtype=pl.List(names)),
        "array": pl.Series([["a", "b"], None, [SECRET, "a"]], dtype=pl.Array(names, 2)),
        "deep": pl.Series([[{"x": ["a"]}], None, [{"x": [SECRET]}]], dtype=pl.List(pl.Struct({"x": pl.List(names)}))),
        "many": pl.Series([["a"], ["b"], [SECRET]], dtype=pl.List(pl.Categorical())),
    }
    frame = pl.DataFrame({"note": [*NOTES, "x"], **columns}).head(2)
    result = scrubber.scrub_frame(frame, text="note", keep=list(columns), outputs=["text"])
    assert SECRET not in str(result.schema)
    assert SECRET.encode() not in all_bytes_of_frame(result)
    assert result.drop("note").rows() == frame.drop("note").rows()
    assert result.schema["list"] == pl.List(pl.Enum(["a"]))


def test_arrow_types_in_types(scrubber: ns.Scrubber) -> None:
    about = {b"patient": SECRET.encode()}
    number, name = pa.field("n", pa.int64(), metadata=about), pa.dictionary(pa.int8(), pa.string())
    inner = pa.struct([number, pa.field("d", name)])
    kinds = {
        "struct": (inner, [{"n": 1, "d": "a"}, None, {"n": 2, "d": SECRET}]),
        "list": (
            pa.list_(pa.field("item", inner, metadata=about)),
            [[{"n": 1, "d": "a"}], [], [{"n": 1, "d": SECRET}]],
        ),
        "large": (pa.large_list(number), [[1], None, []]),
        "fixed": (pa.list_(number, 2), [[1, 2], None, [3, 4]]),
        "map": (
            pa.map_(pa.string(), pa.field("value", pa.struct([number]), metadata=about)),
            [[("k", {"n": 1})], [], []],
        ),
        "names": (pa.list_(name), [["a", "a"], ["b"], [SECRET]]),
    }
    columns = {column: pa.array(values, kind) for column, (kind, values) in kinds.items()}
    table = pa.table({"note": pa.array([*NOTES, "x"]), **columns}).slice(0, 2)
    result = scrubber.scrub_frame(table, text="note", keep=list(kinds), outputs=["text"])
    assert SECRET.encode() not in all_bytes_of_frame(result)
    assert b"patient" not in b"".join(column.type.__reduce__().__repr__().encode() for column in result.columns)
    for column, (kind, values) in kinds.items():
        assert result[column].to_pylist() == values[:2]
        assert result[column].type == kind
        assert "metadata" not in pa.schema([pa.field("x", result[column].type)]).to_string(show_field_metadata=True)
    frame = pd.DataFrame(
        {name: pd.Series(values, dtype=pd.ArrowDtype(values.type)) for name, values in columns.items()}
    )
    frame["note"] = [*NOTES, "x"]
    kept = scrubber.scrub_frame(frame.head(2), text="note", keep=list(kinds), outputs=["text"])
    assert SECRET.encode() not in all_bytes_of_frame(kept)


def test_columns_in_chunks_stay_what_they_are(scrubber: ns.Scrubber) -> None:
    # Parts of a frame that Dask computed lie in chunks, and the core gives lists of concepts in chunks.
    values = pa.chunked_array([[["a"], None], [["b"]]], type=pa.list_(pa.string()))
    frame = pd.DataFrame({"note": ["no fever", None, "x"], "names": pd.arrays.ArrowExtensionArray(values)})
    kept = scrubber.scrub_frame(frame, text="note", keep=["names"], progress=False)
    assert pa.array(kept["names"].array).to_pylist() == [["a"], None, ["b"]]
    many = pd.DataFrame({"note": [None if at % 10 == 0 else "no fever" for at in range(3000)]})
    assert len(scrubber.scrub_frame(many, text="note", progress=False)) == 3000


def arrow_table() -> pa.Table:
    about = {b"patient": SECRET.encode()}
    inner = pa.struct([pa.field("x", pa.int64(), metadata=about)])
    schema = pa.schema(
        [
            pa.field("note", pa.string(), metadata=about),
            pa.field("ward", pa.dictionary(pa.int8(), pa.string()), metadata=about),
            pa.field("inner", inner),
            pa.field("list", pa.list_(pa.field("item", pa.int64(), metadata=about)), nullable=False),
        ],
        metadata=about,
    )
    wards = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(["a", "b", SECRET]))
    return pa.Table.from_arrays(
        [pa.array(NOTES), wards, pa.array([{"x": 1}] * 2, inner), pa.array([[1], []])], schema=schema
    )


def test_arrow_metadata_does_not_come_out(scrubber: ns.Scrubber) -> None:
    table = arrow_table()
    for frame in (table, table.to_batches()[0]):
        assert SECRET.encode() in all_bytes_of_frame(frame)
        result = scrubber.scrub_frame(frame, text="note", keep=["ward", "inner", "list"])
        assert SECRET.encode() not in all_bytes_of_frame(result)
        assert result["ward"].to_pylist() == ["a", "b"]
        assert result["inner"].to_pylist() == [{"x": 1}] * 2
        assert not result.schema.field("list").nullable
    reader = scrubber.scrub_frame(
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), text="note", keep=["ward"]
    )
    assert SECRET.encode() not in all_bytes_of_frame(reader.read_all())
    assert duckdb.from_arrow(result).fetchall()[0][0] == "Dr. [NAME] came."


def test_parquet_metadata_does_not_come_out(scrubber: ns.Scrubber, tmp_path: object) -> None:
    from pathlib import Path

    from notesieve.files import TableOptions, scrub_files

    folder = Path(str(tmp_path))
    pq.write_table(arrow_table(), folder / "notes.parquet")
    assert SECRET.encode() in (folder / "notes.parquet").read_bytes()
    scrub_files(
        scrubber, [folder / "notes.parquet"], folder / "out", table=TableOptions("note", keep=("ward", "inner"))
    )
    assert SECRET.encode() not in (folder / "out" / "notes.parquet").read_bytes()
