"""What ridge regressions with a free offset tell of their solution: leverages, and what each sample would have left.

    minimise  sum_i share_i (y_i - f(x_i) - b)^2 + ridge |f|^2,   sum share = 1

Schölkopf and Smola, Learning with Kernels (2002), sections 4.2 and 4.6. The leverage of a sample is how much of y_i
returns in the prediction there; the sum of all is the number of parameters that the fit really has.

The minimum is found in one of four ways. `feature_ridge` solves for weights of features, of several targets at once and
whatever the condition. `dual_ridge` solves for a number a sample, in a kernel, and follows samples that move.
`spectral_ridge` takes many penalties, or leaves out each sample, by one decomposition. `least_squares` tells no more
than the weights and the rank: a basis of few functions is fitted several times faster without the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import inverted
from mlviz.numerics.pauses import Work
from mlviz.spec.brief import Brief

_PRODUCTS = 50_000_000
"""So many products are added up between two pauses: some milliseconds."""
_LEAST_ROWS = 32
"""Products of fewer rows at a time take longer together."""
_MOST_INVERTED = 1000
"""Larger factors are not inverted, which leverages and the trace want."""


@dataclass(frozen=True, eq=False)
class WeightedRows(Brief):
    """Samples as features: `phi(rows)` are those (m, p) of some of the n samples, with shares (n,) adding up to 1."""

    phi: Callable[[slice], Array]
    share: Array
    p: int

    @classmethod
    def of(cls, F: Array, share: Array) -> WeightedRows:
        """Samples whose features F (n, p) are known."""
        return cls(lambda rows: F[rows], share, F.shape[1])

    @property
    def n(self) -> int:
        """How many samples there are."""
        return len(self.share)

    @property
    def blocks(self) -> list[slice]:
        """The samples, so many at a time that their products take a few milliseconds."""
        size = max(_LEAST_ROWS, _PRODUCTS // (self.p * min(self.n, self.p)))
        return [slice(first, first + size) for first in range(0, self.n, size)]

    def centred(self, rows: slice, mean: Array) -> Array:
        """The rows of B."""
        return (self.phi(rows) - mean) * np.sqrt(self.share[rows])[:, None]

    def whole(self) -> Work[tuple[Array, Array]]:
        """Work out the mean of the features, (p,), and B."""
        parts = []
        for rows in self.blocks:
            parts.append(self.phi(rows))
            yield
        F = parts[0] if len(parts) == 1 else np.concatenate(parts)
        mean = self.share @ F
        F = F - mean
        F *= np.sqrt(self.share)[:, None]
        return mean, F


@dataclass(frozen=True, eq=False)
class RidgeSolution(Brief):
    """The coefficients w (p,) or a (n,), the offset; for each sample (n,) prediction, leverage and residual left out.

    `leave_one_out` are the residuals that the samples would have had they been left out, the penalty staying as it is.
    """

    coef: Array
    offset: float
    fitted: Array
    leverage: Array
    leave_one_out: Array
    residual: float
    """In features as `RidgeInFeatures` has it. Else the largest error of the equations, as a share of the largest
    |y|."""
    first: float = 0.0
    """What the residual was before the solution was refined."""


def left_out(residuals: Array, leverage: Array) -> Array:
    """What the residuals (n, ...) of samples with those leverages (n,) would be had each been left out."""
    rest = np.maximum(1 - leverage, np.finfo(np.float64).eps)
    return np.asarray((residuals.T / rest).T)


def left_out_in_samples(found: Array, kept: Array, share: Array, lifted: float) -> Array:
    """The same by the solution (n, t) of equations of a number a sample, and by what of each target is `kept` (n,).

    `lifted` is the ridge with what the equations were lifted by.
    """
    # Of a sample that determines the fit at its place nothing is kept.
    kept = np.maximum(kept, np.finfo(np.float64).eps / lifted)
    return np.asarray(found / (np.sqrt(share) * kept)[:, None])


@dataclass(frozen=True, eq=False)
class RidgeInFeatures(Brief):
    """The minimum: weights `coef` (p, t) and `offset` (t,) of t targets."""

    rows: WeightedRows
    targets: Array
    """(n, t)."""
    ridge: float
    mean: Array
    """(p,) of the features."""
    coef: Array
    offset: Array
    residual: float
    """The length of the gradient in w as a share of what its terms come to without their signs, of the worst target."""
    fitted: Array
    """(n, t) what is predicted for the samples."""
    in_samples: bool
    """Whether the equations were solved for a number a sample, not one a feature."""
    _factor: Array | None
    """The Cholesky factor of the equations, a lower triangle; None where singular values were taken."""
    _known: tuple[Array, float, Array | None] | None = None
    """The leverages (n,) and their sum by singular values; where samples are few, what each would have left, (n, t)."""
    _lifted: tuple[Array, float] | None = None
    """Where they were solved for a number a sample: these (n, t), and what BB' was lifted by along root(share).

    BB' is 0 there, and but for the lift the inverse would be the larger the smaller the ridge: where nearly all of a
    target returns, no digit would be left of the rest.
    """

    @property
    def factorized(self) -> bool:
        """Whether the equations had enough digits to be factorized."""
        return self._factor is not None

    @property
    def unknowns(self) -> int:
        """How many numbers the equations were solved for."""
        return self.rows.n if self.in_samples else self.rows.p

    @cached_property
    def _root(self) -> Array | None:
        """The inverse of the factor, where it does not take too long."""
        if self._factor is None or len(self._factor) > _MOST_INVERTED:
            return None
        root = self._factor.copy()
        for _ in inverted(root):
            pass
        return root

    @cached_property
    def freedom(self) -> float | None:
        """The trace of the matrix that turns targets into predictions: how many numbers the fit can choose freely."""
        if self._known is not None:
            return self._known[1]
        if self._root is None:
            return None
        if self._kept is not None:
            return float(self.rows.n - self.ridge * self._kept.sum())
        # B (B'B + ridge)^-1 B' has the trace of 1 - ridge (B'B + ridge)^-1.
        return float(1 + len(self._root) - self.ridge * np.einsum("ij,ij->", self._root, self._root))

    @cached_property
    def _kept(self) -> Array | None:
        """How much of each sample's target does not return, (n,), as multiples of the ridge; of numbers a sample."""
        if self._lifted is None or self._root is None:
            return None
        own = np.einsum("ij,ij->j", self._root, self._root)
        return np.asarray(own - self.rows.share / (self.ridge + self._lifted[1]))

    @cached_property
    def leverage(self) -> Array | None:
        """(n,) how much of each sample's target returns in its prediction."""
        from scipy.linalg.blas import dtrmm

        root, share, blocks = self._root, self.rows.share, self.rows.blocks
        if self._known is not None:
            return self._known[0]
        if root is None:
            return None
        if self._kept is not None:
            return np.asarray(1 - self.ridge * self._kept)
        # The transpose of a matrix row by row is one column by column, as BLAS wants it; of the root half is zero.
        products = (dtrmm(1.0, root.T, self.rows.centred(part, self.mean).T, trans_a=True) for part in blocks)
        parts = [np.einsum("ji,ji->i", product, product) for product in products]
        return np.asarray(share + np.concatenate(parts))

    @cached_property
    def left_out(self) -> Array | None:
        """The residuals (n, t) that the samples would have had they been left out, where they are known."""
        if self._known is not None and self._known[2] is not None:
            return self._known[2]
        if self._lifted is not None and self._kept is not None:
            found, lift = self._lifted
            return left_out_in_samples(found, self._kept, self.rows.share, self.ridge + lift)
        return None if self.leverage is None else left_out(self.targets - self.fitted, self.leverage)

    def alone(self, column: int) -> RidgeSolution:
        """The solution for one of the targets; only where leverages are known."""
        if self.leverage is None or self.left_out is None:
            raise np.linalg.LinAlgError
        return RidgeSolution(
            self.coef[:, column],
            float(self.offset[column]),
            self.fitted[:, column],
            self.leverage,
            self.left_out[:, column],
            self.residual,
        )
