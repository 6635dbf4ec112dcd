"""Columns of every library come back as what they were, with the texts that a loop over `scrub` gives."""

import subprocess
import sys
from itertools import count, islice
from typing import Any

import arro3.core
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import notesieve as ns

NOTES = [
    "Mr. Brown, 93 y/o, seen 3/4/2006 for diabetes mellitus.",
    None,
    "Naïve café: Frau Müller, MRN 1234567, BP 128/72.",
    "",
    "Mr. Brown, 93 y/o, seen 3/4/2006 for diabetes mellitus.",
    "No fever.",
]


@pytest.fixture(scope="module")
def expected(scrubber: ns.Scrubber) -> list[str | None]:
    return [None if note is None else scrubber.scrub(note).text for note in NOTES]


ARROW_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int32(), pa.string()),
    pa.dictionary(pa.int8(), pa.large_string()),
    pa.dictionary(pa.uint16(), pa.string()),
    pa.dictionary(pa.int64(), pa.string()),
]


def typed_array(kind: pa.DataType, texts: list[str | None] = NOTES) -> pa.Array:
    array = pa.array(texts, pa.string())
    if not pa.types.is_dictionary(kind):
        return array.cast(kind)
    plain = array.dictionary_encode()
    return pa.DictionaryArray.from_arrays(plain.indices.cast(kind.index_type), plain.dictionary.cast(kind.value_type))


@pytest.mark.parametrize("kind", ARROW_TYPES, ids=str)
def test_arrow_types_stay(scrubber: ns.Scrubber, expected: list[str | None], kind: pa.DataType) -> None:
    array = typed_array(kind)
    result = scrubber.scrub_column(array)
    assert isinstance(result, pa.Array)
    assert result.type == kind
    result.validate(full=True)
    assert result.to_pylist() == expected
    assert scrubber.scrub_column(array.slice(2, 3)).to_pylist() == expected[2:5]
    chunks = scrubber.scrub_column(pa.chunked_array([array, array.slice(1, 2)]))
    assert isinstance(chunks, pa.ChunkedArray)
    assert chunks.to_pylist() == expected + expected[1:3]
    none = scrubber.scrub_column(array.slice(0, 0))
    assert len(none) == 0
    assert none.type == kind


def test_a_column_of_nulls(scrubber: ns.Scrubber) -> None:
    result = scrubber.scrub_column(pa.nulls(3))
    assert result.type == pa.null()
    assert result.to_pylist() == [None] * 3


@pytest.mark.parametrize(
    "dtype", [None, object, "string", "category", pd.ArrowDtype(pa.string()), "string[python]"], ids=str
)
def test_pandas_series_keep_their_form(scrubber: ns.Scrubber, expected: list[str | None], dtype: object) -> None:
    series = pd.Series(NOTES, index=list("fedcba"), name="note", dtype=dtype)
    result = scrubber.scrub_column(series)
    assert isinstance(result, pd.Series)
    assert result.name == "note"
    assert list(result.index) == list("fedcba")
    if dtype == "category":
        assert isinstance(result.dtype, pd.CategoricalDtype)
    else:
        assert result.dtype == series.dtype
    assert [None if pd.isna(text) else text for text in result] == expected
    assert len(scrubber.scrub_column(series[:0])) == 0


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical], ids=str)
def test_polars_series_keep_their_form(scrubber: ns.Scrubber, expected: list[str | None], dtype: type) -> None:
    series = pl.Series("note", NOTES, dtype=pl.String).cast(dtype)
    result = scrubber.scrub_column(series)
    assert isinstance(result, pl.Series)
    assert result.name == "note"
    assert result.dtype == dtype
    assert result.to_list() == expected


