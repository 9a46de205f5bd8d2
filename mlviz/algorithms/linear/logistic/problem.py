"""Logistic regression: from data to a loss, from a place in it to a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm
from mlviz.algorithms.checking import refuse_larger, weighted_rows
from mlviz.algorithms.linear.logistic.model import LogisticModel
from mlviz.algorithms.targets import several_classes
from mlviz.draw.numbers import counted, number
from mlviz.numerics.arrays import AnyArray, Array, Rows, without_rounding
from mlviz.numerics.convex.gradient_descent import Rule, descent, stochastic
from mlviz.numerics.convex.logistic_loss import BinaryLoss, Loss, SoftmaxLoss
from mlviz.numerics.convex.loss_surface import LossSurface
from mlviz.numerics.convex.newton import MOST_STEPS, Iterate, newton
from mlviz.numerics.standardizing import standardized
from mlviz.spec import choice, integer, real
from mlviz.spec.brief import Brief

STOCHASTIC_SOLVERS = ("SGD", "mini-batch")
_RULES: dict[str, Rule] = {
    "gradient, fixed step": "fixed",
    "gradient, 1/L": "1/L",
    "gradient, line search": "line search",
    "gradient, bold driver": "bold driver",
}
"""Solver -> how it chooses the length of a step."""
STEPWISE_SOLVERS = (*_RULES, *STOCHASTIC_SOLVERS)
_REMEMBERED = 256
"""A longer path keeps every other place."""
_NEAR_MINIMUM = 1e-6
"""An objective nearer to its minimum, as a share of 1, has arrived."""


@dataclass(frozen=True)
class LogisticSettings(Algorithm, abstract=True):
    """What a problem asks of the method."""

    lambda_: float = real(
        0.01,
        soft=(1e-6, 10.0),
        valid=(1e-12, 1e12),
        log=True,
        label="λ",
        help="weight of the penalty: large for flat probabilities, small for steep ones",
        when=("penalty", ("L2", "L1")),
        equivalent=lambda algorithm, n: _equivalent(algorithm, n),
    )
    penalty: str = choice(
        "L2", "L1", "none", help="what holds the weights back: their squares, their sizes, or nothing"
    )
    solver: str = choice(
        "Newton", *STEPWISE_SOLVERS, help="how the minimum is looked for", aliases={"newton": "Newton"}
    )
    learning_rate: float = real(
        0.03,
        soft=(1e-3, 10.0),
        valid=(1e-9, 1e6),
        log=True,
        label="η",
        help="by what the gradient is multiplied; the bold driver only begins with it",
        when=("solver", ("gradient, fixed step", "gradient, bold driver", *STOCHASTIC_SOLVERS)),
    )
    batch_size: int = integer(
        16, soft=(2, 100), valid=(1, 10_000), help="samples drawn for each step", when=("solver", ("mini-batch",))
    )
    max_iter: int = integer(
        500,
        soft=(10, 2000),
        valid=(1, 50_000),
        label="steps",
        help="how many steps at most",
        when=("solver", STEPWISE_SOLVERS),
    )


def _equivalent(algorithm: LogisticSettings, n: int) -> str:
    if algorithm.penalty == "L1":
        return f"C = 1/(λ n) = {number(1 / (algorithm.lambda_ * max(n, 1)))}"
    return f"C = 1/(2 λ n) = {number(1 / (2 * algorithm.lambda_ * max(n, 1)))}"


@dataclass(frozen=True, eq=False)
class LogisticProblem(Brief):
    """The loss in inputs z = (x - center) / scale; where these are standardized, rounding does no harm.

    The penalty stays that of the weights of x. Where there are more inputs than samples, an L2 penalty leaves the
    weights in the span of the samples: z = basis' (x - center) / scale.
    """

    loss: Loss
    prices: Array
    """What the L1 penalty takes for a unit of each parameter."""
    classes: AnyArray
    rows: Rows
    """(n,) which of the given samples they are: those with a weight."""
    center: Array
    scale: Array
    basis: Array | None
    """(d, n) orthonormal."""

    @classmethod
    def of(
        cls,
        algorithm: LogisticSettings,
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        plain: bool = False,
    ) -> LogisticProblem:
        """The problem in standardized inputs, or in the plain ones; raises `CannotFit`."""
        rows, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, codes = several_classes(y)
        shares = weights / weights.sum()
        d, basis = X.shape[1], None
        if plain:
            refuse_larger(X)
            center, scale, inputs = np.zeros(d), np.ones(d), X.T
        elif d > len(X) and algorithm.penalty != "L1":
            middle = shares @ X
            basis = np.linalg.qr((X - middle).T)[0]
            center, scale, inputs = standardized((X - middle) @ basis, shares)
            center = middle + basis @ center
        else:
            center, scale, inputs = standardized(X, shares)
        inputs = np.vstack((inputs, np.ones(len(X))))
        penalty = np.append((np.sqrt(algorithm.lambda_) / scale) ** 2, 0.0) * (algorithm.penalty == "L2")
        prices = np.append(algorithm.lambda_ / scale, 0.0) * (algorithm.penalty == "L1")
        loss: Loss
        if len(classes) == 2:
            loss = BinaryLoss(inputs, np.where(codes, 1.0, -1.0), shares, penalty)
        else:
            loss = SoftmaxLoss(inputs, codes, shares, penalty)
            prices = np.tile(prices, len(classes))
        return cls(loss, prices, classes, rows, center, scale, basis)

    def objective(self, at: Array) -> float:
        """Loss and penalty."""
        return self.loss.value(at)[0] + float(self.prices @ np.abs(at))

    def solving(self, start: Array | None = None) -> Iterator[Iterate]:
        """Yield places on the way of Newton's method to the minimum."""
        return newton(self.loss, self.loss.start() if start is None else start, self.prices)

    def descending(self, algorithm: LogisticSettings, rng: np.random.Generator) -> Iterator[Iterate]:
        """Yield places on the way of a method that knows gradients alone, from no weights and no offset."""
        start, most, rate = np.zeros_like(self.loss.start()), algorithm.max_iter, algorithm.learning_rate
        if algorithm.solver in STOCHASTIC_SOLVERS:
            batch = algorithm.batch_size if algorithm.solver == "mini-batch" else 1
            return stochastic(self.loss, self.prices, start, rate, batch, most, rng)
        return descent(self.loss, self.prices, start, _RULES[algorithm.solver], rate, most)

    @cached_property
    def lowest(self) -> Iterate:
        """The minimum."""
        *_, last = self.solving()
        return last

    def models(
        self, algorithm: LogisticSettings, iterates: Iterable[Iterate], exact: LogisticProblem
    ) -> Iterator[LogisticModel]:
        """Yield a model at each place; `exact` is the same problem in standardized inputs."""
        path = np.empty((0, 2))
        first, before = None, None
        for iterate in iterates:
            first = iterate if first is None else first
            caveat = self._caveat(algorithm, iterate, iterate.at if before is None else before.at, first, exact)
            model = self.model(algorithm, iterate, exact, path, caveat)
            yield model
            path, before = model.way_down, iterate

    def model(
        self, algorithm: LogisticSettings, iterate: Iterate, exact: LogisticProblem, path: Array, caveat: str
    ) -> LogisticModel:
        """The model at a place, its weights in the units of x; `path` is where the ones before it stood."""
        coef, offset = self._weights(iterate)
        squares = iterate.at.reshape(-1, len(self.loss.penalty)) ** 2 @ self.loss.penalty
        return LogisticModel(
            solver=algorithm.solver,
            penalty=algorithm.penalty,
            classes=self.classes,
            coef=coef,
            center=self.center,
            offset=offset,
            objective=iterate.value,
            log_loss=iterate.value - float(squares.sum()) - float(self.prices @ np.abs(iterate.at)),
            iterate=iterate,
            caveat=caveat,
            exact=exact,
            way_down=np.concatenate((path[::2] if len(path) >= _REMEMBERED else path, self._place(coef, offset))),
            batch_rows=None if iterate.batch_rows is None else self.rows[iterate.batch_rows],
        )

    def start_of(self, model: LogisticModel) -> Array:
        """The parameters of a model of the same classes, in the coordinates of this problem."""
        offset = model.offset + model.coef @ (self.center - model.center)
        coef = model.coef if self.basis is None else model.coef @ self.basis
        return np.concatenate((coef * self.scale, np.asarray(offset)[..., None]), axis=-1).ravel()

    @property
    def loss_surface(self) -> LossSurface | None:
        """The loss over the two weights, or over the only one and the offset; None where there are others."""
        if not isinstance(self.loss, BinaryLoss) or len(self.scale) > 2 or self.basis is not None:
            return None
        columns, free = self.loss.inputs[:-1] * self.scale[:, None], True
        squares, prices = self.loss.penalty[:-1] * self.scale**2, self.prices[:-1] * self.scale
        if len(columns) == 1:
            columns, free = np.vstack((columns + self.center, np.ones((1, columns.shape[1])))), False
            squares, prices = np.append(squares, 0.0), np.append(prices, 0.0)
        return LossSurface(columns, self.loss.y, self.loss.shares, squares, prices, free)

    def on_plane(self, iterate: Iterate) -> Array:
        """Where that place is in the landscape, (1, 2); (0, 2) where there is none."""
        return self._place(*self._weights(iterate))

    def _place(self, coef: Array, offset: Any) -> Array:
        if len(self.classes) > 2 or len(self.center) > 2:
            return np.empty((0, 2))
        return coef[None] if len(coef) == 2 else np.array([[coef[0], offset - float(coef @ self.center)]])

    def _weights(self, iterate: Iterate) -> tuple[Array, Any]:
        """The weights of x, and the offset that counts from the centre."""
        theta = iterate.at if len(self.classes) == 2 else iterate.at.reshape(len(self.classes), -1)
        # Weights of standardized inputs are log odds, which rounding may leave.
        coef, offset = without_rounding(theta[..., :-1], 1.0) / self.scale, theta[..., -1]
        coef = coef if self.basis is None else coef @ self.basis.T
        return coef, float(offset) if offset.ndim == 0 else offset

    def _caveat(
        self, algorithm: LogisticSettings, iterate: Iterate, before: Array, first: Iterate, exact: LogisticProblem
    ) -> str:
        """What the line under the picture must not hide."""
        if iterate.ran_away:
            return "the learning rate is too large: the weights grew without bound"
        if algorithm.penalty == "none" and self._without_end(iterate.at, iterate.at - before):
            return "the classes are separable: without a penalty the weights grow without bound"
        by_newton = algorithm.solver == "Newton"
        if iterate.settled or iterate.steps < (MOST_STEPS if by_newton else algorithm.max_iter):
            return ""
        if by_newton:
            return f"stopped after {MOST_STEPS} Newton steps"
        if iterate.value > first.value:
            return "the learning rate is too large: the objective is higher than at the start"
        above = iterate.value - exact.lowest.value
        return (
            f"after {counted(iterate.steps, 'step')} still {number(above, 2)} above the minimum"
            if above > _NEAR_MINIMUM
            else ""
        )

    def _without_end(self, at: Array, step: Array) -> bool:
        """Whether all samples are on their own side, or the last step moved none towards the other."""
        if self.loss.class_margins(at).min() > 0:
            return True
        reach = float(np.linalg.norm(step)) * np.linalg.norm(self.loss.inputs, axis=0)
        if not reach.min() > 0:
            return False
        moved = self.loss.class_margins(step) / reach
        return bool(moved.min() > -1e-6 and moved.max() > 1e-3)
