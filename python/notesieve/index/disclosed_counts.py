"""Audit of disclosed counts: no sum or difference of them may describe a small group of people.

The groups that were counted partition all patients into cells; the patients of a cell are in the same groups. Each
disclosed count is a linear equation over the cells, and the values that can be derived exactly are the linear
combinations. A count is disclosed only if the equations remain linearly independent on the cells that are not below the
floor. Then each combination involves such a cell, so none describes smaller cells alone, however many counts are
combined.

This is the audit of query sets (F. Y. Chin and G. Özsoyoğlu, *Auditing and inference control in statistical databases*,
IEEE Transactions on Software Engineering 8, 1982), applied to groups below a floor instead of single people. The answer
is the same for an empty cell and a small one, so a refusal does not reveal that the cell has patients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A prime below 2 ** 31: products of two remainders fit into 63 bits.
_PRIME = 2_147_483_647


class DisclosedCounts:
    """The disclosed counts, as linear equations over cells.

    Parameters
    ----------
    everybody : numpy.ndarray of uint64
        All patients, sorted. Their number counts as disclosed.
    floor : int
        The size below which a cell is small.

    Examples
    --------
    >>> everybody = np.arange(60, dtype=np.uint64)
    >>> audit = DisclosedCounts(everybody, floor=11)
    >>> audit.add(everybody[:30])
    >>> audit.reveals(everybody[:25]), audit.reveals(everybody[:15]), audit.reveals(everybody[5:45])
    (True, False, False)
    """

    def __init__(self, everybody: NDArray[np.uint64], floor: int) -> None:
        self._everybody, self._floor = everybody, floor
        self._cells = np.zeros(len(everybody), dtype=np.int64)
        self._equations = np.ones((1, 1), dtype=np.int64)

    def copy(self) -> DisclosedCounts:
        """Return a copy that can be changed without changing this audit."""
        other = DisclosedCounts(self._everybody, self._floor)
        other._cells, other._equations = self._cells, self._equations
        return other

    def _split_cells(self, patients: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return new cell numbers: each cell is split by whether its patients are among the given ones."""
        return 2 * self._cells + np.isin(self._everybody, patients, assume_unique=True)

    def reveals(self, patients: NDArray[np.uint64]) -> bool:
        """Return whether the number of these patients, with all disclosed counts, would describe a small group."""
        large = np.flatnonzero(np.bincount(self._split_cells(patients)) >= self._floor)
        return not is_linearly_independent(np.vstack([self._equations[:, large // 2], large % 2]))

    def add(self, patients: NDArray[np.uint64]) -> None:
        """Record that the number of these patients was disclosed."""
        cells, self._cells = np.unique(self._split_cells(patients), return_inverse=True)
        self._equations = np.vstack([self._equations[:, cells // 2], cells % 2])


def is_linearly_independent(rows: NDArray[np.int64]) -> bool:
    """Return whether rows of integers are linearly independent.

    Computed modulo a prime: rows that are independent there are independent over the rationals too.

    Examples
    --------
    >>> is_linearly_independent(np.array([[1, 1, 1], [1, 0, 0], [0, 1, 1]]))
    False
    >>> is_linearly_independent(np.array([[1, 1], [0, 1]]))
    True
    """
    left = rows % _PRIME
    if left.shape[0] > left.shape[1]:
        return False
    for at in range(len(left)):
        places = np.flatnonzero(left[at])
        if not len(places):
            return False
        place = places[0]
        row = left[at] * pow(int(left[at, place]), -1, _PRIME) % _PRIME
        below = left[at + 1 :]
        left[at + 1 :] = (below - below[:, place : place + 1] * row) % _PRIME
    return True
