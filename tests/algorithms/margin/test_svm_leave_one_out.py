import importlib

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.svm import SVC

from mlviz.algorithms.margin.svm import SVM
from mlviz.draw.facts import Range
from mlviz.numerics.svm.interior_point import interior_point
from mlviz.pipeline.pipeline import Pipeline
from tests.sweep import share, trials

module = importlib.import_module("mlviz.algorithms.margin.svm.leave_one_out")  # the function has the same name

SETTINGS = [
    ({"sigma": 0.7}, {"gamma": 1 / (2 * 0.49)}),
    ({"C": 30.0}, {"C": 30.0, "gamma": 0.5}),
    ({"kernel": "linear"}, {"kernel": "linear"}),
    ({"kernel": "linear", "C": 0.01}, {"kernel": "linear", "C": 0.01}),
    ({"kernel": "polynomial", "degree": 2}, {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1}),
    ({"C": 1e5}, {"C": 1e5, "gamma": 0.5}),
]


def blobs(n=60, apart=1.5, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 2))
    X[y == 1] += apart
    return X, y


def told(svm, X, y, **more):
    *_, last = svm.replace(leave_one_out=True).steps(X, y, np.random.default_rng(0), **more)
    return last.leave_one_out_error


def directly(svm, X, y, weight=None):
    """Fitted anew without each sample; the errors are counted, whatever the samples weigh."""
    weight = np.ones(len(X)) if weight is None else weight
    wrong = np.zeros(len(X))
    for i in range(len(X)):
        others = np.arange(len(X)) != i
        if len(np.unique(y[others])) < 2:
            wrong[i] = 1
        else:
            wrong[i] = svm.fit(X[others], y[others], sample_weight=weight[others]).predict(X[i : i + 1])[0] != y[i]
    return wrong.mean()


@pytest.mark.parametrize(("ours", "theirs"), SETTINGS, ids=str)
@pytest.mark.parametrize("seed", trials(4))
def test_the_same_as_scikit_learn_fitting_each(ours, theirs, seed):
    X, y = blobs(24, 1.0 if ours.get("C", 1.0) < 100 else 4.0, seed)
    predicted = cross_val_predict(SVC(tol=1e-8, **theirs), X, y, cv=LeaveOneOut())
    assert told(SVM(**ours), X, y) == pytest.approx(np.mean(predicted != y))


def test_real_data():
    X, y = load_breast_cancer(return_X_y=True)
    X, y = ((X - X.mean(axis=0)) / X.std(axis=0))[::7], y[::7]
    predicted = cross_val_predict(SVC(tol=1e-8, gamma=1 / 50), X, y, cv=LeaveOneOut())
    model = SVM(sigma=5.0, leave_one_out=True).fit(X, y)
    facts = model.facts()
    assert facts["leave-one-out error"] == pytest.approx(np.mean(predicted != y))
    assert facts["leave-one-out error"] <= facts["leave-one-out bound"] == pytest.approx(len(model.support) / len(X))


EXTREMES = (
    {},
    {"hard_margin": True},
    {"kernel": "linear", "C": 1e7},
    {"kernel": "polynomial", "degree": 5, "C": 1e4},
    {"kernel": "laplacian", "C": 0.01},
)


@pytest.mark.parametrize("shape", ["apart", "lattice", "twins", "one of a class", "two samples", "weighted"])
def test_the_same_as_fitting_each(shape):
    X, y = blobs(12, 5.0)
    weight = None
    match shape:
        case "lattice":
            X = np.rint(X)
        case "twins":
            X[6:] = X[:6]
        case "one of a class":
            y = (np.arange(12) == 1).astype(int)
        case "two samples":
            X, y = X[:2], y[:2]
        case "weighted":
            weight = np.random.default_rng(0).choice([0.5, 1.0, 3.0], 12)
    for settings in share(EXTREMES, shape, 1 if shape == "weighted" else 3):
        svm, w = SVM(**settings), None if settings.get("hard_margin") else weight
        assert told(svm, X, y, sample_weight=w) == pytest.approx(directly(svm, X, y, w)), settings


def test_where_a_whole_interval_of_offsets_is_best():
    # All support vectors are at the bound: then samples beyond the street hold the offset, or none.
    for seed in trials(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 13))
        y = np.arange(n) % 2
        X = rng.normal(size=(n, 1)) + rng.choice([0, 1, 3]) * y[:, None]
        svm = SVM(kernel=str(rng.choice(["linear", "gaussian"])), C=float(rng.choice([1e-2, 0.1, 1.0])))
        assert told(svm, X, y) == pytest.approx(directly(svm, X, y))


def test_where_the_active_set_takes_long_the_interior_point_says_the_same(monkeypatch):
    X, y = blobs(50, 1.0)
    svm = SVM(sigma=0.7, C=5.0)
    expected = told(svm, X, y)
    called = []
    monkeypatch.setattr(module, "PASSES_BEFORE_INTERIOR_POINT", 2)
    monkeypatch.setattr(module, "interior_point", lambda *given: called.append(1) or interior_point(*given))
    assert told(svm, X, y) == expected == pytest.approx(directly(svm, X, y)) and called


def test_it_is_counted_after_the_fit_and_only_where_asked_for():
    X, y = blobs(200, 0.5)
    assert "leave-one-out error" not in SVM().fit(X, y).facts()
    steps = list(SVM(leave_one_out=True).steps(X, y, np.random.default_rng(0)))
    whole = next(i for i, model in enumerate(steps) if abs(model.facts()["relative duality gap"]) < 1e-9)
    assert len(steps) - whole > 2
    np.testing.assert_array_equal(steps[whole].dual_coef, steps[-1].dual_coef)
    assert "machines fitted" in steps[-2].caveat and not steps[-1].caveat
    assert steps[-1].facts()["leave-one-out error"] <= steps[-1].facts()["leave-one-out bound"]


def test_the_caption_tells_what_was_fitted():
    assert SVM(leave_one_out=True).caption() == SVM().caption()


def test_of_each_pair_of_classes():
    X, _ = blobs(60)
    facts = Pipeline(SVM(leave_one_out=True)).fit(X, np.arange(60) % 3).facts()
    assert isinstance(facts["leave-one-out error"], Range)
