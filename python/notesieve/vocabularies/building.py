"""Build vocabularies from published sources, compare them, and read the lists of a site."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from notesieve import _core
from notesieve._core import Vocabulary
from notesieve.errors import FileError, PolicyError
from notesieve.files.reading_errors import as_file_errors
from notesieve.progress import is_shown, progress_bar

FORMATS = (
    "mesh", "umls", "rxnorm", "snomed", "obo", "icd10cm", "loinc", "delimited", "words", "compiled",
)  # fmt: skip
_SITE_LISTS = ("allow", "deny", "staff", "places")
# The keys that describe the source; all others are options of its reader.
_SOURCE_KEYS = ("path", "version", "licence", "priority")

PathArgument = str | PathLike[str]
# Called with the index of the source and the number of its records; the source is None once all are read.
OnProgress = Callable[[int | None, int | None], object]
SourceArgument = PathArgument | Mapping[str, Any] | Iterable[PathArgument | Mapping[str, Any]]


def build(
    out: PathArgument,
    *,
    sources: Iterable[Mapping[str, Any]] = (),
    base: Literal["default", "lists"] | None = "default",
    variants: bool = True,
    suppress: bool = True,
    progress: bool | OnProgress | None = None,
    **formats: SourceArgument,
) -> Build:
    r"""Compile a vocabulary from published sources.

    Parameters
    ----------
    out : path
        The file to write. It appears under this name only when it is complete.
    sources : iterable of dict, optional
        Sources in the order of their priority: ``format`` and ``path``, optionally ``version``, ``licence`` and
        ``priority``, and the options of the format's reader.
    base : {"default", "lists", None}, optional
        The part of the built-in vocabulary to add after all sources: all of it, only its lists of words, names and
        places, or nothing. Without lists of names no term is known to be ambiguous.
    variants : bool, optional
        Whether to add variants of terms (plural, British spelling, Greek letters, ...).
    suppress : bool, optional
        Whether to leave out misleading terms, by the rules of Hettne and others (2010).
    progress : bool or callable, optional
        Whether to show the progress of the build. Default: in a terminal or notebook. A function is called with the
        index of the source and the number of its records, and with ``None`` twice once everything is read.
    **formats
        ``mesh``, ``umls``, ``rxnorm``, ``snomed``, ``obo``, ``icd10cm``, ``loinc``, ``delimited``,
        ``words`` and ``compiled``: a path, a dict as in `sources`, or several. They come after `sources`.

    Returns
    -------
    Build
        The file, with counts of what was read, kept and left out.

    Raises
    ------
    SourceError
        If a file is not of its format.
    FileError
        If a file cannot be read or written.
    PolicyError
        If a format or an option is unknown.

    Examples
    --------
    >>> import notesieve as ns
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "terms.csv").write_text("code,term\nsite:1,marsh fever\n")
    >>> made = ns.vocabularies.build(folder / "mine.vocabulary", delimited=folder / "terms.csv", base=None)
    >>> made.vocabulary.lookup("Marsh Fever")
    [Concept("site:1", "marsh fever")]
    """
    given = [dict(source) for source in sources]
    for name, value in formats.items():
        if name not in FORMATS:
            raise PolicyError(f"there is no format {name!r}: take one of {', '.join(FORMATS)}")
        several = [value] if isinstance(value, str | PathLike | Mapping) else list(value)
        given += [{"format": name, **(one if isinstance(one, Mapping) else {"path": one})} for one in several]
    specs = [_source_specification(source, at) for at, source in enumerate(given)]
    request = {"sources": specs, "options": {"variants": variants, "suppress": suppress}, "base": base}
    names = [f"{spec['source']['format']} {Path(spec['path']).name}" for spec in specs]
    with _build_progress(names, progress) as report_progress:
        report = json.loads(_core.build_vocabulary(json.dumps(request), out, report_progress))
    return Build(Path(out), report)


@contextmanager
def _build_progress(names: Sequence[str], show: bool | OnProgress | None) -> Iterator[OnProgress | None]:
    """Yield the function that the build calls with its progress: a bar for each source that counts its records."""
    if callable(show) or not is_shown(show):
        yield show if callable(show) else None
        return
    bar = progress_bar(False)
    current: int | None = -1

    def update_bar(source: int | None, records: int | None) -> None:
        nonlocal bar, current
        if source != current:
            bar.close()
            current = source
            name = "compile" if source is None else names[source] if source < len(names) else "built-in lists"
            bar = progress_bar(True, desc=name, unit=" records", unit_scale=True)
        if records is not None:
            bar.update(records - bar.n)

    try:
        yield update_bar
    finally:
        bar.close()


def _source_specification(source: Mapping[str, Any], at: int) -> dict[str, Any]:
    """Convert a source to the form that the core reads; the first source has the highest priority for shared terms."""
    if "path" not in source or "format" not in source:
        raise PolicyError(f"source {at + 1} needs `format` and `path`")
    spec: dict[str, Any] = {name: source[name] for name in _SOURCE_KEYS if name in source}
    spec["path"] = os.fspath(spec["path"])
    spec.setdefault("priority", at)
    return spec | {"source": {name: value for name, value in source.items() if name not in _SOURCE_KEYS}}


@dataclass(frozen=True)
class Build:
    """A compiled vocabulary, with counts of what was read, kept and left out.

    Attributes
    ----------
    path : Path
        The file.
    report : dict
        Counts by source and in total, seconds, bytes.
    """

    path: Path
    report: dict[str, Any]

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary, opened."""
        return Vocabulary.open(self.path)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per source, ready for a data frame.

        Returns
        -------
        list of dict
            ``format``, ``file``, ``read``, ``concepts``, ``terms``, ``words``, ``dropped``, ``suppressed``,
            ``variants``, ``unreadable`` and ``seconds``.
        """
        rows = []
        for source in self.report["sources"]:
            row: dict[str, Any] = {"format": source["format"], "file": Path(source["path"]).name}
            row |= {name: source[name] for name in ("read", "concepts", "terms", "words")}
            row |= {name: sum(source[name].values()) for name in ("dropped", "suppressed", "variants")}
            rows.append(row | {"unreadable": source["unreadable"], "seconds": source["seconds"]})
        return rows

    def summary(self) -> str:
        """Return the table that the command line prints."""
        rows = self.rows()
        names = [name for name in rows[0] if name != "seconds"] if rows else []
        table = [[name.replace("format", "source") for name in names] + ["seconds"]]
        table += [[_format_value(row[name]) for name in names] + [f"{row['seconds']:.1f}"] for row in rows]
        text = align_columns(table, left=2) if rows else []
        compiled = self.report["compiled"]
        reasons: dict[str, int] = {}
        for counts in [
            *(s[key] for s in self.report["sources"] for key in ("dropped", "suppressed")),
            compiled["dropped"],
        ]:
            for reason, count in counts.items():
                reasons[reason] = reasons.get(reason, 0) + count
        left_out = ", ".join(
            f"{count:,} {reason}" for reason, count in sorted(reasons.items(), key=lambda item: -item[1])
        )
        text += [
            "",
            f"kept        {compiled['terms']:,} terms ({compiled['variants']:,} of them variants) of "
            f"{compiled['concepts']:,} concepts, {compiled['words']:,} words",
            f"left out    {left_out or 'nothing'}",
            f"ambiguous   {compiled['ambiguous']:,} words that are also names, {compiled['shared']:,} terms of several "
            f"concepts, {compiled['upper_only']:,} in capital letters only",
            f"size        {compiled['bytes'] / 1e6:.1f} MB",
            f"time        {self.report['seconds']:.1f} s",
        ]
        for source in self.report["sources"]:
            text += [f"unreadable  {p['file']}:{p['line']}: {p['problem']}" for p in source["problems"]]
        return "\n".join(text)

    def __repr__(self) -> str:
        """Return the file name and its size."""
        compiled = self.report["compiled"]
        return f"Build({str(self.path)!r}, {compiled['terms']:,} terms, {compiled['bytes'] / 1e6:.1f} MB)"


def align_columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return the lines of a table; the columns after the first `left` hold numbers.

    Parameters
    ----------
    rows : sequence of sequence of str
        Rows of equal length; the first is the header.
    left : int
        The number of text columns.

    Returns
    -------
    list of str

    Examples
    --------
    >>> align_columns([["a", "count"], ["pear", "7"]], left=1)
    ['a     count', 'pear      7']
    """
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        lines.append("  ".join(f"{cell:<{w}}" if at < left else f"{cell:>{w}}" for at, (cell, w) in cells).rstrip())
    return lines


