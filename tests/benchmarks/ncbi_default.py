"""Coding with the vocabulary of the package, disorders only, on the NCBI disease corpus: F1 of concepts by document.

    python tests/benchmarks/ncbi_default.py NCBIdevelopset_corpus.txt [--kept] [--exact] [--same] [--errors]

It measures what a user gets from ``autocode(text, groups=["disorder"], identifying=True)``: abstracts identify no
patient. With ``--kept`` it measures what a scrub would keep, without the short forms that might be somebody's
initials. A concept of another source counts as the MeSH heading or OMIM number that its source names, and where it
names none as the one heading that is nearest above it (`Vocabulary.nearest`); with ``--exact`` as none. With
``--same`` a code also counts as the gold's where a source of the vocabulary names the two as one concept: the corpus
is of 2012, and has OMIM numbers for which MeSH has records since.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import notesieve as ns


def read_corpus(path: Path) -> dict[str, tuple[str, list[tuple[int, int, set[str]]]]]:
    """Return title and abstract of each document, and its mentions with their codes."""
    texts: dict[str, str] = {}
    gold: dict[str, list[tuple[int, int, set[str]]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        head = line.split("|", 2)
        if len(head) == 3 and head[1] in {"t", "a"}:
            texts[head[0]] = texts.get(head[0], "") + (" " if head[1] == "a" else "") + head[2]
        elif line:
            document, start, end, _, _, codes = line.split("\t")[:6]
            found = {code.strip().removeprefix("MESH:") for code in codes.replace("+", "|").split("|")}
            gold.setdefault(document, []).append((int(start), int(end), found))
    return {document: (text, gold.get(document, [])) for document, text in texts.items()}


def to_corpus_code(code: str) -> str:
    """Return a code in the notation of the corpus."""
    return code.removeprefix("mesh:").replace("omim:", "OMIM:")


class Coder:
    """Codes texts to MeSH and OMIM."""

    def __init__(self, kept: bool = False, accept_equivalent: bool = False, exact: bool = False) -> None:
        self.accept_equivalent = accept_equivalent
        self.exact = exact
        self.scrubber = ns.Scrubber()
        self.identifying = not kept
        self.vocabulary = self.scrubber.vocabulary

    def code_of_mention(self, mention: ns.ConceptMention) -> str | None:
        """Return the code of a mention in the notation of the corpus."""
        disorders = [code for code in mention.codes if self.vocabulary.group(code) in {"disorder", "finding"}]
        mesh = [code for code in disorders if code.startswith("mesh:") and self.vocabulary.group(code) == "disorder"]
        if not mesh:
            same = [
                other for code in disorders if (concept := self.vocabulary.concept(code)) for other in concept.same_as
            ]
            mesh = [code for code in same if code.startswith("mesh:")] or [c for c in same if c.startswith("omim:")]
        if not mesh and not self.exact:
            nearest = (self.vocabulary.nearest(code, "mesh") for code in disorders)
            mesh = [concept.code for concept in nearest if concept]
        if not mesh:
            return None
        return to_corpus_code(mesh[0])

    def equivalent_codes(self, mention: ns.ConceptMention) -> set[str]:
        """Return the codes that the sources equate with those of a mention."""
        concepts = [concept for code in mention.codes if (concept := self.vocabulary.concept(code))]
        all_codes = {*mention.codes, *(other for concept in concepts for other in concept.same_as)}
        return {to_corpus_code(code) for code in all_codes if code.startswith(("mesh:", "omim:"))}

    def codes_of_text(self, text: str, gold: set[str]) -> set[str]:
        """Return the codes of the disorders of a text; the gold's own code where it is equivalent."""
        found = set()
        for mention in self.scrubber.autocode(text, groups=["disorder"], identifying=self.identifying):
            code = None if mention.ambiguous else self.code_of_mention(mention)
            if code and self.accept_equivalent and code not in gold:
                code = min(self.equivalent_codes(mention) & gold, default=code)
            found.add(code)
        return {code for code in found if code}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--errors", action="store_true", help="print the commonest codes that are wrong or missed")
    parser.add_argument("--kept", action="store_true", help="measure only what a scrub keeps")
    parser.add_argument("--exact", action="store_true", help="count no heading above a concept that names none")
    parser.add_argument("--same", action="store_true", help="count codes as equal that a source names as one concept")
    options = parser.parse_args()
    coder = Coder(options.kept, options.same, options.exact)
    right = much = missed = 0
    wrong: Counter[tuple[str, str]] = Counter()
    for text, mentions in read_corpus(options.corpus).values():
        gold = {code for _, _, codes in mentions for code in codes}
        found = coder.codes_of_text(text, gold)
        right += len(gold & found)
        much += len(found - gold)
        missed += len(gold - found)
        wrong.update(("+", code) for code in found - gold)
        wrong.update(("-", code) for code in gold - found)
    precision, recall = right / (right + much), right / (right + missed)
    print(f"P {precision:.3f} R {recall:.3f} F1 {2 * precision * recall / (precision + recall):.3f}")
    if options.errors:
        for (sign, code), count in wrong.most_common(60):
            concept = coder.vocabulary.concept(f"mesh:{code}")
            print(sign, count, code, concept.name if concept else "")


if __name__ == "__main__":
    main()
