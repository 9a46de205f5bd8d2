"""A few points for a window."""

import numpy as np
from PySide6.QtWidgets import QLabel

from mlviz.data.dataset import Dataset


def some_points(n=30, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return Dataset(rng.normal(0, 1, (n, 2)) + 2 * labels[:, None], labels)


def with_points(window, n=30):
    window.store.push(window.store.scene.replace(dataset=some_points(n)), "points")
    return window


def told_facts(table):
    """What a table of facts shows, one fact a line."""
    words = [label.text() for label in table.findChildren(QLabel) if label.isVisibleTo(table)]
    return "\n".join(f"{name}\t{value}" for name, value in zip(words[::2], words[1::2], strict=True))
