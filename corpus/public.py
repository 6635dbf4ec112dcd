"""Make files of public text for `make model PUBLIC=FOLDER` from clones of the repositories that publish them.

    git clone https://github.com/abachaa/MedQuAD
    git clone https://github.com/pubmedqa/pubmedqa
    python corpus/public.py medquad MedQuAD FOLDER/medquad.jsonl
    python corpus/public.py pubmedqa pubmedqa FOLDER/pubmedqa.jsonl

`models/source.toml` has the digest of each file. The texts stay outside the repository.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

TEXTS = 700
SHORTEST, LONGEST = 200, 1600


def medquad(clone: Path) -> Iterator[tuple[str, str]]:
    """Answers of MedQuAD, each under the identifier of its question."""
    for path in clone.glob("*/*.xml"):
        document = ElementTree.parse(path)  # noqa: S314 -- a clone that the caller chose
        for pair in document.getroot().iter("QAPair"):
            question, answer = pair.find("Question"), pair.find("Answer")
            if question is not None and answer is not None:
                yield question.attrib["qid"], re.sub(r"\s{3,}", "\n", (answer.text or "").strip())


def pubmedqa(clone: Path) -> Iterator[tuple[str, str]]:
    """Abstracts of PubMedQA that experts labelled, each below its question."""
    for key, one in json.loads((clone / "data/ori_pqal.json").read_bytes()).items():
        parts = zip(one["LABELS"], one["CONTEXTS"], strict=True)
        body = "\n".join(f"{label}: {text}" for label, text in parts)
        yield key, f"{one['QUESTION']}\n{body}\nCONCLUSION: {one['LONG_ANSWER']}"


def cut(text: str) -> str:
    """Cut a text at the last blank before its greatest length.

    Examples
    --------
    >>> cut("No fever.")
    'No fever.'
    """
    return text if len(text) <= LONGEST else text[: text.rindex(" ", 0, LONGEST)]


def main() -> None:
    """Write the texts whose identifiers have the smallest digests."""
    name, clone, output = sys.argv[1:]
    found = {"medquad": medquad, "pubmedqa": pubmedqa}[name](Path(clone))
    texts = [(hashlib.sha256(key.encode()).hexdigest(), key, cut(text)) for key, text in found if len(text) >= SHORTEST]
    lines = [json.dumps({"id": key, "text": text}, ensure_ascii=False) for _, key, text in sorted(texts)[:TEXTS]]
    Path(output).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
