"""What is known of bias and variance: the parts of the error for each value of a hyperparameter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines, Mark, Polygons, Segments
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.pipeline.model import PipelineModel
from mlviz.spec.brief import Brief
from mlviz.studies.question import Result, Table
from mlviz.studies.resampling.bundle import Bundle, Traced
from mlviz.studies.values import Tried

_HIGHEST = 8.0
"""The axis of errors ends at so many times the least one: those far beyond would make all others look alike."""
_FAR = 2.0
"""Nor does it go on beyond so many times the error of the mean as the answer everywhere."""


@dataclass(frozen=True, eq=False)
class Fits(Brief):
    """The fits of each value to the sets of samples so far, and what they predict for the test samples."""

    axis: Tried
    X_test: Array
    y_test: AnyArray
    """(m,) drawn with noise."""
    truth: Array | None
    """(m,) the regression function; None for classes."""
    noise: float
    """The variance of the noise."""
    models: list[list[PipelineModel]] = field(default_factory=list)
    predictions: list[list[AnyArray]] = field(default_factory=list)
    training_errors: list[list[float]] = field(default_factory=list)
    traced: list[Traced] = field(default_factory=list)

    def __post_init__(self) -> None:
        for _ in self.axis.values:
            self.models.append([])
            self.predictions.append([])
            self.training_errors.append([])
            self.traced.append(Traced())


@dataclass(frozen=True, eq=False, kw_only=True)
class BiasVarianceResult(Result):
    """Bias², variance and noise for each value of a hyperparameter; of classifiers the mean error."""

    fits: Fits
    counts: tuple[int, ...]
    """How many fits there are of each value; `fits` may have more by now."""
    exact: Array | None = None
    """(v,) the risk by the formula, the inputs as they are; None for methods that have none."""

    def table(self) -> Table:
        """A row for each value that has been tried."""
        tried, axis = self._tried, self.fits.axis
        columns: dict[str, Any] = {axis.parameter.key: [axis.values[v] for v in tried]}
        for name, values in self._columns().items():
            columns[name] = values
        return Table.from_columns(columns)

    def _columns(self) -> dict[str, Array]:
        tried, fits = self._tried, self.fits
        parts = np.array([self._parts(v) for v in tried])
        if fits.truth is None:
            names: tuple[str, ...] = ("test error", "standard error", "training error", "error of the majority")
            return dict(zip(names, parts.T, strict=True)) if len(tried) else {name: np.empty(0) for name in names}
        names = ("bias squared", "variance", "noise", "sum", "measured risk", "standard error")
        found = dict(zip(names, parts.T, strict=True)) if len(tried) else {name: np.empty(0) for name in names}
        if self.exact is not None:
            found["exact risk"] = self.exact[tried]
        return found

    @property
    def _tried(self) -> list[int]:
        return [v for v, count in enumerate(self.counts) if count]

    def _parts(self, v: int) -> tuple[float, ...]:
        fits = self.fits
        told = np.array(fits.predictions[v][: self.counts[v]])
        if fits.truth is None:
            wrong = (told != fits.y_test).mean(axis=1)
            spread = float(wrong.std(ddof=1) / np.sqrt(len(wrong))) if len(wrong) > 1 else float("nan")
            majority = _majority(told)
            error = float((majority != fits.y_test).mean())
            return float(wrong.mean()), spread, float(np.mean(fits.training_errors[v][: self.counts[v]])), error
        mean = told.mean(axis=0)
        apart, spread = float(((mean - fits.truth) ** 2).mean()), float(((told - mean) ** 2).mean())
        # The mean of b fits is itself off by a b-th of their variance, which is no bias; the sum stays.
        variance = min(spread * len(told) / (len(told) - 1), apart + spread) if len(told) > 1 else 0.0
        bias = apart + spread - variance
        losses = (told - fits.y_test) ** 2
        # Of the fits and of the noise of the test samples: both are drawn.
        of_fits = losses.mean(axis=1).var(ddof=1) / len(told) if len(told) > 1 else float("nan")
        of_tests = losses.mean(axis=0).var(ddof=1) / losses.shape[1]
        risk, error = float(losses.mean()), float(np.sqrt(of_fits + of_tests))
        return bias, variance, fits.noise, bias + variance + fits.noise, risk, error

    def plots(self) -> tuple[Plot, ...]:
        """The parts, one upon the other, over the values; of classifiers the errors."""
        axis, tried, found = self.fits.axis, self._tried, self._columns()
        x = axis.places[tried]
        marks = self._errors(x, found) if self.fits.truth is None else self._stacked(x, found)
        tops = [
            values for name, values in found.items() if name in ("sum", "measured risk", "exact risk", "test error")
        ]
        top = max((float(np.nanmax(values)) for values in tops if len(values)), default=1.0)
        least = min((float(np.nanmin(values)) for values in tops if len(values)), default=1.0)
        useful = float("inf") if self.fits.truth is None else _FAR * float(np.var(self.fits.y_test))
        top = 1.1 * min(top, _HIGHEST * least, max(least, useful)) or 1.0
        handle = axis.grip(self.question.pipeline)
        assert handle is not None  # its values are numbers
        title = "Bias and variance" if self.fits.truth is not None else "Error over complexity"
        y_label = "squared error" if self.fits.truth is not None else "error rate"
        scale: Any = "log" if axis.log else "linear"
        return (
            Plot(
                "bias-variance",
                title,
                axis.parameter.label,
                y_label,
                marks,
                (*axis.span(float(handle.values[handle.at])), 0.0, top),
                x_scale=scale,
                x_whole=axis.whole,
                handles=(handle,),
            ),
        )

    def _stacked(self, x: Array, found: dict[str, Array]) -> tuple[Mark, ...]:
        if not len(x):
            return ()
        marks: list[Mark] = []
        below = np.zeros(len(x))
        for role, name, label in (
            ("bar 5", "noise", "noise"),
            ("bar 3", "bias squared", "bias²"),
            ("bar 4", "variance", "variance"),
        ):
            above = below + found[name]
            rim = np.concatenate((np.column_stack((x, below)), np.column_stack((x, above))[::-1]))
            if len(x) > 1:  # a single value has no area
                marks.append(Polygons(role, (rim,), label=label))
            below = above
        marks += _bars(x, found["measured risk"], found["standard error"], "measured risk")
        if "exact risk" in found:
            marks.append(Lines("reference", np.column_stack((x, found["exact risk"])), label="exact, these inputs"))
        return tuple(marks)

    def _errors(self, x: Array, found: dict[str, Array]) -> tuple[Mark, ...]:
        if not len(x):
            return ()
        return (
            Lines("path", np.column_stack((x, found["training error"])), label="mean training error"),
            *_bars(x, found["test error"], found["standard error"], "mean test error"),
            Lines("reference", np.column_stack((x, found["error of the majority"])), label="error of the majority"),
        )

    def facts(self) -> dict[str, Fact]:
        """The parts at the value nearest to the present one."""
        axis = self.fits.axis
        at = axis.nearest(self.question.pipeline)
        repeats = self.counts[at]
        told = {
            f"nearest {axis.parameter.label}": Fact(
                axis.values[at], "", "The value tried nearest to that of the canvas."
            ),
            "fits": Fact(repeats, "", "Sets of samples that it has been fitted to."),
        }
        if not repeats:
            return told
        parts = self._parts(at)
        if self.fits.truth is None:
            return told | {"mean test error": Fact(parts[0], "share", "Share wrong, the mean over all fits.")}
        return told | {
            "bias²": Fact(parts[0], "", "Squared distance of the mean of all fits from the true function."),
            "variance": Fact(parts[1], "", "Mean squared distance of the fits from their mean."),
            "noise": Fact(parts[2], "", "Variance of the noise on the targets: no fit is better than that."),
            "measured risk": Fact(parts[4], "", "Mean squared error on fresh samples, which the three add up to."),
        }

    def before_overlays(self, context: Context) -> Iterator[None]:
        """Ask the models one by one for their lines."""
        return self.bundle().before_marks(context, self.question.pipeline.decision)

    def bundle(self) -> Bundle:
        """The fits at the value nearest to the present one."""
        at = self.fits.axis.nearest(self.question.pipeline)
        return Bundle(tuple(self.fits.models[at][: self.counts[at]]), self.fits.traced[at])


def _majority(told: AnyArray) -> AnyArray:
    """The class that most of the rows of (b, m) say, (m,); of equally many the first."""
    classes = np.unique(told)
    votes = np.array([(told == one).sum(axis=0) for one in classes])
    return np.asarray(classes[np.argmax(votes, axis=0)])


def _bars(x: Array, y: Array, error: Array, label: str) -> list[Mark]:
    error = np.nan_to_num(error)
    return [
        Lines("curve", np.column_stack((x, y)), label=label),
        Segments("curve", np.column_stack((x, y - error)), np.column_stack((x, y + error))),
    ]