def _format_value(value: object) -> str:
    """Format a value for a table; numbers with thousands separators."""
    return f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True)
class Diff:
    """The changes in a new vocabulary.

    Attributes
    ----------
    concepts_added, concepts_removed : list of str
        Codes.
    concepts_renamed, terms_recoded : list of dict
        ``what``, ``old`` and ``new``.
    terms_added, terms_removed : list of str
        Terms, in lower case.
    words_allowed, words_no_longer_allowed : list of str
        Words that may now come out of a note, and words that no longer may: the effect on de-identification.
    """

    concepts_added: list[str]
    concepts_removed: list[str]
    concepts_renamed: list[dict[str, str]]
    terms_added: list[str]
    terms_removed: list[str]
    terms_recoded: list[dict[str, str]]
    words_allowed: list[str]
    words_no_longer_allowed: list[str]

    def summary(self, examples: int = 8) -> str:
        """Return the counts and the first items of each kind as text."""
        lines = []
        for name, items in vars(self).items():
            first = [
                item if isinstance(item, str) else f"{item['what']}: {item['old']} → {item['new']}" for item in items
            ]
            more = " …" if len(first) > examples else ""
            lines.append(f"{name.replace('_', ' '):24} {len(items):>9,}  {'; '.join(first[:examples])}{more}".rstrip())
        return "\n".join(lines)

    def __bool__(self) -> bool:
        """Return whether anything changes."""
        return any(vars(self).values())

    def __repr__(self) -> str:
        """Return the counts of the changes."""
        return f"Diff({', '.join(f'{name}={len(items)}' for name, items in vars(self).items() if items)})"


