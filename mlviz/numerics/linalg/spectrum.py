"""Least squares along its singular vectors: ridge regression for any ridge, and the ridge that meets a loss budget.

What is Gaussian about the same weights, `gaussian_weights` says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.columns import triangle
from mlviz.spec.brief import Brief

_ROUNDS = 200
_ROUNDING = 1e-13
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Spectrum(Brief):
    """The singular values (q,) of columns B, falling, the target t along them (q,), and how long the rest of t is.

    Those that are rounding are 0: as divisors they would bring the loss below what any weights leave.
    """

    values: Array
    along: Array
    rest: float
    """The square of its length: no weights make it smaller."""
    directions: Array
    """(q, p) the weights that each singular value belongs to."""

    @classmethod
    def of(cls, B: Array, t: Array) -> Spectrum:
        """That of the columns B (m, p) and the target t (m,)."""
        return cls(*decomposed(np.column_stack((B, t)), every=False))

    def path(self, ridges: Array) -> Array:
        """The minima of |t - B w|² + ridge |w|² for each of the ridges (m,) above 0: (m, p)."""
        return np.asarray((self.values / (self.values**2 + ridges[:, None]) * self.along) @ self.directions)

    def factors(self, ridge: float) -> Array:
        """The share of each direction's least squares solution that is left with a ridge, (q,): the filter factors."""
        squared = self.values**2
        return np.divide(squared, squared + ridge, out=np.zeros(len(squared)), where=squared > 0)

    def loss(self, ridge: float) -> float:
        """|t - B w|² at the minimum with a ridge."""
        return self.rest + float((((1 - self.factors(ridge)) * self.along) ** 2).sum())

    def ridge_for(self, budget: float) -> float:
        """The ridge with which the loss is the budget: then |w| is the smallest within it.

        0 where no ridge is small enough, infinite where w = 0 is within the budget.
        """
        if budget >= self.loss(np.inf) * (1 - _ROUNDING):
            return np.inf
        if budget <= self.loss(0.0):
            return 0.0
        largest = float(self.values.max()) ** 2
        low, high = np.log(largest) - 80.0, np.log(largest) + 80.0
        for _ in range(_ROUNDS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.loss(float(np.exp(middle))) < budget else (low, middle)
            if high - low < 1e-13 * max(1.0, abs(high)):
                break
        return float(np.exp((low + high) / 2))


def decomposed(columns: Array, every: bool) -> tuple[Array, Array, float, Array]:
    """What the `Spectrum` of columns (m, p + 1) has, the last of which is the target; `LinAlgError` where it has none.

    With `every` direction (p, p), those along which the other columns say nothing having the value 0.
    """
    from scipy.linalg.lapack import dgesdd

    m, p = len(columns), columns.shape[1] - 1
    small = triangle(columns) if m > p + 1 else columns
    B, t = small[:, :p], small[:, p]
    U, found, directions, failed = dgesdd(B, full_matrices=every)
    if failed:
        raise np.linalg.LinAlgError
    found = np.where(found > _EPS * max(m, p) * found.max(initial=0.0), found, 0.0)
    U = U[:, : len(found)]
    values, along = np.zeros(len(directions)), np.zeros(len(directions))
    values[: len(found)], along[: len(found)] = found, np.where(found > 0, U.T @ t, 0.0)
    left = t - U @ along[: len(found)]
    return values, along, float(left @ left), directions
