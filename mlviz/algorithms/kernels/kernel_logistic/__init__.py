"""Kernel logistic regression with an offset. Zhu and Hastie, JCGS 14 (2005) 185-205."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code, Follower, Traits
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.kernel_logistic.model import KernelLogisticModel, KernelLogisticProblem
from mlviz.algorithms.kernels.parameters import MOST_SAMPLES, RegularizedKernelMethod, strength
from mlviz.algorithms.traits import Trial
from mlviz.draw.numbers import number
from mlviz.draw.overlays import charts, gram, probabilities, regions, slices
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.kernels.features import Nystroem

_EXACT = 1000
"""With more samples than this, a draft is a sum over few centres: a step takes the cube of the samples otherwise."""


@dataclass(frozen=True)
class KernelLogistic(RegularizedKernelMethod):
    """Probabilities of two classes, by log odds that may bend.

    Logistic regression in the space into which a kernel maps: the log odds of two classes y = ±1 are f(x) + b with
    f(x) = w·φ(x), so that P(y = +1 | x) = 1 / (1 + exp(−f(x) − b)), and

        minimise  (1/n) Σ log(1 + exp(−yᵢ (f(xᵢ) + b))) + λ |f|²,  |f| = |w|

    φ need never be computed. The solution is a sum of one bump for each sample, f(x) = Σ αᵢ k(xᵢ, x), with the kernel
    k(x, x') = φ(x)·φ(x') and |f|² = α'Kα. At the minimum 2nλ αᵢ yᵢ is the probability that the model gives to the wrong
    class of sample i: every sample has a bump, unlike with the support vector machine, but those well inside their
    class have next to none. The offset b is not penalised.

    There is one minimum. Newton's method finds it: each step solves least squares for targets and weights that come
    from the present probabilities (iteratively reweighted least squares). Play the steps to watch how few it takes.

    In the picture: the solid line is where both probabilities are 1/2, the thin ones where that of the class named in
    the legend is 0.1, 0.2, ... 0.9. The shade is by how much the likelier class leads. Far from all samples a narrow
    kernel has nothing to say, and the probabilities fall back to those of b: compare with the linear kernel, which is
    surest there. A small λ makes the lines follow single samples. Point at a place to see the samples that say most
    there; draw a line to see along it, in a side plot, the bumps of which the log odds are the sum.

    Several classes are told apart by several models: one for each pair of classes, which then vote (one-vs-one), or
    one for each class against all others (one-vs-rest).

    With more than 3000 samples, f is a sum of bumps at a few of them, which together represent the kernel as well as
    they can (Nyström's approximation); the line under the picture then says so. Linear kernels and polynomial ones of
    few terms are exact for any number of samples.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), sections 5.8 and 12.3; Zhu
    and Hastie, Kernel logistic regression and the import vector machine (2005).
    """

    id = "kernel-logistic"
    label = "kernel logistic regression"
    family = "Kernel classifiers"
    tasks = ("classification",)
    main = "lambda_"
    trials = (
        Trial("a boundary that goes around a class", "circles"),
        Trial("how much calmer the boundary gets", "moons", {"lambda_": 1.0}),
    )
    traits = Traits(multiclass=False, random_above=MOST_SAMPLES)
    overlays = (
        probabilities.regions,
        probabilities.contours,
        regions.boundary,
        regions.misclassified,
        slices.line,
    )
    charts = (charts.objective_chart, slices.slice_chart, *gram.charts)

    lambda_: float = strength(
        "weight of the penalty: large for flat probabilities, small for lines that follow single samples",
        lambda owner, n: f"C = 1/(2 λ n) = {number(1 / (2 * owner.lambda_ * max(n, 1)))}",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KernelLogisticModel]:
        """Yield the model without bumps and the one after each Newton step."""
        problem = KernelLogisticProblem.given(self, X, y, sample_weight)
        if problem.features is not None:
            yield from problem.models_in_features(problem.features)
        elif problem.many:
            yield from problem.models_in_centers(problem.few_centers(rng))
        else:
            yield from problem.models_in_samples()

    def line_objective(self) -> LineObjective | None:
        """That of straight functions, which the linear kernel has."""
        return LineObjective("logistic", l2=self.lambda_) if self.kernel == "linear" else None

    def code(self, model: KernelLogisticModel) -> Code:
        """LogisticRegression on the kernel's principal components: all of them lose nothing but what the offset is."""
        imports = ("from sklearn.decomposition import KernelPCA", "from sklearn.linear_model import LogisticRegression")
        fit = f"LogisticRegression(C=1 / (2 * len(y) * {self.lambda_!r}), tol=1e-6, max_iter=10_000)"
        return Code(imports, (f"KernelPCA({self.kernel_code(laplacian_known=False)})", fit))

    def follower(self) -> Follower:
        """One that starts from its last solution."""
        return KernelLogisticFollower()


class KernelLogisticFollower:
    """Keeps the last solution, and with many samples the centres."""

    _last: tuple[KernelLogisticProblem, KernelLogisticModel] | None = None
    _nystroem: Nystroem | None = None

    def update(
        self,
        algorithm: KernelLogistic,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> KernelLogisticModel:
        """The model of the changed data or hyperparameters, or how far it came at the deadline."""
        problem = KernelLogisticProblem.given(algorithm, X, y, sample_weight)
        last, self._last = self._last, None  # should anything below fail, the next call starts from nothing
        same = last is not None and last[0].kernel == problem.kernel and last[0].X.shape[1] == problem.X.shape[1]
        weights = last[1].weights if last is not None and same else None
        if problem.features is not None:
            model = _until(deadline, problem.models_in_features(problem.features, weights))
        elif len(problem.X) > _EXACT:
            if self._nystroem is None or last is None or not same or (last[0].origin != problem.origin).any():
                self._nystroem, weights = problem.few_centers(np.random.default_rng(0)), None
            model = _until(deadline, problem.models_in_centers(self._nystroem, weights))
        else:
            start = _start(*last, problem) if last is not None and same else None
            model = _until(deadline, problem.models_in_samples(start))
        self._last = problem, model
        return model


def _until(deadline: float, models: Iterator[KernelLogisticModel]) -> KernelLogisticModel:
    """The last of the models, or the first one after the deadline that has taken a step."""
    for model in models:
        if model.newton_steps and time.perf_counter() > deadline:
            break
    return model


def _start(
    old: KernelLogisticProblem, model: KernelLogisticModel, problem: KernelLogisticProblem
) -> tuple[Array, float] | None:
    """The last coefficients and offset, where the samples are the same but for a few; None where they are others."""
    if len(old.X) != len(problem.X) or model.weights is not None:
        return None
    a = model.dual_coef * problem.unit * (old.lambda_ / problem.lambda_)
    return np.where(problem.signs == old.signs, a, 0.0), model.expansion.offset
