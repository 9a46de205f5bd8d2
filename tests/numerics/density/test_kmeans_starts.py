"""The best of many starts of k-means, against playing each of them."""

import numpy as np

from mlviz.numerics.density.kmeans_starts import best_start, drawn_starts
from mlviz.numerics.density.lloyd import SortedSamples, assign, update
from tests.sweep import each, trials


def played(samples, centers):
    """The sum of squared distances at the end of Lloyd's rounds."""
    least = np.inf
    while True:
        labels, gaps = assign(samples, centers)
        if not (reached := float(samples.weights @ gaps)) < least:
            return least
        least, centers = reached, update(samples, labels, gaps, len(centers))


@each("k, offset", [1, 2, 3, 7], [0.0, 1e4])
def test_the_best_start_is_that_whose_rounds_end_best(k, offset):
    for seed in trials(24):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(120, 1 + seed % 3)) + offset + 4 * rng.integers(4, size=(120, 1))
        samples = SortedSamples.of(X, rng.integers(0, 3, 120) * 1.0)
        starts = drawn_starts(samples, k, 10, rng)
        ends = [played(samples, start) for start in starts]
        assert ends[best_start(samples, starts)] <= min(ends) * (1 + 1e-7)


def test_starts_are_different_samples_with_weight_as_many_as_there_are():
    X = np.rint(np.random.default_rng(0).normal(size=(40, 2)))
    weights = (np.arange(40) % 3).astype(float)
    there = {tuple(place) for place in X[weights > 0].tolist()}
    for k in (1, 3, 60):
        starts = drawn_starts(SortedSamples.of(X, weights), k, 8, np.random.default_rng(k))
        assert starts.shape == (8, min(k, len(there)), 2)
        for start in starts.tolist():
            assert len({tuple(place) for place in start} & there) == len(start)


def test_of_equally_near_centres_the_first_has_the_sample():
    # Each sample in the middle is as near to one centre as to the other; from either half k-means ends elsewhere.
    X = np.array([[-2.0, 0.0], [0.0, 1.0], [0.0, -1.0], [2.0, 0.0]])
    samples = SortedSamples.of(X, np.array([2.0, 1.0, 1.0, 1.0]))
    starts = np.array([[[-2.0, 0.0], [2.0, 0.0]], [[2.0, 0.0], [-2.0, 0.0]]])
    ends = [played(samples, start) for start in starts]
    assert abs(ends[0] - ends[1]) > 0.1
    assert best_start(samples, starts) == int(np.argmin(ends))
