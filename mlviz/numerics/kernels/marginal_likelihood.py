"""The marginal likelihood of a Gaussian process's hyperparameters, and where it is largest.

Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), section 5.4.1. With the decomposition
K = Q diag(lambda) Q' of the kernel matrix the likelihood of all signal and noise variances costs next to nothing:

    -1/2 sum z_i^2 / (signal lambda_i + noise) - 1/2 sum log(signal lambda_i + noise) - n/2 log(2 pi),   z = Q'r

A kernel's width is another matter: each has a matrix of its own. Samples of weight w are w targets at one place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.brent import minimum
from mlviz.numerics.linalg.falling_zero import falling_zero
from mlviz.numerics.pauses import finished
from mlviz.spec.brief import Brief

LOG_TWO_PI = math.log(2 * math.pi)
_NOISES = 49
"""So many noise variances are looked at before the best one is looked for."""
_TOLERANCE = 1e-9
"""How exactly a logarithm is to be found where a slope vanishes."""
_ROUGH, _STEP = 1e-5, 1e-4
"""How exactly that of a width is found by values alone, and how far apart slopes are compared to find it exactly."""


@dataclass(frozen=True, eq=False)
class Evidence(Brief):
    """The logarithm of the density of the targets, whatever the function is: the sum of the three."""

    fit: float
    """-r'A^-1 r / 2: how well the targets go with the covariance."""
    complexity: float
    """-log det(A) / 2: how few targets it could have told."""
    constant: float

    @property
    def value(self) -> float:
        """The log marginal likelihood."""
        return self.fit + self.complexity + self.constant

    @classmethod
    def of(cls, square: float, log_det: float, noise: float, weights: Array) -> Evidence:
        """From r'A^-1 r and log det(A) of samples with weights (n,): those of weight w are w targets."""
        more = float(weights.sum()) - len(weights)
        repeated = more * math.log(noise) + float(np.log(weights).sum())
        return cls(-square / 2, -(log_det + repeated) / 2, -float(weights.sum()) * LOG_TWO_PI / 2)


@dataclass(frozen=True, eq=False)
class KernelSpectrum(Brief):
    """The decomposition of a kernel matrix, seen by targets."""

    values: Array
    """The eigenvalues lambda (n,)."""
    vectors: Array
    """Q (n, n), one in each column."""
    z: Array
    """The targets in those directions, Q'r (n,)."""
    total: float
    """The sum of the weights."""

    @classmethod
    def of(cls, K: Array, r: Array, weights: Array) -> KernelSpectrum:
        """That of K (n, n) with the targets r (n,), less their mean, and the samples' weights (n,)."""
        root = np.sqrt(weights)
        values, Q = np.linalg.eigh(K * root * root[:, None])
        return cls(np.maximum(values, 0.0), Q, Q.T @ (root * r), float(weights.sum()))

    def log_likelihood(self, signal: Array | float, noise: Array) -> Array:
        """For signal and noise variances (m,) each: (m,)."""
        spread = np.multiply.outer(np.broadcast_to(signal, noise.shape), self.values) + noise[:, None]
        more = self.total - len(self.values)
        told = (self.z**2 / spread).sum(axis=1) + np.log(spread).sum(axis=1) + more * np.log(noise)
        return np.asarray(-told / 2 - self.total * LOG_TWO_PI / 2)

    def best_signal(self, ratio: Array) -> Array:
        """The likeliest signal variances where the noise is such multiples (m,) of them: (m,)."""
        return np.asarray((self.z**2 / (self.values + ratio[:, None])).sum(axis=1) / self.total)

    def slope_in_noise(self, signal: float, noise: float) -> float:
        """The derivative in the logarithm of the noise variance."""
        inverse = 1 / (signal * self.values + noise)
        r, more = self.z * inverse, self.total - len(self.values)
        return float(noise * (r @ r - inverse.sum()) - more) / 2

    def slope(self, signal: float, noise: float, change: Array) -> float:
        """The derivative in what changes the matrix, weights included, by `change` (n, n)."""
        spread = signal * self.values + noise
        a, inside = self.z / spread, self.vectors.T @ change @ self.vectors
        return float(signal * (a @ inside @ a - (inside.diagonal() / spread).sum()) / 2)

    def likeliest(self, signal: float | None, low: float, high: float) -> tuple[float, float, float]:
        """The likeliest signal and noise variances, and how likely they are.

        The noise is between the ends. Where the signal is None it is free as well, and the ends are of their ratio.
        """
        t = np.linspace(math.log(low), math.log(high), _NOISES)
        free = self.best_signal(np.exp(t)) if signal is None else np.full(len(t), signal)
        noise = np.exp(t) * (free if signal is None else 1.0)
        best = int(np.argmax(self.log_likelihood(free, noise)))

        def variances(at: float) -> tuple[float, float]:
            own = float(self.best_signal(np.array([math.exp(at)]))[0]) if signal is None else signal
            return own, math.exp(at) * (own if signal is None else 1.0)

        at = falling_zero(
            lambda at: self.slope_in_noise(*variances(at)), float(t[max(best - 1, 0)]), float(t[best : best + 2][-1])
        )
        found = variances(at)
        return *found, float(self.log_likelihood(found[0], np.array([found[1]]))[0])


