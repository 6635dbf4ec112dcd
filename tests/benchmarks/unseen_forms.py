"""Measure how well forms that nobody here has thought of are handled: forms from third parties in neutral sentences.

    python unseen_forms.py -o report/unseen                           # writes notes/*.txt and gold.jsonl
    python unseen_forms.py -o report/unseen --scrub                   # and measures notesieve on them
    python unseen_forms.py -o report/unseen --predictions FILE.jsonl  # or any system

A prediction is ``{"doc": ..., "spans": [[start, end], ...]}``, in code points.

The forms come from ``unseen_sources``, each in a family (``date.full.babel``, ``id.plate``, ``keep.cpt``). Each word of
a form that must go counts as caught if it is removed entirely; each word of one that must stay (``keep.*``) as kept if
no part of it is removed. The output is ``unseen.md`` (a table), ``unseen.json`` and ``failures.tsv`` (failed forms).
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unseen_sources import TEMPLATES, Form, Span, all_forms

TOKEN = re.compile(r"\w(?:[\w\u0300-\u036f])*")
# Words in identifiers that identify nobody; left out of every count, as by the scorer of gold notes.
GENERIC = {
    "LOCATION": set(
        "street st avenue ave road rd drive lane court place terrace boulevard way suite apt unit flat floor po box of"
        " and the north south east west hospital center".split()
    ),
    "DATE": set("of the at st nd rd th day week mon tue wed thu fri sat sun monday tuesday wednesday thursday friday"
                " saturday sunday".split()),
    "CONTACT": set("ext x http https www com org net tel".split()),
    "AGE": {"and"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A form in its sentence; ``spans`` are offsets in the whole text, ``at`` is the start of the form."""

    doc: str
    form: Form
    text: str
    at: int

    @property
    def spans(self) -> list[Span]:
        """The spans to remove, as offsets in the text."""
        return [(self.at + s, self.at + e, category, subtype, h) for s, e, category, subtype, h in self.form.spans]


def make_cases(seed: int = 1, most: int | None = None) -> list[Case]:
    """Return every form in a sentence, at most `most` per family."""
    rng = random.Random(seed)
    carriers = [
        line
        for line in (TEMPLATES / "carriers.txt").read_text(encoding="utf-8").splitlines()
        if line[:1] not in {"#", ""}
    ]
    made = []
    count: collections.Counter[str] = collections.Counter()
    everything = all_forms(seed)
    if most:
        rng.shuffle(everything)
    for form in everything:
        if most and count[form.family] >= most:
            continue
        carrier = rng.choice(carriers)
        made.append(
            Case(
                f"{form.family}-{count[form.family]:05}", form, carrier.replace("{x}", form.text), carrier.index("{x}")
            )
        )
        count[form.family] += 1
    return sorted(made, key=lambda case: case.doc)


def write_gold(some: Iterable[Case], folder: Path) -> None:
    """Write the cases as gold notes: ``notes/*.txt`` and ``gold.jsonl``."""
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    with (folder / "gold.jsonl").open("w", encoding="utf-8") as gold:
        for case in some:
            (folder / "notes" / f"{case.doc}.txt").write_text(case.text, encoding="utf-8", newline="")
            for start, end, category, subtype, hipaa in case.spans:
                row = {
                    "doc": case.doc, "start": start, "end": end, "text": case.text[start:end], "category": category,
                    "subtype": subtype, "hipaa": hipaa,
                }  # fmt: skip
                gold.write(json.dumps(row, ensure_ascii=False) + "\n")


@dataclass(slots=True)
class Tally:
    """The counts of one family."""

    cases: int = 0
    right: int = 0
    tokens: int = 0
    right_tokens: int = 0
    failures: list[tuple[Case, str]] = field(default_factory=list)

    def share(self, tokens: bool = True) -> float:
        """Return the share of the tokens, or of the cases, that came out right."""
        whole, right = (self.tokens, self.right_tokens) if tokens else (self.cases, self.right)
        return right / whole if whole else 1.0

    def add(self, tokens: int, right: int) -> None:
        """Add a case with its number of tokens, and how many of them came out right."""
        self.cases, self.right = self.cases + 1, self.right + (tokens == right)
        self.tokens, self.right_tokens = self.tokens + tokens, self.right_tokens + right


def count_right_tokens(case: Case, removed: Iterable[Sequence[Any]]) -> tuple[int, int, int, int]:
    """Return (counted tokens, right ones) of the form, and the same of the sentence around it."""
    gone = bytearray(len(case.text))
    for start, end, *_ in removed:
        gone[start:end] = b"\1" * (min(end, len(case.text)) - start)
    required = [(start, end, category) for start, end, category, _, hipaa in case.spans if hipaa]
    optional = [(start, end) for start, end, _, _, hipaa in case.spans if not hipaa]
    until = case.at + len(case.form.text)
    counts = [0, 0, 0, 0]
    for token in TOKEN.finditer(case.text):
        start, end = token.span()
        if any(start < e and s < end for s, e in optional):
            continue
        inside = start < until and case.at < end
        hit = next(((s, e, c) for s, e, c in required if start < e and s < end), None)
        if hit:
            first, last = max(start, hit[0]), min(end, hit[1])
            # Only a bare ordinal ending (`rd`) is generic; the token `3rd` is not.
            if case.text[first:last].casefold() in GENERIC.get(hit[2], ()):
                continue
            counts[0] += 1
            counts[1] += all(gone[first:last])
        elif inside and not case.form.spans:
            counts[0] += 1
            counts[1] += not any(gone[start:end])
        else:
            counts[2] += 1
            counts[3] += not any(gone[start:end])
    return counts[0], counts[1], counts[2], counts[3]


