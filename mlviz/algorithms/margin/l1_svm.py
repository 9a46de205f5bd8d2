"""The support vector machine with the L1 penalty, exact. Zhu, Rosset, Hastie and Tibshirani, NIPS 16 (2003) 49-56."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, Follower, ModelFact, Traits, last_until
from mlviz.algorithms.checking import refuse_larger, weighted_rows
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.linear_model import LinearMargin
from mlviz.algorithms.margin.svm.model import margin_widths
from mlviz.algorithms.targets import two_classes
from mlviz.algorithms.traits import Trial
from mlviz.draw.numbers import number
from mlviz.draw.overlays import charts, margins, regions
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, scattered
from mlviz.numerics.pauses import thinned
from mlviz.numerics.sampling import MergedSamples, merge_equal_samples
from mlviz.numerics.svm.hinge_simplex import Vertex, hinge_simplex
from mlviz.numerics.svm.tube import hinge_offset
from mlviz.spec import real
from mlviz.spec.brief import Brief

_ROUNDING = 1e-13
"""A slack below this, for weights of 1, is none."""
_LEAST_SPREAD = 1e-200
"""An input that varies by less counts as constant: its weight could not be written down."""
_STEPS = 50_000
"""After about so many numbers looked at, a model is yielded."""


@dataclass(frozen=True)
class L1SVM(Algorithm):
    """A street between two classes that leaves inputs out.

    Like the support vector machine it looks for a linear function f(x) = w·x + b and charges each sample its slack, but
    it holds back the sum of the weights' magnitudes instead of their squares:

        minimise  (1/n) Σ max(0, 1 − yᵢ f(xᵢ)) + λ |w|₁    with  |w|₁ = Σ |wⱼ|,  y = ±1

    A square costs next to nothing near 0, a magnitude costs as much there as anywhere: so weights that gain little
    become exactly 0, and their inputs are left out. The larger λ, the more of them. The objective consists of flat
    pieces that meet in edges and corners, and one of its corners is a minimum: it is found exactly, by walking from
    corner to corner.

    In the picture: on the plane the boundary is often parallel to an axis; then the other input alone decides. The
    dashed lines are the margins f = ±1, ringed samples lie on theirs or beyond it, the thin segments are the slack. At
    the corner that is found, no more samples lie on a margin than there are weights other than 0, and one. Weights
    depend on the units of the inputs: standardize to compare them.

    Reference: Zhu, Rosset, Hastie and Tibshirani, 1-norm support vector machines, NIPS 16 (2003), pages 49-56.
    """

    id = "l1-svm"
    label = "L1 support vector machine"
    family = "Margin classifiers"
    tasks = ("classification",)
    main = "lambda_"
    trials = (
        Trial("the wide street of a small weight vector", "two-gaussians", {"lambda_": 0.1}),
        Trial("which weights become zero", "two-gaussians", {"lambda_": 0.5}),
    )
    traits = Traits(playable=False, multiclass=False)
    overlays = (
        regions.regions,
        margins.slack,
        regions.boundary,
        margins.margin_lines,
        margins.support_vectors,
        regions.misclassified,
    )
    charts = (charts.weights_chart,)

    lambda_: float = real(
        0.01,
        soft=(1e-5, 1.0),
        valid=(1e-12, 1e12),
        log=True,
        label="λ",
        help="weight of the penalty: large for few inputs, small for few errors",
        equivalent=lambda algorithm, n: f"C = 1/(λ n) = {number(1 / (algorithm.lambda_ * max(n, 1)))}",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[L1SVMModel]:
        """Yield models on the way, the last of which is the exact one."""
        problem = L1SVMProgram.of(self, X, y, sample_weight)
        yield from map(problem.model, thinned(problem.vertices(None), problem.A.size, _STEPS))

    def line_objective(self) -> LineObjective:
        """That of straight functions."""
        return LineObjective("hinge", l1=self.lambda_)

    def code(self, model: L1SVMModel) -> Code:
        """SGDClassifier, which comes near."""
        fit = f'SGDClassifier(loss="hinge", penalty="l1", alpha={self.lambda_!r}, max_iter=5000, tol=1e-6, '
        return Code(("from sklearn.linear_model import SGDClassifier",), (fit + "random_state=0)",))

    def follower(self) -> Follower:
        """One that starts from the corner that it found last."""
        return L1SVMFollower()


@dataclass(frozen=True, eq=False)
class L1SVMProgram(Brief):
    """The program in inputs z = (x - center) / scale, between -1 and 1, of the samples that are different."""

    classes: AnyArray
    X: Array
    rows: Rows
    """(r,) the samples with weight."""
    samples: MergedSamples
    center: Array
    scale: Array
    A: Array
    """(m, d + 1): y times z and 1."""
    share: Array
    """(m,) the weights, which sum to one."""
    bound_name: str
    penalty: Array
    """(d + 1,) what a unit of each variable costs: 0 for the offset."""

    @classmethod
    def of(cls, algorithm: L1SVM, X: Array, y: AnyArray | None, sample_weight: Array | None) -> L1SVMProgram:
        """The problem of the samples that have weight; raises `CannotFit`."""
        rows, used, target, weights = weighted_rows(X, y, sample_weight)
        classes, signs = two_classes(algorithm.label, target)
        refuse_larger(used)
        samples = merge_equal_samples(used, signs, weights)
        low, high = samples.X.min(axis=0), samples.X.max(axis=0)
        center, half = low / 2 + high / 2, high / 2 - low / 2
        varies = half > np.maximum(4 * np.finfo(np.float64).eps * np.abs(center), _LEAST_SPREAD)
        scale = np.where(varies, half, 1.0)
        Z = np.where(varies, (samples.X - center) / scale, 0.0)
        A = samples.y[:, None] * np.column_stack((Z, np.ones(len(Z))))
        penalty = np.append(algorithm.lambda_ / scale, 0.0)
        name = "1/n" if np.isclose(weights, weights[0], rtol=1e-9).all() else "weight/n"
        return cls(classes, X, rows, samples, center, scale, A, samples.weight / samples.weight.sum(), name, penalty)

    def vertices(self, basis: Labels | None) -> Iterator[Vertex]:
        """The corners on the way to the solution, from that of `basis`."""
        return hinge_simplex(self.A, self.share, self.penalty, basis)

    def named(self, vertex: Vertex) -> Labels:
        """The vertex's basis by rows of X, and by -1, -2, ... for weights."""
        m = len(self.A)
        representative = np.empty(m, dtype=np.intp)
        representative[self.samples.group[::-1]] = self.rows[::-1]
        hinge = vertex.basis < m
        return np.where(hinge, representative[np.where(hinge, vertex.basis, 0)], m - 1 - vertex.basis)

    def found(self, named: Labels) -> Labels | None:
        """The basis so named, or None where not all of its samples are there."""
        place = np.full(len(self.X), -1)
        place[self.rows] = self.samples.group
        if named.max(initial=-1) >= len(self.X) or len(named) != self.A.shape[1] or named.min() <= -len(named):
            return None
        basis = np.where(named >= 0, place[np.maximum(named, 0)], len(self.A) - 1 - named)
        return None if (basis < 0).any() or len(np.unique(basis)) < len(basis) else basis

    def model(self, vertex: Vertex) -> L1SVMModel:
        """The model at a vertex; of several best offsets the middle one."""
        w, y = vertex.u[:-1], self.A[:, -1]
        values = y * (self.A[:, :-1] @ w)
        offset = hinge_offset(values, y, self.share)
        slack = 1 - y * (values + offset)
        slack[slack < _ROUNDING * (1 + np.abs(w).sum())] = 0.0
        loss, size = float(self.share @ slack), float(self.penalty[:-1] @ np.abs(w))
        used, bounded = vertex.alpha > 1e-9 * self.share, vertex.alpha > (1 - 1e-9) * self.share

        def spread(values: AnyArray) -> AnyArray:
            return scattered(values[self.samples.group], self.rows, len(self.X))

        return L1SVMModel(
            classes=self.classes,
            coef=w / self.scale,
            center=self.center,
            offset=offset,
            X=self.X,
            signs=spread(y),
            slack=spread(slack),
            alpha=spread(vertex.alpha / self.share),
            at_bound=spread(bounded),
            support=np.flatnonzero(spread(used)),
            bound_name=self.bound_name,
            hinge_loss=loss,
            objective=loss + size,
            dual_objective=float(vertex.alpha.sum()),
            caveat="" if w.any() else "λ is so large that all weights are 0",
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class L1SVMModel(LinearMargin):
    """f(x) = coef . x + intercept; `alpha` (n,) are the multipliers as shares of their bounds."""

    hinge_loss: float
    objective: float
    dual_objective: float
    caveat: str
    bound_name: str
    """What the largest possible alpha is called."""
    known_facts = (
        ModelFact(
            "zero weights",
            lambda m: int((m.coef == 0).sum()),
            "Inputs that the boundary does not depend on at all: their weights are exactly 0.",
        ),
        ModelFact(
            "|w|₁",
            lambda m: float(np.abs(m.coef).sum()),
            "Sum of the magnitudes of the weights, which λ multiplies.",
        ),
        ModelFact(
            "hinge loss",
            lambda m: m.hinge_loss,
            "Mean of max(0, 1 − y f(x)): the objective without its penalty.",
        ),
        ModelFact(
            "support vectors",
            lambda m: len(m.support),
            "Samples with a multiplier α > 0. At the solution, the others could be left out without changing anything.",
        ),
        ModelFact(
            "free support vectors",
            lambda m: len(m.support) - int(m.at_bound.sum()),
            "Support vectors with 0 < α < 1/n, for a weighted sample its weight's share. At the solution they lie "
            "exactly on their margin.",
        ),
        *margin_widths(", as the eye sees it"),
        ModelFact(
            "objective",
            lambda m: m.objective,
            "Hinge loss plus λ |w|₁, which is made as small as possible.",
        ),
        ModelFact(
            "dual objective",
            lambda m: m.dual_objective,
            "Lower bound of the objective, by the α; at the solution both are equal.",
            level="solver",
        ),
        ModelFact(
            "relative duality gap",
            lambda m: max(0.0, m.objective - m.dual_objective) / max(abs(m.objective), 1e-300),
            "How far apart the two objectives are, as a share of the objective: the error of the solution.",
            level="solver",
        ),
    )


class L1SVMFollower:
    """Keeps the last corner: after a small change the new one is a few steps away."""

    _basis: Labels | None = None

    def update(
        self, algorithm: L1SVM, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> L1SVMModel:
        """The exact model, or how far it came at the deadline."""
        last, self._basis = self._basis, None
        problem = L1SVMProgram.of(algorithm, X, y, sample_weight)
        vertex = last_until(deadline, problem.vertices(None if last is None else problem.found(last)))
        self._basis = problem.named(vertex)
        return problem.model(vertex)
