"""Overview of a batch: removed text and concepts, as numbers and as plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from html import escape
from itertools import combinations
from typing import TYPE_CHECKING, Any

from notesieve.display.note_views import Html
from notesieve.errors import NoteError
from notesieve.evaluation.plots import GREY, INK, svg_text
from notesieve.hidden_repr import HiddenRepr
from notesieve.statuses import GROUPS
from notesieve.tracebacks import keep_texts_out_of_tracebacks

if TYPE_CHECKING:
    from notesieve._core import ConceptMention, ScrubbedNote, Vocabulary
    from notesieve.choices import Group

_BLUE = (31, 95, 168)
_NAME_LISTS = {"surname", "first-name", "city", "place-part"}


@keep_texts_out_of_tracebacks
class Overview:
    """Statistics of a batch, made by `overview`. A notebook shows them as plots."""

    def __init__(
        self,
        notes: Sequence[ScrubbedNote],
        originals: Sequence[str] | None,
        vocabulary: Vocabulary | None,
        least_notes: int,
        groups: Sequence[Group] | None = GROUPS,
        labels: Sequence[str] | None = None,
    ) -> None:
        self._labels = labels
        self._notes, self._originals, self._vocabulary, self._least = notes, originals, vocabulary, least_notes
        self._groups = groups

    @property
    def notes(self) -> int:
        """The number of notes."""
        return len(self._notes)

    @cached_property
    def removed(self) -> Counter[str]:
        """The number of removed spans by category."""
        return Counter(removal.category for note in self._notes for removal in note.removed)

    def removed_per_note(self) -> list[dict[str, Any]]:
        """Return the mean number of removed spans per note and category, for the notes of each label.

        Labels with fewer than ``least_notes`` notes are pooled as ``"other"``.

        Returns
        -------
        list of dict
            ``label``, ``notes``, and the mean of each category; the labels with the most notes first. Without labels,
            one row with the label ``"all"``.
        """
        labels = self._labels or ["all"] * len(self._notes)
        if self._labels:  # a label with few notes may be the name of their author
            known = Counter(labels)
            labels = [label if known[label] >= self._least else "other" for label in labels]
        notes, removed = Counter(labels), dict[str, Counter[str]]()
        for label, note in zip(labels, self._notes, strict=True):
            removed.setdefault(label, Counter()).update(removal.category for removal in note.removed)
        return [
            {"label": label, "notes": count} | {name: removed[label][name] / count for name in sorted(self.removed)}
            for label, count in notes.most_common()
        ]

    @cached_property
    def concepts(self) -> Counter[tuple[str, str]]:
        """The number of notes in which each concept is affirmed, by code and name."""
        return Counter(
            pair for note in self._notes for pair in {(c.code, c.name) for c in self._counted_concepts(note)}
        )

    def _counted_concepts(self, note: ScrubbedNote) -> list[ConceptMention]:
        """Return the affirmed concepts of a note that have a code and belong to the chosen groups."""
        return [
            concept
            for concept in note.concepts
            if concept.code and concept.affirmed and (self._groups is None or concept.group in self._groups)
        ]

    @cached_property
    def masked_words(self) -> Counter[str]:
        """The number of notes in which each unlisted word was masked.

        Excludes words with capitals or digits, words in few notes and words on name lists, so that the result has
        candidates for a word list, not people.
        """
        if self._originals is None:
            return Counter()
        found: Counter[str] = Counter()
        for note, text in zip(self._notes, self._originals, strict=True):
            words = {text[r.start : r.end].strip() for r in note.removed if r.category == "UNLISTED"}
            found.update(word for word in words if word.isalpha() and word.islower())
        lists = self._vocabulary.lists if self._vocabulary is not None else lambda _: []
        return Counter({w: n for w, n in found.items() if n >= self._least and not _NAME_LISTS & set(lists(w))})

    def pairs(self, most: int = 12) -> tuple[list[str], list[list[int]]]:
        """Count the notes in which two of the most frequent concepts occur together.

        Parameters
        ----------
        most : int, optional
            The number of concepts.

        Returns
        -------
        list of str
            The names of the concepts.
        list of list of int
            A square table of the notes with both concepts; on the diagonal, the notes with the concept.
        """
        chosen = [code for (code, _), _ in self.concepts.most_common(most)]
        names = dict(self.concepts.keys())
        at = {code: place for place, code in enumerate(chosen)}
        table = [[0] * len(chosen) for _ in chosen]
        for note in self._notes:
            here = sorted({at[c.code] for c in self._counted_concepts(note) if c.code in at})
            for place in here:
                table[place][place] += 1
            for first, second in combinations(here, 2):
                table[first][second] += 1
                table[second][first] += 1
        return [names[code] for code in chosen], table

    # ---- plots

    def plot_removed(self) -> Html:
        """Plot the number of removed spans by category."""
        rows = [("on no list" if name == "UNLISTED" else name.lower(), n) for name, n in self.removed.most_common()]
        return _bar_chart(rows, "removed, by category")

    def plot_removed_per_note(self) -> Html:
        """Plot the mean number of removed spans per note by category, for the notes of each label."""
        parts = []
        for row in self.removed_per_note():
            means = {name.lower(): mean for name, mean in row.items() if name not in ("label", "notes")}
            title = f"{_ellipsize(row['label'], 40)}: {row['notes']:,} notes, removed per note"
            parts.append(_bar_chart(sorted(means.items(), key=lambda mean: -mean[1]), title, "{:.2f}"))
        return Html("".join(parts))

    def plot_concepts(self, most: int = 20) -> Html:
        """Plot the concepts that occur in the most notes."""
        return _bar_chart([(name, n) for (_, name), n in self.concepts.most_common(most)], "notes with a concept")

    def plot_masked_words(self, most: int = 20) -> Html:
        """Plot the unlisted words that were masked in the most notes."""
        return _bar_chart(self.masked_words.most_common(most), "notes in which a word on no list was masked")

    def plot_pairs(self, most: int = 12) -> Html:
        """Plot the co-occurrence of concepts in notes."""
        return _heat_map(*self.pairs(most), "notes with both concepts")

    def _repr_html_(self) -> str:
        parts = [self.plot_removed(), self.plot_concepts(), self.plot_pairs()]
        if self.masked_words:
            parts.insert(1, self.plot_masked_words())
        if self._labels is not None:
            parts.insert(1, self.plot_removed_per_note())
        return f"<div><p>{self.notes:,} notes</p>{''.join(parts)}</div>"

    def __repr__(self) -> str:
        return f"Overview({self.notes} notes, {sum(self.removed.values())} removed, {len(self.concepts)} concepts)"


@keep_texts_out_of_tracebacks
def overview(
    notes: Iterable[ScrubbedNote],
    *,
    originals: Iterable[str] | None = None,
    vocabulary: Vocabulary | None = None,
    least_notes: int = 3,
    groups: Sequence[Group] | None = GROUPS,
    by: Iterable[object] | None = None,
) -> Overview:
    """Summarise a batch.

    Parameters
    ----------
    notes : iterable of ScrubbedNote
        The notes, as returned by `Scrubber.scrub_many`.
    originals : iterable of str, optional
        The texts that were scrubbed, for the unlisted words. Default: unlisted words are not shown.
    vocabulary : Vocabulary, optional
        The vocabulary whose lists decide which words are names. Without it, only words with capitals are excluded as
        names.
    least_notes : int, optional
        The minimum number of notes with a masked word for it to be shown, and with a label for it to be a row of its
        own.
    groups : sequence of str or None, optional
        The semantic groups of the concepts to count; None for all. Default: disorders, findings, procedures and drugs.
        Only affirmed concepts count.
    by : iterable, optional
        One label per note, such as the column ``frame["note_type"]``, by which removals are compared.

    Returns
    -------
    Overview
        Counts and plots.

    Raises
    ------
    NoteError
        If the number of originals or labels differs from that of notes.

    Examples
    --------
    >>> import notesieve as ns
    >>> seen = ns.overview(ns.Scrubber().scrub_many(["Dr. Brown: asthma.", "Asthma since 2004."]))
    >>> seen.removed["NAME"], seen.concepts["mesh:D001249", "Asthma"]
    (1, 2)
    >>> texts = ["Dr. Brown and Dr. Quill.", "Seen by Mr. Reed.", "No fever."]
    >>> kinds = ["letter", "visit", "visit"]
    >>> ns.overview(ns.Scrubber().scrub_many(texts), by=kinds, least_notes=1).removed_per_note()
    [{'label': 'visit', 'notes': 2, 'NAME': 0.5}, {'label': 'letter', 'notes': 1, 'NAME': 2.0}]
    """
    batch = list(notes)
    hidden, originals = HiddenRepr(None if originals is None else list(originals)), None
    if hidden.reveal() is not None and len(hidden.reveal()) != len(batch):
        raise NoteError(f"there are {len(batch)} notes and {len(hidden.reveal())} originals")
    labels = None if by is None else ["" if label is None else str(label) for label in by]
    if labels is not None and (isinstance(by, str) or len(labels) != len(batch)):
        raise NoteError(f"by must have one label per note: there are {len(batch)} notes")
    return Overview(batch, hidden.reveal(), vocabulary, least_notes, groups, labels)


def _ellipsize(words: str, most: int) -> str:
    """Return a text shortened to at most `most` characters, with an ellipsis."""
    return words if len(words) <= most else words[: most - 1] + "…"


def _svg_html(width: float, height: float, title: str, parts: list[str]) -> Html:
    return Html(
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img" aria-label="{escape(title)}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" '
        f'style="background:#fff;max-width:100%;display:block">{"".join(parts)}</svg>'
    )


def _bar_chart(rows: Sequence[tuple[str, float]], title: str, number: str = "{:,}") -> Html:
    """Return a bar chart with one bar per row, in the given order, each with its number."""
    left, right, step = 240.0, 640.0, 22
    largest = max((count for _, count in rows), default=1) or 1
    parts = [svg_text(10, 20, title, colour=GREY)]
    for place, (name, count) in enumerate(rows):
        y = 32 + place * step
        length = (right - left) * count / largest
        parts.append(svg_text(left - 8, y + 14, _ellipsize(name, 34), anchor="end"))
        parts.append(f'<rect x="{left}" y="{y + 3}" width="{length:.1f}" height="{step - 7}" fill="rgb{_BLUE}"/>')
        parts.append(svg_text(left + length + 6, y + 14, number.format(count), colour=GREY))
    return _svg_html(right + 80, 40 + len(rows) * step, title, parts)


def _heat_map(names: list[str], table: list[list[int]], title: str) -> Html:
    """Return a heat map of a square table; more notes are darker."""
    cell, left, top = 34, 220.0, 150.0
    largest = max((n for i, row in enumerate(table) for j, n in enumerate(row) if i != j), default=0) or 1
    parts = [svg_text(10, 20, title, colour=GREY)]
    for i, name in enumerate(names):
        parts.append(svg_text(left - 8, top + i * cell + 22, _ellipsize(name, 30), anchor="end"))
        x, y = left + i * cell + 20, top - 8
        parts.append(f'<g transform="rotate(-50 {x:.0f} {y:.0f})">{svg_text(x, y, _ellipsize(name, 22))}</g>')
        for j, count in enumerate(table[i]):
            share = 0.0 if i == j else count / largest
            colour = "rgb({:.0f},{:.0f},{:.0f})".format(*(255 - (255 - part) * share for part in _BLUE))
            x, y = left + j * cell, top + i * cell
            parts.append(f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{cell - 2}" fill="{colour}"/>')
            if count:
                ink = "#fff" if share > 0.5 else GREY if i == j else INK
                parts.append(svg_text(x + cell / 2 - 1, y + 21, f"{count:,}", anchor="middle", colour=ink, size=11))
    size = left + len(names) * cell + 120
    return _svg_html(size, top + len(names) * cell + 10, title, parts)
