"""What a generator is: declared parameters, a seed, and the truth behind the samples, scaled for the view [-4, 4]²."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.data.generators.truth import ClassTruth
from mlviz.draw.tasks import Task
from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.numerics.density.known_densities import KnownDensity
from mlviz.spec import Declared, Parameter, integer, real

MOST_SAMPLES = 100_000
_RIM_BAND = (3.3, 3.9)
"""Outliers of classes lie in this band along the four sides of the view."""
OUTLIER_DISTANCES = (3.0, 3.9)
"""Outliers of values are this far from 0, on the side where the curve is not."""
INPUTS = (-3.5, 3.5)
"""The inputs of values are anywhere between these."""
_LAST = ("imbalance", "label_noise", "outliers")
"""The parameters that spoil a shape stand below those that make it."""


def samples(default: int, most: int) -> Any:
    """Declare the number of samples, with a slider up to `most`."""
    return integer(default, soft=(5, most), valid=(1, MOST_SAMPLES), help="number of samples in all", label="samples")


@dataclass(frozen=True)
class Generator(Declared, ABC):
    """Base of every generator: its declared parameters, and the seed that was drawn with.

    The generator that stands as `source` in a data set carries the seed of that data set, so that it answers for it.
    Label noise and outliers have random streams of their own: all other samples stay as they are without them, and
    a larger share spoils the same samples and some more.
    """

    id: ClassVar[str]
    label: ClassVar[str]
    task: ClassVar[Task]
    """What its samples are usually for."""
    columns: ClassVar[tuple[str, ...]] = ("x1", "x2")
    n_samples: int = samples(100, 500)
    outliers: float = real(0.0, soft=(0.0, 0.3), valid=(0.0, 1.0), help="share of the samples that are thrown far away")
    seed: int = field(default=0, kw_only=True)

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """The declared parameters: number of samples, shape, and what spoils it."""
        order = ("", *_LAST)
        return tuple(sorted(super().parameters(), key=lambda p: order.index(p.name) if p.name in _LAST else 0))

    @classmethod
    def about(cls) -> str:
        """What it draws, in a sentence."""
        return (cls.__doc__ or "").strip()

    @property
    def purpose(self) -> Task:
        """What the samples are for with these parameters."""
        return self.task

    def generate(self, seed: int) -> Dataset:
        """The samples of that seed; their `source` is this generator."""
        drawn = self.replace(seed=seed)
        return replace(drawn.further(seed), source=drawn)

    def further(self, seed: int) -> Dataset:
        """Samples of that seed from the same truth, which depends on the generator's own seed alone."""
        X, labels = self._draw(np.random.default_rng(seed))
        labels = self._mislabelled(labels, np.random.default_rng([seed, 2]))
        return Dataset(self._thrown(X, np.random.default_rng([seed, 3])), labels, self.columns)

    @abstractmethod
    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        """Clean samples: X (n, d) with the `columns`, and labels (n,)."""

    def _mislabelled(self, labels: Labels, rng: np.random.Generator) -> Labels:
        return labels

    def _thrown(self, X: Array, rng: np.random.Generator) -> Array:
        """With the outliers, by all of `rng` that could be needed, so that their number changes nothing else."""
        return np.where(_share(self.outliers, len(X), rng)[:, None], self._far_places(X, rng), X)

    @abstractmethod
    def _far_places(self, X: Array, rng: np.random.Generator) -> Array:
        """For each sample of X (n, d) what it would be as an outlier, (n, d)."""


