"""What all numbers that were told say together: no sum or difference of them may speak of a few people.

The numbers told cut all patients into cells, those who are in the same of the groups that were counted. Each number is
a linear equation over the cells, and what somebody can work out of them exactly are the linear combinations. A number
is told only if afterwards the equations are still independent on the cells that are not below the floor. Then each
combination has a part in such a cell, so none speaks of smaller cells alone, however many numbers take part.

This is the audit of query sets (F. Y. Chin and G. Özsoyoğlu, *Auditing and inference control in statistical databases*,
IEEE Transactions on Software Engineering 8, 1982), asked of groups below a floor instead of single people. Whether a
cell is empty or has a few people makes no difference to the answer, so a refusal does not tell that somebody is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A prime below 2 ** 31: products of two remainders fit into 63 bits.
_PRIME = 2_147_483_647


class Audit:
    """The numbers that were told, as equations over cells.

    Parameters
    ----------
    everybody : numpy.ndarray of uint64
        All patients, sorted. How many they are counts as told.
    floor : int
        The size below which a cell is small.

    Examples
    --------
    >>> everybody = np.arange(60, dtype=np.uint64)
    >>> audit = Audit(everybody, floor=11)
    >>> audit.add(everybody[:30])
    >>> audit.reveals(everybody[:25]), audit.reveals(everybody[:15]), audit.reveals(everybody[5:45])
    (True, False, False)
    """

    def __init__(self, everybody: NDArray[np.uint64], floor: int) -> None:
        self._everybody, self._floor = everybody, floor
        self._cells = np.zeros(len(everybody), dtype=np.int64)
        self._equations = np.ones((1, 1), dtype=np.int64)

    def copy(self) -> Audit:
        """Give one that can be tried without changing this one."""
        other = Audit(self._everybody, self._floor)
        other._cells, other._equations = self._cells, self._equations
        return other

    def _split_cells(self, patients: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Cut each cell into those who are not among some patients and those who are."""
        return 2 * self._cells + np.isin(self._everybody, patients, assume_unique=True)

    def reveals(self, patients: NDArray[np.uint64]) -> bool:
        """Return whether the number of these patients, with all that was told, would speak of few."""
        large = np.flatnonzero(np.bincount(self._split_cells(patients)) >= self._floor)
        return not is_linearly_independent(np.vstack([self._equations[:, large // 2], large % 2]))

    def add(self, patients: NDArray[np.uint64]) -> None:
        """Take in that the number of these patients was told."""
        cells, self._cells = np.unique(self._split_cells(patients), return_inverse=True)
        self._equations = np.vstack([self._equations[:, cells // 2], cells % 2])


def is_linearly_independent(rows: NDArray[np.int64]) -> bool:
    """Return whether rows of whole numbers are linearly independent.

    It is worked out in remainders of a prime: rows that are independent there are so anywhere.

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
