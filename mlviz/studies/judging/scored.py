"""Samples, their classes and how a model scores them: all that the studies that judge it look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask
from mlviz.numerics.scoring.auc import AreaEstimate, delong
from mlviz.numerics.scoring.probabilities import brier_score, log_loss
from mlviz.numerics.scoring.roc import ThresholdCurve, threshold_curve
from mlviz.pipeline.decisions import Unit, unit_of
from mlviz.pipeline.rating import Rating
from mlviz.spec.brief import Brief

Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class Scored(Brief):
    """What a model says of q samples, whatever threshold decides; what is computed from it is kept."""

    y: AnyArray
    """(q,) the classes of the samples."""
    classes: AnyArray
    """(k,) those that the model knows, rising."""
    natural: AnyArray
    """(q,) what the method itself predicts."""
    scores: Array
    """(q,) of two classes, higher for the second one, or (q, k) one for each of several."""
    probabilities: Array | None
    """(q, k); None where the model gives none."""
    weights: Array | None
    """(q,); None for all ones."""
    unit: Unit
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, rating: Rating) -> Scored:
        """What a model is rated by."""
        found = _known.get(own := rating.natural or rating)
        if found is None:
            inner, y = own.inner, np.asarray(own.y)
            found = _known[own] = cls(
                y, inner.classes, own.predicted, own.scores, own.probabilities, own.weights, unit_of(inner)
            )
        return found

    @classmethod
    def joined(cls, parts: Sequence[Scored]) -> Scored:
        """The samples of several models that know the same classes."""
        first, weights = parts[0], [part.weights for part in parts if part.weights is not None]
        probabilities = [part.probabilities for part in parts if part.probabilities is not None]
        return cls(
            np.concatenate([part.y for part in parts]),
            first.classes,
            np.concatenate([part.natural for part in parts]),
            np.concatenate([part.scores for part in parts]),
            np.concatenate(probabilities) if probabilities else None,
            np.concatenate(weights) if weights else None,
            first.unit,
        )

    def once(self, name: tuple[Any, ...], make: Callable[[], Found]) -> Found:
        """What is made of it under that name, made once."""
        if name not in self._kept:
            self._kept[name] = make()
        found: Found = self._kept[name]
        return found

    @property
    def binary(self) -> bool:
        """Whether there are two classes, which a threshold parts."""
        return len(self.classes) == 2

    @property
    def told_classes(self) -> list[Any]:
        """The classes that have a curve: the second of two, each of several."""
        told: list[Any] = (self.classes[1:] if self.binary else self.classes).tolist()
        return told

    @cached_property
    def all_classes(self) -> AnyArray:
        """The classes there are among the samples or in the model, rising."""
        return np.union1d(self.y, self.classes)

    def positive(self, code: Any) -> Mask:
        """Which samples are of a class, (q,)."""
        return np.asarray(self.y == code)

    def samples_of_bins(self, edges: Array, values: Array, side: Literal["left", "right"]) -> list[Labels]:
        """Which samples have their values (q,) in each of the bins between edges (b + 1,); a `side` edge is in it.

        A value that is no number, or infinite, is in none.
        """
        known = np.flatnonzero(np.isfinite(values))
        number = np.searchsorted(edges[1:-1], values[known], "left" if side == "right" else "right")
        order = np.argsort(number, kind="stable")
        number, order = number[order], known[order]
        return np.split(order, np.searchsorted(number, np.arange(1, len(edges) - 1)))

    def score_of(self, code: Any) -> Array:
        """The score of a class that has a curve, (q,): its probability among several, where there is one."""
        if self.binary:
            return self.scores
        scores = self.scores if self.probabilities is None else self.probabilities
        return scores[:, int(np.searchsorted(self.classes, code))]

    @cached_property
    def curves(self) -> dict[Any, ThresholdCurve]:
        """The curve of each class that has one and of which there are samples and others."""
        masks = {code: self.positive(code) for code in self.told_classes}
        return {
            code: threshold_curve(mask, self.score_of(code), self.weights)
            for code, mask in masks.items()
            if mask.any() and not mask.all()
        }

    @cached_property
    def areas(self) -> dict[Any, AreaEstimate]:
        """How sure the area under each of these curves is; only where each sample counts once."""
        if self.weights is not None and (self.weights != 1).any():
            return {}
        return {code: delong(self.positive(code), self.score_of(code)) for code in self.curves}

    @cached_property
    def losses(self) -> tuple[float, float] | None:
        """The log loss and the Brier score; None without probabilities. Classes that it does not know have none."""
        if self.probabilities is None:
            return None
        classes = self.all_classes
        found = np.zeros((len(self.y), len(classes)))
        found[:, np.searchsorted(classes, self.classes)] = self.probabilities
        return log_loss(self.y, found, classes, self.weights), brier_score(self.y, found, classes, self.weights)


_known: WeakKeyDictionary[Rating, Scored] = WeakKeyDictionary()
"""While a threshold is dragged the scores stay, and so does what is computed from them."""
