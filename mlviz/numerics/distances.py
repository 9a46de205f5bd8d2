"""Distances: Euclidean, Manhattan (city block) and Chebyshev (largest coordinate difference).

Comparisons are made on *gaps*: the distance itself, but its square for the Euclidean one. Everyone who compares
distances computes them by `distance_measure`, in the same order of operations, so that ties are ties everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.spec.brief import Brief

Metric = Literal["euclidean", "manhattan", "chebyshev"]
METRICS: tuple[Metric, ...] = ("euclidean", "manhattan", "chebyshev")
FARTHEST_COMPUTABLE = 1e150
"""Coordinates farther apart than this have no squared distance in floating point."""


def reach(*places: Array) -> float:
    """How far from 0 the coordinates of places (..., d) are: beside it, rounding of their differences is nothing."""
    return max(float(np.abs(one).max()) for one in places)


@np.errstate(over="ignore")
def distance_measure(differences: Sequence[Array] | Array, metric: str) -> Array:
    """The gap of places whose coordinates differ by `differences`, one per coordinate, broadcast together.

    It is infinite where it has no number.
    """
    terms = [d * d if metric == "euclidean" else np.abs(d) for d in differences]
    total = terms[0]
    for term in terms[1:]:
        total = np.maximum(total, term) if metric == "chebyshev" else total + term
    return total


def to_distance(gaps: Array, metric: str) -> Array:
    """The distances that belong to gaps."""
    return np.sqrt(gaps) if metric == "euclidean" else gaps


def gaps_on_grid(grid: Grid, place: Array, metric: str) -> Array:
    """The gap from every node to place (2,): (ny, nx)."""
    return distance_measure((grid.x[None, :] - place[0], grid.y[:, None] - place[1]), metric)


def pairwise(A: Array, B: Array, metric: str = "euclidean") -> Array:
    """The distances between the rows of A (m, d) and of B (n, d): (m, n)."""
    differences = [A[:, j, None] - B[None, :, j] for j in range(A.shape[1])]
    gaps = distance_measure(differences, metric)
    if metric == "euclidean" and not gaps.max(initial=0.0) < np.inf:
        return np.asarray(reduce(np.hypot, differences))  # scaled before they are squared
    return to_distance(gaps, metric)


def product_rounding(reach: Any, d: int, dtype: Any = np.float64) -> Any:
    """By how much squared distances by products are wrong at the most, of places (d,) up to `reach` from 0 in sum."""
    # Each of the sums of d + 4 terms is wrong by half an epsilon a term; as much again is to spare.
    return 1.25 * float(np.finfo(dtype).eps) * (d + 4) * reach * reach


@dataclass(frozen=True, eq=False)
class DistanceProducts(Brief):
    """Squared distances from many places by products of matrices: quick, but wrong by rounding, of which it knows.

    All are in units of a width. Who compares such distances works those out anew that are as near as `doubt`.
    """

    middle: Array
    width: float
    factors: AnyArray
    """(d + 2, n) what the coordinates of a place from the middle on, 1 and their sum of squares are multiplied by."""
    farthest: float
    """How far from the middle the samples are."""

    @classmethod
    def of(cls, X: Array, width: float = 1.0, dtype: Any = np.float64) -> DistanceProducts:
        """Those from samples X (n, d)."""
        middle = X.mean(axis=0)
        Z = ((X - middle) / width).astype(dtype)
        squares = np.einsum("ij,ij->i", Z, Z)
        factors = np.vstack((-2 * Z.T, squares, np.ones_like(squares)))
        return cls(middle, width, factors, float(np.sqrt(squares.max())))

    @np.errstate(over="ignore", invalid="ignore")
    def squares(self, places: Array) -> tuple[AnyArray, AnyArray]:
        """The squared distances (q, n) of places (q, d), and those of the places from the middle, (q,).

        Where they have no number they are infinite or none.
        """
        P = ((places - self.middle) / self.width).astype(self.factors.dtype)
        own = np.einsum("ij,ij->i", P, P)
        return np.concatenate((P, np.ones((len(P), 1), P.dtype), own[:, None]), axis=1) @ self.factors, own

    def doubt(self, own: Any) -> Any:
        """By how much the squared distances of a place are wrong whose own from the middle is that, (q,)."""
        return product_rounding(np.sqrt(own) + self.farthest, len(self.middle), self.factors.dtype)


def length_of(step: Array) -> float:
    """The Euclidean length of a step (d,), which squares nothing that is too large or too small for it."""
    return float(np.hypot.reduce(step))


def sphere(center: Array, radius: float, metric: str) -> Array:
    """The closed outline (m, 2) of all places at distance `radius` from center (2,): circle, diamond or square."""
    if metric == "euclidean":
        angle = np.linspace(0, 2 * np.pi, 97)
        outline = np.column_stack((np.cos(angle), np.sin(angle)))
    else:
        x, y = (1, 0) if metric == "manhattan" else (1, 1)  # a corner; each of the next ones is a quarter turn away
        outline = np.array([(x, y), (-y, x), (-x, -y), (y, -x), (x, y)], dtype=np.float64)
    return np.asarray(center + radius * outline, dtype=np.float64)


def sample_at(X: Array, x: Array) -> tuple[int | None, Array]:
    """The row of X (n, d) within a hundredth of the samples' extent of x (d,), if any, and its place; else x itself."""
    distance = np.hypot.reduce(X - x, axis=1)  # which squares nothing that is too large or too small for it
    row = int(distance.argmin())
    return (row, X[row]) if distance[row] <= 0.01 * np.hypot.reduce(np.ptp(X, axis=0)) else (None, x)
