"""The lasso and the elastic net against scikit-learn's coordinate descent, on monomials and on columns; whole paths."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.linear_model import ElasticNet, Lasso, lars_path
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import LINE, Case

STRENGTHS = 100
LEAST = 1e-3
"""A path goes from where all weights are 0 down to this share of that strength, as `lasso_path` does."""


def _on_monomials(model: Any, X: Any, y: Any) -> Any:
    mapped = MinMaxScaler((-1, 1)), PolynomialFeatures(9, include_bias=False)
    return make_pipeline(*mapped, model).fit(X, y).predict(LINE)


def _on_columns(model: Any, X: Any, y: Any) -> Any:
    return model.fit(X, y).predict(X)


def _path(X: Any, y: Any) -> Any:
    """The fit, and all others: by least angles, with few columns much faster than `lasso_path`, at some strengths."""
    Lasso(0.005).fit(X, y)
    A, t = X - X.mean(axis=0), y - y.mean()
    alphas, _, coefs = lars_path(A, t, method="lasso", alpha_min=LEAST * np.abs(A.T @ t).max() / len(X))
    at = np.geomspace(alphas[-1], alphas[0], STRENGTHS)
    return [np.interp(at, alphas[::-1], row[::-1]) for row in coefs]


def _predictions(model: Any) -> Any:
    return model.predict(model.training.X)


def _own_path(model: Any) -> Any:
    end = model.inner.problem.net.largest_l1
    return model.inner.path(np.geomspace(LEAST * end, end, STRENGTHS))


LINEAR = registry()["linear-regression"]
LASSO = LINEAR(penalty="L1", lambda_=0.01)
NET = LINEAR(penalty="elastic net", lambda_=0.01)
ALPHA = {"alpha": 0.01 * 0.75, "l1_ratio": 1 / 3}
"""The λ and the share of the elastic net in scikit-learn's convention."""
CASES = (
    Case(
        "linear-regression, degree 9, L1",
        Pipeline(LASSO.replace(basis="polynomial", degree=9)),
        partial(_on_monomials, Lasso(0.005)),
    ),
    Case(
        "linear-regression, degree 9, elastic net",
        Pipeline(NET.replace(basis="polynomial", degree=9)),
        partial(_on_monomials, ElasticNet(**ALPHA)),
    ),
    *(
        case
        for d in (8, 30)
        for case in (
            Case(
                f"linear-regression, {d} columns, L1",
                Pipeline(LASSO),
                partial(_on_columns, Lasso(0.005)),
                n_inputs=d,
                show=_predictions,
            ),
            Case(
                f"linear-regression, {d} columns, elastic net",
                Pipeline(NET),
                partial(_on_columns, ElasticNet(**ALPHA)),
                n_inputs=d,
                show=_predictions,
            ),
            Case(
                f"linear-regression, {d} columns, L1 and its path", Pipeline(LASSO), _path, n_inputs=d, show=_own_path
            ),
        )
    ),
)
