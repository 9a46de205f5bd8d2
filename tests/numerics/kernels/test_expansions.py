"""Sums of kernels whose terms cancel are 0, not rounding."""

import numpy as np
import pytest

from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Polynomial
from mlviz.numerics.kernels.expansion import Expansion, FollowedSum
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


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Laplacian(0.7), Exponential(1.5)])
@pytest.mark.parametrize("d", [1, 2])
def test_a_sum_that_is_followed_is_the_sum_of_all_terms(kernel: Kernel, d: int) -> None:
    """Whatever changes from one time to the next: coefficients, centres, how many there are, where it is asked."""
    rng, followed = np.random.default_rng(d), FollowedSum()
    line = np.linspace(-4, 4, 300)
    X, centers, coef = np.column_stack([line] * d), rng.normal(size=(80, d)), rng.normal(size=80)
    for time in range(200):
        rows = rng.permutation(len(coef))[: rng.integers(0, 40 if time % 7 == 0 else 8)]
        centers, coef = centers.copy(), coef.copy()
        if time % 3:
            centers[rows] += 0.2 * rng.normal(size=(len(rows), d))
        if time % 2:
            coef[rows] = rng.choice([0.0, 1.0, -1.0, 1e6], len(rows))
        if time % 50 == 20:
            centers, coef = centers[1:], coef[1:]
        if time % 40 == 30:
            X = X + 0.1
        values = followed.at(kernel, X, centers, coef)
        assert values is not None
        size = float(np.abs(coef).sum())
        np.testing.assert_allclose(values, kernel.matrix(X, centers) @ coef, rtol=0, atol=1e-11 * max(size, 1e6))


def test_a_sum_that_is_followed_for_long_is_added_up_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the rounding of all its changes would add up."""
    asked, expand = [], Gaussian.expand
    monkeypatch.setattr(
        Gaussian, "expand", lambda self, X, *terms: asked.append(len(terms[1])) or expand(self, X, *terms)
    )
    followed, centers, coef = FollowedSum(), np.arange(80.0)[:, None], np.ones(80)
    for _ in range(121):
        coef = coef + np.eye(80)[3]
        followed.at(Gaussian(1.0), centers, centers, coef)
    assert [place for place, count in enumerate(asked) if count == 80] == [0, 51, 102] and set(asked) == {1, 80}


def test_a_followed_sum_that_cancels_is_left_to_be_added_up() -> None:
    X, centers = np.linspace(-4, 4, 300)[:, None], np.zeros((4, 1))
    followed = FollowedSum()
    assert followed.at(Gaussian(1.0), X, centers, np.array([1.0, 2.0, -1.0, 0.0])) is not None
    assert followed.at(Gaussian(1.0), X, centers, np.array([1.0, 0.0, -1.0, 0.0])) is None
