"""Sums of powers p < 1 of residuals, which have many minima: functions that pass through as many samples as they can.

Between the places where a residual is 0 the objective is concave, so that no minimum lies there; and where as many
residuals are 0 as the function has weights, each of them rises infinitely steeply: every function through so many
samples is a local minimum, and the smallest of these is the global one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Rows
from mlviz.numerics.pauses import ENTRIES, Work
from mlviz.numerics.residuals.losses import Power
from mlviz.numerics.residuals.problem import ResidualProblem
from mlviz.numerics.sampling import random_order, spread_subsample
from mlviz.spec.brief import Brief

MOST_COMPARED = 1_000_000
"""Up to so many residuals, those of all functions through samples, the global minimum is found by comparing all."""
MOST_WEIGHTS = 12
"""Of more weights exchanging one sample after the other takes too long."""
_RANDOM_SETS, _STARTS, _ROUNDS = 100, 3, 6
_CANDIDATES, _JUDGES = 120, 200
"""So many samples are tried in the place of another, and judged by so many, before the best few are judged by all."""
_FEW = 12
_MOST_SEARCHED = 5000
"""Among more samples the best function is looked for by some of them."""
_SAME = 1e-12
_ON = 1e-9
"""A sample whose residual is a smaller share of the largest one of the least squares is on the function."""
_INDEPENDENT = 1e-11
"""Samples whose places span a smaller share of the volume that they might have no function passes through."""


@dataclass(frozen=True, eq=False)
class LocalMinimum(Brief):
    """Coordinates z (q,), and among how many minima they are the best; `all_compared` where there are no others."""

    z: Array
    compared: int
    all_compared: bool


def best_of_many(problem: ResidualProblem, p: float, starts: list[Array], places: Array) -> Work[LocalMinimum | None]:
    """Find the best minimum, of all where these are few, else from starts (q,) and functions through samples at random.

    Random choices go by the places (n, k) of the samples. None where no function passes through so many samples, as far
    as digits tell.
    """
    n, q = problem.Q.shape
    if problem.unit == 0:
        return LocalMinimum(np.zeros(q), 1, True)
    search = _Search(problem, p, places)
    count = _choose(n, q)
    if count * n <= MOST_COMPARED:
        sets = np.array(list(combinations(range(n), q)))
        met = set[bytes]()
        values = yield from search.values(sets, met)
        compared = len(met)
        return LocalMinimum(search.first_of_best(sets, values)[0], compared, True) if compared else None
    drawn = search.random_sets(q)
    bases = [basis for z in starts if (basis := search.nearest(z)) is not None]
    tried, met = np.vstack((*bases, drawn)) if bases else drawn, set[bytes]()
    values = yield from search.values(tried, met)
    order = np.argsort(values, kind="stable")[:_STARTS]
    best, at = np.inf, None
    for basis in tried[order]:
        z, value = yield from search.exchanged(basis)
        if value < best * (1 - _SAME):
            best, at = value, z
    return None if at is None else LocalMinimum(at, len(met), False)


def _choose(n: int, q: int) -> float:
    total = 1.0
    for k in range(q):
        total *= (n - k) / (k + 1)
    return total


class _Search:
    """Functions through samples, in an order of the samples that does not depend on that in which they are given."""

    def __init__(self, problem: ResidualProblem, p: float, places: Array) -> None:
        rows = spread_subsample(places, _MOST_SEARCHED)
        order = rows[np.lexsort((problem.share[rows], *places[rows].T))]
        self.Q, self.y, self.share = problem.Q[order], problem.y[order], problem.share[order]
        self.loss = Power(p)
        self.shuffled = random_order(places[order])

    def random_sets(self, q: int) -> Labels:
        """Sets (m, q) of samples at random."""
        rng = np.random.default_rng(0)
        return np.array([np.sort(rng.choice(len(self.y), q, replace=False)) for _ in range(_RANDOM_SETS)])

    def through(self, sets: Labels) -> tuple[Array, Labels]:
        """The coordinates (k, q) of functions through sets of samples (m, q), and which of the sets (k,) have one."""
        A, b = self.Q[sets], self.y[sets]
        size = np.abs(np.linalg.det(A)) / np.maximum(np.prod(np.linalg.norm(A, axis=2), axis=1), 1e-300)
        there = np.flatnonzero(size > _INDEPENDENT)
        return np.asarray(np.linalg.solve(A[there], b[there][..., None])[..., 0], dtype=np.float64), there

    def objective(self, Z: Array, rows: Rows | slice = slice(None)) -> Array:
        """The losses at coordinates (k, q), (k,)."""
        residuals = np.abs(self.y[rows] - Z @ self.Q[rows].T)
        residuals[residuals < 1e-13] = 0.0
        return np.asarray(self.loss.values(residuals) @ self.share[rows])

    def values(self, sets: Labels, met: set[bytes] | None = None) -> Work[Array]:
        """The losses (m,) of the functions through the sets; infinite where there is none.

        In `met` come the samples that each of them passes through: of the same ones there is one function, however many
        of the sets it is that of.
        """
        values = np.full(len(sets), np.inf)
        size = max(1, ENTRIES // 4 // len(self.y))
        for first in range(0, len(sets), size):
            Z, there = self.through(sets[first : first + size])
            values[first + there] = self.objective(Z)
            if met is not None:
                on = np.abs(self.y - Z @ self.Q.T) < _ON
                met.update(row.tobytes() for row in np.packbits(on, axis=1))
            yield
        return values

    def best(self, sets: Labels) -> Work[tuple[Array, float]]:
        """The coordinates of the best function through one of the sets, the first of equal ones, and its losses."""
        return self.first_of_best(sets, (yield from self.values(sets)))

    def first_of_best(self, sets: Labels, values: Array) -> tuple[Array, float]:
        """The same where the losses (m,) are known."""
        best = int(np.flatnonzero(values <= values.min() * (1 + _SAME))[0])
        if not np.isfinite(values[best]):
            return np.zeros(sets.shape[1]), np.inf
        return self.through(sets[best : best + 1])[0][0], float(values[best])

    def nearest(self, z: Array) -> Labels | None:
        """The set (1, q) of samples nearest to a function through which there is another one."""
        order = np.argsort(np.abs(self.y - self.Q @ z), kind="stable")
        chosen: list[int] = []
        for row in order.tolist():
            trial = self.Q[[*chosen, row]]
            if np.linalg.svd(trial, compute_uv=False)[-1] > 1e-7:
                chosen.append(row)
            if len(chosen) == len(z):
                return np.sort(chosen)[None]
        return None

    def exchanged(self, basis: Labels) -> Work[tuple[Array, float]]:
        """From one set on, exchange one of its samples after the other for a better one, until none is."""
        z, value = yield from self.best(basis[None])
        judges = self.shuffled[:_JUDGES]
        for _ in range(_ROUNDS):
            former = value
            for k in range(len(basis)):
                near = np.argsort(np.abs(self.y - self.Q @ z), kind="stable")[: _CANDIDATES // 2]
                rows = np.union1d(near, self.shuffled[: _CANDIDATES // 2])
                rows = rows[~np.isin(rows, basis)]
                sets = np.tile(basis, (len(rows), 1))
                sets[:, k] = rows
                Z, there = self.through(sets)
                yield
                first = np.argsort(self.objective(Z, judges), kind="stable")[:_FEW]
                yield
                if not len(first):
                    continue
                values = self.objective(Z[first])
                best = int(np.argmin(values))
                if values[best] < value * (1 - _SAME):
                    z, value, basis = Z[first[best]], float(values[best]), sets[there[first[best]]]
                yield
            if not value < former * (1 - _SAME):
                break
        return z, value
