"""The nearest centroid classifier (Rocchio 1971; The Elements of Statistical Learning (2009), section 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, ModelFact, Traits
from mlviz.algorithms.checking import refuse_distant, weighted_rows
from mlviz.algorithms.linear_model import LinearScores
from mlviz.algorithms.targets import several_classes
from mlviz.algorithms.traits import Trial
from mlviz.draw.layer import UNNAMED, Explanation, Names, opened
from mlviz.draw.marks import ways
from mlviz.draw.numbers import number, numbers_apart
from mlviz.draw.overlays import centroids, regions
from mlviz.numerics.arrays import AnyArray, Array, without_rounding
from mlviz.numerics.distances import reach


@dataclass(frozen=True)
class NearestCentroid(Algorithm):
    """Each class is its centroid; a place belongs to the class whose centroid is nearest.

    The centroid of class j is the mean of its samples, cⱼ = (1/nⱼ) Σ xᵢ over the samples of class j. Of two classes,

        f(x) = (|x − c₀|² − |x − c₁|²) / 2 = w·x + b,  w = c₁ − c₀,  b = (|c₀|² − |c₁|²) / 2

    is positive where c₁ is nearer. |x|² cancels, so f is linear: the boundary is the perpendicular bisector of the
    segment between the two centroids. With several classes it is made of pieces of such bisectors.

    In the picture: a cross marks each centroid. A dashed line joins two centroids whose regions touch between them, and
    the dot in its middle is where the boundary crosses it, unless a threshold or costs move it, at a right angle while
    both axes have equal units (View menu). Point at a place to see its distances to the two nearest centroids.

    Nothing is tuned, and neither the spread of the classes nor their sizes count: move one sample far away and see its
    centroid follow. Where the classes are long and parallel, the direction between the centroids is not the one that
    tells them apart; regularized least squares turns it.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition (2009), section 4.3.
    """

    id = "nearest-centroid"
    label = "nearest centroid"
    family = "Neighbours and centroids"
    tasks = ("classification",)
    trials = (
        Trial("each boundary is halfway between two means", "blobs"),
        Trial("one mean lies inside the other class", "circles"),
    )
    overlays = (
        regions.regions,
        regions.boundary,
        centroids.joins,
        centroids.crosses,
        regions.misclassified,
    )
    traits = Traits(playable=False)

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[NearestCentroidModel]:
        """Yield the centroids, once."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        classes, codes = several_classes(y)
        refuse_distant(X)
        # Counted from their middle, places far from 0 keep their digits.
        middle = X.min(axis=0) / 2 + X.max(axis=0) / 2
        member = (codes == np.arange(len(classes))[:, None]) * weights
        means = (member / member.sum(axis=1, keepdims=True)) @ (X - middle)
        if len(classes) == 2:
            coef, offset = without_rounding(means[1] - means[0], reach(X)), 0.0
            middle = middle + (means[0] + means[1]) / 2
            means = np.stack((-coef, coef)) / 2
        else:
            coef, offset = means, -np.einsum("ij,ij->i", means, means) / 2
        yield NearestCentroidModel(
            classes=classes, coef=coef, center=middle, offset=offset, centroids=middle + means, size=reach(X)
        )

    def code(self, model: NearestCentroidModel) -> Code:
        """NearestCentroid."""
        return Code(("from sklearn.neighbors import NearestCentroid",), ("NearestCentroid()",))


@dataclass(frozen=True, eq=False, kw_only=True)
class NearestCentroidModel(LinearScores):
    """The centroids (k, d), and the scores whose differences are half those of the squared distances."""

    centroids: Array
    size: float
    """How far from 0 the samples are."""

    known_facts = (
        ModelFact(
            "centroid distance",
            lambda m: m.nearest_two if len(m.classes) == 2 else None,
            "How far the centroids of the two classes are from each other: |w|.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "nearest two centroids",
            lambda m: m.nearest_two if len(m.classes) > 2 else None,
            "How far the two centroids that are nearest to each other are apart.",
            beside=lambda m: m.size,
        ),
    )

    @property
    def nearest_two(self) -> float:
        """How far the two centroids are apart that are nearest to each other."""
        i, j = np.triu_indices(len(self.classes), 1)
        return float(np.linalg.norm(self.centroids[i] - self.centroids[j], axis=1).min())

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The distances to the two nearest centroids."""
        distance = np.hypot.reduce(self.centroids - x, axis=1)
        # By the scores, as predictions are, so that both agree on the boundary.
        best = int(np.searchsorted(self.classes, self.predict(x[None])[0]))
        others = np.where(np.arange(len(distance)) == best, np.inf, distance)
        second = int(np.argmin(others))
        size, name = max(self.size, reach(x)), names.of_class(self.classes[best])
        near, far = numbers_apart(distance[best], distance[second], beside=size)
        sentence = (
            f"The centroid of {name} is {near} away, that of {names.of_class(self.classes[second])} is {far} away"
        )
        if len(self.classes) == 2:
            sentence += f"; f(x) = {number(float(self.decision_function(x[None])[0]), beside=size * size)}"
        marks = ways(x, self.centroids[[best, second]], "distances to the centroids")
        return opened(name, lambda threshold: Explanation(f"{sentence}.", marks, measured=True))
