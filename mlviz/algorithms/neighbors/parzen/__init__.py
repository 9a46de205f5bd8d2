"""Parzen windows (Parzen 1962; Nadaraya 1964 and Watson 1964 for regression)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Follower, Traits
from mlviz.algorithms.checking import is_classes
from mlviz.algorithms.neighbors.parzen import picture
from mlviz.algorithms.neighbors.parzen.follower import ParzenFollower
from mlviz.algorithms.neighbors.parzen.model import (
    ParzenClassifier,
    ParzenModel,
    ParzenRegressor,
    class_sums,
    target_sums,
)
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.overlays import regions
from mlviz.numerics.arrays import Array
from mlviz.numerics.distances import FARTHEST
from mlviz.numerics.neighbors.search import canonical_order
from mlviz.numerics.neighbors.windows import WINDOWS
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec import choice, real

MOST_SAMPLES = 10_000
"""Of more samples than this, so many are used."""


@dataclass(frozen=True)
class Parzen(Algorithm):
    """All samples decide, each with the weight that a window about the place gives it.

    A sample at distance d has the weight k(d), h being the width:

        Gaussian     exp(−d² / (2h²))
        box          1 up to d = h, then 0
        triangular   1 − d/h up to d = h, then 0
        exponential  exp(−d/h)

    For classes, the probability of class j is its share of the weight, Σ k(|x − xᵢ|) over the samples of class j by the
    same sum over all samples. For values, the prediction is the weighted mean Σ k yᵢ / Σ k (Nadaraya and Watson). It is
    k nearest neighbours turned round: there the number of samples is fixed and their distance is not, here it is the
    distance. Nothing is learned but the samples.

    A small width follows each sample (as h goes to 0, a Gaussian window becomes the nearest neighbour), a large one
    smooths all away, until the mean of all samples is predicted everywhere. Take the width for which the leave-one-out
    error is smallest.

    In the picture: point at a place to see its window, a circle of radius h; of the Gaussian and the exponential, which
    never end, circles at h and 2h. A ring about each sample shows its weight by its area. With one input, the window is
    the horizontal segment, as high as the prediction.

    Where a box or triangle is empty, the nearest sample decides alone. A dotted line surrounds the places that have
    samples in their window; outside it, predictions are mere guesses. The windows that never end have a nearest sample
    with nearly all the weight there, which is the same.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition (2009), sections 6.1
    and 6.6; E. Parzen, On estimation of a probability density function and mode, 1962, doi:10.1214/aoms/1177704472.
    """

    id = "parzen"
    label = "Parzen windows"
    family = "Neighbours and centroids"
    tasks = ("classification", "regression")
    main = "width"
    overlays = (
        regions.regions,
        regions.value_field,
        picture.reach,
        regions.boundary,
        regions.curve,
        regions.misclassified,
    )
    traits = Traits(playable=False)
    inks = {"reach": RoleInk(Tone(pale=0.3), width=1.6, dash="dotted")}

    window: str = choice(*WINDOWS, help="how the weight of a sample falls with its distance")
    width: float = real(
        0.5,
        soft=(0.05, 5.0),
        valid=(1e-9, 1e9),
        log=True,
        label="h",
        help="how wide the window is: the radius of a box or triangle, the standard deviation of a Gaussian",
    )

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[ParzenModel]:
        """Store the samples, sorted."""
        assert y is not None
        rows = np.arange(len(X)) if sample_weight is None else np.flatnonzero(sample_weight > 0)
        caveat = ""
        if len(rows) > MOST_SAMPLES:
            caveat = f"with {MOST_SAMPLES:,} of {len(rows):,} samples"
            rows = rows[spread_subsample(X[rows], MOST_SAMPLES)]
        if not len(rows):
            raise CannotFit("There are no samples yet.")
        if np.ptp(X[rows], axis=0).max() > FARTHEST:
            raise CannotFit("The samples are too far apart to compute distances between them.")
        rows = rows[canonical_order(y[rows], X[rows])]
        X, y, weight = X[rows], y[rows], np.ones(len(rows)) if sample_weight is None else sample_weight[rows]
        kept: dict[str, Any] = {"window": self.window, "width": self.width, "caveat": caveat}
        kept |= {"y": y, "sample_weight": weight}
        if is_classes(self, y):
            classes, codes = np.unique(y, return_inverse=True)
            yield ParzenClassifier(samples=class_sums(X, codes, weight, len(classes)), classes=classes, **kept)
        else:
            middle = float(y.min() / 2 + y.max() / 2)
            yield ParzenRegressor(samples=target_sums(X, y, weight, middle), middle=middle, **kept)

    def code(self, model: ParzenModel) -> Code:
        """KNeighborsClassifier or KNeighborsRegressor with all samples as neighbours, weighted by the window."""
        name = "KNeighborsRegressor" if isinstance(model, ParzenRegressor) else "KNeighborsClassifier"
        values = {
            "gaussian": "np.exp(-(d**2 - d.min(axis=1, keepdims=True) ** 2) / (2 * h**2))",
            "box": "1.0 * (d <= h)",
            "triangular": "np.maximum(0, 1 - d / h)",
            "exponential": "np.exp(-(d - d.min(axis=1, keepdims=True)) / h)",
        }
        before = (
            f"h = {self.width!r}",
            "def window(d):  # the weights of all samples, at these distances; only their ratios count",
            f"    k = {values[self.window]}",
            "    return np.where(k.any(axis=1, keepdims=True), k, d == d.min(axis=1, keepdims=True))",
        )
        fit = f"{name}(n_neighbors=len(y), weights=window)"
        return Code((f"from sklearn.neighbors import {name}",), (fit,), before)

    def follower(self) -> Follower:
        """One that keeps the sums of all samples but the one in hand."""
        return ParzenFollower()
