"""Samples for the checks of a method: ordinary ones, and every kind that breaks programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms import Algorithm
from mlviz.draw.layer import Task
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid

Target = NDArray[Any] | None


class Case(NamedTuple):
    """An algorithm, what it is asked to do, and in how many inputs."""

    algorithm: type[Algorithm]
    task: Task
    d: int

    def __str__(self) -> str:
        return f"{self.algorithm.id}-{self.task}-{self.d}d"


def cases(algorithm: type[Algorithm]) -> list[Case]:
    """The algorithm in each of its tasks, on the plane, and regression over one input too."""
    return [Case(algorithm, task, d) for task in algorithm.tasks for d in ((1, 2) if task == "regression" else (2,))]


def ordinary(case: Case, n: int = 40, seed: int = 0, apart: float = 1.0) -> tuple[Array, Target]:
    """Two overlapping groups (`apart` 1) or two that do not touch (`apart` 4); a wave for regression."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 2
    X = rng.uniform(-1, 1, (n, case.d)) * 1.2 + apart * (group[:, None] - 0.5)
    return X, target(case, X, group, rng)


def target(case: Case, X: Array, group: NDArray[Any], rng: np.random.Generator) -> Target:
    """What is learned from X (n, d) whose samples are in those groups (n,)."""
    match case.task:
        case "classification":
            return group
        case "regression":
            return np.asarray(np.sin(1.5 * X).sum(axis=1) + 0.1 * rng.normal(size=len(X)))
        case _:
            return None


def degenerate(case: Case) -> Iterator[tuple[str, Array, Target]]:
    """Name, X and y of each kind of samples that breaks programs."""
    rng = np.random.default_rng(5)
    X, _ = ordinary(case, 20)
    d, group = case.d, np.arange(20) % 2
    line = np.linspace(-2, 2, 20)[:, None] * np.arange(1, d + 1)
    constant = X.copy()
    constant[:, -1] = 3.0
    places = {
        "no sample": (X[:0], group[:0]),
        "one sample": (X[:1], group[:1]),
        "two samples": (X[:2], group[:2]),
        "two samples of one class": (X[:2], group[:2] * 0),
        "three samples": (X[:3], group[:3]),
        "one class": (X, group * 0),
        "one sample of the other class": (X, np.where(np.arange(20) == 7, 1, 0)),
        "all duplicates, one class": (np.tile(X[:1], (20, 1)), group * 0),
        "all duplicates, opposite classes": (np.tile(X[:1], (20, 1)), group),
        "pairs of duplicates": (np.repeat(X[:10], 2, axis=0), np.repeat(group[:10], 2)),
        "pairs of duplicates, opposite classes": (np.repeat(X[:10], 2, axis=0), group),
        "two places": (np.repeat(X[:2], 10, axis=0), np.repeat(group[:2], 10)),
        "collinear": (line, group),
        "on a lattice": (np.rint(X), group),
        "constant column": (constant, group),
        "scale 1e-9": (X * 1e-9, group),
        "scale 1e9": (X * 1e9, group),
        "offset 1e6": (X + 1e6, group),
        "one far away": (np.vstack((X[:19], np.full((1, d), 1e6))), group),
        "unequal scales": (X * 10.0 ** np.linspace(-6, 6, d), group),
        "codes that are not 0 and 1": (X, group * 4 + 3),
    }
    for name, (points, classes) in places.items():
        y = classes if case.task == "classification" else target(case, np.clip(points, -5, 5), classes, rng)
        yield name, points, y
    if case.task == "regression":
        yield "constant target", X, np.full(20, 2.0)
        yield "target 1e9", X, 1e9 * rng.normal(size=20)
        yield "opposite targets on duplicates", np.tile(X[:1], (20, 1)), group.astype(float)


def grid_over(X: Array, n: int = 25) -> Grid:
    """A grid over the samples with room around them."""
    low, high = (X.min(axis=0), X.max(axis=0)) if len(X) else (np.zeros(2), np.ones(2))
    room = np.maximum(0.3 * (high - low), np.maximum(1e-9 * np.abs(high), 1e-12))
    return Grid.over((low[0] - room[0], high[0] + room[0], low[1] - room[1], high[1] + room[1]), n, n)


def answers(model: Any, X: Array, case: Case) -> NDArray[Any]:
    """What the model says at X, free of the arbitrary names of clusters."""
    if case.task == "clustering":
        labels = model.predict(X)
        return np.asarray(labels[:, None] == labels[None, :])
    return np.asarray(getattr(model, model.field or word(case))(X), dtype=np.float64)


def word(case: Case) -> str:
    """The method with which every model of the task answers."""
    return "transform" if case.task == "decomposition" else "predict"
