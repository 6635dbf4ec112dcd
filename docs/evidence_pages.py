"""Write the pages that the evidence shares with the code: `python docs/evidence_pages.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from notesieve.evidence.safe_harbor import SAFE_HARBOR, split_marked_example
from notesieve.evidence.statements import FILES

HERE = Path(__file__).parent
SAFE_HARBOR_HEAD = """# What removes each Safe Harbor identifier

The Safe Harbor method of the HIPAA Privacy Rule, 45 CFR 164.514(b)(2)(i), lists 18 identifiers. This page says what
removes each under the default policy, and what can remain. It is a mapping, not a rate: how often an identifier leaks
is a matter of [measurement](evaluation.md). [`notesieve evidence`](how-to/evidence.md) runs the examples with your
policy, model and lists. All names and numbers are invented.

Safe Harbor also demands that the holder has no actual knowledge that what stays could identify a person. Only people
can say so. Notes hold such facts in ordinary words; the residual risk in the evidence counts some of them.

| identifier | kinds | what removes it | what can remain | examples |
|---|---|---|---|---|
"""
SAFE_HARBOR_TAIL = """
Bold text is removed. The kinds `staff`, `state` and `country` are removed as well by default, although the
regulation does not list them. A kind says how a removal is reported; what decides the removal is all evidence
together, and a number can be reported as another kind of number.
"""
FILES_HEAD = """# Who can see what

What notesieve writes, and who may see it. It opens no network connection while it scrubs, keeps no copy of a text,
writes no log of texts, and puts no text of a note into an error, a `repr` or a temporary file. `notesieve vocabulary
fetch` is the only command that downloads something, and it uploads nothing.

| what | where | what it holds | who may see it |
|---|---|---|---|
"""
FILES_TAIL = """
**Modes.** Where no mode is given, a file has that of your `umask`: set it to `077`, or use a folder that only the
right people can open. On Windows, modes have no effect: use the rights of the folder.

**In memory.** Scrubbed notes, batches and frames keep the original only where you keep it yourself. A `Patient` and
its pickle hold what is known of the patient in the clear. A `ScrubbedNote` knows the offsets in the original, not its
text.

**On a cluster.** The driver sends the policy, the vocabulary by its digest, and the fingerprint of the key; each
worker loads the key from its own environment.

**What you share.** A policy with `doctors`, `hospitals` or `wards`, and the lists of a site, name people and places:
keep them with the notes. A trained model holds weights of hashed words of your notes; whether it may be shared is a
decision of its own.
"""


def safe_harbor_page() -> str:
    """Give the page on the 18 identifiers."""
    rows = [
        (
            f"**{row.letter}** {row.name}",
            ", ".join(f"`{kind}`" for kind in row.kinds) or "-",
            row.removed_by,
            row.limit,
            " ".join(f"“{_with_bold_identifiers(example)}”" for example in row.examples),
        )
        for row in SAFE_HARBOR
    ]
    return SAFE_HARBOR_HEAD + _markdown_rows(rows) + SAFE_HARBOR_TAIL


def files_page() -> str:
    """Give the page on what is written where."""
    return FILES_HEAD + _markdown_rows(FILES) + FILES_TAIL


def _with_bold_identifiers(example: str) -> str:
    text, identifiers = split_marked_example(example)
    for found in identifiers:
        text = text.replace(found, f"**{found}**", 1)
    return text


def _markdown_rows(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


if __name__ == "__main__":
    (HERE / "safe-harbor.md").write_text(safe_harbor_page(), encoding="utf-8")
    (HERE / "who-can-see-what.md").write_text(files_page(), encoding="utf-8")
