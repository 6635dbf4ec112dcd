"""Tracebacks that show variables, as `%xmode Verbose` does, show no note that was handed to this package."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from IPython.core.ultratb import VerboseTB

import notesieve as ns
from notesieve.display import note_html

SECRET = "Zephyrine Quill"


def texts() -> list[Any]:
    return [f"{SECRET} came.", 7, f"{SECRET} left."]


def broken() -> Iterator[str]:
    yield f"{SECRET} came."
    message = "the source failed"
    raise OSError(message)


def shown(call: Callable[[], object]) -> str:
    """The traceback of a failing call; the caller's own line names no variable with a note."""
    try:
        call()
    except Exception as problem:  # noqa: BLE001 - whatever it is
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        return VerboseTB(theme_name="nocolor", include_vars=True).text(type(problem), problem, trace)
    pytest.fail("nothing was raised")


def calls(scrubber: ns.Scrubber, folder: Path) -> dict[str, Callable[[], object]]:
    patients = [ns.Patient(names=[SECRET])]
    fails = {"on_error": "raise", "progress": False}
    notes = scrubber.scrub_many(["No fever."])

    def review() -> object:
        from notesieve.review import Review

        return Review(notes, [f"{SECRET} came."] * 2)

    def index() -> object:
        with ns.Index.create(folder / "index", scrubber, given_pseudonyms=True) as made:
            frame = {"text": [f"{SECRET} came."], "note_id": ["n"], "patient_id": [SECRET]}
            return made.add(pd.DataFrame(frame))

    return {
        "scrub_many": lambda: scrubber.scrub_many(texts()),
        "one text": lambda: scrubber.scrub_many(texts()[0]),
        "patients": lambda: scrubber.scrub_many(texts(), patients=patients),
        "source": lambda: scrubber.scrub_many(broken()),
        "scrub_iter": lambda: list(scrubber.scrub_iter(texts())),
        "scrub_iter source": lambda: list(scrubber.scrub_iter(broken())),
        "scrub_iter patients": lambda: list(scrubber.scrub_iter(texts(), patients=patients)),
        "column": lambda: scrubber.scrub_column(texts(), progress=False),
        "column of pandas": lambda: scrubber.scrub_column(pd.Series(texts()), progress=False),
        "column of one text": lambda: scrubber.scrub_column(texts()[0]),
        "iterator": lambda: list(scrubber.scrub_column(iter(texts()))),
        "iterator that fails": lambda: list(scrubber.scrub_column(broken())),
        "pandas": lambda: scrubber.scrub_frame(pd.DataFrame({"note": texts()}), "note", **fails),  # type: ignore[arg-type]
        "no column": lambda: scrubber.scrub_frame(pd.DataFrame({"note": texts()}), "text"),
        "polars": lambda: scrubber.scrub_frame(pl.DataFrame({"note": texts()[:1]}), "note", keep=["x"]),
        "arrow": lambda: scrubber.scrub_frame(pa.table({"note": texts()[:1]}), "note", keep=["x"]),
        "no frame": lambda: scrubber.scrub_frame(texts(), "note"),
        "verify": lambda: ns.verify(texts()[0], scrubber),
        "show": lambda: ns.show(scrubber.scrub(f"No fever, no {SECRET}."), original=SECRET),
        "note_html": lambda: note_html(scrubber.scrub(f"No fever, no {SECRET}."), SECRET),
        "gold of a frame": lambda: ns.Gold.from_frame([{"doc": "b", "start": 0, "end": 1}], {"a": texts()[0]}),
        "gold that cannot be written": lambda: ns.Gold({"a": texts()[0]}).write(Path("/dev/null/gold")),
        "evaluation": lambda: ns.evaluate(ns.Gold({"a": texts()[0]}, {"a": [{"start": -1}]}), scrubber),
        "review": review,
        "index": index,
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_verbose_tracebacks_show_no_note(tmp_path: Path) -> None:
    told = {name: shown(call) for name, call in calls(ns.Scrubber(), tmp_path).items()}
    assert [name for name, text in told.items() if SECRET in text or "Zeph" in text] == []
    assert "texts = " in told["scrub_many"] or "texts=" in told["scrub_many"], "it does show variables"
