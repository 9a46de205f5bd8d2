"""Kernel ridge regression with an offset. Saunders, Gammerman and Vovk, ICML (1998) 515-521."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from mlviz.algorithms.base import Code, Follower, Model, Traits
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels import parts
from mlviz.algorithms.kernels.kernel_ridge.model import KernelRidgeModel, KernelRidgeProblem
from mlviz.algorithms.kernels.many_ridges import ManyRidges, kernel_design
from mlviz.algorithms.kernels.parameters import MOST_SAMPLES, RegularizedKernelMethod, strength
from mlviz.algorithms.traits import Trial
from mlviz.draw.contours import curves
from mlviz.draw.layer import OnCurve, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.overlays import gram, regions, slices
from mlviz.draw.protocols import IsExpanded
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.kernels.features import Moments
from mlviz.numerics.linalg.cholesky import few_pivots
from mlviz.numerics.linalg.dual_ridge import DualRidge, dual_in_features
from mlviz.numerics.linalg.ridge import RidgeSolution
from mlviz.numerics.pauses import finished, meanwhile
from mlviz.spec.brief import Brief

MOST_TERMS_SHOWN = 100
"""More bumps than that are not told apart: the largest ones are drawn."""
_NODES = 300
_OUT_OF_SIGHT = 1000
"""So many times as far from the offset as the samples are, bumps end: with a tiny lambda large ones cancel."""
_MANY = 700
"""With more samples it takes a while to solve the equations exactly."""
_CENTERS = 100, 300
"""So many centres stand for all samples, of a draft, or where they are very many; and at the most."""
MOST_KERNEL_VALUES = 15_000_000
"""About so many kernel values are computed for the moments."""
_LEAST_RIDGE = 1e-5
"""Few features say as much as the kernel where lambda is at least such a multiple of its largest value."""
_CHANGES = 8
"""With more samples moved at once, solving anew is as fast."""
WORN_RESIDUAL = 1e-7
"""An inverse that solves the equations no better than this has lost digits in many moves."""


@overlay(
    "bumps",
    "bumps",
    "the kernel of each sample times its coefficient, on the offset: the curve is their sum",
    shown=False,
    tasks=("regression",),
)
def kernel_terms_overlay(model: IsExpanded, context: OnCurve) -> Sequence[Mark]:
    expansion = model.expansion
    largest = np.sort(np.argsort(-np.abs(expansion.coef), kind="stable")[:MOST_TERMS_SHOWN])
    x = np.linspace(float(context.line[0]), float(context.line[-1]), _NODES)
    shown = replace(expansion, centers=expansion.centers[largest], coef=expansion.coef[largest])
    heights = shown.terms(x[:, None])
    reach = _OUT_OF_SIGHT * max(float(np.abs(context.y - expansion.base).max()), 1e-300)
    heights = expansion.base + np.clip(heights, -reach, reach)
    label = "bumps" if len(largest) == len(expansion.coef) else f"the {MOST_TERMS_SHOWN} largest bumps"
    return (Lines("basis", curves(x, heights), label=label),)


@dataclass(frozen=True)
class LeastSquaresMethod(RegularizedKernelMethod, abstract=True):
    """A kernel method that solves the equations of squared residuals, of one target or of several."""

    in_features: ClassVar[str]
    """What scikit-learn calls the method in the kernel's features: its own with a kernel knows no offset."""
    traits = Traits(playable=False, random_above=MOST_SAMPLES)

    def line_objective(self) -> LineObjective | None:
        """That of straight functions, which the linear kernel has."""
        return LineObjective("squared", l2=self.lambda_) if self.kernel == "linear" else None

    def code(self, model: Model) -> Code:
        """The method in the kernel's features. As many features as samples lose nothing."""
        method = self.in_features
        imports = ("from sklearn.kernel_approximation import Nystroem", f"from sklearn.linear_model import {method}")
        features = f"Nystroem({self.kernel_code()}, n_components=len(X))"
        return Code(imports, (features, f"{method}(alpha=len(y) * {self.lambda_!r})"))

    def follower(self) -> Follower:
        """One that keeps the equations solved."""
        return RegressionsFollower()

    def many_fits(self) -> ManyRidges:
        """Those for all penalties by one decomposition."""
        return ManyRidges(lambda method: method.kernel_function(), kernel_design)


