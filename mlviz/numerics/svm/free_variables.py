"""The free variables of an active set: their rows of the matrix, and the factor that solves their equations.

Under the hand they mostly stay the same from frame to frame, and so does what is known of them.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Mask, Rows, scattered
from mlviz.numerics.linalg.cholesky import Solve, factor_solver
from mlviz.numerics.pauses import Work

_RIDGE = 1e-12
"""Added to the diagonal, relative to the largest one. It bounds the steps; what it falsifies the next pass corrects."""
_KEPT = 200
"""The rows of more variables than that are not kept from pass to pass."""


class Bordered:
    """The equations K x + c = r, sum x = total, for any r (m,) and total, once K is factorized."""

    def __init__(self, solve: Solve, m: int, constant: float) -> None:
        self._solve, self._constant = solve, constant
        self._v = solve(np.ones(m))
        self._sum = float(self._v.sum())

    def solution(self, r: Array, total: float) -> tuple[Array, float]:
        """The x (m,) and c."""
        c = (float(self._v.dot(r)) - total) / self._sum
        return self._solve(r) - c * self._v, c + self._constant * total


def bordered(K: Array, diagonal: float) -> Work[Bordered]:
    """Factorize K (m, m), to which next to nothing is added on its diagonal of about `diagonal`; pauses if large."""
    # As sum x is given, adding a constant to K changes c only; without it, elimination would lose digits wherever K has
    # fewer dimensions than x, as the linear kernel's has.
    ridge = _RIDGE * diagonal
    while True:
        regular = np.add(K, diagonal, order="F")
        regular.flat[:: len(K) + 1] += ridge
        solve = yield from factor_solver(regular)
        if solve is not None:
            return Bordered(solve, len(K), diagonal)
        ridge *= 10


class FreeVariables:
    """Those among n variables, by their `places`, which stay what they are while the samples of others move."""

    equations: Bordered | None = None
    """Theirs, once they were asked for."""

    def __init__(self, K: Array, free: Mask) -> None:
        """K (n, n) may have further columns beside it."""
        self.places: Rows = free.nonzero()[0]
        F = self.places
        self._few = 4 * len(F) <= len(K)  # to copy the rows of many takes longer than it saves
        self._rows = K[F] if self._few else K
        self.K: Array = self._rows[:, F] if self._few else K[F[:, None], F]
        """(m, m) their part of the matrix."""

    @property
    def worth_keeping(self) -> bool:
        """Whether they are few enough to be kept for the next pass."""
        return self._few and 0 < len(self.places) <= _KEPT

    def left(self, rows: Rows, K: Array, equations: Bordered | None) -> FreeVariables:
        """Those of them that are left, whose part of the matrix and equations are known."""
        left = object.__new__(FreeVariables)
        left.places, left._rows, left._few = self.places[rows], self._rows[rows], True
        left.K, left.equations = K, equations
        return left

    def product(self, change: Array) -> Array:
        """The product of K with a change of these variables alone, (m,): a number for each column."""
        # By `@`, not `dot`, which would ask a matrix of `WantedRows` for all of its rows, one by one.
        factors = change if self._few else scattered(change, self.places, len(self._rows))
        return np.asarray(factors @ self._rows)

    def follow(self, rows: Rows | slice, columns: Array) -> None:
        """Take the rows `rows` (q,) of the matrix, of other variables, as they are now, (q, n or more)."""
        self._rows[:, rows] = columns[:, self.places].T
