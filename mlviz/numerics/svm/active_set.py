"""A primal-feasible active set for the quadratic program of support vector machines.

    minimise  1/2 b'K b - t'b   over b (n,),  with  lo <= b <= hi  and  sum b = 0

K (n, n) is positive semidefinite with a diagonal of about 1. With the multiplier `offset` of the sum and
e = K b + offset - t, the solution has e >= 0 where b = lo, e <= 0 where b = hi, and e = 0 in between.
Nocedal and Wright, Numerical Optimization (2006), section 16.5; Scheinberg, JMLR 7 (2006) 2237-2257.

The method keeps b feasible and lowers the objective in each pass, so it may be stopped at any moment, and it starts
from any feasible b: after a small change of the problem, from the former solution, it is done in a few passes. From
nothing, `mlviz.numerics.svm.pairs` comes near.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from mlviz.numerics.arrays import Array, Mask, Rows, greatest, least
from mlviz.numerics.pauses import Work, finished, meanwhile
from mlviz.numerics.svm.free_variables import FreeVariables, bordered

_LEAST = 1e-280
"""Smaller kernel values are taken for this one: what is divided by the ridge stays a number."""
TOLERANCE = 1e-10
_CLEARLY = 1e-4
"""A variable farther than this share of their distance from both bounds is between them, whatever rounding does."""
_ANEW = 100
"""Each so many times that samples move, K b is added up anew, so that the rounding of the changes does not add up."""
_FAR = 1e4
"""It is added up anew, too, where the steps' squares are so many times those of b, which was far larger on the way."""
_QUIET = 5
"""So many passes without progress mean that rounding allows no more."""
_CUBES = 100_000_000
"""After Newton steps whose numbers of free variables have cubes that add up to so much there is one."""


