"""Sums of kernels whose terms cancel are 0, not rounding."""

import numpy as np
import pytest

from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Polynomial
from mlviz.numerics.kernels.expansion import Expansion
from tests.sweep import sweep

GRID = Grid.over((-3.0, 4.0, -3.0, 4.0), 120, 100)
KERNELS = [Gaussian(0.7), Laplacian(0.7), Exponential(0.7), Polynomial(3, 1.0)]


def expansion(kernel: Kernel, centers: list[list[float]], coef: list[float], offset: float = 0.0) -> Expansion:
    return Expansion(kernel, np.array(centers), np.array(coef), np.array([0.1, 0.3]), offset)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("offset", [0.0, 0.5])
def test_samples_at_one_place_that_pull_both_ways_leave_the_offset(kernel: Kernel, dtype: type, offset: float) -> None:
    places = [[0.1, 0.7], [1.3, 1.1], [0.1, 0.7], [1.3, 1.1], [0.1, 0.7]]
    f = expansion(kernel, places, [1.0, 0.7, -0.7, -0.7, -0.3], offset)
    np.testing.assert_array_equal(f.on_grid(GRID, dtype, finest=1e-2), np.full(GRID.shape, offset, dtype))
    np.testing.assert_array_equal(f.at(GRID.points()), offset)


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_is_rounding_goes_by_all_places_that_are_asked_for(kernel: Kernel) -> None:
    """The kernel of some is millions of times as large at the last of them as at the first."""
    f = expansion(kernel, [[0.1, 0.7], [1.3, 1.1], [0.1, 0.7], [1.3, 1.1], [0.1, 0.7]], [1.0, 0.7, -0.7, -0.7, -0.3])
    np.testing.assert_array_equal(f.at(np.vstack(([0.1, 0.3], 1e3 * GRID.points()))), 0.0)


@pytest.mark.parametrize("kernel", KERNELS[:3])
def test_far_from_its_centres_a_sum_keeps_its_sign(kernel: Kernel) -> None:
    f = expansion(kernel, [[0.0, 0.0], [1.0, 0.0]], [1.0, -1.0])
    far = Grid.over((8.0, 9.0, 8.0, 9.0), 30, 30)
    assert (f.on_grid(far, np.float64, finest=1e-2) < 0).all()
    assert (f.at(far.points()) < 0).all()


def test_a_difference_of_close_places_is_no_rounding() -> None:
    f = expansion(Gaussian(1.0), [[0.0, 0.0], [1e-6, 0.0]], [1.0, -1.0])
    field = f.on_grid(GRID, np.float64, finest=0.0)
    assert float(np.abs(field).max()) == pytest.approx(1e-6 * np.exp(-0.5), rel=1e-3)


@sweep("m, shift, width", [99, 100, 401], [0.0, 7.0, 1e5], [0.02, 0.23, 1.0, 40.0])
def test_evenly_spaced_places_have_the_values_of_places_in_any_order(width: float, shift: float, m: int) -> None:
    rng = np.random.default_rng(m)
    f = Expansion(Gaussian(width), shift + rng.uniform(-4, 4, (60, 1)), rng.normal(0, 10, 60), np.zeros(1), 0.3)
    for low, high in ((-5.0, 3.0), (3.0, -5.0), (30.0, 31.0), (1.0, 1.0)):
        X = shift + np.linspace(low, high, m)[:, None]
        order = rng.permutation(m)
        size = np.abs(f.coef) @ f.kernel.matrix(f.centers, X)
        apart = np.abs(f.at(X)[order] - f.at(X[order]))
        assert (apart <= 1e-13 * (size[order] + 1e-300) * max(1.0, shift / width)).all()
