"""A start for regression within a tube: Newton's method on a loss whose kinks are rounded, less and less.

    minimise  1/2 b'(K + ridge I) b - y'b + epsilon sum |b_i|   over b (n,),  with  lo <= b <= hi  and  sum b = 0

With a ridge the variables of `mlviz.numerics.svm.tube` are functions of the residuals: beyond the rim of the tube b
grows evenly from 0 to its bound, within a zone that is the ridge times the bound high. Only what is in the zone has to
be solved for. The loss is smooth, so that Newton's method with a line search converges: Chapelle, Neural Computation 19
(2007) 1155-1178. From small bounds the true ones are come to, and then the zone shrinks, each time from the last
solution; in the end few samples are in it, those whose variables are free.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Rows, median
from mlviz.numerics.linalg.cholesky import factor_solver
from mlviz.numerics.pauses import Work, meanwhile

_FIRST_ZONE, _LAST_ZONE, _SHRINK = 0.3, 0.01, 0.1
"""The height of the zone at first and in the end, for targets of about 1, and what it is multiplied by."""
_FIRST_BOUND, _GROWTH = 1.0, 10.0
"""The largest bound at first, for a kernel of about 1, and what it is multiplied by."""
_STEPS, _ON_THE_WAY = 150, 20
"""So many steps are taken at most, and so many with bounds that are to grow anyway."""
_SETTLED = 0.3
"""Where a full step moves no value by more than this share of the zone, the next zone is as good a problem."""
_RISING = 0.5
"""A step is too long where the objective rises at its end by more than this share of how it falls at first."""
_LEVEL, _TRIALS = 0.3, 6
"""What of that fall may be left where a shorter step ends, and how many are tried."""
_WIDER, _OFTEN = 4.0, 3
"""A zone in which there is no sample is made so many times higher, so many times at most."""
_PRODUCTS = 20_000_000
"""So many products take about 2 ms."""


class _Newton:
    """A function f = w.phi + offset at the samples, whose w is a sum over these, and Newton steps of it."""

    def __init__(self, K: Array, offset: float) -> None:
        self._K, self._offset = K, offset
        self._beta, self._g = np.zeros(len(K)), np.zeros(len(K))
        self._change = self._beta, self._g, 0.0

    def toward(self, rows: Rows, fixed: Array, targets: Array, ridge: float) -> Work[tuple[Array, float, float] | None]:
        """Find the f with f + ridge b = targets at the rows, where b (n,) is `fixed` elsewhere and adds up to 0.

        `fixed` is 0 at the rows, and used up. Returns how f (n,) is to change, with its w times the change of w, and
        that times itself; None where rounding leaves no such f.
        """
        total, columns = float(fixed.sum()), self._K[rows]
        change = np.subtract(fixed, self._beta, out=fixed)
        # As the sum of b is given, adding a constant to K changes the offset only, and keeps digits.
        system = np.add(columns[:, rows], 1.0, order="F")
        system.flat[:: len(rows) + 1] += ridge
        right = np.ones((len(rows), 2), order="F")
        right[:, 0] = targets - self._g[rows] - columns @ change
        solve = yield from factor_solver(system)
        if solve is None:
            return None
        u, v = solve(right).T
        multiplier = (float(u.sum()) + total) / float(v.sum())
        of_rows, change[rows] = change[rows] + (u - multiplier * v), 0.0
        of_g = of_rows @ columns + self._times(change)
        change[rows], of_offset = of_rows, multiplier - total - self._offset
        self._change = change, of_g, of_offset
        return of_g + of_offset, float(change @ self._g), float(change @ of_g)

    def _times(self, b: Array) -> Array:
        """K b; rows are picked where they are less than half of all, since the others need not be read then."""
        used = b.nonzero()[0]
        return b[used] @ self._K[used] if 2 * len(used) < len(b) else b @ self._K

    def move(self, step: float) -> None:
        """Go so much of the way that was found."""
        change, of_g, of_offset = self._change
        self._beta = self._beta + step * change
        self._g = self._g + step * of_g
        self._offset += step * of_offset


class _Zone:
    """Where variables are neither 0 nor at a bound, for bounds that are a share of lo and hi (n,)."""

    def __init__(self, lo: Array, hi: Array, epsilon: float) -> None:
        self._lo, self._hi, self._epsilon = lo, hi, epsilon
        self._widest = max(float(hi.max()), -float(lo.min()))
        self.set(min(1.0, _FIRST_BOUND / self._widest), _FIRST_ZONE)

    def set(self, share: float, height: float) -> None:
        """Make it so high, for that share of the bounds."""
        self.share, self.height = share, height
        self.ridge = height / (share * self._widest)
        self._low, self._high = (self.ridge * share) * self._lo, (self.ridge * share) * self._hi

    def pulls(self, residual: Array) -> Array:
        """The variables (n,) times the ridge."""
        beyond = residual
        if self._epsilon:
            beyond = residual - np.minimum(np.maximum(residual, -self._epsilon), self._epsilon)
        return np.minimum(np.maximum(beyond, self._low), self._high)

    def rows(self, pulls: Array) -> Labels:
        """Who is in it."""
        return np.flatnonzero((pulls != 0) & (pulls > self._low) & (pulls < self._high))


def rounded_starts(K: Array, y: Array, lo: Array, hi: Array, epsilon: float) -> Generator[Array | None, None, bool]:
    """Yield b (n,) within the bounds, each nearer to the solution, its sum going to 0; None where it takes long.

    Bounds are lo < 0 < hi, targets y and K of about 1. A quick one yields the last only. Returns whether that is near.
    """
    middle = median(y)
    newton, zone, r = _Newton(K, middle), _Zone(lo, hi, epsilon), y - middle
    pulls = zone.pulls(r)
    near, ahead, taken, wider, work = False, False, 0, 0, 0
    rows, beta = zone.rows(pulls), pulls / zone.ridge
    for _ in range(_STEPS):
        if len(rows):
            work += K.size + len(rows) ** 3 // 3
            if work > _PRODUCTS:
                work = 0
                yield np.clip(beta, lo, hi)
            fixed = beta.copy()
            fixed[rows] = 0.0
            targets = y[rows] - np.copysign(epsilon, r[rows])
            found = yield from meanwhile(None, newton.toward(rows, fixed, targets, zone.ridge))
            if found is None:
                break
            step = 1.0 if ahead else _length(zone, r, pulls, found)
            newton.move(step)
            r = r - step * found[0]
            taken += 1
            settled = step == 1.0 and float(np.abs(found[0]).max()) <= _SETTLED * zone.height
            near = settled and zone.share == 1 and zone.height <= _LAST_ZONE
            ahead = settled and zone.share == 1 and not near
            if ahead:  # variables change less than residuals do: the first step is for the same rows
                beta = zone.pulls(r) / zone.ridge
                rows = zone.rows(zone.pulls(r))
                zone.set(1.0, max(_SHRINK * zone.height, _LAST_ZONE))
                continue
            if zone.share < 1 and (settled or taken >= _ON_THE_WAY):
                zone.set(min(1.0, _GROWTH * zone.share), zone.height)
                taken = 0
        elif wider < _OFTEN and pulls.any():
            wider += 1
            zone.set(zone.share, _WIDER * zone.height)
        else:
            break
        pulls = zone.pulls(r)
        rows, beta = zone.rows(pulls), pulls / zone.ridge
        if near:
            break
    yield np.clip(beta, lo, hi)  # the last digits may be beyond
    return near


def _length(zone: _Zone, r: Array, pulls: Array, found: tuple[Array, float, float]) -> float:
    """How far to go along a change of f: all of the way, or to about the least of the objective."""
    change, at_first, curvature = found

    def slope(step: float) -> float:
        beyond = pulls if step == 0 else zone.pulls(r - step * change)
        return at_first + step * curvature - float(beyond @ change) / zone.ridge

    fall, rise = slope(0.0), slope(1.0)
    if fall >= 0 or rise <= -_RISING * fall:
        return 1.0
    low, of_low, high, of_high = 0.0, fall, 1.0, rise
    for _ in range(_TRIALS):
        span = high - low
        step = min(max(low - of_low * span / (of_high - of_low), low + 0.1 * span), high - 0.1 * span)
        there = slope(step)
        if abs(there) <= -_LEVEL * fall:
            break
        if there < 0:
            low, of_low = step, there
        else:
            high, of_high = step, there
    return step
