"""The inputs as they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.pipeline.preprocessing.base import Preprocessing, Scaling


@dataclass(frozen=True)
class NoPreprocessing(Preprocessing):
    """The inputs as they are."""

    id = "none"
    label = "none"
    rank = 0

    def learn(self, X: Array, sample_weight: Array | None = None) -> Scaling:
        """The transform that changes nothing."""
        return Scaling(scale=np.ones(X.shape[1]), shift=np.zeros(X.shape[1]))
