"""Symmetric positive definite systems by Cholesky's factorization, and whether a matrix is positive semidefinite."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.pauses import Work, blocks, finished

Solve = Callable[[Array], Array]
_COLUMNS, _ROWS = 64, 512
"""So many columns, and rows, are inverted at a time: at 3000 of them, some milliseconds."""
_WIDE, _PRODUCTS = 128, 750_000
"""So many columns are factorized at a time, by sums of products of which each column takes so many between pauses."""
_WHOLE = 1000
"""So many rows at the most are factorized at once: about 7 ms."""
_PAUSE = 3_000_000
"""After the product of about so many numbers there is a pause: 2 ms."""
_FEWEST, _MOST_PIVOTS = 150, 60
"""Of so many rows on, up to so many say more quickly what all do."""
_LEFT = 1e-14
"""So much of the largest number of the diagonal may be left out then."""
_PROBED, _HOPELESS = 16, 0.1
"""So few rows are looked for first: where they leave so much out, far more are needed."""
_ROUNDING = 1e-10
"""Eigenvalues nearer to 0 than this share of the largest there can be are rounding."""


def solver(K: Array, D: Array | float = 0.0) -> Solve:
    """Solve (K + diag D) x = r; where rounding made it indefinite, as little more on the diagonal as helps.

    Raises LinAlgError where nothing helps, since it holds something that is no number.
    """
    return finished(solving(K, D))


def solving(K: Array, D: Array | float = 0.0) -> Work[Solve]:
    """Find what `solver` does; pauses where K is large."""
    if not np.isfinite(K).all():
        raise np.linalg.LinAlgError
    least = 1e-14 * float(np.abs(K.diagonal()).max())
    extra = 0.0
    while np.isfinite(extra):
        A = np.empty(K.shape, order="F")
        parts = blocks(*K.shape)
        for rows in parts:
            A.T[rows] = K[rows]
            if len(parts) > 1:
                yield
        A.flat[:: len(A) + 1] += D + extra
        solve = yield from factor_solver(A)
        if solve is not None:
            return solve
        extra = max(10 * extra, least, np.finfo(np.float64).tiny)
    raise np.linalg.LinAlgError


def factor_solver(A: Array) -> Work[Solve | None]:
    """Solve A x = r for a symmetric A (n, n), column by column in memory, which is used up; pauses where it is large.

    None where A is not positive definite.
    """
    # Imported here: the window reads the hyperparameters of the methods without needing their solvers.
    from scipy.linalg.lapack import dpotrf, dpotrs

    if len(A) <= _WHOLE:
        factor, failed = dpotrf(A, lower=True, overwrite_a=True)
        return None if failed else lambda r: np.asarray(dpotrs(factor, r, lower=True)[0])
    try:
        yield from factorized(A.T)
    except np.linalg.LinAlgError:
        return None
    return lambda r: np.asarray(dpotrs(A, r, lower=False)[0])


def factorized(A: Array) -> Iterator[None]:
    """Bring A (n, n) to its Cholesky factor, a lower triangle, in place; yields after some of the columns.

    Raises LinAlgError where A is not positive definite.
    """
    from scipy.linalg.blas import dtrsm
    from scipy.linalg.lapack import dpotrf

    for first in range(0, len(A), _WIDE):
        here, below = slice(first, first + _WIDE), slice(first + _WIDE, None)
        for row in range(first, len(A) if first else 0, most := max(_COLUMNS, _PRODUCTS // (first or 1))):
            rows = slice(row, row + most)
            A[rows, here] -= A[rows, :first] @ A[here, :first].T
            yield
        root, failed = dpotrf(A[here, here].T, lower=False, clean=True)
        if failed:
            raise np.linalg.LinAlgError
        A[here, here] = root.T
        A[here, below] = 0.0
        if first + _WIDE < len(A):
            A[below, here] = dtrsm(1.0, root, A[below, here].T, trans_a=True).T
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
    return finished(pivoting(row, diagonal, tolerance, most))


def pivoting(
    row: Callable[[int], Array], diagonal: Array, tolerance: float, most: int
) -> Work[tuple[Array, list[int], Array]]:
    """Find what `pivoted_cholesky` does; pauses where that takes many rows."""
    work = 0
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
        work += G[:r].size
        if work > _PAUSE:
            work = 0
            yield
    return G, pivots, left


def few_pivots(row: Callable[[int], Array], diagonal: Array, several: bool) -> tuple[Array, list[int], float] | None:
    """The rows (r, n) and pivots of `pivoted_cholesky`, and what is left; None where few rows leave more than rounding.

    Where `several` inputs make that likely, it is found out by the first ones.
    """
    most, largest = min(len(diagonal) // 4, _MOST_PIVOTS), float(diagonal.max())
    if len(diagonal) < _FEWEST:
        return None
    for rows in (_PROBED, most) if several else (most,):
        G, pivots, rest = pivoted_cholesky(row, diagonal, _LEFT, rows)
        left = float(rest.max())
        if left <= _LEFT * largest or left > _HOPELESS * largest:
            break
    return None if not pivots or left > _LEFT * largest else (G, pivots, left)


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
