"""Discs of many clusters on a grid."""

from unittest.mock import patch

import numpy as np

from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.dbscan import Reach


def test_a_node_is_of_the_first_cluster_that_reaches_it_however_many_there_are():
    rng = np.random.default_rng(0)
    grid = Grid(np.linspace(-2, 2, 37), np.linspace(-1, 2, 23))
    nodes, both = grid.points(), 0
    for radius in (1e-3, 0.02, 0.1, 0.4, 1.5, 9.0):
        for clusters in (1, 5, 40, 200):
            X = rng.uniform(-2.5, 2.5, (300, 2))
            X[:40] = nodes[rng.integers(0, len(nodes), 40)]
            labels = rng.permutation(np.arange(300) % clusters)
            distances = np.hypot(*(nodes[:, None] - X).T).T
            near = distances <= radius
            first = np.where(near, labels, clusters).min(axis=1)
            expected = np.where(near.any(axis=1), first, -1).reshape(grid.shape)
            both += int((near.sum(axis=1) > 1).any())
            reach = Reach(X, labels, radius)
            np.testing.assert_array_equal(reach.on_grid(grid), expected)
            with patch("mlviz.numerics.neighbors.dbscan.MOST_SPANS", 0):
                np.testing.assert_array_equal(reach.on_grid(grid), expected)
    assert both > 12


def test_many_clusters_are_laid_on_a_grid_without_a_look_at_each():
    rng = np.random.default_rng(1)
    X = rng.uniform(-4, 4, (3000, 2))
    grid = Grid.over((-4, 4, -4, 4), 100, 100)
    with patch("mlviz.numerics.neighbors.dbscan.discs_on_grid", side_effect=AssertionError):
        found = Reach(X, np.arange(3000), 0.05).on_grid(grid)
    np.testing.assert_array_equal(found.ravel(), Reach(X, np.arange(3000), 0.05).at(grid.points()))