def diff(old: Vocabulary | PathArgument, new: Vocabulary | PathArgument) -> Diff:
    """Report what a new vocabulary adds, removes and changes.

    Parameters
    ----------
    old, new : Vocabulary or path

    Returns
    -------
    Diff

    Examples
    --------
    >>> import notesieve as ns
    >>> vocabulary = ns.Vocabulary.default()
    >>> bool(ns.vocabularies.diff(vocabulary, vocabulary))
    False
    """
    before, after = (one if isinstance(one, Vocabulary) else Vocabulary.open(one) for one in (old, new))
    return Diff(**json.loads(after._diff(before)))


def read_site_lists(folder: PathArgument) -> dict[str, list[str]]:
    r"""Read the lists of a site for `Vocabulary.with_lists`.

    Parameters
    ----------
    folder : path
        A folder with some of ``allow.txt``, ``deny.txt``, ``staff.txt`` and ``places.txt``: UTF-8, one word or phrase
        per line; a line that begins with ``#`` is a comment.

    Returns
    -------
    dict of list of str

    Raises
    ------
    FileError
        If none of them exists, or one cannot be read.

    Examples
    --------
    >>> import notesieve as ns
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "staff.txt").write_text("# since 2019\nAmbrosius Thackle\n")
    >>> vocabulary = ns.Vocabulary.default().with_lists(**ns.vocabularies.read_site_lists(folder))
    >>> ns.Scrubber(vocabulary=vocabulary).scrub("Ambrosius Thackle was told.").text
    '[NAME] was told.'
    """
    lists: dict[str, list[str]] = {}
    for name in _SITE_LISTS:
        file = Path(folder) / f"{name}.txt"
        if not file.exists():
            continue
        with as_file_errors(file):
            lines = file.read_text(encoding="utf-8-sig").splitlines()
        lists[name] = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not lists:
        raise FileError(f"{folder}: holds none of {', '.join(f'{name}.txt' for name in _SITE_LISTS)}")
    return lists
