import numpy as np
import pytest
from sklearn.linear_model import Ridge, RidgeClassifier

from mlviz.algorithms.kernels import random_features as method
from mlviz.algorithms.kernels.kernel_ridge import KernelRidge
from mlviz.algorithms.kernels.random_features import RandomFourierFeatures
from mlviz.algorithms.kernels.random_features.model import MOST_EXACT
from mlviz.data.dataset import Dataset
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import each, trials

KERNELS = ("gaussian", "laplacian")


def wave(n=60, d=1, seed=0, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(1.5 * X).sum(axis=1) + noise * rng.normal(size=n)


def features(model, X):
    """Written out: sqrt(2/m) cos(W x + b)."""
    waves = model.approximation.features
    m = len(waves.phases)
    return np.array(
        [[np.sqrt(2 / m) * np.cos(w @ x + b) for w, b in zip(waves.frequencies, waves.phases, strict=True)] for x in X]
    )


@each("kernel, d, m", KERNELS, [1, 2], [20, 150])
def test_it_is_ridge_regression_on_the_features(kernel, d, m):
    X, y = wave(60, d)
    model = RandomFourierFeatures(n_components=m, kernel=kernel, lambda_=1e-3).fit(X, y)
    theirs = Ridge(alpha=60 * 1e-3, solver="svd").fit(features(model, X), y)
    places = np.random.default_rng(1).uniform(-4, 4, (40, d))
    np.testing.assert_allclose(model.predict(places), theirs.predict(features(model, places)), atol=1e-9)
    np.testing.assert_allclose(model.coef, theirs.coef_, atol=1e-8 * np.abs(theirs.coef_).max())
    assert model.facts()["gradient norm"] < 1e-11
    assert model.facts()["unknowns"] == f"{min(m, 60)}, one for each {'feature' if m == 20 else 'sample'}"


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_exact_function_is_kernel_ridge_regression_and_many_features_come_near_it(kernel):
    X, y = wave(80, 2)
    exact = KernelRidge(kernel=kernel, lambda_=0.01).fit(X, y)
    model = RandomFourierFeatures(kernel=kernel).fit(X, y)
    places = np.random.default_rng(1).uniform(-4, 4, (40, 2))
    np.testing.assert_allclose(model.exact.at(places), exact.predict(places), atol=1e-9)
    away = [
        np.mean(
            [RandomFourierFeatures(kernel=kernel, n_components=m).fit(X, y, seed=s).facts()[name] for s in trials(20)]
        )
        for name in ("distance from the exact fit", "error of the kernel")
        for m in (50, 200, 800, 3200)
    ]
    # 64 times as many features: an eighth of the error.
    for near in (away[:4], away[4:]):
        assert near[0] > near[1] > near[2] > near[3]
        assert near[0] / near[3] == pytest.approx(8, rel=0.4)


def test_more_features_of_a_seed_contain_the_fewer():
    X, y = wave(40)
    few, many = (RandomFourierFeatures(n_components=m).fit(X, y, seed=4).approximation.features for m in (9, 10))
    np.testing.assert_array_equal(few.frequencies, many.frequencies[:9])
    wide = RandomFourierFeatures(n_components=9, sigma=2.0).fit(X, y, seed=4).approximation.features
    np.testing.assert_allclose(wide.frequencies, few.frequencies / 2)
    other = RandomFourierFeatures(n_components=9).fit(X, y, seed=5).approximation.features
    assert not np.isclose(other.frequencies, few.frequencies).any()


@pytest.mark.parametrize("k", [2, 3])
def test_classes_are_least_squares_on_the_features(k):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 2)) + np.repeat([(0, 0), (3, 0), (0, 3)], 30, axis=0)
    y = np.minimum(np.repeat(np.arange(3), 30), k - 1)
    model = RandomFourierFeatures(n_components=40).fit(X, y)
    theirs = RidgeClassifier(alpha=90 * 0.01).fit(features(model, X), y)
    scores = theirs.decision_function(features(model, X))
    np.testing.assert_allclose(model.decision_function(X), scores if k == 2 else (scores + 1) / 2, atol=1e-8)
    grid = Grid.over((-4, 4, -3, 5), 40, 30)
    np.testing.assert_allclose(
        model.on_grid(grid).reshape(len(grid.points()), -1).squeeze(), model.decision_function(grid.points()), atol=1e-9
    )


