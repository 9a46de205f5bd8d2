"""What several methods show as evidence: the samples that a prediction is made of."""

from __future__ import annotations

import numpy as np

from mlviz.draw.marks import Points
from mlviz.numerics.arrays import Array

_LARGEST_SIZE = 2.2
"""Of the ring of the largest weight."""


def weight_rings(places: Array, weights: Array) -> Points:
    """Rings about the samples at places (m, 2), whose areas are as their weights (m,)."""
    return Points("vote", places, _LARGEST_SIZE * np.sqrt(weights / weights.max()), label="weight of a sample")
