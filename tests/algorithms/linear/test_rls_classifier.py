import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.neighbors import NearestCentroid
from sklearn.preprocessing import scale

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.linear.rls_classifier import RLSClassifier, angle
from mlviz.algorithms.targets import encode_targets
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Arrows, Lines, Points, Segments
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each, trials


def random_problem(seed):
    rng = np.random.default_rng(seed)
    k, d, n = int(rng.integers(2, 5)), int(rng.integers(1, 6)), int(rng.integers(1, 40))
    y = np.concatenate((np.arange(k), rng.integers(0, k, n)))
    X = rng.normal(size=(len(y), d)) + 2 * rng.normal(size=(k, d))[y]
    if seed % 5 == 0:
        X[:, -1] = 3.0
    if seed % 7 == 0:
        X = np.repeat(X[: len(X) // 2 + 1], 2, axis=0)
        y = np.tile(np.arange(k), len(X))[: len(X)]  # duplicates of opposite classes
    return X, y, float(10.0 ** rng.uniform(-6, 3))


def targets(y):
    classes, codes = np.unique(y, return_inverse=True)
    return encode_targets(codes, len(classes))


def objective(model, X, T, lambda_):
    scores = model.decision_function(X)
    residuals = T - (scores[None] if scores.ndim == 1 else scores.T)
    return (residuals**2).mean(axis=1).sum() + lambda_ * (model.coef**2).sum()


@each("load, lambda_", [load_iris, load_wine, load_breast_cancer], [1e-4, 0.01, 10.0])
def test_agrees_with_scikit_learn_on_real_data(load, lambda_):
    X, y = load(return_X_y=True)
    X = scale(X)
    model = RLSClassifier(lambda_).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), RidgeClassifier(alpha=len(X) * lambda_).fit(X, y).predict(X))
    ridge = Ridge(alpha=len(X) * lambda_, solver="svd").fit(X, targets(y).T)
    np.testing.assert_allclose(np.atleast_2d(model.coef), np.atleast_2d(ridge.coef_), atol=1e-10)
    np.testing.assert_allclose(np.atleast_1d(model.intercept), np.atleast_1d(ridge.intercept_), atol=1e-10)


def test_agrees_with_a_direct_solve_on_random_problems():
    for seed in trials(300):
        X, y, lambda_ = random_problem(seed)
        model = RLSClassifier(lambda_).fit(X, y)
        T, n = targets(y), len(X)
        centred = X - X.mean(axis=0)
        system = centred.T @ centred + n * lambda_ * np.eye(X.shape[1])
        expected = np.linalg.solve(system, centred.T @ T.T).T
        np.testing.assert_allclose(np.atleast_2d(model.coef), expected, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(
            np.atleast_1d(model.intercept), T.mean(axis=1) - expected @ X.mean(axis=0), atol=1e-6
        )
        assert model.objective == pytest.approx(objective(model, X, T, lambda_), rel=1e-9)
        assert model.gradient_norm < 1e-9


def test_nothing_lies_below_the_minimum():
    X, y, lambda_ = random_problem(3)
    y = y % 2
    T = targets(y)[0]

    def value(theta):
        return ((T - X @ theta[:-1] - theta[-1]) ** 2).mean() + lambda_ * (theta[:-1] ** 2).sum()

    found = minimize(value, np.zeros(X.shape[1] + 1), tol=1e-12)
    assert RLSClassifier(lambda_).fit(X, y).objective == pytest.approx(found.fun, rel=1e-8)


def test_scores_of_several_classes_add_up_to_one():
    X, y = load_iris(return_X_y=True)
    np.testing.assert_allclose(RLSClassifier().fit(X, y).decision_function(X + 3.0).sum(axis=1), 1.0, atol=1e-12)


def test_the_direction_goes_from_the_centroids_to_that_of_linear_discriminant_analysis():
    X, y = load_breast_cancer(return_X_y=True)
    for columns in ([0, 1], [2, 7], range(30)):
        Z = scale(X[:, columns])
        between = np.diff(NearestCentroid().fit(Z, y).centroids_, axis=0)[0]
        discriminant = LinearDiscriminantAnalysis(solver="lsqr").fit(Z, y).coef_[0]
        large, small = RLSClassifier(1e9).fit(Z, y), RLSClassifier(1e-12).fit(Z, y)
        assert angle(large.coef, between) < 1e-5
        assert angle(small.coef, discriminant) < 1e-4
        assert angle(small.mahalanobis, discriminant) < 1e-6
        assert large.facts()["angle to the centroids"] < 1e-5
        assert small.facts()["angle to Mahalanobis"] < 1e-4


def test_the_offset_is_the_bisectors_for_balanced_classes_only():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) @ [[1.0, 0.8], [0.0, 0.5]]
    for sizes, same in (((30, 30), True), ((12, 48), False)):
        y = np.repeat([0, 1], sizes)
        model = RLSClassifier(1e-9).fit(X + y[:, None] * (2.0, 0.0), y)
        assert (abs(model.decision_function(model.centroids.mean(axis=0)[None])[0]) < 1e-9) == same


