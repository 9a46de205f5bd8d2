"""The score of a model of two classes, whatever it can say: positive where it prefers the second one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model
from mlviz.draw.protocols import HasProbabilities, HasScores
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid


def signed_scores(model: Any, X: Array) -> NDArray[Any]:
    """The score (n,) at the rows of X, or what stands for it."""
    if isinstance(model, HasScores):
        return model.decision_function(X)
    if isinstance(model, HasProbabilities):
        return _lead(model.predict_proba(X))
    return np.where(model.predict(X) == model.classes[1], 1.0, -1.0)


def signed_scores_on_grid(model: Model, grid: Grid, dtype: Any) -> NDArray[Any]:
    """The score at every node, (ny, nx)."""
    if model.field == "decision_function":
        return grid.field_of(model, dtype)
    if model.field == "predict_proba" and not isinstance(model, HasScores):
        return _lead(grid.field_of(model, dtype))
    return signed_scores(model, grid.points()).reshape(grid.shape).astype(dtype)


def _lead(proba: NDArray[Any]) -> NDArray[Any]:
    """By how much the second of two classes is the more probable one."""
    return np.asarray(proba[..., 1] - proba[..., 0])