def test_columns_of_other_types(scrubber: ns.Scrubber, expected: list[str | None]) -> None:
    assert scrubber.scrub_column(NOTES) == expected
    assert scrubber.scrub_column(tuple(NOTES)) == tuple(expected)
    array = scrubber.scrub_column(np.array(NOTES, dtype=object))
    assert isinstance(array, np.ndarray)
    assert array.tolist() == expected
    assert scrubber.scrub_column(np.array(["No fever."])).tolist() == ["No fever."]
    one = scrubber.scrub_column(arro3.core.Array.from_arrow(typed_array(pa.string())))
    assert isinstance(one, arro3.core.Array)
    assert one.to_pylist() == expected
    several = scrubber.scrub_column(arro3.core.ChunkedArray.from_arrow(pa.chunked_array([typed_array(pa.string())])))
    assert isinstance(several, arro3.core.ChunkedArray)
    assert several.to_pylist() == expected
    table = pa.table({"note": NOTES})
    relation = scrubber.scrub_column(duckdb.from_arrow(table))
    assert isinstance(relation, duckdb.DuckDBPyRelation)
    assert [row[0] for row in relation.fetchall()] == expected
    with pytest.raises(ns.FrameError, match="2 columns"):
        scrubber.scrub_column(duckdb.sql("select 1 as a, 2 as b"))
    for wrong in ("one text", b"bytes", 7):
        with pytest.raises(ns.FrameError):
            scrubber.scrub_column(wrong)


def test_an_iterator_is_read_as_it_is_asked_for(scrubber: ns.Scrubber) -> None:
    taken = 0

    def endless() -> object:
        nonlocal taken
        for number in count():
            taken += 1
            yield f"Day {number % 7}: no fever." if number % 3 else None

    result = scrubber.scrub_column(endless())
    assert next(result) is None
    assert taken <= 1024
    assert taken < 2 * len(list(islice(result, 600))) + 1024


def test_rows_that_are_no_text_cost_themselves(scrubber: ns.Scrubber) -> None:
    secret = 617_555_0123
    column = ["No fever.", secret, None, b"Dr. Brown", "Seen by Dr. Brown."]
    with pytest.raises(ns.RowError) as caught:
        scrubber.scrub_column(column)
    good = ["No fever.", None, None, None, "Seen by Dr. [NAME]."]
    assert caught.value.result == good
    assert caught.value.errors == [(1, "type"), (3, "type")]
    assert caught.value.failed == 2
    assert "617" not in str(caught.value)
    assert "Brown" not in repr(caught.value)
    assert scrubber.scrub_column(column, on_error="mask") == good
    series = pd.Series(column, dtype=object)
    assert scrubber.scrub_column(series, on_error="mask").tolist() == good
    numbers = scrubber.scrub_column(pa.array([1, None, 3]), on_error="mask")
    assert numbers.to_pylist() == [None, None, None]
    with pytest.raises(ns.RowError, match="2 of 3 rows"):
        scrubber.scrub_column(pl.Series([1, None, 3]))
    with pytest.raises(ns.RowError) as late:
        list(scrubber.scrub_column(iter(["ok"] * 300 + [7])))
    assert late.value.errors == [(300, "type")]
    with pytest.raises(ValueError, match="raise, mask"):
        scrubber.scrub_column([], on_error="ignore")


def test_bytes_that_are_no_utf8_are_an_error_of_their_row(scrubber: ns.Scrubber) -> None:
    """A file can call anything text, and those who read it do not look."""
    broken = [b"No fever.", b"caf\xe9 Dr. Brown", None, b"a \xff long value that no view holds inline", b"Cough."]
    raw = pa.array(broken, pa.binary())
    small = pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())
    large = pa.array(broken, pa.large_binary())
    view = pa.array(broken, pa.binary_view())
    for array in (
        small,
        pa.Array.from_buffers(pa.large_string(), len(large), large.buffers()),
        pa.Array.from_buffers(pa.string_view(), len(view), view.buffers()),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3, 4], pa.int8()), small),
    ):
        with pytest.raises(ns.RowError) as caught:
            scrubber.scrub_column(array)
        assert caught.value.errors == [(1, "utf-8"), (3, "utf-8")]
        assert caught.value.result.to_pylist() == ["No fever.", None, None, None, "Cough."]


def test_lone_surrogates_become_replacement_characters(scrubber: ns.Scrubber) -> None:
    assert scrubber.scrub_column(["No fever\ud800."]) == [scrubber.scrub("No fever\ufffd.").text]


