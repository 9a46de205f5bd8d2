import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC

from mlviz.algorithms.margin import svm_sgd
from mlviz.algorithms.margin.svm_sgd import SVMByDescent
from mlviz.algorithms.margin.svm_sgd.descent import MOST_SAMPLES, STEPS_SHOWN_SINGLY
from mlviz.draw.layer import Context
from mlviz.draw.overlays import online
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from tests.sweep import each, trials

GRID = Grid.over((-4, 4, -4, 4), 33, 31)


def blobs(rng, n, apart=2.0):
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + apart * (y[:, None] - 0.5), y


def steps_of(algorithm, X, y):
    return list(algorithm.steps(X, y, np.random.default_rng(0)))


def objective(w, b, X, y, lambda_):
    signs = np.where(y, 1, -1)
    return lambda_ * w @ w + np.maximum(0, 1 - signs * (X @ w + b)).mean()


def by_hand(X, y, lambda_, batch, steps, rng, average):
    """The rule, step by step, in the inputs counted from their mean."""
    signs, center = np.where(y, 1.0, -1.0), X.mean(axis=0)
    w, b, total, mean_w, mean_b = np.zeros(X.shape[1]), 0.0, 0.0, np.zeros(X.shape[1]), 0.0
    for t in range(1, steps + 1):
        eta = 1 / (2 * lambda_ * t)
        rows = [int(u * len(X)) for u in rng.random(batch)]
        pulls = [i for i in rows if signs[i] * ((X[i] - center) @ w + b) < 1]
        slope_w = 2 * lambda_ * w - sum((signs[i] * (X[i] - center) for i in pulls), np.zeros(X.shape[1])) / batch
        slope_b = -sum(signs[i] for i in pulls) / batch
        w, b = w - eta * slope_w, b - min(eta, 1 / np.sqrt(t)) * slope_b
        total += t
        mean_w, mean_b = mean_w + t / total * (w - mean_w), mean_b + t / total * (b - mean_b)
    return (mean_w, mean_b - mean_w @ center) if average else (w, b - w @ center)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("batch", [1, 7])
def test_takes_the_steps_that_the_help_describes(average, batch):
    rng = np.random.default_rng(0)
    for seed in trials(20):
        X, y = blobs(rng, 30)
        X += rng.normal(size=2) * 5
        algorithm = SVMByDescent(10.0 ** rng.uniform(-3, 0), batch, 3, average)
        model = algorithm.fit(X, y, seed=seed)
        steps = round(90 / batch)
        w, b = by_hand(X, y, algorithm.lambda_, batch, steps, np.random.default_rng(seed), average)
        np.testing.assert_allclose(model.coef, w, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(model.intercept, b, rtol=1e-8, atol=1e-8)
        assert model.objective == pytest.approx(objective(w, b, X, y, algorithm.lambda_), rel=1e-9)
        assert model.steps == steps


def test_the_exact_minimum_is_that_of_libsvm_on_random_problems():
    rng = np.random.default_rng(1)
    for _ in trials(60):
        n = int(rng.integers(4, 80))
        X, y = blobs(rng, n, rng.uniform(0, 3))
        lambda_ = 10.0 ** rng.uniform(-3, 0)
        model = SVMByDescent(lambda_, max_iter=2).fit(X, y)
        oracle = SVC(C=1 / (2 * lambda_ * n), kernel="linear", tol=1e-9).fit(X, y)
        expected = objective(oracle.coef_[0], oracle.intercept_[0], X, y, lambda_)
        assert model.problem.minimum == pytest.approx(expected, rel=1e-6)
        assert model.objective >= model.problem.minimum * (1 - 1e-9)


@each("average, lambda_", [False, True], [0.003, 0.03, 0.3])
def test_comes_near_to_the_minimum(lambda_, average):
    X, y = blobs(np.random.default_rng(2), 200)
    for seed in trials(4):
        model = SVMByDescent(lambda_, max_iter=100, average=average).fit(X, y, seed=seed)
        assert model.facts()["above the minimum"] < 1e-2


def test_the_average_is_calmer():
    X, y = blobs(np.random.default_rng(2), 200)
    wild, calm = (
        np.abs(
            np.diff(
                [m.objective for m in steps_of(SVMByDescent(average=average), X, y) if m.steps > STEPS_SHOWN_SINGLY]
            )
        ).sum()
        for average in (False, True)
    )
    assert calm < wild / 5


def test_real_data():
    X, y = load_breast_cancer(return_X_y=True)
    model = Pipeline(SVMByDescent(max_iter=50), "standardize").fit(X, y)
    facts = model.facts()
    assert facts["above the minimum"] < 0.02 and facts["training error"] < 0.03


def test_weights_are_shares_of_the_draws():
    X, y = blobs(np.random.default_rng(3), 40)
    weights = np.random.default_rng(4).integers(0, 4, 40)
    weighted = SVMByDescent().fit(X, y, sample_weight=weights)
    repeated = SVMByDescent().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.coef, repeated.coef, atol=1e-9)
    assert weighted.problem.minimum == pytest.approx(repeated.problem.minimum, rel=1e-8)
    assert weighted.steps == repeated.steps


