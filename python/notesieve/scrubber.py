"""The scrubber: what people use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from notesieve import _core
from notesieve.errors import BatchError

if TYPE_CHECKING:
    from notesieve._core import ScrubbedBatch, ScrubbedNote

__all__ = ["Scrubber"]

# Notes that `scrub_iter` reads ahead: enough to keep every core busy, few enough to stay small.
_AHEAD = 256


class Scrubber(_core.Scrubber):
    """De-identify and autocode clinical notes.

    Parameters
    ----------
    policy : Policy or {"safe", "berman", "readable"}, optional
        What may come out, and in what form. Default: ``"safe"``.
    vocabulary : Vocabulary, optional
        What is known to be safe. Default: the one inside the package.

    Raises
    ------
    PolicyError
        If there is no such policy.
    VocabularyError
        If the vocabulary cannot be read.

    Examples
    --------
    >>> import notesieve as ns
    >>> scrubber = ns.Scrubber()
    >>> scrubber.scrub("Seen by Dr. Brown for asthma.").text
    'Seen by Dr. [NAME] for asthma.'
    """

    def scrub_many(
        self, texts: Iterable[str], *, threads: int | None = None, explain: bool = False, on_error: str = "raise"
    ) -> ScrubbedBatch:
        """De-identify many notes at once, on all cores.

        Parameters
        ----------
        texts : iterable of str
            The notes.
        threads : int, optional
            How many threads to use. Default: one a core. The result is the same for any number.
        explain : bool, optional
            Whether each note tells the decision on every token. Default: no, to save memory.
        on_error : {"raise", "empty"}, optional
            What to do if notes cannot be scrubbed: raise, after all others are done, a `BatchError` that holds the
            batch; or leave an empty note in the place of each.

        Returns
        -------
        ScrubbedBatch
            The notes, in the order of `texts`.

        Raises
        ------
        BatchError
            If a note cannot be scrubbed and `on_error` is ``"raise"``.

        Examples
        --------
        >>> import notesieve as ns
        >>> batch = ns.Scrubber().scrub_many(["BP 128/72.", "Call 617-555-0123."])
        >>> batch.texts
        ['BP 128/72.', 'Call [CONTACT].']
        """
        if on_error not in ("raise", "empty"):
            message = f"on_error={on_error!r} is not one of raise, empty"
            raise ValueError(message)
        batch, errors = self._scrub_many(texts, threads=threads, explain=explain)
        if errors and on_error == "raise":
            raise BatchError(batch, errors)
        return batch

    def scrub_iter(self, texts: Iterable[str], *, threads: int | None = None) -> Iterator[ScrubbedNote]:
        """De-identify notes one after the other as they are asked for, some hundred ahead.

        Parameters
        ----------
        texts : iterable of str
            The notes; it may be endless.
        threads : int, optional
            How many threads to use. Default: one a core.

        Yields
        ------
        ScrubbedNote
            The notes, in the order of `texts`.

        Raises
        ------
        BatchError
            If a note cannot be scrubbed.

        Examples
        --------
        >>> import notesieve as ns
        >>> next(ns.Scrubber().scrub_iter(iter(["No fever."]))).text
        'No fever.'
        """
        source = iter(texts)
        while ahead := list(islice(source, _AHEAD)):
            yield from self.scrub_many(ahead, threads=threads)
