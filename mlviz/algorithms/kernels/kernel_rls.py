"""Regularized least squares classification with a kernel (Rifkin, Yeo and Poggio 2003)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from mlviz.algorithms.base import WRONG_WHEN_LEFT_OUT, ModelFact
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.explaining import explained_class
from mlviz.algorithms.kernels.kernel_ridge import LeastSquaresMethod, Regressions
from mlviz.algorithms.kernels.kernel_ridge.model import KernelRidgeModel, KernelRidgeProblem
from mlviz.algorithms.kernels.parameters import GAMMA, LEFT_OUT, RESIDUAL, RegularizedKernelMethod, strength
from mlviz.algorithms.targets import FunctionsOfClasses, decode_targets, encode_targets, several_classes
from mlviz.algorithms.traits import Trial
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.overlays import gram, regions, slices
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.standardizing import weighted_mean


@dataclass(frozen=True)
class KernelRLS(LeastSquaresMethod):
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
    Switch the targets on to see where f = −1 and f = +1: a sample beyond its line is penalised as one before it is.

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
    trials = (
        Trial("a boundary that follows the moons", "moons"),
        Trial("islands around single points", "moons", {"sigma": 0.2}),
    )
    overlays = (regions.regions, regions.targets, regions.boundary, slices.line, regions.misclassified)
    charts = (slices.slice_chart, *gram.charts)
    in_features = "RidgeClassifier"

    lambda_: float = strength("strength of the penalty: large for a calm boundary, small for small residuals")

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelRLSModel]:
        """Yield the minimum at last; with many samples, before it a draft, again and again."""
        yield from self.regressions(X, y, sample_weight).fitting(rng)

    def regressions(self, X: Array, y: AnyArray | None, sample_weight: Array | None) -> ClassRegressions:
        """The problem of the samples that have weight; raises `CannotFit`."""
        return ClassRegressions.given(self, X, y, sample_weight)


@dataclass(frozen=True, eq=False)
class KernelRLSModel(FunctionsOfClasses):
    """Regressions on the classes: one on -1 and 1 for two of them, else one per class on 0 and 1."""

    functions: tuple[KernelRidgeModel, ...]
    leave_one_out_error: float | None
    """The share of samples that are wrong when left out, where it is known."""

    known_facts = (
        ModelFact(
            "objective",
            lambda m: m.objective,
            "The mean squared residual plus λ|f|², which is made as small as possible.",
        ),
        WRONG_WHEN_LEFT_OUT,
        ModelFact(
            "|f|",
            lambda m: m.functions[0].norm if len(m.functions) == 1 else None,
            "Length of the function in the space of the kernel: the smaller it is, the calmer the function.",
            beside=lambda m: 1.0,
        ),
        ModelFact(
            "offset",
            lambda m: m.functions[0].intercept if len(m.functions) == 1 else None,
            "b, which is added to the sum of the bumps: f falls back to it where they end.",
            beside=lambda m: 1.0,
            level="more",
        ),
        ModelFact(
            "effective parameters",
            lambda m: m.functions[0].parameters,
            "How many numbers the fit can choose freely for each class: by how much the predictions of all "
            "samples follow their own targets, added up.",
        ),
        GAMMA,
        ModelFact(
            "unknowns",
            lambda m: m.functions[0].solved,
            "What the equations are solved for: whichever is fewer and loses fewer digits.",
            level="solver",
        ),
        LEFT_OUT,
        RESIDUAL,
    )

    @property
    def left_out(self) -> float:
        """The share of the kernel's trace that the centres do not represent."""
        return self.functions[0].left_out

    @property
    def residual(self) -> float:
        """The largest relative error of the functions' equations."""
        return max(function.residual for function in self.functions)

    @property
    def expansion(self) -> Expansion:
        """The function of two classes, or that of the first of several."""
        return self.functions[0].expansion

    @property
    def coef(self) -> Array | None:
        """The weights (d,) of two classes with the linear kernel, else None."""
        return self.functions[0].coef if len(self.functions) == 1 else None

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The score as offset and terms, the largest of which are named and shown."""
        return explained_class(self.functions, self.classes, x, names, "sample")


@dataclass(frozen=True, eq=False)
class ClassRegressions(Regressions):
    """The regressions on the classes: one for two of them, else one per class."""

    classes: AnyArray
    codes: Labels
    """(n,) the class of each sample, as an index of `classes`."""

    @classmethod
    def given(
        cls, algorithm: RegularizedKernelMethod, X: Array, y: AnyArray | None, sample_weight: Array | None
    ) -> ClassRegressions:
        """The problem of the samples that have weight; raises `CannotFit`."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, codes = several_classes(y)
        targets = encode_targets(codes, len(classes))
        first = KernelRidgeProblem.given(algorithm, X, targets[0], weights)
        others = (replace(first, y=target, target_offset=weighted_mean(target, first.share)) for target in targets[1:])
        return cls((first, *others), classes, codes)

    def comparable(self, old: Regressions) -> bool:
        """Whether they are on the same classes, too."""
        return (
            isinstance(old, ClassRegressions) and np.array_equal(self.classes, old.classes) and super().comparable(old)
        )

    def model(self, parts: list[KernelRidgeModel]) -> KernelRLSModel:
        """The classifier, which judges itself where its regressions do."""
        alone = [
            one.y - part.leave_one_out
            for one, part in zip(self.each, parts, strict=True)
            if part.leave_one_out is not None
        ]
        error = float(np.mean(decode_targets(np.stack(alone)) != self.codes)) if alone else None
        return KernelRLSModel(tuple(parts), error, classes=self.classes)
