"""Make files of public text for `make model PUBLIC=FOLDER` from clones of the repositories that publish them.

    git clone https://github.com/abachaa/MedQuAD
    python corpus/public.py medquad MedQuAD FOLDER/medquad.jsonl

`models/source.toml` records the repository, commit and digest of each file. The texts stay outside the repository.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

MAX_TEXTS = 700
SHORTEST, LONGEST = 200, 1600
EVIDENCE = {"EvidenceSentence", "ReasoningSentence", "FindingSentence"}
SPL = "{urn:hl7-org:v3}"
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
BOOK = "{http://cnx.rice.edu/collxml}"
MODULE = "{http://cnx.rice.edu/cnxml}"
# Parts of a book to leave out: those with names of authors, and cases of invented patients.
LEFT_OUT = {"preface", "introduction", "references", "suggested-reading", "link-to-learning", "media-feature"}
CASES = ("casestudy", "case-reflection")
CITED = re.compile(r"\([^()]*(?:\b(?:19|20)\d\d|n\.d\.)|\bet al\b")
CLINICAL = re.compile(r"\b(?:patient|symptom|hospitali[sz]|illness|clinical)", re.IGNORECASE)


def medquad(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield the answers of MedQuAD, each under the identifier of its question."""
    for path in clone.glob("*/*.xml"):
        document = ElementTree.parse(path)  # noqa: S314 -- a clone that the caller chose
        for pair in document.getroot().iter("QAPair"):
            question, answer = pair.find("Question"), pair.find("Answer")
            if question is not None and answer is not None:
                yield question.attrib["qid"], re.sub(r"\s{3,}", "\n", (answer.text or "").strip())