@dataclass(frozen=True)
class KernelRidge(LeastSquaresMethod):
    """A smooth curve through a cloud of samples, as a sum of bumps.

    Kernel ridge regression looks for the function f(x) = w·φ(x) whose squared residuals are small and which is itself
    simple, that is, has a short w:

        minimise  (1/n) Σ (yᵢ − f(xᵢ) − b)² + λ |f|²,  |f| = |w|

    It is ridge regression in the space into which φ maps, but φ need never be computed. The solution is a sum of one
    bump for each sample, f(x) = Σ αᵢ k(xᵢ, x), with the kernel k(x, x') = φ(x)·φ(x'), and its coefficients solve linear
    equations: (K + nλ I) α + b = y with Σ αᵢ = 0. The offset b is not penalised, so that adding a number to all targets
    just lifts the curve. Each residual is nλ times its sample's coefficient: no sample is met exactly.

    A large λ makes a calm curve, a small one follows every sample. σ says how far a sample's influence reaches: with a
    narrow kernel the curve falls back to b between the samples. "Effective parameters" tells how flexible the fit is,
    whatever the two are made of: 1 for a constant, n for a curve through all samples. Take the λ and σ for which the
    leave-one-out error is smallest.

    In the picture, with one input: each thin segment is a residual. Switch the bumps on to see the terms αᵢ k(xᵢ, x) of
    which the curve is the sum, standing on the offset. With two inputs the prediction is a shade: blue where it is
    small, orange where it is large, and without colour halfway between the largest and the smallest target.

    In the side plots: the kernel itself, and the Gram matrix of all k(xᵢ, xⱼ) with its eigenvalues, none of which is
    negative if k is positive semi-definite, that is, a product of features. With two inputs also the prediction along a
    line, horizontal through the middle of the view until you draw another, as the sum of b and the bumps. Sums and
    products of kernels are kernels again: choose "expression" to put your own together, such as a calm part and a
    lively one. Of a sum the function is a sum as well, of one function for each term: switch its parts on.

    With more than 3000 samples, f is a sum of bumps at a few of them, which together represent the kernel as well as
    they can; its coefficients still make the residuals of all samples small (Nyström's approximation). The line under
    the picture then says so. Linear kernels and polynomial ones of few terms are exact for any number of samples.

    Reference: Schölkopf and Smola, Learning with Kernels (2002), section 4.6; Hastie, Tibshirani and Friedman, The
    Elements of Statistical Learning, 2nd edition, section 5.8.
    """

    id = "kernel-ridge"
    label = "kernel ridge regression"
    family = "Regression"
    tasks = ("regression",)
    main = "lambda_"
    trials = (
        Trial("a curve that follows the sine", "sine"),
        Trial("the curve bends to nearly every point", "sine", {"lambda_": 1e-06, "sigma": 0.2}),
    )
    overlays = (regions.value_field, kernel_terms_overlay, parts.parts, regions.residuals, regions.curve, slices.line)
    charts = (slices.slice_chart, parts.parts_chart, *gram.charts)
    inks = parts.INKS
    in_features = "Ridge"

    lambda_: float = strength("strength of the penalty: large for a calm curve, small for small residuals")

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelRidgeModel]:
        """Yield the minimum at last; with many samples, before it a draft, again and again."""
        yield from self.regressions(X, y, sample_weight).fitting(rng)

    def regressions(self, X: Array, y: AnyArray | None, sample_weight: Array | None) -> Regressions:
        """The problem of the samples that have weight; raises `CannotFit`."""
        return Regressions((KernelRidgeProblem.given(self, X, y, sample_weight),))


