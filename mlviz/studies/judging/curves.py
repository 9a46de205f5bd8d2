"""Curves of rates at every threshold, of the second of two classes or of each of several against all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Mark, Points, Text
from mlviz.draw.numbers import format_number
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.scoring.roc import ThresholdCurve
from mlviz.studies.judging.threshold import PATH, ThresholdResult
from mlviz.studies.question import Table

MOST_POINTS = 800
"""So many points of a curve are drawn and told: more are not told apart."""
_FARTHEST = 1e30
"""Thresholds are not farther from 0."""
_BEYOND = 1e-3
"""So far from the last score, as a share, is the threshold that has all scores on one side."""
_WORDS = 5
"""So many thresholds are written beside a curve."""
_BESIDE, _NEAR = np.array([0.06, -0.08]), 0.15
"""Where they stand beside their points, and how near the present one hides them: shares."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveResult(ThresholdResult):
    """What a model says of samples, as curves of two rates."""

    def rates_of(self, curve: ThresholdCurve) -> Array:
        """Where the points of a curve are, (m + 1, 2)."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise `CannotFit` where there is no curve."""
        if not self.curves:
            raise CannotFit(f"The {self.where} are of one class, or of none that the method knows.")

    def facts(self) -> dict[str, Fact]:
        """What is told of the samples, and how many points of the curves are shown if not all."""
        shown = sum(map(len, self.shown.values()))
        every = sum(len(curve.thresholds) for curve in self.curves.values())
        if shown == every:
            return super().facts()
        told = "How many points of the curve are drawn and in the table; the numbers here are of all."
        return super().facts() | {"points shown": Fact(f"{shown:,} of {every:,}", help=told)}

    def facts_of_several(
        self, name: str, mean: str, area: Callable[[ThresholdCurve], float], told: Callable[[ThresholdCurve], str]
    ) -> dict[str, Fact]:
        """The area that belongs to each curve of several, by this name, and their mean, with what is told of them."""
        areas = {code: area(curve) for code, curve in self.curves.items()}
        each = {
            f"{name} of {self.name(code)}": Fact(areas[code], "", told(curve)) for code, curve in self.curves.items()
        }
        return {f"mean {name}": Fact(float(np.mean(list(areas.values()))), "", mean)} | each

    @property
    def curves(self) -> dict[Any, ThresholdCurve]:
        """Those of each class that has one, by its code."""
        return self.scored.curves

    @cached_property
    def curve(self) -> ThresholdCurve:
        """That of the positive one of two classes."""
        return self.curves[self.positive]

    @cached_property
    def operating(self) -> int:
        """The point of the curve where the decision stands."""
        return self.curve.index_at(self.threshold)

    @cached_property
    def here(self) -> tuple[float, float]:
        """The rates there."""
        x, y = self.rates_of(self.curve)[self.operating].tolist()
        return x, y

    @cached_property
    def shown(self) -> dict[Any, Array]:
        """The points (p, 2) of each curve that are drawn and told; all, unless there are very many."""
        return {code: self.rates_of(curve)[self._indices[code]] for code, curve in self.curves.items()}

    @cached_property
    def cuts(self) -> dict[Any, Array]:
        """The thresholds (p,) that stand for these points; the present one for its own."""
        found = {code: cuts_at(curve, self._indices[code]) for code, curve in self.curves.items()}
        if self.scored.binary:
            found[self.positive][self._at] = self.threshold
        return found

    def table_of(self, across: str, up: str) -> Table:
        """A row for each point of the curves: the threshold above which samples are of the class, and two rates."""
        columns: dict[str, Any] = {}
        if not self.scored.binary:
            sizes = [len(points) for points in self.shown.values()]
            columns["class"] = np.repeat([self.name(code) for code in self.shown], sizes)
        x, y = np.concatenate(list(self.shown.values())).T
        columns |= {"threshold": np.concatenate(list(self.cuts.values())), across: x, up: y}
        return Table.from_columns(columns)

    def at_threshold(self) -> tuple[Handle, tuple[Mark, ...]]:
        """The handle on the curve, and marks of the thresholds on it."""
        shown, rates = self.shown[self.positive], self.rates_of(self.curve)
        handle = Handle(PATH, shown, self.cuts[self.positive], self._at, "threshold")
        marks: list[Mark] = []
        if self.rule is not None and self.rule.reject_band is not None:
            ends = [self.curve.index_at(end) for end in self.rule.reject_band]
            marks.append(Points("offset", rates[ends], label="ends of the reject band"))
        now = Points("now", np.array([self.here]), label=self.threshold_in_words)
        return handle, (*marks, *self._thresholds(), now)

    @cached_property
    def _indices(self) -> dict[Any, Labels]:
        """Which points of each curve are shown: the present one is."""
        found = {code: _spread(curve) for code, curve in self.curves.items()}
        if self.scored.binary:
            found[self.positive] = np.union1d(found[self.positive], self.operating)
        return found

    @property
    def _at(self) -> int:
        """Which of the points shown is the present one."""
        return int(np.searchsorted(self._indices[self.positive], self.operating))

    def _thresholds(self) -> tuple[Mark, ...]:
        """Some thresholds below the curve, evenly along it, but not where the present one stands."""
        shown = self.shown[self.positive]
        way = np.cumsum(np.abs(np.diff(shown, axis=0, prepend=shown[:1])).sum(axis=1))
        wanted = way[-1] * (np.arange(_WORDS) + 0.5) / _WORDS
        chosen = np.unique(np.clip(np.searchsorted(way, wanted), 1, max(len(shown) - 2, 1)))
        chosen = chosen[np.abs(shown[chosen] - self.here).max(axis=1) > _NEAR]
        places, cuts = shown[chosen], self.cuts[self.positive][chosen]
        beside = _BESIDE * np.where(places + _BESIDE < 1, 1, -1)
        words = tuple(format_number(cut, 2) for cut in cuts.tolist())
        return Points("foot", places), Text("label", places + beside, words, centered=True)


def _spread(curve: ThresholdCurve) -> Labels:
    """All points of a curve, or many that are spread evenly along it."""
    count = len(curve.thresholds)
    if count <= MOST_POINTS:
        return np.arange(count)
    way = curve.true_positive_rate + curve.false_positive_rate
    return np.unique(np.minimum(np.searchsorted(way, np.linspace(0.0, 2.0, MOST_POINTS)), count - 1))


def cuts_at(curve: ThresholdCurve, indices: Labels) -> Array:
    """Thresholds (p,) for some points of a curve."""
    found = np.clip(curve.cuts[indices], -_FARTHEST, _FARTHEST)
    # Beyond all scores by more than rounding, and a number that can be read.
    for index, score, sign in ((0, curve.thresholds[1], 1), (len(curve.cuts) - 1, curve.thresholds[-1], -1)):
        found[indices == index] = score + sign * _BEYOND * max(1.0, abs(score))
    return found
