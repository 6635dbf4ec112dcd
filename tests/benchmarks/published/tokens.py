"""Token measures: precision, recall and F of identifiers and of the rest, on all tokens and on subsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from published.notes import Note
from published.reading import labels_of, lists_of, tokens_of
from published.systems import Spans

# Precision, recall and F of identifiers, then of the rest.
Shares = tuple[float, float, float, float, float, float]
SUBSETS = ("all words", "ambiguous words", "words on no list", "names alone")


def folded_words(notes: Sequence[Note]) -> list[str]:
    """Return every token of the notes in lower case."""
    return [note.text[start:end].lower() for note in notes for start, end in tokens_of(note.text)]


def token_labels(notes: Sequence[Note]) -> list[str | None]:
    """Return the category of every token, as `labels_of` does."""
    return [label for note in notes for label in labels_of(note, tokens_of(note.text))]


def token_targets(notes: Sequence[Note]) -> NDArray[np.int8]:
    """Return for each token whether it identifies (1), does not (0), or is not counted (-1)."""
    return np.array([-1 if label is None else int(bool(label)) for label in token_labels(notes)], dtype=np.int8)


def ambiguous_tokens(words: Sequence[str], wanted: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which tokens are words that are marked in one place and not in another, ignoring case."""
    marked = {word for word, one in zip(words, wanted, strict=True) if one == 1}
    others = {word for word, one in zip(words, wanted, strict=True) if one == 0}
    both = marked & others
    return np.array([word in both for word in words], dtype=bool)


def removed_tokens(notes: Sequence[Note], predicted: Sequence[Spans], wanted: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which tokens are removed: identifiers if they are gone entirely, others if any part is gone."""
    found: list[bool] = []
    for note, spans in zip(notes, predicted, strict=True):
        gone = bytearray(len(note.text))
        for start, end in spans:
            gone[start:end] = b"\x01" * (end - start)
        for start, end in tokens_of(note.text):
            inside = gone[start:end]
            found.append(all(inside) if wanted[len(found)] == 1 else any(inside))
    return np.array(found, dtype=bool)


def precision_recall_f(wanted: NDArray[Any], found: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return precision, recall and F of tokens."""
    right = int(((wanted == 1) & found).sum())
    precision = right / max(int(((wanted >= 0) & found).sum()), 1)
    recall = right / max(int((wanted == 1).sum()), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def shares_of_both_classes(wanted: NDArray[Any], found: NDArray[np.bool_]) -> Shares:
    """Return precision, recall and F of identifiers, and those of the rest."""
    return (*precision_recall_f(wanted, found), *precision_recall_f(np.where(wanted < 0, -1, 1 - wanted), ~found))


def measure_tokens(notes: Sequence[Note], predicted: Sequence[Spans]) -> dict[str, Shares]:
    """Measure what was removed from notes, by subset of the tokens."""
    words, named = folded_words(notes), token_labels(notes)
    wanted = np.array([-1 if label is None else int(bool(label)) for label in named], dtype=np.int8)
    found = removed_tokens(notes, predicted, wanted)
    unlisted = np.array([word.isalpha() and not lists_of(word) for word in words], dtype=bool)
    chosen = (np.ones_like(unlisted), ambiguous_tokens(words, wanted), unlisted)
    results = {
        name: shares_of_both_classes(wanted[some], found[some]) for name, some in zip(SUBSETS[:3], chosen, strict=True)
    }
    # Other categories are not counted: some systems look for names only.
    people = np.array([label in ("NAME", "") for label in named], dtype=bool)
    results[SUBSETS[3]] = shares_of_both_classes(np.where(people, wanted, -1), found)
    return results


def token_table(rows: Iterable[tuple[str, Mapping[str, Shares]]]) -> str:
    """Return the measures of systems as a Markdown table: each cell is precision / recall / F."""
    columns = [(part, rest) for part in SUBSETS for rest in (False, True)]
    heads = [f"{part}: {'rest' if rest else 'identifiers'}" for part, rest in columns]
    lines = ["| system, P / R / F | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for name, measured in rows:
        cells = [measured[part][3:] if rest else measured[part][:3] for part, rest in columns]
        texts = [" / ".join(f"{share:.3f}".removeprefix("0") for share in cell) for cell in cells]
        lines.append(f"| {name} | " + " | ".join(texts) + " |")
    return "\n".join(lines)
