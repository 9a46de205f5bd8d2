"""Support vector regression, exact for any kernel here. Drucker and others, NIPS 9 (1997) 155-161."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from mlviz.algorithms.base import Code, Follower, Traits
from mlviz.algorithms.checking import weighted_values
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.kernel_ridge import kernel_terms_overlay
from mlviz.algorithms.kernels.parameters import KernelMethod
from mlviz.algorithms.kernels.piecewise_loss import PiecewiseDual
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution
from mlviz.algorithms.kernels.piecewise_solving import PiecewiseFollower, first_draft, matrix_meanwhile, solutions
from mlviz.algorithms.margin.svr.model import SVRModel
from mlviz.algorithms.margin.svr.pictures import loss_chart, slack, support_vectors, tube
from mlviz.algorithms.traits import Trial
from mlviz.draw.numbers import number
from mlviz.draw.overlays import gram, regions, slices
from mlviz.numerics.arrays import AnyArray, Array, Rows, scattered
from mlviz.spec import real


@dataclass(frozen=True)
class SVR(KernelMethod):
    """A curve with a tube about it, within which errors cost nothing.

    Support vector regression looks for a function f(x) = w·φ(x) + b that is calm, that is, has a short w, and leaves
    no sample farther away than ε, if it can. What a sample is farther than that is its slack, ξ above the tube and ξ*
    below it, at a price C a unit:

        minimise  ½ |w|² + C Σ (ξᵢ + ξᵢ*)    with  −ε − ξᵢ* ≤ yᵢ − f(xᵢ) ≤ ε + ξᵢ,  ξᵢ, ξᵢ* ≥ 0

    So the loss of a sample is max(0, |y − f(x)| − ε): nothing up to ε, and from there on it grows straight, not as a
    square. An outlier pulls no harder than any other sample outside of the tube. The solution is
    w = Σ (αᵢ − αᵢ*) φ(xᵢ) with 0 ≤ αᵢ, αᵢ* ≤ C, at most one of both above 0: only the support vectors matter, which
    lie on the edge of the tube or outside. A kernel k(x, x') = φ(x)·φ(x') bends the curve without ever computing φ.

    A large ε leaves few support vectors and a coarse curve, a small one nearly all samples. A large C makes the curve
    follow the samples, a small one makes it calm. With ε = 0 the sum of the absolute residuals is what counts: the
    curve goes through the middle of the samples, as a median does.

    In the picture, with one input: the band is the tube, with dashed edges f ± ε. Ringed samples are support vectors:
    free ones (0 < α < C) lie on an edge, those with a double ring are at the bound (α = C), outside the tube, and the
    thin segment to the edge is their slack. Switch the residuals on to see what they are to the curve itself, or the
    bumps, the terms (αᵢ − αᵢ*) k(xᵢ, x) of which the curve is the sum. With two inputs the prediction is a shade: blue
    where it is small, orange where it is large, and the support vectors are ringed.

    In the side plots: the loss over the residual with all samples on it, where ε can be dragged; the kernel itself, and
    the Gram matrix of all k(xᵢ, xⱼ) with its eigenvalues. With two inputs also the prediction along a line, as the sum
    of b and the bumps. Among the facts, the primal and the dual objective meet at the solution: their gap bounds the
    error of it.

    With more than 3000 samples the curve is fitted on 1000 of them, drawn at random, whose C is raised to stand for
    all; the line under the picture then says so.

    Reference: Smola and Schölkopf, A tutorial on support vector regression, Statistics and Computing 14 (2004) 199-222.
    """

    id = "svr"
    label = "support vector regression"
    family = "Regression"
    tasks = ("regression",)
    main = "epsilon"
    trials = (
        Trial("only the ringed samples hold the curve", "sine"),
        Trial("a wide tube: few support vectors are left, and a coarse curve", "sine", {"epsilon": 1.0}),
        Trial("the median: half of the samples above, half below", "linear", {"kernel": "linear", "epsilon": 0.0}),
    )
    overlays = (
        regions.value_field,
        tube,
        kernel_terms_overlay,
        replace(regions.residuals, shown=False),
        slack,
        regions.curve,
        support_vectors,
        slices.line,
    )
    charts = (loss_chart, slices.slice_chart, *gram.charts)
    traits = Traits(playable=False)

    C: float = real(
        1.0,
        soft=(0.01, 1000.0),
        valid=(1e-9, 1e9),
        log=True,
        help="the price of slack: large for few samples outside the tube, small for a calm curve",
        equivalent=lambda svr, n: f"λ = 1/(2 C n) = {number(1 / (2 * svr.C * max(n, 1)))}",
    )
    epsilon: float = real(
        0.3,
        soft=(0.0, 2.0),
        valid=(0.0, 1e9),
        label="ε",
        help="half the height of the tube: errors up to here cost nothing",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[SVRModel]:
        """Yield models, the last of which is the exact one."""
        problem, make = self._given(X, y, sample_weight, ordered=True)
        draft = first_draft(problem, make)
        K = yield from matrix_meanwhile(problem, problem.features, draft)
        yield make((yield from solutions(problem, problem.features, K, draft, make)))

    def _given(self, X: Array, y: AnyArray | None, sample_weight: Array | None, ordered: bool) -> _Given:
        """The problem of those data, and what makes a model of a solution of it; raises `CannotFit`."""
        rows, used, target, weights = weighted_values(X, y, sample_weight, ordered)
        price = self.C * weights
        problem = PiecewiseDual.given(self.kernel_for(used), X, rows, target, price, price, self.epsilon)
        return problem, partial(self._model, X, scattered(target, rows, len(X)))

    def _model(self, X: Array, y: Array, found: PiecewiseSolution) -> SVRModel:
        return SVRModel(X=X, y=y, solution=found, C=self.C, epsilon=self.epsilon)

    def line_objective(self) -> LineObjective | None:
        """That of straight functions, which the linear kernel has."""
        name = "primal objective"
        told = LineObjective("epsilon-insensitive", l2=0.5, total=self.C, name=name, shape=self.epsilon)
        return told if self.kernel == "linear" else None

    def code(self, model: SVRModel) -> Code:
        """SVR."""
        imports, kernel = self.matrix_kernel_code()
        return Code(
            (*imports, "from sklearn.svm import SVR"), (f"SVR(C={self.C!r}, epsilon={self.epsilon!r}, {kernel})",)
        )

    def follower(self) -> Follower:
        """One that starts from its last solution."""
        return SVRFollower()


_Given = tuple[PiecewiseDual, Callable[[PiecewiseSolution], SVRModel]]


class SVRFollower(PiecewiseFollower):
    """Keeps the Gram matrix and the solution."""

    def update(
        self, algorithm: SVR, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> SVRModel:
        """The model of the changed data or hyperparameters, the best one found until `deadline`."""
        problem, make = algorithm._given(X, y, sample_weight, ordered=False)
        (solution,) = self.followed([problem], deadline)
        return make(solution)

    def moved(
        self, algorithm: SVR, X: Array, y: AnyArray | None, rows: Rows | slice, deadline: float
    ) -> SVRModel | None:
        """The model if all that is new are these rows of X and y; None where that takes an update."""
        found = self.solutions_of_moved(X, y, rows, deadline)
        return algorithm._model(X, found[0].program.y, found[0]) if found else None
