"""How well answers drawn by hand do beside the method's own, in numbers and in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.draw.numbers import format_number, number, numbers_apart, plain, share, typographic
from mlviz.numerics.arrays import Array
from mlviz.numerics.drawn_lines import evenly_along
from mlviz.picture.attempts.compared import Compared
from mlviz.picture.attempts.objectives import objectives
from mlviz.pipeline.drawn import DrawnBoundary, DrawnCurve, DrawnSurface
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.rating import Rating
from mlviz.scene.attempts import Attempt, Kind
from mlviz.scene.attempts.edits import attempts_on
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit

Drawn = DrawnBoundary | DrawnCurve | DrawnSurface
_ALONG = 200
"""So many places of a line tell what the method says along it."""
_MOST_COUNTED = 1000
"""Errors on more samples are told as shares."""


@dataclass(frozen=True)
class AlongLines:
    """What the method says along the lines that were drawn for a level: its mean, and how far it is from the level."""

    level: float
    count: int
    """How many lines there are."""
    mean: float
    off: float
    """The root of the mean squared difference."""

    @property
    def short(self) -> str:
        """The level and the mean, in one line."""
        return f"{format_number(self.level)}:\u00a0{number(self.mean)}"

    @property
    def in_words(self) -> str:
        """All of it."""
        level, mean, off = format_number(self.level), number(self.mean), number(self.off)
        lines = "line" if self.count == 1 else f"{self.count} lines"
        return f"along its {lines} for {level} the method says {mean} on average, {off} off (RMS)"

    def to_json(self) -> dict[str, float]:
        """Plain values, ready for JSON."""
        return {"level": self.level, "lines": self.count, "mean": self.mean, "rms": self.off}


@dataclass(frozen=True)
class AttemptScore:
    """How well the attempt of that number does, measure by measure, beside the method's answer."""

    number: int
    kind: Kind
    measures: tuple[Compared, ...]
    along: tuple[AlongLines, ...] = ()
    """Of each level of a surface."""

    @property
    def sentence(self) -> str:
        """All of it in words."""
        parts = [*(measure.in_words for measure in self.measures), *(line.in_words for line in self.along)]
        told = "; ".join(parts) or "nothing can be compared"
        return typographic(f"Attempt {self.number} beside the method's answer: {told}.")

    @property
    def short(self) -> str:
        """The first measure, for the line under the picture."""
        first = self.measures[:1]
        return "".join(f"attempt {self.number}: {one.name} {one.words[0]}" for one in first)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        measures = {one.name: {"attempt": one.drawn, "method": one.own} for one in self.measures}
        along = {"along": [line.to_json() for line in self.along]} if self.along else {}
        whole = {"attempt": self.number, "kind": self.kind, "measures": measures, **along}
        return {**whole, "sentence": plain(self.sentence)}


def attempt_scores(scene: Scene, index: int, fit: Fit, model: PipelineModel) -> tuple[AttemptScore, ...]:
    """How well the attempts on the canvas of panel `index` do beside the model of its fit, the newest last."""
    if not scene.attempts:
        return ()
    return tuple(
        AttemptScore(which, attempt.kind, tuple(_measures(attempt, scene, fit, model)), _along(attempt, model))
        for which, attempt in attempts_on(scene, index)
        if not attempt.unfinished
    )


def _measures(attempt: Attempt, scene: Scene, fit: Fit, model: PipelineModel) -> Iterator[Compared]:
    """The errors on training and test samples, where there are such, then the method's own objective."""
    places = fit.axes.places(scene.dataset)
    rows = fit.rows[model.training.rows]
    drawn = _model_of(attempt, places[fit.rows], fit)
    for rating in () if drawn is None else model.ratings:
        every = rows if fit.test is None or rating.samples == "training" else fit.test.rows
        asked = every if rating.rows is None else every[rating.rows]
        if (measure := _error(drawn, places[asked], rating)) is not None:
            yield measure
    none = np.empty((0, len(fit.roles.inputs)))
    test, out = (none, np.empty(0, dtype=np.intp)) if fit.test is None else (fit.test.X, fit.test.rows)
    yield from objectives(attempt, fit, model, places[rows], (places[out], test))


def _along(attempt: Attempt, model: PipelineModel) -> tuple[AlongLines, ...]:
    """What the model says along the level lines of a surface, where these are on its inputs."""
    transform = model.training.transform
    if transform.lifts:
        return ()
    found = []
    for level in dict.fromkeys(attempt.levels):
        lines = [evenly_along(line, _ALONG) for line, own in attempt.level_lines if own == level]
        values = model.decide(transform.from_canvas(np.concatenate(lines)))
        found.append(AlongLines(level, len(lines), float(values.mean()), _root_mean_square(values - level)))
    return tuple(found)


def _model_of(attempt: Attempt, places: Array, fit: Fit) -> Drawn | None:
    """What the attempt predicts, where that can be right or wrong."""
    if fit.y is None:
        return None
    if attempt.kind == "boundary":
        return DrawnBoundary.of(attempt.arrays, places, fit.y)
    if attempt.kind == "surface":
        return attempt.surface
    return DrawnCurve(attempt.arrays[0]) if attempt.kind == "curve" else None


def _error(drawn: Drawn | None, places: Array, rating: Rating) -> Compared | None:
    """The error of what was drawn at the places (q, 2) of the samples by which the model is rated, beside its own."""
    if drawn is None or rating.named is None or rating.y is None:
        return None
    name, own = rating.named
    predicted, n = drawn.predict(places), len(rating.y)
    if not rating.is_classes:
        size = _root_mean_square(predicted - rating.y)
        told = numbers_apart(size, own, beside=float(np.abs(rating.y).max(initial=0.0)))
        return Compared(name, size, own, (told[0], told[1]))
    counts = int((predicted != rating.y).sum()), int(rating.wrong.sum())
    words = [f"{count} of {n:,}" if n <= _MOST_COUNTED else share(count / n) for count in counts]
    return Compared(name, counts[0] / n, counts[1] / n, (words[0], words[1]))


def _root_mean_square(residuals: Array) -> float:
    unit = float(np.abs(residuals).max(initial=0.0)) or 1.0
    return unit * float(np.sqrt(np.mean((residuals / unit) ** 2)))
