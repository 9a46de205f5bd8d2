"""The active set for regression within a tube: each variable has a price for being anything but 0.

    minimise  1/2 b'K b - y'b + epsilon sum |b_i|   over b (n,),  with  lo <= b <= hi  and  sum b = 0,  lo < 0 < hi

That is the dual of support vector regression: b_i is alpha_i of a sample above the tube less that of one below. With
f = K b + offset and r = y - f the solution has |r| <= epsilon where b = 0, r = epsilon where 0 < b < hi, r >= epsilon
where b = hi, and the same with other signs below 0. Smola and Schölkopf, Statistics and Computing 14 (2004) 199-222.

The kink at 0 makes it two programs in one: on either side of it a variable is one of `mlviz.numerics.svm.active_set`,
with a target that is moved by epsilon, and 0 is a bound, at which it may change sides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Mask, Rows, greatest, least, median
from mlviz.numerics.linalg.cholesky import pivoting
from mlviz.numerics.pauses import meanwhile
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.feature_svm import feature_svm
from mlviz.numerics.svm.interior_point import interior_point
from mlviz.numerics.svm.low_rank import LowRank
from mlviz.numerics.svm.pairs import smo
from mlviz.numerics.svm.rounded_tube import rounded_starts
from mlviz.numerics.svm.wanted_rows import WantedRows
from mlviz.spec.brief import Brief

_WIDE = 1e4
"""From bounds so far apart on, interior points are on their way sooner than pairs, whatever the matrix."""
_RANK = 8
"""So they are where the matrix has no more rows that matter than one in so many: then their steps cost little."""
_OUTSIDE = 0.6
"""Where no more of the samples are outside of a tube about the middle, few pairs are likely to do."""
_PAIRS, _NEAR = 5, 0.02
"""One pair to so many variables is tried there, until none gains more than that: the active set goes on from there."""
_CALM, _UNRELATED, _MOST = 0.5, 0.9, 1000
"""Where one row in `_RANK` leaves no more of the diagonal, pairs crawl: rounded losses are tried at once, or else after
pairs. With more variables than that too many of them are between their bounds at first."""
_NARROW = 10.0
"""Up to bounds so far apart pairs do not crawl."""
_DIGITS = 1e-6
"""What rows that matter leave of the matrix, as a share: the active set corrects what that falsifies."""
_HOPEFUL = 1.5
"""Pairs that take more steps than so many times the number of variables are slow, and so is what follows on them."""
_DEPENDENT = 1e-13
"""Features nearer to a sum of others than this share of their size depend on these."""
_LEFT = 1e-6
"""Variables that interior points leave where there are none are a smaller share of the largest."""
_GRADED = 1e7
"""Features whose sizes differ by more than this are not turned."""
_ROUGH = 1e-6
"""The active set needs no more than that to be told at once which variables are free, even where one target far away
makes all others small."""


class TubeActiveSet(ActiveSet):
    """The solver's state, as there; `lo`, `hi` and `t` are those of the side on which each variable is."""

    def __init__(self, K: Array, y: Array, epsilon: float, lo: Array, hi: Array, beta: Array) -> None:
        self.y, self.epsilon, self.lowest, self.highest = y, epsilon, lo, hi
        super().__init__(K, *self._sides((beta > 0) | ((beta == 0) & (y > 0))), beta)

    def _sides(self, above: Array) -> tuple[Array, Array, Array]:
        """The targets and the bounds of variables on these sides of 0."""
        zero = np.zeros(len(above))
        return (
            self.y - np.where(above, self.epsilon, -self.epsilon),
            np.where(above, zero, self.lowest),
            np.where(above, self.highest, zero),
        )

    def aim(self, y: Array) -> None:
        """Take other targets (n,)."""
        moved, self.y = y - self.y, y
        super().aim(self.t + moved)

    def aim_some(self, rows: Rows | slice, y: Array) -> None:
        """Take other targets (n,), which are new at some rows only."""
        self.t[rows] += y[rows] - self.y[rows]
        self.y = y
        super().aim_some(rows, self.t)

    def _aims(self, rows: Rows | slice) -> tuple[Array, Array]:
        beta, y, epsilon = self.beta[rows], self.y[rows], self.epsilon
        up, down = y - np.where(beta >= 0, epsilon, -epsilon), y - np.where(beta > 0, epsilon, -epsilon)
        up[beta >= self.highest[rows]], down[beta <= self.lowest[rows]] = -np.inf, np.inf
        return up, down

    def _released(self, rows: Rows, upper: Array, lower: Array) -> None:
        rows = rows[self.beta[rows] == 0]
        above = upper[rows] - self.offset > self.offset - lower[rows]
        self.t[rows] = self.y[rows] - np.where(above, self.epsilon, -self.epsilon)
        self.lo[rows] = np.where(above, 0.0, self.lowest[rows])
        self.hi[rows] = np.where(above, self.highest[rows], 0.0)


