"""The command `vocabulary`."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from notesieve import vocabularies
from notesieve._core import Concept
from notesieve.cli.options import add_vocabulary_option, open_vocabulary
from notesieve.errors import PolicyError
from notesieve.vocabularies.building import align_columns

_BUILD = """examples:
  notesieve vocabulary build --mesh desc2026.xml -o mesh.vocabulary
  notesieve vocabulary build --umls 2026AA/META --obo hp.obo -o research.vocabulary
  notesieve vocabulary build --umls META --option languages=ENG,SPA -o bilingual.vocabulary
  notesieve vocabulary build --words surname=names.txt --compiled research.vocabulary -o ours.vocabulary

Sources come in the order in which they are given: where a term has several codes, that of the first stands first. An
--option belongs to the source before it. The lists and terms inside the package come along, after all sources; --base
lists takes the lists alone, --base none nothing.
"""
_HELP = {
    "mesh": "NLM's desc20XX.xml or supp20XX.xml, plain or .gz",
    "umls": "a META folder or its MRCONSO.RRF",
    "rxnorm": "an rrf folder or its RXNCONSO.RRF",
    "snomed": "a SNOMED CT RF2 snapshot folder",
    "obo": "an ontology in OBO format",
    "icd10cm": "the tabular XML, or CMS's code or order file",
    "loinc": "Loinc.csv or the release folder",
    "delimited": "a table with the columns code and term, or as --option says",
    "words": "CLASS=FILE: a list of words, e.g. surname=names.txt",
    "compiled": "a vocabulary that was compiled before",
}


class _SourceAction(argparse.Action):
    """Collects the sources in the order of the command line, whatever their format."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        sources = [*(getattr(namespace, "sources", None) or ())]
        name = (option or "").removeprefix("--")
        if name == "option":
            key, found, value = values.partition("=")
            if not sources or not found:
                parser.error("--option takes NAME=VALUE and follows the source it belongs to")
            sources[-1][key.replace("-", "_")] = _parse_value(value)
        elif name == "words":
            key, found, value = values.partition("=")
            if not found:
                parser.error("--words takes CLASS=FILE, e.g. surname=names.txt")
            sources.append({"format": "words", "path": value, "class": key})
        else:
            sources.append({"format": name, "path": values})
        namespace.sources = sources


