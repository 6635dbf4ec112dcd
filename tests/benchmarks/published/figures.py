"""The figures of 2013: parts of speech and kinds, frequencies, distances of private from public text, names of the census.

python -m published.figures                      # from tests/benchmarks; public side: the documentation of this project
python -m published.figures --public FOLDER      # real public text (*.jsonl with "text", *.txt)
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from published.comparison import measure_system
from published.counts import WordCounts, count_words, literature_counts, read_public_texts
from published.local_context import LocalContext
from published.notes import Note, parse_note_arguments, split_by_batch
from published.public_text import PublicText
from published.reading import labels_of, read_note, tags_of, tokens_of
from published.redraw import NAME_SOURCES, redraw_notes
from published.tokens import SUBSETS, token_labels

_ROOT = Path(__file__).parents[3]
REST = "the rest"
_LONG = 200


def documentation_paragraphs() -> list[str]:
    """Return the paragraphs of this project's documentation: medical English that needs no download."""
    found = []
    for path in sorted((_ROOT / "docs").rglob("*.md")):
        paragraphs = re.split(r"\n{2,}", re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL))
        found += [
            re.sub(r"\]\([^)]*\)|[`*\[]", "", one) for one in paragraphs if one[:1].isalpha() and len(one) > _LONG
        ]
    return found


