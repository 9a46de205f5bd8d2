"""How well answers drawn by hand do beside the method's own, in numbers and in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.numbers import numbers_apart, share, typographic
from mlviz.numerics.arrays import Array
from mlviz.picture.attempt_objectives import objectives
from mlviz.picture.compared import Compared
from mlviz.pipeline.drawn import DrawnBoundary, DrawnCurve
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.attempt_edits import attempts_on
from mlviz.scene.attempts import Attempt, Kind
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit


@dataclass(frozen=True)
class AttemptScore:
    """How well the attempt of that number does, measure by measure, beside the method's answer."""

    number: int
    kind: Kind
    measures: tuple[Compared, ...]

    @property
    def sentence(self) -> str:
        """All of it in words."""
        told = "; ".join(measure.in_words for measure in self.measures) or "nothing can be compared"
        return typographic(f"Attempt {self.number} beside the method's answer: {told}.")

    @property
    def short(self) -> str:
        """The first measure, for the line under the picture."""
        first = self.measures[:1]
        return "".join(f"attempt {self.number}: {one.name} {one.words[0]}" for one in first)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        measures = {one.name: {"attempt": one.drawn, "method": one.own} for one in self.measures}
        return {"attempt": self.number, "kind": self.kind, "measures": measures, "sentence": self.sentence}


def attempt_scores(scene: Scene, index: int, fit: Fit, model: PipelineModel) -> tuple[AttemptScore, ...]:
    """How well the attempts on the canvas of panel `index` do beside the model of its fit, the newest last."""
    return tuple(
        AttemptScore(number, attempt.kind, tuple(_measures(attempt, scene, fit, model)))
        for number, attempt in attempts_on(scene, index)
    )


def _measures(attempt: Attempt, scene: Scene, fit: Fit, model: PipelineModel) -> Iterator[Compared]:
    """The errors on training and held-out samples, where there are such, then the method's own objective."""
    data, places = scene.dataset, fit.axes.places(scene.dataset)
    asked = slice(None) if model.evaluated_rows is None else model.evaluated_rows
    rows = fit.rows[model.training.rows]
    held_out = np.flatnonzero(data.held_out & data.active)
    X = data.X[held_out][:, [data.column(name) for name in fit.roles.inputs]]
    if attempt.kind == "boundary" and fit.y is not None:
        drawn = DrawnBoundary.of(attempt.arrays, places[fit.rows], fit.y)
        y = data.labels
        yield _wrong("training error", drawn.predict(places[rows[asked]]), model.fitted, y[rows[asked]], model)
        if len(held_out):
            yield _wrong("test error", drawn.predict(places[held_out]), model.predict(X), y[held_out], model)
    elif attempt.kind == "curve" and fit.roles.target is not None:
        curve = DrawnCurve(attempt.arrays[0])
        values = data.X[:, data.column(fit.roles.target)]
        yield _rmse("training RMSE", curve.predict(places[rows[asked]]), model.fitted, values[rows[asked]])
        if len(held_out):
            yield _rmse("test RMSE", curve.predict(places[held_out]), model.predict(X), values[held_out])
    yield from objectives(attempt, fit, model, places[rows], (places[held_out], X))


def _wrong(name: str, drawn: NDArray[Any], own: NDArray[Any] | None, y: NDArray[Any], model: PipelineModel) -> Compared:
    """The shares of samples that are put into a wrong class; a sample for which none is chosen is not."""
    assert own is not None
    counts = int((drawn != y).sum()), int(((own != y) & np.isin(own, model.classes)).sum())
    words = [f"{count} of {len(y)}" if len(y) <= _MOST_COUNTED else share(count / len(y)) for count in counts]
    return Compared(name, counts[0] / len(y), counts[1] / len(y), (words[0], words[1]))


_MOST_COUNTED = 1000
"""Errors on more samples are told as shares."""


def _rmse(name: str, drawn: Array, own: NDArray[Any] | None, values: Array) -> Compared:
    assert own is not None
    sizes = [_root_mean_square(predicted - values) for predicted in (drawn, own)]
    told = numbers_apart(*sizes, beside=float(np.abs(values).max(initial=0.0)))
    return Compared(name, sizes[0], sizes[1], (told[0], told[1]))


def _root_mean_square(residuals: Array) -> float:
    unit = float(np.abs(residuals).max(initial=0.0)) or 1.0
    return unit * float(np.sqrt(np.mean((residuals / unit) ** 2)))