def pubmedqa(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield the abstracts of PubMedQA that experts labelled, each after its question."""
    for key, one in json.loads((clone / "data/ori_pqal.json").read_bytes()).items():
        parts = zip(one["LABELS"], one["CONTEXTS"], strict=True)
        body = "\n".join(f"{label}: {text}" for label, text in parts)
        yield key, f"{one['QUESTION']}\n{body}\nCONCLUSION: {one['LONG_ANSWER']}"


def meqsum(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield questions of patients and relatives to the National Library of Medicine."""
    for row in read_sheet_rows(clone / "MeQSum_ACL2019_BenAbacha_Demner-Fushman.xlsx"):
        yield row["A"], row["B"].strip()


def osha(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield accident reports of construction sites, each after its title."""
    for row in read_sheet_rows(clone / "OSHA construction 4470 cases original.xlsx"):
        yield row["B"], f"{row['C'].strip()}\n{row['D'].strip()}"


def bva(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield paragraphs on the evidence from decisions on veterans' claims, without the law and citations."""
    for path in sorted(clone.glob("BVA Decisions JSON Format*/*.json")):
        paragraphs: dict[str, list[str]] = {}
        for one in json.loads(path.read_text(encoding="utf-8-sig"))["sentences"]:
            if not EVIDENCE.isdisjoint(one.get("rhetRole") or [one["rhetClass"]]):
                paragraphs.setdefault(one["sentID"].rpartition("S")[0], []).append(one["text"].strip())
        yield from ((key, " ".join(sentences)) for key, sentences in paragraphs.items())


def labels(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield sections of the drug labels in openFDA's test data, without duplicates."""
    seen = set()
    for path in sorted(clone.glob("openfda/spl/tests/data/*.xml")):
        document = ElementTree.parse(path)  # noqa: S314 -- a clone that the caller chose
        for number, section in enumerate(document.getroot().iter(f"{SPL}text")):
            lines = (" ".join(line.split()) for line in section.itertext())
            text = re.sub(r" (?=[.,;:)])", "", " ".join(line for line in lines if line))
            if text not in seen:
                yield f"{path.stem}/{number}", text
            seen.add(text)


def nursing(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield paragraphs without citations from two OpenStax textbooks for nurses, on pharmacology and nutrition."""
    for name in ("pharmacology", "nutrition"):
        book = ElementTree.parse(clone / f"collections/{name}.collection.xml")  # noqa: S314 -- as above
        for module in book.getroot().iter(f"{BOOK}module"):
            key = module.attrib["document"]
            document = ElementTree.parse(clone / f"modules/{key}/index.cnxml").getroot()  # noqa: S314 -- as above
            for number, paragraph in enumerate(iter_paragraphs(document)):
                text = join_lines("".join(paragraph.itertext()))
                if not CITED.search(text) and all(link.text for link in paragraph.iter(f"{MODULE}link")):
                    yield f"{key}.{number}", text


def sti(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield paragraphs of CDC's guidelines on sexually transmitted diseases of 2010."""
    for path in sorted(clone.glob("epubs/STD-EPUB/OEBPS/Text/*.xhtml")):
        if path.stem not in {"references", "2010-guidelines-consultants", "methods"}:
            found = read_page_paragraphs(path.read_text(encoding="utf-8"))
            yield from ((f"{path.stem}.{number}", text) for number, text in enumerate(found))


def mmwr(clone: Path) -> Iterator[tuple[str, str]]:
    """Yield paragraphs on patients from the Morbidity and Mortality Weekly Report."""
    page = (clone / "html/mmwr-selectees-compiled.html").read_text(encoding="utf-8")
    parts = re.split(r'<a id="_(mm\w+)"', page)
    for key, report in zip(parts[1::2], parts[2::2], strict=True):
        body = re.split(r'id="(?:References|Acknowledgm)', report)[0].partition("View suggested citation")[2]
        found = enumerate(read_page_paragraphs(body))
        yield from ((f"{key}.{number}", text) for number, text in found if CLINICAL.search(text))


SOURCES: dict[str, Callable[[Path], Iterator[tuple[str, str]]]] = {
    source.__name__: source for source in (medquad, pubmedqa, meqsum, osha, bva, labels, nursing, sti, mmwr)
}


def read_sheet_rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows after the header of the first sheet of a workbook, by column letter."""
    with zipfile.ZipFile(path) as book:
        strings = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))  # noqa: S314 -- as above
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))  # noqa: S314 -- as above
    shared = ["".join(part.text or "" for part in one.iter(f"{SHEET}t")) for one in strings]
    for row in list(sheet.iter(f"{SHEET}row"))[1:]:
        cells = {cell.attrib["r"][0]: (cell.get("t"), cell.findtext(f"{SHEET}v", "")) for cell in row}
        yield {letter: shared[int(value)] if kind == "s" else value for letter, (kind, value) in cells.items()}


def iter_paragraphs(parent: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Yield the paragraphs in an element of a textbook module, except in parts to leave out."""
    kind = parent.get("class", "")
    if parent.tag == f"{MODULE}para":
        yield parent
    elif kind not in LEFT_OUT and not kind.endswith(CASES):
        for child in parent:
            yield from iter_paragraphs(child)


def read_page_paragraphs(page: str) -> list[str]:
    """Return the paragraphs and list items of an HTML page, without reference numbers and footnote marks.

    Examples
    --------
    >>> read_page_paragraphs("<p>Rare <b>and</b>&nbsp;mild (93,<i>5</i>).</p><ul><li>Fever<sup>*</sup></li></ul>")
    ['Rare and mild.', 'Fever']
    """
    found = re.findall(r"<(?:p|li)\b[^>]*>(.*?)</(?:p|li)>", re.sub(r"<sup>[^<]*</sup>", "", page), re.DOTALL)
    plain = (" ".join(html.unescape(re.sub(r"<[^>]+>", "", one)).split()) for one in found)
    return [
        re.sub(r" \(\d+(?:[\u2013, -]+\d+)*\)|(?<=[a-z])- (?!and |or |to |the )(?=[a-z])", "", one) for one in plain
    ]


def join_lines(text: str) -> str:
    r"""Join the lines of each paragraph of a text.

    Examples
    --------
    >>> join_lines("No\n   fever.\n\n Well.")
    'No fever.\nWell.'
    """
    return "\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def truncate_at_blank(text: str) -> str:
    """Cut a text at the last space within the maximum length.

    Examples
    --------
    >>> truncate_at_blank("No fever.")
    'No fever.'
    """
    return text if len(text) <= LONGEST else text[: text.rindex(" ", 0, LONGEST)]


def main() -> None:
    """Write the texts whose identifiers have the smallest digests, a reproducible sample."""
    name, clone, output = sys.argv[1:]
    found = SOURCES[name](Path(clone))
    texts = [
        (hashlib.sha256(key.encode()).hexdigest(), key, truncate_at_blank(text))
        for key, text in found
        if len(text) >= SHORTEST
    ]
    lines = [json.dumps({"id": key, "text": text}, ensure_ascii=False) for _, key, text in sorted(texts)[:MAX_TEXTS]]
    Path(output).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
