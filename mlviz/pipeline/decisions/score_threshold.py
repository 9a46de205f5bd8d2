"""Where on a model's score two classes part, as a decision asks for it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from mlviz.algorithms.base import Model
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import number, numbers_apart, probability
from mlviz.draw.protocols import HasProbabilities, HasScores
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.pipeline.decisions.decision import Decision


def log_odds(p: float) -> float:
    """log(p / (1 - p)) of a probability."""
    return math.log(p) - math.log1p(-p)


Unit = Literal["score", "log odds", "probability"]


def unit_of(model: Any) -> Unit:
    """In what a model's score of the second of two classes is measured; it has a score or a probability."""
    if not isinstance(model, HasScores):
        return "probability"
    return "log odds" if isinstance(model, HasProbabilities) else "score"


def natural_threshold(unit: Unit) -> float:
    """Where on such a score the method itself parts the classes."""
    return 0.5 if unit == "probability" else 0.0


@dataclass(frozen=True)
class ScoreThreshold:
    """A decision in the units of a model's score: the second class above the threshold, none within the reject band."""

    unit: Unit
    threshold: float
    reject_band: tuple[float, float] | None = None

    def decide(self, scores: Array, classes: AnyArray) -> AnyArray:
        """What is decided for scores (n,), one of the two classes or `rejected_of` them."""
        decided = classes[(scores > self.threshold).astype(np.intp)]
        if self.reject_band is None:
            return np.asarray(decided)
        low, high = self.reject_band
        return np.where((scores > low) & (scores < high), rejected_of(classes), decided)

    def explain(self, told: Explanation, score: float, classes: AnyArray, names: Names = UNNAMED) -> Explanation:
        """What the method says of a place, and what is decided there."""
        told = told.undecided(self.threshold) if told.undecided else told
        return replace(told, sentence=f"{told.sentence} {self.say(score, classes, names)}")

    def say(self, score: float, classes: AnyArray, names: Names = UNNAMED) -> str:
        """What is decided where the score is that, as a sentence."""
        (decided,) = self.decide(np.array([score]), classes)
        if decided not in classes:
            said, low, high = numbers_apart(score, *(self.reject_band or (0.0, 0.0)))
            return f"The {self.unit} {said} is between {low} and {high}: no class is chosen."
        how = "above" if score > self.threshold else "not above"
        said, threshold = numbers_apart(score, self.threshold)
        if self.unit == "probability" and 0 < score < 1 and (bound := probability(score)).endswith(("0.001", "0.999")):
            said = f"is {bound}, which"
        return f"The {self.unit} {said} is {how} the threshold {threshold}: {names.of_class(decided)} is chosen."


def rejected_of(classes: AnyArray) -> Any:
    """What stands for no class: -1, the whole number below negative classes, or "rejected" among names."""
    return min(-1, int(classes.min()) - 1) if classes.dtype.kind in "iub" else "rejected"


def score_threshold_of(decision: Decision, model: Any, label: str) -> tuple[ScoreThreshold | None, str]:
    """The decision in the units of the model's score, and what must be told where it is not as wished."""
    if len(model.classes) != 2:
        what = "thresholds" if decision.rule == "threshold" else "costs"
        return None, f"{what} decide between two classes only, so the method decides by itself"
    scores, probable = isinstance(model, HasScores), isinstance(model, HasProbabilities)
    unit = unit_of(model)
    if decision.rule == "threshold":
        if not scores and not probable:
            return None, f"{label} has no score, so it decides by itself"
        return ScoreThreshold(unit, decision.threshold), ""
    if not probable:
        return None, f"costs need probabilities, which {label} does not give, so it decides by itself"
    convert = log_odds if unit == "log odds" else float
    threshold, band = convert(decision.bayes_threshold), decision.reject_band
    if band is not None:
        return ScoreThreshold(unit, threshold, (convert(band[0]), convert(band[1]))), ""
    dearest = decision.dearest_rejection
    told = f"a rejection never pays: it would have to cost less than {number(dearest)}" if decision.reject else ""
    return ScoreThreshold(unit, threshold), told


def score_of(model: Any, X: Array) -> Array:
    """The score (n,) of a model of two classes that decisions are about; of several one for each class, (n, k)."""
    if isinstance(model, HasScores):
        return np.asarray(model.decision_function(X))
    found = np.asarray(model.predict_proba(X))
    return found[:, 1] if found.shape[1] == 2 else found


def signed_scores(model: Any, X: Array) -> AnyArray:
    """The score (n,) at the rows of X, or what stands for it."""
    if isinstance(model, HasScores):
        return model.decision_function(X)
    if isinstance(model, HasProbabilities):
        return _lead(model.predict_proba(X))
    return np.where(model.predict(X) == model.classes[1], 1.0, -1.0)


def signed_scores_on_grid(model: Model, grid: Grid, dtype: Any) -> AnyArray:
    """The score at every node, (ny, nx)."""
    if model.field == "decision_function":
        return grid.field_of(model, dtype)
    if model.field == "predict_proba" and not isinstance(model, HasScores):
        return _lead(grid.field_of(model, dtype))
    return signed_scores(model, grid.points()).reshape(grid.shape).astype(dtype)


def _lead(proba: AnyArray) -> AnyArray:
    """By how much the second of two classes is the more probable one."""
    return np.asarray(proba[..., 1] - proba[..., 0])
