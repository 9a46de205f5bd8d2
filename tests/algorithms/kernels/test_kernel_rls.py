import numpy as np
import pytest
from scipy.linalg import lapack
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import RidgeClassifier
from sklearn.preprocessing import scale

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels import kernel_ridge, parameters
from mlviz.algorithms.kernels.kernel_rls import ClassRegressions, KernelRLS
from mlviz.algorithms.kernels.parameters import MOST_SAMPLES
from mlviz.algorithms.linear.rls_classifier import RLSClassifier
from mlviz.algorithms.targets import decode_targets, encode_targets
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines, Points
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.algorithms.kernels.test_kernel_ridge import gram
from tests.sweep import each, trials

KERNELS = ("gaussian", "linear", "polynomial", "laplacian")
GRID = Grid.over((-4, 4, -3, 5), 25, 20)


def groups(n=60, k=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    return rng.normal(size=(n, 2)) + 1.5 * np.column_stack((np.cos(2.3 * y), np.sin(2.3 * y))), y


def bordered(algorithm, X, y, weights=None):
    """Coefficients (t, n) and offsets (t,) by one dense solve for all targets."""
    n, weights = len(X), np.ones(len(X)) if weights is None else weights
    classes, codes = np.unique(y, return_inverse=True)
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = gram(algorithm, X, X) + np.diag(algorithm.lambda_ * weights.sum() / weights)
    system[n, n] = 0
    targets = encode_targets(codes, len(classes))
    solution = np.linalg.solve(system, np.vstack((targets.T, np.zeros(len(targets)))))
    return solution[:n].T, solution[n], targets, codes


def scores(algorithm, X, y, places, weights=None):
    a, b, *_ = bordered(algorithm, X, y, weights)
    return np.squeeze((gram(algorithm, places, X) @ a.T) + b)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("k", [2, 4])
def test_it_solves_the_bordered_system(kernel, k):
    X, y = groups(k=k)
    algorithm = KernelRLS(lambda_=0.003, kernel=kernel, sigma=0.7, coef0=0.5)
    model, places = algorithm.fit(X, y), GRID.points()
    expected = scores(algorithm, X, y, places)
    size = np.abs(expected).max()
    np.testing.assert_allclose(model.decision_function(places), expected, atol=1e-9 * size)
    np.testing.assert_allclose(model.on_grid(GRID).reshape(expected.shape), expected, atol=1e-9 * size)
    np.testing.assert_array_equal(model.predict(places), decode_targets(np.atleast_2d(expected.T)))
    assert model.facts()["residual of the equations"] < 1e-11


@pytest.mark.parametrize(("kernel", "degree"), [("linear", 1), ("polynomial", 3), ("polynomial", 9)])
def test_one_decomposition_of_the_features_serves_all_classes(kernel, degree, monkeypatch):
    algorithm, counts = KernelRLS(lambda_=0.1, kernel=kernel, degree=degree), []
    svd, jacobi = np.linalg.svd, lapack.dgejsv
    monkeypatch.setattr(np.linalg, "svd", lambda *a, **kw: counts.append(1) or svd(*a, **kw))
    monkeypatch.setattr(lapack, "dgejsv", lambda *a, **kw: counts.append(1) or jacobi(*a, **kw))
    X, found = np.random.default_rng(0).normal(size=(40, 4)), []
    for k in (2, 6):
        counts.clear()
        y = np.arange(40) % k
        scores_there = algorithm.fit(X, y).decision_function(X)
        found.append(len(counts))
        np.testing.assert_allclose(scores_there, scores(algorithm, X, y, X), atol=1e-6)
    assert found[0] == found[1] > 0


def test_it_solves_the_bordered_system_on_random_problems():
    for seed in trials(200):
        rng = np.random.default_rng(seed)
        k, n, d = int(rng.integers(2, 5)), int(rng.integers(1, 40)), int(rng.integers(1, 4))
        y = np.concatenate((np.arange(k), rng.integers(0, k, n)))
        X = rng.normal(size=(len(y), d)).round(1 if seed % 3 else 0)  # rounded ones have duplicates of opposite classes
        weights = rng.integers(1, 4, len(y)).astype(float)
        kernel = KERNELS[seed % 4]
        algorithm = KernelRLS(
            lambda_=float(10 ** rng.uniform(-4, 1)), kernel=kernel, sigma=float(10 ** rng.uniform(-1, 1))
        )
        places = rng.normal(size=(20, d))
        expected = scores(algorithm, X, y, places, weights)
        found = algorithm.fit(X, y, sample_weight=weights).decision_function(places)
        np.testing.assert_allclose(found, expected, atol=1e-6 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_with_the_linear_kernel_it_is_the_ridge_classifier(load):
    X, y = load(return_X_y=True)
    X = scale(X)
    model, linear = KernelRLS(lambda_=0.02, kernel="linear").fit(X, y), RLSClassifier(0.02).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), linear.decision_function(X), atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), RidgeClassifier(alpha=len(X) * 0.02).fit(X, y).predict(X))


