"""How well a model does on samples whose targets are known: those of its fit, and those that were held out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from mlviz.draw.facts import Fact
from mlviz.draw.layer import UNNAMED, Names
from mlviz.draw.numbers import cleared, drawn_part
from mlviz.draw.protocols import HasProbabilities
from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask, Rows
from mlviz.numerics.asymmetric_cost import AsymmetricCost
from mlviz.numerics.sampling import spread_subsample
from mlviz.pipeline.decisions import Decision, ScoreThreshold, outcomes, score_of, values, wrong_of_each
from mlviz.pipeline.facts import (
    COSTS_COUNTED_FOR,
    COUNTED_FOR,
    ERROR,
    LOG_LIKELIHOOD,
    MEAN_COST,
    MEAN_COST_OF_PREDICTION,
    RMSE,
    PipelineFact,
    Samples,
)
from mlviz.spec.brief import Brief

PREDICTION_BUDGET = 20_000_000
"""With how many numbers, about, the samples are predicted at the most."""
FEWEST_PREDICTED = 2000
"""How many samples are predicted at the least, however many numbers that takes."""

_WORK_OF_DECISIONS, _FEWEST_DECIDED = 1e9, 200
"""With how many numbers, about, values are decided for at the most, and for how many samples at the least."""


@runtime_checkable
class _HasDensity(Protocol):
    """It has the logarithm of a density at places (n, d)."""

    def score_samples(self, X: Array) -> Array: ...


class HeldOut(NamedTuple):
    """Samples that take no part in a fit, by which it is judged."""

    X: Array
    """(n, d) in the user's coordinates."""
    y: AnyArray | None
    """(n,) class codes or values; None where there is no target."""
    rows: Rows
    """(n,) row of each sample in the data set."""


