"""Equal samples as one, whose weight is the sum of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.arrays import Array


@dataclass(frozen=True, eq=False)
class MergedSamples:
    """The different samples, sorted by place and class.

    They are the same whatever the order of the rows and however often each stands among them.
    """

    X: Array
    """(m, d)."""
    y: NDArray[Any]
    """(m,)."""
    weight: Array
    """(m,)."""
    group: NDArray[np.intp]
    """(n,) for each sample which of the different ones it is."""


def merge_equal_samples(X: Array, y: NDArray[Any], weight: Array) -> MergedSamples:
    """The samples X (n, d) of the classes y (n,) with the weights (n,) above 0."""
    order = np.lexsort((weight, y, *X.T[::-1]))
    places, classes = X[order], y[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (classes[1:] != classes[:-1]) | (places[1:] != places[:-1]).any(axis=1)
    group = np.empty(len(order), dtype=np.intp)
    group[order] = np.cumsum(new) - 1
    return MergedSamples(places[new], classes[new], np.bincount(group, weight).astype(np.float64), group)
