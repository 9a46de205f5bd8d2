"""The examples of the menu: what there is to be seen, and the data that show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import (
    Blobs,
    Checkerboard,
    Circles,
    Generator,
    HillRegression,
    Moons,
    SineRegression,
    TwoGaussians,
    Xor,
)
from mlviz.scene.failures import failure_of
from mlviz.ui.datasets.preset_rows import GROUPS_APART

_WILD: Mapping[str, Any] = {"basis": "polynomial", "degree": 9, "penalty": "L2", "lambda_": 1e-9}


class Example(NamedTuple):
    """A title, what there is to be seen, the generator of data that show it, and the hyperparameters that it takes.

    Instead of a generator it may name a failure, whose samples it draws; those of clusters name a clustering method,
    which is taken with the hyperparameters where none stands there yet.
    """

    title: str
    about: str
    generator: Generator | str
    settings: Mapping[str, Any] = {}
    clustering: str = ""

    def samples(self) -> Dataset:
        """The samples that are drawn."""
        if isinstance(self.generator, str):
            failure = failure_of(self.generator)
            return failure.samples(failure.seed)
        return self.generator.generate(self.generator.seed)


EXAMPLES: tuple[Example, ...] = (
    Example(
        "Separable classes",
        "A line separates them: see perceptron, hard margin, and how many lines would do.",
        TwoGaussians(sigma=0.5, sigma_2=0.5, n_samples=60),
    ),
    Example(
        "Overlapping classes",
        "No method is right everywhere: see slack, probabilities and the reject option.",
        TwoGaussians(sigma=1.2, sigma_2=1.2, n_samples=120),
    ),
    Example(
        "A rare class",
        "One class is ten times rarer: see class weights, thresholds and costs.",
        TwoGaussians(sigma=1.1, sigma_2=1.1, n_samples=220, imbalance=10.0),
    ),
    Example(
        "Classes of different spread",
        "Their true boundary is curved: see quadratic against linear discriminant analysis.",
        TwoGaussians(sigma=0.4, sigma_2=1.4, n_samples=160),
    ),
    Example(
        "A ring around a disc",
        "No line helps, a circle does: see kernels, and polynomials of degree 2.",
        Circles(n_samples=120),
    ),
    Example(
        "Exclusive or",
        "Each input alone says nothing: see a product of inputs, and why an additive kernel fails.",
        Xor(n_samples=120),
    ),
    Example(
        "Wrong labels",
        "One label in ten is wrong: see overfitting, and what regularization forgives.",
        Moons(n_samples=120, label_noise=0.1),
    ),
    Example(
        "A checkerboard",
        "Many small regions: see the width of a kernel, and the number of neighbours.",
        Checkerboard(n_samples=300),
    ),
    Example(
        "Ten points of a sine",
        "A polynomial of degree 9 swings wildly between ten points: raise λ, and see the penalty calm it.",
        SineRegression(n_samples=10, period=7.0, seed=3),
        _WILD,
    ),
    Example(
        "Values over the plane",
        "The colour of a point is its value: compare a plane with kernel ridge regression, and drag values (Y).",
        HillRegression(n_samples=60),
    ),
    Example(
        "Four groups",
        "How many clusters? See Study, All criteria, and press Another start: an unlucky one ends elsewhere.",
        Blobs(n_samples=120, centers=4, cluster_std=0.45, seed=1),
        {},
        "kmeans",
    ),
    Example(
        "Two moons",
        "No centre serves a moon: compare k-means with spectral clustering, DBSCAN and single linkage.",
        GROUPS_APART["moons"],
        {},
        "spectral",
    ),
    Example(
        "Two groups with a bridge",
        "Single linkage runs along the bridge and joins both groups: compare Ward's and average linkage.",
        "bridge",
        {"linkage": "single", "n_clusters": 2},
        "hierarchical",
    ),
)
