"""Fit + field of every method against scikit-learn doing the same, cold and while one point is dragged."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

from mlviz.algorithms import registry
from mlviz.numerics.gaussians import ROUNDS, TOLERANCE
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.table import OURS, THEIRS, measured

SIZES = (20, 100, 500, 2000)
LIMITS = (-4.0, 4.0, -4.0, 4.0)
GRID = Grid.over(LIMITS, 200, 200)
PLACES = GRID.points()
LINE = np.linspace(-4, 4, 400)[:, None]
STEP = 0.08


@dataclass(frozen=True)
class Case:
    """One method with its data, and scikit-learn's way to the same answer: `oracle(X, y)` fits and evaluates."""

    name: str
    pipeline: Pipeline
    oracle: Callable[[Any, Any], Any]
    n_classes: int = 2
    n_inputs: int = 1
    """Of a regression."""


def _svc(C: float) -> Callable[[Any, Any], Any]:
    return lambda X, y: SVC(C=C, gamma=0.5).fit(X, y).decision_function(PLACES)


def _logistic(X: Any, y: Any) -> Any:
    return LogisticRegression(C=1 / (2 * len(X) * 0.01)).fit(X, y).predict_proba(PLACES)


def _knn(X: Any, y: Any) -> Any:
    return KNeighborsClassifier(5).fit(X, y).predict_proba(PLACES)


def _kmeans(X: Any, _: Any) -> Any:
    return KMeans(3, n_init=1, random_state=0).fit(X).predict(PLACES)


def _gmm(X: Any, _: Any) -> Any:
    model = GaussianMixture(2, tol=TOLERANCE, max_iter=ROUNDS, reg_covar=0, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X).score_samples(PLACES)


def _pca(X: Any, _: Any) -> Any:
    return PCA().fit_transform(X)


def _ridge(X: Any, y: Any) -> Any:
    model = make_pipeline(PolynomialFeatures(5, include_bias=False), Ridge(alpha=len(X) * 0.01))
    return model.fit(X, y).predict(LINE)


def _kernel_ridge(X: Any, y: Any) -> Any:
    model = KernelRidge(alpha=len(X) * 0.01, kernel="rbf", gamma=0.5).fit(X, y)
    return model.predict(LINE if X.shape[1] == 1 else PLACES)


METHODS = registry()
CASES = (
    Case("svm, Gaussian, C = 1", Pipeline(METHODS["svm"](C=1.0)), _svc(1.0)),
    Case("svm, Gaussian, C = 100", Pipeline(METHODS["svm"](C=100.0)), _svc(100.0)),
    Case("svm, 5 classes one-vs-one", Pipeline(METHODS["svm"](C=1.0)), _svc(1.0), n_classes=5),
    Case("logistic", Pipeline(METHODS["logistic"]()), _logistic),
    Case("logistic, 5 classes", Pipeline(METHODS["logistic"]()), _logistic, n_classes=5),
    Case("knn, k = 5", Pipeline(METHODS["knn"]()), _knn),
    Case("kmeans, k = 3", Pipeline(METHODS["kmeans"]()), _kmeans),
    Case("gmm, k = 2, to 1e-10", Pipeline(METHODS["gmm"](n_components=2)), _gmm),
    Case(
        "linear-regression, degree 5, L2",
        Pipeline(METHODS["linear-regression"](basis="polynomial", degree=5, penalty="L2")),
        _ridge,
    ),
    Case("kernel-ridge, one input", Pipeline(METHODS["kernel-ridge"]()), _kernel_ridge),
    Case("kernel-ridge, two inputs", Pipeline(METHODS["kernel-ridge"]()), _kernel_ridge, n_inputs=2),
    Case("pca", Pipeline(METHODS["pca"]()), _pca),
)


def _data(case: Case, n: int) -> tuple[Any, Any]:
    """Overlapping Gaussian blobs, or noisy sines for regression."""
    rng = np.random.default_rng(n)
    if "regression" in case.pipeline.algorithm.tasks and "classification" not in case.pipeline.algorithm.tasks:
        X = rng.uniform(-4, 4, (n, case.n_inputs))
        return X, np.sin(X).sum(axis=1) + rng.normal(0, 0.3, n)
    y = np.arange(n) % case.n_classes
    angle = 2 * np.pi * y / case.n_classes
    return 1.2 * np.column_stack((np.cos(angle), np.sin(angle))) + rng.normal(0, 1, (n, 2)), y


def _show(model: Any) -> Any:
    if model.field is None:  # what a method without a field has to say are the scores of the samples
        return model.transform(model.training.X)
    return model.predict(LINE) if len(model.scale) == 1 else model.on_grid(GRID, np.float32)


@pytest.mark.parametrize("who", [OURS, THEIRS])
@pytest.mark.parametrize("mode", ["cold", "drag"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fit_and_field(benchmark: Any, case: Case, n: int, mode: str, who: str) -> None:
    X, y = _data(case, n)
    follower = case.pipeline.follower()
    rng = np.random.default_rng(0)
    if mode == "drag" and who == OURS:
        _show(follower.update(case.pipeline, X, y, None, float("inf")))

    def work() -> Any:
        if mode == "drag":
            X[0] += rng.normal(0, STEP, X.shape[1])
        if who == THEIRS:
            return case.oracle(X, y)
        if mode == "drag":
            return _show(follower.update(case.pipeline, X.copy(), y, None, time.perf_counter() + 0.008))
        return _show(case.pipeline.fit(X, y))

    # scikit-learn takes up to a second a round: fewer of them give a median that is good enough.
    benchmark.pedantic(work, rounds=60 if who == OURS else 9, iterations=1, warmup_rounds=2)
    measured.method((case.name, n, mode), who, benchmark.stats.stats.median)
