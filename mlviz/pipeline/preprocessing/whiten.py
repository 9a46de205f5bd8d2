"""Whitening by principal components: inputs that are uncorrelated and have variance 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.pipeline.preprocessing.base import Affine, Preprocessing, Scaling, Transform, empty_directions
from mlviz.pipeline.preprocessing.principal_components import axes_of

_UNITS = "of the whitened inputs"


@dataclass(frozen=True)
class Whiten(Preprocessing):
    """The scores along all principal components, each divided by its standard deviation (divisor n − 1).

    Distances of whitened samples are Mahalanobis distances. A direction in which the samples do not vary is only
    centred.
    """

    id = "whiten"
    label = "whiten"
    rank = 2
    help = (
        "the cloud of all samples is turned onto its principal components and made round: the inputs get mean 0 and "
        "variance 1 and are uncorrelated, so that distances are Mahalanobis distances"
    )
    aligned = False
    sklearn = ("from sklearn.decomposition import PCA", "PCA(whiten=True)")

    def learn(self, X: Array, sample_weight: Array | None = None) -> Transform:
        """Turned and scaled about the mean."""
        mean, axes, deviations = axes_of(X, sample_weight)
        deviations = np.where(deviations > 0, deviations, 1.0)
        if len(mean) == 1:
            return Scaling("whitened", _UNITS, scale=1 / deviations, shift=-mean / deviations)
        names = tuple(f"whitened {j}" for j in range(1, len(mean) + 1))
        rows = axes / deviations[:, None]
        empty = empty_directions(X, mean, rows)
        return Affine(
            "whitened", _UNITS, center=mean, rows=rows, inverse=axes.T * deviations, empty=empty, own_names=names
        )
