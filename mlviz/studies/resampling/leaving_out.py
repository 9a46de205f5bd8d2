"""Fits with one sample left out, or moved a little, and how far each changes what is predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.grid import Grid
from mlviz.numerics.sampling import spread_subsample
from mlviz.pipeline.model import PipelineModel
from mlviz.studies.base import classes_of
from mlviz.studies.question import Question, Result, Samples, Table
from mlviz.studies.resampling.bundle import Bundle, Traced
from mlviz.studies.resampling.drawing import fitted_to

MOST = 200
"""Of more samples so many are left out, one after the other."""
_NODES = 40
"""Nodes a side of the grid on which changes of classes are counted."""
_ROOM = 0.1
"""The grid reaches so far beyond the samples, as a share of their extent."""
LEFT_OUT, MOVED = "left out", "moved"


@dataclass(frozen=True, eq=False, kw_only=True)
class LeavingOutResult(Result):
    """One model for each sample that was left out or moved."""

    change: str
    places: Labels
    """(m,) which of the samples of the question they are."""
    influences: tuple[float, ...]
    """How far the predictions change with each, the first ones."""
    models: tuple[PipelineModel | None, ...]
    """The fit without it; None where there is none, since a class is gone."""
    traced: Traced = field(default_factory=Traced, repr=False)

    @property
    def rows(self) -> Rows:
        """The rows in the data set of the samples that were changed so far."""
        own = self.question.rows
        done = self.places[: len(self.influences)]
        return done if own is None else own[done]

    @property
    def measure(self) -> str:
        """What the influence of a sample is."""
        if not classes_of(self.question.y):
            return "RMS change of the predictions at the samples"
        where = "of the area about the samples" if self.question.X.shape[1] == 2 else "of the samples"
        return f"share {where} whose predicted class changes"

    @property
    def axis_label(self) -> str:
        """The same in two words."""
        return "changed share" if classes_of(self.question.y) else "RMS change"

    def table(self) -> Table:
        """The influence of each sample, by its number."""
        return Table.of(point=self.rows + 1, influence=self.influences)

    def facts(self) -> dict[str, Fact]:
        """The largest and the mean influence."""
        known = [value for value in self.influences if np.isfinite(value)]
        unit = "share" if classes_of(self.question.y) else ""
        told = {"changed one by one": Fact(len(self.influences), "", f"Points that were {self.change}, one at a time.")}
        if not known:
            return told
        most = int(np.nanargmax(self.influences))
        return told | {
            "largest change": Fact(max(known), unit, f"The largest {self.measure}."),
            "by point": Fact(int(self.rows[most]) + 1, "", "The point whose change does that, by its number."),
            "mean change": Fact(float(np.mean(known)), unit, f"The mean {self.measure}."),
        }

    def bundle(self) -> Bundle:
        """All fits."""
        return Bundle(tuple(model for model in self.models if model is not None), self.traced)


def leaving_out(question: Question, change: str, share: float) -> Iterator[LeavingOutResult]:
    """Yield the fits with one sample after the other left out, or moved by a `share` of the spread of the samples."""
    n = len(question.X)
    if n < 2:
        raise CannotFit("There must be at least two points, so that one can be left out.")
    places = spread_subsample(question.X, MOST)
    result = LeavingOutResult(
        question, change=change, places=places, influences=(), models=(), done=0, total=len(places)
    )
    whole = yield from fitted_to(question, Samples(question.X, question.y, np.arange(n)), result)
    asked = _asked(question)
    before = np.asarray(whole.predict(asked))
    influences: list[float] = []
    models: list[PipelineModel | None] = []
    traced = Traced()
    for number, place in enumerate(places.tolist(), start=1):
        model: PipelineModel | None
        try:
            model = yield from fitted_to(question, _changed(question, place, change, share), result)
        except CannotFit:
            model = None  # without it a class is gone, or there is too little left
        models.append(model)
        influences.append(float("nan") if model is None else _distance(before, np.asarray(model.predict(asked))))
        result = LeavingOutResult(
            question,
            change=change,
            places=places,
            influences=tuple(influences),
            models=tuple(models),
            traced=traced,
            done=number,
            total=len(places),
        )
        yield result


def _changed(question: Question, place: int, change: str, share: float) -> Samples:
    X, y = question.X, question.y
    if change == LEFT_OUT:
        rest = np.delete(np.arange(len(X)), place)
        return Samples(X[rest], None if y is None else y[rest], rest)
    moved = X.copy()
    step = np.random.default_rng([question.seed, place]).normal(size=X.shape[1])
    moved[place] += share * X.std(axis=0) * step
    return Samples(moved, y, np.arange(len(X)))


def _asked(question: Question) -> Array:
    """Where predictions are compared: the samples, or for two inputs and classes a grid about them."""
    X = question.X
    if X.shape[1] != 2 or not classes_of(question.y):
        return X
    low, high = X.min(axis=0), X.max(axis=0)
    room = np.where(high > low, _ROOM * (high - low), 1.0)
    (x0, y0), (x1, y1) = (low - room).tolist(), (high + room).tolist()
    return Grid.over((x0, x1, y0, y1), _NODES, _NODES).points()


def _distance(before: AnyArray, after: AnyArray) -> float:
    if before.dtype.kind != "f":
        return float((before != after).mean())
    return float(np.sqrt(((before - after) ** 2).mean()))
