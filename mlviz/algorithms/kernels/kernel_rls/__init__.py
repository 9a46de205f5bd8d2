"""Regularized least squares classification with a kernel (Rifkin, Yeo and Poggio 2003)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Code, Follower, Traits
from mlviz.algorithms.kernels.kernel_ridge.regressions import RegressionsFollower
from mlviz.algorithms.kernels.kernel_rls.model import ClassRegressions, KernelRLSModel
from mlviz.algorithms.kernels.regularized import RegularizedKernelMethod, strength
from mlviz.draw.overlays import gram, regions, slices
from mlviz.numerics.arrays import Array


@dataclass(frozen=True)
class KernelRLS(RegularizedKernelMethod):
    """Kernel ridge regression on the classes, written as numbers: the sign of the prediction decides.

    Two classes y = ±1:

        minimise  (1/n) Σ (yᵢ − f(xᵢ) − b)² + λ |f|²,  f(x) = w·φ(x),  |f| = |w|

    The solution is a sum of one bump for each sample, f(x) = Σ αᵢ k(xᵢ, x), whose coefficients solve linear equations:
    (K + nλ I) α + b = y with Σ αᵢ = 0. The offset b is not penalised. No sample is without a bump, in contrast to the
    support vector machine: each residual is nλ times its sample's coefficient. Several classes: each has a target of
    its own, 1 for its samples and 0 for all others, and its own function with the same K. The largest one wins; they
    add up to 1 everywhere.

    A large λ makes a calm boundary, a small one follows every sample. σ says how far a sample's influence reaches: with
    a narrow kernel f falls back to b between the samples, and the larger class wins there. The leave-one-out error
    comes with the solution, without fitting anew.

    In the picture: each place has the colour of the class that is predicted there, the paler the nearer f is to 0.
    Point at a place to see the samples with the largest terms αᵢ k(xᵢ, x): the area of a ring is the size of its term,
    its colour says for which class it speaks.
    Switch the targets on to see where f = −1 and f = +1: a sample beyond its line is punished as one before it is.

    With more than 3000 samples, f is a sum of bumps at a few of them, which together represent the kernel as well as
    they can; its coefficients still make the residuals of all samples small (Nyström's approximation). The line under
    the picture then says so. Linear kernels and polynomial ones of few terms are exact for any number of samples.

    Reference: Rifkin, Yeo and Poggio, Regularized Least-Squares Classification, in Advances in Learning Theory (2003),
    chapter 7; Schölkopf and Smola, Learning with Kernels (2002), section 4.6.
    """

    id = "kernel-rls"
    label = "kernel least squares classifier"
    family = "Kernel classifiers"
    tasks = ("classification",)
    main = "lambda_"
    overlays = (regions.regions, regions.targets, regions.boundary, slices.line, regions.misclassified)
    charts = (slices.cut, *gram.charts)
    traits = Traits(playable=False)

    lambda_: float = strength("strength of the penalty: large for a calm boundary, small for small residuals")

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelRLSModel]:
        """Yield the minimum, once."""
        yield self.regressions(X, y, sample_weight).fitted(rng)

    def regressions(self, X: Array, y: NDArray[Any] | None, sample_weight: Array | None) -> ClassRegressions:
        """The problem of the samples that have weight; raises `CannotFit`."""
        return ClassRegressions.given(self, X, y, sample_weight)

    def code(self, model: KernelRLSModel) -> Code:
        """RidgeClassifier on the kernel's features. As many features as samples lose nothing."""
        imports = (
            "from sklearn.kernel_approximation import Nystroem",
            "from sklearn.linear_model import RidgeClassifier",
        )
        features = f"Nystroem({self.kernel_code()}, n_components=len(X))"
        return Code(imports, (features, f"RidgeClassifier(alpha=len(y) * {self.lambda_!r})"))

    def follower(self) -> Follower:
        """One that keeps the equations solved."""
        return RegressionsFollower()
