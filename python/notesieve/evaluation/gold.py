"""Gold standards: notes with the spans that people marked. Offsets count code points."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any, Literal, TypeAlias, get_args

from notesieve import _core
from notesieve.choices import did_you_mean
from notesieve.errors import GoldError
from notesieve.evaluation.annotation_tools import TOOLS, LoadedNotes, Tool
from notesieve.evaluation.annotation_tools.annotations import Rows, label_of, span_of_label
from notesieve.hidden_repr import HiddenRepr
from notesieve.tracebacks import keep_texts_out_of_tracebacks

FormatName: TypeAlias = Literal[
    "jsonl",
    "csv",
    "i2b2-2014",
    "i2b2-2006",
    "physionet",
    "brat",
    "philter",
    "label-studio",
    "prodigy",
    "doccano",
    "xmi",
    "webanno-tsv",
]


def run_core_task(task: str, **arguments: Any) -> str:
    """Run one evaluation task of the core and return its JSON result."""
    question, arguments = HiddenRepr(json.dumps({"task": task, **arguments}, default=fspath)), {}
    return _core.run_evaluation_request(question.reveal())


def rows_of(table: Any) -> Rows:
    """Return the rows of a data frame, a table, a list of dicts or a dict of columns."""
    if isinstance(table, Mapping):
        names, columns = list(table), [list(column) for column in table.values()]
        if len(set(map(len, columns))) > 1:
            raise GoldError(f"the columns have different lengths: {', '.join(str(len(column)) for column in columns)}")
        return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
    for method, arguments in (
        ("to_dicts", ()),
        ("to_pylist", ()),
        ("to_dict", ("records",)),
    ):  # polars, pyarrow, pandas
        if hasattr(table, method):
            return list(getattr(table, method)(*arguments))
    if isinstance(table, Iterable) and not isinstance(table, str | bytes):
        rows = list(table)
        if all(isinstance(row, Mapping) for row in rows):
            return [dict(row) for row in rows]
    message = f"cannot read rows from {type(table).__name__}: give a data frame, a list of dicts or a dict of columns"
    raise GoldError(message)


def required_field(row: Mapping[str, Any], name: str) -> Any:
    """Return a field that each row must have."""
    if name not in row:
        raise GoldError(f"a row has no `{name}`: rename the column that holds it")
    return row[name]


def span_of_row(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the span of a row, with those of the named columns that have a value."""
    try:
        # A missing value is None or NaN, depending on the frame; NaN differs from itself.
        span = {name: row[name] for name in names if row.get(name) is not None and row[name] == row[name]}
        return span | {"start": int(row["start"]), "end": int(row["end"])}
    except (KeyError, TypeError, ValueError):
        raise GoldError("a span needs numbers in `start` and `end`") from None


