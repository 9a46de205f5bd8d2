"""Points in classes, of the shapes that tell classifiers and clusterings apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np

from mlviz.data.dataset import KEYED_CLASSES
from mlviz.data.generators.base import ClassGenerator, samples
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.known_densities import BlurredBoxes, BlurredPlaces, KnownDensity, blurred_curve
from mlviz.spec import integer, real

_EXTENT = 3.6
"""Checkerboard and uniform noise fill the square [-3.6, 3.6]²."""
_CORNERS = np.array([[[1.6, 1.6], [-1.6, -1.6]], [[1.6, -1.6], [-1.6, 1.6]]])
"""The means of the clouds of each class of XOR."""


def _spread(default: float, most: float) -> Any:
    return real(
        default,
        soft=(0.0, most),
        valid=(0.0, 100.0),
        help="standard deviation of the noise on every point",
        label="noise",
    )


def _cloud() -> Any:
    return real(
        0.6, soft=(0.0, 2.0), valid=(0.0, 100.0), help="standard deviation of each cloud", label="standard deviation"
    )


def _clouds(means: Array, deviation: float) -> KnownDensity | None:
    """Gaussians of that standard deviation, as many samples in each; None where they are mere points."""
    return BlurredPlaces(means, np.full(len(means), 1 / len(means)), deviation) if deviation > 0 else None


@lru_cache(maxsize=8)
def _places_apart(k: int, seed: int) -> Array:
    """So many places (k, 2) in the view; remembered, since each cloud asks anew."""
    rng = np.random.default_rng([seed, 1])
    chosen = rng.uniform(-2.8, 2.8, (1, 2))
    while len(chosen) < k:
        # The best of a few candidates keeps the clouds apart without making them regular.
        candidates = rng.uniform(-2.8, 2.8, (8, 2))
        distance = np.linalg.norm(candidates[:, None] - chosen, axis=2).min(axis=1)
        chosen = np.vstack((chosen, candidates[np.argmax(distance)]))
    chosen.flags.writeable = False
    return chosen


@dataclass(frozen=True)
class Blobs(ClassGenerator):
    """One round Gaussian cloud for each class, the centres spread at random."""

    id, label = "blobs", "blobs"
    centers: int = integer(
        3,
        soft=(1, KEYED_CLASSES),
        valid=(1, KEYED_CLASSES),
        help="number of clouds, each a class of its own",
        label="classes",
    )
    cluster_std: float = _cloud()

    @property
    def n_classes(self) -> int:
        """One class a cloud."""
        return self.centers

    def means(self) -> Array:
        """The true centres (k, 2)."""
        return _places_apart(self.centers, self.seed)

    def class_density(self, code: int) -> KnownDensity | None:
        """A Gaussian."""
        return _clouds(self.means()[code : code + 1], self.cluster_std)

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        return rng.normal(self.means()[code], self.cluster_std, (n, 2))


@dataclass(frozen=True)
class TwoGaussians(ClassGenerator):
    """Two classes, each a round Gaussian with a mean and a standard deviation of your choice."""

    id, label = "two-gaussians", "two Gaussians"
    x_1: float = real(-1.2, soft=(-3.0, 3.0), help="horizontal place of the first mean", label="mean 1, x1")
    y_1: float = real(-0.8, soft=(-3.0, 3.0), help="vertical place of the first mean", label="mean 1, x2")
    sigma: float = real(
        0.8, soft=(0.1, 2.0), valid=(0.0, 100.0), help="standard deviation of the first class", label="sigma 1"
    )
    x_2: float = real(1.2, soft=(-3.0, 3.0), help="horizontal place of the second mean", label="mean 2, x1")
    y_2: float = real(0.8, soft=(-3.0, 3.0), help="vertical place of the second mean", label="mean 2, x2")
    sigma_2: float = real(
        0.8, soft=(0.1, 2.0), valid=(0.0, 100.0), help="standard deviation of the second class", label="sigma 2"
    )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The instance with those values; a sigma alone is that of both classes."""
        return super().from_json({"sigma_2": values["sigma"], **values} if "sigma" in values else values)

    def means(self) -> Array:
        """The true means (2, 2)."""
        return np.array([[self.x_1, self.y_1], [self.x_2, self.y_2]])

    def class_density(self, code: int) -> KnownDensity | None:
        """A Gaussian."""
        return _clouds(self.means()[code : code + 1], (self.sigma, self.sigma_2)[code])

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        return rng.normal(self.means()[code], (self.sigma, self.sigma_2)[code], (n, 2))


@dataclass(frozen=True)
class Moons(ClassGenerator):
    """Two interleaving half circles: no straight line separates them."""

    id, label = "moons", "moons"
    noise: float = _spread(0.25, 1.0)

    def arc(self, code: int, angle: Array) -> Array:
        """The middle line (m, 2) of a moon at angles (m,) from 0 to π."""
        return np.asarray((1, -1)[code] * np.column_stack((2 * np.cos(angle) - 1, 2 * np.sin(angle) - 0.5)))

    def class_density(self, code: int) -> KnownDensity | None:
        """An arc that is blurred."""
        return blurred_curve(lambda angle: self.arc(code, angle), 0.0, np.pi, self.noise)

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        arc = self.arc(code, rng.uniform(0, np.pi, n))
        return arc + rng.normal(0, self.noise, arc.shape)