@dataclass(frozen=True, eq=False)
class Regressions(Brief):
    """One regression or several, which differ in y and `target_offset` alone."""

    each: tuple[KernelRidgeProblem, ...]

    def model(self, parts: list[KernelRidgeModel]) -> Any:
        """What is made of the models of the regressions."""
        return parts[0]

    def comparable(self, old: Regressions) -> bool:
        """Whether the equations of old ones may lead to these."""
        new, former = self.each[0], old.each[0]
        same = new.kernel == former.kernel and new.X.shape == former.X.shape
        return same and np.array_equal(new.share, former.share)

    def in_units_of(self, old: Regressions) -> Regressions:
        """These with the origin, the unit and the levels of comparable ones."""
        pairs = zip(self.each, old.each, strict=True)
        kept = [replace(new, origin=o.origin, unit=o.unit, target_offset=o.target_offset) for new, o in pairs]
        return replace(self, each=tuple(kept))

    @property
    def targets(self) -> Array:
        """(n, t) the targets of all regressions, less their levels."""
        return np.column_stack([one.y - one.target_offset for one in self.each])

    def equations(self, rng: np.random.Generator) -> DualRidge | Moments:
        """The equations that all regressions have in common; raises `CannotFit`."""
        first = self.each[0]
        if not first.many:
            return finished(first.dual())
        return first.moments(rng, self.targets, int(np.clip(MOST_KERNEL_VALUES // len(first.X), *_CENTERS)))

    def in_features(self) -> Any:
        """The model in the kernel's features, where they are few, else None."""
        if (features := self.each[0].features) is None:
            return None
        solved = self.each[0].primal(features, np.column_stack([one.y for one in self.each]))
        return self.model([one.in_features(*found) for one, found in zip(self.each, solved, strict=True)])

    def in_few_features(self) -> Any:
        """The model by few features that say as much as the kernel of all samples; None where it takes many."""
        first = self.each[0]
        # What is left out of the kernel has to stay small beside the ridge of each sample.
        if first.many or first.lambda_ / first.unit < _LEAST_RIDGE * len(first.X) * float(first.share.max()):
            return None
        places, diagonal = first.places, first.kernel.diagonal(first.places) / first.unit
        found = few_pivots(lambda row: first.gram(places[row : row + 1])[0], diagonal, places.shape[1] > 1)
        if found is None:
            return None
        G, pivots, left = found
        try:
            solutions = dual_in_features(G, left, self.targets, first.share, first.lambda_ / first.unit)
        except np.linalg.LinAlgError:
            return None
        return self._in_samples(solutions, len(pivots))

    def solved(self, equations: DualRidge | Moments, worn: float = np.inf) -> Any:
        """The model of the solutions of the equations, None where they are worse than `worn`; raises `CannotFit`."""
        if isinstance(equations, Moments):
            return self.model([one.in_centers(equations, t) for t, one in enumerate(self.each)])
        solutions = finished(equations.solving(list(self.targets.T)))
        return None if max(found.first for found in solutions) > worn else self._in_samples(solutions)

    def _in_samples(self, solutions: Sequence[RidgeSolution], features: int = 0) -> Any:
        return self.model([one.in_samples(found, features) for one, found in zip(self.each, solutions, strict=True)])

    def fitting(self, rng: np.random.Generator) -> Iterator[Any]:
        """Yield the model, from nothing; of many samples an approximate one while it takes; raises `CannotFit`."""
        first, model = self.each[0], self.in_features() or self.in_few_features()
        if model is None and len(first.X) > _MANY and not first.many:
            draft = self.solved(first.moments(rng, self.targets, _CENTERS[0]))
            yield draft
            dual = yield from meanwhile(draft, first.dual())
            model = self._in_samples((yield from meanwhile(draft, dual.solving(list(self.targets.T)))))
        yield model or self.solved(self.equations(rng))

    def followed(self, old: Regressions, equations: DualRidge | Moments) -> Any:
        """The model after some samples of old ones in the same units have changed; None where solving anew is better.

        The equations are those of the old ones, and brought up to date.
        """
        new, former = self.each[0], old.each[0]
        changed = np.flatnonzero((new.X != former.X).any(axis=1) | (self.targets != old.targets).any(axis=1))
        if isinstance(equations, DualRidge):
            return self.solved(equations, WORN_RESIDUAL) if _moved(new, former, equations, changed) else None
        if len(changed) > len(new.X) // 8:
            return None
        equations.add(former.places[changed], old.targets[changed], -former.share[changed])
        equations.add(new.places[changed], self.targets[changed], new.share[changed])
        return self.solved(equations)


def _moved(problem: KernelRidgeProblem, old: KernelRidgeProblem, dual: DualRidge, changed: Labels) -> bool:
    """Bring the equations to the new places of those samples; whether that could be done."""
    rows = changed[(problem.X[changed] != old.X[changed]).any(axis=1)]
    if problem.lambda_ != old.lambda_ or len(rows) > _CHANGES:
        return False
    # One after the other, each among the others as they stand by then: only that is a kernel's matrix.
    places = old.places.copy()
    try:
        for row in rows.tolist():
            places[row] = problem.places[row]
            dual.move(row, problem.gram(places[row : row + 1], places)[0])
    except np.linalg.LinAlgError:
        return False
    return True


class RegressionsFollower:
    """Keeps the inverse of the equations' matrix, or with very many samples their moments and the centres."""

    _kept: tuple[Regressions, DualRidge | Moments] | None = None

    def update(
        self,
        algorithm: Any,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> Any:
        """The model of the changed data or hyperparameters. Exact but for the choice of centres, which stay."""
        regressions: Regressions = algorithm.regressions(X, y, sample_weight)
        kept, self._kept = self._kept, None  # should anything below fail, the next call starts from nothing
        model = regressions.in_features()
        if model is not None:
            return model
        if kept is not None and regressions.comparable(kept[0]):
            old, equations = kept
            regressions = regressions.in_units_of(old)
            model = regressions.followed(old, equations)
        if model is None and (model := regressions.in_few_features()) is not None:
            return model
        if model is None:
            equations = regressions.equations(np.random.default_rng(0))
            model = regressions.solved(equations)
        self._kept = regressions, equations
        return model
