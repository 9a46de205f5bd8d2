"""Principal components by the covariance matrix and by the Gram matrix, compared with those by singular values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.principal_axes import covariance_axes, gram_axes
from mlviz.spec.brief import Brief

MOST_SAMPLES = 1000
"""The Gram matrix of more samples takes longer than a fact is worth."""
_APART = 1e-6
"""A variance that is nearer to another one, as a share of the largest, leaves its direction to rounding."""


@dataclass(frozen=True, eq=False)
class ThreeWays(Brief):
    """The largest variance by the covariance matrix and by the Gram matrix, and how far all three ways are apart."""

    by_covariance: float
    by_gram: float
    difference: float
    """The largest difference: of variances as a share of the largest, and of the entries of components."""


def three_ways(columns: Array, weights: Array, components: Array, variances: Array) -> ThreeWays | None:
    """The other two ways beside components (d, d) and variances (d,) that were found by the singular values.

    Of the columns (d, n) of samples with weights (n,). None where the samples are too many.
    """
    divisor = float(weights.sum()) - 1
    if len(weights) > MOST_SAMPLES:
        return None
    by_covariance = covariance_axes(columns, weights, divisor)
    by_gram = gram_axes(columns, weights, divisor)
    if by_covariance is None or by_gram is None:
        return None
    gaps = np.abs(np.subtract.outer(variances, variances)) / variances[0]
    np.fill_diagonal(gaps, np.inf)
    told = (np.minimum(gaps.min(axis=1), variances / variances[0])) > _APART
    differences = [0.0]
    for axes, others in (by_covariance, by_gram):
        k = len(others)
        differences.append(float(np.abs(others - variances[:k]).max()) / float(variances[0]))
        own, other = components[:k][told[:k]], axes[told[:k]]
        sense = np.sign((own * other).sum(axis=1))
        differences.append(float(np.abs(other * sense[:, None] - own).max(initial=0.0)))
    return ThreeWays(float(by_covariance[1][0]), float(by_gram[1][0]), max(differences))
