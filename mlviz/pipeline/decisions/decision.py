"""Decisions between two classes, by a threshold or by what errors cost, and for values.

With p the probability of the second, positive class, a false positive that costs c_FP and a false negative that costs
c_FN, the expected cost is least where + is predicted for p > c_FP / (c_FP + c_FN) (Elkan, The foundations of
cost-sensitive learning, 2001). Where a rejection costs c, to reject is cheaper still while
min(c_FN p, c_FP (1 − p)) > c, that is for c / c_FN < p < 1 − c / c_FP; there is such a p only for a
c < c_FP c_FN / (c_FP + c_FN) (Chow, On optimum recognition error and reject tradeoff, 1970).

For a value, where a unit too low costs c1 and a unit too high c2, the quantile c1 / (c1 + c2) of the predictive
distribution is decided for (`mlviz/numerics/asymmetric_cost.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlviz.algorithms.base import Algorithm
from mlviz.draw.numbers import number, probability, share
from mlviz.draw.overlays.bands import costs_in_words
from mlviz.draw.tasks import Task
from mlviz.numerics.asymmetric_cost import COSTS, AsymmetricCost
from mlviz.spec import Declared, choice, flag, real

OF_VALUES = ("level", "asymmetric", "cost_below", "cost_above")
"""What matters where values are predicted; all else is about classes."""


@dataclass(frozen=True)
class Decision(Declared):
    """What is decided once the model is there: a class, or a value; the model itself does not change."""

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
        help="choose no class where a rejection costs less than the expected cost of either class",
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
    level: float = real(
        0.95,
        soft=(0.5, 0.99),
        valid=(0.01, 0.9999),
        label="level of the bands",
        help="the probability with which a band is to hold the function, or a new target",
    )
    asymmetric: bool = flag(
        False,
        label="asymmetric cost",
        help="decide for the value whose expected cost is lowest where too low and too high a value cost differently, "
        "in place of the prediction",
    )
    cost_below: float = real(
        3.0,
        soft=(0.1, 10.0),
        valid=COSTS,
        log=True,
        label="cost of too low",
        help="what each unit costs by which the decision is below the target",
        when=("asymmetric", (True,)),
    )
    cost_above: float = real(
        1.0,
        soft=(0.1, 10.0),
        valid=COSTS,
        log=True,
        label="cost of too high",
        help="what each unit costs by which the decision is above the target",
        when=("asymmetric", (True,)),
    )

    @classmethod
    def about(cls, task: Task) -> tuple[str, ...]:
        """The names of the parameters that matter in a task."""
        return tuple(p.name for p in cls.parameters() if (p.name in OF_VALUES) == (task == "regression"))

    def in_force(self, task: Task) -> str:
        """What is set in a task, in a word or two; "" where all is as usual."""
        if task != "regression":
            return "" if self.natural else self.rule
        if self.asymmetric:
            return "asymmetric cost"
        return "" if self.level == NATURAL_DECISION.level else f"{share(self.level)} bands"

    @property
    def natural(self) -> bool:
        """Whether the method decides between classes by itself."""
        return self.rule == "natural"

    @property
    def value_cost(self) -> AsymmetricCost | None:
        """What a value costs that is too low or too high; None where the prediction is decided for."""
        return AsymmetricCost(self.cost_below, self.cost_above) if self.asymmetric else None

    def for_another(self, method: Algorithm) -> Decision:
        """What stays of it with another method.

        Not a threshold, which was one on the former score, nor costs of values where there is no distribution of them.
        """
        natural, kept = NATURAL_DECISION, self
        if kept.rule == "threshold":
            kept = kept.replace(rule=natural.rule, threshold=natural.threshold)
        return kept.replace(asymmetric=False) if kept.asymmetric and not method.is_predictive() else kept

    def to_json(self) -> dict[str, Any]:
        """Key -> value; what values are decided by only where it is set, since older versions do not know it."""
        usual = super(Decision, NATURAL_DECISION).to_json()
        return {k: v for k, v in super().to_json().items() if k not in OF_VALUES or v != usual[k]}

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

    @property
    def cost_in_words(self) -> str:
        """The costs of values, and what is decided for by them."""
        cost = AsymmetricCost(self.cost_below, self.cost_above)
        return f"{costs_in_words(cost)}, so the {share(cost.share)} quantile is decided for"

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
