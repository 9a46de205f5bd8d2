"""Many quadratic programs of support vector machines at once, which share a few matrices and differ in their bounds.

They are those of `mlviz.numerics.svm.active_set`, solved by the same steps to the same tolerance, each from a guess,
such as the solution of a similar program. A program of some samples only has lo = hi = 0 at the others, and K b tells
what its machine says of them, too. Each operation is done for all programs: first some cheap steps of sequential
minimal optimization, which settle what is at a bound, then passes of the active set.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask, Rows
from mlviz.numerics.pauses import Work
from mlviz.numerics.svm.active_set import TOLERANCE
from mlviz.spec.brief import Brief

_ROUGH = 0.01
"""Pairs that violate the conditions by less than this are left to the active set."""
_STEPS = 60
"""So many steps of sequential minimal optimization at the most."""
_PASSES = 60
"""Programs that are not solved after so many passes are given up: there is no progress."""
_RELEASED = 3
"""So many of the variables that violate the conditions most are freed in a pass."""
_RIDGE = 1e-12
"""Added to the diagonal of the free variables' matrix; what it falsifies the next pass corrects."""
_CUBES = 1_000_000
"""Newton steps whose numbers of free variables have cubes that add up to so much are done between two pauses."""
_THIN = 8
"""Programs are taken out of the steps when one in so many is done."""
_RISE_AND_FALL = np.array([[1.0], [-1.0]])


@dataclass(frozen=True, eq=False)
class SolvedTogether(Brief):
    """Of b programs: `beta` and K b as `g` (b, n), the multipliers `offset` (b,) of the sums, and which are solved."""

    g: Array
    offset: Array
    solved: Mask
    beta: Array


