"""What linear regression minimises, and its minimum: from samples and functions to weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.bases import TOO_LARGE
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.linalg.least_squares import Solution, centred_columns, least_squares
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionProblem(Brief):
    """Minimise sum_i weights_i (y_i − w.φ(x_i) − b)² + l1 |w|₁ + l2 |w|² over w (p,) and b.

    φ are the functions of the basis times its `unit`: w is what a penalty acts on. Weights for the functions as they
    are, ``w * unit``, are called `coef`, as in a `Solution`.
    """

    basis: Basis
    X: Array
    """(n, d)."""
    y: Array
    weights: Array
    """(n,) summing to one."""
    l1: float = 0.0
    l2: float = 0.0

    @property
    def terms(self) -> Array:
        """The functions of the basis at the samples, (n, p); 0 for those that do not reach any of them."""
        terms = self.basis.terms(self.X)
        if self.basis.reach:
            terms[:, np.abs(terms).max(axis=0) < self.basis.reach] = 0.0
        return terms

    @cached_property
    def columns(self) -> tuple[Array, Array]:
        """B (m, p) and t (m,): the objective is |t − B w|² and the penalty, b being the best one; m is at most n."""
        return centred_columns(self.terms * self.basis.unit, self.y, self.weights)

    def penalty(self, w: Array) -> float:
        """That of weights w (p,)."""
        return self.l1 * float(np.abs(w).sum()) + self.l2 * float(w @ w)

    def least_squares(self) -> Solution:
        """The minimum where there is no `l1`; raises `CannotFit`."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            units = np.diag(1 / self.basis.unit)
            found = least_squares(self.terms, self.y, self.weights, units, self.l2, self.basis.digits)
        if not np.isfinite(found.intercept) or not np.isfinite(found.coef).all():
            raise CannotFit(TOO_LARGE)
        return found