@keep_texts_out_of_tracebacks
@dataclass(frozen=True)
class Gold:
    """Notes with the spans that people marked.

    Parameters
    ----------
    notes : dict of str to str
        The texts by document.
    spans : dict of str to list of dict
        The marked spans by document: ``start``, ``end`` (code points, end exclusive), ``category``, ``subtype`` and
        ``hipaa``, which is False for optional spans.
    problems : list of dict
        What was skipped when reading, with file and line.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> len(gold)
    1
    """

    notes: dict[str, str]
    spans: dict[str, Rows] = field(default_factory=dict)
    problems: Rows = field(default_factory=list)

    def __len__(self) -> int:
        """Return the number of notes."""
        return len(self.notes)

    def __repr__(self) -> str:
        """Return the counts only, no content."""
        spans = sum(map(len, self.spans.values()))
        return f"Gold({len(self.notes)} notes, {spans} spans, {len(self.problems)} problems)"

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        format: FormatName | None = None,  # noqa: A002
        *,
        labels: Mapping[str, str] | None = None,
    ) -> Gold:
        """Read a gold standard.

        Parameters
        ----------
        path : path
            A folder or file of one of the formats: ``notes/`` with ``gold.jsonl`` or ``gold.csv``, i2b2 2014 or 2006
            XML, PhysioNet deid, BRAT, Philter's folders, Label Studio's JSON, JSON Lines of Prodigy and doccano, UIMA
            CAS XMI or WebAnno TSV 3 of INCEpTION.
        format : str, optional
            The name of the format. Default: detected.
        labels : mapping of str to str, optional
            The meaning of labels of an annotation tool: ``{"PERSON": "NAME", "HOSP": "LOCATION/HOSPITAL"}``. Default:
            labels are categories, or category and subtype separated by a slash.

        Returns
        -------
        Gold
            With `problems` for each file or note that was skipped because it is malformed or nobody marked it.

        Raises
        ------
        GoldError
            If nothing can be read, or several annotators marked a note: use `read_annotators` for those.
        """
        if _tool_of_format(path, format) is None:
            if labels is not None:
                raise GoldError(f"{path}: labels= is for exports of annotation tools, and this is none")
            return cls(**json.loads(run_core_task("read_gold", path=path, format=format)))
        return _gold_of_one_annotator(_load_export(path, format, labels), path)

    @classmethod
    def read_annotators(
        cls,
        path: str | PathLike[str],
        format: FormatName | None = None,  # noqa: A002
        *,
        labels: Mapping[str, str] | None = None,
    ) -> dict[str, Gold]:
        """Read the marks of several annotators from one export of an annotation tool.

        Parameters
        ----------
        path : path
            Label Studio's JSON, with several annotations of a task; Prodigy's JSON Lines, with ``_annotator_id``; a
            folder of JSON Lines of doccano, one file for each member; a folder of INCEpTION with one folder for each
            note and one XMI or TSV file for each annotator in it.
        format : str, optional
            The name of the format. Default: detected.
        labels : mapping of str to str, optional
            As for `read`.

        Returns
        -------
        dict of str to Gold
            The gold standard of each annotator, for `agreement` and `notesieve.review.Review.adjudicate`.

        Raises
        ------
        GoldError
            If nothing can be read, the format is not that of an annotation tool, or an annotator marked a note twice.
        """
        if _tool_of_format(path, format) is None:
            raise GoldError(f"{path}: is no export of an annotation tool: read one Gold for each annotator")
        loaded = _load_export(path, format, labels)
        annotators = sorted({note.annotator for note in loaded.notes})
        # Notes that nobody marked are a problem for every annotator.
        parts = {
            annotator: LoadedNotes([note for note in loaded.notes if note.annotator == annotator], loaded.problems)
            for annotator in annotators
        }
        return {annotator: _gold_of_one_annotator(part, path) for annotator, part in parts.items()}

    @classmethod
    def from_frame(cls, spans: Any, notes: Any) -> Gold:
        """Make a gold standard from data frames of spans and notes.

        Parameters
        ----------
        spans : data frame, list of dict or dict of columns
            Columns ``doc``, ``start``, ``end``, ``category`` and, where there are any, ``subtype`` and ``hipaa``.
        notes : data frame, list of dict, dict of columns, or dict of str to str
            Columns ``doc`` and ``text``; or the texts by document.

        Returns
        -------
        Gold

        Examples
        --------
        >>> import notesieve as ns
        >>> spans = {"doc": ["a"], "start": [12], "end": [17], "category": ["NAME"]}
        >>> ns.Gold.from_frame(spans, {"a": "Seen by Dr. Quill."})
        Gold(1 notes, 1 spans, 0 problems)
        """
        # So that a traceback with arguments shows no text.
        texts, notes = HiddenRepr(_texts_by_document(HiddenRepr(notes))), None
        marked: dict[str, Rows] = {doc: [] for doc in texts.reveal()}
        for row in rows_of(spans):
            doc = str(required_field(row, "doc"))
            if doc not in marked:
                raise GoldError(f"a span for the document `{doc}`, of which there is no note")
            marked[doc].append(span_of_row(row, ("category", "subtype", "hipaa", "noise", "clean")))
        return cls(texts.reveal(), marked)

    def to_rows(self) -> Rows:
        """Return the spans as rows, ready for a data frame: ``pandas.DataFrame(gold.to_rows())``."""
        return [{"doc": doc, **span} for doc, spans in self.spans.items() for span in spans]

    def write(self, path: str | PathLike[str], format: FormatName = "jsonl") -> list[str]:  # noqa: A002
        """Write the gold standard in a format.

        Parameters
        ----------
        path : path
            A folder (for some formats also a file).
        format : str, optional
            The name of the format.

        Returns
        -------
        list of str
            What the format cannot represent.

        Raises
        ------
        GoldError
            If a file cannot be written, the name of a document leads out of the folder, or the format is unknown.
        """
        for doc in self.notes:
            parts = PurePath(doc).parts
            if not parts or PurePath(doc).is_absolute() or ".." in parts or "\0" in doc:
                raise GoldError("the name of a document leads out of the folder: rename it")
        _check_format(format)
        if format in TOOLS:
            return TOOLS[format].write(self, Path(path))
        losses: list[str] = json.loads(run_core_task("write_gold", gold=self.to_json(), path=path, format=format))
        return losses

    def to_json(self) -> str:
        """Return the gold standard as JSON text, for the core."""
        return json.dumps({"notes": self.notes, "spans": self.spans, "problems": self.problems})


