"""Parse each source of the default vocabulary into terms, concepts and words.

A reader takes the bytes of the package and returns an `Extract`; `fetch.py` writes it. Readers count what they leave
out, by filter. Filters that need the normaliser or the other lists are part of the compiler.
"""

from __future__ import annotations

import bz2
import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

import pickled
import stems

MOST_WORDS = 8
SYSTEMS = {
    "MESH": "mesh", "DOID": "doid", "HP": "hp", "ICD10CM": "icd10cm", "OMIM": "omim", "UMLS": "umls",
    "UMLS_CUI": "umls", "NCI": "ncit", "NCIT": "ncit", "ORDO": "orphanet", "Orphanet": "orphanet",
}  # fmt: skip


@dataclass
class Extract:
    """The result of a reader: terms and concepts of a system, words of lists, and counts."""

    terms: set[tuple[str, bool, str]] = field(default_factory=set)
    concepts: dict[str, tuple[str, list[str], list[str], list[str]]] = field(default_factory=dict)
    words: dict[str, dict[str, int]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def add_term(self, code: str, text: str, preferred: bool) -> None:
        """Add a term unless it is too long or too short to occur in a note, or has undecodable characters."""
        text = " ".join(text.split())
        self.counts["read"] += 1
        if "\ufffd" in text:
            self.counts["dropped_unreadable"] += 1
        elif len(text.split()) > MOST_WORDS:
            self.counts["dropped_long"] += 1
        elif len(text) < 3:
            self.counts["dropped_short"] += 1
        elif (code, not preferred, text) in self.terms or (code, preferred, text) in self.terms:
            self.counts["dropped_repeated"] += 1
        else:
            self.terms.add((code, preferred, text))

    def add_concept(
        self, code: str, name: str, types: Iterable[str] = (), parents: Iterable[str] = (), same_as: Iterable[str] = ()
    ) -> None:
        """Add a concept; references are sorted, so that the lists do not depend on the order of a file."""
        self.concepts[code] = (" ".join(name.split()), sorted(set(types)), sorted(set(parents)), sorted(set(same_as)))

    def used_concepts(self) -> set[str]:
        """Return the concepts that have a term, and those above them; the others cannot be found."""
        used: set[str] = set()
        waiting = [code for code, _, _ in self.terms]
        while waiting:
            code = waiting.pop()
            if code in self.concepts and code not in used:
                used.add(code)
                waiting += [parent.partition(":")[2] for parent in self.concepts[code][2]]
        return used

    def add_word(self, list_name: str, word: str, count: int) -> None:
        """Add a word to a list; of two counts the larger one is kept."""
        words = self.words.setdefault(list_name, {})
        words[word] = max(count, words.get(word, 0))


def undo_inversion(term: str) -> str | None:
    """Return an inverted entry in its natural order.

    Examples
    --------
    >>> undo_inversion("Anemia, Aplastic")
    'Aplastic Anemia'
    >>> undo_inversion("Acids, Bases, and Salts") is None
    True
    """
    head, comma, tail = term.partition(", ")
    plain = comma and "," not in tail and not re.search(r"[()\[\]\d]", term) and not tail.startswith(("and ", "or "))
    return f"{tail} {head}" if plain else None


def read_mesh(rows: str, names: Container[str]) -> Extract:
    """Read MeSH of one year: number, name, entry terms, tree numbers; list one-word organisms not in `names`."""
    out = Extract()
    descriptors = [row.split("\t") for row in rows.splitlines() if row]
    organisms = {row[0] for row in descriptors if row[3].startswith("B")}
    of_tree = {tree: row[0] for row in descriptors for tree in row[3].split("|") if tree}
    for code, name, entries, trees, *_ in descriptors:
        numbers = [tree for tree in trees.split("|") if tree]
        if numbers and all(number.startswith("Z") for number in numbers):
            out.counts["dropped_places"] += 1 + len(list(filter(None, entries.split("|"))))
            continue
        above = {of_tree.get(number.rpartition(".")[0]) for number in numbers} - {None}
        out.add_concept(code, name, numbers, [f"mesh:{parent}" for parent in above])
        out.add_term(code, name, True)
        written = {name.casefold(), *(entry.casefold() for entry in entries.split("|"))}
        for text in filter(None, [name, *entries.split("|")]):
            if code in organisms and re.fullmatch("[A-Za-z]{4,}", text) and text.lower() not in names:
                out.add_word("organisms.txt", text.lower(), 0)
            natural = undo_inversion(text)
            if natural is None:
                if text != name:
                    out.add_term(code, text, False)
                continue
            if text != name:
                out.counts["permuted"] += 1
            if natural.casefold() not in written:
                written.add(natural.casefold())
                out.add_term(code, natural, False)
    return out


def read_new_mesh_names(table: str, known: Extract) -> Extract:
    """Read names of a later year that `known` lacks, from a table without geographic descriptors."""
    out = Extract()
    written = {(code, text.casefold()) for code, _, text in known.terms}
    for row in csv.DictReader(io.StringIO(table)):
        code = row["id"].rpartition("/")[2]
        if not code.startswith("D") or (code, row["subject"].casefold()) in written:
            out.counts["known"] += 1
            continue
        if code not in known.concepts:
            out.add_concept(code, row["subject"])
        out.add_term(code, row["subject"], code not in known.concepts)
        if natural := undo_inversion(row["subject"]):
            out.add_term(code, natural, False)
    return out


def read_obo(text: str, system: str) -> Extract:
    """Read an ontology in OBO format: names and synonyms of every scope, parents, cross-references."""
    out = Extract()
    for stanza in text.split("\n[Term]\n")[1:]:
        stanza = stanza.split("\n[", 1)[0]
        tags = [line.partition(": ")[::2] for line in stanza.splitlines() if ": " in line]
        if ("is_obsolete", "true") in tags:
            out.counts["dropped_obsolete"] += 1
            continue
        code = next(value for tag, value in tags if tag == "id").partition(":")[2]
        name = next(value for tag, value in tags if tag == "name")
        parents = [f"{system}:{v.split(' ')[0].partition(':')[2]}" for tag, v in tags if tag == "is_a"]
        same_as = [
            curie for tag, v in tags if tag == "xref" and (curie := curie_of_cross_reference(*v.partition(":")[::2]))
        ]
        out.add_concept(code, name, [], parents, same_as)
        out.add_term(code, name, True)
        for tag, value in tags:
            if tag == "synonym" and (quoted := re.match(r'"((?:[^"\\]|\\.)*)"', value)):
                out.add_term(code, re.sub(r"\\(.)", r"\1", quoted[1]), False)
    return out


def curie_of_cross_reference(system: str, code: str) -> str | None:
    """Return the CURIE of a reference to a system that notesieve knows, otherwise None."""
    code = code.split(" ")[0]
    return f"{SYSTEMS[system]}:{code}" if system in SYSTEMS and code else None


def read_ontology_records(data: str, system: str) -> Extract:
    """Read an ontology as one list of records with names, synonyms, relations and cross-references."""
    out = Extract()
    for record in json.loads(data):
        code = record["id"].rpartition(":")[2]
        parents = [f"{system}:{above.rpartition(':')[2]}" for above in record.get("relations", {}).get("is_a", [])]
        references = [curie_of_cross_reference(xref["namespace"], xref["id"]) for xref in record.get("xrefs", [])]
        out.add_concept(code, record["name"], [], parents, filter(None, references))
        out.add_term(code, record["name"], True)
        for synonym in record.get("synonyms", []):
            out.add_term(code, synonym, False)
    return out


def read_icd10cm(document: bytes) -> Extract:
    """Read the tabular list of ICD-10-CM: descriptions and inclusion terms, by code."""
    out = Extract()

    def add_diagnosis(diagnosis: ElementTree.Element, parent: str | None, block: str) -> None:
        code, name = diagnosis.findtext("name", "").strip(), diagnosis.findtext("desc", "").strip()
        out.add_concept(code, name, [block], [f"icd10cm:{parent}"] if parent else [])
        out.add_term(code, name, True)
        # Notes write "cholera" for "Cholera, unspecified".
        short = re.sub(r", (unspecified|NOS)$", "", name)
        if short != name and "," not in short:
            out.add_term(code, short, False)
        for note in diagnosis.iterfind("inclusionTerm/note"):
            out.add_term(code, re.sub(r" NOS$", "", (note.text or "").strip()), False)
        for below in diagnosis.iterfind("diag"):
            add_diagnosis(below, code, block)

    # The digest of the archive was checked, so the XML is trusted.
    for section in ElementTree.fromstring(document).iterfind("chapter/section"):  # noqa: S314
        for diagnosis in section.iterfind("diag"):
            add_diagnosis(diagnosis, None, section.get("id", ""))
    return out


# Remains of wiki markup among the names of drugs: entities, brackets, citation fields (`title = ...`), letters in the
# wrong encoding.
SCRAP = re.compile("&[a-z]+;|[{][{]|[}][}]|\\[\\[[a-z]{3}|=|[\xe2\xe3][\x80-\xbf]")


def read_drugbank(packed: bytes, names: Container[str], people_and_places: Container[str]) -> Extract:
    """Read names of drugs that have a DrugBank number; the licence of the rest of the package is unknown.

    The package is all in lower case, so a brand that is a personal name ("Kendrick") looks like a word: other names of
    one word that are in `names` are left out, and so are scraps of markup and the authors of citations ("neria e") that
    the package took for names of drugs. One-word names with the stem of a drug also go onto a list of words, unless
    they are in `people_and_places`.
    """
    out = Extract()
    tables = pickled.read(bz2.decompress(packed))
    drugs = {name: drug for name, drug in tables["drug_canonical_to_data"].items() if drug.get("drugbank_id")}
    for name in sorted(drugs):
        drug = drugs[name]
        if drug["drugbank_id"] not in out.concepts:
            same_as = [f"mesh:{drug['mesh_id']}"] if drug.get("mesh_id") else []
            out.add_concept(drug["drugbank_id"], drug.get("name", name), [], [], same_as)
            out.add_term(drug["drugbank_id"], drug.get("name", name), True)
    preferred = {(code, text.casefold()) for code, _, text in out.terms}
    variants = tables["drug_variant_to_canonical"]
    cited = {name for variant in variants if variant.startswith("vauthors") for name in variants[variant]}
    for variant in sorted(variants):
        author = re.fullmatch("[a-z]+ [a-z]{1,2}", variant) and not cited.isdisjoint(variants[variant])
        natural = undo_inversion(variant)
        for code in sorted({drugs[name]["drugbank_id"] for name in variants[variant] if name in drugs}):
            if (code, variant.casefold()) in preferred:
                continue
            if SCRAP.search(variant):
                out.counts["dropped_markup"] += 1
            elif author:
                out.counts["dropped_authors"] += 1
            elif variant in names:
                out.counts["dropped_names"] += 1
            elif natural is None:
                out.add_term(code, variant, False)
            else:
                out.counts["permuted"] += 1
                if natural not in variants:
                    out.add_term(code, natural, False)
    add_words_with_drug_stem(out, people_and_places)
    return out


def add_words_with_drug_stem(out: Extract, people_and_places: Container[str]) -> None:
    """Add the words among the terms that have the stem of a drug to the list of drugs."""
    words = {(text.lower(), preferred) for _, preferred, text in out.terms if re.fullmatch("[A-Za-z]+", text)}
    for word in sorted({word for word, preferred in words if stems.has_stem(word, preferred)}):
        if stems.is_measured(word):
            out.counts["dropped_measured"] += 1
        elif word in people_and_places:
            out.counts["dropped_people_and_places"] += 1
        else:
            out.add_word("drugs.txt", word, 0)
