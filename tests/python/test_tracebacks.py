"""Tracebacks that show variables, as `%xmode Verbose` does, show no note that was handed to this package."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from traceback import walk_tb
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from IPython.core.ultratb import VerboseTB

import notesieve as ns
from notesieve import omop
from notesieve.display import note_html

SECRET = "Zephyrine Quill"


def texts_with_wrong_type() -> list[Any]:
    return [f"{SECRET} came.", 7, f"{SECRET} left."]


def failing_texts() -> Iterator[str]:
    yield f"{SECRET} came."
    raise OSError("the source failed")


def traceback_of(call: Callable[[], object]) -> str:
    """The traceback of a failing call; the caller's own line names no variable with a note."""
    try:
        call()
    except Exception as problem:  # noqa: BLE001 - whatever it is
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        return VerboseTB(theme_name="nocolor", include_vars=True).text(type(problem), problem, trace)
    pytest.fail("nothing was raised")


def failing_calls(scrubber: ns.Scrubber, folder: Path) -> dict[str, Callable[[], object]]:
    patients = [ns.Patient(names=[SECRET])]
    fails = {"on_error": "raise", "progress": False}
    notes = scrubber.scrub_many(["No fever."])

    def review() -> object:
        from notesieve.review import Review

        return Review(notes, [f"{SECRET} came."] * 2)

    def adjudication() -> object:
        from notesieve.review import Review

        return Review.adjudicate(
            {"one": ns.Gold({"a": texts_with_wrong_type()[0]}), "two": ns.Gold({"a": texts_with_wrong_type()[2]})}
        )

    def index() -> object:
        with ns.Index.create(folder / "index", scrubber, given_pseudonyms=True) as made:
            frame = {"text": [f"{SECRET} came."], "note_id": ["n"], "patient_id": [SECRET]}
            return made.add(pd.DataFrame(frame))

    return {
        "scrub_many": lambda: scrubber.scrub_many(texts_with_wrong_type()),
        "one text": lambda: scrubber.scrub_many(texts_with_wrong_type()[0]),
        "patients": lambda: scrubber.scrub_many(texts_with_wrong_type(), patients=patients),
        "source": lambda: scrubber.scrub_many(failing_texts()),
        "scrub_iter": lambda: list(scrubber.scrub_iter(texts_with_wrong_type())),
        "scrub_iter source": lambda: list(scrubber.scrub_iter(failing_texts())),
        "scrub_iter patients": lambda: list(scrubber.scrub_iter(texts_with_wrong_type(), patients=patients)),
        "column": lambda: scrubber.scrub_column(texts_with_wrong_type(), progress=False),
        "column of pandas": lambda: scrubber.scrub_column(pd.Series(texts_with_wrong_type()), progress=False),
        "column of one text": lambda: scrubber.scrub_column(texts_with_wrong_type()[0]),
        "iterator": lambda: list(scrubber.scrub_column(iter(texts_with_wrong_type()))),
        "iterator that fails": lambda: list(scrubber.scrub_column(failing_texts())),
        "pandas": lambda: scrubber.scrub_frame(pd.DataFrame({"note": texts_with_wrong_type()}), "note", **fails),  # type: ignore[arg-type]
        "no column": lambda: scrubber.scrub_frame(pd.DataFrame({"note": texts_with_wrong_type()}), "text"),
        "polars": lambda: scrubber.scrub_frame(pl.DataFrame({"note": texts_with_wrong_type()[:1]}), "note", keep=["x"]),
        "arrow": lambda: scrubber.scrub_frame(pa.table({"note": texts_with_wrong_type()[:1]}), "note", keep=["x"]),
        "no frame": lambda: scrubber.scrub_frame(texts_with_wrong_type(), "note"),
        "verify": lambda: ns.verify(texts_with_wrong_type()[0], scrubber),
        "show": lambda: ns.show(scrubber.scrub(f"No fever, no {SECRET}."), original=SECRET),
        "note_html": lambda: note_html(scrubber.scrub(f"No fever, no {SECRET}."), SECRET),
        "gold of a frame": lambda: ns.Gold.from_frame(
            [{"doc": "b", "start": 0, "end": 1}], {"a": texts_with_wrong_type()[0]}
        ),
        "gold that cannot be written": lambda: ns.Gold({"a": texts_with_wrong_type()[0]}).write(Path("/dev/null/gold")),
        "evaluation": lambda: ns.evaluate(ns.Gold({"a": texts_with_wrong_type()[0]}, {"a": [{"start": -1}]}), scrubber),
        "review": review,
        "index": index,
        "adjudication": adjudication,
        "gold for a tool": lambda: ns.Gold({"a": texts_with_wrong_type()[0]}).write(Path("/dev/null/gold"), "xmi"),
        "omop": lambda: omop.scrub_notes(scrubber, pd.DataFrame({"note_text": texts_with_wrong_type()})),
        "omop without a column": lambda: omop.scrub_notes(
            ns.Scrubber("limited-data-set"),
            pa.table({"note_text": texts_with_wrong_type()[:1]}),
            patients={1: patients[0]},
        ),
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_verbose_tracebacks_show_no_note(tmp_path: Path) -> None:
    told = {name: traceback_of(call) for name, call in failing_calls(ns.Scrubber(), tmp_path).items()}
    assert [name for name, text in told.items() if SECRET in text or "Zeph" in text] == []
    assert "(*args=(), **named={})" in told["scrub_many"], "it does show variables"


class Trap:
    """Fails whatever is done with it, and shows a note."""

    def __repr__(self) -> str:
        return SECRET

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def __iter__(self) -> Iterator[Any]:
        raise OSError("the source failed")

    __len__ = __index__ = __getitem__ = __bool__ = __iter__  # type: ignore[assignment]


# What is handed to these, or held by them, is no note of anybody.
NO_NOTES = {
    "notesieve.sample_size": "numbers",
    "notesieve.rules": "the rules",
    "notesieve.Rule": "a rule",
    "notesieve.Agreement": "numbers and a Gold",
    "notesieve.ScrubbedMessage": "what was scrubbed",
    "notesieve.VerifiedToken": "places",
    "notesieve.learning.Features": "numbers",
    "notesieve.learning.Training": "numbers",
    "notesieve.display.Html": "a str",
    "notesieve.files.FileReport": "names of files",
    "notesieve.files.TableOptions": "names of columns",
    "notesieve.omop.Concepts": "codes",
    "notesieve.omop.Field": "a field of a table",
    "notesieve.omop.Problem": "a number and a code",
    "notesieve.omop.Pseudonyms": "numbers",
    "notesieve.omop.ddl": "the name of a type",
} | {
    f"notesieve.index.{name}": "what was scrubbed"
    for name in ("AttritionTable Cohort Count CountsTable Facet Hit Results SafeCount export_opensearch".split())
}
MODULES = ("", ".index", ".learning", ".display", ".review", ".files", ".omop")


def public_functions() -> Iterator[tuple[str, Any]]:
    """All that users can call, by name; of classes their functions."""
    for place in MODULES:
        module = import_module(f"notesieve{place}")
        for name in module.__all__:
            known, thing = f"{module.__name__}.{name}", getattr(module, name)
            of_package = (
                getattr(thing, "__module__", "").startswith("notesieve") and thing.__module__ != "notesieve._core"
            )
            if known in NO_NOTES or not of_package or not callable(thing):
                continue
            if not isinstance(thing, type):
                yield known, thing
            elif not issubclass(thing, Exception):
                members = ((inner, member) for inner, member in inspect.getmembers(thing) if inner[0] != "_")
                yield from (
                    (f"{known}.{inner}", member)
                    for inner, member in members
                    if (inspect.isfunction(member) or inspect.ismethod(member))
                    and member.__module__.startswith("notesieve.")
                )


def one_of_each_class(folder: Path) -> dict[str, object]:
    """One of each class whose functions are called."""
    from notesieve.review import Review

    scrubber = ns.Scrubber()
    texts = [f"{SECRET} came."]
    gold = ns.Gold({"a": texts[0]}, {"a": [{"start": 0, "end": 4, "category": "NAME"}]})
    index = ns.Index.create(folder / "index", scrubber, given_pseudonyms=True)
    notes = scrubber.scrub_many(texts)
    return {
        "Scrubber": scrubber,
        "Gold": gold,
        "Evaluation": ns.evaluate(gold, {}, with_context=True, draws=0),
        "Index": index,
        "Review": Review(notes, texts),
        "Overview": ns.overview(notes, originals=texts),
    }


def hides_notes(call: Callable[[], object]) -> bool | None:
    """Whether no variable of a failing call shows a note; None where it does not fail."""
    try:
        result = call()
        if isinstance(result, Iterator):
            next(result)
    except (Exception, StopIteration) as problem:  # noqa: BLE001 - whatever it is
        trace = problem.__traceback__
    else:
        return None
    frames = (frame for frame, _ in walk_tb(trace) if frame.f_code.co_filename != __file__)
    return not any(SECRET in repr(value) for frame in frames for value in frame.f_locals.values())


@pytest.mark.filterwarnings("ignore")
def test_no_public_function_shows_a_note_when_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # what is handed over is taken for paths, too
    made = one_of_each_class(tmp_path)
    shown, failed = [], 0
    for name, function in public_functions():
        owner = made.get(name.split(".")[-2])
        bound = function if owner is None or inspect.ismethod(function) else partial(function, owner)
        named = [
            each.name
            for each in inspect.signature(bound).parameters.values()
            if each.kind in {each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY}
        ]
        for value in (SECRET, [SECRET], {SECRET: SECRET}, Trap(), pd.DataFrame({SECRET: [SECRET]})):
            for some in range(1, len(named) + 1):
                found = hides_notes(partial(bound, **dict.fromkeys(named[:some], value)))
                failed += found is not None
                if found is False:
                    shown.append(f"{name} of {some} {type(value).__name__}")
    assert failed > 200
    assert shown == [], shown
    assert [
        name for name, function in public_functions() if not hasattr(function, "keep_texts_out_of_tracebacks")
    ] == []