def rows_predicted(X: Array, cost: int) -> Labels | None:
    """Which of the samples X (n, d) are predicted where each takes so many numbers; None for all.

    Where all would take too long they are drawn at random, whatever their order.
    """
    most = max(FEWEST_PREDICTED, PREDICTION_BUDGET // max(1, cost))
    return spread_subsample(X, most) if len(X) > most else None


@dataclass(frozen=True, eq=False)
class Rating(Brief):
    """What a model predicts for samples, and how wrong that is."""

    inner: Any
    """The model, in its own coordinates."""
    samples: Samples
    inputs: Array
    """(q, d) the samples that are predicted, in model coordinates."""
    y: AnyArray | None
    """Of shape (q,)."""
    weights: Array | None
    """Of shape (q,)."""
    is_classes: bool
    rows: Rows | None
    """(q,) which of all samples they are; None for all."""
    count: int
    """How many samples there are."""
    rule: ScoreThreshold | None = None
    natural: Rating | None = None
    """The same of the model that decides by itself, which keeps the scores; None for this one."""

    def deciding(self, rule: ScoreThreshold | None) -> Rating:
        """The same where the model decides by such a rule."""
        return self if rule is None else replace(self, rule=rule, natural=self)

    @cached_property
    def predicted(self) -> AnyArray:
        """(q,) what is predicted."""
        if self.rule is not None:
            return self.rule.decide((self.natural or self).scores, self.inner.classes)
        return np.asarray(self.inner.predict(self.inputs))

    @cached_property
    def scores(self) -> Array:
        """(q,) the scores of the samples, of two classes, or (q, k) one for each of several."""
        return score_of(self.inner, self.inputs)

    @cached_property
    def probabilities(self) -> Array | None:
        """(q, k) how probable the classes are; None where the model does not say."""
        return self.inner.predict_proba(self.inputs) if isinstance(self.inner, HasProbabilities) else None

    @property
    def result(self) -> PipelineFact | None:
        """What is told of the samples; None where nothing is."""
        if self.y is None:
            return LOG_LIKELIHOOD if self.samples == "test" and isinstance(self.inner, _HasDensity) else None
        return ERROR if self.is_classes else RMSE

    @cached_property
    def error(self) -> float:
        """The share of wrong samples, the root of the mean squared residual, or the mean log-density; weighted.

        What is put into no class is not put into a wrong one.
        """
        if self.y is None:
            return float(np.average(self.inner.score_samples(self.inputs), weights=self.weights))
        if self.is_classes:
            return float(np.average(self.wrong, weights=self.weights))
        residuals = np.abs(self.predicted - self.y)
        unit = float(residuals.max()) or 1.0
        told = unit * float(np.sqrt(np.average((residuals / unit) ** 2, weights=self.weights)))
        return cleared(told, float(np.abs(self.y).max()))

    @cached_property
    def wrong(self) -> Mask:
        """(q,) which samples are put into a wrong class."""
        return np.asarray((self.predicted != self.y) & np.isin(self.predicted, self.inner.classes))

    @property
    def named(self) -> tuple[str, float] | None:
        """The name of the error and its value; None where there is none."""
        return None if self.result is None else (self.result.called(self.samples), self.error)

    @cached_property
    def summary(self) -> dict[str, Fact]:
        """The error by its name; nothing where there is none."""
        return {} if self.result is None else self.result.told(self.error, self.samples)

    @property
    def counted(self) -> dict[str, Fact]:
        """For how many samples the error was counted, if not for all."""
        if self.rows is None or self.result is None:
            return {}
        return COUNTED_FOR.told(drawn_part(len(self.rows), self.count), self.samples)

    def class_outcomes(self, decision: Decision, names: Names = UNNAMED) -> dict[str, Fact]:
        """How the classes fare; of two which is taken for the other, and what the decision costs."""
        if not self.is_classes or self.y is None:
            return {}
        classes, found = self.inner.classes, dict[str, Fact]()
        if len(classes) == 2:
            found = outcomes(decision, self.predicted, self.y, classes, self.weights, self.samples)
        told = classes if len(classes) > 2 else classes[:0]
        if self.samples == "test":
            # Samples of a class that was not in the fit are wrong, too.
            told = np.union1d(told, np.setdiff1d(self.y, classes))
        return found | wrong_of_each(self.wrong, self.y, told, self.weights, names, self.samples)

    def value_outcomes(self, cost: AsymmetricCost) -> dict[str, Fact]:
        """What deciding for values costs per sample, and what it would to decide for the prediction, weighted."""
        if self.y is None or self.is_classes:
            return {}
        # The deviation at a place may take the square of what the prediction does.
        most = max(_FEWEST_DECIDED, int(_WORK_OF_DECISIONS / max(1, self.inner.cost) ** 2))
        rows = spread_subsample(self.inputs, most)
        y, predicted, weights = self.y[rows], self.predicted[rows], None if self.weights is None else self.weights[rows]
        decided, found = values.decided(self.inner, self.inputs[rows], cost, predicted), dict[str, Fact]()
        for fact, a in ((MEAN_COST, decided), (MEAN_COST_OF_PREDICTION, predicted)):
            if np.isfinite(a).all():
                bill = float(np.average(cost.of(y - a), weights=weights))
                size = max(cost.below, cost.above) * float(np.abs(y).max(initial=0.0))
                found |= fact.told(cleared(bill, size), self.samples)
        if len(rows) < len(self.inputs):
            found |= COSTS_COUNTED_FOR.told(drawn_part(len(rows), self.count), self.samples)
        return found


def rated(model: Any, X: ArrayLike, y: ArrayLike | None, weights: ArrayLike | None = None) -> Rating:
    """How a `PipelineModel` does on samples X (n, d), y (n,) that it was not fitted to, weights (n,) as copies.

    Of very many samples some are drawn at random, as for the training error.
    """
    inputs = np.asarray(X, dtype=np.float64)
    held_out = HeldOut(inputs, None if y is None else np.asarray(y), np.arange(len(inputs)))
    counts = None if weights is None else np.asarray(weights, dtype=np.float64)
    return rating_of_held_out(model.inner, model.training, held_out, counts).deciding(model.score_threshold)


def rating_of_held_out(inner: Any, training: Any, held_out: HeldOut, weights: Array | None = None) -> Rating:
    """How the model `inner` of a `Training` does on samples that were held out, deciding by itself."""
    rows = rows_predicted(held_out.X, inner.cost)
    part = slice(None) if rows is None else rows
    inputs = training.transform.to_model(held_out.X[part])
    y = None if held_out.y is None else held_out.y[part]
    counts = None if weights is None else weights[part]
    return Rating(inner, "test", inputs, y, counts, training.is_classes, rows, len(held_out.X))
