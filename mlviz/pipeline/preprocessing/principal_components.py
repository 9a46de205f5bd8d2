"""The inputs as their scores along the first two principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.draw.numbers import share, typographic
from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.principal_axes import COMPUTABLE_DISTANCES, principal_axes
from mlviz.pipeline.preprocessing.base import Affine, Preprocessing, Scaling, Transform, empty_directions

_SHOWN = 2
"""As many components as the canvas has axes."""


@dataclass(frozen=True)
class PrincipalComponents(Preprocessing):
    """The scores along the two directions in which the samples vary most: what the canvas shows and the method learns.

    A single input is only centred.
    """

    id = "principal-components"
    label = "principal components"
    rank = 3
    help = (
        "all inputs (of a table: all its columns) become the scores along the two directions in which the samples vary "
        "most; the canvas shows these scores, and a click adds the sample that has them and is average otherwise"
    )
    aligned = False
    projects = True
    sklearn = ("from sklearn.decomposition import PCA", f"PCA(n_components=min({_SHOWN}, X.shape[1]))")

    def learn(self, X: Array, sample_weight: Array | None = None) -> Transform:
        """Turned about the mean, the further components left out."""
        mean, axes, deviations = axes_of(X, sample_weight)
        if len(mean) == 1:
            return Scaling("centred", "of the centred inputs", scale=np.ones(1), shift=-mean)
        rows = axes[:_SHOWN]
        variances = (deviations / (float(deviations.max(initial=0.0)) or 1.0)) ** 2
        shares = variances / (float(variances.sum()) or 1.0)
        told = [typographic(share(part)) for part in shares.tolist()]
        names = tuple(f"component {j} ({told[j - 1]})" for j in range(1, _SHOWN + 1))
        caption = "principal components"
        if len(mean) > _SHOWN:
            caption += f", {share(min(1.0, float(shares[:_SHOWN].sum())))} of the variance of {len(mean)} inputs"
        return Affine(
            caption,
            "of the components",
            center=mean,
            rows=rows,
            inverse=rows.T,
            empty=empty_directions(X, mean, rows),
            own_names=names,
            deviations=deviations,
        )


def axes_of(X: Array, sample_weight: Array | None) -> tuple[Array, Array, Array]:
    """Mean (d,), principal axes (d, d) as rows and the standard deviation along each (d,), divisor n − 1.

    Where there are none, since all samples are at one place or floats end, the axes are the inputs' own and the
    deviations 0.
    """
    d = X.shape[1]
    if not len(X):
        return np.zeros(d), np.eye(d), np.zeros(d)
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    n = float(weights.sum())
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        found = principal_axes(np.ascontiguousarray(X.T), weights, n - 1 if n > 1 else n)
    if found is None:
        return np.where(np.abs(X[0]) < COMPUTABLE_DISTANCES[1], X[0], 0.0), np.eye(d), np.zeros(d)
    return found
