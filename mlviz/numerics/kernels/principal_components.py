"""Kernel principal component analysis: the directions in which the images phi(x) of samples vary most.

With K̃ = K − 1 m' − m 1' + (m.p) 1 1', m = K p, the kernel of images counted from their mean, whose weights are the
shares p, each direction is a sum of the samples' images, and its coefficients follow from an eigenvector of
W^(1/2) K̃ W^(1/2): Schölkopf, Smola and Müller, Neural Computation 10 (1998) 1299-1319. Where the kernel has few
features, or where centres stand for very many samples, the directions are found in features instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import as_dtype, far_away
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import Features, FeatureSum, Moments
from mlviz.numerics.kernels.on_grid import rows_in_blocks
from mlviz.numerics.linalg.leading_eigenvectors import leading_eigenvectors
from mlviz.numerics.linalg.principal_axes import principal_axes
from mlviz.numerics.linalg.some_eigenvectors import some_eigenvectors
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

_LEAST = 1e-12
"""A variance below this share of the largest k(x, x) has no three digits left."""
_ROUNDING = 1e-13
"""A deviation below this share of the largest feature has no three digits left either."""
_ALIKE = 1e-9
"""Covariances that differ by less than this share are equally large."""
_UNRELATED = 1e-6
"""A correlation that is smaller is rounding, or as good as none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelComponents(Brief):
    """The scores f_k(x) = sum_s coef_sk k(x, p_s) + offset_k of places, and what variance the samples' scores have.

    The centers p_s (m, d) are counted from the origin (d,); coef is (m, k), offsets and variances are (k,), largest
    first. In the kernel's `features`, where these are few, f_k(x) = weights_k.phi(x) + offset_k with weights (k, p).
    """

    kernel: Kernel
    origin: Array
    centers: Array
    coef: Array
    offsets: Array
    variances: Array
    total: float
    """The variance along all components that there are."""
    residual: float = 0.0
    """By how much an eigenvector misses its equation at the most, as a share of the largest eigenvalue."""
    features: Features | None = None
    weights: Array | None = None
    mean: Array | None = None
    """(m,) the coefficients with which images of the centers add up to the mean image; None where they need not."""

    @far_away
    def scores(self, X: Array) -> Array:
        """The scores of the rows of X (n, d) along every component, (n, k)."""
        places = np.asarray(X, dtype=np.float64) - self.origin
        if self.features is not None and self.weights is not None:
            features, columns = self.features, self.weights.T
            values = rows_in_blocks(places, len(columns), lambda rows: features.values(rows) @ columns)
        else:
            values = rows_in_blocks(
                places, len(self.centers), lambda rows: self.kernel.matrix(rows, self.centers) @ self.coef
            )
        return as_dtype(values + self.offsets, np.float64)

    def function(self, k: int) -> Expansion:
        """The function f_k."""
        feature_sum = None
        if self.features is not None and self.weights is not None:
            feature_sum = FeatureSum(self.features, self.weights[k])
        coef = np.ascontiguousarray(self.coef[:, k])
        return Expansion(self.kernel, self.centers, coef, self.origin, float(self.offsets[k]), feature_sum)

    def kept(self, x: Array, count: int) -> Array | None:
        """The coefficients (m,) with which images of the centers add up to what so many components keep of that of x.

        None where they need not add up to the mean image.
        """
        return None if self.mean is None else self.mean + self.coef[:, :count] @ self.scores(x[None])[0, :count]

    def oriented(self, X: Array, share: Array, scores: Array) -> tuple[KernelComponents, Array]:
        """With the sense of each component such that samples tell it, whatever their order, and the scores with it.

        Scores (n, k) of samples X (n, d), which have shares (n,). They grow along the input with which they vary most,
        as the scores of principal components do; where they vary with none, the largest score is positive.
        """
        away = X - share @ X
        away /= np.abs(away).max()
        together = scores.T @ (share[:, None] * away)
        size = np.abs(together)
        first = np.argmax(size >= size.max(axis=1, keepdims=True) * (1 - _ALIKE), axis=1)
        sense = np.take_along_axis(together, first[:, None], axis=1)[:, 0]
        spread = np.sqrt(np.outer(share @ scores**2, share @ away**2))
        unrelated = (size <= _UNRELATED * spread).all(axis=1)
        large = np.abs(scores)
        largest = np.argmax(large >= large.max(axis=0) * (1 - _UNRELATED), axis=0)
        sense[unrelated] = np.take_along_axis(scores, largest[None], axis=0)[0, unrelated]
        signs = np.where(sense < 0, -1.0, 1.0)
        weights = None if self.weights is None else self.weights * signs[:, None]
        turned = replace(self, coef=self.coef * signs, offsets=self.offsets * signs, weights=weights)
        return turned, scores * signs


