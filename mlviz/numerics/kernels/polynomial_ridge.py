"""Ridge regression in the features of the polynomial kernel, wherever the samples lie.

Far from 0 all features say nearly the same, and far apart their sizes differ by many powers of ten: their own singular
values have no digits left. In the middle of the samples z = (x - center) / scale and phi(x) = M' g(z) with monomials g,
which are well-conditioned, and a matrix M whose rows and columns differ in size and in hardly anything else. Jacobi's
method finds the singular values of such a matrix with all their digits (Drmač and Veselić, SIAM J. Matrix Anal. Appl.
29 (2008) 1322-1362).
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.features import Features, FeatureSum
from mlviz.numerics.linalg.ridge import RidgeSolution
from mlviz.numerics.polynomials import count_monomials, expansion, exponents, monomials

_MOST = 500
"""With more monomials M takes too long."""


def graded_ridge(
    features: Features, X: Array, y: Array, share: Array, ridge: float
) -> tuple[RidgeSolution, FeatureSum] | None:
    """The solution for the samples X (n, d), and its sum; None where that can't be computed."""
    degree = int(features.exponents.max())
    if count_monomials(X.shape[1], degree) > _MOST:
        return None
    low, high = X.min(axis=0), X.max(axis=0)
    center, scale = low / 2 + high / 2, high / 2 - low / 2
    scale[scale <= 1e-14 * np.abs(center)] = 1.0
    E = exponents(X.shape[1], degree, least=0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        table = expansion(E[1:], -center / scale, 1 / scale)
    place = {tuple(e): number for number, e in enumerate(E.tolist())}
    M = table[:, [place[tuple(e)] for e in features.exponents.tolist()]] * features.factor
    constant, M, E = M[0], M[1:], E[1:]
    # From large rows to small ones: then the triangle below mixes into each only what is smaller.
    order = np.argsort(-np.abs(M).max(axis=1), kind="stable")
    M, E = M[order], E[order]
    G, root, level = monomials((X - center) / scale, E), np.sqrt(share), float(share @ y)
    mean = share @ G
    centred, target = G - mean, y - level
    Q, R = np.linalg.qr(centred * root[:, None])
    found = _decomposed(R @ M)
    if found is None:
        return None
    U, s, V = found
    filtered, seen = s**2 + ridge, U.T @ (Q.T @ (root * target))
    w, along = V @ (s / filtered * seen), U @ (s**2 / filtered * seen)
    # M w cancels. What it lost is put back where samples can tell: all of it, if they determine the polynomial.
    v = M @ w
    lost = along - R @ v
    for _ in range(3):
        v = v + np.linalg.lstsq(R, along - R @ v, rcond=None)[0]
    fitted = level + centred @ v
    open_ends = np.linalg.matrix_rank(R) < len(v)
    errors = (Q @ (lost if open_ends else along - R @ v)) / root
    size = float(np.abs(target).max()) or 1.0
    leverage = share + ((Q @ U) ** 2 * (s**2 / filtered)).sum(axis=1)
    alone = (y - fitted) / np.maximum(1 - leverage, np.finfo(np.float64).eps)
    return (
        RidgeSolution(w, level - float(mean @ v), fitted, leverage, alone, float(np.abs(errors).max()) / size),
        FeatureSum(Features(E, np.ones(len(E))), v, center, scale, float(constant @ w)),
    )


def _decomposed(S: Array) -> tuple[Array, Array, Array] | None:
    """The singular value decomposition S = U diag(s) V' with the digits of each s; None where there is none."""
    from scipy.linalg import lapack

    unit = float(np.abs(S).max(initial=0.0))
    wide, least = S.shape[0] < S.shape[1], min(S.shape)
    if unit == 0:  # all samples at one place
        return np.eye(S.shape[0], least), np.zeros(least), np.eye(S.shape[1], least)
    if not unit < 1e250:
        return None
    s, U, V, work, _, failed = lapack.dgejsv((S.T if wide else S) / unit, joba=2, jobu=0, jobv=0)
    if failed:
        return None
    if wide:
        U, V = V, U
    return U[:, :least], s * (work[0] / work[1] * unit), V[:, :least]
