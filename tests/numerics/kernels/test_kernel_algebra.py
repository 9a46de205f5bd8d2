"""Kernels made of kernels, against their values one by one, numerical slopes and the eigenvalues of Gram matrices."""

import warnings

import numpy as np
import pytest

from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.algebra import degree
from mlviz.numerics.kernels.base import Exponential, Gaussian, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.expression import parse
from tests.sweep import each, trials

LIN = lambda a, b: float(a @ b)  # noqa: E731
GAU = lambda s: lambda a, b: np.exp(-((a - b) @ (a - b)) / (2 * s * s))  # noqa: E731
LAP = lambda s: lambda a, b: np.exp(-np.abs(a - b).sum() / s)  # noqa: E731
EXP = lambda s: lambda a, b: np.exp(-np.linalg.norm(a - b) / s)  # noqa: E731

MADE = {
    "gaussian(0.5) + 0.1*linear^2": lambda a, b: GAU(0.5)(a, b) + 0.1 * LIN(a, b) ** 2,
    "gaussian(0.5) * linear": lambda a, b: GAU(0.5)(a, b) * LIN(a, b),
    "2*gaussian(0.8)*polynomial(3, 0.5)": lambda a, b: 2 * GAU(0.8)(a, b) * (LIN(a, b) + 0.5) ** 3,
    "gaussian(0.5) * laplacian(2)": lambda a, b: GAU(0.5)(a, b) * LAP(2)(a, b),
    "exponential(0.5) + laplacian(1)": lambda a, b: EXP(0.5)(a, b) + LAP(1)(a, b),
    "exponential(0.5) * linear": lambda a, b: EXP(0.5)(a, b) * LIN(a, b),
    "(gaussian(0.5) + 0.3*linear + 1)^3": lambda a, b: (GAU(0.5)(a, b) + 0.3 * LIN(a, b) + 1) ** 3,
    "(laplacian(0.5) + linear)^2": lambda a, b: (LAP(0.5)(a, b) + LIN(a, b)) ** 2,
    "exp(gaussian(0.7))": lambda a, b: np.exp(GAU(0.7)(a, b)),
    "0.5*exp(0.3*linear)^2*exp(gaussian(1))": lambda a, b: 0.5 * np.exp(0.6 * LIN(a, b) + GAU(1)(a, b)),
    "exp(laplacian(1))": lambda a, b: np.exp(LAP(1)(a, b)),
    "anova(gaussian(0.4))": lambda a, b: sum(np.exp(-((x - y) ** 2) / 0.32) for x, y in zip(a, b, strict=True)),
    "anova(polynomial(2, 1)) * gaussian(2)": lambda a, b: sum((a * b + 1) ** 2) * GAU(2)(a, b),
    "anova(exponential(0.4))^2": lambda a, b: sum(np.exp(-np.abs(a - b) / 0.4)) ** 2,
    "(0.3*linear + 2)^3": lambda a, b: (0.3 * LIN(a, b) + 2) ** 3,
    "2*(2 + 0.3*linear)^2": lambda a, b: 2 * (0.3 * LIN(a, b) + 2) ** 2,
    "3": lambda a, b: 3.0,
    "gaussian(1) - 0.5*linear": lambda a, b: GAU(1)(a, b) - 0.5 * LIN(a, b),
}
TEXTS = pytest.mark.parametrize("text", MADE)


def random_text(rng, depth=3):
    """A kernel that is positive semidefinite by the way it is made, with a bounded diagonal."""
    simple = ("linear", "gaussian(0.6)", "laplacian(1.5)", "exponential(0.8)", "polynomial(2, 0.5)", "homogeneous(2)")
    if depth == 0:
        return str(rng.choice(simple))
    one, other = random_text(rng, depth - 1), random_text(rng, depth - 1)
    a, b = rng.uniform(0.1, 2, 2)
    made = (
        f"({one}) + {a:.3g}*({other})",
        f"({one}) * gaussian(0.9)",
        f"exp(0.1*gaussian(1)*({one}))",
        f"anova({one})",
        f"({one})^2",
        f"{a:.3g}*({one}) + {b:.3g}",
    )
    return made[rng.integers(len(made))]


@TEXTS
def test_matrix_is_the_formula(text):
    A, B = np.random.default_rng(1).normal(size=(2, 6, 3))
    kernel = parse(text)
    expected = [[MADE[text](a, b) for b in B] for a in A]
    np.testing.assert_allclose(kernel.matrix(A, B), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(A), np.diag(kernel.matrix(A, A)), rtol=1e-12)


def check_grid(kernel, grid, centers, coef):
    exact = kernel.expand(grid.points(), centers, coef).reshape(grid.shape)
    size = max(float(np.abs(exact).max()), float(np.abs(coef) @ np.abs(kernel.diagonal(centers))) * 1e-3)
    assert np.abs(kernel.expand_on_grid(grid, centers, coef) - exact).max() <= 1e-9 * size
    single = kernel.expand_on_grid(grid, centers, coef, np.float32)
    assert single.dtype == np.float32
    assert np.abs(single - exact).max() <= 2e-5 * size


