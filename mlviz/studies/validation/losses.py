"""How wrong fits are on the samples of folds: the losses behind curves over hyperparameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.scoring.folds import Fold
from mlviz.numerics.scoring.shares import class_numbers, ratio, weights_of
from mlviz.pipeline.fold_fits import Asked, FoldAnswers
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec.brief import Brief

_LEAST = float(np.finfo(np.float64).eps)
"""A smaller probability counts as this one, as in scikit-learn."""


@dataclass(frozen=True)
class Score:
    """What predictions are judged by: the mean of a loss over samples, and what of it is shown."""

    name: str
    asked: Asked
    unit: str = ""
    larger_is_better: bool = False

    @property
    def axis_label(self) -> str:
        """What stands beside an axis of it."""
        return "error rate" if self.unit == "share" else self.name

    @property
    def of_folds(self) -> str:
        """How what is told of all folds comes from them."""
        return "Root of the mean over the folds of the squared errors." if self is RMSE else "Mean over the folds."

    def shown(self, loss: Array) -> Array:
        """Mean losses as they are shown: of squares the root, of a negative log-likelihood what it is the negative of.

        So means over folds are those of the losses, and the root of a mean square is taken last.
        """
        if self is RMSE:
            return np.sqrt(np.maximum(loss, 0.0))
        return -loss if self.larger_is_better else loss

    def of_one_answer(self, y: AnyArray | None) -> float:
        """The least error of an answer that is the same everywhere, as it is shown; infinite where errors have a bound.

        Of squares it is the mean that is answered, of the log loss the shares of the classes.
        """
        if self is RMSE and y is not None:
            return float(np.std(y))
        if self is LOG_LOSS and y is not None:
            counts = np.unique(y, return_counts=True)[1]
            return float(np.log(len(y)) - counts @ np.log(counts) / len(y))
        return float("inf")

    def bars(self, mean: Array, error: Array) -> tuple[Array, Array]:
        """The lower and the upper ends of mean losses less and plus their standard errors, as they are shown."""
        ends = self.shown(mean - error), self.shown(mean + error)
        return ends[::-1] if self.larger_is_better else ends

    def worse(self, test: Array, training: Array) -> Array:
        """By how much one is worse than the other, as they are shown."""
        return training - test if self.larger_is_better else test - training

    def losses(self, y: AnyArray | None, values: AnyArray) -> Array:
        """The loss of each sample (b, n), y (n,), for what b fits say of them: (b, n) or (b, n, k)."""
        if y is None:
            return np.asarray(-values)
        if self is RMSE:
            return np.asarray((values - y) ** 2)
        if self is LOG_LOSS:
            own = values[:, np.arange(len(y)), class_numbers(y, np.unique(y))]
            return np.asarray(-np.log(np.clip(own, _LEAST, 1 - _LEAST)))
        return np.asarray(values != y, dtype=np.float64)


ERROR = Score("error", "predict", "share")
RMSE = Score("RMSE", "predict")
LOG_LOSS = Score("log loss", "predict_proba")
LOG_LIKELIHOOD = Score("log-likelihood", "score_samples", larger_is_better=True)


def scorable(pipeline: Pipeline) -> bool:
    """Whether there is anything by which to judge the method on samples that it has not seen."""
    return not {"classification", "regression"}.isdisjoint(pipeline.algorithm.tasks) or pipeline.tells_density


def score_for(pipeline: Pipeline, y: AnyArray | None, wanted: str) -> Score:
    """The score by which the method is judged; raises `CannotFit` where it has none, or not the one that is wanted."""
    if y is None:
        if not pipeline.tells_density:
            raise CannotFit(f"{pipeline.algorithm.label} has no error on samples that it has not seen.")
        return LOG_LIKELIHOOD
    if y.dtype.kind == "f" and "regression" in pipeline.algorithm.tasks:
        return RMSE
    return LOG_LOSS if wanted == LOG_LOSS.name else ERROR


@dataclass(frozen=True, eq=False)
class Judge(Brief):
    """Judges fits on the training and test samples of folds; samples of weight 0 do not count."""

    score: Score
    y: AnyArray | None
    training: Array
    """(f, n) what each sample counts as a training sample of each fold."""
    test: Array

    @classmethod
    def of(cls, score: Score, y: AnyArray | None, n: int, weights: Array | None, folds: Sequence[Fold]) -> Judge:
        """The judge of those folds of n samples."""
        shares = np.zeros((2, len(folds), n))
        for number, fold in enumerate(folds):
            for part, rows in zip(shares, fold, strict=True):
                np.add.at(part[number], rows, weights_of(weights, n)[rows])
        return cls(score, y, *shares)

    def losses(self, found: FoldAnswers) -> tuple[Array, Array]:
        """The mean losses (b,) on training and on test samples; NaN where there are none."""
        if found.values is None:
            nothing = np.full(len(found.fold), np.nan)
            return nothing, nothing
        loss = self.score.losses(self.y, found.values)
        training, test = (self._mean(loss, shares[found.fold]) for shares in (self.training, self.test))
        return training, test

    @staticmethod
    def _mean(loss: Array, shares: Array) -> Array:
        # A sample that does not count may have an infinite loss.
        counted = np.where(shares > 0, loss, 0.0)
        return ratio(np.einsum("bn,bn->b", counted, shares), shares.sum(axis=1))
