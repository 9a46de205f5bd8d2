import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.neighbors import NearestCentroid as Oracle

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.gaussian.nearest_centroid import NearestCentroid
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines, Points, Segments
from mlviz.draw.overlays.centroids import joins
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import trials


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_agrees_with_scikit_learn_on_real_data(load):
    X, y = load(return_X_y=True)
    model, oracle = NearestCentroid().fit(X, y), Oracle().fit(X, y)
    np.testing.assert_allclose(model.centroids, oracle.centroids_, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), oracle.predict(X))


def test_agrees_with_scikit_learn_on_random_problems():
    for seed in trials(200):
        rng = np.random.default_rng(seed)
        k, d, n = rng.integers(2, 6), rng.integers(1, 5), rng.integers(6, 40)
        y = np.concatenate((np.arange(k), rng.integers(0, k, n)))
        X = (rng.normal(size=(len(y), d)) + 10 * rng.normal(size=d)) * 10.0 ** rng.integers(-9, 9)
        model, oracle = NearestCentroid().fit(X, y), Oracle().fit(X, y)
        places = X[rng.permutation(len(X))] + 0.3 * np.std(X) * rng.normal(size=X.shape)
        distance = np.linalg.norm(places[:, None] - oracle.centroids_, axis=2)
        clear = np.ptp(np.sort(distance, axis=1)[:, :2], axis=1) > 1e-6 * np.std(X)
        np.testing.assert_array_equal(model.predict(places)[clear], oracle.predict(places)[clear])


def test_scores_are_half_the_difference_of_squared_distances():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 4
    places = rng.normal(size=(30, 3))

    def squared(model):
        return ((places[:, None] - model.centroids) ** 2).sum(axis=2)

    model = NearestCentroid().fit(X, y)
    scores, gaps = model.decision_function(places), squared(model)
    np.testing.assert_allclose(scores - scores[:, :1], (gaps[:, :1] - gaps) / 2, atol=1e-12)
    model = NearestCentroid().fit(X, y % 2)
    gaps = squared(model)
    np.testing.assert_allclose(model.decision_function(places), (gaps[:, 0] - gaps[:, 1]) / 2, atol=1e-12)
    np.testing.assert_allclose(places @ model.coef + model.intercept, model.decision_function(places), atol=1e-12)
    assert model.facts()["centroid distance"] == pytest.approx(np.linalg.norm(np.diff(model.centroids, axis=0)))


def test_what_can_t_be_fitted_is_told():
    with pytest.raises(CannotFit, match="All samples are of one class"):
        NearestCentroid().fit([[0.0], [1.0]], [1, 1])
    with pytest.raises(CannotFit, match="too far apart"):
        NearestCentroid().fit([[0.0], [1e200]], [0, 1])


def test_the_middle_of_a_join_lies_on_the_boundary():
    rng = np.random.default_rng(2)
    y = np.arange(60) % 5
    X = rng.normal(size=(60, 2)) + 3 * np.column_stack((np.cos(1.26 * y), np.sin(1.26 * y)))
    model = NearestCentroid().fit(X, y)
    context = Context(X, y, np.arange(60), NearestCentroid(), "classification", grid=Grid.over((-5, 5, -5, 5), 9, 9))
    segments, middles = joins.draw(model, context)
    assert isinstance(segments, Segments) and isinstance(middles, Points)
    assert len(segments.start) >= 4
    scores = np.sort(model.decision_function(middles.xy), axis=1)
    np.testing.assert_allclose(scores[:, -1], scores[:, -2], atol=1e-9)
    same = NearestCentroid().fit(np.zeros((4, 2)), [0, 1, 0, 1])
    assert joins.draw(same, context) == ()


def test_the_picture_is_the_bisector_and_says_the_distances():
    X = np.array([(-2.0, -1.0), (-2.0, 1.0), (2.0, -1.0), (2.0, 1.0)])
    scene = Scene(Dataset(X, np.array([0, 0, 1, 1]), class_names=("owl", "cat")), (Panel(Pipeline(NearestCentroid())),))
    (picture,) = draw(scene.with_view(probe=(1.0, 0.0)), [(200, 200)], resolution=30)
    (line,) = [mark for mark in picture.plot.marks if isinstance(mark, Lines) and mark.role == "boundary"]
    np.testing.assert_allclose(line.xy[:, 0], 0, atol=1e-6)
    assert picture.explanation.sentence == "cat: the centroid of cat is 1 away, that of owl is 3 away; f(x) = 4."
    (links,) = picture.explanation.marks
    np.testing.assert_allclose(links.end, [(2, 0), (-2, 0)])


@pytest.mark.parametrize("k", [2, 3])
def test_far_from_zero_scores_keep_their_digits(k):
    rng = np.random.default_rng(3)
    away = 2.0**30
    y = np.arange(60) % k
    X = np.rint(1000 * (rng.normal(size=(60, 2)) + y[:, None])) / 1024  # a shift loses nothing of such numbers
    places = np.rint(1000 * rng.normal(size=(50, 2))) / 1024
    here, there = NearestCentroid().fit(X, y), NearestCentroid().fit(X + away, y)
    scores, moved = here.decision_function(places), there.decision_function(places + away)
    if k > 2:  # the scores of several classes count from the samples' middle: their differences say which is nearer
        scores, moved = scores - scores[:, :1], moved - moved[:, :1]
    np.testing.assert_allclose(moved, scores, atol=1e-6)