def test_a_dictionary_has_each_text_scrubbed_once_and_loses_what_no_row_uses(scrubber: ns.Scrubber) -> None:
    values = pa.array(["Dr. Brown called.", "Dr. Green called.", "Mrs. Unused is 617-555-0123.", "No fever."])
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 3, 0] * 1000, pa.int32()), values)
    seen = []
    scrubbed = scrubber._scrub_arrow(array, outputs=["text"], progress=lambda *step: seen.append(step))
    result = pa.table(scrubbed.columns)["text"].combine_chunks()
    assert scrubbed.failed == 0
    assert result.dictionary.to_pylist() == ["Dr. [NAME] called.", "No fever."]
    assert result.to_pylist()[:5] == [
        "Dr. [NAME] called.",
        "Dr. [NAME] called.",
        None,
        "No fever.",
        "Dr. [NAME] called.",
    ]
    used = sum(len(value.as_py()) for value in values if "Unused" not in value.as_py())
    assert sum(size for _, size, _, _ in seen) == used


def test_a_dictionary_that_lies_about_its_keys(scrubber: ns.Scrubber) -> None:
    keys = pa.array([0, 5, 0], pa.int8())
    array = pa.DictionaryArray.from_arrays(keys, pa.array(["No fever."]), safe=False)
    with pytest.raises(ns.RowError) as caught:
        scrubber.scrub_column(array)
    assert caught.value.errors == [(1, "arrow")]


@pytest.mark.parametrize("detectors", [(), (lambda _text: [],)])
def test_an_unknown_option_is_an_error(detectors: tuple[Any, ...]) -> None:
    """A mistyped option must not lose what is known of the patients."""
    scrubber = ns.Scrubber(detectors=detectors)
    mistyped: dict[str, Any] = {"outputs": ["text"], "patient": [None]}
    with pytest.raises(TypeError, match=r'no option "patient": take outputs, patients,'):
        scrubber._scrub_arrow(pa.array(["No fever."]), **mistyped)
    with pytest.raises(TypeError, match=r'no option "patient": take outputs, patients,'):
        scrubber._scrub_iterable(["No fever."], **mistyped)


def test_many_rows_in_many_chunks_keep_their_order(scrubber: ns.Scrubber) -> None:
    notes = [f"On day {number % 9} Dr. Brown saw no fever." if number % 11 else None for number in range(150_000)]
    alone = scrubber.scrub_column(pa.array(notes), threads=1)
    expected = {note: scrubber.scrub(note).text for note in set(notes) if note is not None}
    assert alone.to_pylist() == [note and expected[note] for note in notes]
    assert scrubber.scrub_column(pa.array(notes), threads=3) == alone
    assert scrubber.scrub_column(notes, threads=2) == alone.to_pylist()


NO_COPY = """
import struct
import sys
import pyarrow as pa
import notesieve as ns

scrubber = ns.Scrubber()
scrubber.scrub_column(pa.array(["No fever."]))
size = 540 << 20  # more than can be scrubbed at once: the core reads the text and gives an error
text = pa.py_buffer(bytearray(size))  # pages that nobody wrote to take no memory; those of a copy would
form, head = {
    "small": (pa.string(), struct.pack("<ii", 0, size)),
    "large": (pa.large_string(), struct.pack("<qq", 0, size)),
    "view": (pa.string_view(), struct.pack("<I4sII", size, bytes(4), 0, 0)),
}[sys.argv[1]]
column = pa.Array.from_buffers(form, 1, [None, pa.py_buffer(head), text])

def peak():
    # Not ru_maxrss: a process takes over the peak of the one that started it.
    with open("/proc/self/status") as status:
        return int(status.read().split("VmHWM:")[1].split()[0])

before = peak()
scrubbed = scrubber._scrub_arrow(column, outputs=["text"])
after = peak()
assert scrubbed.errors == [(0, "length")], scrubbed.errors
print((after - before) * 1024 / size)
"""


@pytest.mark.parametrize("form", ["small", "large", "view"])
def test_texts_of_arrow_are_not_copied_on_the_way_in(form: str) -> None:
    """The peak of the memory of a process does not grow by a text of 566 MB that it hands to the core."""
    done = subprocess.run([sys.executable, "-c", NO_COPY, form], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.1