def sample_public_texts(public: Path | None, limit: int = 400) -> list[str]:
    """Return the public texts, sampled evenly from a folder, or the documentation."""
    texts = documentation_paragraphs() if public is None else list(read_public_texts(public))
    return list(islice(texts[:: max(len(texts) // limit, 1)], limit))


def _tags_kinds_and_words(notes: Sequence[Note]) -> list[tuple[str, str, str]]:
    """Return tag, kind and word of every token; optional marks are left out."""
    named = iter(token_labels(notes))
    return [
        (tag, label or REST, word)
        for note in notes
        for tag, word in zip(read_note(note).tags, read_note(note).words, strict=True)
        if (label := next(named)) is not None
    ]


def pointwise_information(notes: Sequence[Note]) -> tuple[list[str], list[str], NDArray[np.float64]]:
    """Return tags, kinds and their normalised pointwise mutual information: 1 together, 0 independent, -1 never."""
    counts = Counter((tag, kind) for tag, kind, _ in _tags_kinds_and_words(notes))
    tags, kinds = sorted({tag for tag, _ in counts}), sorted({kind for _, kind in counts})
    joint = np.array([[counts[tag, kind] for kind in kinds] for tag in tags]) / sum(counts.values())
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(joint > 0, np.log(joint / apart) / -np.log(joint), -1.0)
    return tags, kinds, values


def normalised_information(notes: Sequence[Note]) -> float:
    """Return the mutual information of tag and kind over the entropy of the kind: 1 if the tag determines the kind."""
    counts = Counter((tag, kind) for tag, kind, _ in _tags_kinds_and_words(notes))
    tags, kinds = sorted({tag for tag, _ in counts}), sorted({kind for _, kind in counts})
    joint = np.array([[counts[tag, kind] for kind in kinds] for tag in tags]) / sum(counts.values())
    of_tags, of_kinds = joint.sum(axis=1, keepdims=True), joint.sum(axis=0, keepdims=True)
    some = joint > 0
    information = (joint[some] * np.log(joint[some] / (of_tags * of_kinds)[some])).sum()
    return float(information / max(-(of_kinds * np.log(of_kinds)).sum(), 1e-12))


def log_frequencies(
    notes: Sequence[Note], counts: WordCounts | None = None
) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Return the log10 of one more than the count in public text, for identifiers and the rest, with and without tag.

    Only words of at least three letters: the counts of the literature have no others.
    """
    counts = counts or literature_counts()
    found: dict[str, dict[str, list[float]]] = {
        way: {"identifiers": [], REST: []} for way in ("word", "word with part of speech")
    }
    for tag, kind, word in _tags_kinds_and_words(notes):
        if len(word) < 3 or not word.isalpha():
            continue
        own = counts.frequencies(word, tag, "", "")
        for way, value in zip(found, own[:2], strict=True):
            found[way][REST if kind == REST else "identifiers"].append(value / np.log(10))
    return {way: {side: np.array(values) for side, values in sides.items()} for way, sides in found.items()}


def _tag_counts(tags: Iterable[str]) -> Counter[str]:
    return Counter(tag for tag in tags if tag[0].isalpha())


def tag_profiles(notes: Sequence[Note], texts: Sequence[str]) -> tuple[list[str], dict[str, NDArray[np.float64]]]:
    """Return the tags, and the shares of tags in each text: of identifiers, of the rest, and of public text."""
    counted: dict[str, list[Counter[str]]] = {"identifiers": [], REST: [], "public text": []}
    for note in notes:
        reading = read_note(note)
        pairs = list(zip(reading.tags, labels_of(note, reading.spans), strict=True))
        counted["identifiers"].append(_tag_counts(tag for tag, label in pairs if label))
        counted[REST].append(_tag_counts(tag for tag, label in pairs if label == ""))
    for text in texts:
        spans = tokens_of(text)
        counted["public text"].append(_tag_counts(tags_of(text, [text[start:end] for start, end in spans], spans)))
    tags = sorted({tag for side in counted.values() for one in side for tag in one})
    found = {}
    for side, several in counted.items():
        rows = np.array([[float(one[tag]) for tag in tags] for one in several if one]).reshape(-1, len(tags))
        found[side] = rows / rows.sum(axis=1, keepdims=True)
    return tags, found


def principal_components(
    sides: dict[str, NDArray[np.float64]],
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]:
    """Return the first two principal components of all texts, by side, and the share of variance of each."""
    rows = np.concatenate(list(sides.values()))
    middle = rows.mean(axis=0)
    _, sizes, axes = np.linalg.svd(rows - middle, full_matrices=False)
    return {side: (own - middle) @ axes[:2].T for side, own in sides.items()}, sizes[:2] ** 2 / (sizes**2).sum()


def cosines_to_public_text(sides: dict[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """Return the cosine between each text and the mean of public text."""
    public = sides["public text"].mean(axis=0)
    return {
        side: own @ public / np.maximum(np.linalg.norm(own, axis=1) * np.linalg.norm(public), 1e-12)
        for side, own in sides.items()
    }


def scores_with_census_names(
    train: Sequence[Note], test: Sequence[Note], counts: WordCounts | None = None
) -> list[tuple[str, str, tuple[float, ...]]]:
    """Measure with names as written and from the census, in training and test notes: system, names, shares."""
    found = []
    for way in NAME_SOURCES[:2]:
        divided = [(redraw_notes(train, way, seed=1), redraw_notes(test, way, seed=2))]
        for make in (lambda _: LocalContext(), lambda _: PublicText(counts=counts)):
            row, *_ = measure_system(make, divided)
            found.append((row.system, way, row.tokens[SUBSETS[0]]))
    return sorted(found, key=lambda one: one[0])


def figures_report(notes: Sequence[Note], texts: Sequence[str], counts: WordCounts | None) -> list[str]:
    """Return the numbers of all figures as Markdown."""
    tags, kinds, values = pointwise_information(notes)
    lines = [f"Normalised mutual information of part of speech and kind: {normalised_information(notes):.3f}", ""]
    lines += ["| kind | parts of speech that go with it most (normalised pointwise mutual information) |", "|---|---|"]
    for at, kind in enumerate(kinds):
        best = np.argsort(-values[:, at])[:3]
        lines.append(f"| {kind} | " + ", ".join(f"{tags[tag]} {values[tag, at]:.2f}" for tag in best) + " |")
    lines += [
        "",
        "| log10 of frequency | median of identifiers | of the rest | share never seen: identifiers | the rest |",
    ]
    lines.append("|---|--:|--:|--:|--:|")
    for way, sides in log_frequencies(notes, counts).items():
        own, rest = sides["identifiers"], sides[REST]
        shares = (np.median(own), np.median(rest), (own == 0).mean(), (rest == 0).mean())
        lines.append(f"| {way} | " + " | ".join(f"{share:.2f}" for share in shares) + " |")
    _, sides = tag_profiles(notes, texts)
    _, variance = principal_components(sides)
    lines += ["", f"Variance of the first two principal components: {variance[0]:.2f}, {variance[1]:.2f}", ""]
    lines += ["| texts | cosine with public text: lower quartile | median | upper quartile |", "|---|--:|--:|--:|"]
    for side, cosine in cosines_to_public_text(sides).items():
        lines.append(f"| {side} | " + " | ".join(f"{one:.3f}" for one in np.quantile(cosine, (0.25, 0.5, 0.75))) + " |")
    lines += ["", "| system | names | identifiers: P | R | F | rest: P | R | F |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    for system, way, shares in scores_with_census_names(*split_by_batch(notes, 3)[0], counts):
        lines.append(f"| {system} | {way} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
    return lines


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(prog="published.figures", description=__doc__)
    parser.add_argument("--public", type=Path, help="folder of public text: *.jsonl with a field text, *.txt")
    asked, notes = parse_note_arguments(parser, 900)
    counts = count_words(read_public_texts(asked.public)) if asked.public else None
    print("\n".join(figures_report(notes, sample_public_texts(asked.public), counts)))


if __name__ == "__main__":
    main()
