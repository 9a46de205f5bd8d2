"""Ridge regression with a free offset in given features, for several targets at once.

    minimise  sum_i share_i (y_i - w.phi(x_i) - b)^2 + ridge |w|^2,   sum share = 1

With the rows B_i = root(share_i) (phi(x_i) - mean) and the targets alike, (B'B + ridge) w = B't. Where samples are
fewer than features, w = B'a with (BB' + ridge) a = t. Either square is factorized once, and what its rounding costs is
put back by refinement (Björck, Numerical Methods for Least Squares Problems, 1996, section 6.6). Where that does not
help, singular values do: of few features at once, `ridge_by_singular_values`. Features are worked out some rows at a
time, and not kept. Both tell leverages, and with them what each sample would have left had it been left out.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, without_rounding
from mlviz.numerics.linalg.cholesky import factorized
from mlviz.numerics.linalg.columns import OWN_ROUNDING, triangle
from mlviz.numerics.linalg.least_squares import without_faint
from mlviz.numerics.linalg.ridge import RidgeInFeatures, WeightedRows, left_out_in_samples
from mlviz.numerics.pauses import Work, finished
from mlviz.numerics.standardizing import mean_and_size

_FEW_BLOCKS = 3
"""Features of so few blocks are kept, and multiplied at once."""
_ROUNDS = 4
"""At most so often a solution is refined."""
_EXACT = 1e-13
_GOOD = 1e-9
"""A gradient longer than this share of its terms asks for singular values."""
_FAINT = 1e-8
"""A ridge that is less of the mean square of a sample hardly keeps as many features from meeting the targets."""
_MOST_SINGULAR = 250
"""Of more columns singular values take too long."""


def solving_in_features(rows: WeightedRows, targets: Array, ridge: float) -> Work[RidgeInFeatures]:
    """Find the minimum for the targets (n, t); pauses where there is much to add up.

    Raises LinAlgError where the ridge is too small to compute with.
    """
    levels, _, t = _weighed(targets, rows.share)
    in_samples, B, lifted = False, None, None
    if in_fewer(rows) or len(rows.blocks) <= _FEW_BLOCKS:
        mean, B = yield from rows.whole()
        terms = np.abs(B.T) @ np.abs(t)
        lift = float(np.vdot(B, B)) / rows.n if in_fewer(rows) else 0.0
        in_samples = rows.n < rows.p or (in_fewer(rows) and ridge < _FAINT * lift)
        if in_samples:
            square, right, root = np.empty((rows.n, rows.n)), t, np.sqrt(rows.share)
            for part in rows.blocks:
                square[part, : part.stop] = B[part] @ B[: part.stop].T
                square[: part.start, part] = square[part, : part.start].T
                yield
            square += np.multiply.outer(lift * root, root)
        else:
            square, right = B.T @ B, B.T @ t
            yield
    else:
        mean, square, right, terms = yield from _moments(rows, t)
    factor = yield from _factor(square, ridge)
    coef, residual = np.zeros((rows.p, t.shape[1])), np.inf
    if factor is not None:
        found, left = yield from _refined(square, factor, right, ridge)
        coef, gradient = found, left
        if B is not None and in_samples:
            coef, gradient, lifted = B.T @ found, B.T @ left, (found, lift)
        residual = _relative(gradient, terms)
    if not residual <= _GOOD:
        if min(square.shape) > _MOST_SINGULAR:
            raise np.linalg.LinAlgError
        return ridge_by_singular_values(rows, targets, ridge)
    fitted = (yield from _along(rows, mean, coef)) if B is None else (B @ coef) / np.sqrt(rows.share)[:, None]
    offset = levels - mean @ coef
    return RidgeInFeatures(
        rows, targets, ridge, mean, coef, offset, residual, levels + fitted, in_samples, factor, None, lifted
    )


def ridge_by_singular_values(rows: WeightedRows, targets: Array, ridge: float) -> RidgeInFeatures:
    """The same of few features, whatever their condition: squares of them would square it."""
    levels, sizes, t = _weighed(targets, rows.share)
    mean, B = finished(rows.whole())
    p = rows.p
    # Of many rows a triangle has the same solution.
    fewer = in_fewer(rows)
    whole = np.column_stack((B, t))
    small = whole if fewer else triangle(whole)
    # A column along which B has nothing: with it the equations of few samples leave no direction to rounding.
    lift = float(np.vdot(B, B)) / rows.n if fewer else 0.0
    lifted = np.column_stack((B, np.sqrt(lift * rows.share))) if fewer else small[:, :p]
    U, s, Vt = np.linalg.svd(lifted, full_matrices=False)
    Vt = Vt[:, :p]
    filtered, lengths = s**2 + ridge, np.linalg.norm(small[:, :p], axis=0)
    along_axes = U.T @ small[:, p:]
    found = Vt.T @ ((s / filtered)[:, None] * along_axes)
    columns = zip(found.T, small[:, p:].T, sizes.tolist(), strict=True)
    coef = np.column_stack([without_faint(w, lengths, target, size) for w, target, size in columns])
    along = B @ coef
    residual = _relative(B.T @ (t - along) - ridge * coef, np.abs(B).T @ np.abs(t))
    fitted = levels + along / np.sqrt(rows.share)[:, None]
    known: tuple[Array, float, Array | None]
    if fewer:
        kept = U**2 @ (1 / filtered) - rows.share / (ridge + lift)
        out = left_out_in_samples(U @ (along_axes / filtered[:, None]), kept, rows.share, ridge + lift)
        known = 1 - ridge * kept, float(rows.n - ridge * kept.sum()), out
    else:
        known = rows.share + (B @ Vt.T) ** 2 @ (1 / filtered), float(1 + (s**2 / filtered).sum()), None
    offset = levels - mean @ coef
    return RidgeInFeatures(rows, targets, ridge, mean, coef, offset, residual, fitted, fewer, None, known)


def in_fewer(rows: WeightedRows) -> bool:
    """Whether samples are so few that but for the ridge all targets are met, by features and offset.

    What is left to a sample is then next to nothing, and must not be the difference of numbers that are nearly equal.
    """
    return rows.n <= rows.p + 1


def _weighed(targets: Array, share: Array) -> tuple[Array, Array, Array]:
    """The means (t,) of targets (n, t), their largest magnitudes, and they less the means, times roots of shares."""
    levels, sizes = np.array([mean_and_size(y, share) for y in targets.T]).T
    return levels, sizes, without_rounding(targets - levels, OWN_ROUNDING * sizes) * np.sqrt(share)[:, None]


def _along(rows: WeightedRows, mean: Array, coef: Array) -> Work[Array]:
    """Work out the sums (n, t) of the centred features."""
    parts = []
    for part in rows.blocks:
        parts.append((rows.phi(part) - mean) @ coef)
        yield
    return np.concatenate(parts)


def _moments(rows: WeightedRows, t: Array) -> Work[tuple[Array, Array, Array, Array]]:
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
    lengths, of_terms = np.sqrt((gradient**2).sum(axis=0)), np.sqrt((terms**2).sum(axis=0))
    shares = np.divide(lengths, of_terms, out=np.zeros_like(lengths), where=of_terms > 0)
    return float(shares.max())
