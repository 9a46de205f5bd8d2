"""A simplex method for sums of hinges and magnitudes, in few variables.

    minimise  sum_i c_i max(0, 1 - a_i.u) + sum_j p_j |u_j|  over u (p,)

Each term has a kink, as those of `mlviz.numerics.convex.kink_simplex` have, which goes from vertex to vertex.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.kink_simplex import TOLERANCE, KinkSimplex, moved_apart
from mlviz.spec.brief import Brief

_MOST = 50_000


@dataclass(frozen=True, eq=False)
class Vertex(Brief):
    """A vertex: `basis` (p,) are the terms whose kinks meet there, hinge i as i, |u_j| as n + j.

    `alpha` (n,) in [0, c] are the multipliers of the hinges, optimal at the last vertex only.
    """

    u: Array
    basis: Labels
    alpha: Array


def hinge_simplex(A: Array, c: Array, penalty: Array, basis: Labels | None = None) -> Iterator[Vertex]:
    """Yield the vertices on the way, the last of which is a minimum.

    A is (n, p), c (n,) above 0, penalty (p,). Exactly the last variable has no penalty: it stands in no kink of its
    own, and A[:, -1] is -1 or +1. `basis` is that of a vertex of a similar problem.
    """
    solver = _Simplex(A, c, penalty)
    if basis is None or not solver.take(basis):
        solver.take(solver.first())
    for _ in range(_MOST):
        if not solver.advance():
            break
        yield solver.vertex()
    yield solver.vertex(last=True)


class _Simplex(KinkSimplex):
    """All terms alike: the hinges, then the magnitudes."""

    def __init__(self, A: Array, c: Array, penalty: Array) -> None:
        n, p = A.shape
        self.n, self.c = n, c
        super().__init__(
            np.vstack((A, np.eye(p)[:-1])),
            np.concatenate((-c, -penalty[:-1])),
            np.concatenate((np.zeros(n), penalty[:-1])),
            np.concatenate((1 + moved_apart(n), np.zeros(p - 1))),
        )

    def first(self) -> Labels:
        """The basis of the best vertex with u = 0 but for its last."""
        sign = self.R[: self.n, -1]
        order = np.argsort(sign * self.moved[: self.n])
        slope = np.cumsum(self.c[order]) - float(self.c[sign > 0].sum())
        here = order[min(int(np.argmax(slope >= -TOLERANCE * float(self.c.sum()))), self.n - 1)]
        return np.append(np.arange(self.n, len(self.R)), here)

    def vertex(self, last: bool = False) -> Vertex:
        """The present vertex, its kinks where they were."""
        right = np.where(self.basis < self.n, 1.0, 0.0)
        u = np.asarray(np.linalg.solve(self.R[self.basis], right) if last else self.inverse @ right, np.float64)
        u[self.basis[self.basis >= self.n] - self.n] = 0.0
        slope, _ = self.multipliers()
        return Vertex(u, self.basis.copy(), np.clip(-slope[: self.n], 0.0, self.c))
