"""The error on samples that were not learned from, over two hyperparameters at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Field, Mark, Points, Text, cell_words
from mlviz.draw.numbers import number, share
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.choice import mean_and_error
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import Parameter, integer, text
from mlviz.spec.sentences import with_capital
from mlviz.studies.question import Offer, Question, Result, Table
from mlviz.studies.validation.base import NO_BEST, FoldStudy
from mlviz.studies.validation.results import FoldsResult, results_in_folds
from mlviz.studies.values import Tried, at_default, names_of, parameter_name, parameter_of

_WORDS = 60
"""The values stand in so many cells at the most; in more they would cover each other."""
_ROOM, _BAR = 0.45, 128
"""The room for the scale to the right of the cells, as a share of their width, and in how many steps it is drawn."""
_TICKS = 9
"""So many values have a name on their axis at the most, about."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeatMapResult(FoldsResult):
    """The losses (b, a, f) of b values of the upright axis and a of the level one in f folds; NaN where not known."""

    across: Tried
    up: Tried

    @cached_property
    def means(self) -> Array:
        """The mean test losses (b, a)."""
        b, a, f = self.test.shape
        return mean_and_error(self.test.reshape(b * a, f))[0].reshape(b, a)

    @property
    def best(self) -> tuple[int, int] | None:
        """The row and column of the least mean loss, of equal ones the one nearest to the middle of all these."""
        finite = self.means[np.isfinite(self.means)]
        if not len(finite):
            return None
        least = float(finite.min())
        places = np.argwhere(self.means <= least + 1e-12 * abs(least))
        distance = ((places - places.mean(axis=0)) ** 2).sum(axis=1)
        row, column = places[int(np.argmin(distance))].tolist()
        return row, column

    def settings(self, row: int, column: int) -> tuple[tuple[str, Any], ...]:
        """What is to be set for a cell."""
        return (self.across.path, self.across.values[column]), (self.up.path, self.up.values[row])

    def told(self, row: int, column: int) -> str:
        """The values of a cell."""
        return f"{self.across.told(self.across.values[column])}, {self.up.told(self.up.values[row])}"

    def table(self) -> Table:
        """A row for each pair of values."""
        b, a = self.means.shape
        flat = self.test.reshape(b * a, -1)
        score, (mean, error) = self.folding.score, mean_and_error(flat)
        (low, high), training = score.bars(mean, error), mean_and_error(self.training.reshape(b * a, -1))[0]
        across, up = ([one.cell(value) for value in one.values] for one in (self.across, self.up))
        columns: dict[str, Any] = {
            self.across.parameter.key: across * b,
            self.up.parameter.key: [value for value in up for _ in range(a)],
            f"test {score.name}": score.shown(mean),
            "low": low,
            "high": high,
            f"training {score.name}": score.shown(training),
        }
        return Table.from_columns(columns)

    def plots(self) -> tuple[Plot, ...]:
        """A cell for each pair of values, which sets both when it is clicked; the best and the present one marked."""
        b, a = self.means.shape
        score = self.folding.score
        return (
            Plot(
                "heat-map",
                f"{with_capital(score.axis_label)} of test samples",
                self.across.parameter.label,
                self.up.parameter.label,
                tuple(self._marks()),
                (-0.5, a - 0.5 + (0.0 if self._named else a * _ROOM), -0.5, b - 0.5),
                x_ticks=_ticks(self.across),
                y_ticks=_ticks(self.up),
                areas=tuple(self._areas()),
            ),
        )

    def _marks(self) -> Iterator[Mark]:
        shown, (b, a) = self.folding.score.shown(self.means), self.means.shape
        known = shown[np.isfinite(shown)]
        low, span = (float(known.min()), float(np.ptp(known))) if len(known) else (0.0, 0.0)
        strength = np.where(np.isfinite(shown), 255 * (shown - low) / (span or 1.0), 128.0)
        x, y = np.arange(float(a)), np.arange(float(b))
        yield Field("value", x, y, strength.astype(np.uint8), cells=shown)
        if not self._named:
            yield from self._bar(low, low + span) if len(known) else ()
        else:
            places = np.column_stack((np.tile(x, b), np.repeat(y, a)))
            there = np.isfinite(shown.ravel())
            words = [self._word(value) for value in shown.ravel()[there].tolist()]
            yield cell_words("label", places[there], words)
        if self.best is not None:
            row, column = self.best
            place = np.array([[column, row]], dtype=np.float64)
            yield Points("visited", place, label=f"best: {self.told(row, column)}")
        pipeline = self.question.pipeline
        here = [one.index_of(one.now(pipeline)) for one in (self.across, self.up)]
        if None not in here:
            yield Points("center", np.array([here], dtype=np.float64), label="present values")

    @property
    def _named(self) -> bool:
        """Whether the value stands in each cell, so that no scale has to say it."""
        return self.means.size <= _WORDS

    def _bar(self, low: float, high: float) -> Iterator[Mark]:
        """To the right of the cells, which ink is which value."""
        b, a = self.means.shape
        shades = np.linspace(0, 255, _BAR) if high > low else np.zeros(_BAR)
        x, y = a - 0.5 + a * _ROOM * np.array([0.1, 0.25]), np.linspace(-0.5, b - 0.5, _BAR)
        yield Field("value", x, y, np.column_stack((shades, shades)).astype(np.uint8))
        ends = [(0.94, high), (0.06, low)] if high > low else [(0.5, low)]
        places = np.array([(a - 0.5 + 0.64 * a * _ROOM, b * share - 0.5) for share, _ in ends])
        yield Text("boundary", places, tuple(self._word(value) for _, value in ends), centered=True)

    def _word(self, value: float) -> str:
        if not np.isfinite(value):
            return ""
        return share(value) if self.folding.score.unit == "share" else number(value)

    def _areas(self) -> Iterator[Area]:
        shown = self.folding.score.shown(self.means)
        for row, column in np.ndindex(shown.shape):
            limits = column - 0.5, column + 0.5, row - 0.5, row + 0.5
            value = self._word(float(shown[row, column])) or "not known"
            yield Area(limits, f"{self.told(row, column)}: {value}", settings=self.settings(row, column))

    def facts(self) -> dict[str, Fact]:
        """The best pair, and by which folds it was found."""
        found = dict[str, Fact]()
        score = self.folding.score
        if self.best is None and self.complete:
            found["best values"] = NO_BEST
        if self.best is not None:
            found["best values"] = Fact(self.told(*self.best), help="The pair with the lowest mean loss.")
            told = float(score.shown(self.means[self.best][None])[0])
            found[f"its test {score.name}"] = Fact(told, score.unit, score.of_folds)
        return found | super().facts()

    def offers(self) -> tuple[Offer, ...]:
        """The best pair."""
        if self.best is None or not self.complete:
            return ()
        return (Offer(f"Best: {self.told(*self.best)}", self.settings(*self.best)),)


