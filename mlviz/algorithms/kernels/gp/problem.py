"""Gaussian process regression: from samples to what is known of the function."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.gp.model import GaussianProcessModel
from mlviz.algorithms.kernels.gp.settings import MEANS, GaussianProcessSettings
from mlviz.algorithms.kernels.parameters import ROUGH_ERROR, KernelData, unit_of
from mlviz.draw.numbers import number, one_for_each
from mlviz.numerics.arrays import AnyArray, Array, middle_row
from mlviz.numerics.kernels.expansion import Expansion, largest_value
from mlviz.numerics.kernels.features import Moments, Nystroem
from mlviz.numerics.kernels.gaussian_process import Prior, SeenInFeatures, SeenSamples, SeenThroughCentres
from mlviz.numerics.kernels.marginal_likelihood import Evidence
from mlviz.numerics.kernels.process_equations import (
    factor_of,
    in_features,
    inverse_diagonal,
    refined,
    through_centers,
)
from mlviz.numerics.linalg.cholesky import few_pivots
from mlviz.numerics.pauses import Work
from mlviz.numerics.standardizing import weighted_mean

_LEAST_RIDGE = 1e-5
"""Few features say as much where the noise is at least such a multiple of k(x, x) for each of the samples."""
CENTERS = 100, 300
"""So many centres stand for all samples, of a draft, or where they are very many; and at the most."""
_KERNEL_VALUES = 15_000_000
"""About so many kernel values are computed for the sums over very many samples."""
TOO_LITTLE_NOISE = "The noise variance is too small to compute with here: raise it."


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianProcessProblem(KernelData):
    """Samples X (n, d) with targets, and the variances of signal and noise."""

    y: Array
    """(n,)."""
    weights: Array
    """(n,): a sample of weight w is w samples."""
    settings: GaussianProcessSettings
    mean: float

    @classmethod
    def given(
        cls, settings: GaussianProcessSettings, X: Array, y: AnyArray | None, sample_weight: Array | None
    ) -> Self:
        """The problem of those data; raises `CannotFit`."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        target, kernel = y.astype(np.float64), settings.kernel_for(X)
        origin = middle_row(X) if kernel.shift_invariant else np.zeros(X.shape[1])
        mean = 0.0 if settings.mean == MEANS[1] else weighted_mean(target, weights / weights.sum())
        unit = unit_of(kernel, X - origin)
        return cls(
            kernel=kernel, X=X, origin=origin, unit=unit, y=target, weights=weights, settings=settings, mean=mean
        )

    @property
    def prior(self) -> Prior:
        """What is known before the samples."""
        return Prior(self.kernel, self.settings.signal_variance)

    @property
    def ratio(self) -> float:
        """The noise variance as a multiple of the signal variance."""
        return self.settings.noise_variance / self.settings.signal_variance

    def in_samples(self) -> Work[GaussianProcessModel]:
        """Work out the model of all samples; raises `CannotFit`."""
        K, ridge, r = (yield from self.whole_gram()), self.ratio / self.unit / self.weights, self.y - self.mean
        try:
            factor = yield from factor_of(K, ridge)
        except np.linalg.LinAlgError:
            raise CannotFit(TOO_LITTLE_NOISE) from None
        a, residual = yield from refined(K, ridge, factor, r)
        if not np.isfinite(residual):
            raise CannotFit(TOO_LITTLE_NOISE)
        diagonal = yield from inverse_diagonal(factor)
        off = residual * float(np.abs(r).max())
        rough = f"solved only to ±{number(off, 1)}: too few digits; raise the noise variance, or standardize the inputs"
        scale = self.settings.signal_variance * self.unit
        log_det = 2 * float(np.log(factor.diagonal()).sum()) + len(a) * math.log(scale)
        return GaussianProcessModel(
            **self._common(),
            expansion=Expansion(self.kernel, self.places, a / self.unit, self.origin, self.mean),
            seen=SeenSamples(self.prior, self.places, factor, self.unit, diagonal),
            evidence=self._evidence(float(r @ a) / scale, log_det),
            fitted=self.y - ridge * a,
            residual=residual,
            solved=one_for_each(len(a), "sample"),
            caveat=rough if off > ROUGH_ERROR * (float(np.ptp(self.y)) or float(np.abs(r).max())) else "",
        )

    def in_features(self) -> GaussianProcessModel | None:
        """The model of all samples by few features that say as much; None where it takes many, or too many digits."""
        n, ridge = len(self.X), self.ratio / self.unit / float(self.weights.max())
        if self.many or ridge < _LEAST_RIDGE * n:
            return None
        kernel, places = self.kernel, self.places
        found = few_pivots(
            lambda row: kernel.matrix(places[row : row + 1], places)[0], kernel.diagonal(places), places.shape[1] > 1
        )
        if found is None:
            return None
        samples, pivots, left = found
        r = self.y - self.mean
        try:
            solution = in_features(samples, left, self.ratio, self.weights, r)
        except np.linalg.LinAlgError:
            return None
        centers = Nystroem(kernel, places[pivots], np.tril(samples[:, pivots].T), 0.0)
        signal, noise = self.settings.signal_variance, self.settings.noise_variance
        return GaussianProcessModel(
            **self._common(),
            expansion=Expansion(kernel, places, solution.coef, self.origin, self.mean),
            seen=SeenInFeatures(self.prior, centers, solution.factor, noise, samples, self.weights),
            evidence=self._evidence(float(r @ solution.coef) / signal, solution.log_det + n * math.log(signal)),
            fitted=self.y - self.ratio / self.weights * solution.coef,
            residual=solution.error,
            solved=one_for_each(len(pivots), "feature"),
        )

    def moments(self, rng: np.random.Generator, most: int) -> Moments:
        """The sums over all samples in the features of so many centres, chosen from samples drawn at random."""
        if not largest_value(self.kernel, self.places) > 0:
            raise CannotFit("The kernel is 0 at all of these samples: choose another one, or move them.")
        # What is left out of the kernel has no effect as long as it is small beside the noise.
        tolerance = float(np.clip(1e-4 * self.ratio / self.unit / len(self.X), 1e-12, 1e-4))
        moments = Moments(self.nystroem(rng, self.y, most, tolerance))
        moments.add(self.places, self.y, self.weights)
        return moments

    def in_centers(self, moments: Moments) -> GaussianProcessModel:
        """The model in the features of few centres; raises `CannotFit`."""
        nystroem, noise = moments.nystroem, self.settings.noise_variance
        products, c, square = moments.uncentred(self.mean)
        m = len(c)
        try:
            factor, w, explained = through_centers(products, c, self.ratio)
        except np.linalg.LinAlgError:
            raise CannotFit(TOO_LITTLE_NOISE) from None
        size = float(np.linalg.norm(c)) or 1.0
        log_det = 2 * float(np.log(factor.diagonal()).sum()) - m * math.log(self.ratio)
        # The targets of weight w are w targets here, so that their noise counts so often.
        plain = float(np.log(noise / self.weights).sum())
        return GaussianProcessModel(
            **self._common(),
            expansion=Expansion(self.kernel, nystroem.centers, nystroem.coef(w), self.origin, self.mean),
            seen=SeenThroughCentres(self.prior, nystroem, factor, noise),
            evidence=self._evidence(max(0.0, square - explained) / noise, log_det + plain),
            fitted=None,
            residual=float(np.linalg.norm(c - products @ w - self.ratio * w)) / size,
            solved=one_for_each(m, "centre"),
            left_out=nystroem.left,
            caveat=f"approximated with {m:,} of {len(self.X):,} samples as centres",
        )

    def _common(self) -> dict[str, Any]:
        return {"X": self.X, "y": self.y, "weights": self.weights, "settings": self.settings}

    def _evidence(self, square: float, log_det: float) -> Evidence:
        with np.errstate(over="ignore"):
            return Evidence.of(square, log_det, self.settings.noise_variance, self.weights)


def most_centers(n: int) -> int:
    """How many centres at the most stand for so many samples."""
    return int(np.clip(_KERNEL_VALUES // n, *CENTERS))
