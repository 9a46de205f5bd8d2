"""The marginal likelihood of a Gaussian process, its slopes, and its maximum against scikit-learn's."""

import math

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from mlviz.algorithms.kernels.gp import GaussianProcess
from mlviz.algorithms.kernels.gp.settings import MEANS
from mlviz.numerics.kernels.marginal_likelihood import KernelSpectrum, Search
from tests.algorithms.kernels.test_gp import wave
from tests.sweep import trials

ZERO = MEANS[1]


def search_of(algorithm, X, y, weights=None):
    return Search(
        lambda width: algorithm.replace(sigma=width).kernel_function().matrix(X, X),
        y,
        np.ones(len(X)) if weights is None else weights,
        {"gaussian": 2.0, "laplacian": 1.0, "exponential": 1.0}[algorithm.kernel],
    )


def likeliest(search, signal, noise=(1e-4, 10.0)):
    widths = np.geomspace(0.05, 20, 16)
    return search.likeliest(signal, widths, [search.spectrum(width) for width in widths], noise)


@pytest.mark.parametrize(("n", "seed"), [(10, 0), (60, 0), (60, 1), (120, 1)])
def test_the_likeliest_hyperparameters_are_scikit_learns(n, seed):
    X, y = wave(n, seed=seed)
    search = search_of(GaussianProcess(), X, y)
    found, free = likeliest(search, 1.0), likeliest(search, None, (1e-6, 1e3))
    for one, signal in ((found, ConstantKernel(1.0, "fixed")), (free, ConstantKernel(1.0, (1e-4, 1e4)))):
        kernel = signal * RBF(1.0, (0.05, 20)) + WhiteKernel(0.1, (1e-4, 10))
        other = GaussianProcessRegressor(kernel, alpha=0, n_restarts_optimizer=2, random_state=0).fit(X, y)
        assert one.log_likelihood == pytest.approx(other.log_marginal_likelihood_value_, abs=1e-6)
        assert one.width == pytest.approx(other.kernel_.k1.k2.length_scale, rel=1e-3)
        assert one.noise == pytest.approx(other.kernel_.k2.noise_level, rel=1e-3)
        assert abs(one.slope) < 1e-5


def test_of_several_maxima_the_highest_is_found():
    for seed in trials(12):
        rng = np.random.default_rng(seed)
        X = rng.uniform(0, 5, (20, 1))
        search = search_of(GaussianProcess(), X, 0.5 * np.sin(3 * X[:, 0]) + rng.normal(0, 0.5, 20))
        found = likeliest(search, None, (1e-6, 1e3))
        widths = np.geomspace(0.05, 20, 300)
        finer = max(search.spectrum(width).likeliest(None, 1e-6, 1e3)[2] for width in widths)
        assert found.log_likelihood >= finer - 1e-9


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", "exponential"])
def test_its_slopes_are_those_of_the_likelihood(kernel):
    X, y = wave(30, 2)
    weights = np.random.default_rng(0).uniform(0.5, 3, 30)
    search, h = search_of(GaussianProcess(kernel=kernel), X, y, weights), 1e-5
    spectrum = search.spectrum(0.8)

    def at(width, noise):
        return float(search.spectrum(width).log_likelihood(1.3, np.array([noise]))[0])

    by_width = (at(0.8 * math.exp(h), 0.2) - at(0.8 * math.exp(-h), 0.2)) / (2 * h)
    by_noise = (at(0.8, 0.2 * math.exp(h)) - at(0.8, 0.2 * math.exp(-h))) / (2 * h)
    assert search.slope(0.8, (1.3, 0.2, 0.0), spectrum) == pytest.approx(by_width, rel=1e-5)
    assert spectrum.slope_in_noise(1.3, 0.2) == pytest.approx(by_noise, rel=1e-5)
    model = GaussianProcess(kernel=kernel, sigma=0.8, signal_variance=1.3, noise_variance=0.2, mean=ZERO)
    assert model.fit(X, y, sample_weight=weights).evidence.value == pytest.approx(at(0.8, 0.2), rel=1e-10)
    assert isinstance(spectrum, KernelSpectrum)
