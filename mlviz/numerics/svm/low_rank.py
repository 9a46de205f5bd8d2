"""A symmetric matrix of few dimensions, by the rows that tell all others: what a smooth kernel of one input has.

Its pivots are looked for among few of the samples at once, which takes a fraction of the time of the matrix itself:
Fine and Scheinberg, JMLR 2 (2001) 243-264, look for each one among all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Rows, greatest

_SPREADS = tuple(x / 2 + (1 - np.cos(np.pi * x)) / 4 for x in (np.linspace(0.0, 1.0, count) for count in (40, 100)))
"""Where on the line samples are tried as pivots: evenly, and closer to each other near both ends, where there are
samples on one side alone. The latter are more, for those that the former do not tell."""
_FEW = 6
"""One of so many rows at most is to tell the others."""
_LEFT = 1e-14
"""What of the diagonal, all of about 1, counts as rounding."""
_LEFT_BETWEEN = 1e-13
"""So much of it may be left of samples that were not tried."""
_HOPELESS = 1e-4
"""Where all of the few samples are needed and leave so much out, far more are needed."""


class LowRank:
    """K = G'G (n, n) for G (r, n), used as if it were an array."""

    __array_ufunc__ = None  # so that products with it are the one below

    def __init__(self, G: Array, diagonal: Array) -> None:
        self.G, self._diagonal = G, diagonal

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._diagonal)

    def diagonal(self) -> Array:
        """K_ii (n,)."""
        return self._diagonal

    def leading(self, left: float) -> Array:
        """The first rows of G, without those that change no more than so much of the diagonal."""
        return self.G[: int(np.count_nonzero((self.G**2).max(axis=1) > left))]

    def __getitem__(self, key: Any) -> Array:
        """A row, some rows (m,), or the numbers at some rows and columns as `numpy.ix_` names them."""
        if isinstance(key, tuple):
            rows, columns = (self.G[:, np.ravel(part)] for part in key)
            return np.asarray(rows.T @ columns)
        return np.asarray(self.G[:, key].T @ self.G)

    def __rmatmul__(self, b: Array) -> Array:
        """The product b K (n,)."""
        return np.asarray((self.G @ b) @ self.G)


def low_rank_on_line(x: Array, gram: Callable[[Rows, Rows | slice], Array], diagonal: Array) -> LowRank | None:
    """The positive matrix of samples at x (n,) with a diagonal of about 1; None where few rows do not tell the others.

    `gram` gives the numbers at some rows and columns.
    """
    from scipy.linalg.blas import dtrsm
    from scipy.linalg.lapack import dpstrf

    order = np.argsort(x)
    places = x[order]
    for spread in _SPREADS:
        there = places[0] + (places[-1] - places[0]) * spread
        tried = order[np.minimum(np.searchsorted(places, there), len(x) - 1)]
        factor, pivots, r, _ = dpstrf(gram(tried, tried), tol=_LEFT)
        if _FEW * r > len(x) or (r == len(tried) and factor[-1, -1] ** 2 > _HOPELESS):
            break
        if r == len(tried):
            continue
        # The transpose of a matrix row by row is one column by column, as BLAS wants it.
        G = dtrsm(1.0, factor[:r, :r], gram(tried[pivots[:r] - 1], slice(None)).T, side=1).T
        if greatest(diagonal - np.einsum("ij,ij->j", G, G)) <= _LEFT_BETWEEN:
            return LowRank(G, diagonal)
    return None
