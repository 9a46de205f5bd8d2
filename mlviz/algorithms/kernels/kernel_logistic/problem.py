"""Kernel logistic regression: from data to a loss, from its minimum to a model."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.kernel_logistic.model import KernelLogisticModel
from mlviz.algorithms.kernels.regularized import KernelData, RegularizedKernelMethod
from mlviz.algorithms.targets import two_classes
from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.kernel_logistic import KernelIterate, reweighted
from mlviz.numerics.convex.logistic_loss import BinaryLoss
from mlviz.numerics.convex.newton import MOST_STEPS, Iterate, newton
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import Features, FeatureSum
from mlviz.numerics.kernels.nystroem import Nystroem
from mlviz.numerics.standardizing import standardized

WORK = 1_500_000
"""About so many features of samples there are at most,"""
_CENTERS = (50, 250)
"""by so many centres at least and at most."""
ROUGH = 1e-4
"""Log odds off by more than this share of their range are not called solved."""
NO_DIGITS = "solved only roughly: too few digits so far from 0; standardize the inputs, or raise λ"
_STUCK = "λ is too small to compute with here: raise it."


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelLogisticProblem(KernelData):
    """Minimise sum_i share_i log(1 + exp(-sign_i (f(x_i) + b))) + lambda |f|^2 over the samples X (n, d).

    Lambda is divided by the kernel's `unit` in the equations: f stays the same.
    """

    classes: NDArray[Any]
    signs: Array
    """(n,) -1 or +1."""
    shares: Array
    """(n,) the weights, summing to one."""
    lambda_: float

    @classmethod
    def given(
        cls, algorithm: RegularizedKernelMethod, X: Array, y: NDArray[Any] | None, sample_weight: Array | None
    ) -> Self:
        """The problem of those data; raises `CannotFit`."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, signs = two_classes(algorithm.label, y)
        shares = weights / weights.sum()
        return cls.of(algorithm, X, classes=classes, signs=signs, shares=shares, lambda_=algorithm.lambda_)

    @property
    def ridge(self) -> float:
        """Lambda in units of the kernel's."""
        return self.lambda_ / self.unit

    def solving(self, start: tuple[Array, float] | None = None) -> Iterator[KernelIterate]:
        """Yield the iterates, from coefficients and an offset or from none; raises `CannotFit`."""
        a, offset = (np.zeros(len(self.X)), self._odds) if start is None else start
        try:
            yield from reweighted(self.gram(self.places, self.places), self.signs, self.shares, self.ridge, a, offset)
        except np.linalg.LinAlgError:
            raise CannotFit(_STUCK) from None

    def in_samples(self, found: KernelIterate) -> KernelLogisticModel:
        """The model of coefficients of the samples."""
        return KernelLogisticModel(
            classes=self.classes,
            centers=self.X,
            expansion=Expansion(self.kernel, self.places, found.a / self.unit, self.origin, found.offset),
            objective=found.value,
            log_loss=found.value - found.penalty,
            norm=float(np.sqrt(max(0.0, found.penalty / self.lambda_))),
            gradient_norm=found.gradient_norm,
            gap=found.gap,
            newton_steps=found.steps,
            solved=f"{len(self.X)} samples",
            spread=float(np.ptp(found.f)),
            caveat=_unfinished(found),
        )

    def models_in_features(self, features: Features, start: Array | None = None) -> Iterator[KernelLogisticModel]:
        """Yield models, found in the kernel's features; in units of their spread, and about their means."""
        center, scale, inputs = standardized(features.values(self.places), self.shares)
        loss = self._loss(inputs, self.lambda_ / scale**2)
        for found in newton(loss, self._begin(loss, start)):
            w, fitted = found.at[:-1] / scale, found.at @ loss.inputs
            offset, feature_sum = float(found.at[-1] - w @ center), FeatureSum(features, w)
            # Far from 0 the sum in the features may lose what the solution about their means had.
            off = float(np.abs(feature_sum.expand(self.places) + offset - fitted).max())
            model = self._of_weights(found, loss, w, f"{len(w)} features")
            # Newton's method, too, goes on and on only where digits are missing.
            lost = NO_DIGITS if off > ROUGH * max(1.0, model.spread) or model.caveat else ""
            expansion = Expansion(self.kernel, self.places, self._duals(fitted), self.origin, offset, feature_sum)
            yield dataclasses.replace(model, expansion=expansion, caveat=_joined(model.caveat, lost))

    def few_centers(self, rng: np.random.Generator) -> Nystroem:
        """Centres that stand for all samples."""
        return self.nystroem(rng, self.signs, int(np.clip(WORK // len(self.X), *_CENTERS)), 1e-6)

    def models_in_centers(self, nystroem: Nystroem, start: Array | None = None) -> Iterator[KernelLogisticModel]:
        """Yield models that are sums over few centres."""
        loss = self._loss(nystroem.features(self.places), np.full(len(nystroem.centers), self.lambda_))
        for found in newton(loss, self._begin(loss, start)):
            w, offset = found.at[:-1], float(found.at[-1])
            expansion = Expansion(self.kernel, nystroem.centers, nystroem.coef(w), self.origin, offset)
            model = self._of_weights(found, loss, w, f"{len(w)} centres")
            approximated = f"approximated with {len(w):,} of {len(self.X):,} samples as centres"
            yield dataclasses.replace(
                model,
                centers=nystroem.centers + self.origin,
                expansion=expansion,
                left_out=nystroem.left,
                caveat=_joined(approximated, model.caveat),
            )

    @property
    def _odds(self) -> float:
        """The offset that is best without any f."""
        return float(np.log(self.shares[self.signs > 0].sum() / self.shares[self.signs < 0].sum()))

    def _loss(self, inputs: Array, penalty: Array) -> BinaryLoss:
        inputs = np.vstack((inputs, np.ones(len(self.X))))
        return BinaryLoss(inputs, self.signs, self.shares, np.append(penalty, 0.0))

    def _begin(self, loss: BinaryLoss, start: Array | None) -> Array:
        nothing = loss.start()
        warm = start is not None and len(start) == len(nothing) and loss.value(start)[0] < loss.value(nothing)[0]
        return start if start is not None and warm else nothing

    def _duals(self, fitted: Array) -> Array:
        """The coefficients of the samples that belong to f at the minimum."""
        wrong = 0.5 * (1 - np.tanh(self.signs * fitted / 2))
        return self.shares * self.signs * wrong / (2 * self.lambda_)

    def _of_weights(self, found: Iterate, loss: BinaryLoss, w: Array, solved: str) -> KernelLogisticModel:
        """What can be said of a model whose weights w are those of features; its expansion is still to be told."""
        penalty = float(loss.penalty @ found.at**2)
        return KernelLogisticModel(
            classes=self.classes,
            centers=self.X,
            expansion=Expansion(self.kernel, self.places, self.shares, self.origin, 0.0),
            objective=found.value,
            log_loss=found.value - penalty,
            norm=float(np.linalg.norm(w)),
            gradient_norm=found.gradient_norm,
            newton_steps=found.steps,
            solved=solved,
            spread=float(np.ptp(found.at @ loss.inputs)),
            weights=found.at,
            caveat=_unfinished(found),
        )


def _joined(*caveats: str) -> str:
    return "; ".join(filter(None, caveats))


def _unfinished(found: Iterate | KernelIterate) -> str:
    stopped = not found.settled and found.steps >= MOST_STEPS
    return f"stopped after {MOST_STEPS} Newton steps" if stopped else ""
