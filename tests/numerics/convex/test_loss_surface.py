"""The surface of the logistic loss against the loss itself."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from mlviz.numerics.convex.loss_surface import LossSurface
from mlviz.numerics.polynomials import chebyshev, interpolation
from tests.sweep import trials


def landscape(n, free=True, seed=0):
    rng = np.random.default_rng(seed)
    signs = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    columns = rng.normal(size=(2, n)) + 0.5 * signs
    shares = rng.uniform(0.5, 1.5, n)
    return LossSurface(columns, signs, shares / shares.sum(), np.array([0.01, 0.02]), np.array([0.0, 0.03]), free)


def height(s, u, v, b):
    scores = s.signs * (u * s.columns[0] + v * s.columns[1] + b)
    penalty = s.squares @ np.array([u, v]) ** 2 + s.prices @ np.abs([u, v])
    return float(s.shares @ np.logaddexp(0, -scores) + penalty)


@pytest.mark.parametrize(("n", "close"), [(6, 1e-2), (30, 3e-3), (500, 1e-3), (3000, 3e-3)])
@pytest.mark.parametrize("free", [True, False])
def test_heights_are_the_losses(n, close, free):
    s = landscape(n, free)
    x, y = np.linspace(-2, 3, 40), np.linspace(-1, 4, 40)
    values = s.values(x, y, 300_000)
    for i, j in np.random.default_rng(0).integers(0, 40, (25, 2)):
        u, v = x[j], y[i]
        best = minimize_scalar(lambda b, u=u, v=v: height(s, u, v, b), (-1, 1)).fun if free else height(s, u, v, 0.0)
        assert best - 1e-3 <= values[i, j] <= best + close


def test_polynomials_are_interpolated_exactly():
    nodes, places = chebyshev(-2.0, 5.0, 9), np.append(np.linspace(-2, 5, 30), chebyshev(-2.0, 5.0, 9))
    p = np.polynomial.Polynomial(np.random.default_rng(0).normal(size=9))
    np.testing.assert_allclose(interpolation(nodes, places) @ p(nodes), p(places), rtol=1e-9, atol=1e-6)


def test_every_node_is_the_loss_wherever_the_pieces_meet():
    rng = np.random.default_rng(3)
    for trial in trials(24):
        s = landscape(700, free=trial % 2 == 0, seed=trial)
        windows = [rng.uniform(0.2, 3, 2) * (-1, 1) for _ in range(2)]
        middles = [rng.uniform(low, high) for low, high in windows]
        about = tuple(
            (m - 0.06 * (w[1] - w[0]), m + 0.06 * (w[1] - w[0])) for m, w in zip(middles, windows, strict=True)
        )
        x, y = (np.union1d(np.linspace(*w, 20), np.linspace(*a, 9)) for w, a in zip(windows, about, strict=True))
        found, exact = s.values(x, y, 300_000, about), s.values(x, y, 10**9)
        assert np.abs(found - exact).max() < 0.02 * np.ptp(exact) + 1e-3
