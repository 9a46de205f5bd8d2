"""Silhouettes against scikit-learn, the gap statistic by its formula, the elbow by its definition."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.metrics import silhouette_samples

from mlviz.numerics.pauses import finished
from mlviz.numerics.scoring.clusters import (
    distances_between,
    elbow,
    gap_statistic,
    silhouettes,
    tibshirani_rule,
    uniform_reference,
    within_sum_of_squares,
)

RNG = np.random.default_rng(1)


def test_silhouettes_are_those_of_scikit_learn():
    for n, k in ((40, 2), (300, 6), (900, 9)):
        X = RNG.normal(size=(n, 3)) + 1e3
        labels = RNG.integers(k, size=n) - 1
        labels[0] = k + 3  # alone in its cluster
        found = silhouettes(finished(distances_between(X)), labels, np.ones(n))
        assert_allclose(found, silhouette_samples(X, labels), atol=1e-9)


def test_equal_samples_and_single_clusters_have_a_silhouette_or_none():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0]], 3, axis=0)
    distances = finished(distances_between(X))
    assert_allclose(silhouettes(distances, np.repeat([0, 1], 3), np.ones(6)), 1.0)
    assert_allclose(silhouettes(np.zeros((6, 6)), np.repeat([0, 1], 3), np.ones(6)), 0.0)
    assert np.isnan(silhouettes(distances, np.zeros(6, dtype=int), np.ones(6))).all()


def test_a_whole_weight_is_as_many_samples():
    X, labels, weights = RNG.normal(size=(20, 2)), np.arange(20) % 3, RNG.integers(1, 4, size=20)
    many = np.repeat(np.arange(20), weights)
    found = silhouettes(finished(distances_between(X)), labels, weights.astype(float))
    expected = silhouettes(finished(distances_between(X[many])), labels[many], np.ones(len(many)))
    assert_allclose(found[many], expected, atol=1e-12)
    whole = within_sum_of_squares(X[many], labels[many], np.ones(len(many)))
    assert_allclose(within_sum_of_squares(X, labels, weights.astype(float)), whole, rtol=1e-12)


def test_the_gap_is_that_of_its_formula():
    own, reference = RNG.normal(size=5), RNG.normal(size=(5, 7))
    gap, error = gap_statistic(own, reference)
    assert_allclose(gap, reference.mean(axis=1) - own, atol=1e-12)
    assert_allclose(error, reference.std(axis=1) * np.sqrt(1 + 1 / 7), atol=1e-12)
    some = np.column_stack((reference, np.full(5, np.nan)))
    assert_allclose(gap_statistic(own, some), (gap, error), atol=1e-12)
    assert np.isnan(gap_statistic(own, np.full((5, 3), np.nan))).all()
    chosen = [k for k in range(4) if gap[k] >= gap[k + 1] - error[k + 1]]
    assert tibshirani_rule(gap, error) == chosen[0]
    assert tibshirani_rule(np.arange(4.0), np.full(4, 0.5)) is None


def test_a_reference_fills_the_box_of_the_samples():
    X = RNG.normal(size=(2000, 2)) * (5, 0.2) @ [[0.8, 0.6], [-0.6, 0.8]] + 100
    plain = uniform_reference(X, "coordinates", np.random.default_rng(0))
    assert (plain >= X.min(axis=0)).all() and (plain <= X.max(axis=0)).all()
    assert_allclose(np.ptp(plain, axis=0), np.ptp(X, axis=0), rtol=0.02)
    turned = uniform_reference(X, "principal axes", np.random.default_rng(0))
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]
    own, drawn = X @ axes.T, turned @ axes.T
    assert (drawn >= own.min(axis=0) - 1e-9).all() and (drawn <= own.max(axis=0) + 1e-9).all()
    assert_allclose(np.ptp(drawn, axis=0), np.ptp(own, axis=0), rtol=0.02)
    shuffled = uniform_reference(X[::-1], "principal axes", np.random.default_rng(0))
    assert_allclose(shuffled, turned, atol=1e-9)


def test_the_elbow_is_farthest_below_the_line_between_the_ends():
    k = np.arange(1.0, 7.0)
    assert elbow(k, np.array([100.0, 40, 10, 8, 6, 5])) == 2
    assert elbow(k, np.array([100.0, 40, np.nan, 8, 6, 5])) == 1
    assert elbow(k, 10 - k) is None and elbow(k, np.zeros(6)) is None and elbow(k[:2], k[:2]) is None


def test_silhouettes_do_not_change_where_all_weights_are_one_fraction():
    X, labels = np.random.default_rng(3).normal(size=(30, 2)), np.append(np.arange(29) % 3, 3)
    distances = finished(distances_between(X))
    for share in (1e-3, 0.5):
        found = silhouettes(distances, labels, np.full(30, share))
        assert_allclose(found, silhouettes(distances, labels, np.ones(30)), atol=1e-12)
    assert found[-1] == 0.0
