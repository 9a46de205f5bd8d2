"""The linear support vector machine of several classes at once. Crammer and Singer, JMLR 2 (2001) 265-292."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import CannotFit, ModelFact
from mlviz.algorithms.checking import refuse_larger, weighted_rows
from mlviz.algorithms.kernels.box_program import INEXACT
from mlviz.algorithms.linear_model import LinearMargin, LinearScores, SupportedScores
from mlviz.algorithms.margin.svm.model import SVMModel, bound_name
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import number, numbers_apart
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, scattered
from mlviz.numerics.distances import sample_at
from mlviz.numerics.pauses import thinned
from mlviz.numerics.sampling import MergedSamples, merge_equal_samples
from mlviz.numerics.svm.crammer_singer import CrammerSingerSolution, crammer_singer

_MOST_WEIGHTS = 2000
"""A step solves a system of so many weights at most."""
WORK_PER_STEP = 200_000
"""After about so many numbers looked at, a model is yielded."""
_FREE = 1e-7
"""Multipliers nearer to 0 or C than this share of C count as being there."""
_FARTHEST = 1e100
"""Products of three larger inputs can't be computed with."""


def several_steps(C: float, X: Array, y: AnyArray, sample_weight: Array | None) -> Iterator[MulticlassSVMModel]:
    """Yield models of the classes y (n,), more than two, the last of which is the exact one; raises `CannotFit`."""
    rows, used, target, weights = weighted_rows(X, y, sample_weight)
    classes, codes = np.unique(target, return_inverse=True)
    samples = merge_equal_samples(used, codes, weights)
    center = samples.X.min(axis=0) / 2 + samples.X.max(axis=0) / 2
    places = samples.X - center
    refuse_larger(places, _FARTHEST)
    basis = None
    if places.shape[1] > len(places):  # the weights lie in the span of the samples
        basis, triangle = np.linalg.qr(places.T)
        places = triangle.T
    if (places.shape[1] + 1) * len(classes) > _MOST_WEIGHTS:
        raise CannotFit("There are too many inputs to handle all classes at once: choose one-vs-one or one-vs-rest.")

    def model(scores: CrammerSingerSolution) -> MulticlassSVMModel:
        weight = scores.weights if basis is None else scores.weights @ basis.T
        return _model(C, X, rows, classes, C * weights, samples, center, weight, scores)

    found, scores = crammer_singer(places, samples.y, C * samples.weight, len(classes)), None
    for scores in thinned(found, places.size * len(classes), WORK_PER_STEP):
        yield model(scores)
    if scores is None:
        raise CannotFit("The inputs have no digits left to compute with: standardize them.")


def _model(
    C: float,
    X: Array,
    rows: Rows,
    classes: AnyArray,
    bound: Array,
    samples: MergedSamples,
    center: Array,
    weights: Array,
    scores: CrammerSingerSolution,
) -> MulticlassSVMModel:
    """The model of an approximate solution with those weights (k, d)."""
    n, m = len(X), len(samples.y)
    price = C * samples.weight
    own = scores.alpha[np.arange(m), samples.y]
    values = (samples.X - center) @ weights.T + scores.offsets
    ahead = values + 1 - values[np.arange(m), samples.y][:, None]
    ahead[np.arange(m), samples.y] = 0.0
    slack = ahead.max(axis=1)
    used, bounded = own < (1 - _FREE) * price, own < _FREE * price

    def spread(each: AnyArray, outside: int = 0) -> AnyArray:
        """One number a sample of X, from one a different sample."""
        return scattered(each[samples.group], rows, n, outside)

    gap = (scores.objective - scores.dual) / scores.objective
    return MulticlassSVMModel(
        classes=classes,
        coef=weights,
        center=center,
        offset=scores.offsets,
        X=X,
        codes=spread(samples.y, -1),
        # What a sample costs is shared by those that are equal to it.
        alpha=spread(np.where(used, (price - own) / samples.weight, 0.0)),
        slack=spread(np.where(slack > 1e-9, slack, 0.0)),
        at_bound=spread(bounded),
        support=np.flatnonzero(spread(used)),
        bound=scattered(bound, rows, n),
        C=C,
        objective=scores.objective,
        dual_objective=scores.dual,
        lambda_=1 / (2 * float(price.sum())),
        caveat=f"solved only to a relative duality gap of {number(gap, 1)}" if abs(gap) > INEXACT else "",
    )


