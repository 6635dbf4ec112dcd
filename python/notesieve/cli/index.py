"""The command `notesieve index`."""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve._core import Key, Policy, Vocabulary
from notesieve.batches import batches
from notesieve.cli.meanings import asked
from notesieve.cli.options import is_policy_file, model_option, vocabulary_of, vocabulary_option
from notesieve.errors import (
    EXPLAINED,
    FileError,
    FrameError,
    IndexRowError,
    PolicyError,
    SearchIndexError,
)
from notesieve.files.jobs import kind_of
from notesieve.files.reading_errors import explain, is_of_file
from notesieve.files.row_files import Row, open_rows, uncompressed
from notesieve.files.table_options import TableOptions
from notesieve.scrubber import Scrubber

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from notesieve.frames.column_plan import Plan
    from notesieve.index import Index

__all__ = ["add_index"]

_FIELDS = ("note_id", "patient_id", "note_type", "year")
_TOLD = 20  # rows that cannot be indexed are told one by one, so many of them

_EXAMPLES = """examples:
  notesieve index build notes.ndjson -o notes.index          scrub notes and index them
  notesieve index build clean.csv -o notes.index --scrubbed  texts that are de-identified already; each is verified
  notesieve index count notes.index 'code:"heart attack" AND NOT aspirin'
  notesieve index count notes.index fever --log audit.jsonl --user ann      only numbers of 11 patients or more
  notesieve index search notes.index '"chest pain" NEAR/5 code:mesh:D003920' --limit 5
  notesieve index search notes.index type:letter --format csv > letters.csv
  notesieve index verify notes.index                         after copies, and before relying on counts
  notesieve index release notes.index 'code:asthma' -o asthma/ --purpose 'Asthma study, IRB 17-204' --user ann
  notesieve index export notes.index --opensearch bulk/ --parts 8

A line of notes.ndjson: {"note_id": "17", "patient_id": "4711", "note_type": "letter", "year": 2004, "text": "..."}
Pseudonyms need a key: `notesieve key new -o FILE`, then NOTESIEVE_KEY_FILE=FILE.

exit codes of build: 0 all went well; 1 some rows or files could not be indexed, the others were; 2 no run
"""


