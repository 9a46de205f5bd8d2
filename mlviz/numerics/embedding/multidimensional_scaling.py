"""Multidimensional scaling: classical (Torgerson 1952; Gower 1966) and by majorization, SMACOF (de Leeuw 1977).

Samples have weights: one of weight 2 counts as two samples at the same place do. Borg and Groenen, Modern
Multidimensional Scaling, 2nd edition (2005), chapters 8 and 12.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.embedding.distance_matrix import distances_between
from mlviz.numerics.linalg.leading_eigenvectors import leading_eigenvectors
from mlviz.numerics.pauses import Work
from mlviz.spec.brief import Brief

STEPS = 1000
"""After so many steps majorization stops, settled or not."""
STILL = 1e-6
"""Places have settled when a step would move them by less than this share of their spread."""
EXACT = 1e-24
"""Stress below this share of all squared distances is rounding."""
_ALIKE = 1e-9
"""Numbers that differ by less than this share are equally large."""
_ROUNDS = 60
"""So often the place of a single new sample is improved."""
_AT_HAND, _FEWEST_ROWS = 30_000, 16
"""So many distances are worked out at once, but no fewer rows of them."""


class Scaled(NamedTuple):
    """The eigenvalues (c,) of the centred products, largest first, with their trace; coordinates (m, c) along each."""

    values: Array
    trace: float
    coordinates: Array

    def oriented(self) -> Scaled:
        """The same, each coordinate turned so that its largest number, the first of such ones, is positive."""
        size = np.abs(self.coordinates)
        first = np.argmax(size >= size.max(axis=0) * (1 - _ALIKE), axis=0)
        turned = self.coordinates[first, np.arange(size.shape[1])] < 0
        return self._replace(coordinates=self.coordinates * np.where(turned, -1.0, 1.0) + 0.0)

    def padded(self, count: int) -> Scaled:
        """The same with so many coordinates at the least, further ones being 0."""
        more = max(0, count - len(self.values))
        coordinates = np.pad(self.coordinates, ((0, 0), (0, more)))
        return self._replace(values=np.pad(self.values, (0, more)), coordinates=coordinates)


def classical_scaling(distances: Array, weights: Array, count: int, rng: np.random.Generator) -> Work[Scaled]:
    """Work out the first `count` coordinates of the samples with such distances (m, m) and weights (m,).

    Distances are turned into products, counted from the weighted mean: B = −½ J D² J'. A coordinate is an eigenvector
    of B times the root of its eigenvalue; none where that is not positive.
    """
    squares = distances * distances
    yield
    rows = squares @ weights / weights.sum()
    B = squares
    B -= rows[:, None]
    B -= rows
    B += float(rows @ weights / weights.sum())
    B *= -0.5
    yield
    trace, root = float(np.diag(B) @ weights), np.sqrt(weights)
    B *= root[:, None]
    B *= root
    values, vectors, _ = yield from leading_eigenvectors(B, count, rng)
    return Scaled(values, trace, vectors / root[:, None] * np.sqrt(np.maximum(values, 0.0)))


def classical_place(squares: Array, scaled: Scaled, mean_squares: Array, weights: Array) -> Array:
    """The coordinates (q, c) of further samples (Gower 1968), by their squared distances (q, m) to the others.

    `mean_squares` (m,) are the weighted means of these others' own squared distances.
    """
    known = np.where(scaled.values > 0, scaled.values, 1.0)
    return np.asarray((mean_squares - squares) @ (weights[:, None] * scaled.coordinates) / (2 * known))


class Majorization(NamedTuple):
    """Places (m, k), their stress Σ wᵢwⱼ (δᵢⱼ − dᵢⱼ)² over pairs, and how far the next step moves them.

    `squares` is the sum of dᵢⱼ² over pairs, and `moved` a share of the spread of the places.
    """

    places: Array
    stress: float
    squares: float
    moved: float


def majorize(distances: Array, weights: Array, start: Array) -> Iterator[Majorization]:
    """The start (m, k), and what each step makes of it, for samples that should have such distances (m, m).

    In a step each sample goes to the mean of where the others want it: at its present direction from them, but at the
    right distance (Guttman's transform). No step raises the stress.
    """
    pairs, total = _Pairs.of(distances, weights), float(weights.sum())
    places = start - weights @ start / total
    for _ in range(STEPS):
        stress, pulls = pairs.pulls(places)
        moved_to = (pulls[:, :1] * places - pulls[:, 1:]) / total
        size = float(weights @ (places * places).sum(axis=1))
        step = float(np.sqrt(weights @ ((moved_to - places) ** 2).sum(axis=1)))
        moved = step / math.sqrt(size) if size > 0 and stress > EXACT * pairs.squares else 0.0
        middle = weights @ places
        yield Majorization(places, stress, total * size - float(middle @ middle), moved)
        if moved <= STILL:
            return
        places = moved_to


@dataclass(frozen=True, eq=False)
class _Pairs(Brief):
    """Samples with weights (m,) and the distances that they should have, each pair once.

    The distances are in blocks of rows that the processor keeps at hand: whole matrices take several times as long.
    """

    weights: Array
    squares: float
    """Σ wᵢwⱼ δᵢⱼ² over pairs."""
    _blocks: tuple[Array, ...]
    """Some rows each, from the column of the first of them on."""

    @classmethod
    def of(cls, distances: Array, weights: Array) -> _Pairs:
        """Those of the distances (m, m)."""
        m, squares = len(distances), _over_pairs(distances, weights, np.empty_like(distances))
        rows = max(_FEWEST_ROWS, _AT_HAND // m)
        return cls(weights, squares, tuple(distances[i : i + rows, i:].copy() for i in range(0, m, rows)))

    def pulls(self, places: Array) -> tuple[float, Array]:
        """The stress of places (m, k), and of each Σⱼ wⱼ δᵢⱼ/dᵢⱼ, and of wⱼ yⱼ δᵢⱼ/dᵢⱼ, (m, 1 + k)."""
        weights = self.weights
        m, stress = len(weights), 0.0
        weighted = np.column_stack((weights, weights[:, None] * places))
        pulls = np.zeros_like(weighted)
        memory = np.empty((2, self._blocks[0].size))
        for block in self._blocks:
            b, first = len(block), m - block.shape[1]
            rows, later = slice(first, first + b), slice(first + b, None)
            d, spare = (part[: block.size].reshape(block.shape) for part in memory)
            distances_between(places[first:], d, spare)
            np.subtract(block, d, out=spare)
            spare *= spare
            errors = weights[rows] @ spare
            stress += float(errors[:b] @ weights[rows]) / 2 + float(errors[b:] @ weights[later])
            # Where two places are one there is no direction: neither wants the other elsewhere.
            np.copyto(d, np.inf, where=d == 0)
            np.divide(block, d, out=d)
            pulls[rows] += d @ weighted[first:]
            pulls[later] += d[:, b:].T @ weighted[rows]
        return stress, pulls


def stress_of(distances: Array, weights: Array, places: Array) -> tuple[float, float]:
    """The stress of places (m, k) for such distances (m, m), and the sum of the squared distances of places."""
    d = distances_between(places)
    spare = np.empty_like(d)
    squares = _over_pairs(d, weights, spare)
    return _over_pairs(np.subtract(distances, d, out=d), weights, spare), squares


def _over_pairs(values: Array, weights: Array, spare: Array) -> float:
    """Σ wᵢwⱼ vᵢⱼ² over pairs of the values (m, m), squared in `spare`."""
    return float(weights @ np.multiply(values, values, out=spare) @ weights) / 2


def majorized_place(distances: Array, places: Array, weights: Array) -> Array:
    """Places (q, k) of further samples, by their distances (q, m) to others that stay at places (m, k)."""
    least = distances.min(axis=1, initial=np.inf, keepdims=True)
    close = weights * np.divide(least, distances, out=np.ones_like(distances), where=distances > 0) ** 2
    found = np.asarray(close @ places / close.sum(axis=1, keepdims=True))
    total = float(weights.sum())
    mean = weights @ places / total
    for _ in range(_ROUNDS):
        offsets = [found[:, j, None] - places[:, j] for j in range(places.shape[1])]
        d = np.asarray(np.hypot.reduce(offsets))
        ratio = weights * np.divide(distances, d, out=np.zeros_like(d), where=d > 0)
        pull = np.column_stack([(ratio * offset).sum(axis=1) for offset in offsets])
        found = mean + pull / total
    return found
