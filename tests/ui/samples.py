"""A few points for a window."""

import numpy as np

from mlviz.data.dataset import Dataset


def some_points(n=30, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return Dataset(rng.normal(0, 1, (n, 2)) + 2 * labels[:, None], labels)


def with_points(window, n=30):
    window.store.push(window.store.scene.replace(dataset=some_points(n)), "points")
    return window