class ActiveSet:
    """The solver's state: b as `beta`, K b as `g`, and which variables are free.

    `beta` may be any guess: it is brought into the bounds and its sum to zero, moving few variables. K may be watched
    from further places, columns beside it: the products with them follow b as K b does.
    """

    def __init__(self, K: Array, t: Array, lo: Array, hi: Array, beta: Array) -> None:
        self.K = self.wide = K
        self.t, self.lo, self.hi = t, lo, hi
        self.beta = beta.astype(np.float64)
        self._entered = False  # whether variables are free that were not when the prices were last found
        self._kept: FreeVariables | None  # those that were free then
        self.snap()
        self._add_up()
        self.repair()
        self.offset = 0.0
        self._diagonal = float(K.diagonal().max(initial=_LEAST))
        self._clearly_free, self._followed = False, 0
        self.resume()

    def resume(self) -> None:
        """Say that the problem changed: look for progress again."""
        self._quiet, self._best = 0, np.inf

    @property
    def sure_offset(self) -> float | None:
        """The offset, once it is solved, where a variable is clearly between its bounds: then there is but one."""
        return self.offset if self._clearly_free else None

    @property
    def watched(self) -> Array:
        """The products (p,) of the watched columns with b."""
        return self._sums[len(self.beta) :]

    def watch(self, wide: Array) -> None:
        """Take K (n, n) with further columns beside it, (n, n + p), of which `K` is to be a part from now on."""
        self.K, self.wide, self._kept = wide[:, : len(wide)], wide, None
        self._add_up()

    def _add_up(self) -> None:
        """Find the products of all columns with b; rows of an array are picked only where few: they are copied."""
        b, used = self.beta, self.beta.nonzero()[0]
        picked = isinstance(self.wide, np.ndarray) and 4 * len(used) <= len(b)
        self._sums = b[used] @ self.wide[used] if picked else b @ self.wide
        self.g = self._sums[: len(b)]
        self._way = 0.0  # the squares of all steps since then

    def snap(self) -> None:
        """Put variables that all but touch a bound on it."""
        near = 1e-12 * (self.hi - self.lo)
        self.beta = np.where(
            self.beta <= self.lo + near, self.lo, np.where(self.beta >= self.hi - near, self.hi, self.beta)
        )
        self.free: Mask = (self.beta > self.lo) & (self.beta < self.hi)
        self._kept = None
        self._up, self._down = self._aims(slice(None))

    def aim(self, t: Array) -> None:
        """Take other targets (n,)."""
        self.t = t
        self._up, self._down = self._aims(slice(None))
        self.resume()

    def aim_some(self, rows: Rows | slice, t: Array) -> None:
        """Take other targets (n,), which are new at some rows only."""
        self.t = t
        self._up[rows], self._down[rows] = self._aims(rows)
        self.resume()

    def _aims(self, rows: Rows | slice) -> tuple[Array, Array]:
        """The targets of variables that rise, and of those that fall, with what that costs.

        Infinite, so that no slope is below and above the offset, where a bound is in the way.
        """
        beta, t = self.beta[rows], self.t[rows]
        return np.where(beta < self.hi[rows], t, -np.inf), np.where(beta > self.lo[rows], t, np.inf)

    def repair(self) -> None:
        """Bring the sum to zero. Free variables give first, then bound ones near the margin, each to its bound.

        Sharing the excess among all would free all, and the cost of a pass grows with the cube of the free ones.
        """
        excess = self.beta.sum()
        if abs(excess) <= 1e-14 * np.abs(self.beta).sum():
            return
        room = self.beta - self.lo if excess > 0 else self.hi - self.beta
        order = np.lexsort((np.abs(self.g - self.t), ~self.free))
        move = np.empty_like(room)
        move[order] = np.clip(abs(excess) - (np.cumsum(room[order]) - room[order]), 0.0, room[order])
        self.beta -= np.sign(excess) * move
        self.snap()
        self._add_up()

    def advance(self) -> bool:
        """One pass: minimise over the free variables, then free the worst violators. True when done."""
        return finished(self._advancing())

    def passes(self) -> Generator[bool, None, None]:
        """Advance to the end; yields True after each pass but the last, and False in the middle of a long one.

        There b has left K b behind, which catches up when the iterator is closed.
        """
        while not (yield from meanwhile(False, self._advancing())):
            yield True

    def settle(self) -> bool:
        """Advance by one Newton step, if the same variables are free as last and no bound is near. True when done.

        While samples move that is mostly all it takes; the passes go on from there, or do the step themselves.
        """
        known = self._kept
        if known is None or self._entered:
            return False
        F = known.places
        if known.equations is None:
            known.equations = finished(bordered(known.K, self._diagonal))
        delta, offset = known.equations.solution(self.t[F] - self.g[F], -float(self.beta.sum()))
        after = self.beta[F] + delta
        if self._room(F, after) <= 0:
            return False
        self.beta[F], self.offset = after, offset
        self._take(known, delta)
        return self._frees_none(none=False)

    def _room(self, F: Rows, b: Array) -> float:
        """What the bounds leave at least to variables F (m,) that are b; notes if one is clearly between them."""
        lo, hi = self.lo[F], self.hi[F]
        room = np.minimum(b - lo, hi - b)
        i = int(room.argmax())
        # Of bounds that differ another one may be clearly free too; that is not worth the time.
        self._clearly_free = room.item(i) > _CLEARLY * (hi.item(i) - lo.item(i))
        return least(room)

    def _take(self, known: FreeVariables, change: Array) -> None:
        """Bring the products up to a change of these variables."""
        self._sums += known.product(change)
        self._way += float(change.dot(change))

    def _advancing(self) -> Work[bool]:
        yield from self._minimise_over_free()
        return self._frees_none(none=not np.count_nonzero(self.free))

    def _frees_none(self, none: bool) -> bool:
        """Free the worst violators; whether there are none, or none that rounding allows to be told."""
        upper, lower = self._up - self.g, self._down - self.g  # the slopes of variables that rise, and that fall
        highest, lowest = greatest(upper), least(lower)
        if none:
            self.offset = (highest + lowest) / 2
            if not np.isfinite(self.offset):
                return True  # none can rise while another one falls
        worst, tolerance = max(highest - self.offset, self.offset - lowest), TOLERANCE
        if worst > TOLERANCE:
            tolerance += 4e-15 * self._diagonal * float(np.abs(self.beta).sum())
        if worst <= tolerance or self._stalled():
            if not self._way or self._way < _FAR * float(self.beta.dot(self.beta)):
                return True
            self._add_up()
            return False
        violation = np.maximum(upper - self.offset, self.offset - lower)
        violation[self.free] = 0.0
        n = len(violation)
        count = 1 if self._quiet else max(2, n // 50)
        enter = np.argpartition(-violation, min(count, n - 1))[:count] if count < n else np.arange(n)
        enter = enter[violation[enter] > tolerance]
        if none:
            # A pair moves, never one alone: the sum is fixed.
            enter = np.union1d(enter, [int(upper.argmax()), int(lower.argmin())])
        self._released(enter, upper, lower)
        self.free[enter] = self._entered = True
        return False

    def _released(self, rows: Rows, upper: Array, lower: Array) -> None:
        """Variables are going to be free, because their slopes are beyond the offset."""

    def _stalled(self) -> bool:
        objective = float(self.beta @ (self.g / 2 - self.t))
        progress = self._best - objective > 1e-15 * abs(objective)
        self._best = min(self._best, objective)
        self._quiet = 0 if progress else self._quiet + 1
        if self._quiet == _QUIET:
            self._add_up()  # what many small changes left of rounding may be all that is in the way
        return self._quiet > _QUIET

    def _minimise_over_free(self) -> Work[None]:
        """Newton steps on the free variables, each to the first bound in the way, which takes its variables out."""
        if self._kept is None or self._entered:
            self._kept = FreeVariables(self.wide, self.free)
        known, self._clearly_free = self._kept, False
        if not known.worth_keeping:
            self._kept = None
        F = first = known.places
        if not len(F):
            return
        K, equations = known.K, known.equations
        beta, g = self.beta[F], self.g[F]
        start = beta
        missing, work = -float(self.beta.sum()), 0
        try:
            while len(F):
                if equations is None:
                    work += len(F) ** 3
                    if work > _CUBES:
                        work = 0
                        yield
                    equations = yield from bordered(K, self._diagonal)
                    if F is first:
                        known.equations = equations
                delta, self.offset = equations.solution(self.t[F] - g, missing)
                after = beta + delta
                if self._room(F, after) >= 0:
                    self.beta[F] = after
                    break
                bound, self._clearly_free = np.where(delta > 0, self.hi[F], self.lo[F]), False
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    share = np.where(delta == 0, np.inf, (bound - beta) / delta)
                step = min(1.0, least(share))
                missing -= step * float(delta.sum())
                beta = beta + step * delta
                if step == 1.0:
                    self.beta[F] = beta
                    break
                g += step * (K @ delta)
                blocked = share <= step * (1 + 1e-9)
                self.beta[F] = np.where(blocked, bound, beta)
                missing -= float((bound - beta)[blocked].sum())
                self.free[F[blocked]] = False
                keep = (~blocked).nonzero()[0]
                F, beta, g, K, equations = F[keep], beta[keep], g[keep], K[keep[:, None], keep], None
        finally:
            self._take(known, self.beta[first] - start)
            self._up[first], self._down[first] = self._aims(first)
            self._entered = False
            if self._kept is not None and F is not first:
                self._kept = known.left(self.free[first].nonzero()[0], K, equations) if len(F) else None

    def follow(self, rows: Rows | slice, columns: Array, change: Array) -> None:
        """Say that rows `rows` (m,) of `wide` are now `columns` (m, n + p), and were less by `change`."""
        if self._kept is not None:
            if np.count_nonzero(self.free[rows]):
                self._kept = FreeVariables(self.wide, self.free)
            else:
                self._kept.follow(rows, columns)
        self._followed += 1
        if self._followed % _ANEW:
            self._sums += self.beta[rows].dot(change)
            self.g[rows] = columns[:, : len(self.g)].dot(self.beta)
        else:
            self._add_up()
        self.resume()
