"""Kernel k-means against k-means itself, every partition there is, and distances written out."""

import itertools

import numpy as np
import pytest

from mlviz.algorithms.clustering.kernel_kmeans import KernelKMeans
from mlviz.algorithms.clustering.kernel_kmeans.model import MOST_PLACES
from mlviz.algorithms.clustering.kmeans import KMeans
from mlviz.draw.layer import Context
from mlviz.draw.marks import Field, Lines
from mlviz.numerics.density.kernel_kmeans import FeatureSpace, Partition, drawn_partition, improvements, reassigned
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Gaussian, Laplacian, Linear, Polynomial
from tests.sweep import each

GRID = Grid.over((-4, 4, -4, 4), 200, 150)
KERNELS = (
    {"kernel": "gaussian", "sigma": 0.6},
    {"kernel": "linear"},
    {"kernel": "polynomial", "degree": 2},
    {"kernel": "laplacian"},
    {"kernel": "exponential"},
    {"kernel": "expression", "expression": "gaussian(0.5) + 0.1*linear^2"},
)


def samples(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) + 1.5 * np.array([[1, 0], [-1, 0], [0, 1]])[rng.integers(3, size=n)]


def inertia(K, labels, weights):
    """The weighted sum of squared distances, from all pairs in each cluster."""
    total = 0.0
    for code in np.unique(labels):
        mine = labels == code
        w = weights[mine]
        gaps = np.diag(K)[mine, None] - 2 * K[np.ix_(mine, mine)] + np.diag(K)[mine]
        total += w @ gaps @ w / (2 * w.sum())
    return total


@each("kernel, size", [Gaussian(0.7), Laplacian(1.0), Polynomial(3, 1.0)], [(7, 3), (6, 3), (10, 2)])
def test_the_best_of_fifty_starts_is_the_best_there_is(kernel, size):
    n, k = size
    X, weights = samples(n, k), np.random.default_rng(k).integers(1, 4, n).astype(float)
    K = kernel.matrix(X, X)
    space, rng = FeatureSpace(K, weights), np.random.default_rng(0)
    ends = [list(improvements(drawn_partition(space, k, "k-means++", rng)))[-1][1] for _ in range(50)]
    labelings = (np.array((0, *rest)) for rest in itertools.product(range(k), repeat=n - 1))
    least = min(inertia(K, labels, weights) for labels in labelings if len(np.unique(labels)) == k)
    assert min(end.objective for end in ends) == pytest.approx(least)


@pytest.mark.parametrize("settings", KERNELS)
def test_every_start_ends_in_a_fixed_point_and_no_step_raises_the_inertia(settings):
    X = samples(60)
    for seed in range(5):
        for init in ("k-means++", "random points"):
            models = list(
                KernelKMeans(n_clusters=3, n_init=1, init=init, **settings).steps(X, None, np.random.default_rng(seed))
            )
            values = [model.objective for model in models]
            assert (np.diff(values) < 0).all() and models[0].stage == "start"
            last, K = models[-1], models[-1].data.seen.kernel.matrix(X, X)
            assert last.settled and last.objective == pytest.approx(inertia(K, last.labels, np.ones(60)))
            np.testing.assert_array_equal(last.predict(X), last.labels)
            assert last.labels[np.argmin(X[:, 0])] == 0


def test_distances_are_those_of_the_feature_space():
    """The features of the polynomial kernel of degree 2 are few."""
    X, places = samples(40), samples(7, seed=5)

    def features(Z):
        x, y = Z.T
        return np.column_stack((x * x, y * y, np.sqrt(2) * x * y, np.sqrt(2) * x, np.sqrt(2) * y, np.ones(len(Z))))

    model = KernelKMeans(n_clusters=3, kernel="polynomial", degree=2).fit(X)
    centers = np.stack([features(X)[model.labels == code].mean(axis=0) for code in range(3)])
    expected = np.linalg.norm(features(places)[:, None] - centers, axis=2)
    np.testing.assert_allclose(model.transform(places), expected, rtol=1e-7)
    own = np.linalg.norm(features(X) - centers[model.labels], axis=1)
    assert model.inertia == pytest.approx((own**2).sum())
    nearest = np.sort(expected[0])
    assert f"in the feature space, at {nearest[0]:.3g}" in model.explain(places[0]).sentence


def test_with_the_linear_kernel_it_is_k_means():
    X = samples(80)
    X = X[np.lexsort(X.T[::-1])]
    space = FeatureSpace(Linear().matrix(X, X), np.ones(80))
    part = drawn_partition(space, 3, "k-means++", np.random.default_rng(0))
    while not part.fixed:
        centers = np.stack([X[part.labels == code].mean(axis=0) for code in range(3)])
        part = reassigned(part)
        np.testing.assert_array_equal(part.labels, ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1))
    ours, theirs = KernelKMeans(n_clusters=3, kernel="linear", n_init=20).fit(X), KMeans(3, n_init=20).fit(X)
    np.testing.assert_array_equal(ours.labels[:, None] == ours.labels, theirs.labels[:, None] == theirs.labels)
    assert ours.inertia == pytest.approx(theirs.inertia)


