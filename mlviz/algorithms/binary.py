"""What classifiers of two classes have in common: signs -1 and +1 for their samples, and lines."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit, Model
from mlviz.numerics.grid import Array, Grid

LARGEST = 1e150
"""Products of larger inputs can't be computed with."""


def two_classes(label: str, X: Array, y: NDArray[Any] | None) -> tuple[NDArray[Any], Array]:
    """The classes (2,), sorted, and y = -1 or +1 of each sample (n,); raises `CannotFit`."""
    classes = np.unique(np.asarray(y))
    if len(classes) < 2:
        raise CannotFit("All samples are of one class: add samples of a second class.")
    if len(classes) > 2:
        raise CannotFit(
            f"The {label} tells two classes apart and there are {len(classes)}: "
            "in a pipeline, one-vs-one or one-vs-rest makes it several."
        )
    if np.abs(X).max() > LARGEST:
        raise CannotFit("The inputs are too large to compute with: standardize them.")
    return classes, np.where(np.asarray(y) == classes[1], 1.0, -1.0)


class LinearModel(Model):
    """The sign of f(x) = coef.x + intercept, with coef (d,): positive for classes[1]."""

    classes: NDArray[Any]
    coef: Array
    intercept: float

    field = "decision_function"

    def decision_function(self, X: Array) -> Array:
        """The values f at the rows of X (n, d)."""
        return np.asarray(np.asarray(X, dtype=np.float64) @ self.coef + self.intercept)

    def predict(self, X: Array) -> NDArray[Any]:
        """The class at the rows of X."""
        return np.asarray(self.classes[(self.decision_function(X) > 0).astype(np.intp)])

    def with_gradient(self, X: Array) -> tuple[Array, Array]:
        """The values f (m,) and their gradient (m, d) at the rows of X."""
        return self.decision_function(X), np.tile(self.coef, (len(X), 1))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The values f at the nodes of the grid."""
        up = self.coef[1] * grid.y + self.intercept
        return np.asarray(np.add.outer(up, self.coef[0] * grid.x), dtype=dtype)

    def foot(self, x: Array) -> Array | None:
        """The place on the boundary nearest to x (d,); None where there is no boundary."""
        square = float(self.coef @ self.coef)
        if not square > 0:
            return None
        return np.asarray(x - float(self.decision_function(x[None])[0]) / square * self.coef)
