"""What solvers that follow gradients ask of a loss: a mean over samples, smooth, with or without an L2 penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Rows
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False)
class MeanLoss(Brief):
    """A mean of what samples lose.

    `inputs` (m, n) has the samples a_i as columns, its last row all ones; `y` (n,) are the targets; `shares` (n,) add
    up to 1; `penalty` (m,) is 0 for the offset.
    """

    inputs: Array
    y: AnyArray
    shares: Array
    penalty: Array
    bend: ClassVar[float]
    """No second derivative of what a sample loses is larger than this, in units of |a_i|^2."""

    @property
    def slope_scales(self) -> Array:
        """About the steepest slopes that there are along each parameter of one function, (m,): of them a small share
        is none. Parameters of other units have others.
        """
        return np.asarray(np.abs(self.inputs) @ self.shares)

    def steepest(self) -> float:
        """No second derivative is larger, anywhere: the L of the step 1/L."""
        rows = self.inputs * np.sqrt(self.shares)
        fewer = rows.T @ rows if rows.shape[1] < len(rows) else rows @ rows.T  # either has the same largest eigenvalue
        largest = float(np.linalg.eigvalsh(fewer)[-1])
        return self.bend * largest + 2 * float(self.penalty.max())

    def of(self, drawn: Rows) -> Self:
        """The loss of some samples, each as often as it was drawn."""
        return type(self)(self.inputs[:, drawn], self.y[drawn], np.full(len(drawn), 1 / len(drawn)), self.penalty)

    def value(self, at: Array) -> tuple[float, Any]:
        """The loss, and what is known of it there that its gradient can use."""
        raise NotImplementedError

    def gradient(self, at: Array, known: Any) -> Array:
        """The gradient, in the shape of `at`."""
        raise NotImplementedError
