"""One threshold with several views: where it stands on a curve or an axis, and the handle by which it is dragged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Lines, Mark, Points, Text
from mlviz.draw.numbers import format_number
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.roc import ThresholdCurve
from mlviz.studies.judging.base import JudgingResult
from mlviz.studies.question import Table

PATH = "decision.threshold"
MOST_POINTS = 800
"""So many points of a curve are drawn and told: more are not told apart."""
PLACES = 401
"""At so many places of an axis a threshold can stand."""
UNIT_SQUARE = (-0.02, 1.02, -0.02, 1.02)
"""Axes for shares."""
_FARTHEST = 1e30
"""Thresholds are not farther from 0."""
_WORDS = 5
"""So many thresholds are written beside a curve."""
_BESIDE, _NEAR = np.array([0.05, -0.05]), 0.15
"""Where they stand beside their points, and how near the present one hides them: shares."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ThresholdResult(JudgingResult):
    """What a model says of samples, seen along its score."""

    @property
    def positive(self) -> Any:
        """The class that is predicted above the threshold."""
        return self.scored.classes[1]

    @cached_property
    def curve(self) -> ThresholdCurve:
        """That of the positive one of two classes."""
        return self.curves[self.positive]

    @property
    def curves(self) -> dict[Any, ThresholdCurve]:
        """Those of each class that has one, by its code; raises `CannotFit` where none has."""
        found = self.scored.curves
        if not found:
            raise CannotFit(f"All {self.where} are of one class, or of none that the method knows.")
        return found

    @cached_property
    def operating(self) -> int:
        """The point of the curve where the decision stands."""
        return self.curve.index_at(self.threshold)

    @cached_property
    def shown(self) -> dict[Any, NDArray[np.intp]]:
        """Which points of each curve are drawn and told; all, unless there are very many."""
        found = {code: _spread(curve) for code, curve in self.curves.items()}
        if self.scored.binary:
            (code,) = found
            found[code] = np.union1d(found[code], self.operating)
        return found

    def cuts(self, code: Any) -> Array:
        """The thresholds (m,) that stand for the points `shown` of a curve."""
        shown, curve = self.shown[code], self.curves[code]
        cuts = np.clip(curve.cuts[shown], -_FARTHEST, _FARTHEST)
        lowest = curve.thresholds[-1]
        # All are above it: a number that can be read, where the next one below the score would do.
        cuts[shown == len(curve.cuts) - 1] = lowest - 1e-3 * max(1.0, abs(lowest))
        return cuts

    def threshold_facts(self) -> dict[str, Fact]:
        """Where the threshold stands."""
        if not self.scored.binary:
            return {}
        unit = self.scored.unit
        what = "log odds" if unit == "log odds" else unit
        told = f"{self.name(self.positive)} is predicted where the {what} is larger."
        return {"threshold": Fact(self.threshold, "", told)}

    def on_curve(self, rates: Array) -> tuple[Handle, tuple[Mark, ...]]:
        """The handle on the curve of a class, with rates (m + 1, 2) at its points, and marks about the threshold."""
        shown, here = self.shown[self.positive], self.operating
        values = self.cuts(self.positive)
        at = int(np.searchsorted(shown, here))
        values[at] = self.threshold
        handle = Handle(PATH, rates[shown], values, at, "threshold")
        marks: list[Mark] = []
        if self.rule is not None and self.rule.reject_band is not None:
            ends = [self.curve.index_at(end) for end in self.rule.reject_band]
            marks.append(Points("offset", rates[ends], label="ends of the reject band"))
        marks += self._thresholds(rates)
        marks.append(Points("now", rates[[here]], label=f"threshold {format_number(self.threshold, 3)}"))
        return handle, tuple(marks)

    def upright(self, x: float, top: float) -> Lines:
        """The threshold on a horizontal axis."""
        words = f"threshold {format_number(self.threshold, 3)}"
        return Lines("now", np.array([(x, 0.0), (x, top)]), label=words)

    def table_of(self, across: str, up: str, rates: Callable[[ThresholdCurve], Array]) -> Table:
        """A row for each point of the curves: the threshold, and the rates (m + 1, 2) by their names."""
        columns: dict[str, list[Any]] = {} if self.scored.binary else {"class": []}
        columns |= {"threshold": [], across: [], up: []}
        for code, curve in self.curves.items():
            shown = self.shown[code]
            for name, values in zip(("threshold", across, up), (self.cuts(code), *rates(curve)[shown].T), strict=True):
                columns[name] += values.tolist()
            if not self.scored.binary:
                columns["class"] += [self.name(code)] * len(shown)
        return Table.from_columns(columns)

    def slider(self, places: Array, values: Array, here: float) -> Handle:
        """The handle on a horizontal axis: at places (m,) it sets values (m,), both rising; the threshold is `here`."""
        at = int(np.searchsorted(values, self.threshold))
        along = np.insert(places, at, np.clip(here, places[0], places[-1]))
        points = np.column_stack((along, np.zeros(len(along))))
        return Handle(PATH, points, np.insert(values, at, self.threshold), at, "threshold", "upright")

    def _thresholds(self, rates: Array) -> tuple[Mark, ...]:
        """Some thresholds below the curve, evenly along it, but not where the present one stands."""
        shown = self.shown[self.positive]
        way = np.cumsum(np.abs(np.diff(rates[shown], axis=0, prepend=rates[shown[:1]])).sum(axis=1))
        wanted = way[-1] * (np.arange(_WORDS) + 0.5) / _WORDS
        chosen = np.unique(np.clip(np.searchsorted(way, wanted), 1, max(len(shown) - 2, 1)))
        far = np.abs(rates[shown[chosen]] - rates[self.operating]).max(axis=1) > _NEAR
        places, cuts = rates[shown[chosen[far]]], self.cuts(self.positive)[chosen[far]]
        words = tuple(format_number(cut, 2) for cut in cuts.tolist())
        return Points("foot", places), Text("label", places + _BESIDE, words, centered=True)


def _spread(curve: ThresholdCurve) -> NDArray[np.intp]:
    """All points of a curve, or many that are spread evenly along it."""
    count = len(curve.thresholds)
    if count <= MOST_POINTS:
        return np.arange(count)
    way = curve.true_positive_rate + curve.false_positive_rate
    return np.unique(np.minimum(np.searchsorted(way, np.linspace(0.0, 2.0, MOST_POINTS)), count - 1))
