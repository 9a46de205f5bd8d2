"""Linear regression step by step: the settings, the way down, and the model at each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from mlviz.algorithms.base import CannotFit, ModelFact
from mlviz.algorithms.bases import BasisMethod
from mlviz.algorithms.checking import refuse_larger
from mlviz.algorithms.linear.linear_regression.facts import FACTS
from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.algorithms.linear.linear_regression.problem import RegressionProblem
from mlviz.algorithms.linear_model import stage_of
from mlviz.draw.numbers import counted, number
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.convex.gradient_descent import Rule, accelerated, descent, stochastic
from mlviz.numerics.convex.newton import Iterate
from mlviz.numerics.convex.squared_loss import SquaredLoss, SquaredSurface
from mlviz.numerics.linalg.least_squares import Solution
from mlviz.numerics.pauses import finished
from mlviz.spec import choice, integer, real

EXACT, ACCELERATED, BY_COORDINATES = "exact", "gradient, accelerated", "coordinate descent"
RULES: dict[str, Rule] = {
    "gradient, fixed step": "fixed",
    "gradient, 1/L": "1/L",
    "gradient, line search": "line search",
    "gradient, bold driver": "bold driver",
}
_STOCHASTIC = ("SGD", "mini-batch")
_STEPWISE = (*RULES, ACCELERATED, BY_COORDINATES, *_STOCHASTIC)
_TRUE_ON_THE_WAY = ("R²", "|w|", "|w|₁", "non-zero weights", "offset", "in powers of x", "terms")
"""The facts that hold of any weights; the others are those of the minimum."""
_REMEMBERED = 256
"""A longer path keeps every other place."""
_NEAR_MINIMUM = 1e-6
"""An objective nearer to its minimum, as a share of the one at the start, has arrived."""
_LARGEST = 1e70
"""Of larger inputs and targets the square of a gradient is no number."""


@dataclass(frozen=True, kw_only=True)
class DescentSettings(BasisMethod, abstract=True):
    """How the minimum is looked for."""

    solver: str = choice(
        EXACT,
        *_STEPWISE,
        help="exact: the minimum itself; all others go towards it step by step, from weights and offset 0",
        aliases={"closed form": EXACT, "ISTA": "gradient, 1/L", "FISTA": ACCELERATED},
    )
    learning_rate: float = real(
        0.1,
        soft=(1e-3, 10.0),
        valid=(1e-12, 1e9),
        log=True,
        label="η",
        help="by what the gradient is multiplied; the bold driver only begins with it",
        when=("solver", ("gradient, fixed step", "gradient, bold driver", *_STOCHASTIC)),
    )
    batch_size: int = integer(
        16, soft=(2, 100), valid=(1, 10_000), help="samples drawn for each step", when=("solver", ("mini-batch",))
    )
    max_iter: int = integer(
        200,
        soft=(10, 2000),
        valid=(1, 50_000),
        label="steps",
        help="how many steps at most",
        when=("solver", _STEPWISE),
    )

    def ways_down(self, problem: RegressionProblem, rng: np.random.Generator) -> Iterator[DescendedModel]:
        """Yield the model without weights and the one after each step."""
        refuse_larger(problem.X, _LARGEST)
        if not np.abs(problem.y).max() < _LARGEST:
            raise CannotFit("The targets are too large for gradients to be computed.")
        way = Descent(problem)
        path = np.empty((0, 2))
        first = None
        for iterate in way.iterates(self, rng):
            first = iterate if first is None else first
            path = np.concatenate((path[::2] if len(path) >= _REMEMBERED else path, way.on_plane(iterate.at)))
            yield DescendedModel(
                problem, way.solution(iterate.at), way, iterate, path, way.caveat(self, iterate, first)
            )


class Descent:
    """The objective in the parameters that are stepped through: a weight for each function of the basis, and b.

    Of the linear basis these are the inputs as they are, and b is the value where all are 0: what a lecture's gradient
    has. Of all others they are what a penalty acts on.
    """

    def __init__(self, problem: RegressionProblem) -> None:
        """The minimum of the problem is found only where it is asked for."""
        self.problem = problem
        basis = problem.basis
        self._plain = isinstance(basis, Monomials) and not basis.mapped
        columns = problem.X if self._plain else problem.penalized_terms
        p = columns.shape[1]
        self.loss = SquaredLoss(
            np.vstack((columns.T, np.ones(len(columns)))),
            problem.y,
            problem.weights,
            np.append(np.full(p, problem.l2), 0.0),
        )
        self.prices = np.append(np.full(p, problem.l1), 0.0)

    def iterates(self, settings: DescentSettings, rng: np.random.Generator) -> Iterator[Iterate]:
        """Yield the places on the way."""
        start, most, rate = np.zeros(len(self.prices)), settings.max_iter, settings.learning_rate
        if settings.solver in _STOCHASTIC:
            batch = settings.batch_size if settings.solver == "mini-batch" else 1
            return stochastic(self.loss, self.prices, start, rate, batch, most, rng)
        if settings.solver == BY_COORDINATES:
            return self.loss.coordinate_descent(self.prices, start, most)
        if settings.solver == ACCELERATED:
            return accelerated(self.loss, self.prices, start, most)
        return descent(self.loss, self.prices, start, RULES[settings.solver], rate, most)

    def solution(self, at: Array) -> Solution:
        """The weights of the functions of the basis, and the offset that belongs to them."""
        w, b = at[:-1], float(at[-1])
        basis = self.problem.basis
        if self._plain and isinstance(basis, Monomials):
            b += float(w @ basis.center)
        return Solution(w * basis.unit, b, len(w))

    @cached_property
    def lowest(self) -> Array:
        """The parameters of the minimum."""
        best, basis = finished(self.problem.solved()), self.problem.basis
        w, b = best.coef / basis.unit, best.intercept
        if self._plain and isinstance(basis, Monomials):
            b -= float(w @ basis.center)
        return np.append(w, b)

    @property
    def knows_minimum(self) -> bool:
        """Whether the minimum is found soon enough to say how far away it is."""
        return not (self.problem.many or self.problem.slow)

    @cached_property
    def least(self) -> float:
        """The objective at the minimum."""
        return self.loss.value(self.lowest)[0] + float(self.prices @ np.abs(self.lowest))

    @cached_property
    def longest(self) -> float:
        """A fixed step must be shorter than this, 2/L, or it overshoots further each time."""
        return 2 / max(self.loss.steepest(), 1e-300)

    @cached_property
    def surface(self) -> SquaredSurface | None:
        """The objective over weight and offset, or over two weights with the best offset, where these are of inputs."""
        loss, p = self.loss, len(self.prices) - 1
        if p > 2 or not self._plain:
            return None
        free = p == 2
        columns, squares, prices = ((part[:-1] if free else part) for part in (loss.inputs, loss.penalty, self.prices))
        return SquaredSurface(columns, loss.y, loss.shares, squares, prices, free)

    def on_plane(self, at: Array) -> Array:
        """Where parameters are in it, (1, 2); (0, 2) where there is none."""
        return np.empty((0, 2)) if self.surface is None else at[None, :2]

    def caveat(self, settings: DescentSettings, iterate: Iterate, first: Iterate) -> str:
        """What the line under the picture must not hide."""
        too_long = settings.solver == "gradient, fixed step" and settings.learning_rate >= self.longest
        beyond = f"η is not below 2/L = {number(self.longest, 3)}: each step overshoots further than the one before"
        if iterate.ran_away:
            return beyond if too_long else "η is too large: the weights grew without bound"
        if iterate.settled or iterate.steps < settings.max_iter:
            return ""
        if iterate.value > first.value:
            return beyond if too_long else "η is too large: the objective is higher than at the start"
        if not self.knows_minimum:
            return f"stopped after {counted(iterate.steps, 'step')}"
        above = iterate.value - self.least
        return (
            f"after {counted(iterate.steps, 'step')} still {number(above, 2)} above the minimum"
            if above > _NEAR_MINIMUM * first.value
            else ""
        )


def step_of(turn: int, count: int) -> str:
    """What a step does that sets one of `count` parameters, of which the offset is the last."""
    return f"{'offset' if turn == count - 1 else f'weight {turn + 1}'} at its best"


@dataclass(frozen=True, eq=False)
class DescendedModel(LinearRegressionModel):
    """The function whose weights a solver has come to."""

    way: Descent
    iterate: Iterate
    way_down: Array
    """(m, 2) the places so far in the `surface`; (0, 2) where there is none."""
    caveat: str = ""
    at_minimum = False

    known_facts: ClassVar[tuple[ModelFact, ...]] = (  # type: ignore[assignment]
        *(fact for fact in FACTS if fact.name in _TRUE_ON_THE_WAY),
        ModelFact(
            "gradient norm",
            lambda m: m.iterate.gradient_norm,
            "Length of the objective's slope along weights and offset, with an L1 penalty of the smallest one there is "
            "at its edges; 0 at the minimum.",
            level="solver",
        ),
        ModelFact("steps", lambda m: m.iterate.steps, "How many steps led here."),
        ModelFact(
            "above the minimum",
            lambda m: max(0.0, m.iterate.value - m.way.least) if m.way.knows_minimum else None,
            "How much lower the objective can become.",
            beside=lambda m: m.way.least if m.way.knows_minimum else 0.0,
        ),
        ModelFact(
            "step size",
            lambda m: m.iterate.step_size if np.isfinite(m.iterate.step_size) else None,
            "By what the gradient was multiplied in the last step.",
            level="solver",
        ),
        ModelFact(
            "longest step",
            lambda m: m.way.longest,
            "2/L, where L is the largest curvature of the objective: fixed steps must be shorter.",
            level="solver",
        ),
    )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """The step that led here."""
        turn = self.iterate.parameter
        return stage_of(self.iterate, step_of(turn, len(self.way.prices)) if turn is not None else "gradient step")

    @property
    def objective_name(self) -> str:  # type: ignore[override]
        """Its parts are named where there is but one: axes have no room for both."""
        penalized = self.problem.l1 or self.problem.l2
        return "objective" if penalized else "mean squared residual"

    @property
    def surface(self) -> SquaredSurface | None:
        """The objective, where it has two parameters."""
        return self.way.surface

    @property
    def lowest(self) -> Array:
        """Where its minimum is, (1, 2)."""
        return self.way.on_plane(self.way.lowest)
