"""Spectral clustering against scikit-learn, and its cuts against all there are."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from sklearn.cluster import SpectralClustering as Theirs
from sklearn.metrics import adjusted_rand_score

from mlviz.algorithms.clustering.spectral import MOST_NODES, SpectralClustering
from mlviz.data.generators.catalog import generators
from mlviz.draw.layer import Context
from mlviz.draw.marks import Points, Segments
from mlviz.numerics.graphs.laplacian import laplacian
from mlviz.numerics.grid import Grid
from tests.sweep import each

GRID = Grid.over((-4, 4, -4, 4), 40, 30)
SETTINGS = (
    ("moons", {}),
    ("circles", {"n_neighbors": 6}),
    ("circles", {"graph": "gaussian", "sigma": 0.3}),
    ("blobs", {"n_clusters": 3}),
    ("blobs", {"n_clusters": 4, "graph": "gaussian", "sigma": 1.0}),
    ("spirals", {"n_clusters": 5, "n_neighbors": 5}),
)


def drawn(name, n=200, seed=0):
    return generators()[name](n_samples=n).generate(seed).X


def context(model, X, **more):
    rows = np.arange(len(X))
    return Context(X, None, rows, SpectralClustering(), "clustering", grid=GRID, field=model.on_grid(GRID), **more)


@pytest.mark.filterwarnings("ignore:Graph is not fully connected")
@pytest.mark.parametrize(("name", "settings"), SETTINGS)
def test_clusters_are_those_of_scikit_learn(name, settings):
    X, algorithm = drawn(name), SpectralClustering(**settings)
    model = algorithm.fit(X)
    namespace = {"SpectralClustering": Theirs}
    theirs = eval(algorithm.code(model).steps[0], namespace).fit(X)
    assert adjusted_rand_score(model.labels, theirs.labels_) == 1
    assert model.grouping.settled
    # The first cluster is that of the leftmost sample.
    assert model.labels[np.argmin(X[:, 0])] == 0


@each("kind, name", ["random walk", "symmetric", "unnormalized"], ["moons", "blobs"])
def test_no_cut_is_below_the_sum_of_the_eigenvalues(kind, name):
    """Against every way to cut a graph of eight nodes into two or three parts."""
    X = drawn(name, 8, seed=3)
    for k in (2, 3):
        model = SpectralClustering(k, n_neighbors=3, laplacian=kind).fit(X)
        W = model.data.graph.W
        expected = np.linalg.eigvalsh(laplacian(model.data.graph, model.data.normalized))[: len(model.data.eigenvalues)]
        np.testing.assert_allclose(model.data.eigenvalues, expected, rtol=0, atol=1e-9)
        size = W.sum(axis=1) if model.data.normalized else np.ones(8)

        def cost(labels, W=W, size=size, k=k):
            parts = [labels == code for code in range(k)]
            return sum(W[np.ix_(part, ~part)].sum() / size[part].sum() for part in parts)

        # A cut is the same whatever its parts are called, so that the first node is in the first part.
        every = (np.array((0, *others)) for others in itertools.product(range(k), repeat=7))
        least = min(cost(labels) for labels in every if len(set(labels.tolist())) == k)
        assert model.bound <= least + 1e-12
        assert model.cut == pytest.approx(cost(model.grouping.labels)) and model.cut >= least - 1e-12
        assert model.least == (pytest.approx(least) if k == 2 else None)
        centers = X[:k]
        nearest = ((model.data.places[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        assert model.rating == model.cut and model.rating_of(centers) == pytest.approx(cost(nearest))


def test_the_cuts_of_two_are_in_order():
    X = np.vstack((drawn("moons", 50), (6.0, 6.0)))
    model = SpectralClustering(graph="gaussian", sigma=0.8).fit(X)
    facts = model.facts()
    assert model.bound <= facts["smallest cut along eigenvector 2"] <= model.cut + 1e-12
    assert facts["minimum cut"].endswith("1 of 51 nodes cut off") and "smallest cut of all" not in facts


def test_the_largest_gap_finds_blobs_that_lie_apart():
    X = np.random.default_rng(0).normal(size=(90, 2)) * 0.3 + np.repeat([[0, 0], [2, 0], [1, 2]], 30, axis=0)
    model = SpectralClustering(3, graph="gaussian", sigma=0.5).fit(X)
    assert model.largest_gap == 3 and model.eigengap == pytest.approx(np.diff(model.data.eigenvalues)[2])
    assert sorted(np.bincount(model.labels).tolist()) == [30, 30, 30]


@each(
    "kind, settings",
    ["random walk", "symmetric", "unnormalized"],
    [{}, {"n_neighbors": 2}, {"graph": "gaussian"}, {"n_clusters": 1}],
)
def test_eigenvalues_that_no_cluster_needs_are_found_when_they_are_asked_for(kind, settings):
    """Those beyond the ones of the fit, of many and of few nodes, are as exact as if all were found at once."""
    for n in (6, 100, 400):
        model = SpectralClustering(laplacian=kind, **settings).fit(drawn("blobs", n))
        assert model.data.U.shape[1] == 2 and "eigenvalues" not in vars(model.data)
        expected = np.linalg.eigvalsh(laplacian(model.data.graph, model.data.normalized))[:11]
        np.testing.assert_allclose(model.data.eigenvalues, expected, rtol=0, atol=1e-11 * model.size)
        assert (np.diff(model.data.eigenvalues) >= 0).all()


def test_components_beyond_k_are_told():
    X = np.repeat([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [9.0, 9.0]], 5, axis=0) + np.linspace(0, 1, 20)[:, None]
    model = SpectralClustering(2, n_neighbors=2).fit(X)
    assert model.components == 4 and "4 components" in model.caveat
    assert len(np.unique(model.labels)) == 2 and model.cut == 0 and model.bound == 0
    assert not SpectralClustering(4, n_neighbors=2).fit(X).caveat


@each("kind, graph", ["random walk", "symmetric", "unnormalized"], ["nearest neighbours", "gaussian"])
def test_fewer_samples_than_clusters(kind, graph):
    algorithm = SpectralClustering(4, graph=graph, laplacian=kind)
    for n in (1, 2, 3):
        model = algorithm.fit(np.arange(2.0 * n).reshape(n, 2))
        assert sorted(model.labels.tolist()) == list(range(n)) and "for k = 4" in model.caveat
    # Too narrow a width leaves all alone; the one place is one cluster.
    assert SpectralClustering(2, graph="gaussian", sigma=1e-9, laplacian=kind).fit(drawn("moons", 30)).components == 30
    # Copies of a sample are one node.
    assert (algorithm.fit(np.ones((30, 2))).labels == 0).all()
    assert len(algorithm.fit(np.repeat(drawn("moons", 20), 3, axis=0)).data.places) == 20


def test_many_samples_are_clustered_by_some():
    X = drawn("moons", 5000)
    model = SpectralClustering(n_neighbors=8).fit(X)
    assert (
        len(model.data.places) == MOST_NODES
        and f"{MOST_NODES} of 5,000 different samples, drawn at random" in model.caveat
    )
    np.testing.assert_array_equal(model.labels, model.predict(X))
    assert SpectralClustering().code(model) is None


def test_pictures():
    X = drawn("moons", 60)
    model = SpectralClustering(n_neighbors=5).fit(X)
    marks = {overlay.id: overlay.draw(model, context(model, X)) for overlay in SpectralClustering.overlays}
    W = model.data.graph.W
    drawn_edges = {role: sum(len(m.start) for m in marks["edges"] if m.role == role) for role in ("edge", "heavy edge")}
    cut = sum(len(m.start) for m in marks["edges"] if m.role == "cut edge")
    assert all(isinstance(mark, Segments) for mark in marks["edges"])
    assert sum(drawn_edges.values()) + cut == model.data.graph.edge_count == np.count_nonzero(W) // 2
    i, j, weights = model.data.graph.edges(0.1, 40)
    np.testing.assert_array_equal(weights, np.sort(W[np.triu_indices(60)])[::-1][:40])
    np.testing.assert_array_equal(weights, W[i, j])
    i, j = np.nonzero(np.triu(model.data.graph.W))
    assert cut == np.count_nonzero(model.grouping.labels[i] != model.grouping.labels[j])
    (coloured,) = marks["eigenvector"]
    assert isinstance(coloured, Points) and np.array_equal(coloured.xy, X[coloured.rows])
    region, borders = marks["regions"]
    np.testing.assert_array_equal(region.classes, model.predict(GRID.points()).reshape(GRID.shape))
    ends = borders.xy[np.isfinite(borders.xy[:, 0])]
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        gaps = np.hypot(*(X - (start + end) / 2).T)
        near = np.argsort(gaps)[:2]
        assert gaps[near[0]] == pytest.approx(gaps[near[1]]) and len(set(model.labels[near].tolist())) == 2
    charts = {chart.id: chart.draw(model, context(model, X)) for chart in SpectralClustering.charts}
    (handle,) = charts["eigenvalues"].handles
    assert handle.values[handle.at] == 2 and handle.points[handle.at][1] == model.data.eigenvalues[1]
    assert sum(len(m.xy) for m in charts["second"].marks if m.role.startswith("dot")) == 60


def test_explanation_tells_the_nearest_sample():
    X = drawn("moons", 60)
    model = SpectralClustering(n_neighbors=5).fit(X)
    place = X[7] + 1e-3
    said = model.explain(place)
    assert said.sentence.startswith(f"cluster {model.labels[7] + 1}: that of the nearest sample, 0.00141 away")
    assert f"joined with {np.count_nonzero(model.data.graph.W[model.data.node_of_sample[7]])} others" in said.sentence


@each("kind, settings", ["random walk", "symmetric", "unnormalized"], [{}, {"n_neighbors": 3}, {"graph": "gaussian"}])
def test_the_residual_of_the_eigenvectors_is_told(kind, settings):
    """It is rounding, and what a wrong vector leaves is none."""
    model = SpectralClustering(laplacian=kind, **settings).fit(drawn("blobs", 500))
    assert model.residual < 1e-12
    wrong = model.data.U.copy()
    wrong[0, -1] += np.abs(wrong[:, -1]).max()
    assert replace(model, data=replace(model.data, U=wrong)).residual > 1e-6


@pytest.mark.parametrize("laplacian_kind", ["random walk", "symmetric", "unnormalized"])
def test_clusters_do_not_depend_on_how_the_eigenvalues_are_found(laplacian_kind, monkeypatch):
    for seed, sigma in ((1, 0.5), (2, 1.0), (3, 0.3)):
        X = np.random.default_rng(seed).normal(size=(320, 2))
        method = SpectralClustering(n_clusters=3, graph="gaussian", sigma=sigma, laplacian=laplacian_kind)
        quick = method.fit(X).labels
        with monkeypatch.context() as patch:
            patch.setattr("mlviz.numerics.graphs.laplacian._MANY", 1000)
            np.testing.assert_array_equal(method.fit(X).labels, quick)