@each("text, limits", MADE, [(-3.0, 3.0, -2.0, 5.0), (10.0, 11.0, -2.0, -1.9)])
def test_grid_mirrors_the_expansion(text, limits):
    rng = np.random.default_rng(0)
    centers, coef = rng.normal(size=(30, 2)), rng.normal(size=30)
    check_grid(parse(text), Grid.over(limits, 90, 120), centers, coef)


@each("text, d", MADE, [1, 2, 3])
def test_gradient_is_the_slope(text, d):
    rng = np.random.default_rng(2)
    centers, coef, X = rng.normal(size=(20, d)), rng.normal(size=20), rng.normal(size=(10, d))
    kernel = parse(text)
    f, gradient = kernel.expand_with_gradient(X, centers, coef)
    np.testing.assert_allclose(f, kernel.expand(X, centers, coef), rtol=1e-9, atol=1e-9)
    h = 1e-6
    for j in range(d):
        step = h * np.eye(d)[j]
        slope = (kernel.expand(X + step, centers, coef) - kernel.expand(X - step, centers, coef)) / (2 * h)
        np.testing.assert_allclose(gradient[:, j], slope, rtol=1e-5, atol=1e-5 * np.abs(gradient).max() + 1e-12)


def test_random_kernels_are_positive_semidefinite_and_mirrored():
    rng = np.random.default_rng(0)
    for _ in trials(150):
        text = random_text(rng)
        kernel = parse(text)
        assert kernel.positive, text
        X = rng.normal(size=(25, 2)) * rng.choice((0.3, 1.0))
        K = kernel.matrix(X, X)
        np.testing.assert_array_equal(K, K.T)
        values = np.linalg.eigvalsh(K)
        assert values[0] >= -1e-12 * values[-1], text
        check_grid(kernel, Grid.over((-1.5, 1.5, -1.0, 2.0), 30, 36), X, rng.normal(size=25))


@pytest.mark.parametrize("text", ["gaussian(1) - 2*gaussian(2)", "-linear", "gaussian(1) + -0.5*linear", "-1*(-2)*-3"])
def test_what_has_a_minus_is_not_known_to_be_positive(text):
    assert not parse(text).positive


@pytest.mark.parametrize(
    ("text", "kernel"),
    [
        ("linear^2", Polynomial(2, 0.0)),
        ("polynomial(2, 3)^3", Polynomial(6, 3.0)),
        ("(linear + 2)^3", Polynomial(3, 2.0)),
        ("(2 + linear)^3", Polynomial(3, 2.0)),
        ("gaussian(2)^4", Gaussian(1.0)),
        ("laplacian(2)^4", Laplacian(0.5)),
        ("exponential(3)^2", Exponential(1.5)),
        ("linear^1", Linear()),
        ("1*linear", Linear()),
        ("-1*-1*linear", Linear()),
        ("2*3", parse("6")),
        ("2*linear + linear", parse("3*linear")),
        ("exp(linear)^2", parse("exp(2*linear)")),
        ("1 + 2 + linear", parse("3 + linear")),
    ],
)
def test_simpler_kernels_are_known_by_their_names(text, kernel):
    assert parse(text) == kernel


def test_moving_all_places_changes_what_it_says():
    X, shift = np.random.default_rng(0).normal(size=(20, 2)), np.array([3.0, -1.0])
    centre = np.eye(20) - 1 / 20
    for text in MADE:
        kernel = parse(text)
        K, moved = kernel.matrix(X, X), kernel.matrix(X + shift, X + shift)
        assert kernel.shift_invariant == np.allclose(K, moved), text
        assert kernel.shifts_into_offset == np.allclose(centre @ K @ centre, centre @ moved @ centre), text


def test_numbers_stay_finite_where_exponentials_would_not():
    X = np.array([[0.0, 0.0], [1e3, -1e3]])
    with warnings.catch_warnings(action="error"):
        assert np.isfinite(parse("exp(linear)").matrix(X, X)).all()
        field = parse("exp(linear)").expand_on_grid(Grid.over((-1e3, 1e3, -1e3, 1e3), 40, 40), X, np.ones(2))
    assert np.isfinite(field).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("linear", 1),
        ("polynomial(3, 1)", 3),
        ("anova(polynomial(3, 1))", 3),
        ("anova(linear)^2 * linear", 3),
        ("gaussian(1)*linear + linear^2", 2),
        ("anova(gaussian(1))", 0),
        ("exp(linear)", 0),
    ],
)
def test_degree_is_how_fast_it_grows(text, expected):
    kernel = parse(text)
    assert degree(kernel) == expected
    if expected:
        near, far = (kernel.matrix(*(np.full((1, 2), size),) * 2)[0, 0] for size in (1e6, 1e7))
        assert np.log10(far / near) / 2 == pytest.approx(expected, abs=1e-3)


@TEXTS
def test_of_no_centres_the_sum_is_zero(text):
    grid, centers = Grid.over((-3, 3, -2, 2), 9, 7), np.empty((0, 2))
    np.testing.assert_array_equal(parse(text).expand_on_grid(grid, centers, np.empty(0)), np.zeros(grid.shape))
