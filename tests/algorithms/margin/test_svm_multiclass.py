import time

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_iris, load_wine
from sklearn.svm import LinearSVC

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.margin.svm import SVM
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines, Segments
from mlviz.draw.overlays import margins
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import each


def groups(n=90, k=3, apart=2.0, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    angle = 2 * np.pi * y / k
    return apart * np.column_stack((np.cos(angle), np.sin(angle))) + rng.normal(size=(n, 2)), y


def cost(coef, intercept, X, y, C):
    F = X @ coef.T + intercept
    rows = np.arange(len(X))
    ahead = F + 1 - F[rows, y][:, None]
    ahead[rows, y] = 0.0
    return (coef**2).sum() / 2 + C * ahead.max(axis=1).sum()


def distance_from_optimal(model, X, y, C):
    """How far the weights are from a sum that multipliers of the classes that lead can make, beside the largest weight.

    A linear program finds the multipliers. The distance is 0 at the minimum and nowhere else.
    """
    k, (n, d) = len(model.coef), X.shape
    ahead = X @ model.coef.T + model.intercept + 1
    ahead[np.arange(n), y] -= 1
    row, leader = np.nonzero(ahead >= ahead.max(axis=1, keepdims=True) - 1e-6)
    places, own = np.column_stack((X, np.ones(n))), np.arange(k)[:, None] == y
    pull = C * own @ places  # of which each multiplier takes its place from the class that leads
    taken = np.zeros((k * (d + 1), len(row)))
    for column, (i, m) in enumerate(zip(row, leader, strict=True)):
        taken[m * (d + 1) : (m + 1) * (d + 1), column] = places[i]
    aim = (pull - np.column_stack((model.coef, np.zeros(k)))).ravel()
    size = np.abs(model.coef).max()
    A = np.vstack((np.column_stack((taken, -np.ones(len(aim)))), np.column_stack((-taken, -np.ones(len(aim))))))
    sums = np.column_stack(((row == np.arange(n)[:, None]).astype(float), np.zeros(n)))
    found = linprog(
        np.append(np.zeros(len(row)), 1.0), A / size, np.concatenate((aim, -aim)) / size, sums / C, np.ones(n)
    )
    return found.fun


@each("loader, C", [load_iris, load_wine], [0.01, 1.0, 100.0])
def test_real_data(loader, C):
    X, y = loader(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = SVM(kernel="linear", C=C).fit(X, y)
    assert abs(model.facts()["relative duality gap"]) < 1e-8
    assert cost(model.coef, model.intercept, X, y, C) == pytest.approx(model.objective, rel=1e-9)
    assert distance_from_optimal(model, X, y, C) < 1e-6
    # Theirs holds back the offsets too, so it can't get lower.
    theirs = LinearSVC(C=C, multi_class="crammer_singer", intercept_scaling=30, max_iter=200_000).fit(X, y)
    reached = cost(theirs.coef_, theirs.intercept_, X, y, C)
    assert model.objective <= reached * (1 + 1e-9)
    # With C = 100 on iris it stops 20 to 150 % above the minimum: where differs by processor, and says nothing of ours.
    if reached <= 1.01 * model.objective:
        assert np.mean(theirs.predict(X) == model.predict(X)) > 0.97


def test_what_is_said_of_the_samples_is_true():
    X, y = groups()
    model = SVM(kernel="linear", C=2.0).fit(X, y)
    F, rows = model.decision_function(X), np.arange(len(X))
    ahead = F + 1 - F[rows, y][:, None]
    ahead[rows, y] = 0.0
    np.testing.assert_allclose(model.slack, ahead.max(axis=1), atol=1e-8)
    idle = np.setdiff1d(rows, model.support)
    ahead[rows, y] = -np.inf
    assert ahead[idle].max() <= 1e-7  # all other classes stay behind by 1
    free = np.setdiff1d(model.support, np.flatnonzero(model.at_bound))
    assert np.abs(ahead[free].max(axis=1)).max() < 1e-6
    assert model.slack[model.at_bound].min() > -1e-9
    assert (model.alpha[model.at_bound] > 2.0 * (1 - 1e-6)).all()
    facts = model.facts()
    assert facts["support vectors"] == len(model.support)
    assert facts["lambda"] == pytest.approx(1 / (2 * 2.0 * len(X)))


def test_weights_are_repetitions_and_order_does_not_matter():
    X, y = groups()
    X, weight = np.rint(2 * X), np.arange(90) % 4
    svm = SVM(kernel="linear")
    weighted = svm.fit(X, y, sample_weight=weight)
    repeated = svm.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_array_equal(weighted.coef, repeated.coef)
    np.testing.assert_array_equal(weighted.offset, repeated.offset)
    # What a repeated sample pulls is shared by its copies: with all twice at half the price, each has half of it.
    once, twice = svm.fit(X, y), svm.replace(C=0.5).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    np.testing.assert_allclose(twice.alpha, np.repeat(once.alpha, 2) / 2, atol=1e-9)
    np.testing.assert_allclose(weighted.alpha[np.repeat(np.arange(90), weight)], repeated.alpha, atol=1e-9)
    order = np.random.default_rng(1).permutation(90)
    shuffled = svm.fit(X[order], y[order], sample_weight=weight[order])
    np.testing.assert_array_equal(shuffled.coef, weighted.coef)
    np.testing.assert_array_equal(shuffled.alpha, weighted.alpha[order])
    np.testing.assert_array_equal(shuffled.codes, weighted.codes[order])


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X * 1e-9,
        lambda X: X * 1e9,
        lambda X: X + 1e6,
        lambda X: X * 0 + 1,
        lambda X: X[:, :1] * np.array([1.0, 2.0]),
        lambda X: np.repeat(X[:30], 3, axis=0),
        lambda X: np.rint(X),
        lambda X: np.column_stack((X, np.random.default_rng(0).normal(size=(len(X), 200)))),
    ],
)
def test_degenerate_samples(change):
    X, y = groups()
    X = change(X)
    model = SVM(kernel="linear").fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isfinite(list(model.facts().values())).all()
    assert "nan" not in model.explain(X[0]).sentence
    assert abs(model.facts()["relative duality gap"]) < 1e-6 or model.caveat


