"""The plane through samples that leaves a share tau of their weight below it, exact, as a linear program.

    minimise  sum_i c_i rho(y_i - a_i.u),  rho(r) = tau r for r > 0 and (tau - 1) r for r < 0,  over u (p,)

Koenker and Bassett, Econometrica 46 (1978) 33-50; solved from vertex to vertex (`mlviz.numerics.convex.kink_simplex`),
as by Koenker and d'Orey, Applied Statistics 36 (1987) 383-393.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.kink_simplex import KinkSimplex, moved_apart
from mlviz.spec.brief import Brief

_MOST = 50_000
_ON_PLANE = 1e-12
"""A sample nearer than this to the plane is on it."""
_NEAREST = 60
"""Among so many samples for each variable, nearest to the plane of least squares, the first vertex is looked for."""


@dataclass(frozen=True, eq=False)
class QuantilePlane(Brief):
    """A plane through the samples `basis` (p,), and the multipliers (n,) of the samples, optimal at the last one.

    Each is between c (tau - 1) and c tau; times y they add up to the dual objective.
    """

    u: Array
    basis: Labels
    multipliers: Array


def quantile_planes(A: Array, y: Array, c: Array, tau: float, basis: Labels | None = None) -> Iterator[QuantilePlane]:
    """Yield ever better planes, the last of which is best, for A (n, p) with independent columns and a last one of 1.

    y is (n,), c (n,) above 0; `basis` is that of a similar problem.
    """
    solver = KinkSimplex(A, -tau * c, (1 - tau) * c, y + moved_apart(len(y)))
    if basis is None or not solver.take(basis):
        first = _first(A, y, c, tau)
        if not any(solver.take(rows) for rows in first):
            return
    for _ in range(_MOST):
        if not solver.advance():
            break
        yield _plane(solver, solver.inverse @ y[solver.basis])
    yield _plane(solver, _through(A, y, solver.basis))


def _through(A: Array, y: Array, basis: Labels) -> Array:
    """The plane through the samples of the basis, by all that are on it: they may be better apart than these."""
    u = np.asarray(np.linalg.solve(A[basis], y[basis]), np.float64)
    on = np.abs(y - A @ u) <= _ON_PLANE * max(1.0, float(np.abs(u).max()))
    if np.count_nonzero(on) > len(u):
        u = u + np.linalg.lstsq(A[on], y[on] - A[on] @ u, rcond=None)[0]
    return u


def _plane(solver: KinkSimplex, u: Array) -> QuantilePlane:
    slopes, _ = solver.multipliers()
    return QuantilePlane(u, solver.basis.copy(), np.clip(-slopes, -solver.high, -solver.low))


def _first(A: Array, y: Array, c: Array, tau: float) -> Iterator[Labels]:
    """Bases for a start: near the plane of least squares, moved until it leaves its share below; else any."""
    from scipy.linalg import qr

    n, p = A.shape
    root = np.sqrt(c)
    r = y - A @ np.linalg.lstsq(A * root[:, None], y * root, rcond=None)[0]
    order = np.argsort(r, kind="stable")
    below = np.cumsum(c[order])
    r = np.abs(r - r[order[min(int(np.searchsorted(below, tau * below[-1])), n - 1)]])
    order = np.argsort(r, kind="stable")
    for rows in (order[: _NEAREST * p], order):
        yield rows[qr(A[rows].T, mode="r", pivoting=True)[1][:p]]