def tube_solver(K: Array, y: Array, epsilon: float, lo: Array, hi: Array, beta: Array) -> ActiveSet:
    """The active set at a guess; without a tube there is no kink."""
    return TubeActiveSet(K, y, epsilon, lo, hi, beta) if epsilon > 0 else ActiveSet(K, y.copy(), lo, hi, beta)


def few_outside(y: Array, epsilon: float, lo: Array, hi: Array) -> bool:
    """Whether so few targets (n,) of about 1 are outside of a tube about the middle that pairs are tried first."""
    return float((hi - lo).max()) < _WIDE and int(np.count_nonzero(np.abs(y) > epsilon)) <= _OUTSIDE * len(y)


def tube_starts(K: Array, y: Array, epsilon: float, lo: Array, hi: Array) -> Iterator[Array | None]:
    """Yield ever better b (n,) for the active set, from nothing; None where it takes long to the next."""
    n, width = len(y), float((hi - lo).max())
    wide = width >= _WIDE
    start, near = None, False
    if few_outside(y, epsilon, lo, hi):
        start, near = yield from smo(K, y, lo, hi, _NEAR, most=n // _PAIRS, epsilon=epsilon)
    if near:
        return
    if isinstance(K, WantedRows):
        K = yield from meanwhile(None, K.complete())
    if isinstance(K, LowRank):
        yield from interior_point(K, y, lo, hi, epsilon, K.leading(_DIGITS), _ROUGH)
        return
    G, _, rest = yield from pivoting(K.__getitem__, K.diagonal(), _DIGITS, most := max(2, n // _RANK))
    few, left = len(G) < most, float(rest.max())
    if few or wide:
        yield from interior_point(K, y, lo, hi, epsilon, *((G, _ROUGH) if few else ()))
        return
    rounded = left <= _UNRELATED and n <= _MOST
    if width <= _NARROW or left > _CALM or not rounded:
        start, near = yield from smo(K, y, lo, hi, start=start, most=int(_HOPEFUL * n), epsilon=epsilon)
    if not near and rounded:
        near = yield from rounded_starts(K, y, lo, hi, epsilon)
    if near:
        return
    G, *_ = yield from pivoting(K.__getitem__, K.diagonal(), _DIGITS, n // 2)
    if len(G) < n // 2:
        yield from interior_point(K, y, lo, hi, epsilon, G, _ROUGH)
    else:
        yield from smo(K, y, lo, hi, start=start, most=int(_HOPEFUL * n), epsilon=epsilon)


def move_together(solvers: Sequence[ActiveSet], rows: Rows | slice, columns: Array) -> None:
    """Replace rows and columns `rows` (m,) of the matrix that these solvers have in common, and of what is beside it.

    `columns` (m, n + p) are the new rows.
    """
    wide = solvers[0].wide
    change = columns - wide[rows]
    wide[rows] = columns
    wide[:, rows] = columns[:, : len(wide)].T
    for solver in solvers:
        solver.follow(rows, columns, change)


@dataclass(frozen=True, eq=False)
class FeatureTube(Brief):
    """The weights w (p,) of features, the variables b (n,), 0 where they have no part, and which are at a bound."""

    w: Array
    beta: Array
    bounded: Mask
    dual: float
    """The dual objective."""


def feature_tube(F: Array, y: Array, epsilon: float, up: Array, down: Array) -> Iterator[FeatureTube]:
    """Yield ever better solutions for the features F (n, p), where the dual program has no digits: K = F F'."""
    n, sides = len(y), np.repeat((1.0, -1.0), len(y))
    margins = np.append(y - epsilon, -y - epsilon)
    basis = _independent(F)
    F = F if basis is None else F @ basis
    for found in feature_svm(np.vstack((F, F)), sides, np.append(up, down), margins):
        beta = found.alpha[:n] - found.alpha[n:]
        bounded = found.bounded[:n] | found.bounded[n:]
        # Without a tube both sides of a sample fall at once: there the size tells.
        large = np.abs(beta) > _LEFT * np.abs(beta).max(initial=0.0)
        used = found.used[:n] | found.used[n:] | bounded | large
        beta = np.where(bounded, np.where(beta > 0, up, -down), beta)
        w = found.w if basis is None else basis @ found.w
        yield FeatureTube(w, np.where(used, beta, 0.0), bounded, found.dual)


def _independent(F: Array) -> Array | None:
    """Orthogonal directions (p, r) in which samples differ, where features (n, p) depend on each other; else None.

    Features of different sizes that do not depend on each other are left alone: turned, the small ones lose digits.
    """
    from scipy.linalg import qr

    centred = F - F.mean(axis=0)
    length = np.linalg.norm(centred, axis=0)
    varied = length > _DEPENDENT * np.linalg.norm(F, axis=0)
    if not varied.any() or length.max() > _GRADED * length[varied].min():
        return None
    s = np.linalg.svd(centred[:, varied] / length[varied], compute_uv=False)
    if len(s) == np.count_nonzero(varied) and s[-1] > _DEPENDENT * s[0]:
        return None
    Q, R, _ = qr(centred.T, mode="economic", pivoting=True)
    size = np.abs(R.diagonal())
    return np.asarray(Q[:, : int(np.count_nonzero(size > _DEPENDENT * size[0]))])


def best_offset(left: Array, up: Array, down: Array, epsilon: float) -> float:
    """The b that minimises sum up max(0, r - epsilon) + down max(0, -r - epsilon), r = left - b; the middle of all.

    Unlike the variables of the program it is unique, so that a model does not depend on the solver's path.
    """
    turn = np.concatenate((left - epsilon, left + epsilon)) if epsilon else left
    if 0 < least(up) == greatest(up) == least(down) == greatest(down):
        return median(turn)
    weight = np.concatenate((up, down)) if epsilon else up + down
    whole, rounding, each = float(up.sum()), 1e-12 * float(weight.sum()), float(weight[0])
    if each > 0 and bool((weight == each).all()):
        # Each turn is as much of one as all others: they need not be sorted.
        first = max(0, math.ceil((whole - rounding) / each) - 1)
        last = min(first + ((first + 1) * each - whole <= rounding), len(turn) - 1)
        turn = np.partition(turn, (first, last))
    else:
        order = np.argsort(turn)
        turn, slope = turn[order], np.cumsum(weight[order]) - whole
        first = int(np.argmax(slope >= -rounding))
        last = first
        while last + 1 < len(turn) and slope[last] <= rounding:
            last += 1
    return float(turn[first] / 2 + turn[last] / 2)


def hinge_offset(g: Array, y: Array, weight: Array) -> float:
    """The b that minimises sum weight max(0, 1 - y (g + b)) for y = -1 or +1; the middle of all."""
    return best_offset(y - g, np.where(y > 0, weight, 0.0), np.where(y > 0, 0.0, weight), 0.0)
