"""The largest eigenvalues of a symmetric matrix and their eigenvectors, without all the others.

Of a large matrix by the block Lanczos method with full reorthogonalization: Golub and Van Loan, Matrix Computations,
4th edition (2013), section 10.3. Blocks find as many equal eigenvalues as they have columns.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.some_eigenvectors import some_eigenvectors
from mlviz.numerics.pauses import Work, blocks

_WHOLE = 400
"""Matrices of so many rows at the most are decomposed at once: about 6 ms."""
_BLOCK = 4
"""So many columns are multiplied at a time: as fast as one, since the matrix has to be read."""
_MOST = 400
"""So many columns at the most; what has not settled by then has many neighbours that are nearly equal."""
_LOOKS = 4
"""After so many blocks the eigenvectors are looked at."""
_SETTLED = 1e-13
"""Eigenvectors whose residual is below this share of the largest eigenvalue are as good as rounding allows."""
_NOTHING = 1e-200
"""Chance goes on where a product is 0: it is so small that it counts nowhere else."""


def leading_eigenvectors(C: Array, count: int, rng: np.random.Generator) -> Work[tuple[Array, Array, float]]:
    """The `count` largest eigenvalues of C (n, n), largest first, and their eigenvectors as columns (n, count).

    With them comes the length of the worst residual C u − λ u, as a share of the largest eigenvalue. Pauses where C is
    large. The start is drawn from `rng`.
    """
    n = len(C)
    count = min(count, n)
    if n <= _WHOLE:
        values, vectors = some_eigenvectors(C, n - count, n - 1)
        return values[::-1], vectors[:, ::-1], _residual(C @ vectors, vectors, values)
    # The columns Q span what powers of C make of the start; C Q is kept beside them, and H = Q' C Q.
    most = max(_MOST, 4 * count)
    Q, CQ, H = np.empty((n, most), order="F"), np.empty((n, most), order="F"), np.empty((most, most))
    block = np.linalg.qr(rng.normal(size=(n, _BLOCK)))[0]
    for size in range(_BLOCK, most + 1, _BLOCK):
        new = slice(size - _BLOCK, size)
        Q[:, new] = block
        for rows in blocks(n, n):
            CQ[rows, new] = C[rows] @ block
            yield
        H[:size, new] = Q[:, :size].T @ CQ[:, new]
        H[new, :size] = H[:size, new].T
        if size > count and (size % (_LOOKS * _BLOCK) == 0 or size + _BLOCK > most):
            values, weights = some_eigenvectors(H[:size, :size], size - count, size - 1)
            vectors = Q[:, :size] @ weights
            residual = _residual(CQ[:, :size] @ weights, vectors, values)
            if residual <= _SETTLED:
                break
        block = CQ[:, new] + _NOTHING * rng.normal(size=(n, _BLOCK))
        for _ in range(2):  # once leaves rounding behind, where little is new
            block -= Q[:, :size] @ (Q[:, :size].T @ block)
            block = np.linalg.qr(block)[0]
    return values[::-1], vectors[:, ::-1], residual


def _residual(products: Array, vectors: Array, values: Array) -> float:
    """The longest column of C U − U diag(λ), as a share of the largest eigenvalue; 0 where all are 0."""
    largest = float(np.abs(values).max(initial=0.0))
    return float(np.linalg.norm(products - vectors * values, axis=0).max()) / largest if largest > 0 else 0.0