def test_steps_are_shown_one_by_one_and_then_in_leaps():
    X, y = blobs(np.random.default_rng(5), 500)
    models = list(SVMByDescent().steps(X, y, np.random.default_rng(0)))
    steps = [m.steps for m in models]
    assert steps[: STEPS_SHOWN_SINGLY + 1] == list(range(STEPS_SHOWN_SINGLY + 1)) and steps[-1] == 10_000
    assert (np.diff(steps) > 0).all() and len(steps) < 1000
    np.testing.assert_array_equal(models[-1].shown(len(steps)), steps)
    assert [len(m.visited) for m in models[:3]] == [0, 1, 1] and not len(models[-1].visited)
    assert models[1].stage == "batch 1 of 10,000"


def test_the_picture_and_why():
    X, y = blobs(np.random.default_rng(6), 60)
    algorithm = SVMByDescent(batch_size=4)
    models = list(algorithm.steps(X, y, np.random.default_rng(0)))
    history = tuple(m.objective for m in models)
    here = Context(X, y, np.arange(60), algorithm, "classification", grid=GRID, history=history, step=50)
    (line,) = svm_sgd.exact_boundary_overlay.draw(models[50], here)
    assert np.abs(models[50].problem.exact.decision_function(line.xy)).max() < 1e-5
    (rings,) = online.visited.draw(models[50], here)
    assert len(rings.rows) == 4
    chart = svm_sgd.objective_and_exact_chart.draw(models[50], here)
    curve, reference, now = chart.marks
    np.testing.assert_allclose(curve.xy[:, 1], history[1:])
    assert (curve.xy[:, 0] == [m.steps for m in models[1:]]).all()
    assert (reference.xy[:, 1] == models[50].problem.minimum).all() and now.xy.tolist() == [[50, history[50]]]
    told = models[-1].explain(np.array([0.5, 2.0]))
    exact = models[-1].problem.exact.decision_function(np.array([[0.5, 2.0]]))[0]
    assert f"the exact machine has {exact:.3g}" in told.sentence


def test_with_very_many_samples_the_exact_solution_is_not_computed():
    X, y = blobs(np.random.default_rng(7), MOST_SAMPLES + 1)
    model = SVMByDescent(max_iter=1).fit(X, y)
    assert model.problem.exact is None and "exact minimum" not in model.facts()
    here = Context(
        X, y, np.arange(len(X)), SVMByDescent(), "classification", grid=GRID, history=(3.0, 2.0, 1.0), step=1
    )
    assert len(svm_sgd.objective_and_exact_chart.draw(model, here).marks) == 2
    assert not svm_sgd.exact_boundary_overlay.draw(model, here)


@pytest.mark.parametrize(("multiclass", "models"), [("one-vs-rest", 12), ("one-vs-one", 66)])
def test_the_binary_models_of_many_classes_share_the_steps(multiclass, models, monkeypatch):
    monkeypatch.setattr("mlviz.algorithms.margin.svm_sgd.descent.MOST_STEPS", 6_000)
    y = np.arange(1200) % 12
    X = np.random.default_rng(3).normal(0, 0.3, (len(y), 2)) + np.column_stack((np.cos(y), np.sin(y)))
    model = Pipeline(SVMByDescent(batch_size=50), multiclass=multiclass).fit(X, y)
    steps = [part.model.steps for part in model.parts]
    assert len(steps) == models and sum(steps) <= 6_000
    assert sum(steps) >= 5_000 and "so many samples and classes" not in model.caveat
    model = Pipeline(SVMByDescent(), multiclass=multiclass).fit(X, y)
    assert sum(part.model.steps for part in model.parts) <= 6_000
    assert "so many samples and classes" in model.caveat


def test_very_many_samples_are_drawn_for_fewer_epochs_and_it_says_so(monkeypatch):
    monkeypatch.setattr("mlviz.algorithms.margin.svm_sgd.descent.MOST_STEPS", 4000)
    rng = np.random.default_rng(0)
    y = np.arange(6000) % 2
    X = rng.normal(0, 1, (len(y), 2)) + 3 * y[:, None]
    for epochs, caveat in ((5, ""), (20, "only 6.7 of 20 epochs, for there are so many samples")):
        *_, model = SVMByDescent(max_iter=epochs, batch_size=10).steps(X, y, rng)
        steps = min(4000, 600 * epochs)
        assert model.steps == steps and model.facts()["epochs"] == steps / 600
        assert model.caveat == caveat
        assert np.mean(model.predict(X) != y) < 0.03
