import itertools

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.svm import SVC

from mlviz.algorithms.margin import smo as module
from mlviz.algorithms.margin.smo import SMO, STEPS_SHOWN_SINGLY
from mlviz.algorithms.margin.svm import SVM
from mlviz.draw.layer import Context
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from tests.sweep import each, trials

GRID = Grid.over((-4, 4, -4, 4), 33, 31)
PAIRS = SMO.parameter("pair").options


def blobs(rng, n, apart=2.0):
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + apart * (y[:, None] - 0.5), y


def steps(algorithm, X, y, sample_weight=None):
    return list(algorithm.steps(X, y, np.random.default_rng(0), sample_weight))


def random_settings(rng):
    kernel = str(rng.choice(["gaussian", "linear", "polynomial", "laplacian"]))
    return {"kernel": kernel, "sigma": rng.uniform(0.3, 3), "degree": 2, "C": 10.0 ** rng.uniform(-2, 1.5)}


@pytest.mark.parametrize("pair", PAIRS)
def test_ends_where_the_exact_machine_and_libsvm_are_on_random_problems(pair):
    rng = np.random.default_rng(0)
    for _ in trials(20):
        n = int(rng.integers(4, 60))
        X, y = blobs(rng, n, rng.uniform(0, 3))
        values, tol = random_settings(rng), 1e-5
        if pair == "random violation":  # which takes long where C is large
            values["C"], tol = min(values["C"], 1.0), 1e-4
        model = SMO(pair=pair, tol=tol, **values).fit(X, y)
        exact = SVM(**values).fit(X, y)
        assert model.settled and model.violation <= tol
        assert model.objective <= exact.objective * (1 + 1e-9)
        assert model.objective == pytest.approx(exact.objective, rel=10 * tol)
        near = 100 * tol * max(1.0, np.abs(exact.decision_function(X)).max())
        oracle = SVC(C=values["C"], kernel=lambda A, B, k=exact.kernel: k.matrix(A, B), tol=1e-8).fit(X, y)
        if exact.facts()["free support vectors"]:  # else b may be anything in an interval
            np.testing.assert_allclose(model.decision_function(X), exact.decision_function(X), atol=near)
            np.testing.assert_allclose(model.decision_function(X), oracle.decision_function(X), atol=near)
        assert model.facts()["relative duality gap"] < 1e-3


@each("load, pair", [load_iris, load_breast_cancer], PAIRS)
def test_real_data(load, pair):
    X, y = load(return_X_y=True)
    X, y = (X - X.mean(axis=0)) / X.std(axis=0), np.minimum(y, 1)
    model = SMO(sigma=3.0, pair=pair, tol=1e-4).fit(X, y)
    oracle = SVC(gamma=1 / 18, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), oracle.decision_function(X), atol=5e-4)
    assert model.settled


@pytest.mark.parametrize("pair", PAIRS)
def test_each_step_moves_one_pair_within_the_bounds_and_raises_the_dual_objective(pair):
    rng = np.random.default_rng(1)
    X, y = blobs(rng, 40)
    signs = np.where(y, 1, -1)
    models = steps(SMO(pair=pair, C=2.0), X, y)
    assert models[0].stage == "all α = 0" and models[0].objective == 0
    K = SMO().kernel_function().matrix(X, X)
    former = np.zeros(40)
    for step, model in enumerate(models[1:STEPS_SHOWN_SINGLY], start=1):
        assert model.steps == step
        run = model.run
        alpha = np.zeros(40)
        alpha[run.problem.rows] = np.abs(model.beta)[run.group]
        assert (alpha >= 0).all() and (alpha <= 2.0).all() and abs(alpha @ signs) < 1e-12
        moved = np.flatnonzero(alpha != former)
        assert set(moved) == {int(rows[0]) for rows in model.moved}
        beta = alpha * signs
        assert model.objective == pytest.approx(alpha.sum() - beta @ K @ beta / 2, abs=1e-10)
        assert model.objective > models[step - 1].objective - 1e-12
        slope = signs - K @ beta
        up, down = slope[np.where(signs > 0, alpha < 2, alpha > 0)], slope[np.where(signs > 0, alpha > 0, alpha < 2)]
        assert model.violation == pytest.approx(up.max() - down.min(), abs=1e-10)
        # No other length of the move is better: the objective's slope along it is 0, or a bound is in the way.
        i, j = (int(rows[0]) for rows in model.moved)
        free = all(1e-12 < alpha[k] < 2 - 1e-12 for k in (i, j))
        assert not free or slope[i] == pytest.approx(slope[j], abs=1e-9)
        former = alpha


def test_second_order_gains_more_in_a_step_than_the_largest_violation():
    X, y = blobs(np.random.default_rng(2), 100)
    first, second = (steps(SMO(pair=pair), X, y) for pair in PAIRS[:2])
    assert second[1].objective >= first[1].objective
    assert len(second) < len(first)


def test_the_second_order_is_that_of_the_parabolas_tops():
    X, y = blobs(np.random.default_rng(2), 40)
    models = steps(SMO(pair="second order", kernel="polynomial", degree=2, C=0.5), X, y)
    K = models[0].run.pairs.gram()
    for former, model in itertools.pairwise(models[:60]):
        run, s, beta = model.run, former.slope, former.beta
        i = int(np.where(beta < run.hi, s, -np.inf).argmax())
        down = np.flatnonzero((beta > run.lo) & (s < s[i]))
        # How much the objective gains where no bound is in the way.
        gains = [(s[i] - s[j]) ** 2 / (2 * (K[i, i] + K[j, j] - 2 * K[i, j])) for j in down]
        assert (model.pair.grown, model.pair.shrunk) == (i, down[int(np.argmax(gains))])


