"""Ridge regression with a free offset for many penalties at once, and without each of the samples in turn.

    minimise  sum_i share_i (y_i - f(x_i) - b)^2 + ridge |f|^2,   sum share = 1

in features or in a kernel, both centred at the samples: f + b is the mean of y plus P z / (spectrum + ridge), with P, z
and the spectrum from one decomposition. With equal shares the predictions are H y, and those without sample i are

    f(x) - H(x, i) (y_i - f(x_i)) / (1 - H(x_i, i))

R. D. Cook and S. Weisberg, Residuals and Influence in Regression (1982), section 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Mask, Rows
from mlviz.spec.brief import Brief

_DIGITS, _SMALLEST = 1e-10, 1e-140
"""Features that vary by less, as a share of their values or at all, are left to a fit by itself."""
_ALONE = 1e-9
"""Where 1 less the leverage is smaller than this, a sample determines the fit at its place: nothing is known of it."""


@dataclass(frozen=True, eq=False)
class SpectralRidge(Brief):
    """The decomposition for the m samples of a part, and what it says at all n places."""

    P: Array
    """(n, q)."""
    spectrum: Array
    """(q,) not negative."""
    R: Array
    """(q, m): z = R y, for any y."""
    share: Array
    """(m,)."""
    rows: Rows
    """(m,) where the samples are among the places."""

    @classmethod
    def in_kernel(cls, K: Array, rows: Rows, share: Array) -> SpectralRidge:
        """That of a kernel matrix K (n, n) of all places."""
        columns = K[:, rows]
        level = share @ columns[rows]
        centred = columns - level - (columns @ share)[:, None] + float(level @ share)
        root = np.sqrt(share)
        scaled = centred * root
        inner = scaled[rows] * root[:, None]
        spectrum, Q = np.linalg.eigh((inner + inner.T) / 2)
        R = Q.T * root
        return cls(scaled @ Q, np.maximum(spectrum, 0.0), R - np.outer(R.sum(axis=1), share), share, rows)

    @classmethod
    def in_features(cls, A: Array, rows: Rows, share: Array) -> SpectralRidge | None:
        """That of features A (n, p) of all places; None where the part has too few digits in one of them."""
        centred, root = A - share @ A[rows], np.sqrt(share)
        U, s, Vt = np.linalg.svd(centred[rows] * root[:, None], full_matrices=False)
        # What is left of equal values is rounding, and too small ones have no squares.
        noise = max(_DIGITS * float(np.abs(A[rows]).max(initial=0.0)), _SMALLEST)
        if len(rows) <= A.shape[1] or not s.min(initial=np.inf) > max(1e-6 * s.max(initial=0.0), noise):
            return None
        R = U.T * root
        return cls((centred @ Vt.T) * s, s**2, R - np.outer(R.sum(axis=1), share), share, rows)

    def outputs(self, y: Array, ridges: Array) -> Array:
        """The predictions (v, n, t) at all places for targets y (m, t) and penalties (v,)."""
        damped = (self.R @ y) / (self.spectrum + ridges[:, None])[:, :, None]
        return np.asarray(self.P @ damped + self.share @ y)

    def left_out(self, y: Array, ridges: Array) -> Iterator[tuple[Array, Mask]]:
        """For each penalty the predictions (m, n, t) without each of the samples, whose shares are equal.

        The penalty is that of the mean over the others. Tells with each where they are known (m,).
        """
        m = len(self.rows)
        for ridge in ridges.tolist():
            H = (self.P / (self.spectrum + ridge * (m - 1) / m)) @ self.R + self.share
            fitted = H @ y
            rest = 1 - H[self.rows, np.arange(m)]
            known = rest > _ALONE
            pull = (y - fitted[self.rows]) / np.where(known, rest, 1.0)[:, None]
            yield fitted - H.T[:, :, None] * pull[:, None, :], known
