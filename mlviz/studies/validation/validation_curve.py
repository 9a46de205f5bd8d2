"""The error on samples that were not learned from, over one hyperparameter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Points, Segments
from mlviz.draw.plot import Area, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.choice import best_value, mean_and_error, one_standard_error
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import integer
from mlviz.studies.question import Offer, Question, Result, Table
from mlviz.studies.validation.base import NO_BEST, FoldStudy
from mlviz.studies.validation.results import FoldsResult, results_in_folds
from mlviz.studies.values import Tried, at_default, end_of_values, names_of, parameter_name, parameter_of

MOST_FOLDS_TOLD = 50
"""The losses of more folds than this do not stand in the table one by one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveResult(FoldsResult):
    """The losses of v values in f folds, (v, f) each, NaN where they are not known."""

    study_id: str
    axis: Tried

    @cached_property
    def means(self) -> tuple[Array, Array, Array]:
        """The mean test losses (v,), their standard errors, and the mean training losses."""
        return *mean_and_error(self.test), mean_and_error(self.training)[0]

    @property
    def simpler(self) -> Literal["low", "high"]:
        """At which end of the values the model is simpler: where it follows the training samples less."""
        known = self.means[2][~np.isnan(self.means[2])]
        return "high" if len(known) and known[-1] > known[0] else "low"

    @cached_property
    def best(self) -> int | None:
        """The place of the value with the least mean loss."""
        return best_value(self.means[0], self._order, self.simpler)

    @cached_property
    def simplest(self) -> int | None:
        """The place of the simplest value within one standard error of it; None where values have no order."""
        mean, error, _ = self.means
        return one_standard_error(mean, error, self._order, self.simpler) if self.axis.numeric else None

    @property
    def _order(self) -> Array:
        return np.arange(float(len(self.axis.values)))

    def table(self) -> Table:
        """A row for each value."""
        score, (mean, _, training) = self.folding.score, self.means
        low, high = self._bars
        found: dict[str, Any] = {self.axis.parameter.key: [self.axis.cell(value) for value in self.axis.values]}
        found |= {f"test {score.name}": score.shown(mean), "low": low, "high": high}
        found[f"training {score.name}"] = score.shown(training)
        if self.test.shape[1] <= MOST_FOLDS_TOLD:
            found |= {f"fold {k + 1}": score.shown(losses) for k, losses in enumerate(self.test.T)}
        return Table.from_columns(found)

    @property
    def _bars(self) -> tuple[Array, Array]:
        """The ends of the mean test losses less and plus their standard errors."""
        return self.folding.score.bars(*self.means[:2])

    def plots(self) -> tuple[Plot, ...]:
        """Test and training losses over the values, the present value to be moved."""
        axis, score = self.axis, self.folding.score
        mean, _, training = self.means
        handle = axis.grip(self.question.pipeline)
        limits = (*axis.span(None if handle is None else float(handle.values[handle.at])), *self._heights())
        return (
            Plot(
                self.study_id,
                "Validation curve",
                axis.parameter.label,
                score.axis_label,
                tuple(self._marks(axis.places, score.shown(mean), score.shown(training))),
                limits,
                x_scale="log" if axis.log else "linear",
                x_ticks=axis.ticks,
                x_whole=axis.whole,
                handles=() if handle is None else (handle,),
                areas=() if axis.numeric else tuple(self._areas(limits[2], limits[3])),
            ),
        )

    def _marks(self, x: Array, test: Array, training: Array) -> Iterator[Mark]:
        (low, high), known = self._bars, np.isfinite(test)
        drawn = np.isfinite(training)
        yield Lines("path", self._line(x[drawn], training[drawn]), label="training samples")
        yield Lines("curve", self._line(x[known], test[known]), label="test samples")
        with_bars = known & np.isfinite(low + high)
        if with_bars.any():
            start, end = (np.column_stack((x, height))[with_bars] for height in (low, high))
            yield Segments("error bar", start, end, label="± one standard error")
        if self.simplest is not None and self.simplest != self.best:
            assert self.best is not None
            limit = float((low if self.folding.score.larger_is_better else high)[self.best])
            level = np.array([[x.min(), limit], [x.max(), limit]])
            yield Lines("threshold", level, label="best + one standard error")
        for place, role, label in self._choices():
            yield Points(role, np.array([[x[place], test[place]]]), label=label)
        present = self.axis.place_of(self.axis.now(self.question.pipeline))
        if present is not None and not self.axis.numeric:
            yield Lines("reference", np.array([[present, v] for v in self._heights()]), label="present")

    def _line(self, x: Array, heights: Array) -> Array:
        """The line through places; where these are no numbers, a short level one at each."""
        if self.axis.numeric:
            return np.column_stack((x, heights))
        ends = [np.column_stack((x + shift, heights + 0 * shift)) for shift in (-0.3, 0.3, np.nan)]
        return np.stack(ends, axis=1).reshape(-1, 2)

    def _choices(self) -> Iterator[tuple[int, str, str]]:
        if self.best is not None:
            yield self.best, "now", f"best: {self.axis.told(self.axis.values[self.best])}"
        if self.simplest is not None and self.simplest != self.best:
            told = self.axis.told(self.axis.values[self.simplest])
            yield self.simplest, "neighbour", f"one-SE rule: {told}"

    def _heights(self) -> tuple[float, float]:
        """The ends of the vertical axis: of the best value the error bar is in sight, too."""
        score, (mean, _, training), (low, high) = self.folding.score, self.means, self._bars
        test = score.shown(mean)
        seen = 0.0 if self.best is None else float(np.fmax(test[self.best], high[self.best]))
        return self.heights(seen, test, low, high, score.shown(training))

    def _areas(self, low: float, high: float) -> Iterator[Area]:
        for place, value in enumerate(self.axis.values):
            told = self.axis.told(value)
            yield Area((place - 0.5, place + 0.5, low, high), told, settings=((self.axis.path, value),))

    def facts(self) -> dict[str, Fact]:
        """The choices, and by which folds they were made."""
        score = self.folding.score
        mean, found = self.means[0], dict[str, Fact]()
        if self.best is None and self.complete:
            found["best value"] = NO_BEST
        if self.best is not None:
            unit = score.unit
            found["best value"] = Fact(self.axis.told(self.axis.values[self.best]), help="With the lowest mean loss.")
            found[f"its test {score.name}"] = Fact(float(score.shown(mean[[self.best]])[0]), unit, score.of_folds)
            low, high = (float(end[self.best]) for end in self._bars)
            if np.isfinite(high - low):
                help = "Of the mean over the folds, taken as if they were independent."
                found["standard error"] = Fact(abs(high - low) / 2, unit, help)
        if self.simplest is not None:
            help = "The simplest value whose mean loss is within one standard error of the lowest one."
            found["one-SE rule"] = Fact(self.axis.told(self.axis.values[self.simplest]), help=help)
        return found | super().facts()

    def offers(self) -> tuple[Offer, ...]:
        """The best value and the simplest one that is nearly as good."""
        if not self.complete:
            return ()
        values = self.axis.values
        names = ("Best", "One-SE rule")
        chosen = [(name, at) for name, at in zip(names, (self.best, self.simplest), strict=True) if at is not None]
        return tuple(
            Offer(f"{name}: {self.axis.told(values[at])}", ((self.axis.path, values[at]),)) for name, at in chosen
        )


@dataclass(frozen=True)
class ValidationCurve(FoldStudy):
    """Test and training error over one hyperparameter: too small or too large a value shows in the test error alone."""

    id = "validation-curve"
    label = "validation curve"
    help = "error on samples that were not learned from, over one hyperparameter: move its value, or adopt the best"

    hyperparameter: str = parameter_name()
    values: int = integer(25, soft=(5, 50), valid=(2, 200), help="how many values of it are tried")
    low: str = end_of_values("smallest")
    high: str = end_of_values("largest")

    def choices(self, pipeline: Pipeline) -> dict[str, tuple[str, ...]]:
        """The hyperparameters that can be varied."""
        return {"hyperparameter": names_of(pipeline.algorithm)}

    def rests_on(self, pipeline: Pipeline) -> Pipeline:
        """All but the hyperparameter: the curve stays while it moves."""
        return at_default(pipeline, self.hyperparameter)

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the curve as far as it is known."""
        parameter = parameter_of(question.pipeline.algorithm, self.hyperparameter)
        axis = Tried.over(parameter, self.values, self.low, self.high)
        result_of = partial(CurveResult, study_id=self.id, axis=axis)
        yield from results_in_folds(result_of, question, axis.pipelines(question.pipeline), self.folding(question))