def _parse_value(text: str) -> object:
    """Parse a value: as JSON if it is valid, as a list if it contains commas, otherwise as text."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text.split(",") if "," in text else text


def add_vocabulary(commands: Any) -> None:
    """Add the command to those of `notesieve`.

    Examples
    --------
    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_vocabulary(parser.add_subparsers())
    >>> parser.parse_args(["vocabulary", "build", "--obo", "hp.obo", "-o", "hp.vocabulary"]).sources
    [{'format': 'obo', 'path': 'hp.obo'}]
    """
    parser = commands.add_parser("vocabulary", help="build, compare, look into and fetch vocabularies")
    actions = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    _add_build(actions)
    _add_fetch(actions)
    _add_reading_commands(actions)
    differ = actions.add_parser("diff", help="what a new vocabulary adds, drops and changes")
    differ.add_argument("old", type=Path, metavar="OLD")
    differ.add_argument("new", type=Path, metavar="NEW")
    differ.add_argument("--json", action="store_true", help="print all of it")
    differ.set_defaults(run=_run_diff)


def _add_build(actions: Any) -> None:
    parser = actions.add_parser(
        "build",
        help="compile published sources",
        epilog=_BUILD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, text in _HELP.items():
        parser.add_argument(f"--{name}", action=_SourceAction, metavar="FILE", help=text)
    parser.add_argument(
        "--option", action=_SourceAction, metavar="NAME=VALUE", help="an option of the source before it"
    )
    parser.add_argument("--base", choices=["default", "lists", "none"], default="default", help="what comes along")
    parser.add_argument("--no-variants", action="store_true", help="take terms as they are written only")
    parser.add_argument("--no-suppression", action="store_true", help="keep terms that mislead")
    parser.add_argument("--json", action="store_true", help="print the report as JSON instead of a table")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT")
    parser.set_defaults(run=_run_build, sources=None)


def _add_fetch(actions: Any) -> None:
    parser = actions.add_parser(
        "fetch",
        help="download MeSH from NLM and build it",
        description="Download MeSH from NLM, or go on with a download that was interrupted, check that it is whole, "
        "and build it. The only command that opens a connection.",
    )
    parser.add_argument("what", choices=["mesh"])
    parser.add_argument("--year", type=int, required=True)
    parser.add_argument("--supplementary", action="store_true", help="supplementary concepts, too: 320,000 substances")
    parser.add_argument("--folder", type=Path, default=Path(), metavar="DIR", help="where files go; default: here")
    parser.add_argument("--sha256", help="the digest that the descriptors must have")
    parser.add_argument("--url", default=None, help="a mirror")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="default: mesh-YEAR.vocabulary in DIR")
    parser.set_defaults(run=_run_fetch, base="default", no_variants=False, no_suppression=False, json=False)


def _add_reading_commands(actions: Any) -> None:
    """Add the commands that read a compiled vocabulary: `info`, `lookup`, `search` and others."""
    info = actions.add_parser("info", help="sources, versions, licences, counts")
    _add_file_argument(info)
    info.add_argument("--json", action="store_true", help="print all of it")
    info.set_defaults(run=_run_info)
    lookup = actions.add_parser("lookup", help="the concepts of a term, or a concept by its code")
    lookup.add_argument("term")
    lookup.add_argument("--tree", action="store_true", help="broader and narrower concepts and cross-references, too")
    add_vocabulary_option(lookup)
    lookup.set_defaults(run=_run_lookup)
    search = actions.add_parser("search", help="terms that begin with a text, or are nearly it")
    search.add_argument("text")
    search.add_argument(
        "--errors", type=int, choices=[1, 2], help="typing errors allowed; default: search by beginning"
    )
    search.add_argument("--limit", type=int, default=20, help="the most terms; default: 20")
    add_vocabulary_option(search)
    search.set_defaults(run=_run_search)
    descendants = actions.add_parser("descendants", help="all concepts below a code")
    descendants.add_argument("code")
    add_vocabulary_option(descendants)
    descendants.set_defaults(run=_run_descendants)
    lists = actions.add_parser("lists", help="the lists on which a word stands")
    lists.add_argument("word")
    add_vocabulary_option(lists)
    lists.set_defaults(run=_run_lists_of_word)
    verify = actions.add_parser("verify", help="prove that a file is whole")
    _add_file_argument(verify)
    verify.set_defaults(run=_run_verify)


def _add_file_argument(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for a compiled vocabulary."""
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="a compiled vocabulary; default: the built-in"
    )
    add_vocabulary_option(parser)


def _run_build(options: argparse.Namespace) -> int:
    if not options.sources:
        raise PolicyError("nothing to build: name a source, e.g. --mesh FILE")
    return _build_and_report(options, options.sources)


def _build_and_report(options: argparse.Namespace, sources: list[dict[str, Any]]) -> int:
    """Build a vocabulary and print a report; return the exit code."""
    made = vocabularies.build(
        options.output,
        sources=sources,
        base=None if options.base == "none" else options.base,
        variants=not options.no_variants,
        suppress=not options.no_suppression,
    )
    print(json.dumps(made.report, indent=2, ensure_ascii=False) if options.json else made.summary())
    if not options.json:
        print(f"written     {made.path}, digest {made.vocabulary.digest}")
    return 0


def _run_fetch(options: argparse.Namespace) -> int:
    where = {"year": options.year, "folder": options.folder} | ({"url": options.url} if options.url else {})
    files = [vocabularies.fetch("mesh", sha256=options.sha256, **where)]
    if options.supplementary:
        files.append(vocabularies.fetch("mesh-supplementary", **where))
    options.output = options.output or options.folder / f"mesh-{options.year}.vocabulary"
    version = str(options.year)
    sources = [{"format": "mesh", "path": file, "version": version, "licence": "NLM terms of use"} for file in files]
    return _build_and_report(options, sources)


