import numpy as np
import pytest

from mlviz.numerics.density.em import em_rounds
from mlviz.numerics.density.gaussian_density import log_joint
from mlviz.numerics.density.gaussian_mixture import (
    LEAST_EIGENVALUE,
    Gaussians,
    SamplesInUnits,
    Units,
    expectation,
    from_labels,
    log_density,
    maximization,
    monomials,
    quadratics_on_grid,
    to_responsibilities,
)
from mlviz.numerics.density.mixture_starts import starts
from mlviz.numerics.grid import Grid
from tests.sweep import trials


def some(k=3, d=2, seed=0):
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(k, d, d))
    weights = rng.uniform(1, 2, k)
    return Gaussians(
        weights / weights.sum(), rng.normal(size=(k, d)), factors @ factors.transpose(0, 2, 1) + 0.1 * np.eye(d)
    )


def one_by_one(mixture, X):
    """Log(weight times density), written out."""
    found = []
    for weight, mean, covariance in zip(mixture.weights, mixture.means, mixture.covariances, strict=True):
        square = np.einsum("ni,ij,nj->n", X - mean, np.linalg.inv(covariance), X - mean)
        found.append(np.log(weight) - 0.5 * (square + np.log(np.linalg.det(2 * np.pi * covariance))))
    return np.array(found)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_log_densities_are_linear_in_the_monomials(d):
    X, mixture = np.random.default_rng(1).normal(size=(50, d)) * 3, some(d=d)
    assert monomials(X.T).shape == (1 + d + d * (d + 1) // 2, 50)
    np.testing.assert_allclose(mixture.coefficients @ monomials(X.T), one_by_one(mixture, X), rtol=1e-9)
    np.testing.assert_allclose(log_joint(mixture, X), one_by_one(mixture, X), rtol=1e-9)


def test_on_a_grid_they_are_the_same():
    grid, mixture = Grid.over((-3, 5, -2, 1), 17, 12), some(4)
    expected = (mixture.coefficients @ monomials(grid.points().T)).reshape(4, *grid.shape)
    np.testing.assert_allclose(quadratics_on_grid(mixture.coefficients, grid), expected, rtol=1e-10)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_shares_add_up_however_far_the_components_are(dtype):
    joint = np.array([[0.0, -1e5, 3.0], [np.log(3.0), -1e5 - 400, 2000.0]], dtype=dtype)
    density = log_density(joint.copy())
    responsibilities, same = to_responsibilities(joint)
    np.testing.assert_allclose(responsibilities.sum(axis=0), 1, rtol=1e-6)
    np.testing.assert_allclose(responsibilities[:, 0], [0.25, 0.75], rtol=1e-6)
    np.testing.assert_allclose(density, [np.log(4.0), -1e5, 2000.0], rtol=1e-6)
    np.testing.assert_array_equal(density, same)


def test_units_suit_every_scale():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) * [1e-9, 1e9, 0.0] + [0.0, 1e12, 5.0]
    weights = rng.uniform(0, 2, 40)
    units = Units.of(X, weights)
    inside = units.inside(X)
    np.testing.assert_allclose(np.average(inside, axis=0, weights=weights), 0, atol=1e-9)
    np.testing.assert_allclose(np.average(inside[:, :2] ** 2, axis=0, weights=weights), 1, atol=1e-9)
    assert units.scale[2] == units.scale.max()
    assert (Units.of(np.full((4, 2), 7.0), np.ones(4)).scale > 0).all()
    for size in (1e-300, 1e300):
        assert np.isfinite(Units.of(size * rng.normal(size=(9, 2)), np.ones(9)).scale).all()
    mixture = some(d=3)
    back = mixture.inside(units).outside(units)
    np.testing.assert_allclose(back.covariances, mixture.covariances, rtol=1e-12)


def expected_likelihood(data, R, mixture):
    """What the M-step maximises: the joint log-likelihood, expected under the responsibilities."""
    return float((R * data.samples.weights * (mixture.coefficients @ data.monomials)).sum())


@pytest.mark.parametrize("kind", ["full", "diagonal", "spherical", "tied"])
@pytest.mark.parametrize("flat", [False, True])
def test_no_mixture_of_the_kind_above_the_floor_is_likelier(kind, flat):
    """Also where the floor is met: samples on a line."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 2)) @ ([[2.0, 1.0], [0.0, 0.0]] if flat else [[2.0, 1.0], [0.0, 0.7]])
    data = SamplesInUnits.of(X, rng.uniform(0.5, 2, 60))
    R = rng.dirichlet(np.ones(3), 60).T
    best = maximization(data, R, kind)
    assert np.linalg.eigvalsh(best.covariances).min() >= LEAST_EIGENVALUE * (1 - 1e-9)
    most = expected_likelihood(data, R, best)
    for _ in trials(100):
        change = 1e-3 * rng.normal(size=(3, 2, 2))
        moved = best.covariances * 1.0
        match kind:
            case "full":
                moved = moved + (change + change.transpose(0, 2, 1)) * LEAST_EIGENVALUE**0.5
            case "tied":
                moved = moved + (change + change.transpose(0, 2, 1))[:1] * LEAST_EIGENVALUE**0.5
            case "diagonal":
                moved = moved * (1 + np.abs(change) * np.eye(2)) if flat else moved * (1 + change * np.eye(2))
            case _:
                moved = moved * (1 + change[:, :1, :1])
        if np.linalg.eigvalsh(moved).min() < LEAST_EIGENVALUE:
            continue
        means = best.means + 1e-3 * rng.normal(size=(3, 2))
        assert expected_likelihood(data, R, Gaussians(best.weights, best.means, moved)) <= most + 1e-9 * abs(most)
        assert expected_likelihood(data, R, Gaussians(best.weights, means, best.covariances)) < most


def test_rounds_settle_where_they_no_longer_move():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 2)) + 4.0 * rng.integers(0, 3, 150)[:, None]
    data = SamplesInUnits.of(X, None)
    *_, (labels, _) = starts(data, np.array([0, 70, 149]))
    *_, last = em_rounds(data, from_labels(data, labels, 3, "full"), "full")
    assert last.settled
    R, likelihood = expectation(data, last.mixture)
    assert likelihood == last.likelihood
    np.testing.assert_allclose(maximization(data, R, "full").means, last.mixture.means, atol=1e-4)


def test_an_empty_cluster_still_makes_a_mixture():
    data = SamplesInUnits.of(np.random.default_rng(0).normal(size=(30, 2)), None)
    mixture = from_labels(data, np.arange(30) % 2, 3, "full")
    assert np.isfinite(mixture.coefficients).all()
    assert mixture.weights[2] < 1e-200
