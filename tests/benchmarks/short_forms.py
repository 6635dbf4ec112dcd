"""Measure how many of the short forms that a scrub keeps have a code: the commonest in capitals in marked notes.

    python tests/benchmarks/short_forms.py [--forms 300] [--listed] [--errors] [FOLDER]

FOLDER holds marked notes as `corpus/GUIDE.md` describes them; `corpus/train` if none is given. A short form is a word
of three to five capital letters, with an `s` for its plural, which the vocabulary has as a term and which is no English
word; with ``--listed`` also one of two letters, where the list of short forms has it. Lines in capitals and headings
are left out. Counted are tokens that a scrub keeps: those inside a mention of any group, ambiguous ones among them,
against all. A token that the context shows to be no concept (`AMP` in a list of drugs tested for) counts as missed.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from itertools import islice
from pathlib import Path

import notesieve as ns
from coded_mentions import ROOT
from notesieve._core import short_form
from published.notes import read_notes

SHORT_FORM = re.compile(r"(?<![\w-])[A-Z]{2,5}s?(?![\w:-])")
# Words of a line in capitals are not short forms.
LINE_IN_CAPITALS = re.compile(r"^[^a-z\n]*[A-Z]{6}[^a-z\n]*$", re.MULTILINE)


def short_forms(text: str) -> list[tuple[int, int]]:
    """Return the spans of short forms.

    >>> short_forms("CHF with AKI. PLAN: rest")
    [(0, 3), (9, 12)]
    """
    lines = [line.span() for line in LINE_IN_CAPITALS.finditer(text)]
    places = (form.span() for form in SHORT_FORM.finditer(text))
    return [place for place in places if not any(first <= place[0] < last for first, last in lines)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "corpus" / "train")
    parser.add_argument("--forms", type=int, default=300)
    parser.add_argument("--listed", action="store_true", help="also count what only the list of short forms has")
    parser.add_argument("--errors", action="store_true", help="print the short forms that have no code")
    options = parser.parse_args()
    scrubber = ns.Scrubber()
    kept: Counter[str] = Counter()
    coded: Counter[str] = Counter()
    for text in (note.text for note in read_notes(sorted(options.folder.glob("*.txt")))):
        result = scrubber.scrub(text)
        removed = [(one.start, one.end) for one in result.removed]
        mentions = [(one.source_start, one.source_end) for one in result.concepts]
        for start, end in short_forms(text):
            if any(first < end and start < last for first, last in removed):
                continue
            form = text[start:end].removesuffix("s")
            kept[form] += 1
            coded[form] += any(first <= start and end <= last for first, last in mentions)
    vocabulary = scrubber.vocabulary

    def is_term(form: str) -> bool:
        named = vocabulary.lookup(form) or (options.listed and short_form(form))
        return bool(named) and "english" not in vocabulary.lists(form.lower())

    terms = (one for one in kept.most_common() if is_term(one[0]))
    commonest = list(islice(terms, options.forms))
    share = sum(coded[form] for form, _ in commonest) / sum(count for _, count in commonest)
    print(f"{share:.3f} of {sum(count for _, count in commonest)} tokens of {len(commonest)} short forms")
    if options.errors:
        for form, count in sorted(commonest, key=lambda one: coded[one[0]] - one[1]):
            print(f"{form}\t{count - coded[form]} of {count}")


if __name__ == "__main__":
    main()
