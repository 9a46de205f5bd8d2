"""Eigenvalues by their ranks against all of them, also where many are equal."""

import numpy as np
import pytest

from mlviz.numerics.graphs.laplacian import laplacian, smallest_eigenvalues
from mlviz.numerics.graphs.similarity import neighbour_graph
from mlviz.numerics.linalg.some_eigenvectors import some_eigenvectors

SEEDS = [(566, 46), (1438, 78), (0, 5), (1, 120)]


def in_pieces(seed, n):
    """A graph of many small pieces: its Laplacian has few different eigenvalues."""
    return neighbour_graph(np.random.default_rng(seed).normal(size=(n, 2)), 1)


@pytest.mark.parametrize(("seed", "n"), SEEDS)
@pytest.mark.parametrize("lifted", [0, 2])
def test_many_equal_eigenvalues_are_all_found_with_vectors_at_right_angles(seed, n, lifted):
    graph = in_pieces(seed, n)
    A = laplacian(graph, True)
    for vector in smallest_eigenvalues(graph, True, lifted).vectors.T:
        A += 4 * A.diagonal().max() * np.multiply.outer(vector, vector)
    for first, last in ((0, 3), (0, n - 1), (n - 3, n - 1)):
        values, U = some_eigenvectors(A, first, last)
        assert values == pytest.approx(np.linalg.eigvalsh(A)[first : last + 1], abs=1e-12 * np.abs(A).max())
        np.testing.assert_allclose(U.T @ U, np.eye(last - first + 1), atol=1e-10)
        np.testing.assert_allclose(A @ U, U * values, atol=1e-10 * np.abs(A).max())


@pytest.mark.parametrize(("seed", "n"), SEEDS)
@pytest.mark.parametrize("normalized", [True, False])
def test_eigenvalues_found_after_some_are_known_are_those_found_at_once(seed, n, normalized):
    graph = in_pieces(seed, n)
    known = smallest_eigenvalues(graph, normalized, 2)
    found = smallest_eigenvalues(graph, normalized, min(n, 11), known)
    at_once = smallest_eigenvalues(graph, normalized, min(n, 11))
    assert found.values == pytest.approx(at_once.values, abs=1e-12)
    assert found.values == pytest.approx(
        np.linalg.eigvalsh(laplacian(graph, normalized))[: len(found.values)], abs=1e-12
    )
    pieces = int(graph.components.max()) + 1
    assert np.count_nonzero(found.values == 0) == min(pieces, len(found.values))