class Likeliest(NamedTuple):
    """The hyperparameters of the largest likelihood; the width is None where only the variances were free."""

    width: float | None
    signal: float
    noise: float
    log_likelihood: float
    slope: float
    """The derivative in the logarithm of the width, or of the noise without one."""


@dataclass(frozen=True, eq=False)
class Search(Brief):
    """What the likelihood is a function of: kernel matrices by their widths, targets r (n,) and weights (n,)."""

    matrix: Callable[[float], Array]
    """The matrix (n, n) of a width, or whatever it is given where there is none."""
    r: Array
    weights: Array
    power: float | None
    """-log k goes as width to the minus `power`; None where the kernel has no width."""

    def spectrum(self, width: float) -> KernelSpectrum:
        """The decomposition of the kernel matrix of a width."""
        return KernelSpectrum.of(self.matrix(width), self.r, self.weights)

    def slope(self, width: float, found: tuple[float, float, float], spectrum: KernelSpectrum) -> float:
        """The derivative in the logarithm of the width, the variances being the likeliest ones."""
        K, root = self.matrix(width), np.sqrt(self.weights)
        change = -(self.power or 0.0) * K * np.log(np.where(K > 0, K, 1.0))
        return spectrum.slope(found[0], found[1], change * root * root[:, None])

    def likeliest(
        self, signal: float | None, widths: Array, spectra: Sequence[KernelSpectrum], noise: tuple[float, float]
    ) -> Likeliest:
        """The likeliest hyperparameters between the first and the last of rising widths, whose spectra are known.

        The noise, or where the signal is free its ratio to that, is between the ends given.
        """
        tried = [spectrum.likeliest(signal, *noise) for spectrum in spectra]
        if self.power is None:
            best = int(np.argmax([found[2] for found in tried]))
            return Likeliest(None, *tried[best], spectra[best].slope_in_noise(*tried[best][:2]))
        heights = np.concatenate(([-np.inf], [found[2] for found in tried], [-np.inf]))
        # There may be several maxima, and what is the highest is not told by widths that are apart.
        peaks = np.flatnonzero((heights[1:-1] >= heights[:-2]) & (heights[1:-1] > heights[2:]))
        found = [self._near(peak, signal, widths, tried[peak], spectra[peak], noise) for peak in peaks.tolist()]
        return max(found, key=lambda one: one.log_likelihood)

    def _near(
        self,
        peak: int,
        signal: float | None,
        widths: Array,
        there: tuple[float, float, float],
        spectrum: KernelSpectrum,
        noise: tuple[float, float],
    ) -> Likeliest:
        """The likeliest hyperparameters between the neighbours of a width that is likelier than these."""
        logs = np.log(widths)
        low, high = float(logs[max(peak - 1, 0)]), float(logs[peak : peak + 2][-1])
        t, _ = finished(minimum(lambda t: -self._at(t, signal, noise)[0][2], low, high, _ROUGH))
        polished = self._polished(t, low, high, signal, noise)
        if polished.log_likelihood >= there[2]:
            return polished
        # At an end of the widths: the search comes near to it only.
        width = float(widths[peak])
        return Likeliest(width, *there, self.slope(width, there, spectrum))

    def _at(
        self, t: float, signal: float | None, noise: tuple[float, float]
    ) -> tuple[tuple[float, float, float], KernelSpectrum]:
        spectrum = self.spectrum(math.exp(t))
        return spectrum.likeliest(signal, *noise), spectrum

    def _polished(
        self, t: float, low: float, high: float, signal: float | None, noise: tuple[float, float]
    ) -> Likeliest:
        """The likeliest hyperparameters from a width's logarithm that is nearly the likeliest, by its slope."""
        before = min(t + _STEP, high) if t + _STEP <= high else max(t - _STEP, low)
        found, spectrum = self._at(before, signal, noise)
        old = self.slope(math.exp(before), found, spectrum)
        for _ in range(3):
            found, spectrum = self._at(t, signal, noise)
            slope = self.slope(math.exp(t), found, spectrum)
            step = slope * (t - before) / (slope - old) if slope != old else 0.0
            trial = t - step
            if not low <= trial <= high or abs(step) > _STEP or abs(step) < _TOLERANCE:
                break
            before, old, t = t, slope, trial
        return Likeliest(math.exp(t), *found, slope)