def test_a_cluster_that_loses_all_its_samples_starts_again():
    X = np.array([[0.0], [1.0], [5.0], [6.0], [20.0]])
    start = Partition.of(FeatureSpace(Linear().matrix(X, X), np.ones(5)), np.array([0, 0, 0, 0, 1]), 3)
    *_, (_, end) = improvements(start)
    assert end.fixed and sorted(np.bincount(end.labels).tolist()) == [1, 2, 2]


def test_weights_are_copies_and_those_without_take_no_part():
    X, weights = samples(40), np.random.default_rng(1).integers(0, 3, 40).astype(float)
    weighted = KernelKMeans(n_clusters=3).fit(X, sample_weight=weights)
    copied = KernelKMeans(n_clusters=3).fit(np.repeat(X, weights.astype(int), axis=0))
    np.testing.assert_array_equal(weighted.labels, copied.predict(X))
    assert weighted.inertia == pytest.approx(copied.inertia)


def test_fewer_clusters_are_told():
    for X, count in (([[1.0, 2.0]] * 5, 1), ([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]], 2)):
        model = KernelKMeans(n_clusters=4).fit(X)
        assert model.partition.k == count and f"only {count} cluster" in model.caveat and model.inertia == 0
    # x and -x have the same square.
    model = KernelKMeans(n_clusters=2, kernel="polynomial", degree=2, coef0=0.0).fit([[1.0, 2.0], [-1.0, -2.0]])
    assert model.partition.k == 1 and model.caveat


def test_many_samples_are_clustered_by_some():
    X = samples(4000)
    model = KernelKMeans(n_clusters=3).fit(X)
    assert len(model.data.places) == MOST_PLACES and "600 of 4,000 different samples, drawn at random" in model.caveat
    np.testing.assert_array_equal(model.labels, model.predict(X))


def test_the_follower_goes_on_from_its_clusters():
    X, follower = samples(60), KernelKMeans(n_clusters=3).follower()
    follower.start_from(KernelKMeans(n_clusters=3).fit(X))
    rng = np.random.default_rng(0)
    for _ in range(10):
        X = X.copy()
        X[3] += 0.1 * rng.normal(size=2)
        model = follower.update(KernelKMeans(n_clusters=3), X, None, None, np.inf)
        assert model.settled
    few = follower.update(KernelKMeans(n_clusters=5), X[:3], None, None, np.inf)
    assert few.partition.k == 3 and follower.update(KernelKMeans(n_clusters=5), X, None, None, np.inf).partition.k == 5


@pytest.mark.parametrize("left", [1, 2])
def test_a_follower_of_fewer_samples_than_clusters_ends_as_a_fit_does(left):
    """None of the former clusters is kept without a sample: such a partition would be changed without end."""
    X, kmeans = samples(4), KernelKMeans(n_clusters=3)
    follower = kmeans.follower()
    follower.update(kmeans, X, None, None, np.inf)
    followed = follower.update(kmeans, X[:left], None, None, 0.0)
    assert followed.partition.k == kmeans.fit(X[:left]).partition.k == left
    assert followed.partition.fixed


@pytest.mark.parametrize("k", [1, 2, 4])
def test_borders_are_where_two_centres_are_equally_far(k):
    X = samples(60)
    model = KernelKMeans(n_clusters=k, sigma=0.6).fit(X)
    context = Context(X, None, np.arange(60), KernelKMeans(), "clustering", grid=GRID, field=model.on_grid(GRID))
    region, *lines = KernelKMeans.overlays[0].draw(model, context)
    assert isinstance(region, Field) and len(lines) == (k > 1)
    np.testing.assert_array_equal(region.classes, model.predict(GRID.points()).reshape(GRID.shape))
    for line in lines:
        assert isinstance(line, Lines)
        near = np.sort(model.transform(line.xy[np.isfinite(line.xy[:, 0])]), axis=1)
        assert np.abs(near[:, 1] - near[:, 0]).max() < 0.01


@each("sigma, far", [0.05, 1.0, 30.0], [1.0, 1e3, 1e200])
def test_of_many_places_the_nearest_centre_is_the_same_as_of_one(sigma, far):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)) + 2.0 * rng.integers(0, 3, (300, 1))
    model = KernelKMeans(n_clusters=4, n_init=1, sigma=sigma).fit(X)
    places = np.vstack((X, far * rng.normal(size=(1000, 4))))
    with np.errstate(over="ignore"):
        expected = np.argmax(model.decision_function(places), axis=1)
    np.testing.assert_array_equal(model.predict(places), expected)


def test_restarts_that_would_take_too_long_are_left_out_and_it_is_said(monkeypatch):
    monkeypatch.setattr("mlviz.algorithms.clustering.kernel_kmeans._RESTARTED", 200_000)
    X = np.random.default_rng(0).normal(size=(100, 2))
    models = list(KernelKMeans(n_clusters=3, n_init=500).steps(X, None, np.random.default_rng(0)))
    made = sum(model.stage == "restart" for model in models)
    assert 1 < made < 100
    assert models[-1].caveat == f"{made} of 500 restarts were made: more would take too long"
