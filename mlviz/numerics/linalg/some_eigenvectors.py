"""Some of the eigenvalues of a symmetric matrix, by their ranks, also where many of them are equal."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array


def some_eigenvectors(A: Array, first: int, last: int) -> tuple[Array, Array]:
    """The eigenvalues of A (n, n) from rank `first` to rank `last`, rising, and their eigenvectors as columns.

    The method that finds some alone is the quickest, but gives up on some matrices with many equal eigenvalues (I. S.
    Dhillon, B. N. Parlett and C. Vömel, ACM Transactions on Mathematical Software 32, 2006): then all are found.
    """
    from scipy.linalg import eigh

    try:
        values, vectors = eigh(A, subset_by_index=(first, last), check_finite=False)
    except np.linalg.LinAlgError:
        ranks = slice(first, last + 1)
        values, vectors = eigh(A, driver="evd", check_finite=False)
        values, vectors = values[ranks], vectors[:, ranks]
    return values, vectors