def _of_machines(*names: str) -> tuple[ModelFact, ...]:
    return tuple(fact for fact in SVMModel.known_facts if fact.name in names)


@dataclass(frozen=True, eq=False, kw_only=True)
class MulticlassSVMModel(SupportedScores, LinearScores):
    """A score coef_m . x + intercept_m for each class; the largest wins.

    `codes` (n,) say which class each sample has, -1 without weight; `bound` (n,) is C times the sample's weight;
    `alpha` is the sum of a sample's multipliers for all other classes, as if it weighed 1.
    """

    codes: Labels
    bound: Array
    C: float
    objective: float
    dual_objective: float
    lambda_: float
    caveat: str

    known_facts = (
        *_of_machines("support vectors", "free support vectors", "support vectors at C"),
        ModelFact(
            "narrowest margin width",
            lambda m: min(m.margins, default=None),
            "Distance from the boundary of two classes to either margin, 1/|wᵢ − wⱼ|, half the width of the street: "
            "the least.",
        ),
        ModelFact(
            "widest margin width",
            lambda m: max(m.margins, default=None),
            "Distance from the boundary of two classes to either margin, 1/|wᵢ − wⱼ|, half the width of the street: "
            "the largest.",
        ),
        *_of_machines("lambda", "primal objective", "dual objective", "relative duality gap"),
    )

    @property
    def bound_name(self) -> str:
        """What the largest possible alpha is called."""
        return bound_name(self.bound, self.C)

    def pair(self, first: int, second: int) -> LinearMargin:
        """The street between the classes number `first` and `second`, and the slack of their samples in it."""
        low, high = sorted((first, second))
        coef, offset = self.coef[high] - self.coef[low], float(self.offset[high] - self.offset[low])
        signs = (self.codes == high).astype(np.float64) - (self.codes == low)
        return LinearMargin(
            classes=self.classes[[low, high]],
            coef=coef,
            center=self.center,
            offset=offset,
            X=self.X,
            signs=signs,
            slack=np.where(signs != 0, np.maximum(0.0, 1 - signs * ((self.X - self.center) @ coef + offset)), 0.0),
            alpha=self.alpha,
            at_bound=self.at_bound,
            support=self.support[signs[self.support] != 0],
        )

    def pair_at(self, x: Array) -> LinearMargin:
        """The street between the two classes that lead at x (d,)."""
        return self.pair(*self._leading(x))

    def _leading(self, x: Array) -> tuple[int, int]:
        first, second = np.argsort(-self.decision_function(x[None])[0], kind="stable")[:2].tolist()
        return first, second

    @property
    def margins(self) -> list[float]:
        """The margins of the pairs of classes that have a boundary."""
        k = len(self.classes)
        lengths = [float(np.linalg.norm(self.coef[a] - self.coef[b])) for a in range(k) for b in range(a)]
        return [1 / length for length in lengths if length > 0]

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The two largest scores at x (d,), how far the boundary between their classes is, and a sample's slack."""
        row, _ = sample_at(self.X, x)
        first, second = self._leading(x)
        scores, street = self.decision_function(x[None])[0], self.pair(first, second)
        lead = float(scores[first] - scores[second])
        size = max(1.0, float(np.abs(scores).max()))
        sentence = (
            f"{names.of_class(self.classes[first])}: its score {number(scores[first], beside=size)} "
            f"is {number(lead, beside=size)} ahead of that of {names.of_class(self.classes[second])}"
        )
        if np.isfinite(street.margin):
            away = number(lead * street.margin, beside=size * street.margin)
            sentence += f"; {away} from their boundary, the margin is {number(street.margin)}"
        if row is not None:
            sentence += f". {self._say_sample(row)}"
        return Explanation(sentence + ".", street.to_boundary(x), measured=True)

    def _say_sample(self, row: int) -> str:
        kind = "Support vector at the bound" if self.at_bound[row] else "Free support vector"
        if self.alpha[row] == 0:
            return "Not a support vector: alpha = 0"
        alpha, most = numbers_apart(self.alpha[row] * self.bound[row] / self.C, self.bound[row])
        alpha = most if self.at_bound[row] else alpha
        return f"{kind}: alpha = {alpha} of {self.bound_name} = {most}, slack {number(self.slack[row])}"
