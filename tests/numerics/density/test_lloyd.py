"""The steps of k-means on many samples against every distance."""

import numpy as np
import pytest

from mlviz.numerics.density import lloyd
from mlviz.numerics.density.kmeans_starts import draw_centers
from mlviz.numerics.density.lloyd import LloydRounds, SortedSamples, assign, inertia, update
from tests.sweep import each, trials


def samples(kind, n=1500):
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


def first_rows(given, k):
    return draw_centers(given, k, "random points", np.random.default_rng(0))[0]


@each("k, kind", [1, 2, 9, 40], ["blobs", "lattice", "far away", "tiny", "five inputs", "weights"])
def test_samples_that_are_not_compared_have_the_same_centre(kind, k):
    """Each round is worked out in full from the centres of the round before."""
    given = samples(kind)
    rounds = LloydRounds.of(given, given.places(first_rows(given, k)))
    for _ in range(60):
        centers, spread = rounds.centers, np.ptp(given.columns)
        rounds.assign()
        labels, gaps = assign(given, centers)
        np.testing.assert_array_equal(rounds.labels, labels)
        np.testing.assert_allclose(rounds.inertia, given.weights @ gaps, rtol=1e-12)
        if rounds.settled:
            break
        rounds.update()
        expected = update(given, labels, gaps, k)
        np.testing.assert_allclose(rounds.centers, expected, rtol=1e-13, atol=1e-12 * spread)
        np.testing.assert_allclose(rounds.inertia, inertia(given, labels, rounds.centers), rtol=1e-12)


@pytest.mark.parametrize("far", [1e4, 1e8])
@pytest.mark.parametrize("seed", trials(4))
def test_the_inertia_keeps_its_digits_when_an_outlier_gets_a_centre_of_its_own(far, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3000, 2)) + 5 * rng.normal(size=(4, 2))[rng.integers(4, size=3000)]
    X[0] = far
    given = SortedSamples.of(X, np.ones(3000))
    rounds = LloydRounds.of(given, given.places(np.sort(rng.choice(2900, 5, replace=False))))
    while not rounds.settled:
        rounds.assign()
        np.testing.assert_allclose(rounds.inertia, inertia(given, rounds.labels, rounds.centers), rtol=1e-8)
        if not rounds.settled:
            rounds.update()
            np.testing.assert_allclose(rounds.inertia, inertia(given, rounds.labels, rounds.centers), rtol=1e-8)


def test_a_cluster_that_loses_all_samples_jumps_and_is_followed():
    """The first centre is far from all samples; then it starts at the sample farthest from its own centre."""
    given = samples("blobs")
    start = np.vstack(([[1e3, 0.0]], given.places(first_rows(given, 6))))
    rounds = LloydRounds.of(given, start)
    for number in range(40):
        rounds.assign()
        labels, gaps = assign(given, rounds.centers)
        np.testing.assert_array_equal(rounds.labels, labels)
        assert (number == 0) == (np.bincount(labels, minlength=7).min() == 0)
        rounds.update()
        np.testing.assert_allclose(rounds.centers, update(given, labels, gaps, 7), atol=1e-12)


@pytest.mark.parametrize("kind", ["blobs", "far away", "weights"])
def test_at_the_end_each_sample_is_with_the_nearest_mean(kind):
    given = samples(kind, 20_000)
    rounds, steps = LloydRounds.of(given, given.places(first_rows(given, 9))), []
    rounds.assign()
    while not rounds.settled:
        for step in (rounds.update, rounds.assign):
            steps.append(rounds.inertia)
            step()
    labels, gaps = assign(given, rounds.centers)
    np.testing.assert_array_equal(rounds.labels, labels)
    assert rounds.inertia == pytest.approx(given.weights @ gaps, rel=1e-14)
    assert len(steps) > 40 and (np.diff([*steps, rounds.inertia]) <= 1e-13 * steps[0]).all()


def test_few_samples_are_compared_again(monkeypatch):
    """Near the end hardly any sample is unsure of its centre."""
    given, compared = samples("blobs", 20_000), []
    start = given.places(draw_centers(given, 9, "k-means++", np.random.default_rng(0))[0])
    known = lloyd._two_smallest

    def counting(gaps):
        compared.append(gaps.shape[1])
        return known(gaps)

    monkeypatch.setattr(lloyd, "_two_smallest", counting)
    rounds = LloydRounds.of(given, start)
    rounds.assign()
    assert sum(compared) == 20_000
    for _ in range(60):
        compared.clear()
        rounds.update()
        rounds.assign()
    assert sum(compared) < 1000