@dataclass
class _Programs:
    """Those that are not solved yet, a row each."""

    which: Labels
    of: Labels
    """Which matrix each has, rising."""
    lo: Array
    hi: Array
    beta: Array
    g: Array
    free: Mask

    def keep(self, rows: Mask) -> None:
        """Keep some of them."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name)[rows])


def solved_together(K: Array, of: Labels, t: Array, lo: Array, hi: Array, beta: Array) -> Work[SolvedTogether]:
    """Solve the programs of matrices K (k, n, n), t (n,), lo and hi (b, n) from guesses beta (b, n), with pauses.

    Which of the matrices each has is told by `of` (b,), which rises.
    """
    found = SolvedTogether(np.empty_like(beta), np.zeros(len(beta)), np.zeros(len(beta), dtype=bool), beta.copy())
    state = _feasible(K, of, t, lo, hi, np.clip(beta, lo, hi))
    yield
    yield from _pairs(K, t, state)
    state.g = _product(state.beta, K, state.of)
    state.free = (state.beta > state.lo) & (state.beta < state.hi)
    for _ in range(_PASSES):
        yield
        offset = yield from _minimise_over_free(K, t, state)
        done = _released(t, state, offset)
        rows = state.which[done]
        found.g[rows], found.beta[rows], found.solved[rows] = state.g[done], state.beta[done], True
        found.offset[rows] = _unique(t, state, offset, done)
        if done.all():
            break
        if done.any():
            state.keep(~done)
    return found


def _product(beta: Array, K: Array, of: Labels) -> Array:
    """The rows of beta (b, n), each times its matrix."""
    found, ends = np.empty_like(beta), np.searchsorted(of, np.arange(len(K) + 1)).tolist()
    for matrix, start, end in zip(K, ends, ends[1:], strict=False):
        np.matmul(beta[start:end], matrix, out=found[start:end])
    return found


def _feasible(K: Array, of: Labels, t: Array, lo: Array, hi: Array, beta: Array) -> _Programs:
    """The programs with the sums of beta (b, n) brought to zero by variables that are free, as far as they have room.

    Else those give first that are nearest to the margin, as each program does by itself.
    """
    free, excess, size = (beta > lo) & (beta < hi), beta.sum(axis=1), np.abs(beta).sum(axis=1)
    down = excess[:, None] > 0
    room = np.where(down, beta - lo, hi - beta)
    free_room = np.where(free, room, 0.0)
    total, need = free_room.sum(axis=1), np.abs(excess)
    enough = need < 0.999 * total
    move = free_room * np.divide(need, total, out=np.zeros_like(need), where=enough)[:, None]
    short = np.flatnonzero(~enough & (need > 1e-14 * size))
    if len(short):
        distance = np.abs(_product(beta[short], K, of[short]) - t)
        order = np.where(free[short], -1 / (1 + distance), distance).argsort(axis=1)
        ordered = room[short[:, None], order]
        given = np.clip(need[short, None] - (np.cumsum(ordered, axis=1) - ordered), 0.0, ordered)
        move[short[:, None], order] = given
    beta = beta - np.where(down, move, -move)
    near = 1e-12 * (hi - lo)
    beta = np.where(beta <= lo + near, lo, np.where(beta >= hi - near, hi, beta))
    return _Programs(np.arange(len(beta)), of, lo, hi, beta, _product(beta, K, of), free)


def _pairs(K: Array, t: Array, state: _Programs) -> Work[None]:
    """Steps of sequential minimal optimization, each on the pair that gains most. Afterwards K b is worked out anew.

    Slopes have single precision, which moves half of the memory, and are known up to a number that all of a program
    have in common. They are kept twice: of what can rise, and of what can fall.
    """
    n, curvature, ids = len(t), _curvatures(K), state.which
    first, lo, hi, beta = state.of * n, state.lo, state.hi, state.beta.copy()
    slope = (t - state.g).astype(np.float32)
    rise = np.where(beta < hi, slope, np.float32(-np.inf))
    fall = np.where(beta > lo, slope, np.float32(np.inf))
    for step in range(_STEPS):
        i = rise.argmax(axis=1)
        gain = rise.take(n * np.arange(len(ids)) + i)[:, None] - fall
        going = gain.max(axis=1) > _ROUGH
        if not going.any():
            break
        if going.sum() < len(ids) - len(ids) // _THIN:
            state.beta[ids] = beta
            ids, first, i, gain, lo, hi, beta, rise, fall = (
                a[going] for a in (ids, first, i, gain, lo, hi, beta, rise, fall)
            )
        line = n * np.arange(len(ids))
        of_i = curvature.take(first + i, axis=0)
        np.maximum(gain, 0.0, out=gain)
        value = gain * gain
        value /= of_i
        j = value.argmax(axis=1)
        of_j = curvature.take(first + j, axis=0)
        pair = np.array((line + i, line + j))
        before, least, most = beta.take(pair), lo.take(pair), hi.take(pair)
        room = np.minimum(most[0] - before[0], before[1] - least[1])
        move = np.minimum(gain.take(pair[1]) / of_i.take(pair[1]), room)
        after = np.clip(before + move * _RISE_AND_FALL, least, most)
        slope = rise.take(pair)
        slope = np.where(slope > -np.inf, slope, fall.take(pair))
        beta.put(pair, after)
        rise.put(pair, np.where(after < most, slope, -np.inf))
        fall.put(pair, np.where(after > least, slope, np.inf))
        of_i -= of_j
        of_i *= (move / 2).astype(np.float32)[:, None]
        rise += of_i
        fall += of_i
        if step % 8 == 7:
            yield
    state.beta[ids] = beta


def _curvatures(K: Array) -> AnyArray:
    """How much the slope along b_i - b_j falls as they move by 1, as rows (k n, n), in single precision."""
    single = K.astype(np.float32)
    diagonal = single.diagonal(axis1=1, axis2=2)
    found = diagonal[:, :, None] + diagonal[:, None, :] - 2 * single
    return np.asarray(np.maximum(found, np.float32(1e-12)).reshape(-1, K.shape[1]))


def _released(t: Array, state: _Programs, offset: Array) -> Mask:
    """Which programs are solved (b,); in the others the variables are freed that violate the conditions most."""
    slope = t - state.g
    none = np.flatnonzero(~state.free.any(axis=1))
    upper = np.where(state.beta[none] < state.hi[none], slope[none], -np.inf)
    lower = np.where(state.beta[none] > state.lo[none], slope[none], np.inf)
    offset[none] = (upper.max(axis=1) + lower.min(axis=1)) / 2
    e = offset[:, None] - slope
    violation = np.where(state.beta <= state.lo, -e, e)
    rest = np.where(state.free, np.abs(e), 0.0).max(axis=1)
    violation[state.free | (state.lo == state.hi)] = 0.0
    tolerance = TOLERANCE + 4e-15 * np.abs(state.beta).sum(axis=1)
    done = np.maximum(violation.max(axis=1), rest) <= tolerance
    if not done.all():
        worst = np.partition(violation, -_RELEASED, axis=1)[:, -_RELEASED, None]
        state.free |= (violation >= worst) & (violation > tolerance[:, None])
        # A pair moves, never one alone: the sum is fixed.
        state.free[none, upper.argmax(axis=1)] = True
        state.free[none, lower.argmin(axis=1)] = True
    return np.asarray(done)


def _unique(t: Array, state: _Programs, offset: Array, done: Mask) -> Array:
    """The multipliers of solved programs: where none of the variables is between its bounds, the middle of all."""
    lo, hi, beta, slope = state.lo[done], state.hi[done], state.beta[done], t - state.g[done]
    near = 1e-9 * (hi - lo)
    below, above = beta < hi - near, beta > lo + near
    highest, lowest = np.where(below, slope, -np.inf).max(axis=1), np.where(above, slope, np.inf).min(axis=1)
    return np.where((below & above).any(axis=1), offset[done], (highest + lowest) / 2)


def _minimise_over_free(K: Array, t: Array, state: _Programs) -> Work[Array]:
    """Newton steps on the free variables, each to the first bound in the way, which takes its variables out.

    Returns the multipliers of the sums (b,), as far as there are free variables.
    """
    count = state.free.sum(axis=1)
    offset = np.zeros(len(count))
    change = np.zeros_like(state.beta)
    # Programs with about as many free variables are solved together: the matrices are as large as the largest.
    order = np.argsort(count, kind="stable")
    order = order[count[order] > 0]
    while len(order):
        size = max(1, _CUBES // int(count[order[-1]] + 1) ** 3)
        rows, order = order[-size:], order[:-size]
        part = _Free(K, t, state, rows)
        yield from part.minimise()
        offset[rows] = part.offset
        change[rows[part.row], part.column] = (part.beta - part.before)[part.row, part.place]
        state.beta[rows[part.row], part.column] = part.beta[part.row, part.place]
        state.free[rows[part.row], part.column] = part.still[part.row, part.place]
    state.g += _product(change, K, state.of)
    return offset


class _Free:
    """The free variables of some programs, as many places each as the program with most of them needs."""

    def __init__(self, K: Array, t: Array, state: _Programs, rows: Rows) -> None:
        free = state.free[rows]
        count = free.sum(axis=1)
        self.row, self.column = np.nonzero(free)
        self.place = np.arange(len(self.row)) - (np.cumsum(count) - count)[self.row]
        index = np.zeros((len(rows), int(count.max())), dtype=np.intp)
        index[self.row, self.place] = self.column
        self.still: Mask = np.arange(index.shape[1]) < count[:, None]
        line = rows[:, None]
        self.lo, self.hi = state.lo[line, index], state.hi[line, index]
        self.slope = t[index] - state.g[line, index]
        self.beta = np.where(self.still, state.beta[line, index], 0.0)
        self.before = self.beta.copy()
        self.total = self.beta.sum(axis=1) - state.beta[rows].sum(axis=1)
        """What the variables that are still free add up to."""
        self.offset = np.zeros(len(rows))
        self.system = self._system(K, state.of[rows], index)

    def _system(self, K: Array, of: Labels, index: Rows) -> Array:
        """The matrices (b, f + 1, f + 1) of Newton steps: of the free variables, and 1 at others, and of their sum."""
        (b, f), on = index.shape, self.still.astype(np.float64)
        system = np.empty((b, f + 1, f + 1))
        system[:, :f, :f] = K[of[:, None, None], index[:, :, None], index[:, None, :]]
        if not self.still.all():
            system[:, :f, :f] *= on[:, :, None] * on[:, None, :]
        ridge = _RIDGE * K.diagonal(axis1=1, axis2=2).max(axis=1, initial=1e-300)[of, None]
        system[:, np.arange(f), np.arange(f)] += np.where(self.still, ridge, 1.0)
        system[:, f, :f] = system[:, :f, f] = on
        system[:, f, f] = 0.0
        return system

    def minimise(self) -> Work[None]:
        """Step until no bound is in the way."""
        going = np.arange(len(self.beta))
        while len(going):
            going = self._step(going)
            yield

    def _step(self, going: Labels) -> Labels:
        """One step of those programs; returns those that met a bound."""
        still, beta, slope = self.still[going], self.beta[going], self.slope[going]
        right = np.empty((len(going), still.shape[1] + 1, 1))
        right[:, :-1, 0] = np.where(still, slope, 0.0)
        right[:, -1, 0] = self.total[going] - np.where(still, beta, 0.0).sum(axis=1)
        system = self.system if len(going) == len(self.system) else self.system[going]
        found = np.linalg.solve(system, right)[:, :, 0]
        delta, offset = found[:, :-1], found[:, -1]
        bound = np.where(delta > 0, self.hi[going], self.lo[going])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            room = np.where(still & (delta != 0), (bound - beta) / delta, np.inf)
        step = np.minimum(1.0, room.min(axis=1))
        met = still & (room <= step[:, None] * (1 + 1e-9)) & (step < 1.0)[:, None]
        self.offset[going] = offset
        # The full step makes all slopes the offset.
        self.slope[going] = slope + step[:, None] * (offset[:, None] - slope)
        self.beta[going] = np.where(met, bound, beta + step[:, None] * delta)
        self.total[going] -= np.where(met, bound, 0.0).sum(axis=1)
        self.still[going] = still & ~met
        row, place = going[np.nonzero(met)[0]], np.nonzero(met)[1]
        self.system[row, place] = self.system[row, :, place] = 0.0
        self.system[row, place, place] = 1.0
        return np.asarray(going[(step < 1.0) & self.still[going].any(axis=1)])
