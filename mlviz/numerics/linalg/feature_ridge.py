"""Ridge regression with a free offset in given features, for several targets at once.

    minimise  sum_i share_i (y_i - w.phi(x_i) - b)^2 + ridge |w|^2,   sum share = 1

With the rows B_i = root(share_i) (phi(x_i) - mean) and the targets alike, (B'B + ridge) w = B't. Where samples are
fewer than features, w = B'a with (BB' + ridge) a = t. Either square is factorized once, and what its rounding costs is
put back by refinement (Björck, Numerical Methods for Least Squares Problems, 1996, section 6.6). Where that does not
help, singular values do. Features are worked out some rows at a time, and not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array, without_rounding
from mlviz.numerics.linalg.cholesky import factorized, inverted
from mlviz.numerics.linalg.columns import triangle
from mlviz.numerics.pauses import Work, finished
from mlviz.numerics.standardizing import weighted_mean
from mlviz.spec.brief import Brief

_PRODUCTS = 50_000_000
"""So many products are added up between two pauses: some milliseconds."""
_FEW_BLOCKS = 3
"""Features of so few blocks are kept, and multiplied at once."""
_LEAST_ROWS = 32
"""Products of fewer rows at a time take longer together."""
_ROUNDS = 4
"""At most so often a solution is refined."""
_EXACT = 1e-13
_GOOD = 1e-9
"""A gradient longer than this share of its terms asks for singular values."""
_MOST_INVERTED = 1000
"""Larger factors are not inverted, which leverages and the trace want."""
_MOST_SINGULAR = 250
"""Of more columns singular values take too long."""


@dataclass(frozen=True, eq=False)
class Rows(Brief):
    """Samples as features: `phi(rows)` are those (m, p) of some of the n samples, with shares (n,) adding up to 1."""

    phi: Callable[[slice], Array]
    share: Array
    p: int

    @property
    def n(self) -> int:
        """How many samples there are."""
        return len(self.share)

    @property
    def blocks(self) -> list[slice]:
        """The samples, so many at a time that their products take a few milliseconds."""
        size = max(_LEAST_ROWS, _PRODUCTS // (self.p * min(self.n, self.p)))
        return [slice(first, first + size) for first in range(0, self.n, size)]

    def centred(self, rows: slice, mean: Array) -> Array:
        """The rows of B."""
        return (self.phi(rows) - mean) * np.sqrt(self.share[rows])[:, None]

    def whole(self) -> Work[tuple[Array, Array]]:
        """Work out the mean of the features, (p,), and B."""
        parts = []
        for rows in self.blocks:
            parts.append(self.phi(rows))
            yield
        F = parts[0] if len(parts) == 1 else np.concatenate(parts)
        mean = self.share @ F
        F = F - mean
        F *= np.sqrt(self.share)[:, None]
        return mean, F


@dataclass(frozen=True, eq=False)
class RidgeInFeatures(Brief):
    """The minimum: weights `coef` (p, t) and `offset` (t,) of t targets."""

    rows: Rows
    ridge: float
    mean: Array
    """(p,) of the features."""
    coef: Array
    offset: Array
    residual: float
    """The length of the gradient in w as a share of what its terms come to without their signs, of the worst target."""
    fitted: Array
    """(n, t) what is predicted for the samples."""
    in_samples: bool
    """Whether the equations were solved for a number a sample, not one a feature."""
    _factor: Array | None
    """The Cholesky factor of the equations, a lower triangle; None where it was none."""

    @property
    def unknowns(self) -> int:
        """How many numbers the equations were solved for."""
        return self.rows.n if self.in_samples else self.rows.p

    @cached_property
    def _root(self) -> Array | None:
        """The inverse of the factor, where it does not take too long."""
        if self._factor is None or len(self._factor) > _MOST_INVERTED:
            return None
        root = self._factor.copy()
        for _ in inverted(root):
            pass
        return root

    @cached_property
    def freedom(self) -> float | None:
        """The trace of the matrix that turns targets into predictions: how many numbers the fit can choose freely."""
        if self._root is None:
            return None
        # B (B'B + ridge)^-1 B' has the trace of 1 - ridge (B'B + ridge)^-1, and so has the other square.
        return float(1 + len(self._root) - self.ridge * np.einsum("ij,ij->", self._root, self._root))

    @cached_property
    def leverage(self) -> Array | None:
        """(n,) how much of each sample's target returns in its prediction."""
        from scipy.linalg.blas import dtrmm

        root, share = self._root, self.rows.share
        if root is None:
            return None
        if self.in_samples:
            return np.asarray(share + 1 - self.ridge * np.einsum("ij,ij->j", root, root))
        # The transpose of a matrix row by row is one column by column, as BLAS wants it; of the root half is zero.
        products = (dtrmm(1.0, root.T, self.rows.centred(rows, self.mean).T, trans_a=True) for rows in self.rows.blocks)
        parts = [np.einsum("ji,ji->i", product, product) for product in products]
        return np.asarray(share + np.concatenate(parts))


def ridge_in_features(rows: Rows, targets: Array, ridge: float) -> RidgeInFeatures:
    """The minimum for the targets (n, t); raises LinAlgError where the ridge is too small to compute with."""
    return finished(solving_in_features(rows, targets, ridge))


