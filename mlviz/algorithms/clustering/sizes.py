"""How many samples the clusters have, as methods that look for clusters tell it."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.numerics.arrays import Labels

_MOST_COUNTED = 12
"""The sizes of more clusters are not told one by one."""
SIZES, SIZES_HELP = "samples per cluster", "How many samples each cluster has, in the order of their colours."


def told_sizes(labels: Labels, codes: Labels) -> str | None:
    """The number of labels (n,) of each of the codes (k,); None of none or very many."""
    if not 0 < len(codes) <= _MOST_COUNTED:
        return None
    counts = np.bincount(labels[labels >= 0], minlength=int(codes.max()) + 1)
    return ", ".join(map(str, counts[codes].tolist()))


CLUSTER_SIZES = ModelFact(SIZES, lambda m: told_sizes(m.labels, m.clusters), SIZES_HELP)
"""Of a model with labels (n,) and clusters (k,)."""