def _check_format(format: str | None) -> None:  # noqa: A002
    """Raise for an unknown format, with the nearest known one as a suggestion."""
    known = get_args(FormatName)
    if format is not None and format not in known:
        raise GoldError(f"there is no format {format!r} among {', '.join(known)}{did_you_mean(format, known)}")


def _texts_by_document(notes: HiddenRepr) -> dict[str, str]:
    """Return the texts by document of a dict or a frame."""
    if isinstance(notes.reveal(), Mapping) and all(isinstance(text, str) for text in notes.reveal().values()):
        return dict(notes.reveal())
    return {str(required_field(row, "doc")): required_field(row, "text") for row in rows_of(notes.reveal())}


def _tool_of_format(path: str | PathLike[str], format: str | None) -> Tool | None:  # noqa: A002
    """Return the annotation tool of a format, or None for the formats that the core reads."""
    _check_format(format)
    if format is not None:
        return TOOLS.get(format)
    return next((tool for tool in TOOLS.values() if tool.matches(Path(path))), None)


def _load_export(path: str | PathLike[str], format: str | None, labels: Mapping[str, str] | None) -> LoadedNotes:  # noqa: A002
    """Load the export of an annotation tool and map its labels; raise if no note can be loaded."""
    tool = _tool_of_format(path, format)
    loaded = LoadedNotes() if tool is None else tool.read(Path(path))
    if not loaded.notes:
        first = loaded.problems[0]["problem"] if loaded.problems else "holds no notes"
        raise GoldError(f"{path}: {first}")
    for span in (span for note in loaded.notes for span in note.spans):
        label = label_of(span)
        if label in (labels or {}):
            span |= span_of_label(span["start"], span["end"], (labels or {})[label])
    return loaded


def _gold_of_one_annotator(loaded: LoadedNotes, path: str | PathLike[str]) -> Gold:
    """Return the gold standard of one annotator; raise if a note occurs twice."""
    notes: dict[str, str] = {}
    spans: dict[str, Rows] = {}
    for note in loaded.notes:
        if note.doc in notes:
            message = f"{path}: the note `{note.doc}` is marked twice: Gold.read_annotators keeps annotators apart"
            raise GoldError(message)
        notes[note.doc], spans[note.doc] = note.text, note.spans
    return Gold(notes, spans, list(loaded.problems))


def as_gold(gold: Any) -> Gold:
    """Return a gold standard, read from the path if given one."""
    if isinstance(gold, Gold):
        return gold
    if isinstance(gold, str | PathLike):
        return Gold.read(gold)
    raise GoldError(f"a gold standard is a path or a Gold, not {type(gold).__name__}; for data frames: Gold.from_frame")