@pytest.mark.parametrize("k", [2, 3])
def test_leave_one_out_error_is_that_of_fits_without_each_sample(k):
    X, y = groups(40, k)
    algorithm = KernelRLS(lambda_=0.01, sigma=0.6)
    wrong = []
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        without = algorithm.replace(lambda_=0.01 * len(X) / (len(X) - 1))  # n lambda stays
        wrong.append(without.fit(X[rest], y[rest]).predict(X[i : i + 1])[0] != y[i])
    assert 0 < np.mean(wrong) < 0.5
    assert algorithm.fit(X, y).facts()["leave-one-out error"] == pytest.approx(np.mean(wrong))


def test_scores_of_several_classes_add_up_to_one():
    X, y = groups(k=4)
    np.testing.assert_allclose(KernelRLS().fit(X, y).decision_function(GRID.points()).sum(axis=1), 1, atol=1e-12)


def test_the_objective_is_what_it_says():
    X, y = groups()
    algorithm = KernelRLS(lambda_=0.05, sigma=0.8)
    (a,), (b,), (target,), _ = bordered(algorithm, X, y)
    K = gram(algorithm, X, X)
    value = np.mean((target - K @ a - b) ** 2) + 0.05 * a @ K @ a
    model = algorithm.fit(X, y)
    assert model.objective == pytest.approx(value, rel=1e-10)
    assert model.facts()["|f|"] == pytest.approx(np.sqrt(a @ K @ a), rel=1e-9)
    assert model.facts()["offset"] == pytest.approx(b, abs=1e-10)


@each("k, kernel", [2, 3], ["gaussian", "laplacian"])
def test_follower_equals_steps_after_many_edits(k, kernel):
    rng = np.random.default_rng(k)
    X, y = groups(30, k)
    algorithm = KernelRLS(lambda_=1e-3, sigma=0.5, kernel=kernel)
    follower = algorithm.follower()
    for step in trials(200):
        X, y = X.copy(), y.copy()
        kind, row = rng.choice(["move", "move", "move", "several", "relabel", "add", "erase"]), rng.integers(len(X))
        if kind == "move":
            X[row] += 0.3 * rng.normal(size=2)
        elif kind == "several":
            X[rng.permutation(len(X))[:3]] += 0.1
        elif kind == "relabel":
            y[row] = rng.integers(k)
        elif kind == "add":
            X, y = np.vstack((X, rng.normal(size=2))), np.append(y, rng.integers(k))
        elif len(X) > 20:
            X, y = np.delete(X, row, axis=0), np.delete(y, row)
        if step % 50 == 49:
            algorithm = algorithm.replace(lambda_=float(10 ** rng.uniform(-4, 0)))
        draft, exact = follower.update(algorithm, X, y, None, 0.0), algorithm.fit(X, y)
        np.testing.assert_allclose(draft.on_grid(GRID), exact.on_grid(GRID), atol=1e-6)
        assert draft.facts()["leave-one-out error"] == pytest.approx(exact.facts()["leave-one-out error"])


