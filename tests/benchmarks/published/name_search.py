"""Name search (Thomas 2002): names are next to an affix (Dr., Mrs., Jr.) or come in pairs. Names only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from published.notes import Note
from published.reading import lists_of, tokens_of
from published.systems import Spans, Untrained

_BEFORE = frozenset("dr mr mrs ms miss prof doctor professor sister brother father nurse".split())
_AFTER = frozenset("md do rn lpn np pa phd jr sr esq dds dpm".split())
_BETWEEN = frozenset(".,")


def _is_name(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and not lists_of(word.lower()).isdisjoint(("first-name", "surname"))


def _is_common(word: str) -> bool:
    """Return whether a word is common or medical: such a word is a name only next to an affix or another name."""
    return not lists_of(word.lower()).isdisjoint(("english", "stop", "clinical", "term", "literature"))


class NameSearch(Untrained):
    """Words of the census next to an affix or another such word."""

    name: ClassVar[str] = "name search (2002)"
    published: ClassVar[str] = "names R .987 (231 names)"

    def predict(self, notes: Sequence[Note]) -> list[Spans]:
        """Return the names of each note; a name found once is removed wherever it is capitalised."""
        return [find_names(note.text) for note in notes]


def find_names(text: str) -> Spans:
    """Return the names of a text."""
    spans = [span for span in tokens_of(text) if text[span[0] : span[1]] not in _BETWEEN]
    words = [text[start:end] for start, end in spans]
    plain = [re.sub(r"\W", "", word.lower()) for word in words]
    found = set()
    for at, word in enumerate(words):
        if not word[0].isupper() or not word[0].isalpha() or plain[at] in _BEFORE or plain[at] in _AFTER:
            continue
        before = plain[at - 1] if at else ""
        after = plain[at + 1] if at + 1 < len(words) else ""
        if before in _BEFORE or (after in _AFTER and _is_name(word)):
            found.add(at)
            continue
        if not _is_name(word):
            continue
        for other in (at - 1, at + 1):
            pair = 0 <= other < len(words) and plain[other] not in _BEFORE and _is_name(words[other])
            if pair and not (_is_common(word) and _is_common(words[other])):
                found |= {at, other}
    sure = {words[at] for at in found if not _is_common(words[at])}
    return [span for at, span in enumerate(spans) if at in found or words[at] in sure]