def test_leave_one_out_error_is_that_of_fits_without_each_sample():
    for seed in trials(24):
        X, y, lambda_ = random_problem(seed)
        if np.bincount(y).min() < 2:
            continue
        wrong = []
        for i in range(len(X)):
            rest = np.arange(len(X)) != i
            T = targets(y)[:, rest].T
            ridge = Ridge(alpha=len(X) * lambda_, solver="svd").fit(X[rest], T)
            scores = np.atleast_1d(np.squeeze(ridge.predict(X[i : i + 1])))
            wrong.append((int(scores[0] > 0) if len(scores) == 1 else int(np.argmax(scores))) != y[i])
        assert RLSClassifier(lambda_).fit(X, y).facts()["leave-one-out error"] == pytest.approx(np.mean(wrong))


def test_the_leave_one_out_error_of_weighted_samples_counts_each_once():
    """As the training error beside it does, which weights of classes do not change."""
    rng = np.random.default_rng(4)
    y = np.arange(40) % 2
    X, weights = rng.normal(size=(40, 2)) + y[:, None], rng.uniform(0.2, 3, 40)
    wrong = []
    for i in range(40):
        rest = np.arange(40) != i
        ridge = Ridge(alpha=weights.sum() * 0.05, solver="svd").fit(X[rest], 2 * y[rest] - 1, weights[rest])
        wrong.append(int(ridge.predict(X[i : i + 1])[0] > 0) != y[i])
    found = RLSClassifier(0.05).fit(X, y, sample_weight=weights).facts()["leave-one-out error"]
    assert found == pytest.approx(np.mean(wrong)) and found != pytest.approx(np.average(wrong, weights=weights))


def test_angles_keep_their_digits():
    assert angle(np.array([1.0, 0.0]), np.array([1.0, 1e-9])) == pytest.approx(np.degrees(1e-9))
    assert angle(np.array([1e-300, 0.0]), np.array([0.0, 1e300])) == pytest.approx(90)
    assert angle(np.array([1.0, 0.0]), np.array([-2.0, 0.0])) == pytest.approx(180)


def test_one_class_is_refused():
    with pytest.raises(CannotFit, match="All samples are of one class"):
        RLSClassifier().fit([[0.0], [1.0]], [1, 1])


def picture_of(X, y, probe=(0.5, 0.2), **values):
    scene = Scene(Dataset(X, y), (Panel(Pipeline(RLSClassifier(**values)), hidden=()),))
    return draw(scene.with_view(probe=probe), [(300, 300)], resolution=30)[0]


def blobs(k=2, n=80, balanced=True):
    rng = np.random.default_rng(4)
    y = np.arange(n) % k if balanced else (np.arange(n) % 5 == 0).astype(int)
    angles = 2 * np.pi * y / k
    return rng.normal(size=(n, 2)) @ [[1.0, 0.9], [0.0, 0.4]] + 1.5 * np.column_stack(
        (np.cos(angles), np.sin(angles))
    ), y


def test_the_arrows_point_along_w_and_both_directions():
    X, y = blobs()
    picture = picture_of(X, y, lambda_=0.3)
    arrows = {mark.role: mark.end[0] - mark.start[0] for mark in picture.plot.marks if isinstance(mark, Arrows)}
    model = RLSClassifier(0.3).fit(X, y)
    assert angle(arrows["weights"], model.coef) < 1e-9
    assert angle(arrows["centroid direction"], model.centroids[1] - model.centroids[0]) < 1e-9
    within = sum(np.cov(X[y == c].T, bias=True) * np.mean(y == c) for c in (0, 1))
    assert angle(arrows["Mahalanobis direction"], np.linalg.solve(within, arrows["centroid direction"])) < 1e-9


def test_in_the_whitened_picture_the_boundary_of_a_small_penalty_is_the_bisector_of_balanced_classes():
    X, y = blobs()
    (chart,) = picture_of(X, y, lambda_=1e-10).sides
    spots = {mark.role: mark.xy for mark in chart.marks if isinstance(mark, Points)}
    np.testing.assert_allclose(sum(np.cov(spots[f"dot {c}"].T, bias=True) for c in (0, 1)) / 2, np.eye(2), atol=1e-9)
    lines = {mark.role: mark.xy for mark in chart.marks if isinstance(mark, Lines)}
    for line in (lines["boundary"], lines["reference"]):
        gaps = np.linalg.norm(line[:, None] - spots["center"], axis=2)
        np.testing.assert_allclose(gaps[:, 0], gaps[:, 1], atol=1e-5)


def test_whitened_pictures_of_several_classes_and_of_flat_ones():
    X, y = blobs(4)
    (chart,) = picture_of(X, y).sides
    assert {mark.role for mark in chart.marks} >= {"boundary", "reference", "center", "dot 3"}
    flat = X.copy()
    flat[:, 1] = flat[:, 0]
    assert picture_of(flat, y).sides == ()


def test_explanations_lead_to_the_boundary():
    X, y = blobs()
    model = RLSClassifier().fit(X, y)
    x = np.array([0.7, -0.4])
    told = model.explain(x)
    (way,) = told.marks
    assert isinstance(way, Segments)
    assert abs(model.decision_function(way.end)[0]) < 1e-12
    assert f"{np.linalg.norm(way.end - x):.3g} from the decision boundary" in told.sentence
    assert dataclasses.replace(model, size=1e-9).explain(x).marks == ()
    several = RLSClassifier().fit(*blobs(3)).explain(x)
    assert "ahead of class" in several.sentence