@dataclass(frozen=True)
class Circles(ClassGenerator):
    """A ring around a ring: only a curved boundary separates them."""

    id, label = "circles", "circles"
    noise: float = _spread(0.25, 1.0)
    factor: float = real(
        0.45, soft=(0.0, 0.95), valid=(0.0, 1.0), help="radius of the inner ring over that of the outer one"
    )

    def ring(self, code: int, angle: Array) -> Array:
        """The middle line (m, 2) of a ring at angles (m,)."""
        return np.asarray((3.0, 3.0 * self.factor)[code] * np.column_stack((np.cos(angle), np.sin(angle))))

    def class_density(self, code: int) -> KnownDensity | None:
        """A ring that is blurred."""
        return blurred_curve(lambda angle: self.ring(code, angle), 0.0, 2 * np.pi, self.noise)

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        ring = self.ring(code, rng.uniform(0, 2 * np.pi, n))
        return ring + rng.normal(0, self.noise, ring.shape)


@dataclass(frozen=True)
class Spirals(ClassGenerator):
    """Arms wound around each other, each a class: the boundary has to follow every turn."""

    id, label = "spirals", "spirals"
    n_samples: int = samples(200, 1000)
    arms: int = integer(2, soft=(2, 5), valid=(1, KEYED_CLASSES), help="number of arms, each a class of its own")
    turns: float = real(1.5, soft=(0.25, 3.0), valid=(0.0, 100.0), help="how often each arm goes around the middle")
    noise: float = _spread(0.12, 0.6)

    @property
    def n_classes(self) -> int:
        """One class an arm."""
        return self.arms

    def middle(self, arm: int, t: Array) -> Array:
        """The middle line (m, 2) of an arm at t (m,), from 0 in the middle of the view to 1 at its end."""
        angle = 2 * np.pi * (self.turns * t + arm / self.arms)
        return np.asarray(3.5 * t[:, None] * np.column_stack((np.cos(angle), np.sin(angle))))

    def class_density(self, code: int) -> KnownDensity | None:
        """An arm that is blurred, the denser the farther out."""
        return blurred_curve(lambda t: self.middle(code, t), 0.1, 1.0, self.noise, lambda t: t)

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        # The square root makes the outer turns, which are longer, as dense as the inner ones.
        line = self.middle(code, np.sqrt(rng.uniform(0.01, 1.0, n)))
        return line + rng.normal(0, self.noise, line.shape)


@dataclass(frozen=True)
class Xor(ClassGenerator):
    """Exclusive or: four clouds, those in opposite corners are of the same class."""

    id, label = "xor", "XOR"
    cluster_std: float = _cloud()

    def class_density(self, code: int) -> KnownDensity | None:
        """Two Gaussians."""
        return _clouds(_CORNERS[code], self.cluster_std)

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        corners = _CORNERS[code]
        return np.asarray(corners[np.arange(n) % 2] + rng.normal(0, self.cluster_std, (n, 2)))


@dataclass(frozen=True)
class Checkerboard(ClassGenerator):
    """The two colours of a checkerboard: XOR many times over, hard for all that is smooth."""

    id, label = "checkerboard", "checkerboard"
    n_samples: int = samples(300, 1500)
    cells: int = integer(4, soft=(2, 8), valid=(2, 100), help="number of cells along a side", label="cells per side")
    noise: float = _spread(0.0, 0.6)

    def own_cells(self, code: int) -> Array:
        """The column and the row (m, 2) of each cell of a colour."""
        row, column = np.indices((self.cells, self.cells))
        return np.argwhere((row + column) % 2 == code).astype(np.float64)

    def class_density(self, code: int) -> KnownDensity | None:
        """The cells, which may be blurred."""
        low, high = ((2 * (self.own_cells(code) + far) / self.cells - 1) * _EXTENT for far in (0, 1))
        return BlurredBoxes(low, high, self.noise)

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        own = self.own_cells(code)
        places = own[rng.integers(0, len(own), n)] + rng.uniform(0, 1, (n, 2))
        return (2 * places / self.cells - 1) * _EXTENT + rng.normal(0, self.noise, (n, 2))


@dataclass(frozen=True)
class UniformNoise(ClassGenerator):
    """Samples anywhere, their classes at random: nothing can be learned. One class alone is for clustering."""

    id, label = "noise", "uniform noise"
    classes: int = integer(
        2,
        soft=(1, KEYED_CLASSES),
        valid=(1, KEYED_CLASSES),
        help="number of classes, which do not depend on the place",
    )

    @property
    def n_classes(self) -> int:
        """As many as asked for."""
        return self.classes

    def class_density(self, code: int) -> KnownDensity | None:
        """The whole square."""
        return BlurredBoxes(np.full((1, 2), -_EXTENT), np.full((1, 2), _EXTENT))

    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        return rng.uniform(-_EXTENT, _EXTENT, (n, 2))
