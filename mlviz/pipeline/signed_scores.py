"""The score of a model of two classes, whatever it can say: positive where it prefers the second one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model
from mlviz.numerics.grid import Array, Grid


def _score_word(model: Model) -> str:
    return next(word for word in ("decision_function", "predict_proba", "predict") if hasattr(model, word))


def signed_scores(model: Any, X: Array) -> NDArray[Any]:
    """The score (n,) at the rows of X, or what stands for it."""
    word = _score_word(model)
    return _as_signed(word, model, getattr(model, word)(X))


def signed_scores_on_grid(model: Model, grid: Grid, dtype: Any) -> NDArray[Any]:
    """The score at every node, (ny, nx)."""
    word = _score_word(model)
    if model.field == word:
        return _as_signed(word, model, grid.field_of(model, dtype))
    return signed_scores(model, grid.points()).reshape(grid.shape).astype(dtype)


def _as_signed(word: str, model: Any, values: NDArray[Any]) -> NDArray[Any]:
    """Positive where the model prefers its second class."""
    match word:
        case "decision_function":
            return values
        case "predict_proba":
            return np.asarray(values[..., 1] - values[..., 0])
        case _:
            return np.where(values == model.classes[1], 1.0, -1.0)
