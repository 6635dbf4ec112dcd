"""Removed spans by comparison of outputs with originals, for systems that return only text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from notesieve.errors import GoldError
from notesieve.tracebacks import keep_texts_out_of_tracebacks

# A date or number is one token, so that a change to a part of it counts as a change of the whole.
_TOKEN = re.compile(r"\d+(?:[/.:-]\d+)*(?!\w)|\w+|[^\w\s]")


@keep_texts_out_of_tracebacks
def removed_spans(originals: Mapping[str, str], outputs: Mapping[str, str]) -> dict[str, list[tuple[int, int]]]:
    """Find the spans of each original that are not in its output, whatever replaces them: tags, masks or other names.

    The tokens of both are aligned. A token that occurs in the output in the order of the original was kept. A name that
    was replaced by the same name was not removed.

    Parameters
    ----------
    originals, outputs : dict of str to str
        The texts by document.

    Returns
    -------
    dict of str to list of tuple of (int, int)
        Spans of the originals (code points, end exclusive), as `evaluate` takes them.

    Raises
    ------
    GoldError
        If an output has no original.

    Examples
    --------
    >>> import notesieve as ns
    >>> ns.removed_spans({"a": "Seen by Dr. Rose Quill."}, {"a": "Seen by Dr. Ada Larkin."})
    {'a': [(12, 22)]}
    """
    unknown = next((at for at, doc in enumerate(outputs, 1) if doc not in originals), None)
    if unknown is not None:
        message = f"output {unknown} is of a document of which there is no note"
        raise GoldError(message)
    return {doc: list(_removed_ranges(originals[doc], output)) for doc, output in outputs.items()}


def _removed_ranges(original: str, output: str) -> Iterator[tuple[int, int]]:
    tokens = [match.span() for match in _TOKEN.finditer(original)]
    words = [original[start:end] for start, end in tokens]
    kept = [False] * len(tokens)
    matcher = SequenceMatcher(None, words, _TOKEN.findall(output), autojunk=False)
    for at, _, size in matcher.get_matching_blocks():
        kept[at : at + size] = [True] * size
    first = None
    for at, (start, end) in enumerate(tokens):
        if kept[at]:
            continue
        first = start if first is None else first
        if at + 1 == len(tokens) or kept[at + 1]:
            yield first, end
            first = None