def add_index(commands: Any) -> None:
    """Add the command to those of `notesieve`.

    Parameters
    ----------
    commands : argparse subparsers action
        What ``parser.add_subparsers()`` gave.
    """
    index = commands.add_parser(
        "index",
        help="search de-identified notes and count patients",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = index.add_subparsers(title="actions", required=True, metavar="ACTION")
    _add_build(actions)
    _add_questions(actions)
    _add_copies(actions)


def _add_build(actions: Any) -> None:
    build = actions.add_parser("build", help="make an index of notes, or add notes to one")
    build.add_argument(
        "inputs", nargs="+", type=Path, metavar="FILE", help=".ndjson, .jsonl, .csv or .tsv, also .gz or .zst; .parquet"
    )
    build.add_argument("-o", "--output", type=Path, required=True, metavar="INDEX", help="folder of the index")
    build.add_argument("--scrubbed", action="store_true", help="the texts are de-identified already; verify each")
    build.add_argument("--policy", default="safe", help="safe (default), another preset, or a policy file")
    build.add_argument("--keep", action="append", default=[], metavar="KIND", help="a kind of PHI that stays: year ...")
    build.add_argument("--years", action="store_true", help="the index has the year of each note")
    build.add_argument("--given-pseudonyms", action="store_true", help="the identifiers are pseudonyms already")
    for name in ("text", *_FIELDS):
        build.add_argument(f"--{name.replace('_', '-')}", default=name, metavar="COLUMN", help=f"default: {name}")
    vocabulary_option(build, site=True)
    model_option(build)
    build.set_defaults(run=_build)


def _add_questions(actions: Any) -> None:
    search = actions.add_parser("search", help="find notes")
    _question(search)
    search.add_argument("--limit", type=int, default=20, help="how many notes; default 20; with ndjson and csv all")
    search.add_argument("--format", choices=["text", "ndjson", "csv"], default="text")
    search.add_argument("--log", type=Path, help="log the search in this file, which only grows; needs --user")
    search.add_argument("--user", help="who reads; needed with --log")
    search.set_defaults(run=_search)

    count = actions.add_parser("count", help="count patients and notes")
    _question(count)
    count.add_argument("--log", type=Path, help="audit log: tell only numbers of patients that are large enough")
    count.add_argument("--user", help="who asks; needed with --log")
    count.add_argument("--floor", type=int, default=11, help="smallest number that is told with --log; default 11")
    count.add_argument("--by", choices=["type", "year", "branch"], help="a table")
    count.set_defaults(run=_count)

    verify = actions.add_parser("verify", help="read every file of an index again and compare it with its checksum")
    verify.add_argument("index", type=Path, metavar="INDEX")
    verify.set_defaults(run=_verify)
    info = actions.add_parser("info", help="what is in an index, and what made it")
    info.add_argument("index", type=Path, metavar="INDEX")
    info.set_defaults(run=_info)


def _add_copies(actions: Any) -> None:
    release = actions.add_parser("release", help="write the notes of the patients of a query for a project, and log it")
    _question(release)
    release.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    release.add_argument("--purpose", required=True, help="the project, its approval, who receives the notes")
    release.add_argument("--user", required=True, help="who releases them")
    release.add_argument("--only", default="*", metavar="QUERY", help="which notes of these patients; default: all")
    release.add_argument("--new-pseudonyms", action="store_true", help="pseudonyms of this purpose; needs the key")
    release.add_argument("--log", type=Path, help="default: releases.jsonl in the folder of the index")
    release.set_defaults(run=_release)
    export = actions.add_parser("export", help="write an index for OpenSearch")
    export.add_argument("index", type=Path, metavar="INDEX")
    export.add_argument("--opensearch", type=Path, required=True, metavar="DIR", help="where the files go")
    export.add_argument("--query", default="*", help="which notes; default: all")
    export.add_argument("--name", default="notes", help="name of the OpenSearch index; default: notes")
    export.add_argument("--parts", type=int, default=1, help="in how many files")
    export.add_argument("--only", type=int, metavar="PART", help="write this part alone; parts count from 0")
    export.add_argument("--annotated", action="store_true", help="codes also at their words, as annotated text")
    export.set_defaults(run=_export)


def _question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("index", type=Path, metavar="INDEX")
    parser.add_argument("query", metavar="QUERY")
    vocabulary_option(parser)


def _open(options: argparse.Namespace) -> Index:
    from notesieve.index import Index

    chosen = getattr(options, "vocabulary", None)
    return Index.open(options.index, vocabulary=None if chosen is None else Vocabulary.open(chosen))


def _release(options: argparse.Namespace) -> int:
    index = _open(options)
    cohort = asked(options, index.cohort)
    key = Key.load() if options.new_pseudonyms else None
    given = {"purpose": options.purpose, "user": options.user, "query": options.only, "key": key, "log": options.log}
    folder = index.release(cohort, options.output, **given)
    record = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    print(f"{folder}: {record['notes']:,} notes of {record['patients']:,} patients")
    return 0


# ---- build


def _build(options: argparse.Namespace) -> int:
    from notesieve.index import Index

    for path in options.inputs:
        if not path.exists() or path.is_dir():
            what = "is a folder; give the files in it" if path.is_dir() else "there is no such file"
            message = f"{path}: {what}"
            raise FileError(message)
    key = None if options.given_pseudonyms else Key.load()
    if options.keep and is_policy_file(options.policy):
        message = f"--keep goes with a preset: write keep = {json.dumps(options.keep)} into {options.policy}"
        raise PolicyError(message)
    policy = Policy(options.policy, keep=options.keep) if options.keep else options.policy
    scrubber = Scrubber(policy, vocabulary_of(options), key=key, model=options.model)
    if options.output.exists():
        index = Index.open(options.output, scrubber=scrubber)
    else:
        years = True if options.years else None
        index = Index.create(options.output, scrubber, years=years, given_pseudonyms=options.given_pseudonyms)
    begin = time.perf_counter()
    count = 0
    problems: list[str] = []
    wrong = _Wrong()
    with index:
        years = index.info()["years"]
        for path in options.inputs:
            for rows in _rows(path, options, problems, years=years):
                added, refused = _add(index, scrubber, rows, options)
                count += added
                wrong.add(path, refused)
                _progress(f"{count:,} notes, {count / (time.perf_counter() - begin):,.0f} a second")
    _progress("")
    for problem in [*wrong.told(), *problems]:
        print(f"notesieve: {problem}", file=sys.stderr)
    counted = index.count("*")
    print(f"{options.output}: {counted.notes:,} notes of {counted.patients:,} patients")
    return 1 if problems or wrong.count else 0


class _Wrong:
    """The rows that could not be indexed."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[str] = []

    def add(self, path: Path, refused: list[tuple[int, str]]) -> None:
        self.count += len(refused)
        told = sorted(refused)[: _TOLD - len(self.first)]
        self.first += [f"{path}: line {line}: {EXPLAINED.get(code, code)}" for line, code in told]

    def told(self) -> list[str]:
        """Say which, and what to do."""
        if not self.count:
            return []
        more = [f"and {self.count - _TOLD} more rows"] if self.count > _TOLD else []
        summary = (
            f"{self.count} row{'s' * (self.count > 1)} could not be indexed, the others were; mend and run the same "
            "command again: a note that is in the index already is replaced"
        )
        return [*self.first, *more, summary]


def _rows(path: Path, options: argparse.Namespace, problems: list[str], *, years: bool) -> Iterator[list[Row]]:
    """Give the rows of a file, some at a time. What is wrong with the file itself goes to `problems`."""
    form, compression = kind_of(path) or ("jsonl", "")

    def plan(names: list[str] | None) -> Plan:
        maybe = [options.note_type, *([options.year] if years else [])]
        keep = [options.patient_id, *(name for name in maybe if names is None or name in names)]
        return TableOptions(options.text, options.note_id, tuple(keep), outputs=()).plan(names)

    try:
        if form == "parquet":
            yield from _parquet_rows(path, plan)
            return
        if form not in ("jsonl", "csv"):
            raise FrameError(
                "is no file of rows: give .jsonl, .ndjson, .csv, .tsv or .parquet; in Python, Index.add takes frames"
            )
        with uncompressed(path, compression) as (stream, _):
            table = open_rows(form, stream, text=options.text)
            made = plan(table.names)
            yield from batches(table.read(made.text, [name for name in made.read if name != made.text]))
    except Exception as problem:
        if not is_of_file(problem):
            raise
        problems.append(f"{path}: {explain(problem)}")


def _parquet_rows(path: Path, plan: Callable[[list[str]], Plan]) -> Iterator[list[Row]]:
    """Give the rows of a Parquet file, some at a time; the first is 1."""
    try:
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise FrameError("reading .parquet needs pyarrow: pip install 'notesieve[files]'") from None
    number = 0
    with parquet.ParquetFile(path) as file:
        made = plan(list(file.schema_arrow.names))
        for batch in file.iter_batches(batch_size=1024, columns=made.read):
            columns = {name: batch[name].to_pylist() for name in made.read}
            texts = columns.pop(made.text)
            rows = []
            for at, text in enumerate(texts):
                number += 1
                rows.append(Row(number, {name: values[at] for name, values in columns.items()}, text))
            yield rows


def _add(
    index: Index, scrubber: Scrubber, rows: list[Row], options: argparse.Namespace
) -> tuple[int, list[tuple[int, str]]]:
    """Add what may go in; tell how many rows that were, and of each other row its line and what is wrong with it."""
    good = []
    refused = []
    for row in rows:
        code = row.error or (None if isinstance(row.text, str) else "type")
        if code is None:
            good.append(row)
        else:
            refused.append((row.line, code))
    texts: Any = [row.text for row in good]
    if not options.scrubbed:
        texts, failed = scrubber._scrub_many(texts)
        if failed:
            refused += [(good[at].line, reason) for at, reason in failed]
            left = sorted(set(range(len(good))) - {at for at, _ in failed})
            good, texts = [good[at] for at in left], [texts[at] for at in left]
    fields: dict[str, Any] = {name: [row.kept.get(getattr(options, name)) for row in good] for name in _FIELDS}
    try:
        if options.scrubbed:
            added = index.add({"text": texts, **fields}, note_type="note_type", year="year")
        else:
            added = index.add(texts, **fields)
    except IndexRowError as problem:
        refused += [(good[at].line, code) for at, code in problem.errors]
        added = int(problem.result)
    return added, refused


def _progress(message: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{message:<60}", end="\n" if not message else "", file=sys.stderr, flush=True)


# ---- questions


def _search(options: argparse.Namespace) -> int:
    from notesieve.index import Index

    vocabulary = None if options.vocabulary is None else Vocabulary.open(options.vocabulary)
    index = Index.open(options.index, vocabulary=vocabulary, log=options.log, user=options.user)
    results = asked(options, lambda query: index.search(query, limit=options.limit))
    if options.format == "text":
        print(f"{results.notes:,} notes of {results.patients:,} patients")
        for hit in results:
            facts = " ".join(str(fact) for fact in (hit.note_type, hit.year) if fact is not None)
            print(f"\n{hit.note} {facts}\n    {hit.snippet()}")
        return 0
    if options.format == "ndjson":
        for hit in results.all():
            print(json.dumps(hit.to_dict(), ensure_ascii=False))
        return 0
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for number, hit in enumerate(results.all()):
        row = hit.to_dict()
        if not number:
            writer.writerow(row)
        writer.writerow((row | {"codes": " ".join(row["codes"])}).values())
    return 0


def _verify(options: argparse.Namespace) -> int:
    from notesieve.index import Index

    files = Index.open(options.index).verify()
    print(f"{options.index}: {files} files are what was written")
    return 0


def _count(options: argparse.Namespace) -> int:
    if options.log is not None:
        from notesieve.index import CountsOnly

        if not options.user:
            raise SearchIndexError("--log needs --user: the log says who asks")
        handle = CountsOnly(
            options.index, log=options.log, user=options.user, floor=options.floor, vocabulary=vocabulary_of(options)
        )
        if options.by:
            print(asked(options, lambda query: handle.table(query, options.by)))
        else:
            print(f"{asked(options, handle.count)} patients")
        return 0
    index = _open(options)
    if options.by:
        for facet in asked(options, lambda query: index.facets(query, options.by)):
            print(f"{facet.notes:>9,}  {facet.value}{'' if facet.name == facet.value else '  ' + facet.name}")
        return 0
    counted = asked(options, index.count)
    print(f"{counted.patients:,} patients, {counted.notes:,} notes")
    return 0


def _export(options: argparse.Namespace) -> int:
    from notesieve.index import export_opensearch

    index = _open(options)
    paths = export_opensearch(
        index,
        options.opensearch,
        name=options.name,
        query=options.query,
        parts=options.parts,
        only=options.only,
        annotated=options.annotated,
    )
    for path in paths:
        print(path)
    return 0


def _info(options: argparse.Namespace) -> int:
    print(json.dumps(_open(options).info(), indent=2, ensure_ascii=False))
    return 0
