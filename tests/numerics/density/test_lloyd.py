"""The steps of k-means on many samples against every distance."""

import numpy as np
import pytest

from mlviz.numerics.density import lloyd
from mlviz.numerics.density.lloyd import Reassignment, SortedSamples, assign, draw_centers, update


def samples(kind, n=4000):
    rng = np.random.default_rng(5)
    weights = np.ones(n)
    X = rng.normal(size=(n, 2)) + 2.0 * rng.integers(3, size=(n, 1))
    if kind == "lattice":  # many samples are equally far from two centres
        X = np.rint(2 * X)
    if kind == "far away":
        X = 1e9 + X
    if kind == "tiny":
        X = 1e-155 * X
    if kind == "five inputs":
        X = rng.normal(size=(n, 5))
    if kind == "weights":
        weights = np.where(rng.random(n) < 0.5, 0.0, rng.random(n))
    return SortedSamples.of(X, weights)


@pytest.mark.parametrize("k", [1, 2, 9, 40])
@pytest.mark.parametrize("kind", ["blobs", "lattice", "far away", "tiny", "five inputs", "weights"])
def test_samples_that_are_not_compared_have_the_same_centre(kind, k):
    given = samples(kind)
    start = given.places(draw_centers(given, k, "random points", np.random.default_rng(0))[0])
    nearest, centers = Reassignment(given), start
    for _ in range(30):
        labels, gaps = nearest.assign(centers)
        expected_labels, expected_gaps = assign(given, centers)
        np.testing.assert_array_equal(labels, expected_labels)
        np.testing.assert_array_equal(gaps, expected_gaps)
        centers = update(given, labels, gaps, len(centers))
    # One jumps, as a centre does that has lost its samples, and others stay.
    centers = centers.copy()
    centers[0] += 3.0 * np.ptp(given.columns, axis=1)
    np.testing.assert_array_equal(nearest.assign(centers)[0], assign(given, centers)[0])


def test_few_samples_are_compared_again(monkeypatch):
    """Near the end hardly any sample is unsure of its centre."""
    given, compared = samples("blobs", 20_000), []
    centers = given.places(draw_centers(given, 9, "k-means++", np.random.default_rng(0))[0])
    known = lloyd._two_nearest

    def counting(columns, centers):
        compared.append(columns.shape[1])
        return known(columns, centers)

    monkeypatch.setattr(lloyd, "_two_nearest", counting)
    nearest = Reassignment(given)
    for _ in range(60):
        centers = update(given, *nearest.assign(centers), 9)
    assert compared[0] == 20_000 and max(compared[40:]) < 1000
