"""Places by distances alone: what scaling, majorization and chances of neighbours are defined by."""

from itertools import islice

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from mlviz.numerics.embedding.distance_matrix import all_distances, distances_between, nearest_of_each, neighbours_kept
from mlviz.numerics.embedding.multidimensional_scaling import _AT_HAND, classical_scaling, majorize, stress_of
from mlviz.numerics.embedding.stochastic_neighbors import conditional_chances, joint_chances, perplexities
from mlviz.numerics.pauses import finished

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3)) * (5, 2, 0.5)
WEIGHTS = RNG.integers(1, 4, 40).astype(float)


def test_distances_are_scipys():
    np.testing.assert_allclose(finished(all_distances(X, "euclidean")), cdist(X, X), atol=1e-7)
    np.testing.assert_allclose(distances_between(X[:, :2]), cdist(X[:, :2], X[:, :2]), atol=1e-12)


def test_classical_scaling_finds_places_with_the_distances_and_the_variances_of_the_principal_axes():
    scaled = finished(classical_scaling(cdist(X, X), WEIGHTS, 3, np.random.default_rng(0)))
    np.testing.assert_allclose(cdist(scaled.coordinates, scaled.coordinates), cdist(X, X), atol=1e-7)
    centred = X - WEIGHTS @ X / WEIGHTS.sum()
    variances = np.linalg.eigvalsh((centred.T * WEIGHTS) @ centred)[::-1]
    np.testing.assert_allclose(scaled.values, variances, rtol=1e-7)
    assert scaled.trace == pytest.approx(variances.sum())


def test_majorization_lowers_the_stress_and_knows_it():
    wanted, start = cdist(X, X), RNG.normal(size=(40, 2))
    steps = list(majorize(wanted, WEIGHTS, start))
    stresses = [step.stress for step in steps]
    assert (np.diff(stresses) <= 1e-9 * stresses[0]).all() and stresses[-1] < 0.1 * stresses[0]
    i, j = np.triu_indices(40, 1)
    last = cdist(steps[-1].places, steps[-1].places)
    by_pairs = (WEIGHTS[i] * WEIGHTS[j] * (wanted[i, j] - last[i, j]) ** 2).sum()
    assert stresses[-1] == pytest.approx(by_pairs)
    assert stress_of(wanted, WEIGHTS, steps[-1].places)[0] == pytest.approx(by_pairs)


@pytest.mark.parametrize("perplexity", [2.0, 10.0, 30.0])
def test_chances_have_the_perplexity_and_the_form_of_gaussians(perplexity):
    squares = cdist(X, X, "sqeuclidean")
    chances, precisions = finished(conditional_chances(squares, perplexity))
    np.testing.assert_allclose(perplexities(chances), perplexity, rtol=1e-4)
    wanted = np.exp(-precisions[:, None] * squares)
    np.fill_diagonal(wanted, 0.0)
    np.testing.assert_allclose(chances, wanted / wanted.sum(axis=1, keepdims=True), atol=1e-12)
    joint = joint_chances(chances)
    assert joint.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(joint, joint.T)


def test_neighbours_are_the_nearest_and_a_turn_keeps_all_of_them():
    distances = cdist(X, X)
    np.testing.assert_array_equal(
        np.sort(nearest_of_each(distances, 4)), np.sort(np.argsort(distances, axis=1)[:, 1:5], axis=1)
    )
    turned = X @ np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    assert neighbours_kept(distances, turned, 5) == 1.0
    assert neighbours_kept(distances, RNG.normal(size=(40, 2)), 5) < 0.4


def test_the_pairs_of_many_samples_are_worked_out_block_by_block():
    rng = np.random.default_rng(3)
    m = 3 * int(_AT_HAND**0.5)
    distances, weights, start = cdist(*2 * [rng.normal(size=(m, 4))]), rng.uniform(0.5, 2, m), rng.normal(size=(m, 2))
    start[1] = start[0]  # no direction
    first, second = islice(majorize(distances, weights, start), 2)
    Y, both = first.places, np.outer(weights, weights)
    d = cdist(Y, Y)
    np.testing.assert_allclose(Y, start - weights @ start / weights.sum(), rtol=1e-12)
    assert first.stress == pytest.approx((both * (distances - d) ** 2).sum() / 2, rel=1e-12)
    assert first.squares == pytest.approx((both * d**2).sum() / 2, rel=1e-12)
    ratio = weights * np.divide(distances, d, out=np.zeros_like(d), where=d > 0)
    moved = (ratio.sum(axis=1)[:, None] * Y - ratio @ Y) / weights.sum()
    np.testing.assert_allclose(second.places, moved, atol=1e-13)
    assert first.moved == pytest.approx(np.sqrt((weights @ (moved - Y) ** 2).sum() / (weights @ Y**2).sum()), rel=1e-12)
