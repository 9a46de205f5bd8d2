"""Artificial data sets that know the truth they were drawn from, scaled for the view [-4, 4]²."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mlviz.data.dataset import Array, Dataset
from mlviz.draw.context import Task
from mlviz.spec import Declared, integer, real

Labels = NDArray[np.intp]


@dataclass(frozen=True)
class Generator(Declared):
    """Base of every generator: its declared parameters, and the seed that was drawn with.

    The generator that stands as `source` in a data set carries the seed of that data set, so that it answers for it.
    """

    id: ClassVar[str]
    label: ClassVar[str]
    task: ClassVar[Task]
    seed: int = dataclasses.field(default=0, kw_only=True)

    def generate(self, seed: int) -> Dataset:
        """The samples of that seed; their `source` is this generator."""
        drawn = self.replace(seed=seed)
        X, labels = drawn._draw(np.random.default_rng(seed))
        return Dataset(X, labels, source=drawn)

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        raise NotImplementedError


@dataclass(frozen=True)
class ClassGenerator(Generator):
    """Base of the generators of points in classes."""

    task: ClassVar[Task] = "classification"
    n_samples: int = integer(100, soft=(10, 500), valid=(1, 100_000), help="number of samples in all", label="samples")
    imbalance: float = real(
        1.0,
        soft=(1.0, 20.0),
        valid=(1.0, 1000.0),
        log=True,
        help="how many times more samples the first class has than the last one",
    )

    def _sizes(self, n_classes: int) -> list[int]:
        # Sizes fall geometrically from the first class to the last; the largest remainders get what rounding leaves.
        shares = np.geomspace(self.imbalance, 1.0, n_classes) if n_classes > 1 else np.ones(1)
        exact = self.n_samples * shares / shares.sum()
        sizes = np.floor(exact).astype(int)
        sizes[np.argsort(sizes - exact, kind="stable")[: self.n_samples - sizes.sum()]] += 1
        return [int(size) for size in sizes]


def _mixed(rng: np.random.Generator, parts: Sequence[Array]) -> tuple[Array, Labels]:
    """The points of class 0, 1, ... in random order."""
    order = rng.permutation(sum(map(len, parts)))
    labels = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.concatenate(parts)[order], labels[order]


@dataclass(frozen=True)
class Blobs(ClassGenerator):
    """One round Gaussian cloud for each class, the centers spread at random."""

    id, label = "blobs", "blobs"
    centers: int = integer(
        3, soft=(1, 9), valid=(1, 9), help="number of clouds, each a class of its own", label="classes"
    )
    cluster_std: float = real(
        0.6, soft=(0.0, 2.0), valid=(0.0, 100.0), help="standard deviation of each cloud", label="standard deviation"
    )

    def means(self) -> Array:
        """The true centers (k, 2)."""
        rng = np.random.default_rng([self.seed, 1])
        chosen = [rng.uniform(-2.8, 2.8, 2)]
        while len(chosen) < self.centers:
            # The best of a few candidates keeps the clouds apart without making them regular.
            candidates = rng.uniform(-2.8, 2.8, (8, 2))
            distance = np.linalg.norm(candidates[:, None] - np.array(chosen), axis=2).min(axis=1)
            chosen.append(candidates[np.argmax(distance)])
        return np.array(chosen)

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        sizes = self._sizes(self.centers)
        return _mixed(rng, [rng.normal(m, self.cluster_std, (n, 2)) for m, n in zip(self.means(), sizes, strict=True)])


@dataclass(frozen=True)
class TwoGaussians(ClassGenerator):
    """Two classes, each a Gaussian with a mean of your choice and the same standard deviation."""

    id, label = "two-gaussians", "two Gaussians"
    x_1: float = real(-1.2, soft=(-3.0, 3.0), help="horizontal place of the first mean", label="mean 1, x1")
    y_1: float = real(-0.8, soft=(-3.0, 3.0), help="vertical place of the first mean", label="mean 1, x2")
    x_2: float = real(1.2, soft=(-3.0, 3.0), help="horizontal place of the second mean", label="mean 2, x1")
    y_2: float = real(0.8, soft=(-3.0, 3.0), help="vertical place of the second mean", label="mean 2, x2")
    sigma: float = real(
        0.8, soft=(0.1, 2.0), valid=(0.0, 100.0), help="standard deviation of both classes", label="sigma"
    )

    def means(self) -> Array:
        """The true means (2, 2)."""
        return np.array([[self.x_1, self.y_1], [self.x_2, self.y_2]])

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        sizes = self._sizes(2)
        return _mixed(rng, [rng.normal(m, self.sigma, (n, 2)) for m, n in zip(self.means(), sizes, strict=True)])


@dataclass(frozen=True)
class Moons(ClassGenerator):
    """Two interleaving half circles: no straight line separates them."""

    id, label = "moons", "moons"
    noise: float = real(
        0.25, soft=(0.0, 1.0), valid=(0.0, 100.0), help="standard deviation of the noise on every point"
    )

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        parts = []
        for size, side in zip(self._sizes(2), (1, -1), strict=True):
            angle = rng.uniform(0, np.pi, size)
            arc = side * np.column_stack((2 * np.cos(angle) - 1, 2 * np.sin(angle) - 0.5))
            parts.append(arc + rng.normal(0, self.noise, arc.shape))
        return _mixed(rng, parts)


@dataclass(frozen=True)
class Circles(ClassGenerator):
    """A ring around a ring: only a curved boundary separates them."""

    id, label = "circles", "circles"
    noise: float = real(
        0.25, soft=(0.0, 1.0), valid=(0.0, 100.0), help="standard deviation of the noise on every point"
    )
    factor: float = real(
        0.45, soft=(0.0, 0.95), valid=(0.0, 1.0), help="radius of the inner ring over that of the outer one"
    )

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        parts = []
        for size, radius in zip(self._sizes(2), (3.0, 3.0 * self.factor), strict=True):
            angle = rng.uniform(0, 2 * np.pi, size)
            ring = radius * np.column_stack((np.cos(angle), np.sin(angle)))
            parts.append(ring + rng.normal(0, self.noise, ring.shape))
        return _mixed(rng, parts)


@dataclass(frozen=True)
class Xor(ClassGenerator):
    """Exclusive or: four clouds, those in opposite corners are of the same class."""

    id, label = "xor", "XOR"
    cluster_std: float = real(
        0.6, soft=(0.0, 2.0), valid=(0.0, 100.0), help="standard deviation of each cloud", label="standard deviation"
    )

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        parts = []
        for size, corners in zip(self._sizes(2), ([[1, 1], [-1, -1]], [[1, -1], [-1, 1]]), strict=True):
            centers = 1.6 * np.array(corners, dtype=np.float64)[np.arange(size) % 2]
            parts.append(centers + rng.normal(0, self.cluster_std, centers.shape))
        return _mixed(rng, parts)


@dataclass(frozen=True)
class RegressionGenerator(Generator):
    """Base of the generators of values: x1 is the input, x2 = f*(x1) + noise the target, all in one class."""

    task: ClassVar[Task] = "regression"
    n_samples: int = integer(40, soft=(5, 300), valid=(1, 100_000), help="number of samples", label="samples")
    noise: float = real(0.4, soft=(0.0, 2.0), valid=(0.0, 100.0), help="standard deviation of the noise on the target")

    def regression_function(self, x: Array) -> Array:
        """The true f*(x), the mean of the target at x."""
        raise NotImplementedError

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        x = rng.uniform(-3.5, 3.5, self.n_samples)
        y = self.regression_function(x) + rng.normal(0, self.noise, self.n_samples)
        return np.column_stack((x, y)), np.zeros(self.n_samples, dtype=np.intp)


@dataclass(frozen=True)
class LinearRegression(RegressionGenerator):
    """A straight line with noise."""

    id, label = "linear", "line with noise"
    slope: float = real(0.7, soft=(-2.0, 2.0), valid=(-100.0, 100.0), help="slope of the true line")
    intercept: float = real(0.0, soft=(-2.0, 2.0), valid=(-100.0, 100.0), help="height of the true line at 0")

    def regression_function(self, x: Array) -> Array:
        """The line slope * x + intercept."""
        return self.slope * x + self.intercept


@dataclass(frozen=True)
class SineRegression(RegressionGenerator):
    """A sine wave with noise: no straight line fits it."""

    id, label = "sine", "sine with noise"
    amplitude: float = real(2.0, soft=(0.0, 3.5), valid=(0.0, 100.0), help="height of the wave")
    period: float = real(5.0, soft=(1.0, 14.0), valid=(0.0, 1000.0), open_low=True, log=True, help="length of the wave")

    def regression_function(self, x: Array) -> Array:
        """The wave amplitude * sin(2π x / period)."""
        return self.amplitude * np.sin(2 * np.pi * x / self.period)


GENERATORS: tuple[type[Generator], ...] = (Blobs, TwoGaussians, Moons, Circles, Xor, LinearRegression, SineRegression)


def generators() -> dict[str, type[Generator]]:
    """Id -> class of every generator, in the order of the menu."""
    return {generator.id: generator for generator in GENERATORS}
