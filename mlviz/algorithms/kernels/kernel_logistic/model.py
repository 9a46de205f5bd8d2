"""Kernel logistic regression: from data to a loss, from its minimum to a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from mlviz.algorithms.base import CannotFit, ModelFact, ScoreModel
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.parameters import (
    GAMMA,
    LEFT_OUT,
    ROUGH_ERROR,
    TOO_SMALL,
    KernelData,
    RegularizedKernelMethod,
    RegularizedModel,
)
from mlviz.algorithms.targets import two_classes
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Points, ways
from mlviz.draw.numbers import number, one_for_each, place, probability, summed
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.convex.kernel_logistic import KernelIterate, before_kernel, reweighted
from mlviz.numerics.convex.logistic_loss import BinaryLoss, softmax
from mlviz.numerics.convex.newton import MOST_STEPS, Iterate, newton
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import Features, FeatureSum, Nystroem
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.standardizing import standardized

SAMPLES_SHOWN = 5
"""So many samples, those that say most at a place, are shown as evidence."""
_LEAST_SHARE = 0.05
"""None is shown that says less than this share of the one that says most."""
MOST_FEATURE_VALUES = 1_500_000
"""How many features of all samples together there are, about, at the most."""
_MANY = 700
"""With more samples it takes a while to work out the kernel's matrix."""
_CENTERS = (50, 250)
"""How many centres make them, at the least and at the most."""
SOLVED_ROUGHLY_CAVEAT = "solved only roughly: too few digits so far from 0; standardize the inputs, or raise λ"


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelLogisticModel(RegularizedModel, ScoreModel):
    """The log odds f(x) + b of classes[1]."""

    log_loss: float
    gradient_norm: float | None
    """None for the start of many samples, which is told before the kernel's matrix is there."""
    gap: float = float("inf")
    """How far the objective is at most above its minimum; infinite where no bound is known."""
    newton_steps: int
    weights: Array | None = None
    """Those of the features, where the minimum was looked for there, and the offset: a start for the next fit."""
    known_facts = (
        ModelFact(
            "log loss",
            lambda m: m.log_loss,
            "Mean of −log P(class of the sample): the objective without its penalty.",
        ),
        ModelFact("objective", lambda m: m.objective, "Log loss plus λ|f|²: what is made as small as possible."),
        ModelFact(
            "|f|",
            lambda m: m.norm,
            "Length of the function in the space of the kernel: the smaller it is, the calmer the probabilities.",
            beside=lambda m: 1.0,
        ),
        ModelFact(
            "offset",
            lambda m: m.expansion.base,
            "b, which is added to the sum of the bumps: the log odds fall back to it where they end.",
            beside=lambda m: 1.0,
            level="more",
        ),
        GAMMA,
        ModelFact(
            "unknowns",
            lambda m: m.solved,
            "What is solved for: bumps of all samples, or of a few, or weights of the kernel's features.",
            level="solver",
        ),
        ModelFact("Newton steps", lambda m: m.newton_steps, "How many steps led here.", level="solver"),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the objective's gradient in what is solved for; at the exact minimum it is 0.",
            level="solver",
        ),
        ModelFact(
            "relative duality gap",
            lambda m: max(0.0, m.gap) / max(m.objective, 1e-300) if np.isfinite(m.gap) else None,
            "How far the objective can be above its minimum at most, as a share of it, by duality.",
            level="solver",
        ),
        LEFT_OUT,
    )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """The step that led here."""
        return "Newton step" if self.newton_steps else "no bumps"

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of f."""
        return self.expansion.cost

    def decision_function(self, X: Array) -> Array:
        """The log odds (n,) of classes[1]."""
        return self.expansion.at(X)

    def predict_proba(self, X: Array) -> Array:
        """The probability of each class, (n, 2)."""
        scores = self.decision_function(X)
        return softmax(np.stack((0 * scores, scores), axis=-1))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The log odds at every node, (ny, nx)."""
        return self.expansion.on_grid(grid, dtype, finest=1e-4 * max(1.0, self.spread))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The log odds as what the bumps for either class and the offset add, with the samples that say most."""
        f, proba = float(self.decision_function(x[None])[0]), self.predict_proba(x[None])[0]
        first = int(proba[1] > proba[0])
        terms = self.expansion.terms(x[None])[0]
        against, favour = float(terms[terms < 0].sum()), float(terms[terms > 0].sum())
        f, favour, against, rest = summed(favour, against, f - favour - against, beside=1.0)
        called = [names.of_class(c) for c in self.classes]
        likely, other = probability(proba[first]), probability(proba[1 - first])
        sentence = (
            f"{called[first]} with probability {likely}; {called[1 - first]} with {other}. "
            f"f(x) = {number(f)}: bumps for {called[1]} add {number(favour)}, "
            f"those for {called[0]} take {number(-against)}, the offset is {number(rest)}"
        )
        terms = np.array(summed(*terms.tolist(), beside=1.0)[1:])
        order = np.argsort(-(size := np.abs(terms)), kind="stable")[:SAMPLES_SHOWN]
        order = order[size[order] > _LEAST_SHARE * size.max()] if size.max() > 0 else order[:0]
        if len(order):
            where = place(self.centers[order[0]])
            sentence += f"; the largest part, {number(terms[order[0]])}, comes from the sample at {where}"
        places = self.centers[order]
        marks = (*ways(x, places), Points("neighbour", places)) if len(x) == 2 and len(order) else ()
        return Explanation(f"{sentence}.", marks, measured=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelLogisticProblem(KernelData):
    """Minimise sum_i share_i log(1 + exp(-sign_i (f(x_i) + b))) + lambda |f|^2 over the samples X (n, d).

    Lambda is divided by the kernel's `unit` in the equations: f stays the same.
    """

    classes: AnyArray
    signs: Array
    """(n,) -1 or +1."""
    shares: Array
    """(n,) the weights, summing to one."""
    lambda_: float

    @classmethod
    def given(
        cls, algorithm: RegularizedKernelMethod, X: Array, y: AnyArray | None, sample_weight: Array | None
    ) -> Self:
        """The problem of those data; raises `CannotFit`."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, signs = two_classes(algorithm.label, y)
        return cls.of(
            algorithm.kernel_for(X),
            X,
            classes=classes,
            signs=signs,
            shares=weights / weights.sum(),
            lambda_=algorithm.lambda_,
        )

    @property
    def ridge(self) -> float:
        """Lambda in units of the kernel's."""
        return self.lambda_ / self.unit

    def models_in_samples(self, start: tuple[Array, float] | None = None) -> Iterator[KernelLogisticModel]:
        """Yield models from coefficients and an offset, each again while the next one is on its way; `CannotFit`."""
        given, (a, offset) = (self.signs, self.shares, self.ridge), start or (np.zeros(len(self.X)), self._odds)
        last, model = None, None
        if start is None and len(self.X) > _MANY:
            model = self._in_samples(before_kernel(*given, offset))
            yield model
            K = yield from meanwhile(model, self.whole_gram())
        else:
            K = self.gram()
        try:
            for found in reweighted(K, *given, a, offset):
                if model is None or (found is not last and found.steps > model.newton_steps):
                    model = self._in_samples(found)
                last = found
                yield model
        except np.linalg.LinAlgError:
            raise CannotFit(TOO_SMALL) from None

    def _in_samples(self, found: KernelIterate) -> KernelLogisticModel:
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
            solved=one_for_each(len(self.X), "sample"),
            spread=float(np.ptp(found.f)),
            caveat=_unfinished(found),
        )

    def models_in_features(self, features: Features, start: Array | None = None) -> Iterator[KernelLogisticModel]:
        """Yield models, found in the kernel's features; in units of their spread, and about their means."""
        center, scale, inputs = standardized(features.values(self.places), self.shares)
        axes, solved = None, one_for_each(len(scale), "feature")
        if len(inputs) > len(self.X):  # the minimum is in the span of the samples, whose axes are all penalized alike
            axes, inputs = np.linalg.qr(inputs * (scale / scale.max())[:, None])
            scale, solved = np.full(len(inputs), scale.max()), one_for_each(len(inputs), "sample")
        loss = self._loss(inputs, self.lambda_ / scale**2)
        for found in newton(loss, self._begin(loss, start)):
            w, fitted = found.at[:-1] / scale, found.at @ loss.inputs
            w = w if axes is None else axes @ w
            offset, feature_sum = float(found.at[-1] - w @ center), FeatureSum(features, w)
            # Far from 0 the sum in the features may lose what the solution about their means had.
            off = float(np.abs(feature_sum.expand(self.places) + offset - fitted).max())
            model = self._of_weights(found, loss, w, solved)
            # Newton's method, too, goes on and on only where digits are missing.
            lost = SOLVED_ROUGHLY_CAVEAT if off > ROUGH_ERROR * max(1.0, model.spread) or model.caveat else ""
            expansion = Expansion(self.kernel, self.places, self._duals(fitted), self.origin, offset, feature_sum)
            yield replace(model, expansion=expansion, caveat="; ".join(filter(None, (model.caveat, lost))))

    def few_centers(self, rng: np.random.Generator) -> Nystroem:
        """Centres that stand for all samples."""
        return self.nystroem(rng, self.signs, int(np.clip(MOST_FEATURE_VALUES // len(self.X), *_CENTERS)), 1e-6)

    def models_in_centers(self, nystroem: Nystroem, start: Array | None = None) -> Iterator[KernelLogisticModel]:
        """Yield models that are sums over few centres."""
        loss = self._loss(nystroem.features(self.places), np.full(len(nystroem.centers), self.lambda_))
        for found in newton(loss, self._begin(loss, start)):
            w, offset = found.at[:-1], float(found.at[-1])
            expansion = Expansion(self.kernel, nystroem.centers, nystroem.coef(w), self.origin, offset)
            model = self._of_weights(found, loss, w, one_for_each(len(w), "centre"))
            approximated = f"approximated with {len(w):,} of {len(self.X):,} samples as centres"
            yield replace(
                model,
                centers=nystroem.centers + self.origin,
                expansion=expansion,
                left_out=nystroem.left,
                caveat="; ".join(filter(None, (approximated, model.caveat))),
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
        return self.shares * self.signs * (0.5 * (1 - np.tanh(self.signs * fitted / 2))) / (2 * self.lambda_)

    def _of_weights(self, found: Iterate, loss: BinaryLoss, w: Array, solved: str) -> KernelLogisticModel:
        """What can be said of a model whose weights w are those of features; its expansion is still to be told."""
        return KernelLogisticModel(
            classes=self.classes,
            centers=self.X,
            expansion=Expansion(self.kernel, self.places, self.shares, self.origin, 0.0),
            objective=found.value,
            log_loss=found.value - float(loss.penalty @ found.at**2),
            norm=float(np.linalg.norm(w)),
            gradient_norm=found.gradient_norm,
            newton_steps=found.steps,
            solved=solved,
            spread=float(np.ptp(found.at @ loss.inputs)),
            weights=found.at,
            caveat=_unfinished(found),
        )


def _unfinished(found: Iterate | KernelIterate) -> str:
    return f"stopped after {MOST_STEPS} Newton steps" if (not found.settled and found.steps >= MOST_STEPS) else ""