def test_a_worn_inverse_is_made_anew_and_new_labels_are_followed_in_the_old_one(monkeypatch):
    X, y = groups(30)
    algorithm = KernelRLS(lambda_=1e-3, sigma=0.5)
    follower, made, equations = algorithm.follower(), [], ClassRegressions.equations
    monkeypatch.setattr(ClassRegressions, "equations", lambda *given: made.append(1) or equations(*given))
    for row, anew, worn in ((1, True, 1e-7), (2, False, 1e-7), (3, False, 1e-7), (4, True, -1.0)):
        y = y.copy()
        y[row] = 1 - y[row]
        monkeypatch.setattr(kernel_ridge, "WORN_RESIDUAL", worn)
        made.clear()
        draft = follower.update(algorithm, X, y, None, 0.0)
        assert len(made) == anew
        np.testing.assert_allclose(draft.on_grid(GRID), algorithm.fit(X, y).on_grid(GRID), atol=1e-6)


@pytest.mark.parametrize("k", [2, 3])
def test_very_many_samples_are_approximated_and_followed(k):
    X, y = groups(MOST_SAMPLES + 200, k)
    algorithm = KernelRLS(sigma=0.8)
    model = algorithm.fit(X, y)
    assert "as centres" in model.caveat and model.facts()["left out of the kernel"] < 1e-3
    few = KernelRLS(sigma=0.8).fit(X[:1500], y[:1500])
    assert np.mean(model.predict(GRID.points()) != few.predict(GRID.points())) < 0.08
    follower = algorithm.follower()
    follower.update(algorithm, X, y, None, 0.0)
    for row in (5, 5, 9):
        X = X.copy()
        X[row] += 0.4
        draft = follower.update(algorithm, X, y, None, 0.0)
    y = y.copy()
    y[:300] = 1 - np.minimum(y[:300], 1)
    draft = follower.update(algorithm, X, y, None, 0.0)
    np.testing.assert_allclose(draft.on_grid(GRID), algorithm.fit(X, y).on_grid(GRID), atol=2e-2)


def test_the_approximation_is_near_the_exact_solution(monkeypatch):
    X, y = groups(400, 3)
    exact = KernelRLS(sigma=1.0).fit(X, y).on_grid(GRID)
    monkeypatch.setattr(parameters, "MOST_SAMPLES", 300)
    np.testing.assert_allclose(KernelRLS(sigma=1.0).fit(X, y).on_grid(GRID), exact, atol=5e-3)


def test_explanations_name_and_show_the_largest_parts():
    X, y = groups()
    algorithm = KernelRLS(sigma=0.5)
    model, x = algorithm.fit(X, y), np.array([0.3, 0.4])
    told = model.explain(x)
    a, _, *_ = bordered(algorithm, X, y)
    terms = (gram(algorithm, x[None], X) * a)[0]
    largest = np.argsort(-np.abs(terms))[:8]
    for code, mine in ((0, largest[terms[largest] < 0]), (1, largest[terms[largest] > 0])):
        (rings,) = [mark for mark in told.marks if mark.role == f"vote {code}"]
        assert isinstance(rings, Points)
        np.testing.assert_allclose(rings.xy, X[mine])
        share = np.abs(terms[mine]) / np.abs(terms[largest[0]])
        np.testing.assert_allclose(rings.size**2 / 2.5**2, share, rtol=1e-6)
    away = np.linalg.norm(X[largest[0]] - x)
    assert f"the largest part, {terms[largest[0]]:.3g}, is that of the sample {away:.3g} away" in told.sentence
    assert "ahead of class" in KernelRLS().fit(*groups(k=3)).explain(x).sentence
    assert KernelRLS(kernel="linear").fit(X, y).explain(x).marks == ()


def test_where_f_is_one_the_targets_are_drawn():
    X, y = groups()
    scene = Scene(Dataset(X, y), (Panel(Pipeline(KernelRLS(sigma=0.5)), hidden=()),))
    (picture,) = draw(scene, [(300, 300)], resolution=60)
    (lines,) = [mark for mark in picture.plot.marks if isinstance(mark, Lines) and mark.role == "margin"]
    xy = lines.xy[np.isfinite(lines.xy[:, 0])]
    np.testing.assert_allclose(np.abs(KernelRLS(sigma=0.5).fit(X, y).decision_function(xy)), 1, atol=0.05)


def test_one_class_is_refused():
    with pytest.raises(CannotFit, match="All samples are of one class"):
        KernelRLS().fit([[0.0], [1.0]], [1, 1])
