"""Samples that no generator of the menu draws, and what is added to those of a generator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mlviz.data.dataset import Dataset

Draw = Callable[[int], Dataset]
Change = Callable[[Dataset], Dataset]


def with_points(*places: tuple[float, float], label: int = 0) -> Change:
    """Samples with further ones of a class at those places."""
    return lambda drawn: drawn.add(np.array(places), label)


def stretched(draw: Draw, *factors: float) -> Draw:
    """Samples whose columns are multiplied by those factors, as if they were measured in other units."""

    def draw_stretched(seed: int) -> Dataset:
        drawn = draw(seed)
        return Dataset(drawn.X * factors, drawn.labels)

    return draw_stretched


def rounded(draw: Draw, step: float) -> Draw:
    """Samples whose numbers are rounded to whole steps, so that many lie at the same place."""

    def draw_rounded(seed: int) -> Dataset:
        drawn = draw(seed)
        return Dataset(step * np.round(drawn.X / step), drawn.labels)

    return draw_rounded


def gaussians(*clouds: tuple[int, tuple[float, float], tuple[float, float], float], one_class: bool = False) -> Draw:
    """Gaussian clouds, each with its number of samples, its mean, the standard deviations along its axes, its angle.

    The angle is in degrees, that of the first of its axes with the horizontal. Each cloud is a class.
    """

    def draw(seed: int) -> Dataset:
        rng, parts = np.random.default_rng(seed), []
        for n, mean, spread, degrees in clouds:
            c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
            parts.append(np.array(mean) + rng.normal(0, spread, (n, 2)) @ np.array([[c, s], [-s, c]]))
        sizes = [cloud[0] for cloud in clouds]
        return Dataset(np.concatenate(parts), np.repeat(np.arange(len(clouds)) * (not one_class), sizes))

    return draw


def twins(n: int, apart: float, noise: float) -> Draw:
    """Two columns that are the same but for a noise of that size, and a third, y = x1 + x2 + noise."""

    def draw(seed: int) -> Dataset:
        rng = np.random.default_rng(seed)
        x = rng.uniform(-3, 3, n)
        X = np.column_stack((x, x + rng.normal(0, apart, n)))
        y = X.sum(axis=1) + rng.normal(0, noise, n)
        return Dataset(np.column_stack((X, y)), np.zeros(n, dtype=np.intp), ("x1", "x2", "y"))

    return draw


def groups_and_noise(n: int, apart: float, noise: float, unit: float) -> Draw:
    """Two groups that differ in x1 and x3, and between these x2: mere noise, in units so many times smaller."""

    def draw(seed: int) -> Dataset:
        rng, group = np.random.default_rng(seed), np.arange(n) % 2
        X = np.column_stack((group, np.full(n, 0.5), group)) * apart + rng.normal(0, noise, (n, 3))
        return Dataset((X - apart / 2) * (1, unit, 1), group, ("x1", "x2", "x3"))

    return draw


def on_the_left(draw: Draw, share: float) -> Draw:
    """That share of the samples, those farthest to the left: to the right of them nothing is known."""

    def draw_left(seed: int) -> Dataset:
        drawn = draw(seed)
        kept = np.sort(np.argsort(drawn.X[:, 0], kind="stable")[: round(share * len(drawn))])
        return Dataset(drawn.X[kept], drawn.labels[kept])

    return draw_left
