"""Fits that a method makes together say what each says by itself, by folds and by leaving samples out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from mlviz.algorithms import registry
from mlviz.algorithms.many_fits import FitsMany, Part, from_coarse_to_fine
from mlviz.data.generators.catalog import Blobs, Moons, SineRegression
from mlviz.numerics.scoring.folds import bootstrap, leave_one_out, v_fold
from mlviz.pipeline.fold_fits import FoldFits
from mlviz.pipeline.pipeline import Pipeline
from tests.sweep import sweep

MOONS, BLOBS = Moons(n_samples=40, noise=0.35).generate(1), Blobs(n_samples=45).generate(1)
SINE = SineRegression(n_samples=30).generate(1)
DATA = {
    "two classes": (MOONS.X * (1, 2), MOONS.labels),
    "three classes": (BLOBS.X * (1, 2), BLOBS.labels),
    "values": (SINE.X[:, :1], SINE.X[:, 1]),
}
CASES = [
    ("svm", "C", (0.1, 1.0, 30.0), {}),
    ("kernel-ridge", "lambda_", (1e-4, 0.01, 1.0), {}),
    ("kernel-ridge", "sigma", (0.3, 2.0), {}),
    ("kernel-ridge", "lambda_", (1e-4, 0.1), {"kernel": "polynomial"}),
    ("kernel-rls", "lambda_", (1e-4, 0.01, 1.0), {}),
    ("rls-classifier", "lambda_", (1e-5, 0.1, 10.0), {}),
    ("linear-regression", "degree", (1, 2, 5), {"basis": "polynomial"}),
    ("linear-regression", "lambda_", (1e-4, 0.1), {"penalty": "L2"}),
    ("linear-regression", "lambda_", (1e-4, 0.1), {"penalty": "L2", "basis": "polynomial"}),
    ("knn", "n_neighbors", (1, 2, 5, 60), {}),
    ("knn", "n_neighbors", (1, 4), {"weights": "distance", "metric": "manhattan"}),
    ("knn", "weights", ("uniform", "triangular", "gaussian"), {}),
    ("parzen", "width", (0.02, 0.3, 2.0), {}),
    ("parzen", "window", ("box", "triangular", "exponential"), {"width": 0.4}),
]
SCHEMES = "folds", "leave-one-out", "bootstrap", "weights"
BOTH_TASKS = "knn", "parzen"


def answers(fits):
    """What the fits say (folds, pipelines, n)."""
    found = {}
    for one in fits.run():
        if one is not None:
            for fold, which, values in zip(one.fold.tolist(), one.which.tolist(), one.values, strict=True):
                assert (fold, which) not in found
                found[fold, which] = values
    folds = range(len(fits.training))
    return np.array([[found[fold, which] for which in range(len(fits.pipelines))] for fold in folds])


def parts_of(scheme, X, y):
    rng = np.random.default_rng(0)
    match scheme:
        case "folds":
            return [training for training, _ in v_fold(X, y, rng, 3)]
        case "leave-one-out":
            return [training for training, _ in leave_one_out(X)]
    return [training for training, _ in bootstrap(X, y, rng, 3)]


@sweep("case, scheme, preprocessing", CASES, SCHEMES, ["none", "standardize"])
def test_they_are_what_each_fit_says_by_itself(case, scheme, preprocessing):
    method, name, values, others = case
    kind = registry()[method]
    assert isinstance(kind(), FitsMany)
    for task, (X, y) in DATA.items():
        if (task == "values") != (kind.tasks[0] == "regression") and not (task == "values" and method in BOTH_TASKS):
            continue
        pipelines = [Pipeline(kind(**others, **{name: value}), preprocessing) for value in values]
        training = parts_of("folds" if scheme == "weights" else scheme, X, y)
        if scheme == "leave-one-out":
            training = training[::3] if preprocessing == "standardize" else training
        weights = np.random.default_rng(1).uniform(0.5, 2, len(X)) if scheme == "weights" else None
        found = answers(FoldFits(pipelines, X, y, weights, training))
        for fold in range(0, len(training), 11 if scheme == "leave-one-out" else 1):
            rows = training[fold]
            for which, pipeline in enumerate(pipelines):
                model = pipeline.fit(X[rows], y[rows], 0, None if weights is None else weights[rows])
                expected = model.predict(X)
                if task == "values":
                    assert_allclose(found[fold, which], expected, rtol=1e-7, atol=1e-8 * np.abs(y).max())
                else:
                    assert np.array_equal(found[fold, which], expected)


def test_machines_of_many_values_are_those_of_each():
    # Small values bound most samples, large ones none: above 1.40 of all samples, 1.13, 1.47 and 1.52 of the folds.
    data, kind = Moons(n_samples=40, noise=0.25).generate(1), registry()["svm"]
    X, y, machines = data.X, data.labels, [kind(C=float(C), sigma=0.5) for C in np.geomspace(0.1, 4, 40)]
    training = parts_of("folds", X, y)
    parts, found = [Part(X, rows, y[rows], None) for rows in training], {}
    for one in filter(None, kind().many_fits().answers(machines, parts)):
        for part, which, output in zip(*one, strict=True):
            assert (part, which) not in found
            found[part, which] = output
    for part, rows in enumerate(training):
        for which, machine in enumerate(machines):
            expected = Pipeline(machine).fit(X[rows], y[rows], 0).inner.decision_function(X)
            assert_allclose(found[part, which], expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("lambda_", [1e-3, 0.1])
def test_samples_left_out_by_the_hat_matrix_are_scikit_learns_refits(lambda_):
    X, y = DATA["values"]
    alpha = (len(X) - 1) * lambda_
    training = parts_of("leave-one-out", X, y)
    linear = Pipeline(registry()["linear-regression"](penalty="L2", lambda_=lambda_))
    found = answers(FoldFits([linear], X, y, None, training))[:, 0]
    expected = cross_val_predict(Ridge(alpha=alpha), X, y, cv=LeaveOneOut())
    assert_allclose(found.diagonal(), expected, atol=1e-9)
    # scikit-learn's knows no offset: targets and kernel are centred for it.
    kernel = Pipeline(registry()["kernel-ridge"](lambda_=lambda_))
    found = answers(FoldFits([kernel], X, y, None, training))[:, 0]
    K = np.exp(-((X - X.T) ** 2) / 2)
    for left, rows in enumerate(training):
        level = K[:, rows].mean(axis=1)[:, None]
        centred = K - level - K[rows].mean(axis=0) + K[np.ix_(rows, rows)].mean()
        model = KernelRidge(alpha=alpha, kernel="precomputed")
        model.fit(centred[np.ix_(rows, rows)], y[rows] - y[rows].mean())
        assert_allclose(found[left], model.predict(centred[:, rows]) + y[rows].mean(), atol=1e-9)


# Monomials that are penalised are mapped for each fit anew; neighbours of several votes are sought by each fit. Windows
# are shared where samples are left out one by one.
TOGETHER = [
    (scheme, *case)
    for scheme in ("folds", "leave-one-out", "bootstrap")
    for case in CASES
    if not {"penalty", "basis"} <= set(case[3])
    and (case[0], scheme) != ("knn", "bootstrap")
    and (case[0] != "parzen" or scheme == "leave-one-out")
]


@pytest.mark.parametrize(("scheme", "method", "name", "values", "others"), TOGETHER, ids=lambda value: str(value))
def test_no_fit_is_made_by_itself(monkeypatch, scheme, method, name, values, others):
    kind = registry()[method]
    X, y = DATA["values" if kind.tasks == ("regression",) else "three classes"]
    monkeypatch.setattr(kind, "steps", None)
    pipelines = [Pipeline(kind(**others, **{name: value})) for value in values]
    assert np.isfinite(answers(FoldFits(pipelines, X, y, None, parts_of(scheme, X, y)))).all()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 8, 25])
def test_values_are_visited_from_coarse_to_fine(count):
    order = from_coarse_to_fine(count)
    assert sorted(order) == list(range(count)) and order[:2] == [0, count - 1][: min(count, 2)]
