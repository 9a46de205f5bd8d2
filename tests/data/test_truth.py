"""The densities that a generator tells are those of what it draws."""

import numpy as np
import pytest

from mlviz.data.generators.catalog import (
    Blobs,
    Checkerboard,
    Circles,
    ClassGenerator,
    Moons,
    Spirals,
    TwoGaussians,
    UniformNoise,
    Xor,
    generators,
)
from mlviz.numerics.density.bayes import bayes_error, midpoints, true_error
from mlviz.numerics.grid import Grid
from tests.sweep import each

SPOILT = {"imbalance": 3.0, "label_noise": 0.2, "outliers": 0.15, "n_samples": 60_000}
KINDS = [kind for kind in generators().values() if issubclass(kind, ClassGenerator)]
CASES = [
    *(kind(**SPOILT) for kind in KINDS),
    Moons(n_samples=60_000),
    Spirals(arms=3, noise=0.3, n_samples=60_000),
    Checkerboard(cells=3, noise=0.3, n_samples=60_000),
    Circles(factor=0.0, n_samples=60_000),
    UniformNoise(classes=1, n_samples=60_000),
    Blobs(centers=4, seed=5, n_samples=60_000),
]
CELLS, FINER = 12, 15
"""Cells along a side in which samples are counted, and nodes along a side of each of them."""


@pytest.mark.parametrize("generator", CASES, ids=lambda one: f"{one.id}-{one.label_noise}")
def test_as_many_samples_are_drawn_in_each_cell_as_the_truth_says(generator):
    truth, drawn = generator.truth(), generator.further(123)
    x0, x1, y0, y1 = truth.limits
    share = (np.arange(CELLS * FINER) + 0.5) / (CELLS * FINER)
    grid = Grid(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
    joint = truth.on_grid(grid)
    area = (x1 - x0) * (y1 - y0) / joint[0].size
    # Straight edges go through cells of the sum: each is off by as much as a cell of it along the edge.
    edges = isinstance(generator, (Checkerboard, UniformNoise, Xor))
    assert joint.sum() * area == pytest.approx(1, abs=0.03 if edges else 1e-3)
    expected = joint.reshape(-1, CELLS, FINER, CELLS, FINER).sum(axis=(2, 4)) * area * len(drawn)
    ends = [np.linspace(a, b, CELLS + 1) for a, b in ((y0, y1), (x0, x1))]
    for code, wanted in enumerate(expected):
        counted, _, _ = np.histogram2d(*drawn.X[drawn.labels == code].T[::-1], bins=ends)
        off = (counted - wanted) / np.sqrt(wanted + 0.02 * wanted.max() + 1)
        assert np.abs(off).max() < 6 and np.sqrt((off**2).mean()) < 1.6


def test_the_density_of_one_gaussian_is_the_formula():
    truth = TwoGaussians(sigma_2=0.5).truth()
    grid = Grid.over((-4, 4, -3, 3), 30, 20)
    for code, (mean, sigma) in enumerate(zip(TwoGaussians().means(), (0.8, 0.5), strict=True)):
        squares = ((grid.points() - mean) ** 2).sum(axis=1) / sigma**2
        expected = 0.5 * np.exp(-squares / 2) / (2 * np.pi * sigma**2)
        np.testing.assert_allclose(truth.on_grid(grid)[code].ravel(), expected, rtol=1e-10, atol=1e-200)


def test_a_blurred_ring_is_the_formula_with_a_bessel_function():
    from scipy.special import ive

    (outer, _), s = Circles(noise=0.4).truth().densities, 0.4
    r = np.linspace(0.0, 6.0, 40)
    expected = np.exp(-((r - 3) ** 2) / (2 * s**2)) * ive(0, 3 * r / s**2) / (2 * np.pi * s**2)
    np.testing.assert_allclose(outer.on_grid(Grid(r, np.zeros(1)))[0], expected, rtol=1e-9, atol=1e-14)


def test_points_and_curves_without_noise_have_no_density():
    for generator in (Moons(noise=0.0), Blobs(cluster_std=0.0), Xor(cluster_std=0.0), Spirals(noise=1e-4)):
        assert generator.truth() is None
    assert Checkerboard(noise=0.0).truth() is not None


@each("kind, outliers, imbalance", KINDS, (0.0, 0.05, 0.5, 1.0), (1.0, 3.0))
def test_errors_that_are_summed_up_are_off_by_no_more_than_they_say(kind, outliers, imbalance):
    truth = kind(outliers=outliers, imbalance=imbalance).truth()
    coarse, fine = (midpoints(truth.limits, nodes) for nodes in (240, 480))
    rules = (lambda x, y: np.hypot(x, y) < 3.55, lambda x, y: np.hypot(x - 0.7, y) < 4.1, lambda x, y: x > 2 * y + 1)
    sums = []
    for grid in (coarse, fine):
        joint = truth.on_grid(grid)
        wrong = (true_error(joint, rule(grid.x, grid.y[:, None]).astype(int)) for rule in rules)
        sums.append([bayes_error(joint), *wrong])
    for rough, near in zip(*sums, strict=True):
        assert abs(rough.value - near.value) <= rough.error + near.error + 1e-5


def test_where_all_samples_are_outliers_a_square_decides_wrongly_on_its_share_of_the_rim():
    truth = TwoGaussians(outliers=1.0, imbalance=3.0).truth()
    grid = midpoints(truth.limits, 240)
    for half_width in (3.4, 3.6, 3.85):
        within = (np.maximum(np.abs(grid.x), np.abs(grid.y)[:, None]) < half_width).astype(int)
        share = (half_width - 3.3) / (3.9 - 3.3)
        found = true_error(truth.on_grid(grid), within)
        assert found.value == pytest.approx(0.75 * share + 0.25 * (1 - share), abs=found.error + 1e-9)