def _run_info(options: argparse.Namespace) -> int:
    vocabulary = open_vocabulary(options)
    info = vocabulary.info()
    if options.json:
        print(json.dumps(info, indent=2, ensure_ascii=False))
        return 0
    print(f"{vocabulary.file}\ndigest {info['digest']}\n{info['bytes'] / 1e6:.1f} MB\n")
    head = ("source", "version", "licence", "concepts", "terms", "kept", "words")
    rows = [
        (
            s["name"],
            s["version"] or "-",
            textwrap.shorten(s["licence"] or "-", 60, placeholder="…"),
            *(f"{s[name]:,}" for name in head[3:]),
        )
        for s in info["sources"]
    ]
    print("\n".join(align_columns([head, *rows], left=3)))
    counts = info["counts"]
    names = ("terms", "variants", "concepts", "words", "phrases", "shared", "ambiguous", "upper_only")
    print()
    print("\n".join(f"{name.replace('_', ' '):12} {counts[name]:>10,}" for name in names))
    return 0


def _print_concepts(concepts: Iterable[Concept], before: str = "") -> None:
    for concept in concepts:
        print(f"{before}{concept.code}\t{concept.name}\t{' '.join(concept.types)}".rstrip())


def _run_lookup(options: argparse.Namespace) -> int:
    vocabulary = open_vocabulary(options)
    concepts = vocabulary.lookup(options.term)
    by_code = vocabulary.concept(options.term)
    if not concepts and by_code:
        concepts = [by_code]
    if not concepts and (other := vocabulary.reordered(options.term)):
        print(f"notesieve: found as “{other[0]}”", file=sys.stderr)
        concepts = other[1]
    for concept in concepts:
        _print_concepts([concept])
        if options.tree:
            _print_concepts(vocabulary.broader(concept.code), "  broader\t")
            _print_concepts(vocabulary.narrower(concept.code), "  narrower\t")
            _print_concepts(vocabulary.cross_references(concept.code), "  same as\t")
            known = {other.code for other in vocabulary.cross_references(concept.code)}
            print("".join(f"  same as\t{code}\n" for code in concept.same_as if code not in known), end="")
    if not concepts:
        print("notesieve: no term and no code of the vocabulary; try `vocabulary search --errors 2`", file=sys.stderr)
    return 0 if concepts else 1


def _run_search(options: argparse.Namespace) -> int:
    vocabulary = open_vocabulary(options)
    found: list[tuple[str, int, list[Concept]]] = (
        vocabulary.near(options.text, options.errors, options.limit)
        if options.errors
        else [(term, 0, concepts) for term, concepts in vocabulary.prefix(options.text, options.limit)]
    )
    for term, distance, concepts in found:
        codes = " ".join(concept.code for concept in concepts)
        print(f"{term}\t{distance}\t{codes}" if options.errors else f"{term}\t{codes}")
    if not found:
        more = {None: "; --errors 1 or 2 finds misspelt ones", 1: "; --errors 2 allows one more", 2: ""}[options.errors]
        how = f"is within {options.errors} typing errors" if options.errors else "begins so"
        print(f"notesieve: no term of the vocabulary {how}{more}", file=sys.stderr)
    return 0 if found else 1


def _run_descendants(options: argparse.Namespace) -> int:
    _print_concepts(open_vocabulary(options).descendants(options.code))
    return 0


def _run_lists_of_word(options: argparse.Namespace) -> int:
    lists = open_vocabulary(options).lists(options.word)
    print(" ".join(lists) if lists else "on no list")
    return 0


def _run_verify(options: argparse.Namespace) -> int:
    vocabulary = open_vocabulary(options)
    vocabulary.verify()
    print(f"{vocabulary.file}: whole, digest {vocabulary.digest}")
    return 0


def _run_diff(options: argparse.Namespace) -> int:
    found = vocabularies.diff(options.old, options.new)
    print(json.dumps(vars(found), indent=2, ensure_ascii=False) if options.json else found.summary())
    return 0