def solving_in_features(rows: Rows, targets: Array, ridge: float) -> Work[RidgeInFeatures]:
    """Find what `ridge_in_features` does; pauses where there is much to add up."""
    levels = np.array([weighted_mean(y, rows.share) for y in targets.T])
    size = np.abs(targets).max(axis=0)
    t = without_rounding(targets - levels, 0.1 * size) * np.sqrt(rows.share)[:, None]
    in_samples, B = rows.n < rows.p, None
    if in_samples or len(rows.blocks) <= _FEW_BLOCKS:
        mean, B = yield from rows.whole()
        terms = np.abs(B.T) @ np.abs(t)
        if in_samples:
            square, right = np.empty((rows.n, rows.n)), t
            for part in rows.blocks:
                square[part, : part.stop] = B[part] @ B[: part.stop].T
                square[: part.start, part] = square[part, : part.start].T
                yield
        else:
            square, right = B.T @ B, B.T @ t
            yield
    else:
        mean, square, right, terms = yield from _moments(rows, t)
    factor = yield from _factor(square, ridge)
    coef, residual = np.zeros((rows.p, t.shape[1])), np.inf
    if factor is not None:
        found, left = yield from _refined(square, factor, right, ridge)
        coef, gradient = (B.T @ found, B.T @ left) if B is not None and in_samples else (found, left)
        residual = _relative(gradient, terms)
    if not residual <= _GOOD:
        if min(square.shape) > _MOST_SINGULAR:
            raise np.linalg.LinAlgError
        whole = rows.centred(slice(None), mean) if B is None else B
        coef, factor = _by_singular_values(whole, t, ridge), None
        residual = _relative(whole.T @ (t - whole @ coef) - ridge * coef, terms)
    fitted = (yield from _along(rows, mean, coef)) if B is None else (B @ coef) / np.sqrt(rows.share)[:, None]
    return RidgeInFeatures(rows, ridge, mean, coef, levels - mean @ coef, residual, levels + fitted, in_samples, factor)


def _along(rows: Rows, mean: Array, coef: Array) -> Work[Array]:
    """Work out the sums (n, t) of the centred features."""
    parts = []
    for part in rows.blocks:
        parts.append((rows.phi(part) - mean) @ coef)
        yield
    return np.concatenate(parts)


def _moments(rows: Rows, t: Array) -> Work[tuple[Array, Array, Array, Array]]:
    """Add up the mean of the features, B'B, B't and |B|'|t|."""
    p, root = rows.p, np.sqrt(rows.share)[:, None]
    square, right, terms = np.zeros((p, p)), np.zeros((p, t.shape[1])), np.zeros((p, t.shape[1]))
    near, off = np.zeros(p), np.zeros(p)
    for number, part in enumerate(rows.blocks):
        F, share = rows.phi(part), rows.share[part]
        if not number:
            near = share @ F / share.sum()  # what is counted from near the mean keeps its digits
        F = F - near
        off += share @ F
        F *= root[part]
        square += F.T @ F
        right += F.T @ t[part]
        terms += np.abs(F).T @ np.abs(t[part])
        yield
    # The targets are centred: what is taken from all features makes no difference there.
    return near + off, square - np.outer(off, off), right, terms


def _factor(square: Array, ridge: float) -> Work[Array | None]:
    """Work out the Cholesky factor of the square with the ridge; None where it has none."""
    factor = square.copy()
    factor.flat[:: len(factor) + 1] += ridge
    try:
        yield from factorized(factor)
    except np.linalg.LinAlgError:
        return None
    return factor


def _refined(square: Array, factor: Array, right: Array, ridge: float) -> Work[tuple[Array, Array]]:
    """Find the solution, and what of the right side it leaves."""
    from scipy.linalg.lapack import dpotrs

    found, left = np.zeros_like(right), right
    for _ in range(_ROUNDS):
        # The transpose of a matrix row by row is one column by column, as LAPACK wants it.
        step = dpotrs(factor.T, left, lower=False)[0]
        better = right - square @ (found + step) - ridge * (found + step)
        yield
        if not np.linalg.norm(better) < np.linalg.norm(left):
            break
        found, left = found + step, better
        if np.linalg.norm(left) <= _EXACT * np.linalg.norm(right):
            break
    return found, left


def _relative(gradient: Array, terms: Array) -> float:
    """The length of the gradient as a share of its terms', of the worst of the targets (p, t)."""
    lengths, of_terms = np.linalg.norm(gradient, axis=0), np.linalg.norm(terms, axis=0)
    shares = np.divide(lengths, of_terms, out=np.zeros_like(lengths), where=of_terms > 0)
    return float(shares.max())


def _by_singular_values(B: Array, t: Array, ridge: float) -> Array:
    """The weights (p, t) by the singular values of B (n, p)."""
    p = B.shape[1]
    small = triangle(np.column_stack((B, t))) if len(B) > p else np.column_stack((B, t))
    U, s, Vt = np.linalg.svd(small[:, :p], full_matrices=False)
    return np.asarray(Vt.T @ ((s / (s**2 + ridge))[:, None] * (U.T @ small[:, p:])))


def kernel_ridge(K: Array, targets: Array, share: Array, ridge: float) -> tuple[Array, Array]:
    """The coefficients (n, t) and offsets (t,) of sums over a kernel of the samples, K (n, n), for targets (n, t).

    They minimise sum_i share_i (y_i - f(x_i) - b)^2 + ridge |f|^2. Raises LinAlgError where the ridge is too small.
    """
    from scipy.linalg.lapack import dposv

    root, column = np.sqrt(share)[:, None], K @ share
    centred = (K - column - column[:, None] + share @ column) * root * root.T
    centred.flat[:: len(K) + 1] += ridge
    levels = share @ targets
    _, found, failed = dposv(centred.T, (targets - levels) * root, overwrite_a=True)
    if failed:
        raise np.linalg.LinAlgError
    found *= root
    coef = found - np.outer(share, found.sum(axis=0))
    return coef, levels - column @ coef
