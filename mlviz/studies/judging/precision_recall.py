"""Precision against recall: how pure what is found is, at every threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.numbers import format_number
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.roc import ThresholdCurve
from mlviz.studies.judging.base import JudgingStudy
from mlviz.studies.judging.curves import CurveResult
from mlviz.studies.judging.threshold import UNIT_SQUARE
from mlviz.studies.question import Table


@dataclass(frozen=True, eq=False, kw_only=True)
class PrecisionRecallResult(CurveResult):
    """The precision-recall curve of two classes, or of each of several against all others."""

    def rates_of(self, curve: ThresholdCurve) -> Array:
        """What of the class is found, and how pure that is."""
        return np.column_stack((curve.true_positive_rate, curve.precision))

    def table(self) -> Table:
        """A row for each point: the threshold above which samples are taken for the class, recall and precision."""
        return self.table_of("recall", "precision")

    def plots(self) -> tuple[Plot, ...]:
        """The curve in steps, over the precision of chance, with the threshold; or a curve for each class."""
        marks: list[Mark] = []
        handles: tuple[Handle, ...] = ()
        for code, points in self.shown.items():
            role = "curve" if self.scored.binary else f"class {code}"
            marks.append(Lines(role, _steps(points), label=self.against(code)))
        if self.scored.binary:
            base = np.full(2, self.curve.positive_share)
            marks.insert(0, Lines("reference", np.column_stack(((0.0, 1.0), base)), label="chance"))
            handle, at_threshold = self.at_threshold()
            marks += at_threshold
            handles = (handle,)
        title, axes = "Precision and recall", (self.axis("recall"), "precision")
        return (Plot("precision-recall", title, *axes, tuple(marks), UNIT_SQUARE, handles=handles),)

    def told(self) -> dict[str, Fact]:
        """The average precision, what chance reaches, and precision and recall at the threshold."""
        if not self.scored.binary:
            return self.facts_of_several(
                "average precision",
                "The mean of the average precisions of the classes, each against all others.",
                lambda curve: curve.average_precision,
                lambda curve: (
                    "The mean precision of this class against all others; chance reaches "
                    f"{format_number(curve.positive_share, 3)}."
                ),
            )
        curve, name = self.curve, self.name(self.positive)
        recall, precision = self.here
        both = precision + recall
        return {
            "average precision": Fact(
                curve.average_precision,
                "",
                "The mean of the precisions, each weighted by the recall gained.",
            ),
            "base rate": Fact(curve.positive_share, "share", f"The share of {name}: the precision of chance."),
            **self.threshold_facts(),
            "precision": Fact(precision, "share", f"The share of {name} among the samples above the threshold."),
            "recall": Fact(recall, "share", f"The share of {name} that is above the threshold."),
            "F1": Fact(
                2 * precision * recall / both if both else 0.0, "", "The harmonic mean of precision and recall."
            ),
        }


def _steps(points: Array) -> Array:
    """The line from point to point (m, 2): between two, precision is that of the second, as the average counts it."""
    corners = np.column_stack((points[:-1, 0], points[1:, 1]))
    return np.concatenate((points[:1], np.stack((corners, points[1:]), axis=1).reshape(-1, 2)))


@dataclass(frozen=True)
class PrecisionRecall(JudgingStudy):
    """The precision-recall curve: at every threshold on the score, which share of the positive class is found, and
    how much of what is found is of that class. The threshold can be dragged along the curve.
    """

    id = "precision-recall"
    label = "precision-recall curve"
    help = "how pure what is found is, at every threshold; drag the threshold along the curve"
    answer = PrecisionRecallResult
