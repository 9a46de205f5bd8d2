"""Symmetric positive definite systems by Cholesky's factorization, and whether a matrix is positive semidefinite."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mlviz.numerics.arrays import Array

Solve = Callable[[Array], Array]
_COLUMNS, _ROWS = 64, 512
"""So many columns, and rows, are worked out at a time: at 3000 of them, some milliseconds."""
_ROUNDING = 1e-10
"""Eigenvalues nearer to 0 than this share of the largest there can be are rounding."""


def solver(K: Array, D: Array | float = 0.0) -> Solve:
    """Solve (K + diag D) x = r; where rounding made it indefinite, as little more on the diagonal as helps.

    Raises LinAlgError where nothing helps, since it holds something that is no number.
    """
    # Imported here: the window reads the hyperparameters of the methods without needing their solvers.
    from scipy.linalg.lapack import dpotrf, dpotrs

    if not np.isfinite(K).all():
        raise np.linalg.LinAlgError
    least = 1e-14 * float(np.abs(K.diagonal()).max())
    extra = 0.0
    while np.isfinite(extra):
        A = K.copy(order="F")
        A.flat[:: len(A) + 1] += D + extra
        factor, failed = dpotrf(A, lower=True, overwrite_a=True)
        if not failed:
            return lambda r: np.asarray(dpotrs(factor, r, lower=True)[0])
        extra = max(10 * extra, least, np.finfo(np.float64).tiny)
    raise np.linalg.LinAlgError


def factorized(A: Array) -> Iterator[None]:
    """Bring A (n, n) to its Cholesky factor, a lower triangle, in place; yields after some of the columns.

    Raises LinAlgError where A is not positive definite.
    """
    from scipy.linalg import solve_triangular

    for first in range(0, len(A), _COLUMNS):
        here, below = slice(first, first + _COLUMNS), slice(first + _COLUMNS, None)
        A[first:, here] -= A[first:, :first] @ A[here, :first].T
        A[here, here] = np.linalg.cholesky(A[here, here])
        A[here, below] = 0.0
        A[below, here] = solve_triangular(A[here, here], A[below, here].T, lower=True, check_finite=False).T
        yield


def inverted(L: Array) -> Iterator[None]:
    """Bring the lower triangle L (n, n) to its inverse, in place; yields after some of the work."""
    from scipy.linalg.lapack import dtrtri

    for first in reversed(range(0, len(L), _COLUMNS)):
        here, below = slice(first, first + _COLUMNS), first + _COLUMNS
        inner = dtrtri(L[here, here], lower=1)[0]
        column = L[below:, here] @ -inner
        L[here, here] = inner
        # Below stands the inverse already: each of its rows meets what is not beyond its diagonal.
        for row in range(below, len(L), _ROWS):
            end = min(row + _ROWS, len(L))
            L[row:end, here] = L[row:end, below:end] @ column[: end - below]
            yield
        yield


def pivoted_cholesky(
    row: Callable[[int], Array], diagonal: Array, tolerance: float, most: int
) -> tuple[Array, list[int], Array]:
    """G (r, n) with K = G'G but for a diagonal below that share of the largest, or r = most rows if that takes more.

    `row(p)` is a row of K. With it come the pivots, and what G leaves of the diagonal: each time the row that is
    represented worst is the next pivot.
    """
    left = diagonal.copy()
    stop = tolerance * float(left.max(initial=0.0))
    G, pivots = np.zeros((most, len(left))), list[int]()
    for r in range(most):
        p = int(left.argmax())
        if not left[p] > stop:
            return G[:r], pivots, left
        G[r] = (row(p) - G[:r, p] @ G[:r]) / np.sqrt(left[p])
        left = np.maximum(left - G[r] ** 2, 0.0)
        left[p] = 0.0
        pivots.append(p)
    return G, pivots, left


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
