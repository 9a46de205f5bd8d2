"""Whether a symmetric matrix, a kernel's at some samples, is positive semidefinite."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array

_ROUNDING = 1e-10
"""Eigenvalues nearer to 0 than this share of the largest there can be are rounding."""


def _rounding(K: Array) -> float:
    """Below which size eigenvalues of K (n, n) mean nothing."""
    return _ROUNDING * len(K) * float(np.abs(K).max(initial=0.0))


def is_positive(K: Array) -> bool:
    """Whether K (n, n) has no negative eigenvalue, but for rounding: many times faster than to find them."""
    lifted = K.copy()
    lifted.flat[:: len(K) + 1] += max(_rounding(K), 1e-300)
    try:
        np.linalg.cholesky(lifted)
    except np.linalg.LinAlgError:
        return False
    return True


def eigenvalues(K: Array) -> Array:
    """Those of K (n, n) that are more than rounding, the largest first."""
    found = np.linalg.eigvalsh(K)[::-1]
    return np.asarray(found[np.abs(found) > _rounding(K)])
