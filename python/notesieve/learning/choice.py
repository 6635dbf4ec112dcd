"""Active learning: chooses notes to mark on which the model is uncertain and that differ from marked notes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from notesieve import _core
from notesieve.batches import batches
from notesieve.errors import SettingError
from notesieve.hidden_repr import HiddenRepr
from notesieve.learning import marks
from notesieve.scrubber import Scrubber, require_texts
from notesieve.tracebacks import keep_texts_out_of_tracebacks

# Kinds of features that describe content and layout of a note. They are hashed into vectors of this many dimensions.
_KINDS = ("the word itself", "the label of its field", "the heading of the section", "the first word of the line")
_DIMENSIONS = 2048
_BATCH_SIZE = 256

Vectors = npt.NDArray[np.float32]


@keep_texts_out_of_tracebacks
def suggest(
    notes: Iterable[str],
    n: int,
    *,
    scrubber: Scrubber | None = None,
    marked: Iterable[str] = (),
    threads: int | None = None,
) -> list[int]:
    """Choose the notes that are most useful to mark next.

    Each choice has the highest product of the model's uncertainty about its tokens, scaled by length, and the
    dissimilarity from the notes that are already marked or chosen.

    Parameters
    ----------
    notes : iterable of str
        The notes to choose from.
    n : int
        The number of notes to choose.
    scrubber : Scrubber, optional
        The scrubber whose model is used. Default: ``Scrubber()``.
    marked : iterable of str, optional
        The notes that are already marked.
    threads : int, optional
        The number of threads. Default: ``NOTESIEVE_THREADS``, or one per core.

    Returns
    -------
    list of int
        The indices of the notes in `notes`, the most useful first; fewer than `n` if there are fewer notes.

    Raises
    ------
    SettingError
        If `n` is below 1.
    NoteTypeError
        If a note is not a text.

    Examples
    --------
    >>> import notesieve as ns
    >>> ns.learning.suggest(["No fever.", "d/w zorvex re goals", "No fever."], 1)
    [1]

    The review widget opens them::

        chosen = [notes[at] for at in ns.learning.suggest(notes, 50)]
        review = Review(scrubber.scrub_many(chosen), chosen, folder="marks")
    """
    if n < 1:
        raise SettingError(f"n={n}: how many notes to choose must be 1 or more")
    hidden, done, notes, marked = HiddenRepr(notes), HiddenRepr(marked), (), ()
    require_texts(hidden)
    require_texts(done)
    scrubber = scrubber or Scrubber()
    vectors, unsure = _content_and_uncertainty(scrubber, hidden, threads)
    if not len(unsure):
        return []
    known = _content_and_uncertainty(scrubber, done, threads)[0]
    # Inverse document frequency: features of all notes do not discriminate.
    rarity = np.log((1 + len(vectors)) / (1 + (vectors > 0).sum(axis=0))).astype(np.float32)
    vectors, known = _unit_vectors(vectors * rarity), _unit_vectors(known * rarity)
    similarity = (vectors @ known.T).max(axis=1) if len(known) else np.zeros(len(vectors), np.float32)
    chosen: list[int] = []
    worth = unsure / max(float(unsure.max()), 1e-9)
    for _ in range(min(n, len(vectors))):
        value = worth * (1 - np.clip(similarity, 0, 1))
        value[chosen] = -1
        best = int(np.argmax(value))
        chosen.append(best)
        similarity = np.maximum(similarity, vectors @ vectors[best])
    return chosen


def _unit_vectors(vectors: Vectors) -> Vectors:
    """Return the rows scaled to unit length."""
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    found: Vectors = vectors / np.maximum(length, 1e-9)
    return found


def _content_and_uncertainty(
    scrubber: Scrubber, notes: HiddenRepr, threads: int | None
) -> tuple[Vectors, npt.NDArray[np.float64]]:
    """Return a content vector of each note, and the uncertainty of the model about it."""
    names = _core.feature_kinds()
    kinds = np.array([names.index(name) for name in _KINDS])
    vectors, unsure = [np.zeros((0, _DIMENSIONS), np.float32)], [np.zeros(0)]
    for some in batches(notes, _BATCH_SIZE):
        hidden = HiddenRepr(list(some))
        count = len(hidden.reveal())
        found = _core.features(scrubber, hidden, marks.empty_mark_columns(), threads=threads)
        rows = np.repeat(found["note"], np.diff(found["indptr"]))
        wanted = np.isin(found["kinds"], kinds)[found["indices"]]
        places = (found["hashes"] % np.uint64(_DIMENSIONS)).astype(np.int64)[found["indices"]]
        table = np.zeros((count, _DIMENSIONS), np.float32)
        np.add.at(table, (rows[wanted], places[wanted]), 1)
        vectors.append(np.log1p(table))
        odds = np.exp(-np.abs(found["score"].astype(np.float64)))
        # The Bernoulli variance p(1 - p) of each prediction: 1/4 at even odds, 0 when certain.
        sums = np.bincount(found["note"], weights=odds / (1 + odds) ** 2, minlength=count)
        lengths = np.bincount(found["note"], minlength=count)
        unsure.append(sums / np.sqrt(np.maximum(lengths, 1)))
    return np.concatenate(vectors), np.concatenate(unsure)
