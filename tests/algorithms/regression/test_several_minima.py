"""Where several curves have the same least loss, the band of them is what linear programs say at each place."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from mlviz.algorithms.regression.lp_regression import LpRegression
from mlviz.algorithms.regression.quantile_regression import QuantileRegression
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Polygons
from mlviz.numerics.arrays import Array
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each, sweep

PLACES = np.array([-1.0, 0.0, 0.5, 2.0, 5.0])


def extremes(terms: Array, y: Array, tau: float, at: Array) -> Array:
    """The least and the largest value (2, m) of a best curve at places of terms (m, p), by linear programs.

    Their solver is content with constraints that hold to 1e-7.
    """
    n, p = terms.shape
    system = np.hstack((terms, np.eye(n), -np.eye(n)))
    cost = np.concatenate((np.zeros(p), np.full(n, tau), np.full(n, 1 - tau)))
    bounds = [(None, None)] * p + [(0, None)] * (2 * n)
    least = float(linprog(cost, A_eq=system, b_eq=y, bounds=bounds).fun or 0.0)
    within: dict[str, Any] = {"A_ub": [cost], "b_ub": [least + 1e-11], "A_eq": system, "b_eq": y, "bounds": bounds}
    rest = np.zeros(2 * n)
    found = [sign * linprog(np.append(sign * place, rest), **within).fun for sign in (1, -1) for place in at]
    return np.reshape(found, (2, -1))


def fit(kind: str, X: Array, y: Array, degree: int = 1) -> tuple[Any, float]:
    if kind == "Lp":
        basis: dict[str, Any] = {} if degree == 1 else {"basis": "polynomial", "degree": degree}
        return LpRegression(**basis).fit(X, y), 0.5
    tau = 0.5 if kind == "median" else 0.25
    return QuantileRegression(tau=tau, degree=degree, basis="polynomial").fit(X, y), tau


# Of these seeds there are even and odd numbers of samples.
@sweep("seed, degree, kind", [0, 3, 5, 6, 9], [1, 2, 3], ["Lp", "median", "quartile"])
def test_the_band_is_that_of_linear_programs(kind: str, degree: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 4 + seed
    X, y = rng.integers(0, 3 + degree, (n, 1)).astype(float), rng.normal(size=n)
    model, tau = fit(kind, X, y, degree)
    values = model.minima(PLACES[:, None])
    if len(np.unique(X)) <= degree:
        assert len(values) == 0  # between the samples and beyond them the values are any
        return
    low, high = extremes(np.vander(X[:, 0], degree + 1), y, tau, np.vander(PLACES, degree + 1))
    if "several" in model.caveat:
        np.testing.assert_allclose(values.min(axis=0), low, atol=1e-5)
        np.testing.assert_allclose(values.max(axis=0), high, atol=1e-5)
    elif kind == "Lp":
        assert len(values) == 0
        np.testing.assert_allclose(high - low, 0, atol=1e-5)


@pytest.mark.parametrize("kind", ["Lp", "median"])
def test_medians_of_groups_are_a_polytope_of_as_many_dimensions(kind: str) -> None:
    X, y = np.repeat([0.0, 1.0, 2.0], 4)[:, None], np.tile([0.0, 1.0, 2.0, 4.0], 3) + np.repeat([0.0, 3.0, 1.0], 4)
    model, _ = fit(kind, X, y, degree=2)
    values = model.minima(np.array([[0.0], [1.0], [2.0]]))
    assert len(values) == 8
    np.testing.assert_allclose(values.min(axis=0), [1.0, 4.0, 2.0], atol=1e-9)
    np.testing.assert_allclose(values.max(axis=0), [2.0, 5.0, 3.0], atol=1e-9)


@each("algorithm, n", [LpRegression(), QuantileRegression(tau=0.5)], [2, 3, 4, 5])
def test_the_band_is_drawn_where_there_are_several_alone(algorithm: Any, n: int) -> None:
    x, y = np.repeat((0.0, 1.0), n), np.tile(np.arange(n) ** 2.0, 2)
    data = Dataset(np.column_stack((x, y)), np.zeros(2 * n, dtype=int), ("x1", "x2"))
    scene = Scene(data, (Panel(Pipeline(algorithm), inputs=("x1",), target="x2"),))
    (picture,) = draw(scene, [(400, 300)])
    bands = [mark for mark in picture.plot.marks if isinstance(mark, Polygons) and mark.role == "minima"]
    assert len(bands) == (n % 2 == 0)
    for band in bands:
        low, high = np.arange(n)[n // 2 - 1 : n // 2 + 1] ** 2.0
        outline = band.vertices[0]
        inside = (outline[:, 0] >= 0) & (outline[:, 0] <= 1)
        np.testing.assert_allclose([outline[inside, 1].min(), outline[inside, 1].max()], [low, high], atol=1e-9)


def test_nothing_is_said_of_how_many_minima_other_losses_have() -> None:
    """Huber's loss of two samples far apart is the same for all constants between them."""
    X, y = np.repeat([0.0, 1.0], 2)[:, None], np.array([0.0, 10.0, 0.0, 10.0])
    huber = LpRegression(loss="Huber", delta=0.5)
    for constant in (1.0, 5.0, 9.0):
        assert float(np.mean(np.abs(y - constant) - 0.25)) == pytest.approx(huber.fit(X, y).objective)
    (band,) = (overlay for overlay in LpRegression.overlays if overlay.id == "minima")
    assert "minim" not in band.idle(huber, 2) and band.idle(huber, 2) and not band.idle(LpRegression(), 2)