@dataclass(frozen=True)
class ClassGenerator(Generator):
    """Base of the generators of points in classes."""

    task: ClassVar[Task] = "classification"
    imbalance: float = real(
        1.0,
        soft=(1.0, 20.0),
        valid=(1.0, 1000.0),
        log=True,
        help="how many times more samples the first class has than the last one",
    )
    label_noise: float = real(
        0.0, soft=(0.0, 0.5), valid=(0.0, 1.0), help="share of the samples that are given a wrong class"
    )

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return 2

    @property
    def purpose(self) -> Task:
        """Samples of one class alone are for clustering."""
        return "classification" if self.n_classes > 1 else "clustering"

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        parts = [self._draw_class(code, size, rng) for code, size in enumerate(self._sizes())]
        labels = np.repeat(np.arange(len(parts)), list(map(len, parts)))
        order = rng.permutation(len(labels))
        return np.concatenate(parts)[order], labels[order]

    @abstractmethod
    def _draw_class(self, code: int, n: int, rng: np.random.Generator) -> Array:
        """So many clean samples (n, 2) of a class."""

    def class_density(self, code: int) -> KnownDensity | None:
        """The density of the clean samples of a class; None where it has none, or none that can be worked out."""
        return None

    def truth(self) -> ClassTruth | None:
        """How probable each class is where; None where some class has no density."""
        densities = [self.class_density(code) for code in range(self.n_classes)]
        known = tuple(density for density in densities if density is not None)
        if len(known) < len(densities):
            return None
        return ClassTruth(known, self._shares(), self.label_noise, self.outliers, _RIM_BAND)

    def _shares(self) -> Array:
        """The share of each class (k,): they fall geometrically from the first one to the last."""
        shares = np.geomspace(self.imbalance, 1.0, self.n_classes) if self.n_classes > 1 else np.ones(1)
        return np.asarray(shares / shares.sum())

    def _sizes(self) -> list[int]:
        # The largest remainders get what rounding leaves.
        exact = self.n_samples * self._shares()
        sizes = np.floor(exact).astype(int)
        sizes[np.argsort(sizes - exact, kind="stable")[: self.n_samples - sizes.sum()]] += 1
        return [int(size) for size in sizes]

    def _mislabelled(self, labels: Labels, rng: np.random.Generator) -> Labels:
        if self.n_classes < 2:
            return labels
        chosen = _share(self.label_noise, len(labels), rng)
        return np.where(chosen, (labels + rng.integers(1, self.n_classes, len(labels))) % self.n_classes, labels)

    def _far_places(self, X: Array, rng: np.random.Generator) -> Array:
        side, out, along = rng.integers(0, 4, len(X)), rng.uniform(*_RIM_BAND, len(X)), rng.uniform(-1, 1, len(X))
        turns = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[side]
        return np.asarray(out[:, None] * (turns + along[:, None] * turns[:, ::-1]))


@dataclass(frozen=True)
class RegressionGenerator(Generator):
    """Base of the generators of values: the last column is the target f*(inputs) + noise, all in one class."""

    task: ClassVar[Task] = "regression"
    n_samples: int = samples(40, 300)
    noise: float = real(0.4, soft=(0.0, 2.0), valid=(0.0, 100.0), help="standard deviation of the noise on the target")

    @property
    def inputs(self) -> tuple[int, ...]:
        """The columns that are read: all but the last one."""
        return tuple(range(len(self.columns) - 1))

    @property
    def target(self) -> int:
        """The column that is predicted."""
        return len(self.columns) - 1

    @property
    def arrow(self) -> str:
        """What is predicted of what, by the names of the columns."""
        *inputs, target = self.columns
        read = ", ".join(inputs)
        return f"{read if len(inputs) == 1 else f'({read})'} → {target}"

    @abstractmethod
    def true_values(self, X: Array) -> Array:
        """The true f* at inputs X (n, k), the mean of the target (n,) there where there are no outliers."""

    def _draw(self, rng: np.random.Generator) -> tuple[Array, Labels]:
        X = rng.uniform(*INPUTS, (self.n_samples, self.target))
        y = self.true_values(X) + rng.normal(0, self.noise, self.n_samples)
        return np.column_stack((X, y)), np.zeros(self.n_samples, dtype=np.intp)

    def _far_places(self, X: Array, rng: np.random.Generator) -> Array:
        away = np.where(self.true_values(X[:, :-1]) > 0, -1.0, 1.0)
        return np.column_stack((X[:, :-1], away * rng.uniform(*OUTLIER_DISTANCES, len(X))))


@dataclass(frozen=True)
class CurveGenerator(RegressionGenerator):
    """Base of those with one input: x1 is the input, x2 = f*(x1) + noise the target."""

    @abstractmethod
    def regression_function(self, x: Array) -> Array:
        """The true f*(x) at inputs x (n,)."""

    def true_values(self, X: Array) -> Array:
        """The same at inputs X (n, 1)."""
        return self.regression_function(X[:, 0])


@dataclass(frozen=True)
class SurfaceGenerator(RegressionGenerator):
    """Base of those with two inputs: y = f*(x1, x2) + noise is the target over the plane."""

    columns: ClassVar[tuple[str, ...]] = ("x1", "x2", "y")
    n_samples: int = samples(80, 500)
    noise: float = real(0.2, soft=(0.0, 2.0), valid=(0.0, 100.0), help="standard deviation of the noise on the target")


def _share(share: float, n: int, rng: np.random.Generator) -> Mask:
    """The mask of that share of n rows; those of a smaller share are among them."""
    return np.isin(np.arange(n), rng.permutation(n)[: round(share * n)])