def test_too_large_and_too_many_are_refused():
    X, y = groups()
    with pytest.raises(CannotFit, match="standardize"):
        SVM(kernel="linear").fit(X * 1e120, y)
    with pytest.raises(CannotFit, match="too many inputs"):
        SVM(kernel="linear").fit(np.random.default_rng(0).normal(size=(900, 800)), np.arange(900) % 3)


def test_the_pipeline_asks_the_method_whether_it_can():
    X, y = groups()
    direct = Pipeline(SVM(kernel="linear"), multiclass="direct").fit(X, y)
    assert direct.inner.coef.shape == (3, 2) and not direct.parts
    assert len(Pipeline(SVM(kernel="linear")).fit(X, y).parts) == 3
    for svm in (SVM(), SVM(kernel="linear", hard_margin=True)):
        with pytest.raises(
            CannotFit, match=r"There are 3 classes, and .* linear kernel and a soft margin only: choose"
        ):
            Pipeline(svm, multiclass="direct").fit(X, y)


def test_following_the_hand():
    X, y = groups()
    pipeline = Pipeline(SVM(kernel="linear"), multiclass="direct")
    follower, rng = pipeline.follower(), np.random.default_rng(0)
    for _ in range(5):
        X = X + 0.1 * rng.normal(size=X.shape)
        np.testing.assert_array_equal(
            follower.update(pipeline, X, y).decision_function(X), pipeline.fit(X, y).decision_function(X)
        )
    late = follower.update(pipeline, X + 1, y, None, time.perf_counter())
    assert np.isfinite(late.decision_function(X)).all()


def context(model, X, y, probe):
    grid = Grid.over((-5, 5, -5, 5), 101, 101)
    rows = np.arange(len(X))
    return Context(X, y, rows, SVM(), "classification", grid, field=model.on_grid(grid), probe=probe)


def test_margins_of_the_pair_at_the_probe():
    X, y = groups()
    model = SVM(kernel="linear").fit(X, y)
    for overlay in (margins.margin_lines, margins.slack):
        assert overlay.draw(model, context(model, X, y, None)) == ()
    probe = np.array([0.0, 1.5])
    pair = set(np.argsort(-model.decision_function(probe[None])[0])[:2].tolist())
    around = context(model, X, y, probe)
    (lines,) = margins.margin_lines.draw(model, around)
    assert isinstance(lines, Lines)
    F = model.decision_function(lines.xy[np.isfinite(lines.xy[:, 0])])
    low, high = sorted(pair)
    np.testing.assert_allclose(np.abs(F[:, high] - F[:, low]), 1.0, atol=1e-4)
    (slack,) = margins.slack.draw(model, around)
    assert isinstance(slack, Segments)
    assert set(y[slack.rows]) <= pair
    ends = model.decision_function(slack.end)
    np.testing.assert_allclose(np.abs(ends[:, high] - ends[:, low]), 1.0, atol=2e-3)
    free, bound = margins.support_vectors.draw(model, around)
    assert set(free.rows) | set(bound.rows) == set(model.support)


def test_a_place_is_explained_by_its_two_leading_classes():
    X, y = groups()
    model = SVM(kernel="linear").fit(X, y)
    bound, idle = np.flatnonzero(model.at_bound)[0], np.setdiff1d(np.arange(90), model.support)[0]
    assert "Support vector at the bound: alpha = 1 of C = 1, slack" in model.explain(X[bound]).sentence
    assert "Not a support vector" in model.explain(X[idle]).sentence
    told = model.explain(np.array([0.3, 0.2]))
    street = model.pair_at(np.array([0.3, 0.2]))
    np.testing.assert_allclose(street.decision_function(told.marks[1].end), 0.0, atol=1e-9)
    assert "ahead of that of class" in told.sentence


def test_the_picture():
    X, y = groups()
    scene = Scene(
        Dataset(X, y), (Panel(Pipeline(SVM(kernel="linear"), multiclass="direct")),), 0, View(probe=(0.1, 0.2))
    )
    (picture,) = draw(scene, [(300, 200)], resolution=40)
    roles = {mark.role for mark in picture.plot.marks}
    assert {"region", "boundary", "margin", "slack", "support vector", "bound support vector"} <= roles
    assert picture.facts["training error"].value < 0.2
    assert 'LinearSVC(C=1.0, multi_class="crammer_singer"' in picture.code
