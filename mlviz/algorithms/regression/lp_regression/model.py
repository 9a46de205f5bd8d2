"""A function with small losses: the problem that the models of one fit share, and the model of a step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.explaining import explained_value, told_sum
from mlviz.algorithms.regression.terms import SumOfTerms, Terms
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array, Mask, Rows
from mlviz.numerics.pauses import Work, finished
from mlviz.numerics.residuals.bounded_slopes import Optimum, outermost, with_bounded_slopes
from mlviz.numerics.residuals.breakdown import fewest_targets
from mlviz.numerics.residuals.concave_powers import MOST_WEIGHTS, best_of_many
from mlviz.numerics.residuals.losses import Huber, Loss, Power
from mlviz.numerics.residuals.power_newton import with_power
from mlviz.numerics.residuals.problem import ResidualProblem
from mlviz.numerics.residuals.reweighted_squares import LEAST, reweighted
from mlviz.spec.brief import Brief

_STEPS = 60
_MOST_SPOILT = 2000
"""With more samples it takes long to see how few of them carry a line away."""
_ROUGH = 1e-4
"""A larger gap is told beneath the picture."""
_NEARLY_MET = 1e-4
"""Where reweighting ends with residuals so small, as a share of the largest, they would be 0 at a minimum."""


@dataclass(frozen=True, eq=False)
class LpProblem(Brief):
    """What the models of one fit have in common."""

    terms: Terms
    rows: Rows
    """(n,) the row of each sample among those that were given."""
    X: Array
    y: Array
    weights: Array
    lambda_: float
    """0 without a penalty."""
    delta: float
    """That of Huber's loss where it stands beside another one."""
    equations: ResidualProblem
    _known: dict[Loss, LpModel] = field(default_factory=dict)

    def is_square(self, loss: Loss) -> bool:
        """Whether the least squares are the minimum."""
        return self.equations.unit == 0 or (isinstance(loss, Power) and loss.p == 2)

    def minimum(self, loss: Loss) -> Work[LpModel]:
        """Find the model of the minimum."""
        start = np.zeros(len(self.equations.M))
        if self.is_square(loss):
            return LpModel(self, loss, start, None, gap=0.0)
        if isinstance(loss, Huber) or loss.p == 1:
            found = yield from with_bounded_slopes(self.equations, loss)
        elif loss.p > 1:
            found = yield from with_power(self.equations, loss.p)
        else:
            return (yield from self._concave(loss))
        told = "one of several: other functions have the same mean |r|" if found.several else ""
        return LpModel(self, loss, found.z, None, gap=found.gap, told=told, optimum=found)

    def _concave(self, loss: Power) -> Work[LpModel]:
        """Find the best of many local minima."""
        start = np.zeros(len(self.equations.M))
        absolute = (yield from with_bounded_slopes(self.equations, Power(1.0))).z
        if len(start) > MOST_WEIGHTS:
            return (yield from self._reweighted(loss, (start, absolute)))
        found = yield from best_of_many(self.equations, loss.p, [start, absolute], np.column_stack((self.X, self.y)))
        if found is None or self.lambda_:
            starts = (start, absolute) if found is None else (start, absolute, found.z)
            return (yield from self._reweighted(loss, starts))
        through = f"functions through {len(start)} of the samples" if len(start) > 1 else "samples"
        if found.all_compared and found.compared == 1:
            return LpModel(self, loss, found.z, None, told="global: no other function passes through as many samples")
        kind, how = ("global", "of all") if found.all_compared else ("local", "found from")
        return LpModel(self, loss, found.z, None, told=f"{kind}: the best {how} {found.compared} {through}")

    def _reweighted(self, loss: Power, starts: tuple[Array, ...]) -> Work[LpModel]:
        """Find a local minimum from each of the starts by reweighting; the best of what was met is taken."""
        tried = list(starts)
        for z in starts:
            end = z
            for step in reweighted(self.equations, loss, z, _STEPS):
                end = step
                yield
            tried += [end, self.equations.through(end, _NEARLY_MET)]
        values = np.array([self.equations.objective(loss, z) for z in tried])
        best = int(np.flatnonzero(values <= values.min() * (1 + 1e-12))[0])
        return LpModel(self, loss, tried[best], None, told=f"local: the best found from {len(starts)} starts")

    def other(self, loss: Loss) -> LpModel:
        """The model of the minimum for another loss."""
        if loss not in self._known:
            self._known[loss] = finished(self.minimum(loss))
        return self._known[loss]