@pytest.mark.parametrize("pair", PAIRS)
def test_two_of_different_classes_at_one_place_move_to_a_bound(pair):
    X = np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 3.0], [0.0, -1.0]])
    y = np.array([0, 1, 1, 0])
    model, exact = (cls(kernel="linear", C=2.0, **more).fit(X, y) for cls, more in ((SMO, {"pair": pair}), (SVM, {})))
    assert model.settled and model.objective == pytest.approx(exact.objective, rel=1e-3)
    np.testing.assert_allclose(np.abs(model.alpha[:2]), 2.0)


def test_samples_at_the_same_place_move_together():
    X, y = blobs(np.random.default_rng(3), 20)
    weights = np.random.default_rng(4).integers(1, 4, 20)
    rows = np.repeat(np.arange(20), weights)
    repeated, weighted = steps(SMO(), X[rows], y[rows]), steps(SMO(), X, y, weights.astype(float))
    assert len(repeated) == len(weighted)
    np.testing.assert_allclose(repeated[-1].alpha, (weighted[-1].alpha / weights)[rows], atol=1e-10)
    grown, _ = repeated[1].moved
    assert (X[rows][grown] == X[rows][grown[0]]).all() and len(grown) == weights[rows[grown[0]]]


def test_later_steps_are_shown_in_leaps_and_most_steps_are_told(monkeypatch):
    X, y = blobs(np.random.default_rng(5), 200, 0.5)
    algorithm = SMO(C=100.0, tol=1e-6)
    models = steps(algorithm, X, y)
    shown = [m.steps for m in models]
    assert (
        shown[: STEPS_SHOWN_SINGLY + 1] == list(range(STEPS_SHOWN_SINGLY + 1))
        and shown[-1] > 500
        and len(shown) < shown[-1]
    )
    monkeypatch.setattr(module, "MOST_STEPS", 350)
    *_, last = steps(algorithm, X, y)
    assert last.steps == 350 and not last.settled and "stopped after 350 steps with a KKT violation" in last.caveat
    assert "leave-one-out bound" not in last.facts()
    X, y = X[:40], y[:40]
    *_, done = steps(SMO(), X, y)
    monkeypatch.setattr(module, "MOST_STEPS", done.steps)
    *_, last = steps(SMO(), X, y)
    assert last.late and last.settled and not last.caveat
    assert last.facts()["leave-one-out bound"] == SVM().fit(X, y).facts()["leave-one-out bound"]


def test_the_picture_and_why():
    X, y = blobs(np.random.default_rng(6), 30)
    algorithm = SMO(kernel="linear")
    models = steps(algorithm, X, y)
    here = Context(X, y, np.arange(30) + 100, algorithm, "classification", grid=GRID)
    line, rings = module.moved_overlay.draw(models[3], here)
    assert len(rings.rows) == 2 and set(rings.rows) == {int(rows[0]) + 100 for rows in models[3].moved}
    np.testing.assert_array_equal(rings.xy, np.concatenate((line.start, line.end)))
    (words,) = module.moves_overlay.draw(models[3], here)
    assert all(word.startswith("α ") and " → " in word and word.split()[1] != word.split()[3] for word in words.words)
    assert not module.moved_overlay.draw(models[0], here) and not module.moves_overlay.draw(models[0], here)
    chart = module.violation_chart.draw(models[-1], here)
    assert chart.y_scale == "log" and chart.marks[0].xy[-1, 1] == pytest.approx(models[-1].violation)
    assert len(module.violation_chart.draw(models[5], here).marks[0].xy) == 6
    dual = module.dual_objective_chart.draw(models[-1], here)
    assert dual.marks[0].xy[-1, 1] == pytest.approx(models[-1].objective)
    assert module.violation_chart.draw(models[0], here) is None
    assert "f(x)" in models[-1].explain(np.array([0.0, 1.0])).sentence


def test_several_classes():
    rng = np.random.default_rng(7)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 2)) + 2 * np.column_stack((np.cos(2 * y), np.sin(2 * y)))
    model, exact = (Pipeline(cls(C=3.0)).fit(X, y) for cls in (SMO, SVM))
    assert np.mean(model.predict(X) == exact.predict(X)) > 0.98
    here = Context(X, y, np.arange(90), SMO(), "classification", grid=GRID)
    assert "each binary model" in module.violation_chart.draw(model.inner, here).marks[0].label


def test_under_the_hand_the_exact_machine_is_shown():
    rng = np.random.default_rng(8)
    X, y = blobs(rng, 60)
    pipeline = Pipeline(SMO(C=5.0, tol=1e-4))
    follower = pipeline.follower()
    for _ in range(5):
        X = X + 0.1 * rng.normal(size=X.shape)
        draft, last = follower.update(pipeline, X, y), pipeline.fit(X, y)
        np.testing.assert_allclose(draft.decision_function(X), last.decision_function(X), atol=5e-3)
        here = Context(X, y, np.arange(60), pipeline.algorithm, "classification", grid=GRID)
        for draws in (*SMO.overlays, *SMO.charts):
            draws.draw(draft.inner, here)
    assert module.violation_chart.draw(draft.inner, here) is None
