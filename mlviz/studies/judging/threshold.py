"""One threshold with several views: where it stands on an axis, and the handle by which it is dragged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines
from mlviz.draw.numbers import format_number, p_equals
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array
from mlviz.studies.judging.base import JudgingResult

PATH = "decision.threshold"
PLACES = 401
"""At so many places of an axis a threshold can stand."""
UNIT_SQUARE = (-0.02, 1.02, -0.02, 1.02)
"""Axes for shares."""

_LARGEST = 700.0
"""Larger log odds are those of a probability of 1."""


def rounded(values: Array) -> Array:
    """Rising values (m,) with no more digits than tell them apart."""
    gaps = np.diff(values)
    if not len(gaps) or not np.isfinite(gaps).all() or gaps.min() <= 0:
        return values
    return np.round(values, int(np.clip(1 - np.floor(np.log10(gaps.min())), 0, 300)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ThresholdResult(JudgingResult):
    """What a model says of samples, seen along its score."""

    @property
    def positive(self) -> Any:
        """The class that is predicted above the threshold."""
        return self.scored.classes[1]

    @property
    def threshold_in_words(self) -> str:
        """For the legend; of log odds the probability, too."""
        told = f"threshold {format_number(self.threshold, 3)}"
        return f"{told} ({p_equals(self.share)})" if self.scored.unit == "log odds" else told

    @property
    def share(self) -> float:
        """The probability at the threshold, where the score tells one."""
        if self.scored.unit == "probability":
            return self.threshold
        return float(1 / (1 + np.exp(-np.clip(self.threshold, -_LARGEST, _LARGEST))))

    def threshold_facts(self) -> dict[str, Fact]:
        """Where the threshold stands; nothing where there are several classes."""
        if not self.scored.binary:
            return {}
        are = "are" if self.scored.unit == "log odds" else "is"
        told = f"{self.name(self.positive)} is predicted where the {self.scored.unit} {are} larger."
        return {"threshold": Fact(self.threshold, "", told)}

    def upright(self, x: float, top: float) -> Lines:
        """The threshold on a horizontal axis."""
        return Lines("now", np.array([(x, 0.0), (x, top)]), label=self.threshold_in_words)

    def slider(self, places: Array, values: Array, here: float) -> Handle:
        """The handle on a horizontal axis: at places (m,) it sets values (m,), both rising; the threshold is `here`."""
        at = int(np.searchsorted(values, self.threshold))
        along = np.insert(places, at, np.clip(here, places[0], places[-1]))
        points = np.column_stack((along, np.zeros(len(along))))
        return Handle(PATH, points, np.insert(values, at, self.threshold), at, "threshold", "upright")
