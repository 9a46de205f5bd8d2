"""A start of centres by hand: its text, where the rest start, and what k-means makes of it."""

import numpy as np
import pytest
import sklearn.cluster
from sklearn.cluster import kmeans_plusplus

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.clustering.kmeans import KMeans
from mlviz.algorithms.clustering.start_by_hand import BY_HAND, places_of, written_of
from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from mlviz.spec import BadValue

BAD = "-2, 0; -2.2, 0.1; -1.8, -0.1"


def blobs(n=150, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) * 0.4 + np.array([(-2, 0), (2, 0), (0, 2)])[np.arange(n) % 3]


def steps(algorithm, X, **weights):
    return list(algorithm.steps(X, None, np.random.default_rng(0), **weights))


def test_the_text_comes_back_and_what_is_none_is_refused():
    places = np.array([(-1.25, 3e-7), (1e6, -0.0)])
    np.testing.assert_array_equal(places_of(written_of(places)), places)
    assert places_of("").shape == (0, 0) and places_of(" ; ").shape == (0, 0)
    assert places_of("1; 2").shape == (2, 1)
    np.testing.assert_array_equal(places_of("−1 2;0.5,0;"), [(-1, 2), (0.5, 0)])
    for wrong in ("1, 2; 3", "a, b", "1, nan", "inf, 0", ";".join(["0, 0"] * 51)):
        with pytest.raises(BadValue):
            KMeans(init=BY_HAND, centers=wrong)


@pytest.mark.parametrize("weighted", [False, True])
def test_k_means_from_there_is_that_of_scikit_learn(weighted):
    X, places = blobs(), places_of(BAD)
    weight = np.random.default_rng(1).uniform(0, 2, len(X)) if weighted else None
    models = steps(KMeans(3, BY_HAND, centers=BAD), X, sample_weight=weight)
    oracle = sklearn.cluster.KMeans(3, init=places, n_init=1, tol=0, max_iter=1000).fit(X, sample_weight=weight)
    assert models[0].stage == "assignment" and np.array_equal(models[0].centers, places)
    np.testing.assert_allclose(models[-1].centers, oracle.cluster_centers_, atol=1e-12)
    assert models[-1].inertia == pytest.approx(oracle.inertia_, rel=1e-12)
    assert all(np.array_equal(model.start, places) for model in models)


def test_a_bad_start_ends_worse_than_a_good_one():
    good = KMeans(3, BY_HAND, centers="-2, 0; 2, 0; 0, 2").fit(blobs())
    bad = KMeans(3, BY_HAND, centers="1.9, 0; 2.1, 0.1; -1, 1").fit(blobs())
    assert bad.inertia > 2 * good.inertia and bad.settled


def test_centres_that_are_not_placed_start_far_from_the_others_and_keep_their_colours():
    X = blobs()
    one = KMeans(3, BY_HAND, centers="-2, 0").start_places(X)
    assert one[0].tolist() == [-2, 0]
    gaps = ((X - one[0]) ** 2).sum(axis=1)
    np.testing.assert_array_equal(one[1], X[gaps.argmax()])
    gaps = np.minimum(gaps, ((X - one[1]) ** 2).sum(axis=1))
    np.testing.assert_array_equal(one[2], X[gaps.argmax()])
    none = KMeans(2, BY_HAND).start_places(X)
    np.testing.assert_array_equal(none[0], X[((X - X.mean(axis=0)) ** 2).sum(axis=1).argmin()])
    # Of more than there are to be the first ones start, and the first cluster is that of the first centre.
    model = KMeans(2, BY_HAND, centers="2, 0; -2, 0; 0, 2").fit(X)
    assert model.predict(np.array([(2.0, 0.0), (-2.0, 0.0)])).tolist() == [0, 1]


@pytest.mark.parametrize("name", ["kmeans", "gmm"])
def test_the_caption_tells_the_places_that_are_used(name):
    method = registry()[name](2, init=BY_HAND, centers="2, 0; -2, 0; 0, 7")
    assert "2, 0; -2, 0" in method.caption() and "7" not in method.caption()
    assert "0, 7" in method.replace(**{method.main: 3}).caption()
    assert method.replace(init="random points" if name == "kmeans" else "start by k-means").caption().count("2, 0") == 0


def test_other_numbers_of_inputs_are_told():
    with pytest.raises(CannotFit, match="2 coordinates per centre, and there are 3 inputs"):
        KMeans(3, BY_HAND, centers=BAD).fit(np.random.default_rng(0).normal(size=(10, 3)))


def test_a_dragged_start_is_followed_and_a_dragged_sample_keeps_the_clusters():
    X, algorithm = blobs(), KMeans(3, BY_HAND, centers=BAD)
    follower = algorithm.follower()
    follower.start_from(algorithm.fit(X))
    moved = algorithm.replace(centers="-2, 0; 2, 0; 0, 2")
    model, fit = follower.update(moved, X, None, None, np.inf), moved.fit(X)
    np.testing.assert_array_equal(model.centers, fit.centers)
    X = X.copy()
    X[0] += 0.1
    model = follower.update(moved, X, None, None, np.inf)
    np.testing.assert_allclose(model.centers, moved.fit(X).centers, atol=1e-12)
    np.testing.assert_array_equal(model.start, [(-2, 0), (2, 0), (0, 2)])


def test_the_start_is_drawn_where_it_is_in_the_units_of_the_axes():
    X = blobs() * [10, 1] + [30, 0]
    algorithm = KMeans(3, BY_HAND, centers="-1, 0; 1, 0; 0, 1")
    scene = Scene(Dataset(X, np.zeros(len(X), dtype=int)), (Panel(Pipeline(algorithm, "standardize")),), view=View())
    (picture,) = draw(scene, [(400, 300)])
    (start,) = [mark for mark in picture.plot.marks if mark.role == "start"]
    np.testing.assert_allclose((start.xy - X.mean(axis=0)) / X.std(axis=0), [(-1, 0), (1, 0), (0, 1)], atol=1e-9)


def test_chances_of_the_next_centre_are_those_of_k_means_plus_plus_and_told():
    X = blobs()
    models = [model for model in steps(KMeans(3), X) if model.stage == "seeding"]
    for model in models[:-1]:
        gaps = ((X[:, None] - model.centers) ** 2).sum(axis=2).min(axis=1)
        np.testing.assert_allclose(model.seeding_chances, gaps / gaps.sum(), atol=1e-15)
        row = int(gaps.argmax())
        assert "the chance of this sample to be the next centre is 0.0" in model.explain(X[row]).sentence
        assert model.facts()["largest chance"] == pytest.approx(gaps.max() / gaps.sum())
        own = model.samples.rows[0]
        assert "chance" in model.explain(X[own]).sentence
    assert "not the next centre" in models[0].explain(models[0].centers[0]).sentence
    # Counted: the second centre is drawn with these chances.
    seconds = [kmeans_plusplus(X, 2, random_state=seed)[1][1] for seed in range(5)]
    assert (models[0].seeding_chances[seconds] > 0).all()


def test_one_cluster_is_named():
    X = blobs()
    model = KMeans(1).fit(X)
    assert model.facts()["the same as"] == "the mean of all samples"
    assert model.inertia == pytest.approx(len(X) * X.var(axis=0).sum())
    assert "the same as" not in KMeans(2).fit(X).facts()


def test_methods_with_a_start_by_hand_begin_with_another_one():
    assert registry()["kmeans"]().given is None
