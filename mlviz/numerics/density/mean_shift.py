"""Mean shift: places that climb a kernel density by moving to the weighted mean of the samples about them.

All places are in units of the bandwidth. A "gaussian" kernel weighs a sample at the distance r by exp(-r^2 / 2); its
density is the sum of these weights. A "flat" one counts the samples up to r = 1; places then climb the sum of 1 - r^2
over these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.numerics.distances import distance_measure
from mlviz.numerics.pauses import blocks
from mlviz.numerics.sampling import random_numbers
from mlviz.spec.brief import Brief

KERNELS = ("gaussian", "flat")
MOST_ROUNDS = 300
"""A climb is stopped after so many rounds."""
STILL = 1e-3
"""A place that moves by no more than this has arrived."""
_TOGETHER = 2e-2
"""Places this near to each other climb on as one."""
_TIES = 1 + 1e-9
"""A flat kernel ends so much later: rounding parts no samples on a lattice."""
_ROOMY = 1000.0
"""Of samples farther apart than this, products of coordinates have too few digits for their distances."""
_ROWS = 64
"""So many places are weighed at a time: their weights stay in the processor's cache."""
_DIGITS = 9
"""Densities that are equal up to so many digits are equal."""
_NEWTON = 60
"""So many steps are taken to a summit."""
_LONGEST = 0.5
"""A longer step of Newton's method is none to be trusted."""
_ARRIVED = 1e-13
"""What rounding leaves of a shift at a summit."""


@dataclass(frozen=True, eq=False)
class Climb(Brief):
    """Where the climbers are after a round: `places` (m, d), and which of them each of those before is now, `heirs`.

    `moved` is by how much the farthest of them moved, and `climbing` how many have not arrived.
    """

    places: Array
    heirs: Labels
    moved: float
    climbing: int


def climb(Z: Array, weights: Array, kernel: str, starts: Labels) -> Iterator[Climb]:
    """Where climbers from some rows (m,) of the different samples Z (n, d) are at first and after each round.

    Those that have come together go on as one, the first of them. It ends when all have arrived.
    """
    shifted = _Shift(Z, weights, kernel)
    places, climbing = Z[starts], np.ones(len(starts), dtype=bool)
    yield Climb(places, np.arange(len(starts)), 0.0, len(starts))
    for _ in range(MOST_ROUNDS):
        here = places[climbing]
        there = shifted.means(here)
        moved = np.sqrt(distance_measure(list((there - here).T), "euclidean"))
        places = places.copy()
        places[climbing] = there
        climbing[climbing] = moved > STILL
        first, heirs = _meeting(places, kernel)
        places, climbing = places[first], climbing[first]
        yield Climb(places, heirs, float(moved.max()), int(climbing.sum()))
        if not climbing.any():
            return


def _meeting(places: Array, kernel: str) -> tuple[Labels, Labels]:
    """Which of the places (m, d) go on, rows (k,), and for each the one it goes on as, (m,): the first near it."""
    cells = np.rint(places / _TOGETHER) if kernel == "gaussian" else places
    _, first, cell = np.unique(random_numbers(cells), return_index=True, return_inverse=True)
    kept = np.sort(first)
    return kept, np.searchsorted(kept, first)[cell]


def kernel_weights(places: Array, Z: Array, kernel: str) -> Array:
    """The weight of each of the samples Z (n, d) at each of the places (m, d), (m, n)."""
    from scipy.spatial.distance import cdist

    gaps = cdist(places, Z, "sqeuclidean")
    if kernel == "flat":
        return np.asarray(gaps <= _TIES, dtype=np.float64)
    gaps *= -0.5
    return np.asarray(np.exp(gaps, out=gaps))


class _Shift:
    """Finds the weighted means of the samples Z (n, d) about many places again and again."""

    def __init__(self, Z: Array, weights: Array, kernel: str) -> None:
        self._Z, self._kernel = Z, kernel
        self._sums = np.column_stack((Z, np.ones(len(Z)))) * weights[:, None]
        # The exponent -|x - z|^2 / 2 is (x, -|x|^2 / 2, 1) times (z, 1, -|z|^2 / 2): one product for all.
        self._near = float(np.ptp(Z, axis=0).max()) < _ROOMY
        self._factors = np.vstack((Z.T, np.ones(len(Z)), _minus_half_squares(Z))) if self._near else np.empty((0, 0))
        self._room = np.empty((_ROWS, len(Z)))

    def means(self, places: Array) -> Array:
        """The weighted mean about each of the places (m, d), (m, d); the place itself where none has a weight."""
        found = np.empty((len(places), self._sums.shape[1]))
        for first in range(0, len(places), _ROWS):
            part = places[first : first + _ROWS]
            found[first : first + _ROWS] = self._weights(part) @ self._sums
        mass = found[:, -1:]
        return np.divide(found[:, :-1], mass, out=places.copy(), where=mass > 0)

    def _weights(self, places: Array) -> Array:
        if not self._near:
            return kernel_weights(places, self._Z, self._kernel)
        factors = np.column_stack((places, _minus_half_squares(places), np.ones(len(places))))
        W = np.matmul(factors, self._factors, out=self._room[: len(places)])
        return np.asarray(np.exp(W, out=W) if self._kernel == "gaussian" else np.greater_equal(W, -_TIES / 2, out=W))