@dataclass(frozen=True, eq=False)
class LpModel(SumOfTerms):
    """A function: that of coordinates z (q,) of the problem, after so many steps; None for the minimum."""

    problem: LpProblem
    loss: Loss
    z: Array
    step: int | None
    gap: float | None = None
    told: str = ""
    """Which minimum it is, where there are several."""
    optimum: Optimum | None = None
    """What it is the minimum by, where the loss is convex."""

    known_facts = (
        ModelFact(
            "objective",
            lambda m: m.objective if np.isfinite(m.objective) else None,
            "The mean loss of the residuals plus the penalty, which is made as small as possible.",
        ),
        ModelFact(
            "mean |r|",
            lambda m: float(m.problem.equations.share @ np.abs(m.residuals)),
            "The mean size of the residuals.",
        ),
        ModelFact("largest |r|", lambda m: m.largest, "The largest residual, without its sign."),
        ModelFact(
            "minimum",
            lambda m: m.told or None,
            "Which of the many local minima is shown, for p < 1; for p = 1 whether others are equally good.",
        ),
        ModelFact(
            "samples on the curve",
            lambda m: int(m.met.sum()),
            "How many samples the function passes through.",
        ),
        ModelFact(
            "breakdown",
            lambda m: m.breakdown,
            "How few targets can carry the function as far as they like, the inputs being as they are: one where "
            "the pull of a residual grows with it. A sample that may be moved to the side as well does it alone.",
        ),
        ModelFact(
            "|w|",
            lambda m: float(np.linalg.norm(m.coef)),
            "Length of the weight vector, without the offset.",
            level="more",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "What is added to the weighted terms.",
            beside=lambda m: float(np.abs(m.problem.y).max()),
            level="more",
        ),
        ModelFact(
            "duality gap",
            lambda m: m.gap,
            "How far above the minimum the objective is at most, as a share of it; for p < 1 there is no such bound.",
            level="solver",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the gradient of the objective, as a share of what its terms come to without their signs; none "
            "where the loss has a corner at 0.",
            level="solver",
        ),
    )

    def minima(self, X: Array) -> Array:
        """The values (k, n) of the outermost of several minima, of which all others are means.

        None where the samples leave other functions that have the same values at all of them, and any elsewhere.
        """
        equations, basis = self.problem.equations, self.problem.terms.basis
        if self.optimum is None or equations.Q.shape[1] < 1 + basis.size - basis.constants:
            return np.empty((0, len(X)))
        found = tuple(outermost(equations, self.optimum))
        return np.array([replace(self, z=z).predict(X) for z in found]).reshape(-1, len(X))

    @cached_property
    def _weights(self) -> tuple[Array, float]:
        return self.problem.equations.weights(self.z)

    @property
    def terms(self) -> Terms:
        """Those of the basis."""
        return self.problem.terms

    @property
    def coef(self) -> Array:
        """(p,) the weights of the terms."""
        return self._weights[0]

    @property
    def intercept(self) -> float:
        """The offset b."""
        return self._weights[1]

    @property
    def stage(self) -> str:  # type: ignore[override]
        """The step that led here."""
        if self.step is None:
            return "minimum"
        return "least squares" if self.step == 0 else f"reweighted {self.step} times"

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """Where the minimum is not known to be the global one, or not exact."""
        if self.told.startswith("local"):
            return "a local minimum"
        if self.told.startswith("one of"):
            return "one of several minima"
        rough = self.gap is not None and self.gap > _ROUGH
        return f"objective within {number(100 * (self.gap or 0.0), 1)} % of the minimum" if rough else ""

    @cached_property
    def residuals(self) -> Array:
        """What is left of the targets (n,), 0 where that is rounding."""
        equations = self.problem.equations
        return equations.without_rounding(self.z) * equations.unit

    @property
    def met(self) -> Mask:
        """Which samples (n,) the function passes through."""
        return np.asarray(self.residuals == 0)

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The mean loss and the penalty."""
        return self.problem.equations.objective(self.loss, self.z)

    @property
    def largest(self) -> float:
        """The size of the largest residual."""
        return float(np.abs(self.residuals).max())

    @property
    def sample_weights(self) -> Array:
        """With which weights (n,) squares pull as the loss does, the largest being 1."""
        equations = self.problem.equations
        return self.loss.relative_weights(self.residuals, max(LEAST * equations.unit, np.finfo(np.float64).tiny))

    @property
    def breakdown(self) -> str | None:
        """How many of how many targets, as a text; None where that is not known."""
        n, problem = len(self.problem.y), self.problem
        if isinstance(self.loss, Power) and self.loss.p > 1:
            return f"1 of {n} targets"
        straight = problem.X.shape[1] == 1 and problem.terms.straight
        if (not straight and not problem.lambda_) or n > _MOST_SPOILT:
            return None
        p = self.loss.p if isinstance(self.loss, Power) else 1.0
        fewest = fewest_targets(problem.X[:, 0], problem.equations.share, p, not problem.lambda_)
        return f"{fewest} of {n} targets"

    @cached_property
    def gradient_norm(self) -> float | None:
        """The gradient's length, as a share of what it sums up without the signs."""
        if isinstance(self.loss, Power) and self.loss.p <= 1:
            return None
        equations, largest = self.problem.equations, self.largest
        if not largest > 0:
            return 0.0
        slopes = equations.share * self.loss.in_units(largest).slopes(
            equations.residuals(self.z) * (equations.unit / largest)
        )
        power = 2.0 if isinstance(self.loss, Huber) else self.loss.p
        # In units of the largest residual, as the losses are.
        unit = equations.unit / largest
        pull = equations.penalty_for(power, 1 / unit) @ (equations.origin + self.z) * unit
        now = float(np.linalg.norm(equations.Q.T @ slopes - 2 * pull))
        terms = float(np.linalg.norm(np.abs(equations.Q).T @ np.abs(slopes)))
        return now / terms if terms > 0 else 0.0

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction as the sum of its largest terms."""
        value, problem = float(self.predict(x[None])[0]), self.problem
        called = problem.terms.names([names.of_input(j) for j in range(problem.X.shape[1])])
        inputs = problem.terms.values(x[None])[0]
        beside = float(np.abs(problem.y).max())
        told = told_sum(value, self.intercept, self.coef, inputs, called.__getitem__, digits=4, beside=beside)
        return explained_value(f"prediction {told}.", x, value)
