"""Support vector regression against libsvm, its own dual, and what its picture says."""

import time

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.svm import SVR as SklearnSVR

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.box_program import MOST_SAMPLES
from mlviz.algorithms.margin.svr import SVR
from mlviz.data.dataset import Dataset
from mlviz.numerics.svm.tube import best_offset
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each, trials

KERNELS = ("gaussian", "linear", "polynomial", "laplacian")


def wave(n=60, d=1, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-4, 4, (n, d))
    return X, np.sin(1.5 * X).sum(axis=1) + noise * rng.normal(size=n)


def gram(svr, A, B):
    match svr.kernel:
        case "linear":
            return A @ B.T
        case "polynomial":
            return polynomial_kernel(A, B, degree=svr.degree, gamma=1, coef0=svr.coef0)
        case "laplacian":
            return laplacian_kernel(A, B, gamma=1 / svr.sigma)
        case _:
            return rbf_kernel(A, B, gamma=1 / (2 * svr.sigma**2))


def objectives(svr, X, y, weights, beta, f):
    """The primal and the dual objective of variables beta (n,), whose function is f (n,) at the samples."""
    K = gram(svr, X, X)
    norm = beta @ K @ beta
    slack = np.maximum(0.0, np.abs(y - f) - svr.epsilon)
    return norm / 2 + svr.C * weights @ slack, y @ beta - svr.epsilon * np.abs(beta).sum() - norm / 2


def rounding(svr, X, beta):
    """How far off libsvm may be, which keeps its kernel in single precision."""
    return 2e-6 + 1e-7 * np.abs(beta).sum() * np.abs(gram(svr, X, X)).max()


# With one input and with two in turn: each kernel, and each pair of C and epsilon, meets both.
PENALTIES = ((1.0, 0.3), (0.02, 0.1), (30.0, 0.5), (1.0, 0.0))
ON_WAVES = [(kernel, 1 + (i + j) % 2, *pair) for i, kernel in enumerate(KERNELS) for j, pair in enumerate(PENALTIES)]


@pytest.mark.parametrize(("kernel", "d", "C", "epsilon"), ON_WAVES)
def test_it_is_libsvms(kernel, d, C, epsilon):
    X, y = wave(80, d)
    svr = SVR(C=C, epsilon=epsilon, kernel=kernel, degree=2)
    model = svr.fit(X, y)
    theirs = SklearnSVR(C=C, epsilon=epsilon, kernel="precomputed", tol=1e-9).fit(gram(svr, X, X), y)
    places = np.random.default_rng(1).uniform(-5, 5, (50, d))
    beta = model.solution.beta
    expected = theirs.predict(gram(svr, places, X))
    np.testing.assert_allclose(model.predict(places), expected, atol=rounding(svr, X, beta))
    assert (np.abs(beta) <= C * (1 + 1e-12)).all()
    assert abs(beta.sum()) <= 1e-9 * np.abs(beta).sum()
    primal, dual = objectives(svr, X, y, np.ones(80), beta, model.predict(X))
    assert model.facts()["primal objective"] == pytest.approx(primal, rel=1e-9)
    assert model.facts()["dual objective"] == pytest.approx(dual, rel=1e-9)
    assert primal - dual <= 1e-9 * primal
    bs = np.zeros(80)
    bs[theirs.support_] = theirs.dual_coef_[0]
    assert dual >= objectives(svr, X, y, np.ones(80), bs, y)[1] - 1e-9 * abs(dual)


@pytest.mark.parametrize("kernel", KERNELS)
def test_it_is_libsvms_on_real_data(kernel):
    X, y = load_diabetes(return_X_y=True)
    X = X / X.std(axis=0)
    svr = SVR(C=10.0, epsilon=20.0, kernel=kernel, sigma=3.0, degree=2)
    model = svr.fit(X, y)
    theirs = SklearnSVR(C=10.0, epsilon=20.0, kernel="precomputed", tol=1e-6).fit(gram(svr, X, X), y)
    atol = rounding(svr, X, model.solution.beta)
    np.testing.assert_allclose(model.predict(X), theirs.predict(gram(svr, X, X)), atol=atol)
    assert model.facts()["relative duality gap"] < 1e-9
    assert model.facts()["KKT residual"] < 1e-6


