"""Classes as numbers to regress on, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.grid import Array


def encoded(codes: NDArray[Any], k: int) -> Array:
    """The targets of class codes (n,): (1, n) of -1 and 1 for two classes, (k, n) of 0 and 1 for more."""
    if k == 2:
        return np.where(codes, 1.0, -1.0)[None]
    return np.asarray((codes == np.arange(k)[:, None]).astype(np.float64))


def decided(scores: Array) -> NDArray[np.intp]:
    """Which class codes (n,) predictions (1, n) or (k, n) of such targets stand for; of equal ones the first."""
    return np.asarray((scores[0] > 0).astype(np.intp) if len(scores) == 1 else np.argmax(scores, axis=0))