def _minus_half_squares(places: Array) -> Array:
    return -0.5 * distance_measure(list(places.T), "euclidean")


def densities(places: Array, Z: Array, weights: Array, kernel: str) -> Array:
    """The sum of the weights of the samples at each of the places (m, d), (m,)."""
    parts = [kernel_weights(places[rows], Z, kernel) @ weights for rows in blocks(len(places), len(Z))]
    return np.concatenate([np.empty(0), *parts])


def merged(places: Array, density: Array) -> tuple[Labels, Labels]:
    """Which places (m, d) stay, rows (k,) from left to right, and which of these each belongs to, (m,).

    The one of the highest density takes all within 1 of it, then the highest of those that are left, and so on; of
    equally high ones the last by its coordinates.
    """
    from scipy.spatial.distance import cdist

    rounded = np.round(density / (density.max() or 1.0), _DIGITS)
    order = np.lexsort((*places.T[::-1], rounded))[::-1]
    codes = np.full(len(places), -1)
    heads: list[int] = []
    for row in order.tolist():
        if codes[row] < 0:
            near = cdist(places[row, None], places, "sqeuclidean")[0] <= _TIES
            codes[near & (codes < 0)] = len(heads)
            heads.append(row)
    kept = np.array(heads)
    by_place = np.lexsort(places[kept].T[::-1])
    return kept[by_place], np.argsort(by_place)[codes]


def summits(places: Array, Z: Array, weights: Array) -> Array:
    """The maxima of the Gaussian density that places (k, d) near them lead to, to the last digits, by Newton's method.

    Where the density is no summit yet, they go on to the weighted mean, and from a saddle a little along its ridge.
    """
    x, going = places.copy(), np.arange(len(places))
    for _ in range(_NEWTON):
        x[going], arrived = _newton_step(x[going], Z, weights)
        going = going[~arrived]
        if not len(going):
            break
    return x


def _moments(x: Array, Z: Array, W: Array) -> tuple[Array, Array]:
    """The means of the samples Z (n, d) from places x (k, d) on, and their covariances (k, d, d), by weights W (k, n).

    The weights at each place have the sum 1, or 0 where all samples are far away.
    """
    shift, spread = np.empty_like(x), np.empty((len(x), *2 * x.shape[1:]))
    for row, (w, place) in enumerate(zip(W, x, strict=True)):
        near = w > 0
        offset = Z[near] - place
        shift[row] = w[near] @ offset
        offset -= shift[row]
        spread[row] = (w[near] * offset.T) @ offset
    return shift, spread


def _moments_by_products(x: Array, Z: Array, W: Array) -> tuple[Array, Array]:
    """The same by one product of matrices for all places; of samples far apart too few digits would be left."""
    d = Z.shape[1]
    i, j = np.triu_indices(d)
    sums = W @ np.column_stack((Z, Z[:, i] * Z[:, j], np.ones(len(Z))))
    means = sums[:, :d]
    spread = np.empty((len(x), d, d))
    spread[:, i, j] = spread[:, j, i] = sums[:, d:-1] - means[:, i] * means[:, j]
    return means - x * sums[:, -1:], spread


def _newton_step(x: Array, Z: Array, weights: Array) -> tuple[Array, Mask]:
    """Where a step leads from places (k, d), and which of them are at a summit, and stay."""
    W = kernel_weights(x, Z, "gaussian") * weights
    mass = W.sum(axis=1, keepdims=True)
    W /= np.where(mass > 0, mass, 1.0)
    if float(np.ptp(Z, axis=0).max()) < _ROOMY:
        shift, spread = _moments_by_products(x, Z, W)
    else:
        shift, spread = _moments(x, Z, W)
    values, axes = np.linalg.eigh(spread)
    top = values[:, -1] < 1
    length = np.sqrt((shift**2).sum(axis=1))
    arrived = top & (length <= _ARRIVED * (1 + np.abs(x).max(axis=1)))
    step = shift.copy()
    if top.any():
        step[top] = np.linalg.solve(np.eye(x.shape[1]) - spread[top], shift[top][:, :, None])[:, :, 0]
    far = np.sqrt((step**2).sum(axis=1)) > _LONGEST
    step[far] = shift[far]
    ridge = axes[:, :, -1] * np.where(axes[:, :1, -1] < 0, -1.0, 1.0)
    saddle = ~top & (length < STILL)
    step[saddle] = 0.1 * ridge[saddle]
    step[arrived] = 0.0
    return x + step, arrived
