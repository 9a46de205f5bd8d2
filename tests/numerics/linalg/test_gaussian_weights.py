"""Noise and prior of the largest evidence against MacKay's conditions of it (Neural Computation 4, 1992, 415-447)."""

import numpy as np
import pytest

from mlviz.numerics.linalg.gaussian_weights import SampleSpectrum

CASES = [(500, 1, 1.0), (500, 5, 1.0), (60, 9, 1e3), (30, 4, 1e-6)]


def samples(n, p, size):
    rng = np.random.default_rng(n + p)
    A = rng.normal(size=(n, p))
    return A, size * (1 + A @ rng.normal(size=p) + rng.normal(size=n)), rng.uniform(0.5, 2, n)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize(("n", "p", "size"), CASES)
def test_at_the_largest_evidence_each_is_what_the_other_leaves(n, p, size, flat):
    A, y, weights = samples(n, p, size)
    spectrum = SampleSpectrum.of_samples(A, y, weights, flat)
    noise, prior = spectrum.best()
    mean, determined = spectrum.posterior(noise, prior).mean, spectrum.determined(noise, prior)
    squares = weights @ (y - mean[0] - A @ mean[1:]) ** 2
    assert noise**2 == pytest.approx(squares / (weights.sum() - determined), rel=1e-8)
    pulled = mean[1:] if flat else mean
    assert prior**2 == pytest.approx(pulled @ pulled / (determined - flat), rel=1e-8)


@pytest.mark.parametrize("size", [1e-150, 1e-155, 1e-161, 5e-324, 0.0])
@pytest.mark.parametrize("flat", [True, False])
def test_targets_whose_squares_are_no_numbers_leave_the_least(size, flat):
    A, y, weights = samples(30, 4, size)
    assert min(SampleSpectrum.of_samples(A, y, weights, flat).best()) > 0


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize(("n", "p", "size"), CASES)
def test_the_best_noise_for_a_prior_is_what_the_weights_leave(n, p, size, flat):
    A, y, weights = samples(n, p, size)
    spectrum, prior = SampleSpectrum.of_samples(A, y, weights, flat), 0.7 * size
    noise = spectrum.best_noise(prior)
    mean, determined = spectrum.posterior(noise, prior).mean, spectrum.determined(noise, prior)
    squares = weights @ (y - mean[0] - A @ mean[1:]) ** 2
    assert noise**2 == pytest.approx(squares / (weights.sum() - determined), rel=1e-8)


def test_targets_without_noise_have_the_least_that_is_allowed():
    A, _, weights = samples(30, 4, 1.0)
    spectrum = SampleSpectrum.of_samples(A, A @ np.ones(4), weights, True)
    assert spectrum.best_noise(1.0) == pytest.approx(1e-6 * spectrum.size)
    assert spectrum.best()[0] == pytest.approx(1e-6 * spectrum.size)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize(("n", "p"), [(10, 9), (4, 3), (9, 11), (30, 4), (40, 1)])
def test_no_other_noise_and_prior_have_more_evidence_also_where_nothing_is_left_for_noise(n, p, flat):
    rng = np.random.default_rng(n * p)
    A = rng.normal(size=(n, p)) * np.logspace(0, -3, p)
    for y in (A @ rng.normal(size=p), A @ rng.normal(size=p) + 0.1 * rng.normal(size=n), rng.normal(size=n)):
        spectrum = SampleSpectrum.of_samples(A, 3.0 + y, np.ones(n), flat)
        noise, prior = spectrum.best()
        found, size = float(spectrum.log_evidence(noise, prior)), spectrum.size
        noises, priors = size * np.geomspace(1e-6, 10, 120), size * np.geomspace(1e-5, 1e6, 120)
        assert spectrum.log_evidence(*np.meshgrid(noises, priors)).max() <= found + 1e-6
        assert noise >= 1e-6 * size * (1 - 1e-12)


@pytest.mark.parametrize("of_inputs", [2.0**-60, 2.0**30, 2.0**60])
@pytest.mark.parametrize("noise", [0.0, 0.1, 1e3])
def test_units_of_inputs_change_the_prior_by_their_share_and_nothing_else(noise, of_inputs):
    rng = np.random.default_rng(5)
    A = rng.normal(size=(12, 3))
    y = A @ rng.normal(size=3) + noise * rng.normal(size=12)
    one, other = (SampleSpectrum.of_samples(unit * A, y, np.ones(12), True).best() for unit in (1.0, of_inputs))
    assert other == pytest.approx((one[0], one[1] / of_inputs), rel=1e-6)
