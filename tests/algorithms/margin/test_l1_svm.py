import time
import types

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import SGDClassifier

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.margin.l1_svm import L1SVM
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context, Names
from mlviz.draw.marks import Points, Polygons
from mlviz.draw.overlays import charts, margins
from mlviz.draw.palette import ink
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each, trials
from tests.truth.reading import sums


def blobs(n=80, apart=1.5, seed=0, d=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, d))
    X[y == 1, 0] += apart
    return X, y


def standardized(loader, classes=2):
    X, y = loader(return_X_y=True)
    X, y = X[y < classes], y[y < classes]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def optimum(X, y, lambda_, weight=None):
    """The least objective, by a linear program."""
    n, d = X.shape
    share = np.ones(n) / n if weight is None else weight / weight.sum()
    A = np.where(y == y.max(), 1.0, -1.0)[:, None] * np.column_stack((X, np.ones(n)))
    cost = np.concatenate((np.full(d, lambda_), [0.0], np.full(d, lambda_), [0.0], share))
    bounds = [(0, None)] * len(cost)
    return linprog(cost, A_ub=-np.hstack((A, -A, np.eye(n))), b_ub=-np.ones(n), bounds=bounds, method="highs").fun


def cost(model, X, y, lambda_):
    slack = np.maximum(0, 1 - np.where(y == y.max(), 1, -1) * model.decision_function(X))
    return slack.mean() + lambda_ * np.abs(model.coef).sum()


@each("loader, lambda_", [load_breast_cancer, load_iris, load_wine], [1e-4, 0.01, 0.1])
def test_real_data(loader, lambda_):
    X, y = standardized(loader)
    model = L1SVM(lambda_=lambda_).fit(X, y)
    least = optimum(X, y, lambda_)
    assert model.objective == pytest.approx(least, rel=1e-9)
    assert cost(model, X, y, lambda_) == pytest.approx(model.objective, rel=1e-12)
    facts = model.facts()
    assert abs(facts["relative duality gap"]) < 1e-10
    assert facts["zero weights"] == (model.coef == 0).sum()
    if lambda_ >= 0.01:
        assert facts["zero weights"] > 0
    # A vertex: no more free samples than weights and an offset.
    assert facts["free support vectors"] <= X.shape[1] - facts["zero weights"] + 1


@pytest.mark.parametrize("seed", trials(30))
def test_random_problems_with_weights(seed):
    rng = np.random.default_rng(seed)
    X, y = blobs(int(rng.integers(4, 90)), rng.choice([0.0, 2.0, 6.0]), seed, int(rng.integers(1, 5)))
    X *= 10.0 ** rng.integers(-3, 4, X.shape[1])
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], len(X))
    weight[:2] = 1.0
    lambda_ = float(rng.choice([1e-4, 0.01, 0.3]))
    model = L1SVM(lambda_=lambda_).fit(X, y, sample_weight=weight)
    rows = weight > 0
    assert model.objective == pytest.approx(optimum(X[rows], y[rows], lambda_, weight[rows]), rel=1e-6, abs=1e-9)
    assert abs(model.facts()["relative duality gap"]) < 1e-9


def test_no_better_by_stochastic_descent():
    X, y = standardized(load_breast_cancer)
    theirs = SGDClassifier(loss="hinge", penalty="l1", alpha=0.01, max_iter=5000, tol=1e-6, random_state=0).fit(X, y)
    slack = np.maximum(0, 1 - np.where(y, 1, -1) * theirs.decision_function(X))
    reached = slack.mean() + 0.01 * np.abs(theirs.coef_).sum()
    model = L1SVM().fit(X, y)
    assert model.objective <= reached <= 1.2 * model.objective
    assert np.mean(model.predict(X) == theirs.predict(X)) > 0.97


def test_an_input_without_use_is_left_out():
    X, y = blobs(apart=4.0)
    model = L1SVM(lambda_=0.05).fit(X, y)
    assert model.coef[1] == 0 and model.coef[0] > 0
    assert model.facts()["zero weights"] == 1
    assert L1SVM(lambda_=10.0).fit(X, y).facts()["zero weights"] == 2
    assert "all weights are 0" in L1SVM(lambda_=10.0).fit(X, y).caveat


def test_with_all_weights_zero_the_offset_is_in_the_middle():
    X, y = blobs(10)
    assert L1SVM(lambda_=10.0).fit(X, y).offset == pytest.approx(0.0)
    assert L1SVM(lambda_=10.0).fit(X[1:], y[1:]).offset == pytest.approx(1.0)


def test_weights_are_repetitions_on_a_lattice():
    X, y = blobs(60)
    X, weight = np.rint(X), np.arange(60) % 4
    weighted = L1SVM().fit(X, y, sample_weight=weight)
    repeated = L1SVM().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_array_equal(weighted.coef, repeated.coef)
    assert weighted.offset == repeated.offset
    order = np.random.default_rng(0).permutation(60)
    shuffled = L1SVM().fit(X[order], y[order], sample_weight=weight[order])
    np.testing.assert_array_equal(shuffled.coef, weighted.coef)
    np.testing.assert_array_equal(shuffled.alpha, weighted.alpha[order])


