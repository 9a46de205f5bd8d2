"""The receiver operating characteristic: what is found against what is falsely taken for it, at every threshold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.numbers import format_number
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.roc import LeastCost, ThresholdCurve, least_cost, line_through_square
from mlviz.studies.judging.base import JudgingStudy
from mlviz.studies.judging.curves import CurveResult, cuts_at
from mlviz.studies.judging.threshold import PATH, UNIT_SQUARE
from mlviz.studies.question import Offer, Table

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class RocResult(CurveResult):
    """The ROC curve of two classes, or of each of several against all others."""

    def rates_of(self, curve: ThresholdCurve) -> Array:
        """What is falsely taken for the class, and what of it is found."""
        return np.column_stack((curve.false_positive_rate, curve.true_positive_rate))

    def table(self) -> Table:
        """A row for each point: the threshold above which samples are taken for the class, and both rates."""
        return self.table_of("false positive rate", "true positive rate")

    def plots(self) -> tuple[Plot, ...]:
        """The curve with the chance line, the line of equal cost and the threshold, or a curve for each class."""
        marks: list[Mark] = [Lines("reference", np.array([(0.0, 0.0), (1.0, 1.0)]), label="chance")]
        handles: tuple[Handle, ...] = ()
        if self.scored.binary:
            handle, at_threshold = self.at_threshold()
            curve = Lines(
                "curve",
                self.shown[self.positive],
                label=f"{self.against(self.positive)}: AUC {format_number(self.curve.auc, 3)}",
            )
            marks += [self._equal_cost(), curve, *at_threshold]
            handles = (handle,)
        else:
            marks += [Lines(f"class {code}", xy, label=self.against(code)) for code, xy in self.shown.items()]
        x, y = self.axis("false positive rate"), "true positive rate"
        return (Plot("roc", "ROC", x, y, tuple(marks), UNIT_SQUARE, equal=True, handles=handles),)

    def told(self) -> dict[str, Fact]:
        """The area under the curve with its interval, and both rates and the cost at the threshold."""
        scored = self.scored
        if not scored.binary:
            return self.facts_of_several(
                "AUC",
                "The mean of the areas under the curves of the classes, each against all others.",
                lambda curve: curve.auc,
                lambda curve: "The area under the curve of this class against all others.",
            )
        help_of_area = (
            f"The probability that a sample of {self.name(self.positive)} has a higher score than another one."
        )
        facts = {"AUC": Fact(self.curve.auc, "", f"The area under the curve. {help_of_area}")}
        if estimate := scored.areas.get(self.positive):
            told = "of the 95 % confidence interval of the AUC, by DeLong's variance, on the scale of log odds."
            for end, value in zip(("lower", "upper"), estimate.interval(), strict=True):
                facts[f"AUC, {end} end"] = Fact(value, "", f"The {end} end {told}")
        x, y = self.here
        also = ", rejected or not" if self._rejects else ""
        return (
            facts
            | self.threshold_facts()
            | {
                "false positive rate": Fact(x, "share", f"The share of the others that are above the threshold{also}."),
                "true positive rate": Fact(
                    y, "share", f"The share of {self.name(self.positive)} that is above it{also}."
                ),
                **self._cost_facts(),
            }
        )

    def _cost_facts(self) -> dict[str, Fact]:
        """What a sample costs here and at best; nothing where some are rejected, which no threshold alone does."""
        if self._rejects:
            return {}
        told = "What it costs at the best threshold for these samples."
        return {
            "mean cost": Fact(self._cost, "", f"What a sample costs at the threshold, {self._costs}."),
            "lowest cost": Fact(self._best.cost, "", told),
        }

    @property
    def _rejects(self) -> bool:
        return self.rule is not None and self.rule.reject_band is not None

    def offers(self) -> tuple[Offer, ...]:
        """The threshold of the least cost, where it costs less than the present one."""
        if not self.scored.binary or self._rejects or not self._best.cost < self._cost - _ROUNDING:
            return ()
        (cut,) = cuts_at(self.curve, np.array([self._best.place])).tolist()
        return (Offer(f"take the cheapest threshold {format_number(cut, 3)}", ((PATH, cut),)),)

    @cached_property
    def _best(self) -> LeastCost:
        decision = self.question.pipeline.decision
        return least_cost(self.curve, decision.cost_fp, decision.cost_fn)

    @property
    def _costs(self) -> str:
        decision = self.question.pipeline.decision
        return (
            f"where a false positive costs {format_number(decision.cost_fp)} and a false negative "
            f"{format_number(decision.cost_fn)}"
        )

    @property
    def _cost(self) -> float:
        """What a sample costs on average where the threshold stands."""
        decision, share = self.question.pipeline.decision, self.curve.positive_share
        x, y = self.here
        return float(decision.cost_fn * share * (1 - y) + decision.cost_fp * (1 - share) * x)

    def _equal_cost(self) -> Lines:
        """The points that cost as much as the one where the threshold stands."""
        decision, share = self.question.pipeline.decision, self.curve.positive_share
        direction = np.array([decision.cost_fn * share, decision.cost_fp * (1 - share)])
        ends = line_through_square(np.array(self.here), direction)
        costs = f"{format_number(decision.cost_fp)} : {format_number(decision.cost_fn)}"
        return Lines("offset", ends, label=f"equal cost at {costs}")


@dataclass(frozen=True)
class Roc(JudgingStudy):
    """The ROC curve: at every threshold on the score, which share of the positive class is found, and which share of
    the others is falsely taken for it. The threshold can be dragged along the curve.
    """

    id = "roc"
    label = "ROC curve"
    help = "what is found against what is falsely taken for it, at every threshold; drag the threshold along the curve"
    answer = RocResult