def _ticks(axis: Tried) -> tuple[tuple[float, str], ...]:
    """Names for some of the values, evenly."""
    step = -(-len(axis.values) // _TICKS)
    return tuple((float(i), axis.word(axis.values[i])) for i in range(0, len(axis.values), step))


@dataclass(frozen=True)
class HeatMap(FoldStudy):
    """Test error over two hyperparameters: whether they can be chosen one after the other shows at once."""

    id = "heat-map"
    label = "heat map"
    help = "error on samples that were not learned from, over two hyperparameters; click a cell to adopt both values"

    folds: int = integer(
        5,
        soft=(2, 20),
        valid=(2, 1000),
        label="folds or repeats",
        help="how many folds there are, or how often a share is drawn",
        when=("scheme", ("V-fold", "Monte Carlo")),
    )
    hyperparameter: str = parameter_name()
    second: str = text(
        "",
        grammar=lambda words: None,
        numbers=lambda words: (),
        help="the other hyperparameter, on the vertical axis; empty for the next one that is a number",
    )
    values: int = integer(9, soft=(3, 25), valid=(2, 100), help="how many values of each are tried")

    def choices(self, pipeline: Pipeline) -> dict[str, tuple[str, ...]]:
        """The hyperparameters that can be varied; the second one is another than the first."""
        names = names_of(pipeline.algorithm)
        try:
            first, second = (parameter.label for parameter in self._both(pipeline.algorithm))
        except CannotFit:
            return {"hyperparameter": names, "second": names}
        others = sorted((name for name in names if name != first), key=lambda name: name != second)
        return {"hyperparameter": names, "second": tuple(others)}

    def rests_on(self, pipeline: Pipeline) -> Pipeline:
        """All but both hyperparameters."""
        try:
            both = self._both(pipeline.algorithm)
        except CannotFit:
            return pipeline
        return at_default(pipeline, *(parameter.name for parameter in both))

    def _both(self, algorithm: Algorithm) -> tuple[Parameter, Parameter]:
        """The hyperparameters; raises `CannotFit` where there are no two."""
        first = parameter_of(algorithm, self.hyperparameter)
        if self.second.strip():
            second = parameter_of(algorithm, self.second)
        else:
            others = [p for p in algorithm.parameters() if p.name != first.name and algorithm.matters(p)]
            numbers = [p for p in others if p.kind in ("real", "integer")]
            others = numbers or [p for p in others if p.kind in ("choice", "flag")]
            if not others:
                raise CannotFit(f"{algorithm.label} has no second hyperparameter that matters now.")
            second = others[0]
        if second.name == first.name:
            raise CannotFit(f"A heat map needs two hyperparameters, and both are {first.key}.")
        return first, second

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the map as far as it is known."""
        first, second = self._both(question.pipeline.algorithm)
        across, up = Tried.over(first, self.values), Tried.over(second, self.values)
        folding = self.folding(question)
        pipelines = [one for row in up.pipelines(question.pipeline) for one in across.pipelines(row)]
        shape = len(up.values), len(across.values), len(folding.folds)
        result_of = partial(HeatMapResult, across=across, up=up)
        yield from results_in_folds(result_of, question, pipelines, folding, lambda losses: losses.reshape(shape))