def test_one_class_and_three_classes_are_refused():
    X, y = blobs(9)
    with pytest.raises(CannotFit, match="second class"):
        L1SVM().fit(X, y * 0)
    with pytest.raises(CannotFit, match="there are 3"):
        L1SVM().fit(X, np.arange(9) % 3)


def test_follower_equals_steps_over_many_edits():
    rng = np.random.default_rng(3)
    (X, y), method = blobs(40), L1SVM()
    follower = method.follower()
    for _ in trials(200):
        X, y, row = X.copy(), y.copy(), rng.integers(len(X))
        match rng.integers(5):
            case 0 if len(X) > 20 and np.bincount(np.delete(y, row), minlength=2).all():
                X, y = np.delete(X, row, axis=0), np.delete(y, row)
            case 1:
                X, y = np.insert(X, row, rng.normal(size=2), axis=0), np.insert(y, row, rng.integers(2))
            case 2:
                method = method.replace(lambda_=float(np.clip(method.lambda_ * rng.choice([0.5, 2.0]), 1e-4, 0.3)))
            case _:
                X[row] += rng.normal(scale=0.3, size=2)
        follow, fit = follower.update(method, X, y, None, np.inf), method.fit(X, y)
        assert follow.objective == pytest.approx(fit.objective, rel=1e-10)
        np.testing.assert_allclose(follow.decision_function(X), fit.decision_function(X), atol=1e-6)
    late = follower.update(method, X + rng.normal(size=X.shape), y, None, time.perf_counter())
    assert np.isfinite(late.decision_function(X)).all()


def test_overlays_and_chart():
    X, y = blobs(apart=3.0)
    model = L1SVM(lambda_=0.05).fit(X, y)
    grid = Grid.over((-4, 6, -4, 6), 101, 101)
    field = model.on_grid(grid)
    context = Context(
        X, y, np.arange(len(X)), L1SVM(), "classification", grid, field=field, names=Names(inputs=("a", "b"))
    )
    (slack,) = margins.slack.draw(model, context)
    length = np.linalg.norm(slack.end - slack.start, axis=1)
    np.testing.assert_allclose(length, model.slack[slack.rows] * model.margin, atol=2e-3)
    free = margins.support_vectors.draw(model, context)[0]
    assert free.label == "support vector, α < 1/n"
    np.testing.assert_allclose(np.abs(model.decision_function(free.xy)), 1.0, atol=1e-9)
    plot = charts.weights_chart.draw(model, context)
    assert plot.x_ticks == ((0.0, "a"), (1.0, "b"))
    (bars,) = [mark for mark in plot.marks if isinstance(mark, Polygons)]
    assert bars.vertices[0][1, 1] == model.coef[0]
    (zero,) = [mark for mark in plot.marks if isinstance(mark, Points)]
    np.testing.assert_array_equal(zero.xy, [[1.0, 0.0]])
    several = charts.weights_chart.draw(Pipeline(L1SVM()).fit(X, np.arange(80) % 3).inner, context)
    bars = [mark for mark in several.marks if isinstance(mark, Polygons)]
    assert sum(len(mark.vertices) for mark in bars) == 6
    # Each binary model has an ink and a name of its own.
    assert len({ink(mark.role, "light") for mark in bars}) == len({mark.label for mark in bars}) == 3


def test_the_terms_that_are_told_add_up():
    X, y = blobs()
    told = L1SVM(lambda_=1e-3).fit(X, y).explain(np.array([1.0, 2.0]))
    (equation,) = sums(told.sentence)
    assert equation.adds_up and len(equation.terms) == 3
    assert len(told.marks) == 2


def test_more_inputs_than_two_and_several_classes():
    X, y = standardized(load_wine, classes=3)
    columns = tuple(f"c{j}" for j in range(13))
    scene = Scene(Dataset(X, y, columns), (Panel(Pipeline(L1SVM()), inputs=columns),))
    (picture,) = draw(scene, [(100, 100)], resolution=20)
    assert picture.message is None
    assert picture.facts["training error"].value < 0.05
    (plot,) = picture.sides
    drawn = sum(len(mark.vertices) for mark in plot.marks if isinstance(mark, Polygons))
    assert 0 < drawn < 3 * 13  # some are exactly 0


def test_an_input_that_varies_by_rounding_alone_has_no_weight():
    X, y = blobs(40, 0.5)
    rounding = np.where(y == 1, np.nextafter(1e6, 2e6), 1e6)
    assert np.ptp(rounding) > 0
    model = L1SVM(lambda_=1e-12).fit(np.column_stack((X, rounding)), y)
    assert model.coef[2] == 0.0 and model.coef[:2].any()


def test_more_bars_than_can_be_seen_are_not_drawn():
    for count in (charts.MOST_BARS, charts.MOST_BARS + 1):
        model = types.SimpleNamespace(coef=np.linspace(-1, 1, count))
        context = Context(np.zeros((2, count)), np.arange(2), np.arange(2), L1SVM(), "classification")
        assert (charts.weights_chart.draw(model, context) is None) == (count > charts.MOST_BARS)
