"""Kernel ridge regression with an offset. Saunders, Gammerman and Vovk, ICML (1998) 515-521."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Code, Follower, Traits
from mlviz.algorithms.kernels.kernel_ridge.model import KernelRidgeModel, KernelRidgeProblem
from mlviz.algorithms.kernels.kernel_ridge.regressions import Regressions, RegressionsFollower
from mlviz.algorithms.kernels.regularized import RegularizedKernelMethod, strength
from mlviz.draw.contours import curves
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.overlays import gram, regions, slices
from mlviz.draw.protocols import IsExpanded
from mlviz.numerics.arrays import Array

MOST = 100
"""More bumps than that are not told apart: the largest ones are drawn."""
_NODES = 300
_OUT_OF_SIGHT = 1000
"""So many times as far from the offset as the samples are, bumps end: with a tiny lambda large ones cancel."""


@overlay(
    "bumps",
    "bumps",
    "the kernel of each sample times its coefficient, on the offset: the curve is their sum",
    shown=False,
    tasks=("regression",),
)
def kernel_terms(model: IsExpanded, context: Context) -> Sequence[Mark]:
    if context.line is None or context.y is None:
        return ()
    expansion = model.expansion
    largest = np.sort(np.argsort(-np.abs(expansion.coef), kind="stable")[:MOST])
    x = np.linspace(float(context.line[0]), float(context.line[-1]), _NODES)
    heights = expansion.kernel.matrix(x[:, None] - expansion.origin, expansion.centers[largest])
    heights *= expansion.coef[largest]
    reach = _OUT_OF_SIGHT * max(float(np.abs(context.y - expansion.base).max()), 1e-300)
    heights = expansion.base + np.clip(heights, -reach, reach)
    label = "bumps" if len(largest) == len(expansion.coef) else f"the {MOST} largest bumps"
    return (Lines("basis", curves(x, heights), label=label),)


@dataclass(frozen=True)
class KernelRidge(RegularizedKernelMethod):
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
    large, orange where it is small, and without colour halfway between the largest and the smallest value in view.

    In the side plots: the kernel itself, and the Gram matrix of all k(xᵢ, xⱼ) with its eigenvalues, none of which is
    negative if k is positive semi-definite, that is, a product of features. With two inputs also the prediction along a
    line, level through the middle of the view until you draw another, as the sum of b and the bumps. Sums and products
    of kernels are kernels again: choose "expression" to put your own together, such as a calm part and a lively one.

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
    overlays = (regions.value_field, kernel_terms, regions.residuals, regions.curve, slices.line)
    charts = (slices.cut, *gram.charts)
    traits = Traits(playable=False)

    lambda_: float = strength("strength of the penalty: large for a calm curve, small for small residuals")

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelRidgeModel]:
        """Yield the minimum, once."""
        yield self.regressions(X, y, sample_weight).fitted(rng)

    def regressions(self, X: Array, y: NDArray[Any] | None, sample_weight: Array | None) -> Regressions:
        """The problem of the samples that have weight; raises `CannotFit`."""
        return Regressions((KernelRidgeProblem.given(self, X, y, sample_weight),))

    def code(self, model: KernelRidgeModel) -> Code:
        """Ridge on the kernel's features: KernelRidge knows no offset. As many features as samples lose nothing."""
        imports = ("from sklearn.kernel_approximation import Nystroem", "from sklearn.linear_model import Ridge")
        features = f"Nystroem({self.kernel_code()}, n_components=len(X))"
        return Code(imports, (features, f"Ridge(alpha=len(y) * {self.lambda_!r})"))

    def follower(self) -> Follower:
        """One that keeps the equations solved."""
        return RegressionsFollower()
