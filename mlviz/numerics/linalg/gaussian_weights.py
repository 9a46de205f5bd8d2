"""The posterior of weights that have a Gaussian prior, from samples with Gaussian noise, and the evidence.

    y = b + A w + noise,  noise ~ N(0, sigma^2),  w ~ N(0, tau^2 I),  b ~ N(0, tau^2) or flat

C. M. Bishop, Pattern Recognition and Machine Learning (2006), sections 3.3 and 3.5. One singular value decomposition
of the design, A = U S V', gives all there is for any sigma and tau: along the columns of V the weights are independent.
With a flat prior of b the design and the targets are less their means, and b has the rest.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.falling_zero import falling_zero
from mlviz.numerics.linalg.spectrum import Spectrum, decomposed
from mlviz.numerics.standardizing import weighted_mean
from mlviz.spec.brief import Brief

LEAST_NOISE = 1e-6
"""A noise that is chosen is at least such a share of the size of the targets: without any it would be 0."""
_SMALLEST = 1e-100
"""Targets that are smaller are as good as none: squares of what is divided by them would have no number."""
_TINY = sys.float_info.min
_TRIED = np.linspace(0.0, 1.0, 80)
"""Where the values of what is chosen lie that are tried, evenly on a logarithmic scale."""
_EQUAL = 1e-12
"""Values are equal that differ by such a share of their size: rounding would choose between them."""


@dataclass(frozen=True, eq=False)
class GaussianWeights(Brief):
    """The offset and the weights, (q,) in all, are normal: mean (q,), covariance root root'."""

    mean: Array
    root: Array

    @property
    def covariance(self) -> Array:
        """(q, q)."""
        return np.asarray(self.root @ self.root.T)

    def std(self, terms: Array) -> Array:
        """The standard deviation of the function where the terms are these (m, q - 1): (m,)."""
        along = self.root[1:].T @ terms.T  # (q, m): sums over few rows are faster than along them
        along += self.root[0][:, None]
        return np.asarray(np.sqrt(np.einsum("ji,ji->i", along, along)))

    def drawn(self, normal: Array) -> Array:
        """Weights (m, q) made of standard normal numbers (m, q): they move smoothly with the samples."""
        return np.asarray(self.mean + normal @ self.root.T)

    def functions(self, terms: Array, normal: Array) -> Array:
        """The functions of weights drawn so, where the terms are these (k, q - 1): (k, m)."""
        offset, *weights = self.drawn(normal).T
        return np.asarray(terms @ np.array(weights) + offset)


def prior_weights(q: int, prior: float, flat: bool) -> GaussianWeights:
    """What is known before the first sample: all are normal with the same deviation; a flat offset is taken as 0."""
    root = prior * np.eye(q)
    root[0, 0] = 0.0 if flat else prior
    return GaussianWeights(np.zeros(q), root)


