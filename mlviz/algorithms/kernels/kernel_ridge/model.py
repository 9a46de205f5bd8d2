"""Kernel ridge regression: from data to equations, from their solution to a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from mlviz.algorithms.base import CannotFit, ModelFact
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.explaining import explained_value
from mlviz.algorithms.kernels.explaining import KernelCurveModel, told_terms
from mlviz.algorithms.kernels.kernel_ridge.forms import FACTS, MOST_COMPARED, Forms
from mlviz.algorithms.kernels.parameters import (
    GAMMA,
    LEFT_OUT,
    RESIDUAL,
    ROUGH_ERROR,
    TOO_SMALL,
    KernelData,
    RegularizedKernelMethod,
    RegularizedModel,
)
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import cleared, number, one_for_each
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.base import Polynomial
from mlviz.numerics.kernels.expansion import Expansion, largest_value
from mlviz.numerics.kernels.features import Features, FeatureSum, Moments, graded_ridge
from mlviz.numerics.linalg.dual_ridge import DualRidge, inverse_root
from mlviz.numerics.linalg.feature_ridge import ridge_by_singular_values
from mlviz.numerics.linalg.ridge import RidgeSolution, WeightedRows
from mlviz.numerics.pauses import Work, finished
from mlviz.numerics.standardizing import weighted_mean


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelRidgeModel(KernelCurveModel, RegularizedModel):
    """The prediction f(x) + b."""

    X: Array
    """(n, d) the samples."""
    fitted: Array | None
    """(n,) the predictions for X, where they are known."""
    parameters: float
    """The trace of the matrix that turns y into the predictions."""
    leave_one_out_rmse: float | None
    leave_one_out: Array | None
    """(n,) the residuals that the samples would have had they been left out, where they are known."""
    residual: float
    problem: KernelRidgeProblem | None = None
    """What it is the solution of, where both forms of it may be compared."""
    field = "predict"

    known_facts = (
        ModelFact(
            "objective",
            lambda m: m.objective,
            "The mean squared residual plus λ|f|², which is made as small as possible.",
        ),
        ModelFact(
            "|f|",
            lambda m: m.norm,
            "Length of the function in the space of the kernel: the smaller it is, the calmer the function.",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "b, which is added to the sum of the bumps: the curve falls back to it where they end.",
            beside=lambda m: m.spread,
            level="more",
        ),
        ModelFact(
            "effective parameters",
            lambda m: m.parameters,
            "How many numbers the fit can choose freely: by how much the predictions of all samples follow "
            "their own targets, added up.",
        ),
        ModelFact(
            "leave-one-out RMSE",
            lambda m: m.leave_one_out_rmse,
            "Root of the mean squared error at each sample when the fit is made without it; nλ stays as it is.",
        ),
        GAMMA,
        ModelFact(
            "unknowns",
            lambda m: m.solved,
            "What the equations are solved for: whichever is fewer and loses fewer digits.",
            level="solver",
        ),
        *FACTS,
        LEFT_OUT,
        RESIDUAL,
    )

    @property
    def forms(self) -> Forms | None:
        """The primal and the dual form, where the kernel's features can be written out."""
        return Forms.of(self.expansion.kernel, *self.X.shape)

    @cached_property
    def between_forms(self) -> float | None:
        """The largest difference of the predictions by both forms; None where it is not worked out."""
        return None if self.problem is None else self.problem.between_forms()

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of f; nothing to speak of where the samples' predictions are known."""
        return self.expansion.cost if self.fitted is None else 1

    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        # Asked for the samples themselves, as the residuals do, there is nothing to compute.
        return self.expansion.at(X) if self.fitted is None or X is not self.X else self.fitted.copy()

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction as offset and terms, the largest of which is named."""
        value = float(self.predict(x[None])[0])
        places = self.centers if self.expansion.feature_sum is None else None
        told, _ = told_terms(value, self.intercept, self.expansion.terms(x[None])[0], "samples", places)
        return explained_value(f"{told}.", x, value)


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
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        target, share = y.astype(np.float64), weights / weights.sum()
        return cls.of(
            algorithm.kernel_for(X),
            X,
            y=target,
            share=share,
            lambda_=algorithm.lambda_,
            target_offset=weighted_mean(target, share),
        )

    def dual(self) -> Work[DualRidge]:
        """Work out the equations in the samples; raises `CannotFit`."""
        K, D = (yield from self.whole_gram()), self.lambda_ / self.unit / self.share
        try:
            for root in inverse_root(K, D):  # noqa: B007
                yield
        except np.linalg.LinAlgError:
            raise CannotFit(TOO_SMALL) from None
        return DualRidge(K, D, root)

    def moments(self, rng: np.random.Generator, targets: Array, most: int) -> Moments:
        """The equations for targets (n, t) in the features of so many centres, chosen from samples drawn at random."""
        if not largest_value(self.kernel, self.places) > 0:
            raise CannotFit("The kernel is 0 at all of these samples: choose another one, or move them.")
        # What is left out of the kernel has no effect as long as it is small beside the ridge.
        tolerance = float(np.clip(1e-2 * self.lambda_ / self.unit, 1e-10, 1e-4))
        moments = Moments(self.nystroem(rng, self.y, most, tolerance), targets.shape[1])
        moments.add(self.places, targets, self.share)
        return moments

    def primal(self, features: Features, targets: Array) -> list[tuple[RidgeSolution, FeatureSum]]:
        """The solution in the kernel's features for each of the targets (n, t), and its sum."""
        if isinstance(self.kernel, Polynomial):
            graded = graded_ridge(features, self.places, targets, self.share, self.lambda_)
            if graded is not None:
                return graded
        rows = WeightedRows.of(features.values(self.places), self.share)
        plain = ridge_by_singular_values(rows, targets, self.lambda_)
        return [(found, FeatureSum(features, found.coef)) for found in map(plain.alone, range(targets.shape[1]))]

    def between_forms(self) -> float | None:
        """The largest difference of the predictions for the samples by the primal and the dual form.

        None where there are no features, or too many to compare, or too few digits for one of the forms.
        """
        forms, features = Forms.of(self.kernel, *self.X.shape), self.features
        if forms is None or features is None or max(forms.p, forms.n) > MOST_COMPARED:
            return None
        try:
            dual = finished(self.dual()).solve(self.y - self.target_offset)
        except CannotFit:
            return None
        [(primal, _)] = self.primal(features, self.y[:, None])
        return float(np.abs(primal.fitted - dual.fitted - self.target_offset).max())

    def in_features(self, found: RidgeSolution, feature_sum: FeatureSum) -> KernelRidgeModel:
        """The model of a solution in the kernel's features, and of its sum."""
        # Far from 0 the sum in the features may lose what the solution in their middle had.
        off = float(np.abs(feature_sum.expand(self.places) + found.offset - found.fitted).max())
        a = self.share * (self.y - found.fitted) / self.lambda_
        return self._exact(
            found,
            Expansion(self.kernel, self.places, a, self.origin, found.offset, feature_sum),
            float(found.coef @ found.coef),
            one_for_each(len(found.coef), "feature"),
            off,
        )

    def in_samples(self, found: RidgeSolution, features: int = 0) -> KernelRidgeModel:
        """The model of a solution of the equations in the samples, for y less `target_offset`.

        It may have been found by so many features.
        """
        # a'K a = a'(y - b - D a), and the sum of a is 0.
        squared = float(found.coef @ found.fitted) / self.unit
        found = replace(found, fitted=found.fitted + self.target_offset)
        return self._exact(
            found,
            Expansion(self.kernel, self.places, found.coef / self.unit, self.origin, self._offset(found.offset)),
            max(0.0, squared),
            one_for_each(features or len(self.X), "feature" if features else "sample"),
        )

    def _exact(
        self, found: RidgeSolution, expansion: Expansion, squared: float, solved: str, off: float = 0.0
    ) -> KernelRidgeModel:
        off = max(off, found.residual * float(np.abs(self.y - self.target_offset).max()))
        rough = f"solved only to ±{number(off, 1)}: too few digits so far from 0; standardize the inputs, or raise λ"
        return KernelRidgeModel(
            X=self.X,
            centers=self.X,
            expansion=expansion,
            fitted=found.fitted,
            norm=float(np.sqrt(squared)),
            objective=self._mean_squared(self.y - found.fitted) + self.lambda_ * squared,
            parameters=float(found.leverage.sum()),
            leave_one_out_rmse=float(np.sqrt(self._mean_squared(found.leave_one_out))),
            leave_one_out=found.leave_one_out,
            residual=found.residual,
            problem=self,
            solved=solved,
            left_out=0.0,
            spread=float(np.ptp(found.fitted)),
            caveat=rough if off > ROUGH_ERROR * float(np.ptp(self.y)) else "",
        )

    def _offset(self, found: float) -> float:
        """The offset for y of that for y less `target_offset`: no sign is left to rounding."""
        return cleared(found + self.target_offset, float(np.abs(self.y).max()))

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
        norm, m = float(found.w @ found.w) / self.unit, len(coef)
        return KernelRidgeModel(
            X=self.X,
            centers=nystroem.centers + self.origin,
            expansion=Expansion(self.kernel, nystroem.centers, coef, self.origin, self._offset(found.offset)),
            fitted=None,
            norm=float(np.sqrt(norm)),
            objective=found.mean_squared + self.lambda_ * norm,
            parameters=found.freedom,
            leave_one_out_rmse=None,
            leave_one_out=None,
            residual=found.residual,
            solved=one_for_each(m, "centre"),
            left_out=nystroem.left,
            spread=float(np.ptp(nystroem.kernel.expand(nystroem.centers, nystroem.centers, coef))),
            caveat=f"approximated with {m:,} of {n:,} samples as centres",
        )
