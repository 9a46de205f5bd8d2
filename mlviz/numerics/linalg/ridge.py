"""Ridge regression with a free offset, in features (primal) and in a kernel (dual), with leverages.

    minimise  sum_i share_i (y_i - f(x_i) - b)^2 + ridge |f|^2,   sum share = 1

Schölkopf and Smola, Learning with Kernels (2002), sections 4.2 and 4.6. With f = w.phi(x) the gradient in w vanishes.
With f = sum_i a_i k(x_i, x) the residuals are r_i = ridge a_i / share_i, hence

    (K + D) a + b = y,  sum a = 0,  D = diag(ridge / share)

Both have the same solution. `leverage` (n,) is how much of y_i returns in the prediction at sample i; their sum is the
number of parameters that the fit really has.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import factorized, inverted
from mlviz.numerics.linalg.columns import less_mean, triangle
from mlviz.numerics.linalg.feature_ridge import Rows, ridge_in_features
from mlviz.numerics.linalg.least_squares import without_faint
from mlviz.numerics.pauses import Work, blocks, finished
from mlviz.numerics.standardizing import mean_and_size, weighted_mean
from mlviz.spec.brief import Brief

_ROUNDS = 5
"""At most so often a dual solution is refined."""


@dataclass(frozen=True, eq=False)
class RidgeSolution(Brief):
    """The coefficients w (p,) or a (n,), the offset; for each sample (n,) prediction, leverage and residual left out.

    `leave_one_out` are the residuals that the samples would have had they been left out, the penalty staying as it is.
    """

    coef: Array
    offset: float
    fitted: Array
    leverage: Array
    leave_one_out: Array
    residual: float
    """In features the length of the gradient in w, as a share of what its terms come to without their signs: where
    targets are constant, or in balance, those at w = 0 cancel but for rounding. Else the largest error of the
    equations, as a share of the largest |y|."""
    first: float = 0.0
    """What the residual was before the solution was refined."""


def primal_ridge(F: Array, y: Array, share: Array, ridge: float) -> RidgeSolution:
    """The solution in the features F (n, p)."""
    n, p = F.shape
    root, mean, (level, size) = np.sqrt(share), share @ F, mean_and_size(y, share)
    centred, target = F - mean, less_mean(y, level, size)
    B, t = centred * root[:, None], target * root
    # Of many rows a triangle has the same solution. Singular values, for the normal equations would square them.
    small = triangle(np.column_stack((B, t))) if n > p else np.column_stack((B, t))
    U, s, Vt = np.linalg.svd(small[:, :p], full_matrices=False)
    filtered = s**2 + ridge
    lengths = np.linalg.norm(small[:, :p], axis=0)
    w = without_faint(Vt.T @ (s / filtered * (U.T @ small[:, p])), lengths, small[:, p], size)
    along = centred @ w
    gradient, terms = B.T @ (root * (target - along)) - ridge * w, np.abs(B).T @ np.abs(t)
    length = float(np.linalg.norm(terms))
    residual = float(np.linalg.norm(gradient)) / length if length > 0 else 0.0
    leverage = share + ((B @ Vt.T) ** 2 / filtered).sum(axis=1)
    alone = (target - along) / np.maximum(1 - leverage, np.finfo(np.float64).eps)
    return RidgeSolution(w, level - float(mean @ w), level + along, leverage, alone, residual)


def dual_in_features(G: Array, left: float, targets: Array, share: Array, ridge: float) -> list[RidgeSolution]:
    """The solutions in the samples for targets (n, t), where K is G'G, G (m, n), but for `left` of each k(x, x).

    Raises LinAlgError where there are too few digits.
    """
    found = ridge_in_features(Rows(lambda rows: G.T[rows], share, len(G)), targets, ridge)
    leverage, solutions = found.leverage, []
    if leverage is None:
        raise np.linalg.LinAlgError
    for t, offset, fitted in zip(targets.T, found.offset.tolist(), found.fitted.T, strict=True):
        a = share / ridge * (t - fitted)
        error = float(np.abs((G @ a) @ G + offset - fitted).max()) + left * float(np.abs(a).sum())
        alone = (t - fitted) / np.maximum(1 - leverage, np.finfo(np.float64).eps)
        unit = float(np.abs(t).max()) or 1.0
        solutions.append(RidgeSolution(a, offset, fitted, leverage, alone, error / unit, error / unit))
    return solutions


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
