import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import Perceptron as Oracle

from mlviz.algorithms import CannotFit
from mlviz.algorithms.perceptrons.perceptron import VISITS_SHOWN_SINGLY, Perceptron
from mlviz.draw.layer import Context
from mlviz.draw.marks import Arrows, Lines, Points, Text
from mlviz.draw.overlays import online
from mlviz.numerics.convex import nearest_point
from mlviz.numerics.convex.nearest_point import Separation, nearest_to_origin
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from tests.sweep import trials

GRID = Grid.over((-5, 5, -5, 5), 41, 41)


def two_groups(rng, n, apart):
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + apart * (y[:, None] - 0.5), y


def context(algorithm, X, y, **more):
    return Context(X, y, np.arange(len(X)), algorithm, "classification", grid=GRID, **more)


def by_hand(X, y, rate, epochs, start=None, orders=None):
    """Rosenblatt's rule, sample by sample."""
    w = np.zeros(X.shape[1] + 1) if start is None else start
    mistakes = 0
    for epoch in range(epochs):
        before = mistakes
        for i in range(len(X)) if orders is None else orders[epoch]:
            z = (1 if y[i] else -1) * np.append(X[i], 1.0)
            if w @ z <= 0:
                w, mistakes = w + rate * z, mistakes + 1
        if mistakes == before:
            break
    return w, mistakes