def components_in_samples(
    kernel: Kernel,
    origin: Array,
    places: Array,
    weights: Array,
    K: Array,
    unit: float,
    count: int,
    rng: np.random.Generator,
) -> Work[tuple[KernelComponents, Array]]:
    """At most `count` components and the samples' scores (n, k), from their Gram matrix K times a unit.

    K (n, n), with 1 as its largest entry, is used up. The places (n, d) are counted from the origin and have weights
    (n,). Pauses where they are many.
    """
    n, root = float(weights.sum()), np.sqrt(weights)
    share = weights / n
    mean = share @ K
    level = float(share @ mean)
    for rows in blocks(len(K), len(K)):
        K[rows] -= mean
        K[rows] += (level - mean[rows])[:, None]
        if (weights != 1).any():
            K[rows] *= root
            K[rows] *= root[rows, None]
        yield
    total = float(K.diagonal().sum())
    values, vectors, residual = yield from leading_eigenvectors(K, count, rng)
    told = values > _LEAST * n
    lengths = np.sqrt(values[told] * unit)
    coef = vectors[:, told] * (root[:, None] / lengths)
    found = KernelComponents(
        kernel=kernel,
        origin=origin,
        centers=places,
        coef=coef,
        offsets=-(mean @ coef) * unit,
        variances=lengths**2 / (n - 1),
        total=total * unit / (n - 1),
        residual=residual,
        mean=share,
    )
    return found, vectors[:, told] * lengths / root[:, None]


def components_in_features(
    kernel: Kernel, features: Features, origin: Array, places: Array, weights: Array, count: int
) -> KernelComponents | None:
    """At most `count` components, with all the digits that the features have; None where floats end."""
    n = float(weights.sum())
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        columns = np.ascontiguousarray(features.values(places).T)
        axes = principal_axes(columns, weights, n - 1)
    if axes is None:
        return None
    mean, directions, deviations = axes
    # Far from 0 features are large and nearly the same, and rounding of theirs would pass for a component.
    varied = np.ptp(columns, axis=1) > 0
    least = _ROUNDING * float(np.abs(columns[varied]).max(initial=0.0))
    told = np.flatnonzero(deviations > least)[:count]
    components = KernelComponents(
        kernel=kernel,
        origin=origin,
        centers=places,
        coef=np.zeros((len(places), len(told))),
        offsets=-(directions[told] @ mean),
        variances=deviations[told] ** 2,
        total=float((deviations**2).sum()),
        features=features,
        weights=directions[told],
    )
    scores = components.scores(places + origin)
    return replace(components, coef=weights[:, None] * scores / ((n - 1) * components.variances))


def components_in_centers(
    moments: Moments, origin: Array, places: Array, weights: Array, count: int
) -> KernelComponents:
    """At most `count` components in the features by few centres, from their moments over the samples."""
    nystroem, n = moments.nystroem, float(weights.sum())
    mean, covariance = moments.centred()
    diagonal = nystroem.kernel.diagonal(places)
    m = len(mean)
    values, vectors = some_eigenvectors(covariance, max(0, m - count), m - 1)
    told = values > _LEAST * float(diagonal.max())
    values, vectors = values[told][::-1], vectors[:, told][:, ::-1]
    return KernelComponents(
        kernel=nystroem.kernel,
        origin=origin,
        centers=nystroem.centers,
        coef=nystroem.coef(vectors),
        offsets=-(mean @ vectors),
        variances=values * (n / (n - 1)),
        total=(float(weights @ diagonal) / n - float(mean @ mean)) * (n / (n - 1)),
    )
