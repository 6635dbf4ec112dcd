"""Features of all words and numbers, as arrays for scipy and scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from notesieve import _core
from notesieve.errors import NotesieveError
from notesieve.evaluation.gold import Gold, as_gold
from notesieve.hidden_repr import HiddenRepr
from notesieve.learning import marks
from notesieve.scrubber import Scrubber, require_texts
from notesieve.tracebacks import keep_texts_out_of_tracebacks


@dataclass(frozen=True, eq=False)
class Features:
    """Features of tokens, one row per word or number, as compressed sparse rows (CSR), with labels and scores.

    No array contains text. A feature is identified by its kind and a hash, which do not reveal the word.

    Attributes
    ----------
    indptr, indices, data : numpy.ndarray
        The arrays for ``scipy.sparse.csr_matrix``.
    note : numpy.ndarray
        The note of each token: an index into `docs`.
    start, end : numpy.ndarray
        Start and end (exclusive) of each token in its note, in code points.
    label : numpy.ndarray
        The label in the gold standard: 0 not an identifier, 1 name, 2 location, 3 date, 4 another identifier, 255
        ignored (may be left or removed).
    score : numpy.ndarray
        The log-odds that each token is an identifier, from the scrubber's model.
    hashes, kinds : numpy.ndarray
        The hash of each feature, and its kind, an index into `kind_names`.
    docs : list of str
        The names of the notes; texts without names are numbered.
    problems : list of dict
        ``doc`` and ``problem`` of each skipped document.

    Examples
    --------
    >>> import notesieve as ns
    >>> found = ns.learning.features(ns.Scrubber(), ["Seen by Dr. Quill."])
    >>> found.shape[0], found.start.tolist()
    (4, [0, 5, 8, 12])
    """

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    data: npt.NDArray[np.float32]
    note: npt.NDArray[np.uint32]
    start: npt.NDArray[np.uint32]
    end: npt.NDArray[np.uint32]
    label: npt.NDArray[np.uint8]
    score: npt.NDArray[np.float32]
    hashes: npt.NDArray[np.uint64]
    kinds: npt.NDArray[np.uint8]
    docs: list[str]
    problems: list[dict[str, Any]] = field(default_factory=list)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of tokens and of features."""
        return len(self.start), len(self.hashes)

    @property
    def kind_names(self) -> list[str]:
        """The name of each kind of feature."""
        return _core.feature_kinds()

    @property
    def names(self) -> list[str]:
        """The name of each feature: its kind and its hash."""
        kinds = self.kind_names
        return [f"{kinds[kind]} {number:016x}" for kind, number in zip(self.kinds, self.hashes, strict=True)]

    def to_scipy(self) -> Any:
        """Return the rows as a ``scipy.sparse.csr_matrix`` that shares these arrays.

        Returns
        -------
        scipy.sparse.csr_matrix

        Raises
        ------
        NotesieveError
            If scipy is not installed.
        """
        try:
            from scipy.sparse import csr_matrix
        except ModuleNotFoundError as problem:
            raise NotesieveError("sparse matrices need scipy: pip install 'notesieve[learning]'") from problem
        return csr_matrix((self.data, self.indices, self.indptr), shape=self.shape, copy=False)

    def __repr__(self) -> str:
        """Return the counts only."""
        return f"Features({self.shape[0]} tokens, {self.shape[1]} features, {len(self.docs)} notes)"


@keep_texts_out_of_tracebacks
def features(
    scrubber: Scrubber,
    notes: Gold | str | PathLike[str] | Iterable[str],
    *,
    min_documents: int = 1,
    threads: int | None = None,
) -> Features:
    """Return the features of all words and numbers of notes.

    Parameters
    ----------
    scrubber : Scrubber
        The scrubber whose vocabulary and policy are used to read the notes, and whose model gives the scores.
    notes : Gold, path or iterable of str
        A gold standard or the path of one, for tokens with labels; or texts.
    min_documents : int, optional
        Drop features that occur in fewer notes.
    threads : int, optional
        The number of threads. Default: ``NOTESIEVE_THREADS``, or one per core. The result is the same for any number.

    Returns
    -------
    Features

    Raises
    ------
    GoldError
        If the gold standard cannot be read.
    NoteTypeError
        If a note is not a text.

    Examples
    --------
    >>> import notesieve as ns
    >>> gold = ns.Gold({"a": "Seen by Dr. Quill."}, {"a": [{"start": 12, "end": 17, "category": "NAME"}]})
    >>> ns.learning.features(ns.Scrubber(), gold).label.tolist()
    [0, 0, 0, 1]
    """
    if isinstance(notes, Gold | str | PathLike):
        gold, problems = marks.usable_documents(as_gold(notes))
        docs, hidden, marked = list(gold.notes), HiddenRepr(list(gold.notes.values())), marks.mark_columns(gold)
    else:
        hidden, notes = HiddenRepr(notes), ()
        require_texts(hidden)
        hidden = HiddenRepr(list(hidden.reveal()))
        docs, problems, marked = [str(at) for at in range(len(hidden.reveal()))], [], marks.empty_mark_columns()
    found = _core.features(scrubber, hidden, marked, documents=min_documents, threads=threads)
    problems += [{"doc": docs[at], "problem": problem} for at, problem in found.pop("skipped")]
    return Features(**found, docs=docs, problems=problems)
