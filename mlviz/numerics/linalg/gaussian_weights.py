"""The posterior of weights that have a Gaussian prior, from samples with Gaussian noise, and the evidence.

    y = b + A w + noise,  noise ~ N(0, sigma^2),  w ~ N(0, tau^2 I),  b ~ N(0, tau^2) or flat

C. M. Bishop, Pattern Recognition and Machine Learning (2006), sections 3.3 and 3.5. One singular value decomposition
of the design, A = U S V', gives all there is for any sigma and tau: along the columns of V the weights are independent.
With a flat prior of b the design and the targets are less their means, and b has the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.spectrum import Spectrum, decomposed
from mlviz.numerics.standardizing import weighted_mean
from mlviz.spec.brief import Brief

LEAST_NOISE = 1e-6
"""A noise that is chosen is at least such a share of the size of the targets: without any it would be 0."""
_SMALLEST = 1e-100
"""Targets that are smaller are as good as none: squares of what is divided by them would have no number."""
_TRIED = np.linspace(0.0, 1.0, 80)
"""Where the values of what is chosen lie that are tried, evenly on a logarithmic scale."""
_BETWEEN, _ROUNDS = np.linspace(0.0, 1.0, 65), 2
"""The interval that has the largest is made shorter by such values in it, and so often: down to 1e-3, and then a curve
through the four nearest tells the place to 1e-10."""


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
        along = terms @ self.root[1:] + self.root[0]
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", along, along)))

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
            mean, level = share @ A, weighted_mean(y, share)
            rooted[:, :r], rooted[:, r] = A - mean, y - level
        else:
            rooted[:, 1:r], rooted[:, r] = A, y
        rooted *= np.sqrt(weights)[:, None]
        return cls(*decomposed(rooted, every=True), count, mean, level)

    @property
    def size(self) -> float:
        """The root of the mean square of the targets, less their mean where the offset is flat."""
        return float(np.sqrt((self.along @ self.along + self.rest) / self.count))

    def posterior(self, noise: float, prior: float) -> GaussianWeights:
        """The offset and the weights, when the noise and the prior have these standard deviations."""
        ratio = (noise / prior) ** 2
        filtered = self.values**2 + ratio
        mean = (self.values / filtered * self.along) @ self.directions
        # The symmetric root: it does not depend on how the directions are chosen, and so has no jumps.
        root = (self.directions.T * (noise / np.sqrt(filtered))) @ self.directions
        if self.mean is None:
            return GaussianWeights(mean, root)
        whole = np.zeros((len(mean) + 1, len(mean) + 1))
        whole[0, 0], whole[0, 1:], whole[1:, 1:] = noise / np.sqrt(self.count), -self.mean @ root, root
        return GaussianWeights(np.append(self.level - self.mean @ mean, mean), whole)

    def determined(self, noise: float, prior: float) -> float:
        """How many weights the samples determine, and not the prior: each counts by its share (Bishop 3.91)."""
        squared = self.values**2
        return float((squared / (squared + (noise / prior) ** 2)).sum()) + (self.mean is not None)

    def log_evidence(self, noise: Array | float, prior: Array | float) -> Array:
        """The logarithm of the density of the targets, whatever the weights; noise and prior may be arrays (m,).

        With a flat offset the density is that of the targets less their mean, along n - 1 directions.
        """
        noise, prior = np.asarray(noise, dtype=np.float64), np.asarray(prior, dtype=np.float64)
        there = self.values > 0
        squared, along = self.values[there] ** 2, self.along[there] ** 2
        spread = noise[..., None] ** 2 + prior[..., None] ** 2 * squared
        freedom = self.count - (self.mean is not None)
        volume = np.log(spread).sum(axis=-1) + (freedom - len(squared)) * np.log(noise**2)
        return np.asarray(
            -0.5 * (freedom * np.log(2 * np.pi) + volume + (along / spread).sum(-1) + self.rest / noise**2)
        )

    def best_noise(self, prior: float) -> float:
        """The noise that makes the evidence largest."""
        there = self.values > 0
        squared, along = (prior * self.values[there]) ** 2, self.along[there] ** 2
        others = self.count - (self.mean is not None) - len(squared)

        def slope(noise: Array) -> Array:
            """Twice that of the evidence over the logarithm of the square of the noise."""
            own = noise[:, None] ** 2
            shares = own / (own + squared)
            return np.asarray((shares * (along * shares / own - 1)).sum(axis=1) + self.rest / own[:, 0] - others)

        size = max(self.size, _SMALLEST)
        return _largest(lambda noise: self.log_evidence(noise, prior), slope, LEAST_NOISE * size, 3 * size)

    def best(self) -> tuple[float, float]:
        """The noise and the prior that make the evidence largest."""
        there = self.values > 0
        squared, along = self.values[there] ** 2, self.along[there] ** 2
        freedom, most = self.count - (self.mean is not None), float(squared.max(initial=0.0)) or 1.0
        others = freedom - len(squared)
        least, tiny = LEAST_NOISE * max(self.size, _SMALLEST), float(np.finfo(np.float64).tiny)
        if float(along.sum()) + self.rest < tiny / 1e-14:
            return least, least  # squares of such targets are no numbers

        def prior_squared(ratio: Array) -> Array:
            """The best square of the prior, when noise^2 is `ratio` times as large."""
            return np.asarray(((along / (ratio[:, None] + squared)).sum(axis=1) + self.rest / ratio) / freedom)

        def evidence(ratio: Array) -> Array:
            volume = np.log(ratio[:, None] + squared).sum(axis=1) + others * np.log(ratio)
            return np.asarray(-freedom * np.log(np.maximum(prior_squared(ratio), tiny)) - volume)

        def slope(ratio: Array) -> Array:
            """Twice that of the evidence over the logarithm of the ratio."""
            shares = ratio[:, None] / (ratio[:, None] + squared)
            fall = ((shares * shares) @ along + self.rest) / (shares @ along + self.rest)
            return np.asarray(freedom * fall - shares.sum(axis=1) - others)

        ratio = _largest(evidence, slope, smallest := 1e-14 * most, 1e8 * most * self.count)
        prior = float(np.sqrt(prior_squared(np.array([ratio]))[0]))
        noise = prior * float(np.sqrt(ratio))
        if noise > least and ratio > 1.001 * smallest:
            return noise, max(prior, least)
        # Nothing is left for noise: with the least there may be, another prior is the best.
        return least, self._best_prior(least, max(1e8 * prior, least))

    def _best_prior(self, noise: float, most: float) -> float:
        """The prior, at most so large, that makes the evidence largest."""
        there = self.values > 0
        squared, along = self.values[there] ** 2, self.along[there] ** 2

        def slope(prior: Array) -> Array:
            """Twice that of the evidence over the logarithm of the square of the prior."""
            spread = noise**2 + prior[:, None] ** 2 * squared
            return np.asarray(((along / spread - 1) * (prior[:, None] ** 2 * squared / spread)).sum(axis=1))

        return _largest(lambda prior: self.log_evidence(noise, prior), slope, noise, most)


def _largest(function: Callable[[Array], Array], slope: Callable[[Array], Array], low: float, high: float) -> float:
    """Where between low and high a function of arrays is largest, whose slope over the logarithm has that sign.

    It is looked for where the slope falls through 0 beside the best of some values, and again between two of these.
    """
    first, last = math.log(low), math.log(high)
    tried = first + (last - first) * _TRIED
    at = int(np.argmax(function(np.exp(tried))))
    first, last = float(tried[max(at - 1, 0)]), float(tried[at : at + 2][-1])
    for _ in range(_ROUNDS):
        between = first + (last - first) * _BETWEEN
        slopes = slope(np.exp(between))
        falling = (slopes[:-1] > 0) & (slopes[1:] <= 0)
        if not falling.any():
            return math.exp(first if slopes[0] <= 0 else last)
        at = int(np.argmax(falling))
        first, last = between[at : at + 2].tolist()
    near = slice(max(at - 1, 0), at + 3)
    if not (np.diff(slopes[near]) < 0).all():
        near = slice(at, at + 2)
    return math.exp(min(max(_crossing(between[near].tolist(), slopes[near].tolist()), first), last))


def _crossing(places: list[float], slopes: list[float]) -> float:
    """Where falling slopes are 0: the places are taken as a polynomial of them."""
    return sum(
        place * math.prod(other / (other - own) for other in slopes if other != own)
        for place, own in zip(places, slopes, strict=True)
    )
