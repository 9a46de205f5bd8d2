"""What a method can say of an answer that is not its own: its objective for a straight line, an axis, or centres.

A method that has the words of one of these protocols is asked; of all others only the errors are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.line_objectives import Loss, objective_of


@dataclass(frozen=True)
class LineObjective:
    """An objective of straight functions f(x) = w·x + b: losses at the samples and a penalty ``l2 |w|² + l1 |w|₁``.

    The mean of the losses is meant, or `total` times their sum where that is given.
    """

    loss: Loss
    l2: float = 0.0
    l1: float = 0.0
    total: float | None = None
    name: str = "objective"
    shape: float = 0.0
    """The epsilon or the tau of a loss that has one."""

    def of(self, f: Array, coef: Array, y: Array, weights: Array) -> float:
        """Its value for the function that is f (n,) at the samples, with the slopes coef (d,).

        y (n,) are signs -1 and 1, or values where the loss is that of values; weights (n,) those of the samples.
        """
        penalty = {"l2": self.l2, "l1": self.l1}
        return objective_of(self.loss, f, coef, y, weights, **penalty, total=self.total, shape=self.shape)


@runtime_checkable
class HasLineObjective(Protocol):
    """A method whose objective can be worked out for any straight function, with its present hyperparameters."""

    def line_objective(self) -> LineObjective | None:
        """The objective; None where functions are not straight, or it has none."""


@runtime_checkable
class HasFisherCriterion(Protocol):
    """A model that parts two classes along the direction of its `coef` (d,), which makes this criterion largest."""

    @property
    def coef(self) -> Array:
        """The direction (d,)."""

    def fisher_along(self, direction: Array) -> float:
        """The criterion of a direction (d,), of whatever length."""


@runtime_checkable
class HasVarianceAlong(Protocol):
    """A model of components (k, d) through the mean (d,), with the variance along each (k,), largest first."""

    @property
    def mean(self) -> Array:
        """(d,)."""

    @property
    def components(self) -> Array:
        """(k, d), rows of length 1."""

    @property
    def explained_variance(self) -> Array:
        """(k,)."""


@runtime_checkable
class RatesCentres(Protocol):
    """A model whose objective can be worked out for any centres."""

    rating_name: str
    objective_measured: bool

    @property
    def rating(self) -> float:
        """The objective of its own centres."""

    def rating_of(self, centers: Array) -> float:
        """The objective for centres (k, d)."""