def test_weights_are_prices():
    X, y = wave(50)
    weights = np.random.default_rng(3).integers(0, 4, 50).astype(float)
    svr = SVR(C=0.7)
    model = svr.fit(X, y, sample_weight=weights)
    theirs = SklearnSVR(C=0.7, epsilon=0.3, gamma=0.5, tol=1e-9).fit(X, y, sample_weight=weights)
    places = np.linspace(-4, 4, 40)[:, None]
    np.testing.assert_allclose(model.predict(places), theirs.predict(places), atol=2e-5)
    assert model.bound_name == "C·weight"
    assert not set(np.flatnonzero(weights == 0)) & set(model.support.tolist())


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0, 1e6])
def test_support_vectors_are_on_the_rim_or_beyond_it(C):
    X, y = wave(70)
    model = SVR(C=C).fit(X, y)
    away = np.abs(y - model.predict(X))
    free = np.setdiff1d(model.support, np.flatnonzero(model.at_bound))
    np.testing.assert_allclose(away[free], 0.3, atol=1e-7)
    assert (away[model.at_bound] >= 0.3 - 1e-7).all()
    assert (np.delete(away, model.support) <= 0.3 + 1e-7).all()
    np.testing.assert_allclose(model.solution.slack, np.maximum(0.0, away - 0.3), atol=1e-7)
    facts = model.facts()
    assert facts["support vectors"] == facts["free support vectors"] + facts["support vectors at C"]
    assert facts["samples outside the tube"] == np.count_nonzero(away > 0.3 + 1e-9)
    assert facts["ε-insensitive loss"] == pytest.approx(np.maximum(0.0, away - 0.3).mean(), abs=1e-8)


def test_a_tube_wide_enough_for_all_needs_no_curve():
    X, y = wave(30)
    model = SVR(epsilon=10.0).fit(X, y)
    assert len(model.support) == 0
    middle = (y.max() + y.min()) / 2
    np.testing.assert_allclose(model.predict(X), middle)
    assert model.explain(X[3]).sentence.startswith("prediction")


def test_without_a_tube_half_of_the_samples_are_above():
    X, y = wave(81, noise=1.0)
    f = SVR(kernel="linear", epsilon=0.0, C=1e3).fit(X, y).predict(X)
    assert np.count_nonzero(y > f + 1e-7) <= 40
    assert np.count_nonzero(y < f - 1e-7) <= 40


