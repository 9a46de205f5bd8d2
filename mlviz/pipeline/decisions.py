"""Decisions between two classes: where on the score they part, by a threshold or by what errors cost.

With p the probability of the second, positive class, a false positive that costs c_FP and a false negative that costs
c_FN, the expected cost is least where + is predicted for p > c_FP / (c_FP + c_FN) (Elkan, The foundations of
cost-sensitive learning, 2001). Where a rejection costs c, to reject is cheaper still while
min(c_FN p, c_FP (1 − p)) > c, that is for c / c_FN < p < 1 − c / c_FP; there is such a p only for a
c < c_FP c_FN / (c_FP + c_FN) (Chow, On optimum recognition error and reject tradeoff, 1970).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model
from mlviz.draw.facts import Fact
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import number, numbers_apart, probability
from mlviz.draw.protocols import HasProbabilities, HasScores
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.pipeline.facts import (
    FALSE_NEGATIVE_RATE,
    FALSE_NEGATIVES,
    FALSE_POSITIVE_RATE,
    FALSE_POSITIVES,
    MEAN_COST,
    REJECTED,
    WRONG_IN,
    Samples,
)
from mlviz.spec import Declared, choice, flag, real


@dataclass(frozen=True)
class Decision(Declared):
    """How two classes are told apart once the model is there; the model itself does not change."""

    rule: str = choice(
        "natural",
        "threshold",
        "costs",
        help="natural: the class that the method itself prefers; threshold: the second class where the score is "
        "larger than the threshold; costs: the class whose expected cost is smaller",
    )
    threshold: float = real(
        0.0,
        soft=(-3.0, 3.0),
        valid=(-1e30, 1e30),
        label="threshold τ",
        help="the second class is predicted where the score is larger: in the units of the method's own score, which "
        "is a probability where it has no other",
        when=("rule", ("threshold",)),
    )
    cost_fp: float = real(
        1.0,
        soft=(0.1, 10.0),
        valid=(1e-6, 1e6),
        log=True,
        label="cost of a false positive",
        help="what it costs to predict the second class where the first is true",
        when=("rule", ("costs",)),
    )
    cost_fn: float = real(
        1.0,
        soft=(0.1, 10.0),
        valid=(1e-6, 1e6),
        log=True,
        label="cost of a false negative",
        help="what it costs to predict the first class where the second is true",
        when=("rule", ("costs",)),
    )
    reject: bool = flag(
        False,
        label="reject option",
        help="choose no class where both possible errors cost more than a rejection",
        when=("rule", ("costs",)),
    )
    reject_cost: float = real(
        0.2,
        soft=(0.01, 1.0),
        valid=(1e-6, 1e6),
        log=True,
        label="cost of a rejection",
        help="what it costs to choose no class",
        when=("reject", (True,)),
    )

    @property
    def natural(self) -> bool:
        """Whether the method decides by itself."""
        return self.rule == "natural"

    @property
    def dearest_rejection(self) -> float:
        """A rejection pays only where it costs less than this."""
        return self.cost_fp * self.cost_fn / (self.cost_fp + self.cost_fn)

    @property
    def bayes_threshold(self) -> float:
        """The probability of the second class above which it is the cheaper one."""
        return self.cost_fp / (self.cost_fp + self.cost_fn)

    @property
    def reject_band(self) -> tuple[float, float] | None:
        """The probabilities between which no class is chosen; None where there are no such."""
        if self.rule != "costs" or not self.reject or self.reject_cost >= self.dearest_rejection:
            return None
        return self.reject_cost / self.cost_fn, 1 - self.reject_cost / self.cost_fp

    def in_words(self, unit: str) -> str:
        """For the line under the picture, where the score has that unit."""
        if self.rule == "threshold":
            return f"threshold {number(self.threshold)} on the {unit}"
        costs = f"costs {number(self.cost_fp)} : {number(self.cost_fn)}"
        if self.reject:
            costs += f", rejection {number(self.reject_cost)}"
        threshold = self.bayes_threshold
        return f"{costs}, threshold at probability {probability(threshold) if threshold > 0.5 else number(threshold)}"


NATURAL_DECISION = Decision()
"""The method decides by itself."""


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

    def decide(self, scores: Array, classes: NDArray[Any]) -> NDArray[Any]:
        """What is decided for scores (n,), one of the two classes or `rejected_of` them."""
        decided = classes[(scores > self.threshold).astype(np.intp)]
        if self.reject_band is None:
            return np.asarray(decided)
        low, high = self.reject_band
        return np.where((scores > low) & (scores < high), rejected_of(classes), decided)

    def explain(self, told: Explanation, score: float, classes: NDArray[Any], names: Names = UNNAMED) -> Explanation:
        """What the method says of a place, and what is decided there."""
        told = told.undecided(self.threshold) if told.undecided else told
        return replace(told, sentence=f"{told.sentence} {self.say(score, classes, names)}")

    def say(self, score: float, classes: NDArray[Any], names: Names = UNNAMED) -> str:
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


def rejected_of(classes: NDArray[Any]) -> Any:
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


def signed_scores(model: Any, X: Array) -> NDArray[Any]:
    """The score (n,) at the rows of X, or what stands for it."""
    if isinstance(model, HasScores):
        return model.decision_function(X)
    if isinstance(model, HasProbabilities):
        return _lead(model.predict_proba(X))
    return np.where(model.predict(X) == model.classes[1], 1.0, -1.0)


def signed_scores_on_grid(model: Model, grid: Grid, dtype: Any) -> NDArray[Any]:
    """The score at every node, (ny, nx)."""
    if model.field == "decision_function":
        return grid.field_of(model, dtype)
    if model.field == "predict_proba" and not isinstance(model, HasScores):
        return _lead(grid.field_of(model, dtype))
    return signed_scores(model, grid.points()).reshape(grid.shape).astype(dtype)


def _lead(proba: NDArray[Any]) -> NDArray[Any]:
    """By how much the second of two classes is the more probable one."""
    return np.asarray(proba[..., 1] - proba[..., 0])


def outcomes(
    decision: Decision,
    decided: NDArray[Any],
    y: NDArray[Any],
    classes: NDArray[Any],
    weights: Array | None,
    samples: Samples = "training",
) -> dict[str, Fact]:
    """How often either class is taken for the other, weights (n,) counting as copies, and what that costs."""
    counts = np.ones(len(y)) if weights is None else weights
    negative, positive = classes
    false_positives = float(counts[(y == negative) & (decided == positive)].sum())
    false_negatives = float(counts[(y == positive) & (decided == negative)].sum())
    rejected = float(counts[(decided != negative) & (decided != positive)].sum())
    found: dict[str, Fact] = {}
    for number_of, rate, count, c in (
        (FALSE_POSITIVES, FALSE_POSITIVE_RATE, false_positives, negative),
        (FALSE_NEGATIVES, FALSE_NEGATIVE_RATE, false_negatives, positive),
    ):
        found |= number_of.told(_count(count), samples)
        if total := float(counts[y == c].sum()):
            found |= rate.told(count / total, samples)
    if decision.rule == "costs":
        bill = decision.cost_fp * false_positives + decision.cost_fn * false_negatives + decision.reject_cost * rejected
        found |= MEAN_COST.told(bill / float(counts.sum()), samples)
        if decision.reject:
            found |= REJECTED.told(rejected / float(counts.sum()), samples)
    return found


def wrong_of_each(
    wrong: NDArray[np.bool_],
    y: NDArray[Any],
    classes: NDArray[Any],
    weights: Array | None,
    names: Names = UNNAMED,
    samples: Samples = "training",
) -> dict[str, Fact]:
    """How many samples of each of the classes are among the `wrong` ones (n,), weights (n,) counting as copies."""
    counts = np.ones(len(y)) if weights is None else weights
    found: dict[str, Fact] = {}
    for c in classes.tolist():
        mine, taken = float(counts[y == c].sum()), float(counts[(y == c) & wrong].sum())
        found |= WRONG_IN.told(f"{_count(taken):g} of {_count(mine):g}", samples, names.of_class(c))
    return found


def _count(weight: float) -> int | float:
    return int(weight) if weight.is_integer() else weight
