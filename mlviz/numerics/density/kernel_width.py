"""How wide the kernels of a density estimate should be: rules of thumb, and the leave-one-out likelihood.

D. W. Scott, Multivariate Density Estimation (1992), section 6.3; B. W. Silverman, Density Estimation for Statistics and
Data Analysis (1986), sections 4.3.2 and 3.4.4; R. P. W. Duin, On the choice of smoothing parameters for Parzen
estimators, IEEE Transactions on Computers C-25 (1976), 1175-1179.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.brent import minimum
from mlviz.numerics.density.kernel_density import GAUSSIAN, canonical_ratio, kernel_constants, values_of
from mlviz.numerics.distances import distance_measure
from mlviz.numerics.pauses import Work
from mlviz.numerics.sampling import spread_subsample
from mlviz.numerics.standardizing import mean_and_spread
from mlviz.spec.brief import Brief

MOST_PAIRED = 600
"""Up to so many samples are all compared with each other."""
SCOTT, SILVERMAN = "Scott's rule", "Silverman's rule"
_FINER = 2.0**-0.5
"""The widths that are tried first: each is so many times the one before."""
_CLOSE = 1e-6
"""The width of the largest likelihood is found to this share of itself, about, where the likelihood is smooth."""
_NOTHING = 1e-140
"""Kernel values below count as 0: the square of it is a normal number."""


def rule_of_thumb(X: Array, weights: Array, kernel: str, rule: str) -> float:
    """The width by a rule, 0 where all samples X (n, d) with weights (n,) are at one place.

    Scott takes s n^(-1/(d+4)), Silverman s (4 / ((d+2) n))^(1/(d+4)), which is the best one for a normal density, s^2
    being the mean variance of the inputs; other kernels than the Gaussian are wider by their canonical ratio.
    """
    d, n = X.shape[1], float(weights.sum())
    spread = mean_and_spread(X, weights)[1]
    largest = float(spread.max())
    if not largest > 0:
        return 0.0
    scale = largest * math.sqrt(float(np.mean((spread / largest) ** 2)))
    share = 1.0 if rule == SCOTT else (4 / (d + 2)) ** (1 / (d + 4))
    return float(share * scale * n ** (-1 / (d + 4)) * canonical_ratio(kernel, d))


def paired_samples(X: Array, weights: Array) -> tuple[Array, Array]:
    """The samples X (n, d) with weights (n,) above 0, or some of them where all pairs would be too many."""
    rows = np.flatnonzero(weights > 0)
    rows = rows[spread_subsample(X[rows], MOST_PAIRED)]
    return X[rows], weights[rows]


def of_all(paired: int, weights: Array, d: int) -> float:
    """How many times narrower kernels of all samples should be than of those that are `paired`: as n^(-1/(d+4))."""
    return float((paired / np.count_nonzero(weights)) ** (1 / (d + 4)))


@dataclass(frozen=True, eq=False)
class LeftOutLikelihood(Brief):
    """The mean leave-one-out log-density of samples X (n, d) with weights (n,), as a function of the width."""

    X: Array
    weights: Array
    kernel: str

    @cached_property
    def _squares(self) -> Array:
        """The squared distances (n, n) in `unit`, a sample that leaves nothing behind infinitely far from itself."""
        X = self.X / self.unit
        squares = distance_measure([X[:, j, None] - X[:, j] for j in range(X.shape[1])], "euclidean")
        itself = np.arange(len(X))
        squares[itself, itself] = np.where(self._own > 0, 0.0, np.inf)
        return squares

    @cached_property
    def unit(self) -> float:
        """The extent of the samples, 1 where they are at one place."""
        return float(np.ptp(self.X, axis=0).max()) or 1.0

    @property
    def _own(self) -> Array:
        return self.weights - np.minimum(self.weights, 1.0)

    @cached_property
    def _least(self) -> Array:
        """The squared distance (n,) of each sample's nearest other one."""
        return np.asarray(self._squares.min(axis=1))

    @property
    def unbounded(self) -> bool:
        """Whether each sample has an equal one, so that ever smaller widths are ever likelier."""
        return not self._least.max() > 0

    @property
    def span(self) -> tuple[float, float]:
        """Between which widths the likelihood is looked at: from half the distance of near samples to their extent."""
        near = self._least[self._least > 0]
        low = 0.5 * math.sqrt(float(np.median(near))) if len(near) else 1e-3
        return max(low, 1e-4) * self.unit, 2.0 * self.unit * max(1.0, canonical_ratio(self.kernel, self.X.shape[1]))

    def at(self, width: float) -> float:
        """The mean log-density for a width; minus infinity where a kernel reaches no other sample."""
        return self._mean(self._values(width), width)

    def _values(self, width: float) -> Array:
        """Kernel values (n, n), those of a Gaussian relative to that of the nearest other sample."""
        squares = self._squares - self._least[:, None] if self.kernel == GAUSSIAN else self._squares.copy()
        squares *= (self.unit / width) ** 2
        return values_of(self.kernel, squares)

    def _mean(self, values: Array, width: float) -> float:
        d, total = self.X.shape[1], float(self.weights.sum())
        itself = np.arange(len(values))
        sums = values @ self.weights + values[itself, itself] * (self._own - self.weights)
        with np.errstate(divide="ignore"):
            logs = np.log(sums) - np.log(total - np.minimum(self.weights, 1.0))
        if self.kernel == GAUSSIAN:
            logs -= self._least * (self.unit / width) ** 2 / 2
        unit = math.log(kernel_constants(self.kernel, d).factor) - d * math.log(width)
        return float(np.average(logs, weights=self.weights) + unit)

    def curve(self, widest: float, narrowest: float) -> Work[tuple[Array, Array]]:
        """The likelihood of falling widths, each a little finer than the one before: (m,) and (m,).

        The square of a Gaussian is one that is narrower by the root of 2.
        """
        count = 1 + max(1, math.ceil(math.log(widest / narrowest) / -math.log(_FINER)))
        widths: Array = np.asarray(widest * _FINER ** np.arange(count), dtype=np.float64)
        found = np.empty(count)
        values = None
        for k, width in enumerate(widths.tolist()):
            if values is None or self.kernel != GAUSSIAN:
                values = self._values(width)
            else:
                values *= values
                np.copyto(values, 0.0, where=values < _NOTHING)
            found[k] = self._mean(values, width)
            yield
        return widths, found

    def largest(self) -> Work[float]:
        """The width of the largest likelihood; that of the best of several maxima, as far as the widths tried tell."""
        low, high = self.span
        widths, found = yield from self.curve(high, low)
        best = int(np.argmax(found))
        a, b = math.log(widths[min(best + 1, len(widths) - 1)]), math.log(widths[max(best - 1, 0)])
        at, value = yield from minimum(lambda log_width: -self.at(math.exp(log_width)), a, b, _CLOSE)
        return math.exp(at) if -value > found[best] else float(widths[best])
