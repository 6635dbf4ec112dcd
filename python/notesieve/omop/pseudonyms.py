"""Pseudonyms of numeric identifiers: a keyed permutation, so that no two identifiers share a pseudonym."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from notesieve.errors import SettingError

if TYPE_CHECKING:
    from notesieve._core import Key

_ROUNDS = 10
_LIMITS = (1 << 31, 1 << 63)


class Pseudonyms:
    """Replaces identifiers in OMOP tables by others of the same size, consistently across tables and runs with one key.

    Parameters
    ----------
    key : Key
        The secret. Anyone who has it can compute the pseudonym of every identifier.

    Notes
    -----
    A Feistel network of ten rounds with the key's pseudonyms as its round function. Numbers of up to 31 bits map to
    such numbers, larger ones to larger ones, and 0, which stands for nobody, to itself.

    Examples
    --------
    >>> import os, secrets
    >>> import notesieve as ns
    >>> from notesieve.omop import Pseudonyms
    >>> os.environ["NOTESIEVE_KEY"] = secrets.token_hex(32)
    >>> pseudonyms = Pseudonyms(ns.Key.load())
    >>> len({pseudonyms.pseudonym_of("person_id", number) for number in range(100)})
    100
    >>> del os.environ["NOTESIEVE_KEY"]
    """

    def __init__(self, key: Key) -> None:
        self._key = key
        self._made: dict[tuple[str, int], int] = {}

    def pseudonym_of(self, column: str, identifier: int) -> int:
        """Return the pseudonym of an identifier.

        Parameters
        ----------
        column : str
            The column whose primary key the identifier is, such as ``person_id``: the same number has a different
            pseudonym in another column.
        identifier : int
            An integer from 0 to 2 ** 63 - 1.

        Returns
        -------
        int
            The pseudonym.

        Raises
        ------
        SettingError
            If the identifier is out of range.
        """
        made = self._made.get((column, identifier))
        if made is None:
            made = self._made[column, identifier] = self._cycle_walk(column, identifier)
        return made

    def _cycle_walk(self, column: str, identifier: int) -> int:
        """Apply the permutation until the result is in the same range as the identifier (cycle walking)."""
        if not 0 <= identifier < _LIMITS[1]:
            raise SettingError(f"a value of {column} is no number from 0 to 2 ** 63 - 1")
        if identifier == 0:
            return 0
        low, high, half = (1, _LIMITS[0], 16) if identifier < _LIMITS[0] else (*_LIMITS, 32)
        made = self._permute_bits(column, identifier, half)
        while not low <= made < high:
            made = self._permute_bits(column, made, half)
        return made

    def _permute_bits(self, column: str, number: int, half: int) -> int:
        mask = (1 << half) - 1
        left, right = number >> half, number & mask
        for turn in range(_ROUNDS):
            drawn = self._key.pseudonym(f"omop {column}", f"{half} {turn} {right}")
            mixed = int.from_bytes(hashlib.sha256(drawn.encode()).digest()[:4], "big")
            left, right = right, (left ^ mixed) & mask
        return left << half | right
