"""How many targets it takes to carry a line arbitrarily far, where the slopes of the loss do not grow.

X. He, J. Jureckova, R. Koenker and S. Portnoy, Tail behavior of regression estimators and their breakdown points,
Econometrica 58 (1990) 1195-1214. Far away along a direction g the objective grows with the sum of |g(x_i)|^p over the
samples that stay, and falls with that over those whose targets went along.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.sampling import subsample

_TRIED = 100


def fewest_targets(x: Array, share: Array, p: float, slopes: bool) -> int:
    """The smallest number found of samples x (n,), shares (n,), whose targets carry a line away, for a power p <= 1.

    Without `slopes` a penalty holds the slope, and the line can only be lifted. Exact for lines that turn about one of
    the places tried: those of the samples, and some between them.
    """
    reach = np.ones((1, len(x)))
    if slopes and np.ptp(x) > 0:
        ordered = np.sort(x)
        places = subsample(np.unique(np.concatenate((ordered, (ordered[1:] + ordered[:-1]) / 2))), _TRIED)
        reach = np.vstack((reach, np.abs(x - places[:, None]) / np.ptp(x)))
    force = np.sort(share * reach**p, axis=1)[:, ::-1]
    sums = np.cumsum(force, axis=1)
    return int((np.argmax(sums >= (1 - 1e-12) * sums[:, -1:] / 2, axis=1) + 1).min())
