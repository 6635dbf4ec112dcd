"""The command `notesieve index`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesieve._core import Key, Vocabulary
from notesieve.cli.index_build import add_build
from notesieve.cli.meanings import ask_until_unambiguous
from notesieve.cli.options import add_vocabulary_option, open_vocabulary
from notesieve.cli.printing import format_count
from notesieve.errors import SearchIndexError

if TYPE_CHECKING:
    from notesieve.index import Index

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
    """Add the command to those of `notesieve`."""
    index = commands.add_parser(
        "index",
        help="search de-identified notes and count patients",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = index.add_subparsers(title="actions", required=True, metavar="ACTION")
    add_build(actions)
    _add_query_commands(actions)
    _add_copying_commands(actions)


def _add_query_commands(actions: Any) -> None:
    """Add `search` and `count`."""
    search = actions.add_parser("search", help="find notes")
    _add_query_arguments(search)
    search.add_argument("--limit", type=int, default=20, help="how many notes; default 20; with ndjson and csv all")
    search.add_argument("--format", choices=["text", "ndjson", "csv"], default="text")
    search.add_argument("--log", type=Path, help="log the search in this file, which only grows; needs --user")
    search.add_argument("--user", help="who reads; needed with --log")
    search.set_defaults(run=_run_search)

    count = actions.add_parser("count", help="count patients and notes")
    _add_query_arguments(count)
    count.add_argument("--log", type=Path, help="audit log: give only numbers of patients that are large enough")
    count.add_argument("--user", help="who asks; needed with --log")
    count.add_argument("--floor", type=int, default=11, help="smallest number that is given with --log; default 11")
    count.add_argument("--by", choices=["type", "year", "branch"], help="a table")
    count.set_defaults(run=_run_count)

    verify = actions.add_parser("verify", help="read every file of an index again and compare it with its checksum")
    verify.add_argument("index", type=Path, metavar="INDEX")
    verify.set_defaults(run=_run_verify)
    info = actions.add_parser("info", help="what is in an index, and what made it")
    info.add_argument("index", type=Path, metavar="INDEX")
    info.set_defaults(run=_run_info)


def _add_copying_commands(actions: Any) -> None:
    """Add `release` and `export`."""
    release = actions.add_parser("release", help="write the notes of the patients of a query for a project, and log it")
    _add_query_arguments(release)
    release.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    release.add_argument("--purpose", required=True, help="the project, its approval, who receives the notes")
    release.add_argument("--user", required=True, help="who releases them")
    release.add_argument("--only", default="*", metavar="QUERY", help="which notes of these patients; default: all")
    release.add_argument("--new-pseudonyms", action="store_true", help="pseudonyms of this purpose; needs the key")
    release.add_argument("--log", type=Path, help="default: releases.jsonl in the folder of the index")
    release.set_defaults(run=_run_release)
    export = actions.add_parser("export", help="write an index for OpenSearch")
    export.add_argument("index", type=Path, metavar="INDEX")
    export.add_argument("--opensearch", type=Path, required=True, metavar="DIR", help="where the files go")
    export.add_argument("--query", default="*", help="which notes; default: all")
    export.add_argument("--name", default="notes", help="name of the OpenSearch index; default: notes")
    export.add_argument("--parts", type=int, default=1, help="in how many files")
    export.add_argument("--only", type=int, metavar="PART", help="write this part alone; parts count from 0")
    export.add_argument("--annotated", action="store_true", help="codes also at their words, as annotated text")
    export.set_defaults(run=_run_export)


def _add_query_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for an index, a query and a vocabulary."""
    parser.add_argument("index", type=Path, metavar="INDEX")
    parser.add_argument("query", metavar="QUERY")
    add_vocabulary_option(parser)


def _open_index(options: argparse.Namespace, **reads: Any) -> Index:
    from notesieve.index import Index

    chosen = getattr(options, "vocabulary", None)
    return Index.open(options.index, vocabulary=None if chosen is None else Vocabulary.open(chosen), **reads)


def _run_release(options: argparse.Namespace) -> int:
    index = _open_index(options)
    cohort = ask_until_unambiguous(options, index.cohort)
    key = Key.load() if options.new_pseudonyms else None
    given = {"purpose": options.purpose, "user": options.user, "query": options.only, "key": key, "log": options.log}
    folder = index.release(cohort, options.output, **given)
    record = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    print(f"{folder}: {format_count(record['notes'], 'note')} of {format_count(record['patients'], 'patient')}")
    return 0


# ---- queries


def _run_search(options: argparse.Namespace) -> int:
    from notesieve.index.results import write_csv

    index = _open_index(options, log=options.log, user=options.user)
    results = ask_until_unambiguous(options, lambda query: index.search(query, limit=options.limit))
    if options.format == "text":
        print(f"{format_count(results.notes, 'note')} of {format_count(results.patients, 'patient')}")
        for hit in results:
            facts = " ".join(str(fact) for fact in (hit.note_type, hit.year) if fact is not None)
            print(f"\n{hit.note} {facts}\n    {hit.snippet()}")
        return 0
    if options.format == "ndjson":
        for hit in results.all():
            print(json.dumps(hit.to_dict(), ensure_ascii=False))
        return 0
    write_csv(results.all(), sys.stdout, line_end="\n")
    return 0


def _run_verify(options: argparse.Namespace) -> int:
    files = _open_index(options).verify()
    print(f"{options.index}: {files} files are what was written")
    return 0


def _run_count(options: argparse.Namespace) -> int:
    if options.log is not None:
        from notesieve.index import CountsOnly

        if not options.user:
            raise SearchIndexError("--log needs --user: the log says who asks")
        handle = CountsOnly(
            options.index, log=options.log, user=options.user, floor=options.floor, vocabulary=open_vocabulary(options)
        )
        if options.by:
            print(ask_until_unambiguous(options, lambda query: handle.table(query, options.by)))
        else:
            print(f"{ask_until_unambiguous(options, handle.count)} patients")
        return 0
    index = _open_index(options)
    if options.by:
        for facet in ask_until_unambiguous(options, lambda query: index.facets(query, options.by)):
            print(f"{facet.notes:>9,}  {facet.value}{'' if facet.name == facet.value else '  ' + facet.name}")
        return 0
    found = ask_until_unambiguous(options, index.count)
    print(f"{format_count(found.patients, 'patient')}, {format_count(found.notes, 'note')}")
    return 0


def _run_export(options: argparse.Namespace) -> int:
    from notesieve.index import export_opensearch

    index = _open_index(options)
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


def _run_info(options: argparse.Namespace) -> int:
    print(json.dumps(_open_index(options).info(), indent=2, ensure_ascii=False))
    return 0