@pytest.mark.parametrize("rate", [1.0, 0.03])
def test_agrees_with_scikit_learn_on_random_problems(rate):
    rng = np.random.default_rng(0)
    for _ in trials(100):
        X, y = two_groups(rng, int(rng.integers(2, 60)), rng.uniform(0, 4))
        epochs = int(rng.integers(1, 40))
        model = Perceptron("given order", learning_rate=rate, max_iter=epochs).fit(X, y)
        oracle = Oracle(eta0=rate, shuffle=False, max_iter=epochs, tol=None).fit(X, y)
        np.testing.assert_allclose(model.coef, oracle.coef_[0], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(model.intercept, oracle.intercept_[0], rtol=1e-12, atol=1e-12)
        assert model.mistakes == by_hand(X, y, rate, epochs)[1]


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_agrees_with_scikit_learn_on_real_data(load):
    X, y = load(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y = np.minimum(y, 1)
    model = Perceptron("given order", learning_rate=1.0, max_iter=50).fit(X, y)
    oracle = Oracle(eta0=1.0, shuffle=False, max_iter=50, tol=None).fit(X, y)
    np.testing.assert_allclose(model.coef, oracle.coef_[0], rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(model.predict(X), oracle.predict(X))


def test_random_order_and_random_start_follow_the_seed():
    X, y = two_groups(np.random.default_rng(1), 40, 1.0)
    model = Perceptron(start="random start", max_iter=5).fit(X, y, seed=3)
    rng = np.random.default_rng(3)
    start = rng.normal(size=3)
    start /= np.linalg.norm(start)
    orders = [rng.permutation(40) for _ in range(5)]
    w, mistakes = by_hand(X, y, 0.03, 5, start, orders)
    np.testing.assert_allclose(np.append(model.coef, model.intercept), w, atol=1e-12)
    assert model.mistakes == mistakes and int(model.counts.sum()) == mistakes


def test_the_learning_rate_changes_only_the_scale_from_zero():
    X, y = two_groups(np.random.default_rng(2), 50, 1.5)
    slow, fast = (Perceptron(learning_rate=rate).fit(X, y) for rate in (0.125, 2.0))
    np.testing.assert_allclose(16 * slow.coef, fast.coef, rtol=1e-12)
    assert slow.mistakes == fast.mistakes
    np.testing.assert_array_equal(slow.counts, fast.counts)


def test_the_weights_are_the_sum_of_the_mistakes():
    X, y = two_groups(np.random.default_rng(2), 50, 1.5)
    model = Perceptron(learning_rate=1.0).fit(X, y)
    signed = model.counts * np.where(y, 1, -1)
    np.testing.assert_allclose(model.coef, signed @ X, atol=1e-10)
    assert model.intercept == signed.sum()


def test_separability_is_decided_as_a_linear_program_does():
    rng = np.random.default_rng(3)
    seen = set()
    for _ in trials(300):
        n, d = int(rng.integers(2, 40)), int(rng.integers(1, 5))
        y = np.arange(n) % 2
        X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d) + rng.uniform(0, 4) * y[:, None]
        X = np.round(X, int(rng.integers(0, 6)))
        signs = np.where(y, 1.0, -1.0)
        Z = signs[:, None] * np.column_stack((X / np.abs(X).max(axis=0).clip(1e-9), np.ones(n)))
        program = linprog(np.zeros(d + 1), A_ub=-Z, b_ub=-np.ones(n), bounds=(None, None))
        found = Separation.of(X, signs).separable
        assert found is (program.status == 0)
        seen.add(found)
    assert seen == {True, False}


@pytest.mark.parametrize("gap", 10.0 ** -np.arange(1, 9))
def test_classes_are_told_apart_by_any_gap_and_not_where_they_touch_or_overlap(gap):
    signs = np.array([-1.0, -1.0, 1.0, 1.0])
    found = [Separation.of(np.array([[-1.0], [0.0], [at], [1.0]]), signs).separable for at in (gap, 0.0, -gap)]
    assert found == [True, False, False]


def test_the_widest_margin_is_that_of_a_quadratic_program_and_bounds_the_mistakes():
    rng = np.random.default_rng(4)
    bounded = 0
    for _ in range(60):
        X, y = two_groups(rng, int(rng.integers(2, 25)), rng.uniform(1.5, 5))
        signs = np.where(y, 1.0, -1.0)
        found = Separation.of(X, signs)
        if not found.separable:
            continue
        Z = signs[:, None] * np.column_stack((X, np.ones(len(X))))
        rule = {"type": "ineq", "fun": lambda v, Z=Z: Z @ v - 1, "jac": lambda v, Z=Z: Z}
        start = nearest_to_origin(Z) / found.margin**2
        best = minimize(lambda v: v @ v / 2, start * 3, jac=lambda v: v, constraints=[rule], options={"ftol": 1e-14})
        assert found.margin == pytest.approx(1 / np.linalg.norm(best.x), rel=1e-5)
        model = Perceptron(max_iter=100_000).fit(X, y)
        facts = model.facts()
        assert facts["bound (R/γ)²"] == pytest.approx((np.linalg.norm(Z, axis=1).max() / found.margin) ** 2)
        assert model.visit.settled and 0 < model.mistakes <= facts["bound (R/γ)²"] and not model.caveat
        assert (model.predict(X) == y).all()
        bounded += 1
    assert bounded > 30


def test_the_nearest_point_is_in_the_hull_and_no_row_lies_before_it():
    rng = np.random.default_rng(5)
    for _ in trials(200):
        P = rng.normal(size=(int(rng.integers(1, 60)), int(rng.integers(1, 6)))) + rng.uniform(-1, 2)
        p = nearest_to_origin(P)
        assert (P @ p).min() >= p @ p - 1e-9 * max(1.0, np.abs(P).max() ** 2)
        shares = linprog(np.zeros(len(P)), A_eq=np.vstack((P.T, np.ones(len(P)))), b_eq=np.append(p, 1.0))
        assert shares.status == 0 or np.linalg.norm(p) < 1e-9


def test_a_margin_is_told_only_where_it_is_known_to_a_millionth(monkeypatch):
    rng = np.random.default_rng(8)
    told = silent = 0
    for _ in range(60):
        X, y = two_groups(rng, 40, 4.0)
        signs = np.where(y, 1.0, -1.0)
        exact = Separation.of(X, signs)
        for steps in (2, 3, 8):
            monkeypatch.setattr(nearest_point, "MOST_STEPS", steps)
            hasty = Separation.of(X, signs)
            monkeypatch.undo()
            if hasty.margin is None:
                silent += 1
            else:
                assert exact.margin is not None and hasty.margin == pytest.approx(exact.margin, rel=2e-6)
                told += 1
    assert told > 100 and silent > 20


def test_what_no_line_separates_is_told():
    X, y = two_groups(np.random.default_rng(6), 40, 0.5)
    model = Perceptron(max_iter=7).fit(X, y)
    assert model.caveat == "not separable by a line: it cycles, stopped after 7 epochs"
    facts = model.facts()
    assert facts["separable"] is False and facts["epochs"] == 7
    assert "bound (R/γ)²" not in facts and "R" not in facts
    X, y = two_groups(np.random.default_rng(6), 40, 5.0)
    assert "bound (R/γ)²" not in Perceptron(start="random start").fit(X, y).facts()


def test_steps_are_visits_and_then_epochs():
    X, y = two_groups(np.random.default_rng(7), 30, 0.5)
    algorithm = Perceptron(max_iter=60)
    models = list(algorithm.steps(X, y, np.random.default_rng(0)))
    assert models[0].stage == "start" and len(models[0].visited) == 0
    watched = [m for m in models if m.visit is not None and m.visit.watched]
    assert [m.visit.visits for m in watched] == list(range(1, VISITS_SHOWN_SINGLY + 1))
    for former, model in zip(models, watched, strict=False):
        row = model.visit.row
        wrong = (1 if y[row] else -1) * former.decision_function(X[row : row + 1])[0] <= 0
        assert model.visit.mistake == wrong == (model.former is not None)
        assert (model.coef == former.coef).all() != wrong
    later = models[1 + len(watched) :]
    assert [m.visit.epoch for m in later] == list(range(VISITS_SHOWN_SINGLY // 30 + 1, 61))
    assert models[-1].visit.visits == 60 * 30


def test_long_epochs_can_be_interrupted():
    X, y = two_groups(np.random.default_rng(8), 20_000, 0.0)
    steps = Perceptron().steps(X, y, np.random.default_rng(0))
    for model in steps:
        if model.visit is not None and model.visit.visits > 5000:
            break
    assert model.visit.visits < 20_000


def test_the_picture():
    X, y = two_groups(np.random.default_rng(9), 30, 3.0)
    algorithm = Perceptron()
    models = list(algorithm.steps(X, y, np.random.default_rng(0)))
    mistaken = next(m for m in models if m.mistakes == 2 and m.visit.mistake)
    here = context(algorithm, X, y, field=mistaken.on_grid(GRID))
    (ring,) = online.visited.draw(mistaken, here)
    assert isinstance(ring, Points) and ring.rows.tolist() == [mistaken.visit.row]
    assert ring.label == "visited: misclassified"
    (line,) = online.former_boundary.draw(mistaken, here)
    assert isinstance(line, Lines)
    assert np.abs(mistaken.former.decision_function(line.xy)).max() < 1e-6
    arrow, word = online.weight_arrow.draw(mistaken, here)
    assert isinstance(arrow, Arrows) and isinstance(word, Text) and word.words == ("w",)
    assert mistaken.decision_function(arrow.start)[0] == pytest.approx(0, abs=1e-12)
    way = (arrow.end - arrow.start)[0]
    assert way @ mistaken.coef == pytest.approx(np.linalg.norm(way) * np.linalg.norm(mistaken.coef))
    (rings,) = online.mistaken.draw(mistaken, here)
    np.testing.assert_array_equal(rings.rows, np.flatnonzero(mistaken.counts))
    (numbers,) = online.counts.draw(mistaken, here)
    assert numbers.words == tuple(str(c) for c in mistaken.counts[mistaken.counts > 0])
    assert not online.visited.draw(models[-1], here) and not online.former_boundary.draw(models[-1], here)
    chart = online.mistakes_so_far_chart.draw(models[-1], here)
    assert chart.marks[0].xy[-1, 1] == models[-1].mistakes and chart.marks[1].role == "reference"
    bars = online.mistakes_per_epoch_chart.draw(models[-1], here).marks[0].vertices
    assert sum(bar[2, 1] for bar in bars) == models[-1].mistakes and bars[-1][2, 1] == 0


def test_an_arrow_only_where_the_boundary_is_in_view():
    for coef, intercept, seen in (((1.0, 0.0), 0.0, True), ((1.0, 0.0), 50.0, False), ((0.0, 0.0), 1.0, False)):
        found = online.middle_of_boundary(np.array(coef), intercept, GRID)
        assert (found is not None) == seen


def test_explanations():
    X, y = two_groups(np.random.default_rng(9), 30, 3.0)
    model = Perceptron().fit(X, y)
    told = model.explain(np.array([1.0, 2.0]))
    f = model.decision_function(np.array([[1.0, 2.0]]))[0]
    assert f"= {f:.3g}" in told.sentence and f"{abs(f) / np.linalg.norm(model.coef):.3g} from" in told.sentence
    assert model.decision_function(told.marks[0].end)[0] == pytest.approx(0, abs=1e-12)
    row = int(np.argmax(model.counts))
    assert "misclassified" in model.explain(X[row]).sentence and "never" not in model.explain(X[row]).sentence
    assert "never misclassified" in model.explain(X[int(np.argmin(model.counts))]).sentence


def test_several_classes_advance_in_step():
    rng = np.random.default_rng(10)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) * 0.5 + 3 * np.column_stack((np.cos(2 * y), np.sin(2 * y)))
    models = list(Pipeline(Perceptron()).steps(X, y))
    assert len(models[0].parts) == 3 and all(part.model.visit is None for part in models[0].parts)
    assert [part.model.visit.visits for part in models[5].parts] == [5, 5, 5]
    assert (models[-1].predict(X) == y).all()
    here = context(Perceptron(), X, y)
    assert "each" in online.mistakes_so_far_chart.draw(models[-1].inner, here).marks[0].label
    assert online.mistakes_per_epoch_chart.draw(models[-1].inner, here)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.eye(3), [0, 0, 0], "one class"),
        (np.eye(3), [0, 1, 2], "one-vs-one"),
        (1e200 * np.eye(3), [0, 1, 1], "too large"),
    ],
)
def test_what_cannot_be_fitted_is_told(X, y, words):
    with pytest.raises(CannotFit, match=words):
        Perceptron().fit(X, y)
