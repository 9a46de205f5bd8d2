"""Parzen windows without each of the samples in turn: from the sums of all, its own part is taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mlviz.algorithms.checking import is_classes
from mlviz.algorithms.many_fits import Answers, Part, from_coarse_to_fine, groups_of, left_out_each
from mlviz.algorithms.neighbors.parzen.model import class_sums, target_sums
from mlviz.numerics.arrays import Array
from mlviz.numerics.distances import FARTHEST_COMPUTABLE
from mlviz.numerics.neighbors.search import canonical_order
from mlviz.numerics.neighbors.windows import WindowSamples, sums_at, weights_among

_MOST = 700
"""Of more samples not all weights are kept."""


class ParzenManyFits:
    """Weighs all samples at once."""

    def answers(self, algorithms: Sequence[Any], parts: Sequence[Part]) -> Iterator[Answers | None]:
        """Yield weighted means, or by how much classes lead; only where samples are left out one by one."""
        X = parts[0].X
        named = is_classes(algorithms[0], parts[0].y)
        left = left_out_each(parts, range(len(parts)), named) if len(groups_of(parts)) == 1 else None
        if left is None or len(left[0]) < len(X) or len(X) > _MOST or np.ptp(X, axis=0).max() > FARTHEST_COMPUTABLE:
            return
        _, y, lacking = left
        # Of equally near samples the first one stands for all: the order is that of each fit.
        order = canonical_order(y, X)
        back = np.argsort(order)
        one, middle = np.ones(len(X)), 0.0
        if named:
            classes, codes = np.unique(y[order], return_inverse=True)
            samples = class_sums(X[order], codes, one, len(classes))
        else:
            middle = float(y.min() / 2 + y.max() / 2)
            samples = target_sums(X[order], y[order], one, middle)
        for which in from_coarse_to_fine(len(algorithms)):
            sums = _without_each(samples, algorithms[which].window, algorithms[which].width)[back][:, back]
            yield None
            if not named:
                outputs = middle + sums[:, :, 1] / sums[:, :, 0]
            else:
                outputs = sums[:, :, 1] - sums[:, :, 0] if sums.shape[2] == 2 else sums
            yield Answers(lacking, np.full(len(lacking), which), outputs)


def _without_each(samples: WindowSamples, window: str, width: float) -> Array:
    """The sums (n, n, c) without each sample at all of them."""
    W = weights_among(samples.X, window, width)
    sums = W @ samples.V - W.T[:, :, None] * samples.V[:, None, :]
    # At its own place what is left may be next to nothing, or nothing at all.
    itself = np.arange(len(W))
    sums[itself, itself] = sums_at(samples.X, samples, window, width, alone=True).values.T
    return np.asarray(sums)
