"""Kernel ridge regression: from data to equations, from their solution to a model."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Self

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.kernel_ridge.model import KernelRidgeModel
from mlviz.algorithms.kernels.regularized import KernelData, RegularizedKernelMethod
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.base import Polynomial
from mlviz.numerics.kernels.expansion import Expansion, largest_value
from mlviz.numerics.kernels.features import Features, FeatureSum
from mlviz.numerics.kernels.nystroem import Moments
from mlviz.numerics.kernels.polynomial_ridge import graded_ridge
from mlviz.numerics.linalg.ridge import DualRidge, RidgeSolution, primal_ridge

WORK = 15_000_000
"""About so many kernel values are computed for the moments."""
ROUGH = 1e-4
"""Predictions off by more than this share of the targets' range are not called solved."""
TOO_SMALL = "λ is too small to compute with here: raise it."


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelRidgeProblem(KernelData):
    """Minimise sum_i share_i (y_i - f(x_i) - b)^2 + lambda |f|^2 over the samples X (n, d), y (n,).

    Lambda is divided by the kernel's `unit` in the equations: f stays the same.
    """

    y: Array
    share: Array
    """(n,) the weights, summing to one."""
    lambda_: float
    target_offset: float
    """What is taken from y, about its mean: small numbers keep their digits."""

    @classmethod
    def given(cls, algorithm: RegularizedKernelMethod, X: Array, y: Array | None, sample_weight: Array | None) -> Self:
        """The problem of those data; raises `CannotFit`."""
        if y is None or not len(X):
            raise CannotFit("There are no samples yet.")
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        target, share = y.astype(np.float64), weights / weights.sum()
        return cls.of(
            algorithm, X, y=target, share=share, lambda_=algorithm.lambda_, target_offset=float(share @ target)
        )

    def dual(self) -> DualRidge:
        """The equations in the samples; raises `CannotFit`."""
        try:
            return DualRidge(self.gram(self.places, self.places), self.lambda_ / self.unit / self.share)
        except np.linalg.LinAlgError:
            raise CannotFit(TOO_SMALL) from None

    def moments(self, rng: np.random.Generator, targets: Array) -> Moments:
        """The equations for targets (n, t) in the features of few centres, chosen from samples drawn at random."""
        if not largest_value(self.kernel, self.places) > 0:
            raise CannotFit("The kernel is 0 at all of these samples: choose another one, or move them.")
        most = int(np.clip(WORK // len(self.X), 100, 300))
        # What is left out of the kernel has no effect as long as it is small beside the ridge.
        tolerance = float(np.clip(1e-2 * self.lambda_ / self.unit, 1e-10, 1e-4))
        moments = Moments(self.nystroem(rng, self.y, most, tolerance), targets.shape[1])
        moments.add(self.places, targets, self.share)
        return moments

    def in_features(self, features: Features) -> KernelRidgeModel:
        """The model, found in the kernel's features."""
        found: RidgeSolution
        feature_sum: FeatureSum
        graded = None
        if isinstance(self.kernel, Polynomial):
            graded = graded_ridge(features, self.places, self.y, self.share, self.lambda_)
        if graded is not None:
            found, feature_sum = graded
        else:
            found = primal_ridge(features.values(self.places), self.y, self.share, self.lambda_)
            feature_sum = FeatureSum(features, found.coef)
        # Far from 0 the sum in the features may lose what the solution in their middle had.
        off = float(np.abs(feature_sum.expand(self.places) + found.offset - found.fitted).max())
        a = self.share * (self.y - found.fitted) / self.lambda_
        return self._exact(
            found,
            Expansion(self.kernel, self.places, a, self.origin, found.offset, feature_sum),
            float(found.coef @ found.coef),
            f"{len(found.coef)} features",
            off,
        )

    def in_samples(self, found: RidgeSolution) -> KernelRidgeModel:
        """The model of a solution of the equations in the samples, for y less `target_offset`."""
        # a'K a = a'(y - b - D a), and the sum of a is 0.
        squared = float(found.coef @ found.fitted) / self.unit
        found = dataclasses.replace(found, fitted=found.fitted + self.target_offset)
        return self._exact(
            found,
            Expansion(self.kernel, self.places, found.coef / self.unit, self.origin, found.offset + self.target_offset),
            max(0.0, squared),
            f"{len(self.X)} samples",
        )

    def _exact(
        self, found: RidgeSolution, expansion: Expansion, squared: float, solved: str, off: float = 0.0
    ) -> KernelRidgeModel:
        mean_squared = self._mean_squared(self.y - found.fitted)
        return KernelRidgeModel(
            X=self.X,
            centers=self.X,
            expansion=expansion,
            fitted=found.fitted,
            norm=float(np.sqrt(squared)),
            objective=mean_squared + self.lambda_ * squared,
            parameters=float(found.leverage.sum()),
            leave_one_out_rmse=float(np.sqrt(self._mean_squared(found.leave_one_out))),
            leave_one_out=found.leave_one_out,
            residual=found.residual,
            solved=solved,
            left_out=0.0,
            spread=float(np.ptp(found.fitted)),
            caveat=self._caveat(max(off, found.residual * self._largest)),
        )

    @property
    def _largest(self) -> float:
        return float(np.abs(self.y - self.target_offset).max())

    def _caveat(self, off: float) -> str:
        """What the caption says where predictions are off by that much."""
        if not off > ROUGH * float(np.ptp(self.y)):
            return ""
        return f"solved only to ±{off:.1g}: too few digits so far from 0; standardize the inputs, or raise λ"

    def _mean_squared(self, residuals: Array) -> float:
        return float(self.share @ residuals**2)

    def in_centers(self, moments: Moments, target: int) -> KernelRidgeModel:
        """The model in the features of few centres, for one of the targets; raises `CannotFit`."""
        nystroem, n = moments.nystroem, len(self.X)
        try:
            found = moments.solve(self.lambda_ / self.unit, target)
        except np.linalg.LinAlgError:
            raise CannotFit(TOO_SMALL) from None
        coef = nystroem.coef(found.w)
        offset = found.offset + self.target_offset
        norm, m = float(found.w @ found.w) / self.unit, len(coef)
        at_centers = nystroem.kernel.expand(nystroem.centers, nystroem.centers, coef)
        return KernelRidgeModel(
            X=self.X,
            centers=nystroem.centers + self.origin,
            expansion=Expansion(self.kernel, nystroem.centers, coef, self.origin, offset),
            fitted=None,
            norm=float(np.sqrt(norm)),
            objective=found.mean_squared + self.lambda_ * norm,
            parameters=found.freedom,
            leave_one_out_rmse=None,
            leave_one_out=None,
            residual=found.residual,
            solved=f"{m} centres",
            left_out=nystroem.left,
            spread=float(np.ptp(at_centers)),
            caveat=f"approximated with {m:,} of {n:,} samples as centres",
        )
