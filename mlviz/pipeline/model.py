"""The model of a pipeline: it answers in the user's coordinates, whatever the algorithm was given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model
from mlviz.draw.context import Explanation
from mlviz.draw.marks import affine
from mlviz.numerics.grid import Array, Grid
from mlviz.numerics.picking import picked
from mlviz.pipeline.multiclass import Part, Problem, Scheme
from mlviz.pipeline.preprocessing import Scaling

WORK = 20_000_000
"""The samples are predicted with about so many numbers at most,"""
FEWEST = 2000
"""but never fewer samples than this."""
MODEL_WORDS = ("predict", "decision_function", "predict_proba", "transform", "inverse_transform")


@dataclass(frozen=True, eq=False)
class Training:
    """The samples of one fit, checked: those with a weight above 0, and how they reach the algorithm."""

    X: Array
    """(m, d) in the user's coordinates."""
    y: NDArray[Any] | None
    sample_weight: Array | None
    rows: NDArray[np.intp]
    """(m,) which of the given samples they are."""
    scaling: Scaling
    inputs: Array
    """(m, d) in model coordinates."""
    is_classes: bool
    scheme: Scheme
    problems: tuple[Problem, ...]
    """The binary sub-problems; empty where the algorithm gets all at once."""


@dataclass(frozen=True, eq=False)
class PipelineModel:
    """A model that answers in the user's coordinates.

    `inner` is the model in model coordinates (``scale * x + shift``): the algorithm's own, or the combination of the
    binary models in `parts`. It has the words that `inner` has, of `predict`, `decision_function`, `predict_proba`,
    `transform` and `inverse_transform`. Rows of samples that `inner` and `parts` name count the fitted samples,
    `training.rows`.
    """

    inner: Any
    training: Training
    parts: tuple[Part, ...] = ()

    @property
    def scale(self) -> Array:
        """(d,)."""
        return self.training.scaling.scale

    @property
    def shift(self) -> Array:
        """(d,)."""
        return self.training.scaling.shift

    @property
    def field(self) -> str | None:
        """The name of what `on_grid` mirrors."""
        model: Model = self.inner
        return model.field

    @property
    def objective(self) -> float:
        """What the algorithm minimises, at this step; NaN where there is no such thing."""
        return float(self.inner.objective)

    @property
    def stage(self) -> str:
        """The step that led here."""
        return str(self.inner.stage)

    @property
    def caveat(self) -> str:
        """What must be told of this model, or of the binary models it is made of."""
        models: list[Model] = [self.inner, *(part.model for part in self.parts)]
        first, *others = dict.fromkeys(model.caveat for model in models if model.caveat) or [""]
        return f"{first}, and the like for others of {len(self.parts)} binary models" if others else first

    @property
    def classes(self) -> NDArray[Any]:
        """The classes (k,), sorted, of a classifier."""
        return np.asarray(self.inner.classes)

    def __getattr__(self, name: str) -> Any:
        if name not in MODEL_WORDS:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        word = getattr(self.inner, name)
        if name == "inverse_transform":
            scale, shift = self.training.scaling.back()
            return lambda scores: word(scores) * scale + shift
        return lambda X: word(self.training.scaling.to_model(np.asarray(X, dtype=np.float64)))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The field at every node of a grid in the user's coordinates."""
        return np.asarray(self.inner.on_grid(grid.scaled(self.scale, self.shift), dtype))

    @cached_property
    def asked(self) -> NDArray[np.intp] | None:
        """The fitted samples (q,) that are predicted, where all of them would take too long; None for all."""
        most = max(FEWEST, WORK // max(1, self.inner.cost))
        return picked(self.training.X, most) if len(self.training.X) > most else None

    @cached_property
    def fitted(self) -> NDArray[Any] | None:
        """What `inner` predicts for the fitted samples, or those `asked`; None where there is no target."""
        data = self.training
        if data.y is None:
            return None
        # The array itself, not a copy: some models know what they predict for it.
        return np.asarray(self.inner.predict(data.inputs if self.asked is None else data.inputs[self.asked]))

    @cached_property
    def training_error(self) -> tuple[str, float] | None:
        """Its name and value: the share of wrong samples, or the root of the mean squared residual; weighted."""
        if self.training.y is None or self.fitted is None:
            return None
        rows = slice(None) if self.asked is None else self.asked
        y, weights = self.training.y[rows], self.training.sample_weight
        weights = None if weights is None else weights[rows]
        if self.training.is_classes:
            return "training error", float(np.average(self.fitted != y, weights=weights))
        residuals = np.abs(self.fitted - y)
        unit = float(residuals.max()) or 1.0
        return "training RMSE", unit * float(np.sqrt(np.average((residuals / unit) ** 2, weights=weights)))

    def facts(self) -> dict[str, Any]:
        """The training error and what the model knows about itself."""
        found: dict[str, Any] = dict([self.training_error] if self.training_error else [])
        if self.training_error and self.asked is not None:
            found["errors counted for"] = f"{len(self.asked):,} of {len(self.training.X):,} samples, drawn at random"
        found.update(self.inner.facts())
        if (self.scale != 1).any() or (self.shift != 0).any():
            found["units"] = "of the standardized inputs"
        return found

    def explain(self, x: Array) -> Explanation | None:
        """Why the model says what it says at the place x (d,), with marks on the user's axes."""
        told: Explanation | None = self.inner.explain(self.training.scaling.to_model(np.asarray(x, dtype=np.float64)))
        if told is None or len(self.scale) > 2:
            return told and Explanation(told.sentence)
        scale, shift = self.training.scaling.back()
        if len(scale) == 1:  # the vertical axis is the target, which is never scaled
            scale, shift = np.append(scale, 1.0), np.append(shift, 0.0)
        return Explanation(told.sentence, tuple(affine(mark, scale, shift) for mark in told.marks))