@dataclass(frozen=True, eq=False)
class SampleSpectrum(Spectrum):
    """What the samples say, along the right singular vectors of the design, whatever noise and prior are.

    The design is (n, p) with a flat offset, else it has a column of ones in front. The directions are all (r, r), with
    those along which the samples say nothing.
    """

    count: float
    """The sum of the weights of the samples."""
    mean: Array | None
    """(p,) the mean of the design, where the offset is flat."""
    level: float
    """The mean of the targets then, else 0."""

    @classmethod
    def of_samples(cls, A: Array, y: Array, weights: Array, flat: bool) -> Self:
        """That of the terms A (n, p), targets y (n,) and weights (n,) of the samples."""
        count = float(weights.sum())
        n, r = len(A), A.shape[1] + (not flat)
        mean, level, rooted = None, 0.0, np.ones((n, r + 1), order="F")
        if flat:
            share = weights / count
            # No mean is beyond its column, whatever rounding says: nothing is left of one that is constant.
            mean = np.minimum(np.maximum(share @ A, A.min(axis=0)), A.max(axis=0))
            level = weighted_mean(y, share)
            rooted[:, :r], rooted[:, r] = A - mean, y - level
        else:
            rooted[:, 1:r], rooted[:, r] = A, y
        rooted *= np.sqrt(weights)[:, None]
        return cls(*decomposed(rooted, every=True), count, mean, level)

    @property
    def size(self) -> float:
        """The root of the mean square of the targets, less their mean where the offset is flat."""
        return math.sqrt((float(self.along @ self.along) + self.rest) / self.count)

    def posterior(self, noise: float, prior: float) -> GaussianWeights:
        """The offset and the weights, when the noise and the prior have these standard deviations."""
        ratio = (noise / prior) ** 2
        filtered = self.values**2 + ratio
        mean = (self.values / filtered * self.along) @ self.directions
        # The symmetric root: it does not depend on how the directions are chosen, and so has no jumps.
        root = (self.directions.T * (noise / np.sqrt(filtered))) @ self.directions
        if self.mean is None:
            return GaussianWeights(mean, root)
        every, whole = np.empty(len(mean) + 1), np.zeros((len(mean) + 1, len(mean) + 1))
        every[0], every[1:] = self.level - self.mean @ mean, mean
        whole[0, 0], whole[0, 1:], whole[1:, 1:] = noise / math.sqrt(self.count), -self.mean @ root, root
        return GaussianWeights(every, whole)

    def determined(self, noise: float, prior: float) -> float:
        """How many weights the samples determine, and not the prior: each counts by its share (Bishop 3.91)."""
        squared = self.values**2
        return float((squared / (squared + (noise / prior) ** 2)).sum()) + (self.mean is not None)

    def log_evidence(self, noise: Array | float, prior: Array | float) -> Array:
        """The logarithm of the density of the targets, whatever the weights; noise and prior may be arrays (m,).

        With a flat offset the density is that of the targets less their mean, along n - 1 directions.
        """
        noise, prior = np.asarray(noise, dtype=np.float64), np.asarray(prior, dtype=np.float64)
        squared, along = self._informative
        spread = noise[..., None] ** 2 + prior[..., None] ** 2 * squared
        freedom = self.count - (self.mean is not None)
        volume = np.log(spread).sum(axis=-1) + (freedom - len(squared)) * np.log(noise**2)
        return np.asarray(
            -0.5 * (freedom * np.log(2 * np.pi) + volume + (along / spread).sum(-1) + self.rest / noise**2)
        )

    @property
    def _informative(self) -> tuple[Array, Array]:
        """The squares of the singular values above 0, and of the targets along them."""
        there = self.values > 0
        return self.values[there] ** 2, self.along[there] ** 2

    def best_noise(self, prior: float) -> float:
        """The noise that makes the evidence largest."""
        squared, along = self._informative
        pairs = list(zip((prior**2 * squared).tolist(), along.tolist(), strict=True))
        others = self.count - (self.mean is not None) - len(pairs)

        def slope(noise: float) -> float:
            """Twice that of the evidence over the logarithm of the square of the noise."""
            own = noise * noise
            shares = ((own / (own + square), length) for square, length in pairs)
            return math.fsum(share * (length * share / own - 1) for share, length in shares) + self.rest / own - others

        size = max(self.size, _SMALLEST)
        return _largest(lambda noise: self.log_evidence(noise, prior), slope, LEAST_NOISE * size, 3 * size)

    def best(self) -> tuple[float, float]:
        """The noise and the prior that make the evidence largest."""
        squared, along = self._informative
        freedom, most = self.count - (self.mean is not None), float(squared.max(initial=0.0)) or 1.0
        others, pairs = freedom - len(squared), list(zip(squared.tolist(), along.tolist(), strict=True))
        least = LEAST_NOISE * max(self.size, _SMALLEST)
        lowest = least / math.sqrt(most / self.count)  # of the prior, which counts as what it adds to the targets
        if float(along.sum()) + self.rest < _TINY / 1e-14:
            return least, lowest  # squares of such targets are no numbers

        def evidence(ratio: Array) -> Array:
            """Twice that with the best prior, when noise^2 is `ratio` times as large as its square."""
            spread = ratio[:, None] + squared
            prior_squared = ((along / spread).sum(axis=1) + self.rest / ratio) / freedom
            volume = np.log(spread).sum(axis=1) + others * np.log(ratio)
            return np.asarray(-freedom * np.log(np.maximum(prior_squared, _TINY)) - volume)

        def slope(ratio: float) -> float:
            """The slope of it over the logarithm of the ratio."""
            shares, left, fall = 0.0, self.rest, self.rest
            for square, length in pairs:
                share = ratio / (ratio + square)
                shares += share
                left += share * length
                fall += share * share * length
            return freedom * fall / left - shares - others

        ratio = _largest(evidence, slope, smallest := 1e-14 * most, 1e8 * most * self.count)
        left = sum(length / (ratio + square) for square, length in pairs) + self.rest / ratio
        prior = math.sqrt(left / freedom)
        noise = prior * math.sqrt(ratio)
        if noise > least and ratio > 1.001 * smallest:
            return noise, max(prior, lowest)
        # Nothing is left for noise: with the least there may be, another prior is the best.
        return least, self._best_prior(least, lowest, max(1e8 * prior, lowest))

    def _best_prior(self, noise: float, lowest: float, most: float) -> float:
        """The prior, between these, that makes the evidence largest."""
        squared, along = self._informative
        pairs = list(zip(squared.tolist(), along.tolist(), strict=True))

        def slope(prior: float) -> float:
            """Twice that of the evidence over the logarithm of the square of the prior."""
            own = ((prior * prior * square, length) for square, length in pairs)
            spread = ((part, noise * noise + part, length) for part, length in own)
            return math.fsum((length / whole - 1) * (part / whole) for part, whole, length in spread)

        return _largest(lambda prior: self.log_evidence(noise, prior), slope, lowest, most)


def _largest(function: Callable[[Array], Array], slope: Callable[[float], float], low: float, high: float) -> float:
    """Where between low and high a function of arrays is largest, whose slope over the logarithm has that sign.

    It is looked for where the slope falls through 0 beside the best of some values, of equal ones the first.
    """
    first, last = math.log(low), math.log(high)
    tried = first + (last - first) * _TRIED
    values = function(np.exp(tried))
    most = float(values.max())
    at = int((values >= most - _EQUAL * (1 + abs(most))).argmax())
    before, place, after = tried[max(at - 1, 0)], tried[at], tried[min(at + 1, len(tried) - 1)]

    def falling(logarithm: float) -> float:
        return slope(math.exp(logarithm))

    rises = falling(place) > 0
    return math.exp(falling_zero(falling, *((place, after) if rises else (before, place))))
