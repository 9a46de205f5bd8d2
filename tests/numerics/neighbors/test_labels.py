"""The label of the nearest sample at the nodes of a grid, against looking at each node."""

import numpy as np

from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.labels import nearest_labels
from mlviz.numerics.neighbors.search import Search
from tests.sweep import each

GRIDS = (
    Grid.over((-4, 4, -4, 4), 200, 150),
    Grid.over((-1e6, 1e6, -4, 4), 53, 41),
    Grid.over((-1e200, 1e200, -1e160, 1), 20, 20),
    Grid.over((-1e60, 1e60, -1e60, 1e60), 5, 5),  # one block, in whose middle the samples are
    Grid(np.array([0.3]), np.array([2.0, 1.0, 0.0])),
)


@each("counts, outlier", [(1, 1), (2, 2), (40, 3), (500, 1), (500, 2), (500, 40)], [1.0, 30.0, 1e5])
def test_blocks_of_nodes_have_the_label_of_each_node(counts, outlier):
    n, k = counts
    X = np.random.default_rng(n).normal(size=(n, 2))
    X[n // 2 :] = np.rint(X[n // 2 :])  # some at one place, and many equally far from a node
    labels = np.minimum((k * (X[:, 0] + 2) / 4).clip(0), k - 1).astype(np.intp)
    X[0] *= outlier
    search = Search(X, "euclidean")
    for grid in GRIDS:
        expected = labels[search.nearest(grid.points(), 1)[0][0]].reshape(grid.shape)
        np.testing.assert_array_equal(nearest_labels(grid, X, labels, search), expected)
