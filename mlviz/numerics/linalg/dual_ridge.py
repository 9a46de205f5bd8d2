"""Ridge regression with a free offset in a kernel, a number for each sample: kept solved while samples move.

With f = sum_i a_i k(x_i, x) the residuals are r_i = ridge a_i / share_i, hence

    (K + D) a + b = y,  sum a = 0,  D = diag(ridge / share)

Schölkopf and Smola, Learning with Kernels (2002), section 4.6. In features the solution is the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import factorized, inverted
from mlviz.numerics.linalg.feature_ridge import solving_in_features
from mlviz.numerics.linalg.ridge import RidgeSolution, WeightedRows
from mlviz.numerics.pauses import Work, blocks, finished
from mlviz.numerics.standardizing import weighted_mean

_ROUNDS = 5
"""At most so often a dual solution is refined."""


def dual_in_features(G: Array, left: float, targets: Array, share: Array, ridge: float) -> list[RidgeSolution]:
    """The solutions in the samples for targets (n, t), where K is G'G, G (m, n), but for `left` of each k(x, x).

    Raises LinAlgError where there are too few digits.
    """
    found = finished(solving_in_features(WeightedRows.of(G.T, share), targets, ridge))
    if not found.factorized:
        raise np.linalg.LinAlgError
    solutions = []
    for column in range(targets.shape[1]):
        one, t = found.alone(column), targets[:, column]
        a = share / ridge * (t - one.fitted)
        error = float(np.abs((G @ a) @ G + one.offset - one.fitted).max()) + left * float(np.abs(a).sum())
        unit = float(np.abs(t).max()) or 1.0
        solutions.append(replace(one, coef=a, residual=error / unit, first=error / unit))
    return solutions


def solved_in_kernel(K: Array, targets: Array, share: Array, ridge: float) -> list[RidgeSolution]:
    """The solutions in the samples for targets (n, t) and K (n, n); raises LinAlgError where the ridge is too small."""
    D = ridge / share
    *_, root = inverse_root(K, D)
    return finished(DualRidge(K, D, root).solving(list(targets.T)))


class DualRidge:
    """The equations for one K (n, n) and D, kept solved while samples move one after the other.

    Kept is the inverse of K + D = L L': at first as L^-1, from the first move on as it is. A sample that moves stands
    beside the inverse for all others (its row and column are 0), to which it contributes ``z z' / scale``: while the
    same one moves on, a step costs a product with a vector.
    """

    def __init__(self, K: Array, D: Array, root: Array) -> None:
        """`root` (n, n) is L^-1, as `inverse_root` gives it; K is changed in place as samples move."""
        self.K, self.D = K, D
        self._root: Array | None = root
        self._inverse = np.empty((0, 0))
        self._held: int | None = None
        self._z, self._scale = np.zeros(len(K)), 1.0

    def move(self, row: int, values: Array) -> None:
        """Sample `row` has moved: its kernel values with all samples, itself included, are now those (n,).

        Raises `np.linalg.LinAlgError` where K + D has too few digits to be inverted.
        """
        self.K[row] = self.K[:, row] = values
        if self._root is not None:
            self._inverse, self._root = _squared(self._root), None
        if row != self._held:
            self._lay_down()
            self._take_up(row)
        z = self._inverse @ values
        scale = float(values[row] + self.D[row] - z @ values)
        z[row] = -1.0
        if not scale > 0:
            raise np.linalg.LinAlgError
        self._z, self._scale = z, scale

    def solve(self, y: Array) -> RidgeSolution:
        """The solution for the targets y (n,)."""
        return finished(self.solving((y,)))[0]

    def solving(self, targets: Sequence[Array]) -> Work[list[RidgeSolution]]:
        """Find the solution for each of the targets (n,), with a pause after each product."""
        to_one = self._product(np.ones(len(self.K)))
        yield
        own = self._diagonal()
        # Of a difference below rounding nothing is known; squares may exceed all numbers.
        diagonal = np.maximum(own - to_one * (to_one / to_one.sum()), np.finfo(np.float64).eps * own)
        found = []
        for y in targets:
            yield
            found.append((yield from self._refined(y, to_one, diagonal)))
        return found

    def _refined(self, y: Array, to_one: Array, diagonal: Array) -> Work[RidgeSolution]:
        """Find the solution for y, by the inverse's sums of rows and its diagonal without the offset's part."""
        total = float(to_one.sum())
        level, size = weighted_mean(y, np.full(len(y), 1 / len(y))), float(np.abs(y).max())
        a, offset = np.zeros(len(y)), level
        residual = y - level
        errors = [float(np.abs(residual).max())]
        for _ in range(_ROUNDS):
            step = self._product(residual)
            yield
            shift = (float(step.sum()) + float(a.sum())) / total
            step -= shift * to_one
            better = y - self.K @ (a + step) - self.D * (a + step) - (offset + shift)
            yield
            reached = float(np.abs(better).max())
            if not reached < errors[-1]:
                break
            a, offset, residual = a + step, offset + shift, better
            errors.append(reached)
            if reached <= 1e-15 * size:
                break
        leverage, alone, unit = 1 - self.D * diagonal, a / diagonal, size or 1.0
        # The first step solves, those after it refine.
        return RidgeSolution(a, offset, y - self.D * a, leverage, alone, errors[-1] / unit, errors[:2][-1] / unit)

    def _product(self, v: Array) -> Array:
        """The inverse of K + D times v."""
        if self._root is not None:
            return self._root.T @ (self._root @ v)
        return np.asarray(self._inverse @ v + (float(self._z @ v) / self._scale) * self._z)

    def _diagonal(self) -> Array:
        """The diagonal of the inverse of K + D."""
        if self._root is not None:
            return np.asarray(np.einsum("ij,ij->j", self._root, self._root))
        return np.asarray(self._inverse.diagonal() + self._z**2 / self._scale)

    def _lay_down(self) -> None:
        """Put the contribution of the sample in hand into the inverse."""
        if self._held is not None:
            _add_square(self._inverse, self._z, self._scale)
            self._held, self._z = None, np.zeros(len(self.K))

    def _take_up(self, row: int) -> None:
        """Turn the inverse into that for all other samples."""
        column = self._inverse[row].copy()
        if not column[row] > 0:
            raise np.linalg.LinAlgError
        _add_square(self._inverse, column, -float(column[row]))
        self._inverse[row] = self._inverse[:, row] = 0.0
        self._held = row


def inverse_root(K: Array, D: Array) -> Iterator[Array]:
    """Yield a matrix on its way, the last time as L^-1 for the Cholesky factor L of K + D.

    On the way there, some columns at a time, it is of no use but to do something else in between. Raises LinAlgError.
    """
    matrix = np.empty_like(K)
    for rows in blocks(*K.shape):
        matrix[rows] = K[rows]
        yield matrix
    matrix.flat[:: len(K) + 1] += D
    for _ in itertools.chain(factorized(matrix), inverted(matrix)):
        yield matrix


def _squared(root: Array) -> Array:
    """Compute root' root for a lower triangle."""
    from scipy.linalg import lapack

    half = np.tril(lapack.dlauum(root, lower=1)[0])
    square: Array = half + half.T
    square.flat[:: len(root) + 1] /= 2
    return square


def _add_square(matrix: Array, z: Array, scale: float) -> None:
    """Add z z' / scale to the matrix in place, some rows at a time."""
    block = max(1, 65_536 // max(1, len(z)))
    for first in range(0, len(z), block):
        matrix[first : first + block] += np.multiply.outer(z[first : first + block] / scale, z)
