"""Decisions between two classes: where on the score they part, by a threshold or by what errors cost.

With p the probability of the second, positive class, a false positive that costs c_FP and a false negative that costs
c_FN, the expected cost is least where + is predicted for p > c_FP / (c_FP + c_FN) (Elkan, The foundations of
cost-sensitive learning, 2001). Where a rejection costs c, to reject is cheaper still while
min(c_FN p, c_FP (1 − p)) > c, that is for c / c_FN < p < 1 − c / c_FP; there is such a p only for a
c < c_FP c_FN / (c_FP + c_FN) (Chow, On optimum recognition error and reject tradeoff, 1970).
"""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.draw.numbers import number, probability
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
