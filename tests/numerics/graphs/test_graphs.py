"""Graphs of samples and their Laplacians against scikit-learn, SciPy and all eigenvalues at once."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.csgraph import laplacian as scipy_laplacian
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from mlviz.numerics.graphs.cuts import cut_into, least_cut, least_cut_along, minimum_cut
from mlviz.numerics.graphs.embedding import signed_eigenvectors
from mlviz.numerics.graphs.lanczos import smallest_beyond
from mlviz.numerics.graphs.laplacian import laplacian, smallest_eigenvalues
from mlviz.numerics.graphs.operators import WholeMatrix, times_laplacian
from mlviz.numerics.graphs.similarity import SimilarityGraph, gaussian_graph, neighbour_graph
from tests.sweep import each, share


def samples(n=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) + 6.0 * np.array([[0, 0], [1, 0], [0, 1]])[rng.integers(3, size=n)]
    return X[np.lexsort(X.T[::-1])]


def graphs(X):
    return [neighbour_graph(X, 2), neighbour_graph(X, 10), gaussian_graph(X, 0.3), gaussian_graph(X, 2.0)]


@pytest.mark.parametrize("count", [1, 5, 89, 200])
def test_neighbours_are_those_of_scikit_learn(count):
    X = samples()
    C = kneighbors_graph(X, min(count, 89)).toarray()
    np.testing.assert_array_equal(neighbour_graph(X, count).W, (C + C.T) / 2)


def test_gaussian_weights_are_those_of_scikit_learn():
    X = samples()
    W = rbf_kernel(X, gamma=1 / (2 * 0.7**2))
    np.fill_diagonal(W, 0)
    np.testing.assert_allclose(gaussian_graph(X, 0.7).W, W, rtol=1e-12, atol=1e-15)


def test_of_many_samples_at_one_place_each_is_joined_with_as_many():
    graph = neighbour_graph(np.repeat([[0.0, 0.0], [1.0, 1.0]], 9, axis=0), 3)
    assert (graph.W[:9, 9:] == 0).all() and (graph.W.diagonal() == 0).all()
    assert graph.W.sum() == 18 * 3


def test_components_are_those_of_scipy_the_largest_first():
    for graph in graphs(samples()):
        count, expected = connected_components(csr_array(graph.W), directed=False)
        found = graph.components
        assert found.max() + 1 == count and len(set(zip(found.tolist(), expected.tolist(), strict=True))) == count
        sizes = np.bincount(found)
        assert (np.diff(sizes) <= 0).all()


@pytest.mark.parametrize("normalized", [False, True])
def test_eigenvalues_are_those_of_the_whole_laplacian(normalized):
    for X in (samples(), samples(300, seed=1), np.rint(samples(60))):
        for graph in graphs(X):
            L = laplacian(graph, normalized)
            np.testing.assert_allclose(L, scipy_laplacian(graph.W, normed=normalized), rtol=0, atol=1e-12)
            found, size = smallest_eigenvalues(graph, normalized, 12), max(1.0, float(L.diagonal().max()))
            np.testing.assert_allclose(found.values, np.linalg.eigvalsh(L)[:12], rtol=0, atol=1e-12 * size)
            products = times_laplacian(graph, normalized, found.vectors)
            np.testing.assert_allclose(products, L @ found.vectors, rtol=0, atol=1e-12 * size)
            np.testing.assert_allclose(products, found.vectors * found.values, rtol=0, atol=1e-12 * size)
            np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(12), rtol=0, atol=1e-12)


def rings(n):
    """A ring of nodes has all its eigenvalues but the ends twice; two of them have them four times."""
    step = np.roll(np.eye(n), 1, axis=0)
    return SimilarityGraph(step + step.T), SimilarityGraph(np.kron(np.eye(2), step + step.T))


@pytest.mark.parametrize("normalized", [False, True])
def test_few_edges_among_many_nodes_lead_to_the_same_eigenvalues(normalized):
    """In a narrow band, in pieces, with nodes at equal distances, and where eigenvalues occur several times."""
    lattice = np.array([(i, j) for i in range(18) for j in range(18)], dtype=float)
    graphs = [neighbour_graph(samples(300, seed), count) for seed, count in ((1, 10), (2, 2), (3, 4))]
    for graph in (*graphs, neighbour_graph(lattice, 4), *rings(300)):
        L = laplacian(graph, normalized)
        found, size = smallest_eigenvalues(graph, normalized, 12), max(1.0, float(L.diagonal().max()))
        np.testing.assert_allclose(found.values, np.linalg.eigvalsh(L)[:12], rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(L @ found.vectors, found.vectors * found.values, rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(12), rtol=0, atol=1e-12)


@pytest.mark.parametrize("count", [1, 3, 8])
def test_no_eigenvalue_that_occurs_several_times_is_missed(count):
    """The way of few products either knows all copies of an eigenvalue, or says that it does not."""
    for graph in rings(300):
        null = np.linalg.eigh(laplacian(graph, True))[1][:, : graph.components.max() + 1]
        found = smallest_beyond(graph, True, null, count)
        if found is not None:
            np.testing.assert_allclose(found[0], np.linalg.eigvalsh(laplacian(graph, True))[null.shape[1] :][:count])
    clear = neighbour_graph(samples(300, 1), 10)
    null = np.linalg.eigh(laplacian(clear, True))[1][:, : clear.components.max() + 1]
    assert smallest_beyond(clear, True, null, count) is not None


def dense_graphs():
    """Gaussian graphs of samples that are equal, far apart, almost or wholly in pieces, or in a lattice."""
    cloud = np.random.default_rng(4).normal(size=(320, 2))
    lattice = np.array([(i, j) for i in range(18) for j in range(18)]) / 3.0
    pieces = 0.4 * cloud + 6.0 * np.arange(320)[:, None] % 2
    yield from (gaussian_graph(cloud, sigma) for sigma in (0.05, 0.1, 0.2, 0.5, 2.0, 9.0))
    yield from (gaussian_graph(pieces, sigma) for sigma in (0.2, 0.5, 1.0))
    yield gaussian_graph(np.repeat(cloud[:160], 2, axis=0), 0.5)
    yield gaussian_graph(np.zeros((320, 2)), 0.5)
    yield gaussian_graph(np.append(cloud, [(40.0, 0.0), (43.0, 0.0), (1e6, 0.0)], axis=0), 0.5)
    yield gaussian_graph(lattice, 0.5)
    weights = np.triu(np.random.default_rng(5).random((320, 320)), 1)
    yield SimilarityGraph(weights + weights.T)
    yield neighbour_graph(np.random.default_rng(6).normal(size=(320, 5)), 40)  # too many for a narrow band


@pytest.mark.parametrize("normalized", [False, True])
def test_graphs_with_many_edges_have_the_same_eigenvalues_as_the_whole_matrix(normalized):
    quick = []
    for graph in share(dense_graphs(), normalized, 2):
        L, null = laplacian(graph, normalized), smallest_eigenvalues(graph, normalized, graph.components.max() + 1)
        size, before = max(float(L.diagonal().max()), 1e-9), len(null.values)
        for count in (1, 4):
            expected = np.linalg.eigvalsh(L)[before:][:count]
            found = smallest_eigenvalues(graph, normalized, before + count)
            values, V = found.values[before:], found.vectors
            np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12 * size)
            np.testing.assert_allclose(L @ V, V * found.values, rtol=0, atol=1e-12 * size)
            np.testing.assert_allclose(V.T @ V, np.eye(before + count), rtol=0, atol=1e-12)
            assert (np.diff(found.values) >= 0).all()
            quick.append(smallest_beyond(graph, normalized, null.vectors, count) is not None)
    assert np.mean(quick) > 0.7  # with equal samples alone all eigenvalues are the same


def test_an_eigenvector_that_was_left_out_is_told():
    """Whatever the next eigenvalue is thought to be: in single precision, too, where it is far from the bound."""
    for graph in (gaussian_graph(samples(), 1.0), neighbour_graph(samples(), 3)):
        for normalized in (False, True):
            values, vectors = np.linalg.eigh(laplacian(graph, normalized))
            bound, matrix = float(values[5]) - 1e-9, WholeMatrix(graph, normalized)
            for beyond in (bound, float(values[6]), float(values[-1])):
                assert matrix.none_below(bound, beyond, vectors[:, :5])
                for left_out in np.flatnonzero(values[:5] < bound):
                    assert not matrix.none_below(bound, beyond, np.delete(vectors[:, :5], left_out, 1))


@pytest.mark.parametrize("normalized", [False, True])
def test_the_shifted_laplacian_is_solved(normalized):
    for graph in (gaussian_graph(samples(), 0.4), neighbour_graph(samples(), 4)):
        matrix = laplacian(graph, normalized) + 0.3 * np.eye(90)
        v = np.random.default_rng(0).normal(size=90)
        solve = WholeMatrix(graph, normalized).solver(0.3)
        np.testing.assert_allclose(solve(v), np.linalg.solve(matrix, v), rtol=1e-10)
    assert WholeMatrix(graph, normalized).solver(-0.3) is None


def test_the_eigenvalue_zero_belongs_to_the_components():
    graph = SimilarityGraph(np.kron(np.eye(4), 1 - np.eye(3)))
    found = smallest_eigenvalues(graph, True, 5)
    assert (found.values[:4] == 0).all() and found.values[4] > 0.1
    assert (np.count_nonzero(found.vectors[:, :4], axis=0) == 3).all()
    alone = smallest_eigenvalues(SimilarityGraph(np.zeros((1, 1))), True, 5)
    assert alone.values.tolist() == [0.0] and alone.vectors.tolist() == [[1.0]]


def small_graphs():
    """Random weights, some of them 0, and graphs in pieces."""
    rng = np.random.default_rng(0)
    for n in (2, 3, 6, 8, 9):
        W = np.triu(rng.integers(0, 4, (n, n)) * rng.random((n, n)), 1)
        yield SimilarityGraph(W + W.T)
    yield SimilarityGraph(np.kron(np.eye(2), 1 - np.eye(3)))
    yield SimilarityGraph(np.zeros((3, 3)))


@pytest.mark.parametrize("normalized", [False, True])
def test_the_least_cuts_are_the_least_of_all(normalized):
    for graph in small_graphs():
        n, size = len(graph.W), graph.degrees if normalized else np.ones(len(graph.W))
        every = [np.array([1, *rest], dtype=bool) for rest in itertools.product((0, 1), repeat=n - 1)][:-1]
        weights = [graph.W[np.ix_(part, ~part)].sum() for part in every]
        costs = [
            sum(weight / size[side].sum() for side in (part, ~part)) if weight else 0.0
            for part, weight in zip(every, weights, strict=True)
        ]
        for part, cost in zip(every, costs, strict=True):
            assert cut_into(graph, part.astype(np.intp), normalized) == pytest.approx(cost)
        assert least_cut(graph, normalized) == pytest.approx(min(costs))
        weight, part = minimum_cut(graph)
        assert weight == pytest.approx(min(weights), abs=1e-12) and 0 < part.sum() < n
        assert graph.W[np.ix_(part, ~part)].sum() == pytest.approx(weight, abs=1e-12)
        values = np.random.default_rng(1).integers(0, 4, n).astype(float)
        at = [costs[k] for k, part in enumerate(every) if values[part].max() < values[~part].min()]
        at += [costs[k] for k, part in enumerate(every) if values[part].min() > values[~part].max()]
        if at:
            assert least_cut_along(graph, values, normalized) == pytest.approx(min(at), abs=1e-12)


def test_eigenvectors_of_components_are_constant_to_the_last_digit():
    """They are sorted for k-means, whose starts are drawn in that order: rounding must not decide about it."""
    for graph in graphs(samples()):
        count = int(graph.components.max()) + 1
        for kind in ("random walk", "unnormalized"):
            spectrum = smallest_eigenvalues(graph, kind == "random walk", count + 2)
            U = signed_eigenvectors(spectrum, graph, kind)
            for number in range(count):
                inside = graph.components == number
                assert len(set(U[inside, number].tolist())) == 1 and (U[~inside, number] == 0).all()
                assert U[inside, number][0] > 0


@each("normalized, neighbours", [False, True], [1, 2, 3])
def test_of_many_components_none_is_missed_when_further_eigenvalues_are_asked_for(normalized, neighbours):
    """The eigenvalue 0 occurs once a component: where fewer were known, the others are found with those that follow."""
    for seed in range(4):
        X = np.random.default_rng(seed).normal(size=(350, 2))
        graph = neighbour_graph(X[np.lexsort(X.T[::-1])], neighbours)
        every = np.linalg.eigvalsh(laplacian(graph, normalized))
        for few in (1, 3, 6):
            known = smallest_eigenvalues(graph, normalized, few)
            found = smallest_eigenvalues(graph, normalized, few + 8, known)
            np.testing.assert_allclose(found.values, every[: few + 8], rtol=0, atol=1e-11)
