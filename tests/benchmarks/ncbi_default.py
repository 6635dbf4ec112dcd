"""Coding with the vocabulary of the package, disorders only, on the NCBI disease corpus: F1 of concepts by document.

    python tests/benchmarks/ncbi_default.py NCBIdevelopset_corpus.txt [--errors]

`ncbi_disease.rs` measures a vocabulary made for the corpus; this measures what a user gets from
``autocode(text, groups=["disorder"])``. A concept of another source counts as the MeSH heading or OMIM number that its
source names.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import notesieve as ns


def corpus(path: Path) -> dict[str, tuple[str, list[tuple[int, int, set[str]]]]]:
    """Give title and abstract of each document, and its mentions with their codes."""
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


class Coder:
    """Autocodes to MeSH and OMIM."""

    def __init__(self) -> None:
        self.scrubber = ns.Scrubber()
        self.vocabulary = self.scrubber.vocabulary

    def code(self, mention: ns.ConceptMention) -> str | None:
        """Give the code of a mention in the corpus's own form."""
        disorders = [code for code in mention.codes if self.vocabulary.group(code) in {"disorder", "finding"}]
        mesh = [code for code in disorders if code.startswith("mesh:") and self.vocabulary.group(code) == "disorder"]
        if not mesh:
            same = [
                other for code in disorders if (concept := self.vocabulary.concept(code)) for other in concept.same_as
            ]
            mesh = [code for code in same if code.startswith("mesh:")] or [c for c in same if c.startswith("omim:")]
        if not mesh:
            return None
        system, _, code = mesh[0].partition(":")
        return code if system == "mesh" else f"OMIM:{code}"

    def codes(self, text: str) -> set[str]:
        """Give the codes of the disorders of a text."""
        found = {self.code(mention) for mention in self.scrubber.autocode(text, groups=["disorder"])}
        return {code for code in found if code}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--errors", action="store_true", help="print the commonest codes that are wrong or missed")
    options = parser.parse_args()
    coder = Coder()
    right = much = missed = 0
    wrong: Counter[tuple[str, str]] = Counter()
    for text, mentions in corpus(options.corpus).values():
        gold = {code for _, _, codes in mentions for code in codes}
        found = coder.codes(text)
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
