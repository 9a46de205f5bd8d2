"""Graphs of samples and their normalized Laplacian against scikit-learn and SciPy."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse.csgraph import connected_components, laplacian
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from mlviz.numerics.linalg.graph_laplacian import (
    gaussian_graph,
    neighbour_graph,
    normalized_laplacian,
    smallest_eigenvalues,
)
from mlviz.numerics.pauses import finished
from mlviz.numerics.scoring.clusters import distances_between

RNG = np.random.default_rng(2)
X = np.vstack([RNG.normal(centre, 0.4, (30, 2)) for centre in ((0, 0), (5, 0), (0, 5))])
DISTANCES = finished(distances_between(X))


def test_neighbours_are_those_of_scikit_learn_and_parts_are_eigenvalues_0():
    for count in (1, 4, 10):
        directed = kneighbors_graph(X, count).toarray()
        graph = neighbour_graph(DISTANCES, count)
        assert np.array_equal(graph, np.maximum(directed, directed.T))
        found = normalized_laplacian(graph)
        assert_allclose(found, laplacian(graph, normed=True), atol=1e-12)
        values = smallest_eigenvalues(found, 40)
        assert_allclose(values, np.linalg.eigvalsh(found)[:40], atol=1e-10)
        assert (values == 0).sum() == connected_components(graph)[0]


def test_weights_are_those_of_a_gaussian_kernel():
    graph = gaussian_graph(DISTANCES, 0.7)
    kernel = rbf_kernel(X, gamma=1 / (2 * 0.7**2))
    np.fill_diagonal(kernel, 0.0)
    assert_allclose(graph, kernel, atol=1e-12)
    assert_allclose(normalized_laplacian(graph), laplacian(kernel, normed=True), atol=1e-12)


def test_equally_near_samples_are_all_neighbours_and_a_lone_one_is_a_part():
    square = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
    graph = neighbour_graph(finished(distances_between(square)), 1)
    assert np.array_equal(graph.sum(axis=1), [2, 2, 2, 2])
    assert np.array_equal(neighbour_graph(np.zeros((3, 3)), 1), 1 - np.eye(3))
    far = gaussian_graph(finished(distances_between(np.array([[0.0], [1.0], [1e6]]))), 1.0)
    assert np.array_equal(normalized_laplacian(far)[2], np.zeros(3))
    assert (smallest_eigenvalues(normalized_laplacian(far), 5) == 0).sum() == 2