@pytest.mark.parametrize("seed", trials(60))
def test_the_objectives_meet_whatever_the_samples(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 60)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d))
    match seed % 5:
        case 1:
            X = X[rng.integers(0, max(1, n // 3), n)]
        case 2:
            X[:, 1:] = X[:, :1] * np.arange(2, d + 1)
        case 3:
            X = np.rint(X)
        case 4:
            X = X * 10 ** rng.uniform(-6, 3)
    y = rng.normal(size=n) * 10 ** rng.uniform(-3, 3) + rng.choice([0, 1e3])
    svr = SVR(
        C=10 ** rng.uniform(-3, 4),
        epsilon=float(np.ptp(y)) * rng.choice([0.0, 0.03, 0.2]),
        kernel=KERNELS[seed % 4],
        sigma=10 ** rng.uniform(-1, 1),
        degree=2,
    )
    model = svr.fit(X, y)
    if model.solution.limit is None:
        assert model.facts()["relative duality gap"] < 1e-6, svr
        primal, _ = objectives(svr, X, y, np.ones(n), model.solution.beta, model.predict(X))
        assert primal == pytest.approx(model.facts()["primal objective"], rel=1e-5, abs=1e-9 * svr.C * np.abs(y).max())


@pytest.mark.parametrize("seed", trials(24))
def test_a_wide_tube_about_many_samples_is_libsvms(seed):
    """Of whose kernel few rows are worked out: with weights, equal samples and targets of any size."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(200, 320)), int(rng.integers(1, 4))
    X, y = wave(n, d, seed)
    if seed % 3 == 1:
        chosen = rng.integers(0, n // 2, n)
        X, y = X[chosen], np.rint(y[chosen])
    scale = 10.0 ** rng.integers(-7, 7)
    weights = rng.integers(1, 4, n).astype(float) if seed % 2 else np.ones(n)
    C, epsilon = 10 ** rng.uniform(-1, 3), float(np.quantile(np.abs(y - np.median(y)), rng.uniform(0.4, 0.98)))
    svr = SVR(C=C * scale, epsilon=epsilon * scale, kernel=rng.choice(["gaussian", "laplacian", "linear"]))
    model = svr.fit(X, y * scale, sample_weight=weights)
    assert model.facts()["relative duality gap"] < 1e-6
    theirs = SklearnSVR(C=C, epsilon=epsilon, kernel="precomputed", tol=1e-9)
    theirs.fit(gram(svr, X, X), y, sample_weight=weights)
    expected, beta = theirs.predict(gram(svr, X, X)), model.solution.beta / scale
    np.testing.assert_allclose(model.predict(X) / scale, expected, atol=10 * rounding(svr, X, beta))


@pytest.mark.parametrize("d", [1, 2])
def test_a_drag_ends_where_a_fit_does(d):
    X, y = wave(120, d)
    svr, follower = SVR(), SVR().follower()
    rng = np.random.default_rng(5)
    for step in trials(30):
        X, y = X.copy(), y.copy()
        X[7] += 0.2 * rng.normal(size=d)
        y[7] += 0.2 * rng.normal()
        if step == 2:
            X, y = np.vstack((X, X[:1] + 0.1)), np.append(y, 0.5)
        if step == 4:
            X, y = np.delete(X, 3, axis=0), np.delete(y, 3)
        if step == 5:
            svr = svr.replace(epsilon=0.1)
        if step == 6:
            svr = svr.replace(C=2.0)
        followed = follower.update(svr, X, y, None, time.perf_counter() + 10)
        fitted = svr.fit(X, y)
        np.testing.assert_allclose(followed.predict(X), fitted.predict(X), atol=1e-7)
        assert followed.support.tolist() == fitted.support.tolist()


@each("kernel, d", ["gaussian", "laplacian", "linear"], [1, 2])
def test_places_that_move_alone_end_where_a_fit_does(kernel, d):
    """Under unchanged targets, few or many of them or none, with weights for a while; the curve is asked each time."""
    X, y = wave(120, d)
    svr = SVR(kernel=kernel, epsilon=0.2)
    follower, rng = svr.follower(), np.random.default_rng(6)
    places = np.column_stack([np.linspace(-5, 5, 200)] * d)
    for step in range(20):
        X, moved = X.copy(), {4: 60, 7: 0, 9: 12}.get(step, 1)
        rows = rng.integers(0, 3, 1) if moved == 1 else rng.permutation(120)[:moved]
        X[rows] += 0.3 * rng.normal(size=(len(rows), d))
        weights = np.where(np.arange(120) < 40, 2.0, 1.0) if step in (11, 12) else None
        followed = follower.update(svr, X, y, weights, float("inf"))
        fitted = svr.fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(followed.predict(places), fitted.predict(places), atol=1e-7)
        np.testing.assert_allclose(followed.predict(places), followed.expansion.at(places), rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(followed.solution.objective, followed.solution.dual_objective, rtol=1e-8)
        assert followed.intercept == pytest.approx(best_offset_of(followed), abs=1e-8)
        assert followed.X is X


@pytest.mark.parametrize("seed", [483, 526, 939, 1446])
def test_where_no_variable_is_between_its_bounds_for_sure_the_best_offset_is_looked_for(seed):
    """Samples at few places, far apart: a free variable that ends at its bound has one end of the good offsets."""
    rng = np.random.default_rng(seed)
    n, epsilon, C = int(rng.integers(8, 20)), rng.choice([0.0, 0.5, 1.0]), rng.choice([0.5, 1.0, 2.0])
    X, y = 100.0 * rng.integers(0, 6, (n, 1)), rng.integers(-3, 4, n).astype(float)
    svr = SVR(C=float(C), epsilon=float(epsilon), sigma=1.0)
    follower = svr.follower()
    for _ in range(5):
        X = X.copy()
        X[rng.integers(0, n)] = 100.0 * rng.integers(0, 6)
        followed = follower.update(svr, X, y, None, float("inf"))
        assert followed.intercept == pytest.approx(best_offset_of(followed), abs=1e-8)


def best_offset_of(model):
    left = model.y - (model.predict(model.X) - model.intercept)
    return best_offset(left, model.bound, model.bound, model.epsilon)


@pytest.mark.parametrize("changed", [{"epsilon": 0.02}, {"epsilon": 0.6}, {"epsilon": 0.0}, {"C": 7.0}, {"sigma": 0.4}])
def test_a_follower_takes_a_setting_that_changes_while_the_samples_stay(changed):
    X, y = wave(60)
    follower = SVR().follower()
    follower.update(SVR(), X, y, None, float("inf"))
    followed = follower.update(SVR(**changed), X, y, None, float("inf"))
    np.testing.assert_allclose(followed.predict(X), SVR(**changed).fit(X, y).predict(X), atol=1e-6)


def test_many_samples_are_thinned_and_that_is_told():
    X, y = wave(MOST_SAMPLES + 1)
    model = SVR().fit(X, y)
    assert "1,000 of 3,001 samples, drawn at random" in model.caveat
    assert model.predict(np.array([[0.0], [1.0]])) == pytest.approx([0.0, np.sin(1.5)], abs=0.15)
    assert model.facts()["lambda"] == pytest.approx(1 / (2 * len(X)))


@pytest.mark.parametrize("y", [np.zeros(6), np.full(6, 1e6), np.full(6, -1e-9)])
def test_constant_targets_give_that_constant(y):
    X, _ = wave(6)
    np.testing.assert_allclose(SVR().fit(X, y).predict(X), y, rtol=1e-12)


def test_a_kernel_that_is_none_is_refused():
    with pytest.raises(CannotFit, match="positive"):
        SVR(kernel="expression", expression="gaussian(1) - 3").fit(*wave(10))


def test_the_offset_is_the_middle_of_the_best_ones():
    y = np.array([0.0, 1.0, 5.0, 7.0])
    assert best_offset(y, np.ones(4), np.ones(4), 0.0) == pytest.approx(3.0)
    assert best_offset(y, 3 * np.ones(4), np.ones(4), 0.0) == pytest.approx(6.0)
    assert best_offset(y, np.ones(4), np.ones(4), 10.0) == pytest.approx(3.5)
    grid = np.linspace(-2, 9, 5501)
    losses = [(np.maximum(0, y - b - 0.7) * 2 + np.maximum(0, b - y - 0.7)).sum() for b in grid]
    found = best_offset(y, 2 * np.ones(4), np.ones(4), 0.7)
    assert (np.maximum(0, y - found - 0.7) * 2 + np.maximum(0, found - y - 0.7)).sum() <= min(losses) + 1e-12


@pytest.mark.parametrize("seed", trials(20))
def test_equal_prices_have_the_offset_of_nearly_equal_ones(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    left, epsilon = rng.normal(size=n).round(rng.integers(0, 6)), rng.choice([0.0, 0.5])
    up, down = np.full(n, 0.7), np.full(n, 0.7 if epsilon else rng.uniform(0.1, 2))
    # A price that differs is sorted: beyond all others, it is on the same side of the offset.
    far = np.append(left, [100.0, -100.0])
    sorted_offset = best_offset(far, np.append(up, [0.9, 0.9]), np.append(down, [0.9, 0.9]), epsilon)
    balanced = best_offset(left, up, down, epsilon)
    assert not np.allclose(up, down) or balanced == pytest.approx(sorted_offset, abs=1e-12)
    losses = [
        (up * np.maximum(0, left - b - epsilon) + down * np.maximum(0, b - left - epsilon)).sum()
        for b in (balanced, balanced - 1e-3, balanced + 1e-3)
    ]
    assert losses[0] <= min(losses) + 1e-12


@each("kernel, epsilon", ["linear", "polynomial"], [0.0, 0.3])
def test_far_apart_inputs_have_the_fit_that_their_unit_is_chosen_for(kernel, epsilon):
    X, y = wave(60, 2)
    near = SVR(kernel=kernel, epsilon=epsilon, C=1e6, coef0=0.0).fit(X, y)
    degree = 1 if kernel == "linear" else 3
    for factor in (1e3, 1e9):
        # Without a constant the kernel is multiplied by a power of the factor, and C is divided by it.
        far = SVR(kernel=kernel, epsilon=epsilon, C=max(1e-9, 1e6 / factor ** (2 * degree)), coef0=0.0)
        model = far.fit(factor * X, y)
        assert model.facts()["relative duality gap"] < 1e-7
        if far.C > 1e-9:
            np.testing.assert_allclose(model.predict(factor * X), near.predict(X), atol=1e-6)
        beta, f = model.solution.beta, model.predict(factor * X)
        assert (np.abs(beta) <= far.C * (1 + 1e-12)).all()
        assert np.abs(y - f)[beta == 0].max(initial=0.0) <= epsilon + 1e-7


def test_no_line_that_is_drawn_is_better():
    X, y = wave(40)
    svr = SVR(kernel="linear")
    model, objective = svr.fit(X, y), svr.line_objective()
    own = objective.of(model.predict(X), model.coef, y, np.ones(40))
    assert own == pytest.approx(model.facts()["primal objective"])
    for slope, height in np.random.default_rng(0).normal(size=(20, 2)):
        assert objective.of(height + slope * X[:, 0], np.array([slope]), y, np.ones(40)) >= own
    assert SVR().line_objective() is None


def test_the_picture_shows_tube_rings_slack_and_loss():
    X, y = wave(40)
    scene = Scene(
        Dataset(np.column_stack((X, y)), np.zeros(40, dtype=int)),
        (Panel(Pipeline(SVR()), inputs=("x1",), target="x2"),),
    )
    (picture,) = draw(scene, [(300, 240)], 40)
    plots = {plot.id: plot for plot in picture.sides}
    marks = {mark.role: mark for mark in picture.plot.marks}
    model = SVR().fit(X, y)
    rims = marks["margin"].xy[np.isfinite(marks["margin"].xy[:, 0])]
    np.testing.assert_allclose(np.abs(rims[:, 1] - model.predict(rims[:, :1])), 0.3, atol=1e-9)
    ringed = np.concatenate((marks["support vector"].rows, marks["bound support vector"].rows))
    assert sorted(ringed.tolist()) == sorted(model.support.tolist())
    assert set(marks["bound support vector"].rows.tolist()) == set(np.flatnonzero(model.at_bound).tolist())
    slack = marks["slack"]
    np.testing.assert_allclose(slack.start[:, 1], y[slack.rows])
    np.testing.assert_allclose(np.abs(slack.end[:, 1] - model.predict(X[slack.rows])), 0.3, atol=1e-9)
    (handle,) = plots["loss"].handles
    assert handle.path == "algorithm.epsilon"
    assert handle.values[handle.at] == 0.3
    np.testing.assert_array_equal(handle.points[:, 0], handle.values)
    (points,) = [mark for mark in plots["loss"].marks if mark.role == "foot"]
    np.testing.assert_allclose(np.sort(points.xy[:, 0]), np.sort(y - model.predict(X)), atol=1e-9)


@pytest.mark.parametrize("factor", [1.0, 1e6])
def test_a_tube_about_a_constant_that_holds_all_leaves_no_support_vector(factor):
    X, y = wave(20, 2)
    model = SVR(kernel="polynomial", degree=2, epsilon=float(np.ptp(y))).fit(factor * X, y)
    assert model.facts()["|w|"] == 0
    assert model.facts()["primal objective"] == 0
    assert model.caveat == ""
    np.testing.assert_allclose(model.predict(factor * X), (y.max() + y.min()) / 2)


@each("kernel, seed", ["gaussian", "laplacian"], trials(30))
def test_the_function_told_is_the_solution_to_the_last_digits_where_many_samples_are_equal(kernel, seed):
    """Free variables next to a large bound, as there are many of equal inputs, are not the bound."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(40, 250))
    X = np.rint(rng.uniform(-4, 4, (n, int(rng.integers(1, 4)))))
    y = np.sin(1.5 * X).sum(axis=1) + rng.choice([0.1, 0.5, 2]) * rng.normal(size=n)
    svr = SVR(
        C=10 ** rng.uniform(3, 5), epsilon=rng.choice([0.0, 0.01, 0.3]), kernel=kernel, sigma=10 ** rng.uniform(-1, 1)
    )
    model = svr.fit(X, y)
    primal, dual = objectives(svr, X, y, np.ones(n), model.solution.beta, model.predict(X))
    assert primal - dual <= 1e-7 * primal
    assert model.facts()["primal objective"] == pytest.approx(primal, rel=1e-7)


@pytest.mark.parametrize("seed", trials(30))
def test_variables_of_a_function_found_in_features_are_those_it_is_the_sum_of(seed):
    """Also where the curve goes through all samples, as it does with few of them and without a tube."""
    rng = np.random.default_rng(seed)
    X = np.unique(np.rint(rng.uniform(-4, 4, (int(rng.integers(5, 11)), 3))), axis=0)
    y = np.sin(1.5 * X).sum(axis=1)
    svr = SVR(C=1e4, epsilon=rng.choice([0.0, 0.1]), kernel="polynomial", degree=2)
    model = svr.fit(X, y)
    beta, f = model.solution.beta, model.predict(X)
    assert abs(beta.sum()) <= 1e-5 * np.abs(beta).sum()
    np.testing.assert_allclose(gram(svr, X, X) @ beta + model.intercept, f, atol=1e-4 * np.abs(y).max())
