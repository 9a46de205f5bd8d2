"""Least squares by squares and by a triangle against singular values: the same minimum, or a refusal."""

import numpy as np
import pytest

from mlviz.numerics.linalg.least_squares import rank_of, solved_columns
from mlviz.numerics.linalg.normal_equations import by_squares, by_triangle
from tests.sweep import sweep


def problem(n, p, condition, seed=0, flat=False):
    """Columns with singular values from 1 to 1/condition, less their means; all add up to 0 where `flat`."""
    rng = np.random.default_rng(seed)
    B, root = rng.normal(size=(n, p)), np.sqrt(rng.dirichlet(np.full(n, 5.0)))
    if flat:
        B -= B.mean(axis=1, keepdims=True)
    B -= np.outer(root, root @ B)
    U, _, Vt = np.linalg.svd(B, full_matrices=False)
    k = min(p - flat, n - 1)
    B = (U[:, :k] * np.geomspace(1, 1 / condition, k)) @ Vt[:k]
    t = rng.normal(size=n)
    return B, t - root * (root @ t), root, k


def shortest(B, t, ridge=0.0, cut=1e-12):
    """The minimum with the least length, by singular values."""
    U, s, Vt = np.linalg.svd(B, full_matrices=False)
    there = s > cut * s[0]
    filtered = np.where(there, s / (s**2 + ridge + ~there), 0.0)
    return Vt.T @ (filtered * (U.T @ t))


SHAPES = [(80, 1), (80, 7), (200, 60), (8, 8), (20, 50), (60, 200)]


@sweep("shape, condition, ridge", SHAPES, [10.0, 1e3], [0.0, 1e-3, 10.0])
def test_squares_give_the_shortest_minimum(shape, condition, ridge):
    n, p = shape
    B, t, root, _ = problem(n, p, condition)
    w = by_squares(B, t, ridge, level=root)
    np.testing.assert_allclose(w, shortest(B, t, ridge), rtol=1e-9, atol=1e-10 * np.abs(w).max())
    if ridge:
        # The gradient at the minimum is 0.
        gradient = B.T @ (t - B @ w) - ridge * w
        assert np.abs(gradient).max() < 1e-13 * np.abs(B.T @ t).max() * condition


@pytest.mark.parametrize("way", [by_squares, by_triangle])
def test_columns_that_add_up_to_nothing_share_their_weights(way):
    B, t, _, _ = problem(90, 12, 100.0, flat=True)
    w = way(B, t, flat=np.ones(12))
    np.testing.assert_allclose(w, shortest(B, t), atol=1e-11 * np.abs(w).max())
    assert abs(w.sum()) < 1e-12 * np.abs(w).sum()


@pytest.mark.parametrize("way", [by_squares, by_triangle])
def test_columns_of_zeros_have_no_weight_and_units_make_no_difference(way):
    B, t, _, _ = problem(50, 5, 10.0)
    unit = 10.0 ** np.array([-6, 0, 3, 6, -3])
    w = way(np.insert(B * unit, 2, 0.0, axis=1), t)
    assert w[2] == 0
    np.testing.assert_allclose(np.delete(w, 2) * unit, way(B, t), rtol=1e-9)


def test_what_has_too_few_digits_is_refused_by_squares_first():
    B, t, *_ = problem(60, 8, 1e6)
    with pytest.raises(np.linalg.LinAlgError):
        by_squares(B, t)
    np.testing.assert_allclose(by_triangle(B, t), shortest(B, t), rtol=1e-8)
    B, t, *_ = problem(60, 8, 1e11)
    with pytest.raises(np.linalg.LinAlgError):
        by_triangle(B, t)


@sweep("shape, condition, ridge", [(60, 8), (8, 20)], [10.0, 1e4, 1e7, 1e11], [0.0, 1e-14, 1e-6, 1.0])
def test_all_ways_together_give_the_minimum_and_the_rank(shape, condition, ridge):
    n, p = shape
    B, t, root, k = problem(n, p, condition)
    w, rank = solved_columns(B, t, 1.0, ridge, level=root)
    assert rank is None if ridge else rank == k
    assert rank_of(B) == k
    oracle = shortest(B, t, ridge)
    value, least = (((t - B @ v) ** 2).sum() + ridge * (v**2).sum() for v in (w, oracle))
    # Singular values of 1e-7 have nine digits; what is left of t is rounding of products with w.
    assert value <= least * (1 + 1e-8) + (1e-12 * np.linalg.norm(w)) ** 2
    assert np.linalg.norm(w) <= np.linalg.norm(oracle) * (1 + 1e-6 * max(1.0, condition / 1e7))


@pytest.mark.parametrize("n", [2, 3, 4, 10])
@pytest.mark.parametrize("ridge", [0.0, 1.0])
@pytest.mark.parametrize("constants", [0, 1])
def test_columns_of_zeros_alone_have_weights_of_zero(n, ridge, constants):
    t = np.arange(n) - (n - 1) / 2
    w, rank = solved_columns(np.zeros((n, 4)), t, 1.0, ridge, constants=constants, level=np.full(n, n**-0.5))
    np.testing.assert_array_equal(w, np.zeros(4))
    assert rank == (None if ridge else 0)
