"""How compact clusters are, and how far apart: scatter about their means, silhouettes, and the gap to uniform data."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.distances import distance_measure, pairwise
from mlviz.numerics.linalg.principal_axes import principal_axes
from mlviz.numerics.pauses import Work, square

_ROUNDING = 1e-9


def within_sum_of_squares(X: Array, labels: Labels, weights: Array) -> float:
    """The weighted sum of squared distances of the samples X (n, d) to the means of their clusters (n,)."""
    _, group = np.unique(labels, return_inverse=True)
    middle = X.min(axis=0) / 2 + X.max(axis=0) / 2  # a far origin costs no digits
    offset = X - middle
    total = np.bincount(group, weights)
    means = np.stack([np.bincount(group, weights * column) / total for column in offset.T], axis=1)
    return float(weights @ distance_measure((offset - means[group]).T, "euclidean"))


def elbow(k: Array, heights: Array) -> int | None:
    """The place of the value that is farthest below the straight line between the ends of a curve (v,) over k (v,).

    Unknown heights, NaN, are left out; None where no value is below the line.
    """
    known = np.flatnonzero(np.isfinite(heights))
    if len(known) < 3:
        return None
    x, y = k[known], heights[known]
    below = y[0] + (y[-1] - y[0]) * (x - x[0]) / (x[-1] - x[0]) - y
    most = float(below.max())
    if most <= _ROUNDING * float(np.abs(y).max()):
        return None
    return int(known[np.argmax(below >= most - _ROUNDING * most)])


def distances_between(X: Array) -> Work[Array]:
    """The distances (n, n) of the samples X (n, d) to each other; pauses where they are many."""
    return square(len(X), lambda rows: pairwise(X[rows], X))


def silhouettes(distances: Array, labels: Labels, weights: Array) -> Array:
    """The silhouette (b - a)/max(a, b) of each sample (n,), from the distances (n, n); a sample of weight 2 is two.

    a is the mean distance to the other samples of its cluster, b that to the samples of the nearest other one. It is 0
    for a sample that is alone in its cluster, and NaN where there is one cluster only. P. J. Rousseeuw, Silhouettes,
    Journal of Computational and Applied Mathematics 20 (1987), 53-65.
    """
    n = len(labels)
    clusters, group = np.unique(labels, return_inverse=True)
    if len(clusters) < 2:
        return np.full(n, np.nan)
    members = np.zeros((n, len(clusters)))
    members[np.arange(n), group] = weights
    sums, size = distances @ members, members.sum(axis=0)
    others = size[group] - np.minimum(weights, 1.0)  # one of weight 1/2 is half a sample, and no other one itself
    alone = others <= _ROUNDING * size[group]
    a = sums[np.arange(n), group] / np.where(alone, 1.0, others)
    means = sums / size
    means[np.arange(n), group] = np.inf
    b = means.min(axis=1)
    larger = np.maximum(a, b)
    return np.where(alone | (larger == 0), 0.0, (b - a) / np.where(larger == 0, 1.0, larger))


def uniform_reference(X: Array, axes: str, rng: np.random.Generator) -> Array:
    """As many samples as X (n, d) has, drawn uniformly from the box that holds them.

    Its sides are parallel to the coordinates, or, for "principal axes", to the directions of largest variance.
    """
    found = principal_axes(X.T, np.ones(len(X)), len(X)) if axes == "principal axes" else None
    turn = np.eye(X.shape[1]) if found is None else found[1]
    middle = X.mean(axis=0)
    turned = (X - middle) @ turn.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    return np.asarray((low + rng.random(X.shape) * (high - low)) @ turn + middle)


def gap_statistic(log_scatter: Array, reference: Array) -> tuple[Array, Array]:
    """The gap of each k (v,) and its error s (v,), by log W (v,) of the samples and (v, B) of B reference data sets.

    Gap(k) = mean of log W*(k) - log W(k), and s(k) = sqrt(1 + 1/B) times the standard deviation of log W*(k), with
    1/B. References without a number are left out. R. Tibshirani, G. Walther and T. Hastie, Estimating the number of
    clusters in a data set via the gap statistic, Journal of the Royal Statistical Society B 63 (2001), 411-423.
    """
    known = np.isfinite(reference)
    count = np.where(known.any(axis=1), known.sum(axis=1), np.nan)
    mean = np.where(known, reference, 0.0).sum(axis=1) / count
    spread = np.sqrt((np.where(known, reference - mean[:, None], 0.0) ** 2).sum(axis=1) / count)
    return mean - log_scatter, spread * np.sqrt(1 + 1 / count)


def tibshirani_rule(gap: Array, error: Array) -> int | None:
    """The place of the first k with Gap(k) >= Gap(k + 1) - s(k + 1), for k = 1, 2, ...; None where there is none."""
    enough = np.flatnonzero(gap[:-1] >= gap[1:] - error[1:])
    return int(enough[0]) if len(enough) else None