def test_what_would_take_too_long_is_told(monkeypatch):
    X, y = wave(3000)
    monkeypatch.setattr(method, "_MOST_PRODUCTS", 2_000_000)
    model = RandomFourierFeatures(n_components=50).fit(X, y)
    assert model.caveat == "fitted to 800 of 3,000 samples, drawn at random" and len(model.X) == 800
    assert model.exact is None and len(model.X) > MOST_EXACT
    assert np.isfinite(model.predict(X)).all()


def test_a_draft_comes_before_what_takes_long():
    X, y = wave(4000)
    first, *_, last = RandomFourierFeatures(n_components=200).steps(X, y, np.random.default_rng(0))
    assert "draft" in first.caveat and first.approximation.m == 30
    assert not last.caveat and last.approximation.m == 200


def pictured(algorithm, X, y, target):
    columns = ("x1", "x2")
    values, labels = (np.column_stack((X, y)), np.zeros(len(X), dtype=int)) if target == "x2" else (X, y)
    panel = Panel(Pipeline(algorithm), inputs=("x1",) if target == "x2" else columns, target=target, hidden=())
    scene = Scene(Dataset(values, labels, columns), (panel,), 0, View(limits=(-4.0, 4.0, -4.0, 4.0)))
    (picture,) = draw(scene, [(300, 200)])
    return picture


def test_the_error_over_m_has_a_handle_at_the_present_one_and_the_root_beside_it():
    X, y = wave(50)
    picture = pictured(RandomFourierFeatures(n_components=37), X, y, "x2")
    (error,) = [plot for plot in picture.sides if plot.id == "error"]
    (handle,) = error.handles
    assert handle.path == "algorithm.n_components" and handle.values[handle.at] == 37
    model = RandomFourierFeatures(n_components=37).fit(X, y)
    facts = model.facts()
    assert handle.points[handle.at, 1] == pytest.approx(facts["error of the kernel"], rel=1e-9)
    (line,) = [mark for mark in error.marks if mark.role == "threshold"]
    np.testing.assert_allclose(line.xy[:, 1] * np.sqrt(line.xy[:, 0]), model.approximation.expected)
    assert error.x_scale == error.y_scale == "log"


def test_the_exact_curve_and_boundary_are_drawn_beside_the_approximate_ones():
    X, y = wave(50)
    picture = pictured(RandomFourierFeatures(n_components=37), X, y, "x2")
    (line,) = [mark for mark in picture.plot.marks if mark.role == "exact fit"]
    np.testing.assert_allclose(line.xy[:, 1], KernelRidge().fit(X, y).predict(line.xy[:, :1]), atol=1e-9)
    rng = np.random.default_rng(5)
    places, labels = rng.normal(size=(60, 2)), np.arange(60) % 2
    places[:, 0] += 2 * labels
    picture = pictured(RandomFourierFeatures(n_components=37), places, labels, "class")
    (line,) = [mark for mark in picture.plot.marks if mark.role == "exact fit"]
    model = RandomFourierFeatures(n_components=37).fit(places, labels)
    at = line.xy[np.isfinite(line.xy[:, 0])]
    assert np.abs(model.approximation.exact[0].at(at)).max() < 0.02


def test_the_gram_matrix_is_exact_above_the_diagonal_and_approximate_below():
    X, y = wave(30)
    (gram,) = [plot for plot in pictured(RandomFourierFeatures(), X, y, "x2").sides if plot.id == "gram"]
    cells = next(mark.cells for mark in gram.marks if getattr(mark, "cells", None) is not None)
    x = np.sort(X[:, 0])
    K = np.exp(-((x[:, None] - x) ** 2) / 2)
    above = np.tri(30, k=-1, dtype=bool)  # rows count from below
    np.testing.assert_allclose(cells[above], K[above], atol=1e-12)
    assert 0.01 < np.sqrt(np.mean((cells - K)[above.T] ** 2)) < 0.3
