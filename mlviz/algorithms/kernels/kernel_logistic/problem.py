"""Kernel logistic regression: from data to a loss, from its minimum to a model."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.checking import with_weight
from mlviz.algorithms.kernels.kernel_logistic.model import KernelLogisticModel
from mlviz.algorithms.kernels.parameters import unit_of
from mlviz.algorithms.targets import two_classes
from mlviz.numerics.convex.kernel_logistic import KernelIterate, reweighted
from mlviz.numerics.convex.logistic_loss import BinaryLoss
from mlviz.numerics.convex.newton import MOST_STEPS, Iterate, newton
from mlviz.numerics.grid import Array
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.expansion import Expansion, origin_for
from mlviz.numerics.kernels.features import Features, FeatureSum, features_of
from mlviz.numerics.kernels.nystroem import Nystroem
from mlviz.numerics.standardizing import standardized

if TYPE_CHECKING:
    from mlviz.algorithms.kernels.kernel_logistic import KernelLogistic

MOST_SAMPLES = 3000
"""With more samples than this, a part of them as centres stands for all."""
CANDIDATES = 2000
"""From so many samples, drawn at random, the centres are chosen."""
WORK = 1_500_000
"""About so many features of samples there are at most,"""
CENTERS = (50, 250)
"""by so many centres at least and at most."""
ROUGH = 1e-4
"""Log odds off by more than this share of their range are not called solved."""
NO_DIGITS = "solved only roughly: too few digits so far from 0; standardize the inputs, or raise λ"
STUCK = "λ is too small to compute with here: raise it."


@dataclass(frozen=True, eq=False)
class KernelLogisticProblem:
    """Minimise sum_i share_i log(1 + exp(-sign_i (f(x_i) + b))) + lambda |f|^2 over the samples X (n, d).

    The kernel is divided by `unit`, its largest k(x, x), in the equations, and lambda with it: f stays the same.
    """

    kernel: Kernel
    classes: NDArray[Any]
    X: Array
    signs: Array
    """(n,) -1 or +1."""
    shares: Array
    """(n,) the weights, summing to one."""
    lambda_: float
    origin: Array
    unit: float

    @classmethod
    def of(
        cls, algorithm: KernelLogistic, X: Array, y: NDArray[Any] | None, sample_weight: Array | None
    ) -> KernelLogisticProblem:
        """The problem of those data; raises `CannotFit`."""
        _, X, y, weights = with_weight(X, y, sample_weight)
        classes, signs = two_classes(algorithm.label, y)
        kernel = algorithm.kernel_for(X)
        origin = origin_for(kernel, X)
        unit = unit_of(kernel, X - origin)
        shares = weights / weights.sum()
        return cls(kernel, classes, X, signs, shares, algorithm.lambda_, origin, unit)

    @cached_property
    def places(self) -> Array:
        """(n, d), counted from the origin."""
        return self.X - self.origin

    @cached_property
    def features(self) -> Features | None:
        """The kernel's features, where they are few: there Newton's method has less to solve."""
        return features_of(self.kernel, *self.X.shape)

    @property
    def ridge(self) -> float:
        """Lambda in units of the kernel's."""
        return self.lambda_ / self.unit

    def gram(self) -> Array:
        """K (n, n) in units of `unit`."""
        K = self.kernel.matrix(self.places, self.places)
        K /= self.unit
        return K

    def solving(self, K: Array, start: tuple[Array, float] | None = None) -> Iterator[KernelIterate]:
        """Yield the iterates, from coefficients and an offset or from none; raises `CannotFit`."""
        a, offset = (np.zeros(len(K)), self._odds) if start is None else start
        try:
            yield from reweighted(K, self.signs, self.shares, self.ridge, a, offset)
        except np.linalg.LinAlgError:
            raise CannotFit(STUCK) from None

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

    def nystroem(self, rng: np.random.Generator) -> Nystroem:
        """Few centres, chosen from samples drawn at random."""
        order = np.lexsort((self.signs, *self.X.T[::-1]))
        drawn = np.sort(rng.choice(len(order), min(CANDIDATES, len(order)), replace=False))
        most = int(np.clip(WORK // len(order), *CENTERS))
        return Nystroem.of(self.kernel, self.places[order[drawn]], most, 1e-6)

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