def tally_by_family(some: Sequence[Case], removed: Iterable[Iterable[Sequence[Any]]]) -> dict[str, Tally]:
    """Tally the removed spans of each case by family; ``sentences`` tallies the words around the forms."""
    tallies: dict[str, Tally] = {}
    around = Tally()
    for case, spans in zip(some, removed, strict=True):
        spans = [tuple(s) for s in spans]
        tokens, right, outside, kept = count_right_tokens(case, spans)
        tally = tallies.setdefault(case.form.family, Tally())
        tally.add(tokens, right)
        around.add(outside, kept)
        if tokens != right:
            tally.failures.append((case, mask_removed(case, spans)))
    tallies["sentences"] = around
    return tallies


def mask_removed(case: Case, spans: Iterable[Sequence[Any]]) -> str:
    """Return the text with full blocks in place of the removed spans."""
    shown = list(case.text)
    for start, end, *_ in spans:
        shown[start:end] = "█" * len(shown[start:end])
    return "".join(shown)


def total_of_families(tallies: dict[str, Tally], keep: bool, group: str = "") -> Tally:
    """Sum the families that must go or those that must stay, or a group of them: ``date`` is all of ``date.*``."""
    chosen = [
        tally
        for family, tally in tallies.items()
        if family.startswith("keep.") == keep and family != "sentences" and family.startswith(group)
    ]
    return Tally(*(sum(getattr(t, name) for t in chosen) for name in ("cases", "right", "tokens", "right_tokens")))


def markdown_table(tallies: dict[str, Tally]) -> str:
    """Return the tallies as a Markdown table."""
    lines = ["| family | forms | words | words right | forms right |", "|---|--:|--:|--:|--:|"]

    def add_row(name: str, tally: Tally) -> None:
        lines.append(
            f"| {name} | {tally.cases} | {tally.tokens} | {tally.share():.4f} | {tally.share(tokens=False):.4f} |"
        )

    families = sorted(tallies.keys() - {"sentences"}, key=lambda family: (family.startswith("keep."), family))
    for group, members in itertools.groupby(families, key=lambda family: family.split(".")[0]):
        for family in members:
            add_row(family, tallies[family])
        keep = group == "keep"
        add_row("**all that must stay**" if keep else f"**{group}**", total_of_families(tallies, keep, f"{group}."))
        if not keep and group == [f for f in families if not f.startswith("keep.")][-1].split(".")[0]:
            add_row("**all that must go**", total_of_families(tallies, keep=False))
    add_row("the sentences around them", tallies["sentences"])
    return "\n".join(lines) + "\n"


def write_report(tallies: dict[str, Tally], folder: Path) -> None:
    """Write the table, the counts and the failures."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "unseen.md").write_text(markdown_table(tallies), encoding="utf-8")
    counts = {
        family: {
            "forms": t.cases, "forms_right": t.right, "words": t.tokens, "words_right": t.right_tokens,
            "share": t.share(),
        }
        for family, t in [
            *sorted(tallies.items()),
            ("go", total_of_families(tallies, False)), ("stay", total_of_families(tallies, True)),
        ]
    }  # fmt: skip
    (folder / "unseen.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    with (folder / "failures.tsv").open("w", encoding="utf-8") as out:
        out.write("family\tsource\tform\toutput\n")
        for family in sorted(tallies):
            for case, shown in tallies[family].failures:
                out.write(f"{family}\t{case.form.source}\t{case.form.text}\t{shown}\n")


def read_predictions(path: Path, some: Sequence[Case]) -> Iterator[list[list[Any]]]:
    """Yield the removed spans of each case from a file of predictions; none for a document that it lacks."""
    read = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        read[row["doc"]] = row["spans"]
    if unknown := read.keys() - {case.doc for case in some}:
        raise SystemExit(f"{len(unknown)} documents of {path} are none of this seed's")
    for case in some:
        yield read.get(case.doc, [])


def scrub_cases(some: Sequence[Case], policy: str | None) -> Iterator[list[tuple[int, int]]]:
    """Yield the spans of each case that notesieve removes."""
    import notesieve

    scrubber = notesieve.Scrubber(policy=policy) if policy else notesieve.Scrubber()
    for note in scrubber.scrub_many([case.text for case in some]):
        yield [(span.start, span.end) for span in note.removed]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure a de-identifier on forms from third-party sources.")
    parser.add_argument("-o", "--output", required=True, type=Path, help="folder for gold notes and report")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="at most so many forms of a family")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--scrub", action="store_true", help="scrub with notesieve and report")
    how.add_argument("--predictions", type=Path, help="report on the removed spans of this file")
    parser.add_argument("--policy", help="with --scrub: the policy")
    options = parser.parse_args(arguments)

    some = make_cases(options.seed, options.most)
    write_gold(some, options.output)
    if options.scrub or options.predictions:
        found = (
            read_predictions(options.predictions, some) if options.predictions else scrub_cases(some, options.policy)
        )
        tallies = tally_by_family(some, found)
        write_report(tallies, options.output)
        print(markdown_table(tallies), end="")


if __name__ == "__main__":
    main()
