"""How far clusters are from each other, while two of them after the other become one.

A gap is what is compared: the mean distance of the samples for average linkage, the square of the height for all
others. Each cluster stands in a slot, a joint one in the slot of its first part; who looks for the nearest cluster
finds the first of equally near ones.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.pauses import Work, blocks, square

NO_GAP = 1e300
"""The gap of a cluster to itself, and to one that is part of another by now."""
AWAY = 1e100
"""Where the mean of a cluster stands that is part of another one: its gaps are larger than all others."""
_TAIL = 2**11
"""So many values of the last digits of a gap do not count, so that rounding does not decide between equal gaps."""


def _between(A: Array, B: Array, squared: bool = True) -> Array:
    """The distances of the rows of A (p, d) from those of B (q, d), or their squares, (p, q)."""
    from scipy.spatial.distance import cdist

    return cdist(A, B, "sqeuclidean") if squared else cdist(A, B)


def shortened(gaps: Array) -> Array:
    """The gaps, none of them below 0, rounded in place to 42 binary digits."""
    bits = gaps.view(np.int64)
    bits += _TAIL // 2
    bits &= -_TAIL
    return gaps


class GapsOfMeans:
    """Ward's gaps: the squared distance of the means of two clusters of weight a and b, times 2ab / (a + b)."""

    def __init__(self, places: Array, weight: Array) -> None:
        self._means, self._half = places.copy(), 0.5 / weight

    def _of(self, rows: Labels) -> Array:
        """The gaps of the clusters in some slots (p,) to those in all slots (m,), as (p, m)."""
        gaps, half = _between(self._means[rows], self._means), self._half
        if (half == half[0]).all():
            gaps /= 2 * half[0]
        else:
            gaps /= half[rows, None] + half
        shortened(gaps)[np.arange(len(rows)), rows] = NO_GAP
        return gaps

    def nearest(self, rows: Labels) -> Work[tuple[Labels, Array]]:
        """Which cluster is nearest to each of those in some slots (p,), and its gap."""
        nearest, least = np.empty(len(rows), dtype=np.intp), np.empty(len(rows))
        for part in blocks(len(rows), len(self._means)):
            gaps = self._of(rows[part])
            nearest[part] = gaps.argmin(axis=1)
            least[part] = gaps[np.arange(len(gaps)), nearest[part]]
            if part.stop < len(rows):
                yield
        return nearest, least

    def join(self, a: Labels, b: Labels) -> None:
        """Join the clusters in the slots a (p,), each with the one in b (p,)."""
        first, second = self._half[a], self._half[b]
        self._means[a] += (first / (first + second))[:, None] * (self._means[b] - self._means[a])
        self._half[a] = 1 / (1 / first + 1 / second)
        self._means[b] = AWAY

    def keep(self, rows: Labels) -> None:
        """Do without the slots that are not among `rows`."""
        self._means, self._half = self._means[rows], self._half[rows]


class GapsOfPairs:
    """Gaps by the distances of the samples, kept in a matrix: the smallest, the largest or the mean of them."""

    def __init__(self, matrix: Array, weight: Array, linkage: str) -> None:
        self.matrix, self._weight, self._linkage = matrix, weight.astype(np.float64), linkage

    @classmethod
    def measured(cls, places: Array, weight: Array, linkage: str) -> Work[GapsOfPairs]:
        """The gaps of single places (n, d)."""
        squared = linkage != "average"
        matrix = yield from square(len(places), lambda rows: shortened(_between(places[rows], places, squared)))
        matrix.flat[:: len(matrix) + 1] = NO_GAP
        return cls(matrix, weight, linkage)

    def nearest(self, rows: Labels) -> Work[tuple[Labels, Array]]:
        """Which cluster is nearest to each of those in some slots (p,), and its gap."""
        gaps = self.matrix if len(rows) == len(self.matrix) else self.matrix.take(rows, axis=0)
        nearest = gaps.argmin(axis=1)
        if len(rows) > 1:
            yield
        return nearest, gaps[np.arange(len(rows)), nearest]

    def join(self, a: Labels, b: Labels) -> None:
        """Join the clusters in the slots a (p,), each with the one in b (p,)."""
        whole = self._weight[a] + self._weight[b]
        first, second = self._weight[a] / whole, self._weight[b] / whole
        gaps = self._mixed(self.matrix.take(a, axis=0), self.matrix.take(b, axis=0), first[:, None], second[:, None])
        among = self._mixed(gaps.take(a, axis=1), gaps.take(b, axis=1), first, second)
        if self._linkage == "average":
            among = np.minimum(among, among.T)  # rounding has made two of one
            shortened(gaps)
            shortened(among)
        gaps[:, a] = among
        self._weight[a] = whole
        gaps[:, b] = gaps[np.arange(len(a)), a] = NO_GAP
        self.matrix[a], self.matrix[:, a] = gaps, gaps.T
        self.matrix[:, b] = NO_GAP

    def keep(self, rows: Labels) -> None:
        """Do without the slots that are not among `rows`."""
        self.matrix = self.matrix.take(rows, axis=0).take(rows, axis=1)
        self._weight = self._weight[rows]

    def _mixed(self, gaps: Array, others: Array, share: Array, rest: Array) -> Array:
        """The gaps of joint clusters, in place of those of their first parts."""
        if self._linkage == "complete":
            return np.maximum(gaps, others, out=gaps)
        gaps *= share
        others *= rest
        gaps += others
        return gaps
